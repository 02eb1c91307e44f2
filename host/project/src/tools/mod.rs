//! The programs that builds run: found on the machine, installed for the user only, or reported as missing
//! with the command that installs them.
//!
//! Installed packages go into a directory of Portcullis's own, which all projects share. They come
//! from the package registries by their own clients, `pip` and `npm`. One installation is one set
//! of packages at fixed versions; another set is another directory.

pub mod cargo;
mod node;
mod place;
mod python;

pub(crate) use python::python_in;

use std::env;
use std::path::{Path, PathBuf};

use crate::build::{BuildContext, BuildError, Options};

/// Returns a Python that has these packages, each written like `ziglang==0.15.1`. They are
/// installed below `tools` if they are not there.
///
/// # Errors
///
/// Python is missing, or a package cannot be installed.
pub fn python(tools: &Path, packages: &[&str]) -> Result<PathBuf, BuildError> {
    BuildContext::new(&options(tools), &mut |_| {}).python(packages)
}

/// Returns a `node_modules` that has these packages, each written like `@scope/name@1.2.3`. They
/// are installed below `tools` if they are not there.
///
/// # Errors
///
/// `npm` is missing, or a package cannot be installed.
pub fn node(tools: &Path, packages: &[&str]) -> Result<PathBuf, BuildError> {
    BuildContext::new(&options(tools), &mut |_| {}).node(packages)
}

fn options(tools: &Path) -> Options {
    Options {
        tools: tools.to_owned(),
        ..Options::default()
    }
}

/// Returns the path of a program in `PATH`.
pub fn find(program: &str) -> Option<PathBuf> {
    let paths = env::var_os("PATH")?;
    let names = [
        program.to_owned(),
        format!("{program}{}", env::consts::EXE_SUFFIX),
    ];
    env::split_paths(&paths)
        .flat_map(|dir| names.clone().map(|name| dir.join(name)))
        .find(|path| path.is_file())
}
