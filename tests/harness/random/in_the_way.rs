//! What stands where a port would write, before anything is ported.

use super::draft::Draft;

/// Files written by hand, links and folders at the places of `names` in some folders.
pub(super) fn put(draft: &mut Draft, names: &[&str], user_folder: &str, skills: &[&str]) {
    if draft.chance.one_in(3) {
        return;
    }
    let (home, project) = (draft.home.clone(), draft.project.clone());
    let mut places: Vec<_> = names.iter().map(|name| home.join(user_folder).join(name)).collect();
    for folder in [project.clone(), draft.folder()] {
        places.extend(names.iter().map(|name| folder.join(name)));
    }
    for path in places {
        match draft.chance.below(14) {
            0..=2 => {
                draft.text(&path, "# By hand\n\nAsk before a release.\n");
            }
            3 => {
                draft.bytes(&path, "");
            }
            4 => {
                draft.bytes(&path.join("inside.md"), "a folder is in the way\n");
            }
            5 => {
                let real = draft.base.join("srv/shared/by-hand.md");
                draft.bytes(&real, "# Shared\n");
                draft.link(&path, real.as_str());
            }
            6 => {
                draft.link(&path, "nowhere.md");
            }
            _ => {}
        }
    }
    for root in skills {
        for name in ["review", "deploy", "csv-parser"] {
            let folder = if root.starts_with('.') { project.join(root) } else { home.join(root) };
            match draft.chance.below(8) {
                0 => {
                    let text = format!("---\nname: {name}\ndescription: by hand\n---\nBy hand.\n");
                    draft.bytes(&folder.join(name).join("SKILL.md"), text);
                }
                1 => {
                    draft.bytes(&folder.join(name), "a file is in the way\n");
                }
                _ => {}
            }
        }
    }
}
