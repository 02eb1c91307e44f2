//! Packages from npm, installed once.

use std::fs::{self, File};
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, bail, ensure};

/// The file that marks an installation as complete.
const WHOLE: &str = ".installed";

/// Returns the `node_modules` that has this package, written like `@scope/name@1.2.3`. Of two
/// processes, one waits.
pub fn installed(package: &str, name: &str) -> anyhow::Result<PathBuf> {
    let dir = xtask::root().join("target/toolchains/clients").join(name);
    let modules = dir.join("node_modules");
    if dir.join(WHOLE).is_file() {
        return Ok(modules);
    }
    let found = Command::new("npm").arg("--version").output();
    ensure!(
        found.is_ok_and(|output| output.status.success()),
        "npm is missing; on Debian: sudo apt-get install nodejs npm"
    );
    fs::create_dir_all(&dir)?;
    let lock = File::create(dir.with_extension("lock"))?;
    lock.lock()?;
    if dir.join(WHOLE).is_file() {
        return Ok(modules);
    }
    let install = Command::new("npm")
        .args([
            "install",
            "--no-audit",
            "--no-fund",
            "--loglevel=error",
            "--ignore-scripts",
        ])
        .arg("--prefix")
        .arg(&dir)
        .arg(package)
        .current_dir(&dir)
        .output()
        .context("npm does not start")?;
    let said = String::from_utf8_lossy(&install.stderr);
    if !install.status.success() {
        let answers = xtask_projects::packages::npm_answers();
        assert!(!answers, "{package} cannot be installed:\n{said}");
        bail!("the registry cannot be reached:\n{said}");
    }
    File::create(dir.join(WHOLE))?;
    Ok(modules)
}
