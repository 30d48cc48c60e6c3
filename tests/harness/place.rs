//! Temporary folders, and the commands that fixtures run in them.

use std::path::Path;
use std::process::{Command, Stdio};

use memory_core::AbsPath;
use tempfile::TempDir;

use crate::Result;
use crate::content::path;

/// A temporary folder whose path has a fixed length, which skill listings depend on.
pub(crate) fn temporary(prefix: &str) -> Result<(TempDir, AbsPath)> {
    let folder = tempfile::Builder::new().prefix(prefix).rand_bytes(8).tempdir_in("/tmp")?;
    let base = path(folder.path().to_str().ok_or("the temporary folder has a strange name")?)?;
    Ok((folder, base))
}

/// Runs one command of a fixture, the environment being `env` and what git needs.
pub(crate) fn run<'a>(
    program: &str,
    args: &[&str],
    cwd: &Path,
    env: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> Result<()> {
    let mut command = Command::new(program);
    command.args(args).current_dir(cwd).env_clear();
    command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
    command.envs([
        ("GIT_CONFIG_GLOBAL", "/dev/null"),
        ("GIT_CONFIG_NOSYSTEM", "1"),
        ("GIT_CONFIG_COUNT", "1"),
        ("GIT_CONFIG_KEY_0", "protocol.file.allow"),
        ("GIT_CONFIG_VALUE_0", "always"),
        ("GIT_AUTHOR_NAME", "a"),
        ("GIT_AUTHOR_EMAIL", "a@b"),
        ("GIT_COMMITTER_NAME", "a"),
        ("GIT_COMMITTER_EMAIL", "a@b"),
    ]);
    command.envs(env);
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("`{program}` cannot be started: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(format!("`{program} {}` failed: {}", args.join(" "), said.trim()).into())
}
