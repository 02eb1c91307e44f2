//! Directories under `target/bindings`, and running programs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, ensure};
use portcullis_tests::root;

/// Returns the directory of a language. It is created anew when `key` differs from the key that it
/// was created with.
pub fn directory(language: &str, key: &str) -> anyhow::Result<(PathBuf, bool)> {
    let root = fs::canonicalize(root())?;
    let dir = root.join("target").join("bindings").join(language);
    let made = dir.join(".made-with");
    if fs::read_to_string(&made).is_ok_and(|there| there == key) {
        return Ok((dir, false));
    }
    if dir.exists() {
        fs::remove_dir_all(&dir)?;
    }
    fs::create_dir_all(&dir)?;
    Ok((dir, true))
}

/// Records that the directory is complete.
pub fn complete(dir: &Path, key: &str) -> anyhow::Result<()> {
    fs::write(dir.join(".made-with"), key).context("the environment cannot be marked")
}

/// Runs a command, and shows its output if it fails.
pub fn run(command: &mut Command) -> anyhow::Result<()> {
    let output = command.stdin(Stdio::null()).output();
    let output = output.with_context(|| format!("{command:?} does not start"))?;
    ensure!(
        output.status.success(),
        "{command:?} failed\n{}\n{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(())
}

/// Returns whether a command runs and succeeds.
pub fn works(command: &mut Command) -> bool {
    let command = command.stdin(Stdio::null()).stdout(Stdio::null());
    let status = command.stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

/// Sets the variables by which a package's tests find the components and the cache.
pub fn tell(command: &mut Command) -> anyhow::Result<&mut Command> {
    let root = fs::canonicalize(root())?;
    xtask::guests::build(&root)?;
    let target = root.join("target");
    let cache = target.join("test-cache");
    fs::create_dir_all(&cache)?;
    command.env("PORTCULLIS_TEST_COMPONENTS", target.join("test-hooks"));
    command.env("PORTCULLIS_TEST_EXAMPLES", target.join("hooks"));
    Ok(command.env("PORTCULLIS_TEST_CACHE", cache))
}
