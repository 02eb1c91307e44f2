//! Packs the SDKs and the library for the registries of their languages.

pub(crate) mod stage;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Error, Result, cargo};

/// The crates of the Rust SDK, and the library with its dependencies, each after its dependencies.
const CRATES: [&str; 5] = [
    "portcullis-sdk-macros",
    "portcullis-sdk",
    "portcullis-schema",
    "portcullis-source-lines",
    "portcullis",
];

/// Packs the SDKs and the library into `target/packages`, as files ready for the registries.
/// Returns that directory.
///
/// # Errors
///
/// A tool is missing or fails.
pub fn pack(root: &Path) -> Result<PathBuf> {
    let to = root.join("target/packages");
    stage::empty(&to)?;
    crates(root, &to)?;
    npm(&stage::javascript(root)?, &to)?;
    python(root, &stage::python(root)?, &to, &[])?;
    Ok(to)
}

/// Packs the crates.
pub(crate) fn crates(root: &Path, to: &Path) -> Result<()> {
    let target = root.join("target/packing");
    let mut package = cargo(root);
    package.args(["package", "--quiet", "--no-verify", "--allow-dirty"]);
    for name in CRATES {
        package.args(["--package", name]);
    }
    run(package.arg("--target-dir").arg(&target))?;
    for name in CRATES {
        let file = format!("{name}-{}.crate", env!("CARGO_PKG_VERSION"));
        stage::copy(&target.join("package").join(&file), &to.join(&file))?;
    }
    Ok(())
}

/// Packs a directory for npm.
pub(crate) fn npm(staged: &Path, to: &Path) -> Result<()> {
    let mut pack = Command::new("npm");
    pack.args(["pack", "--silent", "--pack-destination"])
        .arg(to)
        .current_dir(staged);
    run(&mut pack)
}

/// Packs a directory for PyPI: as sources and a wheel, unless the options say otherwise.
pub(crate) fn python(root: &Path, staged: &Path, to: &Path, options: &[&str]) -> Result<()> {
    let mut build = tools(root)?;
    build.args(["-m", "build"]).args(options);
    run(build.arg("--outdir").arg(to).arg(staged))
}

/// Returns a Python with the packing tools.
pub(crate) fn tools(root: &Path) -> Result<Command> {
    let tools = environment(root, "packing", &["build==1.6.1", "wheel==0.48.0"])?;
    Ok(Command::new(tools.join("bin/python")))
}

/// Returns a virtual environment with these packages. It is kept.
pub(crate) fn environment(root: &Path, name: &str, packages: &[&str]) -> Result<PathBuf> {
    let dir = root.join("target/toolchains").join(name);
    let done = dir.join("installed");
    let wanted = packages.join(" ");
    if fs::read_to_string(&done).is_ok_and(|there| there == wanted) {
        return Ok(dir);
    }
    run(Command::new("python3").args(["-m", "venv"]).arg(&dir))?;
    let mut pip = Command::new(dir.join("bin/python"));
    pip.args(["-m", "pip", "install", "--quiet"]).args(packages);
    run(&mut pip)?;
    fs::write(&done, wanted).map_err(|e| Error::file("write", &done, &e))?;
    Ok(dir)
}

/// Runs a program to its end. Its output is quoted if it fails.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let program = command.get_program().display().to_string();
    let done = command
        .output()
        .map_err(|cause| Error::start(&program, &cause))?;
    match done.status.success() {
        true => Ok(()),
        false => Err(Error::new(format!(
            "`{program}` ended with {}:\n{}{}",
            done.status,
            String::from_utf8_lossy(&done.stdout),
            String::from_utf8_lossy(&done.stderr)
        ))),
    }
}
