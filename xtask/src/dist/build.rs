//! Building the command for a target: cargo-zigbuild and ziglang, from PyPI, are linker and C compiler.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Built, PROGRAMS, Target};
use crate::packages::{environment, run};
use crate::{Error, Result, cargo, target_dir, toolchain};

/// What links, and compiles C.
const TOOLS: &[&str] = &["cargo-zigbuild==0.24.0", "ziglang==0.15.2"];

/// Builds the command with the profile `dist`. It takes ten to twenty minutes.
pub(super) fn build(root: &Path, target: Target) -> Result<Built> {
    toolchain::ensure(root, target.name)?;
    let tools = environment(root, "dist", TOOLS)?.join("bin");
    eprintln!("dist: building the command for {}", target.name);
    let mut build = cargo(root);
    build
        .args(["zigbuild", "--locked", "--profile", "dist"])
        .args(["--package", "portcullis-cli", "--target", target.name])
        .env("PATH", path_with(&tools)?);
    let status = build
        .status()
        .map_err(|cause| Error::start("cargo zigbuild", &cause))?;
    if !status.success() {
        return Err(Error::new(format!(
            "the command does not build for {}: cargo ended with {status}",
            target.name
        )));
    }
    let dir = target_dir(root).join(target.name).join("dist");
    if Target::of_this_machine() == Some(target) {
        // A static program needs nothing of its environment.
        run(Command::new(dir.join(PROGRAMS[0]))
            .arg("--version")
            .env_clear())?;
    }
    Ok(Built { target, dir })
}

fn path_with(tools: &Path) -> Result<std::ffi::OsString> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let all = std::iter::once(PathBuf::from(tools)).chain(std::env::split_paths(&path));
    std::env::join_paths(all).map_err(|e| Error::new(format!("PATH cannot be set: {e}")))
}
