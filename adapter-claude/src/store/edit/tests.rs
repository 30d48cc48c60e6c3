use memory_core::Env;
use memory_core::fs::{Fs, MemFs};
use memory_core::plan::{Journal, apply};
use proptest::prelude::*;

use super::*;

fn edited_bytes(bytes: &[u8], edits: &[MemoryEdit]) -> Result<Vec<u8>, Error> {
    let root = AbsPath::new("/m").unwrap();
    let file = root.join("a.md");
    let fs = MemFs::from_files([(file.as_str(), bytes)]);
    let env = Env::default();
    let plan = Claude::default().plan_edit(World { fs: &fs, env: &env }, &root, &file, edits)?;
    if !plan.is_empty() {
        apply(&fs, &plan, &Journal::new(AbsPath::new("/j").unwrap()))?;
    }
    Ok(fs.read_up_to(&file, 1 << 20).unwrap())
}

fn edited(text: &str, edits: &[MemoryEdit]) -> Result<String, Error> {
    edited_bytes(text.as_bytes(), edits).map(|bytes| String::from_utf8(bytes).unwrap())
}

fn set(key: &str, value: &str) -> MemoryEdit {
    MemoryEdit::Set { key: key.to_owned(), value: value.to_owned() }
}

fn remove(key: &str) -> MemoryEdit {
    MemoryEdit::Remove { key: key.to_owned() }
}

#[test]
fn a_nested_key_changes_alone() {
    let text = "---\r\nname: *x: y\r\nmetadata: \r\n    # note\r\n    type: user\r\n    list:\r\n      - type: z\r\n---\r\n\r\nbody";
    assert_eq!(
        edited(text, &[set("metadata.type", "a: b"), set("metadata.new", "nn")]).unwrap(),
        text.replace("type: user", "type: \"a: b\"")
            .replace("type: z\r\n", "type: z\r\n    new: nn\r\n")
    );
    assert_eq!(
        edited(text, &[remove("metadata.list"), remove("metadata.none")]).unwrap(),
        text.replace("    list:\r\n      - type: z\r\n", "")
    );
}

#[test]
fn metadata_in_braces_becomes_a_block_and_a_missing_one_is_made() {
    let text = "---\nname: a\nmetadata: {type: user, m: 1}\nodd: [x\n---\nb";
    assert_eq!(
        edited(text, &[set("metadata.type", "project")]).unwrap(),
        text.replace("{type: user, m: 1}", "\n  m: 1\n  type: project")
            .replace("metadata: \n", "metadata:\n")
    );
    assert_eq!(
        edited("---\nname: a\n---\nb", &[set("metadata.type", "user")]).unwrap(),
        "---\nname: a\nmetadata:\n  type: user\n---\nb"
    );
    assert_eq!(
        edited("b", &[set("metadata.type", "user"), set("name", "a")]).unwrap(),
        "---\nmetadata: \n  type: user\nname: a\n---\nb"
    );
    assert!(matches!(
        edited("---\nmetadata: text\n---\n", &[set("metadata.type", "user")]),
        Err(Error::Edit { .. })
    ));
    assert_eq!(edited("b", &[set("name", "日本")]).unwrap(), "---\nname: \"日本\"\n---\nb");
}

#[test]
fn sections_and_lines_change_alone() {
    let text = "# A\r\nold\r\n# B\r\nb\r\n";
    let section = |title: &str, text: &str| MemoryEdit::Section {
        title: title.to_owned(),
        text: text.to_owned(),
    };
    assert_eq!(
        edited(text, &[section("A", "new\nlines")]).unwrap(),
        "# A\r\nnew\r\nlines\r\n# B\r\nb\r\n"
    );
    assert!(matches!(edited(text, &[section("C", "x")]), Err(Error::Edit { .. })));
    assert!(matches!(edited(text, &[section("A", "(以下省略)")]), Err(Error::Elision { .. })));
    let line =
        |number, old: &str| MemoryEdit::Line { number, old: old.to_owned(), new: "c".to_owned() };
    assert_eq!(edited(text, &[line(4, "b")]).unwrap(), "# A\r\nold\r\n# B\r\nc\r\n");
    assert!(matches!(edited(text, &[line(4, "a")]), Err(Error::Stale { .. })));
    assert!(matches!(edited(text, &[line(9, "")]), Err(Error::Stale { .. })));
}

#[test]
fn a_line_changes_only_where_it_differs() {
    let line = |number, old: &str, new: &str| MemoryEdit::Line {
        number,
        old: old.to_owned(),
        new: new.to_owned(),
    };
    let edited = |bytes: &[u8], edit| edited_bytes(bytes, &[edit]).unwrap();
    let damaged = b"\xef\xbb\xbfa\xffb\xe3\x81c\r\r\n";
    let same = "a\u{fffd}b\u{fffd}c\r";
    assert_eq!(edited(damaged, line(1, same, same)), damaged);
    let new = "a\u{fffd}B\u{fffd}c\r";
    assert_eq!(edited(damaged, line(1, same, new)), b"\xef\xbb\xbfa\xffB\xe3\x81c\r\r\n");
    assert_eq!(edited(damaged, line(1, same, "")), b"\xef\xbb\xbf\r\n");
    assert_eq!(edited(b"aa", line(1, "aa", "aaa")), b"aaa");
}

#[test]
fn nothing_to_do_is_nothing() {
    let text = "---\nname: a\n---\nb";
    assert_eq!(edited(text, &[]).unwrap(), text);
    assert_eq!(edited(text, &[set("name", "a"), remove("x")]).unwrap(), text);
}

proptest! {
    #[test]
    fn a_nested_key_is_set_whatever_stands_around_it(
        before in "([a-c]: [a-z]{0,5}\n|# c\n){0,3}",
        inner in "(  [a-c]: [a-z:#]{0,6}\n|  # c\n|    deep\n|\n|  - x\n){0,4}",
        after in "([d-f]: [a-z]{0,5}\n){0,2}",
        key in "[a-d]",
        value in "[a-z:# あ]{0,8}",
    ) {
        let text = format!("---\n{before}metadata:\n{inner}{after}---\nbody\n");
        // Something else than keys stands there: refused.
        let Ok(edited) = edited(&text, &[set(&format!("metadata.{key}"), &value)]) else {
            return Ok(());
        };
        let read = |text: &str| frontmatter::parse(text).and_then(|found| found.fields);
        // Only what the client can read can be compared as values.
        if let (Some(old), Some(new)) = (read(&text), read(&edited)) {
            let others = |fields: &Fields| fields.0.iter().filter(|(key, _)| key != METADATA).cloned().collect::<Vec<_>>();
            prop_assert_eq!(others(&old), others(&new));
            if let Some(Value::Map(nested)) = new.get(METADATA) {
                prop_assert_eq!(nested.get(&key), Some(&Value::Text(value)), "{}", edited);
            }
        }
        prop_assert!(edited.ends_with("---\nbody\n"));
    }
}
