//! The tests that failed in the last run, with their output. They are shown at its end.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;

/// The number of output lines that are shown.
const SHOWN: usize = 200;

fn file(root: &Path, name: &str) -> PathBuf {
    root.join("target").join(name)
}

const TESTS: &str = "tests-failed";
const OUTPUT: &str = "tests-failed-output";

/// Removes the failures of the last run.
pub fn forget(root: &Path) {
    for name in [TESTS, OUTPUT] {
        // The file may not exist.
        let _ = fs::remove_file(file(root, name));
    }
}

/// Records that a test failed, and whether it passes by itself.
pub(super) fn keep(root: &Path, binary: &str, test: &str, passes: bool) {
    let line = match passes {
        true => format!(
            "FLAKY: {binary}: {test} failed, and passed when it was run once more by itself\n"
        ),
        false => format!("FAILED: {binary}: {test}\n"),
    };
    append(&file(root, TESTS), &line);
}

/// Records that a program failed without saying which of its tests did.
pub(super) fn keep_program(root: &Path, binary: &str, status: ExitStatus) {
    append(
        &file(root, TESTS),
        &format!("FAILED: {binary}, which ended with {status}\n"),
    );
}

/// Records the output of failed tests.
pub(super) fn keep_output(root: &Path, output: &str) {
    append(&file(root, OUTPUT), output);
}

fn append(file: &Path, text: &str) {
    let opened = OpenOptions::new().create(true).append(true).open(file);
    if let Err(cause) = opened.and_then(|mut opened| opened.write_all(text.as_bytes())) {
        eprintln!("test: {} is not written: {cause}", file.display());
    }
}

/// Returns the last lines of the failed tests' output and a line for each of them, or an empty text
/// if none failed.
pub fn report(root: &Path) -> String {
    let tests = fs::read_to_string(file(root, TESTS)).unwrap_or_default();
    if tests.is_empty() {
        return tests;
    }
    let output = fs::read_to_string(file(root, OUTPUT)).unwrap_or_default();
    let lines: Vec<&str> = output.lines().collect();
    let shown = lines.split_at(lines.len().saturating_sub(SHOWN)).1;
    format!("\n{}\n\n{tests}", shown.join("\n"))
}
