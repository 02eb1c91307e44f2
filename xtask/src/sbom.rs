//! Writes the bill of materials.

use std::path::{Path, PathBuf};

use crate::{Error, Result, cargo};

/// Writes the workspace's bill of materials, and returns its path. The program that writes it is
/// built first, which takes a minute.
///
/// # Errors
///
/// The program does not build, or a package has no valid licence.
pub fn write(root: &Path) -> Result<PathBuf> {
    let target = root.join("target/sbom");
    std::fs::create_dir_all(&target).map_err(|e| Error::file("create", &target, &e))?;
    let file = target.join("portcullis.cdx.json");
    let status = cargo(root)
        .args([
            "run",
            "--quiet",
            "--locked",
            "--manifest-path",
            "xtask/sbom/Cargo.toml",
        ])
        .arg("--target-dir")
        .arg(&target)
        .arg("--")
        .arg(root)
        .arg(&file)
        .status()
        .map_err(|e| Error::start("cargo", &e))?;
    match status.success() {
        true => Ok(file),
        false => Err(Error::new(format!(
            "the bill of materials is not written: cargo ended with {status}"
        ))),
    }
}
