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

/// The same, of whose debugging information the lines of the project's sources are kept. If that cannot be, the component
/// is made without them, and this is what `warn` is called with.
pub(crate) fn with_lines(
    module: &[u8],
    project: &Path,
    warn: impl FnOnce(&str),
) -> anyhow::Result<Vec<u8>> {
    let mut component = of_module(module)?;
    match lines::section(module, project) {
        Ok(section) => component.extend(section),
        Err(error) => warn(&format!("traps will be shown without lines: {error:#}")),
    }
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

#[cfg(test)]
mod tests {
    use wasm_encoder::{CustomSection, Section as _};

    use super::*;

    #[test]
    fn debugging_information_that_cannot_be_read_costs_only_the_lines() {
        let contract = Resolve::default();
        let mut module = wat::parse_str("(module (func (export \"run\")))").expect("a module");
        let world = "package a:b; world w { export run: func(); }";
        say_world(&mut module, &contract, world, "w").expect("its type");
        for name in [".debug_info", ".debug_abbrev"] {
            let data = b"\xff\xff\xff\xff".as_slice().into();
            let name = name.into();
            CustomSection { name, data }.append_to(&mut module);
        }
        let mut warned = String::new();
        let component = with_lines(&module, Path::new("."), |why| why.clone_into(&mut warned));
        let expected = of_module(&module).expect("a component");
        assert_eq!(component.expect("the same"), expected);
        assert!(
            warned.starts_with("traps will be shown without lines: "),
            "{warned}"
        );
    }
}
