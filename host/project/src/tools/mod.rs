//! The programs that builds run: found on the machine, installed for the user only, or reported as missing
//! with the command that installs them.
//!
//! What is installed goes into a directory of Portcullis's own, is shared by all projects, and comes
//! from the package registries by their own clients, `pip` and `npm`. One installation is one set of
//! packages at fixed versions; another set is another directory.

pub mod cargo;
mod node;
mod place;
mod python;

use std::env;
use std::path::PathBuf;

/// The path of a program in `PATH`.
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
