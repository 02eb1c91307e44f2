//! Compiles the tests' Rust projects.

use std::fs;
use std::path::Path;

use xtask::test::rust_projects;
use xtask::{Error, Result, root};

/// Configures cargo to compile the projects in or below `dir` into the directory that tests share.
/// Two packages of the same name are built into the same file.
///
/// # Errors
///
/// The configuration of cargo cannot be written.
pub fn share_target_dir(dir: &Path) -> Result<()> {
    let place = dir.join(".cargo");
    fs::create_dir_all(&place).map_err(|cause| Error::file("make", &place, &cause))?;
    let file = place.join("config.toml");
    let text = format!("[build]\ntarget-dir = {:?}\n", rust_projects(&root()));
    fs::write(&file, text).map_err(|cause| Error::file("write", &file, &cause))
}
