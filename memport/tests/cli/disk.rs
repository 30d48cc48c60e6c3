//! A home and a project on a real disk.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

/// A home and a project in a folder of their own.
pub(crate) struct Disk {
    pub(crate) dir: TempDir,
}

impl Disk {
    pub(crate) fn with(files: &[(&str, &str)]) -> Self {
        let disk = Self { dir: tempfile::tempdir().unwrap() };
        fs::create_dir_all(disk.dir.path().join("home")).unwrap();
        fs::create_dir_all(disk.dir.path().join("project/.git")).unwrap();
        for (file, text) in files {
            disk.write(file, text);
        }
        disk
    }

    pub(crate) fn write(&self, file: &str, text: &str) {
        let path = self.dir.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// The command, started in the project, with its journal beside the home.
    pub(crate) fn output(&self, args: &[&str]) -> Output {
        self.output_in(args, &[])
    }

    /// The same with more variables.
    pub(crate) fn output_in(&self, args: &[&str], vars: &[(&str, &str)]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_memport"))
            .args(args)
            .current_dir(self.dir.path().join("project"))
            .env_clear()
            .env("HOME", self.dir.path().join("home"))
            .env("XDG_STATE_HOME", self.dir.path().join("state"))
            .envs(vars.iter().copied())
            .output()
            .unwrap()
    }

    /// What the command prints when it has nothing to complain of.
    pub(crate) fn run(&self, args: &[&str]) -> String {
        let output = self.output(args);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), error.as_str()), (Some(0), ""));
        String::from_utf8(output.stdout).unwrap()
    }

    pub(crate) fn json(&self, args: &[&str]) -> Value {
        serde_json::from_str(&self.run(args)).unwrap()
    }

    /// Exit code and standard error of a command that fails.
    pub(crate) fn failure(&self, args: &[&str]) -> (i32, String) {
        let output = self.output(args);
        assert!(output.stdout.is_empty());
        let error = String::from_utf8(output.stderr).unwrap();
        (output.status.code().unwrap(), error.replace(self.dir.path().to_str().unwrap(), ""))
    }

    /// Everything in home and project: folders, bytes, times of the files.
    pub(crate) fn tree(&self) -> BTreeMap<String, String> {
        let mut found = BTreeMap::new();
        for part in ["home", "project"] {
            collect(self.dir.path(), &self.dir.path().join(part), &mut found);
        }
        found
    }
}

fn collect(top: &Path, path: &Path, found: &mut BTreeMap<String, String>) {
    let name = path.strip_prefix(top).unwrap().to_string_lossy().into_owned();
    if path.is_dir() {
        found.insert(name, "folder".to_owned());
        for entry in fs::read_dir(path).unwrap() {
            collect(top, &entry.unwrap().path(), found);
        }
    } else {
        found.insert(name, String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned());
    }
}
