//! Runs cargo from within cargo.

use std::env;
use std::path::Path;
use std::process::Command;

pub(crate) use crate::isolated_cargo::isolated;

/// Returns a command that runs cargo in the workspace.
pub fn cargo(root: &Path) -> Command {
    let program = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut cargo = Command::new(program);
    cargo.current_dir(root);
    cargo
}
