"""Builds the project of the comparison: what Claude Code reads, one marked line in every place.

    project.py FOLDER [plain|many]

makes FOLDER/project, FOLDER/home and FOLDER/lines.json. `plain` leaves out the
forms that are valid for Claude Code but that other readers stumble on (frontmatter
in CLAUDE.md, paths as a comma-separated text, a skill that does not repeat the name
of its folder). `many` makes 200 rules and 100 skills instead, for the cost.
"""

import json
import os
import re
import subprocess
import sys

PNG = b"\x89PNG\r\n\x1a\n\x00\xff\xfe\x00"

lines = []


def line(name, what, seen=True, private=False, bound=None):
    """One marked line; what is said of it; whether Claude Code shows it."""
    word = f"MARK_{len(lines):02}_{name}"
    lines.append(
        {"word": word, "what": what, "seen": seen, "private": private, "bound": bound, "file": None}
    )
    return word


def write(root, path, content, mode=None):
    full = os.path.join(root, path)
    os.makedirs(os.path.dirname(full), exist_ok=True)
    data = content if isinstance(content, bytes) else content.encode()
    with open(full, "wb") as file:
        file.write(data)
    if mode is not None:
        os.chmod(full, mode)
    for known in lines:
        if known["file"] is None and known["word"].encode() in data:
            known["file"] = full


def memory_folder(home, project):
    name = re.sub(r"[^a-zA-Z0-9]", "-", os.path.realpath(project))
    return os.path.join(home, ".claude", "projects", name, "memory")


def usual(project, home, plain):
    front = "" if plain else f"---\nowner: {line('FRONT', 'frontmatter of CLAUDE.md', seen=False)}\n---\n"
    write(project, "CLAUDE.md", front + f"""# Project

{line('ROOT', 'CLAUDE.md')} Use Python 3.11. See @docs/style.md and @docs/deep.md for more.

<!-- {line('COMMENT', 'block comment in CLAUDE.md', seen=False)} keep this short -->

- Never run `rm -rf`.
""")
    write(project, "docs/style.md", f"# Style\n\n{line('IMPORT', 'imported file')} Tabs, not spaces.\n")
    write(project, "docs/deep.md", "# Deep\n\n@style2.md\n")
    write(project, "docs/style2.md", f"{line('IMPORT_2', 'file imported by an imported file')}\n")
    write(project, "packages/web/CLAUDE.md", f"# Web\n\n{line('NESTED', 'nested CLAUDE.md')} Use pnpm.\n")
    write(project, "packages/web/AGENTS.md", "# Web\n\nHAND_WRITTEN Ask before a release.\n")
    write(project, "CLAUDE.local.md", f"{line('LOCAL', 'CLAUDE.local.md', private=True)} My sandbox is sandbox-7.\n")
    listed = line("RULE_LIST", "rule with a list of paths", bound="data/**/*.csv")
    write(project, ".claude/rules/csv.md",
          f'---\npaths: ["data/**/*.csv", "*.{{ts,tsx}}"]\nowner: data-team\n---\n# CSV\n\n{listed} Codes are strings.\n')
    comma = line("RULE_COMMA", "rule with paths and commas", bound="src/api/**")
    paths = '["src/api/**", "lib/api/**"]' if plain else "src/api/**, lib/api/**"
    write(project, ".claude/rules/api/errors.md", f"---\npaths: {paths}\n---\n{comma} Return structured errors.\n")
    write(project, ".claude/rules/always.md",
          f"# Always\r\n\r\n{line('RULE_CRLF', 'rule without paths, Windows line ends')} Be brief.\r\n")
    skill = ".claude/skills/csv-parser"
    write(project, f"{skill}/SKILL.md", f"""---
name: csv-parser
description: {line('SKILL_DESC', 'description of a skill')} Parse CSV files with an unknown encoding.
allowed-tools: Read, Bash(python *)
argument-hint: "[file]"
---
# CSV parser

{line('SKILL_BODY', 'text of a skill')} Run scripts/detect.py $ARGUMENTS
""")
    write(project, f"{skill}/scripts/detect.py", "#!/usr/bin/env python3\nprint('utf-8')\n", 0o755)
    write(project, f"{skill}/logo.png", PNG)
    name = "name: deploy\n" if plain else ""
    write(project, ".claude/skills/deploy/SKILL.md", f"""---
{name}description: Deploy to production
disable-model-invocation: true
---
{line('USER_ONLY', 'text of a skill that only the person may start')} Ask, then deploy.
""")
    write(project, ".claude/commands/review.md", f"""---
description: Review a change
argument-hint: "[number]"
---
{line('COMMAND', 'command')} Review $1
""")
    write(project, ".claude/agents/tester.md", f"""---
name: tester
description: Runs the tests
tools: Bash
model: haiku
---
{line('AGENT', 'sub-agent')} You run tests.
""")
    for folder in ["data", "src/api", "lib/api"]:
        write(project, f"{folder}/.keep", "")
    write(home, ".claude/CLAUDE.md", f"{line('USER', 'the person’s own CLAUDE.md', private=True)} Answer in English.\n")
    write(home, ".claude/rules/tone.md", f"{line('USER_RULE', 'the person’s own rule', private=True)} Be kind.\n")
    memory = memory_folder(home, project)
    index = line("MEMORY_INDEX", "memory index", private=True)
    write(memory, "MEMORY.md",
          f"- [Customer code](feedback_customer_code.md) — {index} strings, not numbers\n- [Role](user_role.md) — engineer\n")
    write(memory, "feedback_customer_code.md", f"""---
name: customer-code
description: customer codes are strings
type: feedback
modified: "2026-01-20T14:30:00Z"
---
{line('MEMORY', 'memory', private=True)} Treat customer codes as strings.
""")
    write(memory, "user_role.md", "---\ntype: user\n---\nData engineer.\n")


def many(project, home):
    write(project, "CLAUDE.md", "# Project\n\nUse Python 3.11.\n")
    for at in range(200):
        filler = "Keep functions short and name things for what they are. " * 5
        write(project, f".claude/rules/rule-{at:03}.md", f"# Rule {at}\n\n{filler}\n")
    for at in range(100):
        write(project, f".claude/skills/skill-{at:03}/SKILL.md",
              f"---\nname: skill-{at:03}\ndescription: Does the task number {at}.\n---\n# Skill {at}\n\nDo it.\n")
        write(project, f".claude/skills/skill-{at:03}/run.sh", "#!/bin/sh\nexit 0\n", 0o755)


def main():
    folder, kind = sys.argv[1], (sys.argv[2:] or ["usual"])[0]
    project, home = os.path.join(folder, "project"), os.path.join(folder, "home")
    os.makedirs(os.path.join(home, ".codex"))
    os.makedirs(project)
    if kind == "many":
        many(project, home)
    else:
        usual(project, home, plain=kind == "plain")
    write(home, ".codex/config.toml", f'[features]\nmemories = true\n\n[projects."{os.path.realpath(project)}"]\ntrust_level = "trusted"\n')
    git = ["git", "-c", "user.email=a@example.org", "-c", "user.name=a", "-C", project]
    for step in [["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "first"]]:
        subprocess.run(git + step, check=True)
    with open(os.path.join(folder, "lines.json"), "w") as file:
        json.dump(lines, file)


main()
