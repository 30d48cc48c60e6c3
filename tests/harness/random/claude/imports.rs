//! Imports of all forms, and what they lead to.

use memory_core::AbsPath;

use crate::random::draft::Draft;

/// How deep imports are nested; one more than the client follows.
const DEEPEST: usize = 5;

/// Some lines with imports, for a file in `folder`; what they name is put too.
pub(super) fn imports(
    draft: &mut Draft,
    folder: &AbsPath,
    is_private: bool,
    depth: usize,
) -> String {
    let mut lines = String::new();
    if depth > DEEPEST {
        return lines;
    }
    let count = if depth == 1 { draft.chance.below(4) } else { draft.chance.below(2) };
    for _ in 0..count {
        let number = draft.chance.below(40);
        let name = format!("i{number}.md");
        let (home, base) = (draft.home.clone(), draft.base.clone());
        let (line, file) = match draft.chance.below(14) {
            0 => (format!("See @docs/{name} for more."), folder.join("docs").join(&name)),
            1 => (format!("@./{name}"), folder.join(&name)),
            2 => {
                let parent = folder.parent().unwrap_or_else(AbsPath::root);
                (format!("- @../{name}"), parent.join(&name))
            }
            3 => {
                let file = base.join("srv/shared").join(&name);
                (format!("@{file}"), file)
            }
            4 => (format!("@~/shared/{name}"), home.join("shared").join(&name)),
            5 => (format!("@my\\ notes/{name}"), folder.join("my notes").join(&name)),
            6 => (format!("@./メモ/{name} を読む"), folder.join("メモ").join(&name)),
            7 => (format!("**@{name}** first"), folder.join(&name)),
            8 => {
                (format!("@docs/text-{number}.txt"), folder.join(format!("docs/text-{number}.txt")))
            }
            // What follows is no import, or leads nowhere.
            9 => (format!("`@code-{name}`"), folder.join(format!("code-{name}"))),
            10 => (format!("@dotted-{name}."), folder.join(format!("dotted-{name}"))),
            11 => (format!("(@bracket-{name})"), folder.join(format!("bracket-{name}"))),
            12 => (format!("@missing/{name}"), folder.clone()),
            _ => (format!("@CLAUDE.md and @{name}"), folder.join(&name)),
        };
        lines.push_str(&line);
        lines.push('\n');
        if file != *folder {
            let beside = file.parent().unwrap_or_else(AbsPath::root);
            let front = draft.front(is_private);
            let body = draft.body("import", is_private);
            let deeper = imports(draft, &beside, is_private, depth + 1);
            draft.text(&file, &format!("{front}{body}{deeper}"));
        }
    }
    if !lines.is_empty() {
        lines.push('\n');
    }
    lines
}
