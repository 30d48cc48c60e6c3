//! The process itself: exit codes, standard error, standard output.

use std::process::{Command, Stdio};

use insta::assert_snapshot;

fn memport(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_memport"));
    command.args(args).env_clear().env("HOME", "/").stdin(Stdio::null());
    command
}

/// Exit code and standard error of a command that fails.
fn failure(args: &[&str]) -> String {
    let output = memport(args).output().unwrap();
    assert!(output.stdout.is_empty());
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(error.lines().count(), 2, "{error}");
    format!("{error}exit {}", output.status.code().unwrap())
}

#[test]
fn bad_use_is_one_line_and_a_hint() {
    assert_snapshot!(failure(&[]), @r"
    error: no command is given
    hint: try `memport explain`; `memport help` shows all commands
    exit 2
    ");
    assert_snapshot!(failure(&["explain", "codx"]), @r"
    error: invalid value 'codx' for '[AGENT]' [possible values: codex, claude]
    hint: did you mean `codex`?
    exit 2
    ");
    assert_snapshot!(failure(&["explain", "--profle", "x"]), @r"
    error: unexpected argument '--profle' found
    hint: did you mean `--profile`?
    exit 2
    ");
    assert_snapshot!(failure(&["explain", "codex", "--profile", "codex@9"]), @r"
    error: unknown profile `codex@9`
    hint: known profiles: codex@0.171.0
    exit 2
    ");
    assert_snapshot!(failure(&["explain", "claude", "--profile", "codex@0.171.0"]), @r"
    error: unknown profile `codex@0.171.0`
    hint: known profiles: claude-code@2.1.332, claude-code@2.1.197
    exit 2
    ");
    assert_snapshot!(failure(&["explain", "--json", "--format", "text"]), @r"
    error: the argument '--json' cannot be used with '--format <FORMAT>'
    hint: see `memport help explain`
    exit 2
    ");
    // Which commands there are is told by the command line itself.
    let told = failure(&["man", "nope"]);
    assert!(
        told.starts_with(
            "error: there is no command `nope`
hint: commands: explain, "
        ),
        "{told}"
    );
    assert!(
        told.contains(", completions, man")
            && told.ends_with(
                "
exit 2"
            ),
        "{told}"
    );
    assert_snapshot!(failure(&["explain", "--steps", "/dev/null"]), @r#"
    error: `--steps` cannot be read: EOF while parsing a value at line 1 column 0
    hint: it is a list like `[{"tool":"Read","input":{"file_path":"/abs"}}]`
    exit 2
    "#);
}

#[test]
fn what_cannot_be_done_is_one_line_and_a_hint() {
    assert_snapshot!(failure(&["explain", "--cwd", "/no/such/folder"]), @r"
    error: start folder `/no/such/folder` does not exist
    hint: check the spelling
    exit 3
    ");
    assert_snapshot!(failure(&["explain", "--home", "/no/such/folder"]), @r"
    error: home directory `/no/such/folder` does not exist
    hint: check the spelling
    exit 3
    ");
    assert_snapshot!(failure(&["explain", "--steps", "/no/such/file"]), @r"
    error: cannot read the steps from `/no/such/file`: No such file or directory (os error 2)
    hint: check the path; a relative one starts at `--cwd`
    exit 3
    ");
    assert_snapshot!(failure(&["explain", "--cwd", "/\x1b[31m"]), @r"
    error: start folder `/\u{1b}[31m` does not exist
    hint: check the spelling
    exit 3
    ");
}

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    let mut child = memport(&["schema", "explain"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
}

#[test]
fn the_schema_is_that_of_the_types() {
    let output = memport(&["schema", "explain"]).output().unwrap();
    let schema: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let agent = schema.pointer("/$defs/AgentExplanation").unwrap();
    assert_eq!(agent.pointer("/properties/schema/const").unwrap(), "memport.explain.v1");
    let known = agent.pointer("/properties").unwrap().as_object().unwrap().len();
    assert_eq!(agent.pointer("/required").unwrap().as_array().unwrap().len(), known);
}

#[test]
fn completions_and_manual_pages_name_every_option() {
    let page = memport(&["man", "explain"]).output().unwrap().stdout;
    let script = memport(&["completions", "bash"]).output().unwrap().stdout;
    for option in ["profile", "touch", "steps", "cwd", "home", "env", "format", "json"] {
        assert!(String::from_utf8_lossy(&page).contains(option), "{option}");
        assert!(String::from_utf8_lossy(&script).contains(&format!("--{option}")), "{option}");
    }
}

#[cfg(unix)]
#[test]
fn bytes_that_are_no_text_do_not_stop_it() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let foreign = OsStr::from_bytes(b"/\xff");
    let output = memport(&["explain", "--cwd"]).arg(foreign).env("X", foreign).output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    let output = memport(&["explain"]).arg(foreign).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_is_gone_is_no_start_for_a_relative_path() {
    for cwd in [None, Some("."), Some("sub")] {
        let folder = tempfile::tempdir().unwrap();
        let mut command = Command::new("sh");
        let script = "rmdir \"$PWD\"; exec \"$0\" explain codex \"$@\"";
        command.args(["-c", script, env!("CARGO_BIN_EXE_memport")]).current_dir(&folder);
        command.args(cwd.map(|cwd| ["--cwd", cwd]).into_iter().flatten());
        let output = command.output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(3), "{error}");
        assert!(error.contains("the current folder cannot be read"), "{error}");
    }
}

#[test]
fn a_named_oddity_is_explained_and_a_near_one_is_proposed() {
    let shown = |args: &[&str]| {
        let output = memport(args).output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        String::from_utf8(output.stdout).unwrap()
    };
    let one = shown(&["quirk", "[codex/empty-file-hides]"]);
    assert!(one.starts_with("codex/empty-file-hides  Codex\n"), "{one}");
    assert!(one.contains("seen in 0.171.0; recorded case override-whitespace-hides"), "{one}");
    let all: serde_json::Value = serde_json::from_str(&shown(&["quirk", "--json"])).unwrap();
    let known = adapter_codex::quirks().chain(adapter_claude::quirks()).count();
    assert_eq!(all["quirks"].as_array().unwrap().len(), known);
    crate::schema::check(&serde_json::from_str(&shown(&["schema", "quirk"])).unwrap(), &all);
    assert_snapshot!(failure(&["quirk", "codex/empty-file"]), @r"
    error: no client has a named oddity `codex/empty-file`
    hint: did you mean `codex/empty-file-hides`? `memport quirk` lists all
    exit 3
    ");
}
