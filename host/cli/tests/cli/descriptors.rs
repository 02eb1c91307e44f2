//! The command under a low limit of file descriptors.

use std::process::Command;

use crate::support::{built, run, text};

#[test]
fn without_descriptors_a_command_says_so_and_does_not_panic() {
    let dir = tempfile::tempdir().expect("a directory");
    // The directory does not exist, so the command creates it with the right permissions.
    let cache = dir.path().join("compiled");
    for most in [8, 10, 12, 14, 16, 20] {
        let mut limited = Command::new("sh");
        // The limit applies to the shell and to the command that replaces it.
        limited.args(["-c", &format!("ulimit -n {most}; exec \"$@\""), "sh"]);
        limited.args([env!("CARGO_BIN_EXE_portcullis"), "hooks", "list", "--hooks"]);
        limited.args([text(built()), "--cache-dir", text(&cache)]);
        let ran = run(&mut limited);
        assert!(matches!(ran.code, Some(0 | 1)), "{most}: {ran:?}");
        assert!(!ran.err.contains("panicked"), "{most}: {}", ran.err);
        let said = ran.err.contains("Too many open files") || ran.err.contains("os error 24");
        assert!(ran.code == Some(0) || said, "{most}: {}", ran.err);
    }
}
