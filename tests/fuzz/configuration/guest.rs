//! A small hook with a given descriptor and configuration schema, and no other behaviour.

use std::fmt::Write as _;

use anyhow::Context as _;
use wit_component::{ComponentEncoder, StringEncoding};
use wit_parser::WorldId;

use super::grammar::Given;
use crate::contract::Contract;
use crate::memory::{BASE, Memory};

/// The id of a custom section.
const CUSTOM: u8 = 0;
/// The address of the pair of a schema's address and length.
const SCHEMA: u32 = 32;

/// The inputs of a hook's build.
pub struct Guest {
    contract: Contract,
    /// The world of a hook that serves one point.
    world: WorldId,
}

impl Guest {
    pub fn read() -> anyhow::Result<Self> {
        let mut contract = Contract::read()?;
        let [describe, configuration, point] =
            ["describe", "configuration", "pre-turn"].map(|name| contract.full_name(name));
        let text = format!(
            "package fuzz:small; world small {{ export {describe}; export {configuration}; export {point}; }}"
        );
        let package = contract.resolve.push_str("small.wit", &text)?;
        let world = contract.resolve.select_world(&[package], Some("small"))?;
        contract.sizes.fill(&contract.resolve)?;
        Ok(Self { contract, world })
    }

    /// Returns the component.
    pub fn component(&self, given: &Given) -> anyhow::Result<Vec<u8>> {
        let contract = &self.contract;
        let mut memory = Memory::sound(contract);
        let at = memory.write(&contract.descriptor, &given.descriptor)?;
        let (mut bytes, _) = memory.done();
        let schema = (BASE as usize + bytes.len(), given.schema.len());
        bytes.extend_from_slice(given.schema.as_bytes());
        let pages = (BASE as usize + bytes.len()).div_ceil(1 << 16) + 1;
        let data = |bytes: &[u8]| {
            bytes
                .iter()
                .map(|byte| format!("\\{byte:02x}"))
                .collect::<String>()
        };
        let pair: Vec<u8> = [schema.0, schema.1]
            .iter()
            .flat_map(|number| u32::try_from(*number).unwrap_or(0).to_le_bytes())
            .collect();
        let mut wat = format!(
            "(module (memory (export \"memory\") {pages})
              (data (i32.const {BASE}) \"{}\") (data (i32.const {SCHEMA}) \"{}\")
              (func (export \"cabi_realloc\") (param i32 i32 i32 i32) (result i32) unreachable)",
            data(&bytes),
            data(&pair),
        );
        for (interface, function, result) in [
            ("describe", "describe", at),
            ("configuration", "schema", SCHEMA),
            ("pre-turn", "handle", 0),
        ] {
            let interface = contract.full_name(interface);
            write!(
                wat,
                "(func (export \"{interface}#{function}\") (result i32) (i32.const {result}))"
            )?;
        }
        wat.push(')');
        let mut module = wat::parse_str(&wat)?;
        wit_component::embed_component_metadata(
            &mut module,
            &contract.resolve,
            self.world,
            StringEncoding::UTF8,
            false,
        )?;
        let component = ComponentEncoder::default().module(&module)?.encode();
        let mut component = component.context("a component, whatever it says")?;
        for (name, data) in &given.sections {
            let mut section = Vec::new();
            number(name.len(), &mut section);
            section.extend_from_slice(name.as_bytes());
            section.extend_from_slice(data.as_bytes());
            component.push(CUSTOM);
            number(section.len(), &mut component);
            component.append(&mut section);
        }
        Ok(component)
    }
}

/// Writes a number as LEB128: seven bits in a byte.
fn number(mut number: usize, into: &mut Vec<u8>) {
    loop {
        let low = (number & 0x7f) as u8;
        number >>= 7;
        if number == 0 {
            return into.push(low);
        }
        into.push(low | 0x80);
    }
}
