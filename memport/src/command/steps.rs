//! The scripted tool uses of `--touch` and `--steps`.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use memory_core::fs::{Fs, name_to_bytes};
use memory_core::{AbsPath, Code, Diagnostic, Severity};
use memport_documents::{DiagnosticDocument, ToolUseDocument};
use serde::Deserialize;
use serde_json::Value;

use crate::args::ExplainArgs;
use crate::failure::Failure;
use crate::place::portable_path;

/// Largest script in bytes.
const MAX_SCRIPT: u64 = 64 * 1024 * 1024;

/// What to do about a script that cannot be used.
const HINT: &str = r#"it is a list like `[{"tool":"Read","input":{"file_path":"/abs"}}]`"#;

#[derive(Deserialize)]
struct Use {
    tool: String,
    #[serde(default)]
    input: Value,
    #[serde(default)]
    failed: bool,
    #[serde(default)]
    agent_steps: Vec<Value>,
}

/// The steps that were asked for: each `--touch` in order, then the script.
pub(crate) fn steps(
    args: &ExplainArgs,
    cwd: &AbsPath,
) -> Result<Vec<Vec<ToolUseDocument>>, Failure> {
    let mut steps: Vec<_> = args.touch.iter().map(|file| vec![read_tool(cwd, file)]).collect();
    if let Some(file) = &args.steps {
        let script = script(cwd, file)?;
        steps.extend(parse(&script)?);
    }
    Ok(steps)
}

/// Tells the files of `--touch` that the client's Read tool cannot read.
pub(crate) fn untouchable(
    args: &ExplainArgs,
    cwd: &AbsPath,
    fs: &dyn Fs,
) -> Vec<DiagnosticDocument> {
    let paths = args.touch.iter().map(|file| cwd.join(portable_path(file)));
    paths.filter_map(|path| untouched(fs, &path)).map(Into::into).collect()
}

fn untouched(fs: &dyn Fs, path: &AbsPath) -> Option<Diagnostic> {
    let tell = |code, message: String, help: &str| {
        Diagnostic::new(Code(code), Severity::Warning, message).at(path).help(help)
    };
    match fs.metadata(path) {
        Ok(found) if found.is_file() => None,
        Ok(found) if found.is_dir() => Some(tell(
            "memport/touch-folder",
            format!("`{path}` is a folder, and the client's Read tool reads files"),
            "name a file in it, one that is there",
        )),
        Ok(_) => Some(tell(
            "memport/touch-no-file",
            format!("`{path}` is no regular file, and nothing is read of it"),
            "name a regular file",
        )),
        Err(error) if !error.is_absence() => Some(tell(
            "memport/touch-unreadable",
            format!("`{path}` cannot be looked at: {error}"),
            "see who may read the file and the folders above it",
        )),
        Err(_) if path.as_str().contains(['*', '?', '[', '{']) => Some(tell(
            "memport/touch-missing",
            format!("there is no file `{path}`: `--touch` takes one file, and no pattern"),
            "name one file that the pattern would match; `--touch` may be repeated",
        )),
        Err(_) => Some(tell(
            "memport/touch-missing",
            format!("there is no file `{path}`, so that the client's Read tool fails on it"),
            "check the spelling; a relative path starts at `--cwd`",
        )),
    }
}

fn read_tool(cwd: &AbsPath, file: &Path) -> ToolUseDocument {
    let path = cwd.join(portable_path(file));
    ToolUseDocument::new("Read", serde_json::json!({ "file_path": path.as_str() }))
}

fn parse(script: &[u8]) -> Result<Vec<Vec<ToolUseDocument>>, Failure> {
    let unread = |why: String| Failure::usage(format!("`--steps` cannot be read: {why}"), HINT);
    let script = serde_json::from_slice(script).map_err(|error| unread(error.to_string()))?;
    let Value::Array(steps) = script else { return Err(unread("it is no list".to_owned())) };
    let numbered = steps.into_iter().zip(1_u64..);
    numbered
        .map(|(step, number)| {
            parse_step(step).map_err(|why| unread(format!("step {number}: {why}")))
        })
        .collect()
}

fn parse_step(step: Value) -> Result<Vec<ToolUseDocument>, String> {
    match step {
        Value::Array(uses) => uses.into_iter().map(parse_use).collect(),
        alone => Ok(vec![parse_use(alone)?]),
    }
}

fn parse_use(used: Value) -> Result<ToolUseDocument, String> {
    if !used.is_object() {
        return Err(format!("`{used}` is no tool use"));
    }
    let Use { tool, input, failed, agent_steps } =
        serde_json::from_value(used).map_err(|error| error.to_string())?;
    let agent_steps = agent_steps.into_iter().map(parse_step).collect::<Result<_, _>>()?;
    let mut used = ToolUseDocument::new(tool, input);
    (used.failed, used.agent_steps) = (failed, agent_steps);
    Ok(used)
}

/// The bytes of a script. It may be a pipe: `--steps <(…)` is good use.
fn script(cwd: &AbsPath, file: &Path) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let read = if file.as_os_str() == "-" {
        io::stdin().take(MAX_SCRIPT).read_to_end(&mut bytes)
    } else {
        let path = cwd.join(portable_path(file));
        open(&path).and_then(|file| file.take(MAX_SCRIPT).read_to_end(&mut bytes))
    };
    match read {
        Ok(_) => Ok(bytes),
        Err(error) => Err(Failure::impossible(
            format!("cannot read the steps from `{}`: {error}", file.display()),
            "check the path; a relative one starts at `--cwd`",
        )),
    }
}

#[cfg(unix)]
fn open(path: &AbsPath) -> io::Result<File> {
    use std::os::unix::ffi::OsStringExt as _;
    File::open(std::ffi::OsString::from_vec(name_to_bytes(path.as_str())))
}

#[cfg(not(unix))]
fn open(path: &AbsPath) -> io::Result<File> {
    File::open(String::from_utf8_lossy(&name_to_bytes(path.as_str())).as_ref())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_holds_uses_and_parallel_uses() {
        let script =
            br#"[{"tool":"Read","input":{"file_path":"/a"}},[{"tool":"A"},{"tool":"B"}],[]]"#;
        let sizes: Vec<_> = parse(script).unwrap().iter().map(Vec::len).collect();
        assert_eq!(sizes, [1, 2, 0]);
    }

    #[test]
    fn a_script_that_is_none_is_bad_use() {
        for script in [&b"{}"[..], b"", b"[1]", b"\xff", b"[{}]"] {
            assert_eq!(parse(script).unwrap_err().kind, crate::failure::FailureKind::Usage);
        }
        let why = |script: &str| parse(script.as_bytes()).unwrap_err().message;
        assert_eq!(why("{}"), "`--steps` cannot be read: it is no list");
        assert_eq!(
            why(r#"[{"tool":"A"},[{"input":{}}]]"#),
            "`--steps` cannot be read: step 2: missing field `tool`"
        );
        assert_eq!(why("[1]"), "`--steps` cannot be read: step 1: `1` is no tool use");
    }
}
