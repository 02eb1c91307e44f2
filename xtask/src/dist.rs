//! The release artifacts: the command for each system, alone and in packages, their checksums, and the bill of materials.

mod build;
mod npm;
mod size;
mod targets;
mod wheel;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::packages::{crates, run, stage};
use crate::{Error, Result, guests, sbom};

pub use targets::{CHECKED, TARGETS, Target};

/// The output of `cargo xtask dist --help`.
pub const HELP: &str = "\
Build the command for every system, or the named ones, and pack the release artifacts into target/dist.

Usage: cargo xtask dist [TARGET]...
       cargo xtask dist --check

Options:
  --check    Only check that the command compiles for Windows on x86_64 and macOS on ARM, for which it is not built

Targets:
  x86_64-unknown-linux-musl    static programs for any Linux on x86_64
  aarch64-unknown-linux-musl   static programs for any Linux on aarch64

It needs:
  rustup                       to install the targets
  python3 with venv            for cargo-zigbuild and ziglang, which it installs from PyPI into target/toolchains/dist,
                               and for build and wheel, which pack for PyPI
  node with npm                to pack for npm
  tar (GNU), gzip, sha256sum   for the archives and their checksums
  crates.io and PyPI           for what is not there yet; nothing is published

Each target is an optimized build of everything: ten to twenty minutes on two cores, and 3 GB of disk.

Examples:
  cargo xtask dist                              Build for every system
  cargo xtask dist x86_64-unknown-linux-musl    Build for one
  cargo xtask dist --check                      See whether it compiles elsewhere
";

/// The programs of the command.
const PROGRAMS: [&str; 2] = ["portcullis", "portcullis-client"];

/// The command, built for a system.
#[derive(Debug, Clone)]
pub struct Built {
    /// The system.
    pub target: Target,
    /// The directory with its programs.
    pub dir: PathBuf,
}

/// Checks that the command compiles for the systems of [`CHECKED`].
///
/// # Errors
///
/// The command does not compile, or a tool is missing.
pub fn check(root: &Path) -> Result<()> {
    CHECKED
        .iter()
        .try_for_each(|target| build::check(root, target))
}

/// Builds the command for these systems, and packs the release artifacts into `target/dist`.
/// Returns that directory.
///
/// # Errors
///
/// A tool is missing or fails.
pub fn dist(root: &Path, targets: &[Target]) -> Result<PathBuf> {
    let built = targets.iter().map(|target| build::build(root, *target));
    let built = built.collect::<Result<Vec<_>>>()?;
    guests::guards(root)?;
    let to = root.join("target/dist");
    pack(root, &built, &to)?;
    let materials = sbom::write(root)?;
    stage::copy(&materials, &to.join("portcullis.cdx.json"))?;
    checksums(&to)?;
    Ok(to)
}

/// Packs the built command, the guards in `target/guards` and the SDKs into a directory.
///
/// # Errors
///
/// A tool is missing or fails.
pub fn pack(root: &Path, built: &[Built], to: &Path) -> Result<()> {
    stage::empty(to)?;
    let version = env!("CARGO_PKG_VERSION");
    for built in built {
        let name = format!("portcullis-{version}-{}", built.target.name);
        let programs = PROGRAMS.map(|program| built.dir.join(program));
        archive(root, &name, &programs, to)?;
    }
    let name = format!("portcullis-guards-{version}");
    archive(root, &name, &guests::built_guards(root)?, to)?;
    crates(root, to)?;
    npm::pack(root, built, to)?;
    wheel::pack(root, built, to)?;
    checksums(to)
}

/// Writes an archive of these files and the files of every release. The same files give the same
/// archive.
fn archive(root: &Path, name: &str, files: &[PathBuf], to: &Path) -> Result<()> {
    let parent = root.join("target/packing/archive");
    stage::empty(&parent)?;
    let of_release = ["LICENSE", "README.md", "SECURITY.md"].map(|file| root.join(file));
    for file in files.iter().chain(&of_release) {
        if let Some(base) = file.file_name() {
            stage::copy(file, &parent.join(name).join(base))?;
        }
    }
    let mut tar = Command::new("tar");
    tar.args(["--sort=name", "--owner=0", "--group=0", "--numeric-owner"])
        // The files would otherwise have the modes of the owner's checkout.
        .args(["--mode=u=rwX,go=rX", "--mtime=@0"])
        .args(["--use-compress-program=gzip -n", "-cf"])
        .arg(to.join(format!("{name}.tar.gz")))
        .arg("-C")
        .arg(&parent)
        .arg(name);
    run(&mut tar)
}

/// Writes `SHA256SUMS`, which `sha256sum --check` reads.
fn checksums(dir: &Path) -> Result<()> {
    let sums = dir.join("SHA256SUMS");
    let entries = fs::read_dir(dir).map_err(|e| Error::file("read", dir, &e))?;
    let names = entries.filter_map(|entry| Some(entry.ok()?.file_name()));
    let mut names: Vec<_> = names.filter(|name| name != "SHA256SUMS").collect();
    names.sort();
    let mut sum = Command::new("sha256sum");
    let said = sum.args(&names).current_dir(dir).output();
    let said = said.map_err(|cause| Error::start("sha256sum", &cause))?;
    if !said.status.success() {
        let why = String::from_utf8_lossy(&said.stderr).into_owned();
        return Err(Error::new(format!("the checksums are not written: {why}")));
    }
    fs::write(&sums, said.stdout).map_err(|e| Error::file("write", &sums, &e))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_help_names_every_target() {
        for target in TARGETS {
            assert!(HELP.contains(target.name), "{}", target.name);
        }
    }
}
