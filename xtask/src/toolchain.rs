//! The required tools, and how to install missing ones.

use std::env;
use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::{Error, Result};

/// The target that hooks are built for.
pub const TARGET: &str = "wasm32-wasip2";

/// Ensures that Rust can build for [`TARGET`]: rustup installs what is missing.
///
/// # Errors
///
/// The target is missing. The error states how to install it.
pub fn ensure_target(root: &Path) -> Result<()> {
    ensure(root, TARGET)
}

/// Ensures that Rust can build for a target: rustup installs what is missing.
///
/// # Errors
///
/// The target is missing. The error states how to install it.
pub fn ensure(root: &Path, target: &str) -> Result<()> {
    if has_target(root, target)? {
        return Ok(());
    }
    let missing_target = |why: &str| missing_target(target, why);
    eprintln!("installing the Rust target {target}");
    let added = Command::new("rustup")
        .args(["target", "add", target])
        .current_dir(root)
        .output()
        .map_err(|cause| missing_target(&format!("rustup could not be started ({cause})")))?;
    if !added.status.success() {
        let said = String::from_utf8_lossy(&added.stderr);
        return Err(missing_target(&format!("rustup said:\n{}", said.trim())));
    }
    match has_target(root, target)? {
        true => Ok(()),
        false => Err(missing_target(
            "rustup installed it for another toolchain than the `rustc` in use",
        )),
    }
}

fn has_target(root: &Path, target: &str) -> Result<bool> {
    let rustc = program("RUSTC", "rustc");
    let asked = Command::new(rustc)
        .args(["--print", "target-libdir", "--target", target])
        .current_dir(root)
        .stderr(Stdio::inherit())
        .output()
        .map_err(|cause| Error::start("rustc", &cause))?;
    let libraries = String::from_utf8_lossy(&asked.stdout);
    Ok(asked.status.success() && Path::new(libraries.trim()).is_dir())
}

fn missing_target(target: &str, cause: &str) -> Error {
    Error::new(format!(
        "the Rust target {target} is not installed, and {cause}\n\
         With rustup, run: rustup target add {target}\n\
         Without rustup, install the target with the package manager that installed Rust."
    ))
}

/// Checks that there is a C compiler: Rust links with it, and it builds SQLite.
///
/// # Errors
///
/// There is none. The error states how to install one.
pub fn check_c_compiler() -> Result<()> {
    let compiler = program("CC", "cc");
    let found = Command::new(&compiler)
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    match found {
        Ok(status) if status.success() => Ok(()),
        _ => Err(Error::new(format!(
            "there is no C compiler `{}`: Rust links with it, and SQLite is built by it\n\
             On Debian or Ubuntu, run: sudo apt-get install build-essential",
            compiler.display()
        ))),
    }
}

fn program(variable: &str, name: &str) -> OsString {
    env::var_os(variable).unwrap_or_else(|| name.into())
}
