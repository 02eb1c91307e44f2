//! Modules and components that are generated: right ones, of any shape.

use std::fmt::Write as _;

use arbitrary::{Result, Unstructured};
use wasm_smith::{Component, Config, Module};

use crate::contract::Contract;
use crate::guest;

/// Any module.
pub fn module(u: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    Ok(Module::new(config(), u)?.to_bytes())
}

/// Any component.
pub fn component(u: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    Ok(Component::new(config(), u)?.to_bytes())
}

/// A hook that serves every point with code of any sort.
pub fn hook(contract: &Contract, u: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    let config = Config {
        exports: Some(shape(contract)),
        max_imports: 0,
        min_imports: 0,
        ..config()
    };
    let module = Module::new(config, u)?.to_bytes();
    // What it is made of fits the contract, so there is a component of it.
    Ok(guest::encoded(contract, module.clone()).unwrap_or(module))
}

fn config() -> Config {
    Config {
        max_funcs: 20,
        max_instructions: 60,
        max_components: 5,
        // What the engine leaves out would end most of them at the first look.
        gc_enabled: false,
        exceptions_enabled: false,
        threads_enabled: false,
        shared_everything_threads_enabled: false,
        memory64_enabled: false,
        custom_page_sizes_enabled: false,
        wide_arithmetic_enabled: false,
        ..Config::default()
    }
}

/// A module that exports what a hook of every point does.
fn shape(contract: &Contract) -> Vec<u8> {
    let version = portcullis::contract::VERSION;
    let mut wat = format!(
        "(module (memory (export \"memory\") 1)
        (func (export \"cabi_realloc\") (param i32 i32 i32 i32) (result i32) unreachable)
        (func (export \"portcullis:hooks/describe@{version}#describe\") (result i32) unreachable)
        (func (export \"portcullis:hooks/configuration@{version}#schema\") (result i32) unreachable)"
    );
    for name in guest::handles(contract) {
        // Writing to a string does not fail.
        let _ = write!(wat, "(func (export \"{name}\") (result i32) unreachable)");
    }
    wat.push(')');
    wat::parse_str(&wat).expect("a module")
}
