//! From a core module to a component.

mod debug_info;
mod lines;

use std::path::Path;

use wasi_preview1_component_adapter_provider::{
    WASI_SNAPSHOT_PREVIEW1_ADAPTER_NAME, WASI_SNAPSHOT_PREVIEW1_REACTOR_ADAPTER,
};
use wit_component::{ComponentEncoder, StringEncoding, embed_component_metadata};
use wit_parser::Resolve;

/// Makes a component of a core module that carries the type of its world. What it imports of WASI's first
/// preview is adapted to the second.
pub(crate) fn of_module(module: &[u8]) -> anyhow::Result<Vec<u8>> {
    with_adapter(module, WASI_SNAPSHOT_PREVIEW1_REACTOR_ADAPTER)
}

/// The same, of whose debugging information the lines of the project's sources are kept.
pub(crate) fn with_lines(module: &[u8], project: &Path) -> anyhow::Result<Vec<u8>> {
    let mut component = of_module(module)?;
    component.extend(lines::section(module, project)?);
    Ok(component)
}

/// The same with an adapter of its own.
pub(crate) fn with_adapter(module: &[u8], adapter: &[u8]) -> anyhow::Result<Vec<u8>> {
    // The adapter is omitted if nothing is imported from it.
    ComponentEncoder::default()
        .module(&debug_info::without(module)?)?
        .adapter(WASI_SNAPSHOT_PREVIEW1_ADAPTER_NAME, adapter)?
        .validate(true)
        .encode()
}

/// Puts the type of its world into a module. `text` is the WIT of the world, which needs the contract's packages.
pub(crate) fn say_world(
    module: &mut Vec<u8>,
    contract: &Resolve,
    text: &str,
    world: &str,
) -> anyhow::Result<()> {
    let mut resolve = contract.clone();
    let package = resolve.push_source("world.wit", text)?;
    let world = resolve.select_world(&[package], Some(world))?;
    embed_component_metadata(module, &resolve, world, StringEncoding::UTF8, false)
}
