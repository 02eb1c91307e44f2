//! A hook that serves every point and calls the given answers. They are passed as an image in the
//! view `content`.

use std::fmt::Write as _;

use portcullis::points::PointId;
use wit_component::{ComponentEncoder, StringEncoding};
use wit_parser::abi::{AbiVariant, WasmType};

use crate::contract::Contract;
use crate::memory::{BASE, Memory};
use crate::value::Value;

/// The hook's id.
pub const ID: &str = "fuzz";
/// The maximum number of consecutive function calls.
pub const CALLS: usize = 4;
/// The maximum number of core values that a function takes.
const VALUES: usize = 16;
/// The size of a call in the image, in bytes.
const CALL: usize = 8 + VALUES * 8;

/// The hook's actions in a call.
#[derive(Default)]
pub struct Script {
    pub calls: Vec<Called>,
    /// The return value.
    pub returns: u32,
    /// The content of the hook's memory from [`BASE`] on.
    pub memory: Vec<u8>,
}

/// A called function.
pub struct Called {
    /// The index in [`Contract::answers`].
    pub function: usize,
    pub times: u32,
    /// The core values of the arguments.
    pub values: Vec<u64>,
}

impl Script {
    /// Returns the image: the return value, the number of calls, the calls, the memory.
    pub fn bytes(&self) -> Vec<u8> {
        let mut image = self.returns.to_le_bytes().to_vec();
        image.extend((self.calls.len() as u32).to_le_bytes());
        for call in &self.calls {
            let end = image.len() + CALL;
            image.extend((call.function as u32).to_le_bytes());
            image.extend(call.times.to_le_bytes());
            image.extend(call.values.iter().flat_map(|value| value.to_le_bytes()));
            image.resize(end, 0);
        }
        image.extend_from_slice(&self.memory);
        image
    }
}

/// The hook's memory, and the code that reads the image. The image's memory is written to the same
/// address as the descriptor, after the descriptor has been read.
const READER: &str = r#"
  (memory (export "memory") 16)
  (global $top (mut i32) (i32.const 0x80000))
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (local $at i32)
    (local.set $at (i32.and (i32.add (global.get $top) (i32.const 15)) (i32.const -16)))
    (global.set $top (i32.add (local.get $at) (local.get 3)))
    (local.get $at))
  (func $handle (result i32)
    (local $image i32) (local $size i32) (local $at i32) (local $end i32) (local $times i32)
    (global.set $top (i32.const 0x80000))
    (call $parts (i32.const 16))
    (local.set $at (i32.load (i32.const 16)))
    (local.set $image (i32.load offset=16 (local.get $at)))
    (local.set $size (i32.load offset=20 (local.get $at)))
    (local.set $at (i32.add (local.get $image) (i32.const 8)))
    (local.set $end (i32.add
      (local.get $at)
      (i32.mul (i32.load offset=4 (local.get $image)) (i32.const CALL))))
    (memory.copy
      (i32.const 0x10000)
      (local.get $end)
      (i32.sub (i32.add (local.get $image) (local.get $size)) (local.get $end)))
    (block $done (loop $next
      (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
      (local.set $times (i32.load offset=4 (local.get $at)))
      (block $called (loop $again
        (br_if $called (i32.eqz (local.get $times)))
        (local.set $times (i32.sub (local.get $times) (i32.const 1)))
        (call $call (local.get $at))
        (br $again)))
      (local.set $at (i32.add (local.get $at) (i32.const CALL)))
      (br $next)))
    (i32.load (local.get $image)))
"#;

/// Returns the hook, with a descriptor of its own.
pub fn component(contract: &Contract, descriptor: &Descriptor) -> anyhow::Result<Vec<u8>> {
    let mut imports = format!(
        "(import \"{}\" \"parts\" (func $parts (param i32)))\n",
        contract.full_name("content")
    );
    let mut call = String::from("(func $call (param $at i32)\n");
    for (index, answer) in contract.answers.iter().enumerate() {
        let (name, parameters) = (&answer.name, core_parameters(contract, index));
        writeln!(
            imports,
            "(import \"{}\" \"{name}\" (func $answer-{index} (param {})))",
            contract.full_name(&answer.interface),
            parameters.join(" ")
        )?;
        write!(
            call,
            "(if (i32.eq (i32.load (local.get $at)) (i32.const {index})) (then (call $answer-{index}"
        )?;
        for (slot, ty) in parameters.iter().enumerate() {
            write!(call, " ({ty}.load offset={} (local.get $at))", 8 + slot * 8)?;
        }
        writeln!(call, ")))")?;
    }
    let bytes = descriptor.bytes.iter();
    let bytes: String = bytes.map(|byte| format!("\\{byte:02x}")).collect();
    let mut wat = format!("(module {imports} {call}) {READER}").replace("CALL", &CALL.to_string());
    writeln!(wat, "(data (i32.const {BASE}) \"{bytes}\")")?;
    writeln!(
        wat,
        "(func (export \"{}#describe\") (result i32) (i32.const {}))",
        contract.full_name("describe"),
        descriptor.at as i32
    )?;
    // Any configuration is valid under its schema, `{}`.
    writeln!(
        wat,
        "(data (i32.const 32) \"\\28\\00\\00\\00\\02\\00\\00\\00{{}}\")"
    )?;
    writeln!(
        wat,
        "(func (export \"{}#schema\") (result i32) (i32.const 32))",
        contract.full_name("configuration"),
    )?;
    for name in handles(contract) {
        writeln!(wat, "(export \"{name}\" (func $handle))")?;
    }
    wat.push(')');
    encoded(contract, wat::parse_str(&wat)?)
}

/// Returns a component around a core module that exports every export of the contract.
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

/// Returns the names of the core functions of all points. They take nothing and return whether the
/// hook answered.
pub fn handles(contract: &Contract) -> impl Iterator<Item = String> {
    let points = PointId::ALL.iter();
    points.map(|point| format!("{}#handle", contract.full_name(point.name())))
}

/// Returns the core types that an answer takes.
fn core_parameters(contract: &Contract, answer: usize) -> Vec<&'static str> {
    let answer = &contract.answers[answer];
    let resolve = &contract.resolve;
    let mut interfaces = resolve.interfaces.iter().map(|(_, interface)| interface);
    let interface = interfaces.find(|it| it.name.as_deref() == Some(answer.interface.as_str()));
    let function = interface.and_then(|it| it.functions.get(&answer.name));
    let function = function.expect("the contract has it");
    let signature = resolve.wasm_signature(AbiVariant::GuestImport, function);
    assert!(
        !signature.indirect_params,
        "`{}` takes too much",
        answer.name
    );
    signature.params.iter().map(core_type).collect()
}

fn core_type(ty: &WasmType) -> &'static str {
    match ty {
        WasmType::I64 | WasmType::PointerOrI64 => "i64",
        WasmType::F32 => "f32",
        WasmType::F64 => "f64",
        WasmType::I32 | WasmType::Pointer | WasmType::Length => "i32",
    }
}

/// A descriptor in the hook's memory.
pub struct Descriptor {
    pub bytes: Vec<u8>,
    pub at: u32,
}

impl Descriptor {
    /// Returns a valid descriptor with this priority.
    pub fn right(contract: &Contract, priority: u64) -> Self {
        let text = |text: &str| Value::Text(text.into());
        let none = || Value::Case(0, None);
        let points = PointId::ALL.iter();
        let descriptor = Value::Fields(vec![
            text(ID),
            text("1.0.0"),
            text("test"),
            text("Answers what it is given."),
            Value::List(points.map(|point| text(point.name())).collect()),
            Value::Case(1, Some(Box::new(Value::Int(priority)))),
            none(),
            none(),
            // The contract's execution policy: blocking.
            none(),
            Value::List(Vec::new()),
        ]);
        let mut memory = Memory::sound(contract);
        let at = memory
            .write(&contract.descriptor, &descriptor)
            .expect("nothing is spoilt");
        let (bytes, _) = memory.done();
        Self { bytes, at }
    }
}
