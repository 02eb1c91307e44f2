//! Extism plug-ins written in Rust.

use std::path::Path;
use std::time::Duration;

use anyhow::Context;
use extism::{Function, Manifest, Plugin, PluginBuilder, UserData, ValType, Wasm};
use wasmparser::{FuncType, Parser, Payload, TypeRef};

use crate::call::{ToolCall, Verdict};
use crate::contestant::{Contestant, Entry};

pub const JSON: Entry = Entry {
    key: "extism",
    name: "Extism plug-in in Rust, JSON",
    limits: "fuel, deadline, memory",
    passing: "JSON, copied into the plug-in and out of it",
};

pub const TEXT: Entry = Entry {
    key: "extism-text",
    name: "Extism plug-in in Rust, plain text",
    limits: "fuel, deadline, memory",
    passing: "text, copied into the plug-in and out of it",
};

/// The plug-in that takes JSON, as in Extism's documentation.
pub struct Json(Plugin);

impl Json {
    pub fn new(module: &Path) -> anyhow::Result<Self> {
        Ok(Self(build(module)?))
    }
}

impl Contestant for Json {
    fn decide(&mut self, call: &ToolCall) -> anyhow::Result<Verdict> {
        let extism::convert::Json(verdict) = self.0.call("json", extism::convert::Json(call))?;
        Ok(verdict)
    }
}

/// The plug-in that takes plain text, the minimum for the same call.
pub struct Text(Plugin);

impl Text {
    pub fn new(module: &Path) -> anyhow::Result<Self> {
        Ok(Self(build(module)?))
    }
}

impl Contestant for Text {
    fn decide(&mut self, call: &ToolCall) -> anyhow::Result<Verdict> {
        let given = format!("{}\n{}", call.name, call.arguments);
        let answer: &str = self.0.call("text", given)?;
        Ok(match answer.split_once('\n') {
            None => Verdict::Continue,
            Some((code, reason)) => Verdict::reject(code, reason),
        })
    }
}

/// Returns a plug-in with every limit that Extism has.
fn build(module: &Path) -> anyhow::Result<Plugin> {
    let module = std::fs::read(module)?;
    let unused = unused_imports(&module)?;
    let manifest = Manifest::new([Wasm::data(module)])
        .with_memory_max(1_024)
        .with_timeout(Duration::from_millis(100));
    PluginBuilder::new(manifest)
        .with_fuel_limit(50_000_000)
        .with_functions(unused)
        .with_cache_disabled()
        .build()
}

/// Returns the imports of the module besides Extism's own functions: WASI's, which the guard never calls.
/// Each traps.
fn unused_imports(module: &[u8]) -> anyhow::Result<Vec<Function>> {
    let mut types: Vec<FuncType> = Vec::new();
    let mut functions = Vec::new();
    for payload in Parser::new(0).parse_all(module) {
        match payload? {
            Payload::TypeSection(section) => {
                for ty in section.into_iter_err_on_gc_types() {
                    types.push(ty?);
                }
            }
            Payload::ImportSection(section) => {
                for import in section.into_imports() {
                    let import = import?;
                    let TypeRef::Func(ty) = import.ty else {
                        continue;
                    };
                    if !import.module.starts_with("extism:") {
                        let ty = types.get(ty as usize).context("a type is missing")?;
                        functions.push(trap(import.module, import.name, ty)?);
                    }
                }
            }
            _ => {}
        }
    }
    Ok(functions)
}

fn trap(module: &str, name: &str, ty: &FuncType) -> anyhow::Result<Function> {
    let types = |of: &[wasmparser::ValType]| of.iter().map(|ty| value_type(*ty)).collect();
    let parameters: anyhow::Result<Vec<ValType>> = types(ty.params());
    let results: anyhow::Result<Vec<ValType>> = types(ty.results());
    let function = Function::new(
        name,
        parameters?,
        results?,
        UserData::new(()),
        |_, _, _, _| Err(anyhow::anyhow!("the guard has no WASI")),
    );
    Ok(function.with_namespace(module))
}

fn value_type(ty: wasmparser::ValType) -> anyhow::Result<ValType> {
    Ok(match ty {
        wasmparser::ValType::I32 => ValType::I32,
        wasmparser::ValType::I64 => ValType::I64,
        wasmparser::ValType::F32 => ValType::F32,
        wasmparser::ValType::F64 => ValType::F64,
        other => anyhow::bail!("a function of WASI takes or gives {other}"),
    })
}
