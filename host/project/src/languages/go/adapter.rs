//! The adapter of hooks that open no files.

use anyhow::Context as _;
use wit_parser::Resolve;

use crate::component;

/// The module, as text, without the part that waits.
const COMMON: &str = include_str!("adapter/common.wat");

/// The part that waits.
const WAITS: &str = include_str!("adapter/waits.wat");

/// The replacement for that part in hooks that never wait.
const PASSES: &str = include_str!("adapter/passes.wat");

/// The imports that the module may have.
const WORLD: &str = include_str!("adapter/world.wit");

/// Returns the module, with the list of its imports.
pub(super) fn module(contract: &Resolve, waits: bool) -> anyhow::Result<Vec<u8>> {
    let poll = if waits { WAITS } else { PASSES };
    let mut module = wat::parse_str(format!("(module\n{COMMON}\n{poll})"))
        .context("the adapter of Go hooks is no module")?;
    component::say_world(&mut module, contract, WORLD, "adapter")?;
    Ok(module)
}
