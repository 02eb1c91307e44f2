//! Generated modules and components: valid ones, of any shape.

use std::fmt::Write as _;

use arbitrary::{Result, Unstructured};
use wasm_smith::{Component, Config, Module};

use crate::contract::Contract;
use crate::guest;

/// Returns any module.
pub fn module(u: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    Ok(Module::new(config(), u)?.to_bytes())
}

/// Returns any component.
pub fn component(u: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    Ok(Component::new(config(), u)?.to_bytes())
}

/// Returns a hook that serves every point with any code.
pub fn hook(contract: &Contract, u: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    let config = Config {
        exports: Some(shape(contract)),
        max_imports: 0,
        min_imports: 0,
        ..config()
    };
    let module = Module::new(config, u)?.to_bytes();
    // The module's shape fits the contract, so it can become a component.
    Ok(guest::encoded(contract, module.clone()).unwrap_or(module))
}

fn config() -> Config {
    Config {
        max_funcs: 20,
        max_instructions: 60,
        max_components: 5,
        // Features that the engine lacks would make it reject most of them at once.
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

/// Returns a module with the exports of a hook that serves every point.
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
