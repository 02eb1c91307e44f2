//! The project's commands, for `cargo xtask` and for tests that need built hooks.

mod cargo;
// One of those that have no dependencies: this crate is built before anything else is shown.
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

use std::path::{Path, PathBuf};

/// The workspace this was built in.
pub fn root() -> PathBuf {
    let xtask = Path::new(env!("CARGO_MANIFEST_DIR"));
    xtask.parent().unwrap_or(xtask).to_owned()
}
