//! Rules with and without paths.

use memory_core::AbsPath;

use super::imports::imports;
use crate::random::draft::Draft;

const PATTERNS: [&str; 22] = [
    "src/**",
    "/src/**",
    "src/**/*",
    "src/*",
    "src/",
    "docs",
    "**/*.ts",
    "*.{ts,tsx}",
    "data/**/*.csv",
    "packages/web/**",
    "packages/*/x.tsx",
    "lib/**/*.py",
    "データ/**",
    "[a-c]*.ts",
    "!src/a.ts",
    "**",
    "**/*",
    "*",
    "/packages/api/**",
    "SRC/**/*.TS",
    "nothing/here/**",
    "./src/**",
];

const NAMES: [&str; 8] = [
    "style.md",
    "api/errors.md",
    "日本語.md",
    "a b.md",
    "deep/er/rule.md",
    ".hidden.md",
    "README.md",
    "tests.md",
];

pub(super) fn rules(draft: &mut Draft, folder: &AbsPath, is_private: bool) {
    for _ in 0..=draft.chance.below(3) {
        let name = draft.chance.pick(&NAMES);
        let path = folder.join(name);
        let front = front(draft);
        let body = draft.body("rule", is_private);
        let beside = path.parent().unwrap_or_else(AbsPath::root);
        let imported = if draft.chance.one_in(6) {
            imports(draft, &beside, is_private, 2)
        } else {
            String::new()
        };
        let text = format!("{front}{body}{imported}");
        if draft.chance.one_in(12) {
            let inside = draft.chance.one_in(2);
            let top = if inside { draft.project.clone() } else { draft.base.join("srv/shared") };
            let real = top.join("rules-elsewhere").join(name);
            if draft.text(&real, &text) {
                draft.link(&path, real.as_str());
            }
        } else {
            draft.text(&path, &text);
        }
    }
}

fn front(draft: &mut Draft) -> String {
    let (one, two) = (draft.chance.pick(&PATTERNS), draft.chance.pick(&PATTERNS));
    match draft.chance.below(12) {
        0..=3 => String::new(),
        4 => format!("---\npaths: [\"{one}\", \"{two}\"]\n---\n"),
        5 => format!("---\npaths:\n  - \"{one}\"\n  - '{two}'\n---\n"),
        6 => format!("---\npaths: {one}, {two}\n---\n"),
        7 => format!("---\npaths: {one}\ndescription: about: this\n---\n"),
        8 => format!("---\npaths:\n  - {one}\n---\n"),
        9 => format!("---\r\npaths: \"{one}\"\r\n---\r\n"),
        10 => "---\nglobs: \"*.ts\"\nalwaysApply: true\n---\n".to_owned(),
        _ => format!("---\npaths: \"{one}\"\n---\n\n"),
    }
}
