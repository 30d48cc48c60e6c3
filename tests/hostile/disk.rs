//! Things on a real disk that must not be opened, or not be read whole.

use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::Command;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use memory_core::fs::OsFs;
use memory_core::{AbsPath, Outcome};

use super::{claude, codex, path};

/// A repository in a temporary folder.
fn repository() -> (tempfile::TempDir, AbsPath) {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join(".git")).unwrap();
    let root = path(folder.path().canonicalize().unwrap().to_str().unwrap());
    (folder, root)
}

/// Fails instead of waiting for ever when an answer does not come.
fn in_time(answer: impl FnOnce() + Send + 'static) {
    let (done, finished) = mpsc::channel();
    let worker = thread::spawn(move || {
        answer();
        done.send(()).unwrap();
    });
    match finished.recv_timeout(Duration::from_secs(30)) {
        Ok(()) | Err(mpsc::RecvTimeoutError::Disconnected) => worker.join().unwrap(),
        Err(mpsc::RecvTimeoutError::Timeout) => panic!("no answer after 30 seconds"),
    }
}

fn both(root: &AbsPath) {
    let answer = codex(&OsFs, root);
    assert!(answer.instructions.is_none(), "{:?}", answer.chain);
    let answer = claude(&OsFs, root, &[root.join("src/main.rs")]);
    assert_eq!(answer.chain.loaded().count(), 0, "{:?}", answer.chain);
}

#[test]
fn a_pipe_a_socket_and_a_device_in_place_of_a_file_are_never_opened() {
    in_time(|| {
        let (folder, root) = repository();
        let at = |name: &str| folder.path().join(name);
        for name in ["AGENTS.md", "CLAUDE.md"] {
            assert!(Command::new("mkfifo").arg(at(name)).status().unwrap().success());
        }
        both(&root);
        for name in ["AGENTS.md", "CLAUDE.md"] {
            fs::remove_file(at(name)).unwrap();
            let _socket = UnixListener::bind(at(name)).unwrap();
        }
        both(&root);
        for name in ["AGENTS.md", "CLAUDE.md"] {
            fs::remove_file(at(name)).unwrap();
            symlink("/dev/zero", at(name)).unwrap();
        }
        both(&root);
    });
}

/// The most memory this process ever used, in bytes.
fn peak() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    let kilobytes = line.split_whitespace().nth(1).unwrap();
    kilobytes.parse::<u64>().unwrap() * 1024
}

fn sparse(at: &Path, bytes: u64) {
    File::create(at).unwrap().set_len(bytes).unwrap();
}

#[test]
fn four_gigabytes_cost_no_more_memory_than_their_budget() {
    const MEGABYTE: u64 = 1024 * 1024;
    in_time(|| {
        let (folder, root) = repository();
        let skill = folder.path().join(".agents/skills/s");
        fs::create_dir_all(&skill).unwrap();
        for file in ["AGENTS.md", "CLAUDE.md", ".agents/skills/s/SKILL.md"] {
            sparse(&folder.path().join(file), 4096 * MEGABYTE);
        }
        let before = peak();
        let answer = codex(&OsFs, &root);
        assert_eq!(answer.chain.loaded().count(), 1);
        let answer = claude(&OsFs, &root, &[]);
        let omitted = |layer: &memory_core::Layer| matches!(layer.outcome, Outcome::Omitted { .. });
        assert!(answer.chain.layers.iter().any(omitted), "{:?}", answer.chain.layers.len());
        // Other tests of this program run meanwhile: the bound is loose, and far from the size.
        assert!(peak() - before < 1024 * MEGABYTE, "{} bytes more", peak() - before);
    });
}

#[test]
fn links_in_circles_end() {
    in_time(|| {
        let (folder, root) = repository();
        let at = |name: &str| folder.path().join(name);
        for name in [".agents", ".claude"] {
            for kind in ["skills", "rules"] {
                let folder = at(name).join(kind);
                fs::create_dir_all(&folder).unwrap();
                symlink("..", folder.join("up")).unwrap();
                symlink(".", folder.join("here")).unwrap();
                symlink("two", folder.join("one")).unwrap();
                symlink("one", folder.join("two")).unwrap();
            }
        }
        symlink("AGENTS.md", at("AGENTS.md")).unwrap();
        symlink("CLAUDE.local.md", at("CLAUDE.md")).unwrap();
        symlink("CLAUDE.md", at("CLAUDE.local.md")).unwrap();
        both(&root);
    });
}
