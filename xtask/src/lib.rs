//! The project's commands, for `cargo xtask` and for tests that need built hooks.

mod cargo;
// This crate is built before any output is shown, so it has few dependencies.
pub mod dist;
mod error;
pub mod guards;
pub mod guests;
#[path = "../../host/project/src/tools/cargo.rs"]
mod isolated_cargo;
pub mod mutate;
pub mod packages;
pub mod promises;
pub mod sbom;
pub mod test;
pub mod toolchain;

pub use cargo::cargo;
pub use error::{Error, Result};

use std::env;
use std::path::{Path, PathBuf};

/// Returns the directory of cargo's programs for a workspace: `CARGO_TARGET_DIR`, or else `target`.
/// This crate's commands write their own output to `target` in any case.
pub fn target_dir(root: &Path) -> PathBuf {
    let set = env::var_os("CARGO_TARGET_DIR").filter(|dir| !dir.is_empty());
    root.join(set.unwrap_or_else(|| "target".into()))
}

/// Returns the workspace that this crate was built in.
pub fn root() -> PathBuf {
    let xtask = Path::new(env!("CARGO_MANIFEST_DIR"));
    xtask.parent().unwrap_or(xtask).to_owned()
}
