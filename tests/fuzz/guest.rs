//! A hook that serves every point and answers with bytes that it is given: they are the content in
//! hand, an image, and stand in its memory as they are.

use std::fmt::Write as _;

use portcullis::points::PointId;
use wit_component::{ComponentEncoder, StringEncoding};
use wit_parser::abi::{AbiVariant, WasmType};

use crate::contract::Contract;
use crate::memory::{BASE, Memory};
use crate::value::Value;

/// Its id.
pub const ID: &str = "fuzz";

/// Where the descriptor's bytes are put: where answers are put too, once it has been read.
const ANSWER: &str = r#"
  (import "portcullis:hooks/content@0.1.0" "parts" (func $parts (param i32)))
  (memory (export "memory") 16)
  (global $top (mut i32) (i32.const 0x80000))
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (local $at i32)
    (local.set $at (i32.and (i32.add (global.get $top) (i32.const 15)) (i32.const -16)))
    (global.set $top (i32.add (local.get $at) (local.get 3)))
    (local.get $at))
  ;; The first word of the bytes says where the answer is, the others are put to BASE.
  (func $answer (result i32) (local $image i32)
    (global.set $top (i32.const 0x80000))
    (call $parts (i32.const 16))
    (local.set $image (i32.load (i32.const 16)))
    (memory.copy
      (i32.const 0x10000)
      (i32.add (i32.load offset=16 (local.get $image)) (i32.const 4))
      (i32.sub (i32.load offset=20 (local.get $image)) (i32.const 4)))
    (i32.load (i32.load offset=16 (local.get $image))))
"#;

/// The hook, with a descriptor of its own.
pub fn component(contract: &Contract, descriptor: &Descriptor) -> anyhow::Result<Vec<u8>> {
    let mut wat = format!("(module{ANSWER}");
    let bytes: String = descriptor
        .bytes
        .iter()
        .map(|byte| format!("\\{byte:02x}"))
        .collect();
    writeln!(wat, "(data (i32.const {BASE}) \"{bytes}\")")?;
    writeln!(
        wat,
        "(func (export \"portcullis:hooks/describe@0.1.0#describe\") (result i32) (i32.const {}))",
        descriptor.at as i32
    )?;
    for (name, parameters) in handles(contract) {
        writeln!(
            wat,
            "(func (export \"{name}\") (param {parameters}) (result i32) (call $answer))"
        )?;
    }
    wat.push(')');
    encoded(contract, wat::parse_str(&wat)?)
}

/// A component around a core module that exports all that the contract knows.
pub fn encoded(contract: &Contract, mut module: Vec<u8>) -> anyhow::Result<Vec<u8>> {
    wit_component::embed_component_metadata(
        &mut module,
        &contract.resolve,
        contract.world,
        StringEncoding::UTF8,
        false,
    )?;
    ComponentEncoder::default().module(&module)?.encode()
}

/// The core functions of all points: their names, and the types of their parameters.
pub fn handles(contract: &Contract) -> Vec<(String, String)> {
    let resolve = &contract.resolve;
    let exports = &resolve.worlds[contract.world].exports;
    let mut handles = Vec::new();
    for (key, item) in exports {
        let wit_parser::WorldItem::Interface { id, .. } = item else {
            continue;
        };
        let Some(handle) = resolve.interfaces[*id].functions.get("handle") else {
            continue;
        };
        let signature = resolve.wasm_signature(AbiVariant::GuestExport, handle);
        let parameters: Vec<&str> = signature.params.iter().map(core_type).collect();
        handles.push((
            format!("{}#handle", resolve.name_world_key(key)),
            parameters.join(" "),
        ));
    }
    handles
}

fn core_type(ty: &WasmType) -> &'static str {
    match ty {
        WasmType::I64 | WasmType::PointerOrI64 => "i64",
        WasmType::F32 => "f32",
        WasmType::F64 => "f64",
        WasmType::I32 | WasmType::Pointer | WasmType::Length => "i32",
    }
}

/// A descriptor as it stands in memory.
pub struct Descriptor {
    pub bytes: Vec<u8>,
    pub at: u32,
}

impl Descriptor {
    /// One that is right, of this role and priority.
    pub fn right(contract: &Contract, role: usize, priority: u64) -> Self {
        let text = |text: &str| Value::Text(text.into());
        let none = || Value::Case(0, None);
        let points = PointId::ALL
            .iter()
            .map(|point| text(point.name()))
            .collect();
        let kinds = (0..6).map(|kind| Value::Case(kind, None)).collect();
        let card = Value::Fields(vec![
            text(ID),
            text("1.0.0"),
            text("test"),
            text("Answers what it is given."),
            Value::Case(role, None),
            Value::List(points),
            Value::Case(1, Some(Box::new(Value::Int(priority)))),
            none(),
            none(),
            none(),
            Value::List(Vec::new()),
            Value::List(kinds),
        ]);
        let mut memory = Memory::sound(contract);
        let at = memory
            .write(&contract.descriptor, &card)
            .expect("nothing is spoilt");
        let (bytes, _) = memory.done();
        Self { bytes, at }
    }
}
