//! Makes components of core modules.

mod debug_info;
mod error_places;
mod lines;

use std::path::Path;

use lines::Lines;
use wasi_preview1_component_adapter_provider::{
    WASI_SNAPSHOT_PREVIEW1_ADAPTER_NAME, WASI_SNAPSHOT_PREVIEW1_REACTOR_ADAPTER,
};
use wit_component::{ComponentEncoder, StringEncoding, embed_component_metadata};
use wit_parser::Resolve;

/// Makes a component of a core module that carries the type of its world. Imports of WASI's first
/// preview are adapted to the second.
pub(crate) fn of_module(module: &[u8]) -> anyhow::Result<Vec<u8>> {
    with_adapter(module, WASI_SNAPSHOT_PREVIEW1_REACTOR_ADAPTER)
}

/// Does the same, and keeps the source lines of the project's files from the debugging information.
/// For Zig sources, it also keeps the places where errors are returned. A part that cannot be kept
/// is left out of the component, and `warn` is called with the reason.
pub(crate) fn with_lines(
    module: &[u8],
    project: &Path,
    sources: &[String],
    mut warn: impl FnMut(&str),
) -> anyhow::Result<Vec<u8>> {
    let lines = Lines::of(module, project);
    // If there are no lines at all, the error of `section` below is reported instead.
    let noted = match &lines {
        Ok(lines) => error_places::noted(module, lines, sources).unwrap_or_else(|error| {
            warn(&format!("errors will be shown without lines: {error:#}"));
            None
        }),
        Err(_) => None,
    };
    let section = lines.and_then(|lines| lines.section());
    let section = section.unwrap_or_else(|error| {
        warn(&format!("failures will be shown without lines: {error:#}"));
        Vec::new()
    });
    let mut component = of_module(noted.as_deref().unwrap_or(module))?;
    component.extend(section);
    Ok(component)
}

/// Makes a component of a core module with this adapter.
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
        let component = with_lines(&module, Path::new("."), &[], |why| {
            why.clone_into(&mut warned)
        });
        let expected = of_module(&module).expect("a component");
        assert_eq!(component.expect("the same"), expected);
        assert!(
            warned.starts_with("failures will be shown without lines: "),
            "{warned}"
        );
    }
}
