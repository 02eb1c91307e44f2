//! Builds the command for a target, or checks that it compiles there. The linker and C compiler are
//! cargo-zigbuild and ziglang, from PyPI.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Built, PROGRAMS, Target, size};
use crate::packages::{environment, run};
use crate::{Error, Result, target_dir, toolchain};

/// The linker and C compiler.
const TOOLS: &[&str] = &["cargo-zigbuild==0.24.0", "ziglang==0.15.2"];

/// Builds the command with the profile `dist`, which takes twenty minutes or more.
pub(super) fn build(root: &Path, target: Target) -> Result<Built> {
    toolchain::ensure(root, target.name)?;
    eprintln!("dist: building the command for {}", target.name);
    zigbuild(root, &["zigbuild", "--profile", "dist"], target.name)?;
    let dir = target_dir(root).join(target.name).join("dist");
    if Target::of_this_machine() == Some(target) {
        // A static program needs nothing from its environment.
        run(Command::new(dir.join(PROGRAMS[0]))
            .arg("--version")
            .env_clear())?;
    }
    size::check(&dir.join(PROGRAMS[0]), target)?;
    Ok(Built { target, dir })
}

/// Checks that the command compiles for a system that it is not built for.
pub(super) fn check(root: &Path, target: &str) -> Result<()> {
    toolchain::ensure(root, target)?;
    eprintln!("dist: checking the command for {target}");
    zigbuild(root, &["check"], target)
}

fn zigbuild(root: &Path, what: &[&str], target: &str) -> Result<()> {
    let tools = environment(root, "dist", TOOLS)?.join("bin");
    let mut zigbuild = Command::new(tools.join("cargo-zigbuild"));
    zigbuild
        .current_dir(root)
        .args(what)
        .args(["--locked", "--package", "portcullis-cli"])
        .args(["--target", target])
        .env("PATH", path_with(&tools)?);
    let status = zigbuild
        .status()
        .map_err(|cause| Error::start("cargo-zigbuild", &cause))?;
    match status.success() {
        true => Ok(()),
        false => Err(Error::new(format!(
            "the command does not compile for {target}: cargo-zigbuild ended with {status}"
        ))),
    }
}

fn path_with(tools: &Path) -> Result<std::ffi::OsString> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let all = std::iter::once(PathBuf::from(tools)).chain(std::env::split_paths(&path));
    std::env::join_paths(all).map_err(|e| Error::new(format!("PATH cannot be set: {e}")))
}
