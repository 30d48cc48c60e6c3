"""Runs each tool on a fresh copy of the project and says what Codex then gets.

    compare.py WORK_FOLDER NODE_MODULES MEMPORT_BINARY [PAGE]

prints Markdown, or puts it between the marks of a page. What Codex gets is computed
by `memport explain codex --json`.
"""

import hashlib
import json
import os
import re
import resource
import shutil
import stat
import statistics
import subprocess
import sys

WORK, MODULES, MEMPORT = (os.path.abspath(argument) for argument in sys.argv[1:4])
HERE = os.path.dirname(os.path.abspath(__file__))
RULESYNC = ["node", os.path.join(MODULES, "rulesync/dist/cli/index.js")]
RULER = ["node", os.path.join(MODULES, "@intellectronica/ruler/dist/cli/index.js")]
REPEATS = 5


def build(name, kind):
    folder = os.path.join(WORK, name)
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run([sys.executable, os.path.join(HERE, "project.py"), folder, kind], check=True)
    return folder


def run(folder, command):
    """Exit code, everything that was said, and CPU seconds."""
    home = os.path.join(folder, "home")
    env = {"PATH": os.environ["PATH"], "HOME": home, "NO_COLOR": "1",
           "XDG_STATE_HOME": os.path.join(folder, "state")}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, cwd=os.path.join(folder, "project"), env=env,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return done.returncode, done.stdout.decode(errors="replace"), cpu


def by_hand(folder):
    """Ruler reads no Claude Code project; a person would move the files like this."""
    project = os.path.join(folder, "project")
    ruler = os.path.join(project, ".ruler")
    os.makedirs(ruler, exist_ok=True)
    shutil.copy(os.path.join(project, "CLAUDE.md"), os.path.join(ruler, "AGENTS.md"))
    for part in ["rules", "skills", "agents"]:
        source = os.path.join(project, ".claude", part)
        if os.path.isdir(source):
            target = ruler if part == "rules" else os.path.join(ruler, part)
            shutil.copytree(source, target, dirs_exist_ok=True)
    nested = os.path.join(project, "packages/web/CLAUDE.md")
    if os.path.exists(nested):
        inner = os.path.join(project, "packages/web/.ruler")
        os.makedirs(inner, exist_ok=True)
        shutil.copy(nested, os.path.join(inner, "AGENTS.md"))


def rulesync(folder):
    every = ["--from", "claudecode", "--to", "codexcli", "-f", "rules,commands,subagents,skills"]
    return [RULESYNC + ["convert"] + every, RULESYNC + ["convert", "--global"] + every]


def ruler(folder):
    if not os.path.isdir(os.path.join(folder, "project/.ruler")):
        by_hand(folder)
    return [RULER + ["apply", "--agents", "codex", "--nested", "--local-only", "--subagents"]]


def memport(folder):
    return [[MEMPORT, "port", "--from", "claude", "--to", "codex", "--write", "--accept-loss", "all"]]


def memport_raise(folder):
    return [command + ["--over-budget", "raise"] for command in memport(folder)]


TOOLS = {"rulesync": rulesync, "ruler": ruler, "memport": memport}
# Only asked about the cost of many rules.
FOR_MANY = {**TOOLS, "memport with `--over-budget raise`": memport_raise}


def apply(folder, tool):
    codes, said, cpu = [], "", 0.0
    for command in FOR_MANY[tool](folder):
        code, text, seconds = run(folder, command)
        codes.append(code)
        said += text
        cpu += seconds
    return codes, said, cpu


def explain(folder, at):
    command = [MEMPORT, "explain", "codex", "--json", "--cwd", os.path.join(folder, "project", at),
               "--home", os.path.join(folder, "home")]
    code, text, _ = run(folder, command)
    if code != 0:
        raise SystemExit(f"`memport explain codex` answers {code}: {text}")
    return json.loads(text)


def inside(folder, path):
    """A path as the page shows it: without the folder of this run."""
    folder = os.path.realpath(folder)
    slug = re.sub(r"[^a-zA-Z0-9]", "-", os.path.join(folder, "project"))
    return os.path.relpath(os.path.realpath(path), folder).replace(slug, "PROJECT")


def tree(folder):
    """Every file below, with its bytes and permission bits."""
    found = {}
    for top, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name not in (".git", "state")]
        for name in files:
            path = os.path.join(top, name)
            with open(path, "rb") as file:
                data = file.read()
            found[os.path.relpath(path, folder)] = (data, stat.S_IMODE(os.lstat(path).st_mode))
    return found


def digest(folder):
    listing = repr(sorted((path, hashlib.sha256(data).hexdigest(), mode)
                          for path, (data, mode) in tree(folder).items()))
    return hashlib.sha256(listing.encode()).hexdigest()


def skill_files(view, folder):
    """The main files of the skills that Codex lists, and of those only a person can start."""
    listed = [skill["file"] for skill in view["skills"]["listed"] if skill["file"]]
    hidden = [skill["path"] for skill in view["skills"]["omitted"] if skill["reason"]["code"] == "not-listed"]
    system = os.path.join(folder, "home/.codex/skills/.system")
    return [path for path in listed + hidden if not path.startswith(system) and os.path.isfile(path)]


def texts(folder):
    """Every text that Codex gets: when, from which file, and the text."""
    found = []
    for at, when in [("", "at start"), ("packages/web", "at start in `packages/web`"),
                     ("data", "at start in `data`"), ("src/api", "at start in `src/api`")]:
        if not os.path.isdir(os.path.join(folder, "project", at)):
            continue
        view = explain(folder, at)
        found += [(when, layer["path"], layer["content"]) for layer in view["layers"]]
        found += [(f"{when}, list of skills", skill["file"], skill["description"])
                  for skill in view["skills"]["listed"] if skill["description"]]
        for path in skill_files(view, folder):
            with open(path, encoding="utf-8", errors="replace") as file:
                found.append(("when the skill is used", path, file.read()))
        for base in ["project/.codex/agents", "home/.codex/agents"]:
            for path, (data, _) in tree(os.path.join(folder, base)).items():
                found.append(("when the sub-agent runs", os.path.join(folder, base, path), data.decode(errors="replace")))
        root = view["memory"]["root"]
        for path, (data, _) in tree(root).items():
            found.append(("in Codex’s memory folder", os.path.join(root, path), data.decode(errors="replace")))
    return found


def find(found, word):
    return [place for place in found if word in place[2]]


def verdict(folder, found, known, said):
    places = find(found, known["word"])
    named = known["file"] in said or inside(folder, known["file"]).split("/", 1)[1] in said
    # A tool may say of a whole kind that it leaves it out.
    named = named or f"feature '{known['what']}s'" in said
    if not places:
        if not known["seen"]:
            return "not shown, as in Claude Code"
        return "**no**, told" if named else "**no**, not told"
    when, path, text = places[0]
    where = f"{when}: `{inside(folder, path)}`"
    if not known["seen"]:
        return f"shown, though Claude Code hides it ({where})"
    if known["bound"] and text and known["bound"] not in text:
        where += "; its paths are gone" + ("" if named else ", not told")
    if known["bound"] and text and known["bound"] in text:
        where += "; its paths stand beside it"
    if known["private"] and inside(folder, path).startswith("project/"):
        where += "; private text in a project file"
    return where


def skills(folder):
    """What became of the two skills besides their text."""
    view = explain(folder, "")
    answers = []
    for path in skill_files(view, folder):
        if os.path.basename(os.path.dirname(path)) != "csv-parser":
            continue
        base = os.path.dirname(path)
        source = os.path.join(folder, "project/.claude/skills/csv-parser")
        script, picture = (os.path.join(base, name) for name in ["scripts/detect.py", "logo.png"])
        runs = os.path.exists(script) and os.access(script, os.X_OK)
        same = os.path.exists(picture) and open(picture, "rb").read() == open(
            os.path.join(source, "logo.png"), "rb").read()
        answers.append(f"script executable: {'yes' if runs else '**no**'}; picture identical: {'yes' if same else '**no**'}")
    offered = any(skill["name"] == "deploy" for skill in view["skills"]["listed"])
    there = any(os.path.basename(os.path.dirname(path)) == "deploy" for path in skill_files(view, folder))
    kept = "kept" if there and not offered else "**lost: the model is offered it**" if offered else "the skill is not there"
    return answers[:1] + [f"“only the person may start it”: {kept}"]


def keeps_hand_written(tool):
    """Whether a hand-written AGENTS.md at the root is still read, once the tool has run."""
    folder = build(f"hand-{tool}", "plain")
    with open(os.path.join(folder, "project/AGENTS.md"), "w") as file:
        file.write("HAND_ROOT Ask before a release.\n")
    apply(folder, tool)
    return "yes" if find(texts(folder), "HAND_ROOT") else "**no**"


def project_table(kind):
    rows, other = {}, {}
    for tool in TOOLS:
        folder = build(f"{kind}-{tool}", kind)
        before = tree(folder)
        codes, said, _ = apply(folder, tool)
        with open(os.path.join(WORK, f"{kind}-{tool}.txt"), "w") as file:
            file.write(said)
        found = texts(folder)
        with open(os.path.join(folder, "lines.json")) as file:
            for known in json.load(file):
                rows.setdefault(known["what"], []).append(verdict(folder, found, known, said))
        once, after = digest(folder), tree(folder)
        hand = "yes" if find(found, "HAND_WRITTEN") else "**no**"
        apply(folder, tool)
        hand_twice = "yes" if find(texts(folder), "HAND_WRITTEN") else "**no**"
        made = [path for path in after if path not in before and ".ruler/" not in path]
        beside = sorted(path for path in made if not path.endswith((".md", ".toml", ".py", ".png", ".yaml", ".json")))
        other[tool] = {
            "exit codes": ", ".join(map(str, codes)),
            "files of the skills": "<br>".join(skills(folder)),
            "hand-written `packages/web/AGENTS.md` still read after one run, after two": f"{hand}, {hand_twice}",
            "a second run changes nothing": "yes" if digest(folder) == once else "**no**",
            "also written": ", ".join(f"`{path}`" for path in beside) or "nothing",
        }
        if kind == "plain":
            what = "hand-written `AGENTS.md` at the root still read after one run"
            other[tool][what] = keeps_hand_written(tool)
    lines = [f"| | {' | '.join(TOOLS)} |", f"|---|{'---|' * len(TOOLS)}"]
    lines += [f"| {what} | {' | '.join(cells)} |" for what, cells in rows.items()]
    for what in other["memport"]:
        lines.append(f"| {what} | {' | '.join(other[tool][what] for tool in TOOLS)} |")
    return lines


ODD = {
    "paths with a comma instead of a list in one rule":
        (".claude/rules/api/errors.md", lambda text: text.replace('["src/api/**", "lib/api/**"]', "src/api/**, lib/api/**")),
    "no `name` in one skill": (".claude/skills/deploy/SKILL.md", lambda text: text.replace("name: deploy\n", "")),
    "frontmatter in CLAUDE.md": ("CLAUDE.md", lambda text: "---\nowner: platform\n---\n" + text),
}


def odd_table():
    """How many lines Codex gets when one file of the plain project is odd."""
    lines = [f"| one odd file | {' | '.join(TOOLS)} |", f"|---|{'---|' * len(TOOLS)}"]
    for what, (path, change) in {"none": ("CLAUDE.md", str), **ODD}.items():
        cells = []
        for tool in TOOLS:
            folder = build(f"odd-{tool}", "plain")
            full = os.path.join(folder, "project", path)
            with open(full) as file:
                text = file.read()
            with open(full, "w") as file:
                file.write(change(text))
            codes, said, _ = apply(folder, tool)
            found = texts(folder)
            with open(os.path.join(folder, "lines.json")) as file:
                known = [line for line in json.load(file) if line["seen"]]
            shown = sum(bool(find(found, line["word"])) for line in known)
            cells.append(f"{shown} of {len(known)} lines, exit {', '.join(map(str, codes))}")
        lines.append(f"| {what} | {' | '.join(cells)} |")
    return lines


def cost_table():
    lines = ["| | CPU, median of five | exit codes | rules that Codex shows at start |", "|---|---|---|---|"]
    for at, (tool, commands) in enumerate(FOR_MANY.items()):
        times = []
        for _ in range(REPEATS):
            folder = build(f"many-{at}", "many")
            # Moving files by hand for ruler is no cost of its own.
            commands(folder)
            codes, said, cpu = apply(folder, tool)
            times.append(cpu)
        layers = explain(folder, "")["layers"]
        shown = sum(any(f"# Rule {rule}\n" in layer["content"] for layer in layers) for rule in range(200))
        told = "" if shown == 200 else ", told" if "project_doc_max_bytes" in said else ", not told"
        codes = ", ".join(map(str, codes))
        lines.append(f"| {tool} | {statistics.median(times):.2f} s | {codes} | {shown} of 200{told} |")
    return lines


def main():
    lines = ["### The project as Claude Code allows it", ""] + project_table("usual")
    lines += ["", "### The same project, written plainly", ""] + project_table("plain")
    lines += ["", "### One odd file in the plain project", ""] + odd_table()
    lines += ["", "### 200 rules and 100 skills", ""] + cost_table()
    measured = "\n".join(lines)
    if len(sys.argv) < 5:
        print(measured)
        return
    begin, end = "<!-- measured -->\n", "\n<!-- end of what is measured -->"
    with open(sys.argv[4]) as file:
        head, rest = file.read().split(begin)
    tail = rest.split(end)[1]
    with open(sys.argv[4], "w") as file:
        file.write(head + begin + measured + end + tail)


main()
