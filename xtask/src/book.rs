//! Building the book.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::cargo::isolated;
use crate::{Error, Result};

/// The version of mdBook that the book is built with.
const MDBOOK: &str = "0.5.4";

/// Builds the book's HTML into `target/book`. If mdBook is not installed yet, it is built into
/// `target/tools` first, which takes some minutes.
///
/// # Errors
///
/// mdBook cannot be installed, or finds something wrong with the book.
pub fn build(root: &Path) -> Result<()> {
    let mut mdbook = Command::new(installed(root)?);
    mdbook.args(["build", "docs"]).current_dir(root);
    run("mdbook", &mut mdbook)?;
    eprintln!("book: target/book/index.html");
    Ok(())
}

/// mdBook of the required version.
fn installed(root: &Path) -> Result<PathBuf> {
    let tools = root.join("target/tools");
    let program = tools.join("bin").join("mdbook");
    let version = Command::new(&program).arg("--version").output();
    let is_wanted =
        version.is_ok_and(|said| String::from_utf8_lossy(&said.stdout).contains(MDBOOK));
    if !is_wanted {
        eprintln!("book: installing mdBook {MDBOOK} into target/tools; this takes some minutes");
        let mut install = isolated(root);
        install
            .args(["install", "mdbook", "--version", MDBOOK, "--locked"])
            .args(["--no-default-features", "--root"])
            .arg(&tools);
        run("cargo", &mut install)?;
    }
    Ok(program)
}

fn run(name: &str, command: &mut Command) -> Result<()> {
    let status = command
        .status()
        .map_err(|cause| Error::start(name, &cause))?;
    match status.success() {
        true => Ok(()),
        false => Err(Error::new(format!("{name} ended with {status}"))),
    }
}
