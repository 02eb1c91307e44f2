//! A value in a hook's memory, valid or spoilt.

use arbitrary::{Result, Unstructured};
use wit_parser::{SizeAlign, Type, TypeDefKind};

use crate::contract::{Contract, flat_count};
use crate::value::{Value, payloads};

/// The start of the written memory.
pub const BASE: u32 = 0x1_0000;
/// The maximum number of written bytes.
pub const MOST: usize = 0x6_0000;

/// Bytes of a hook's memory from [`BASE`] on.
pub struct Memory<'a, 'u> {
    contract: &'a Contract,
    bytes: Vec<u8>,
    /// The source of the choices of faults. `None` spoils nothing.
    spoils: Option<&'a mut Unstructured<'u>>,
    spoilt: bool,
}

impl<'a, 'u> Memory<'a, 'u> {
    /// Creates memory that only contains valid values.
    pub fn sound(contract: &'a Contract) -> Self {
        Self::new(contract, None)
    }

    /// Creates memory with some faults.
    pub fn spoiling(contract: &'a Contract, spoils: &'a mut Unstructured<'u>) -> Self {
        Self::new(contract, Some(spoils))
    }

    fn new(contract: &'a Contract, spoils: Option<&'a mut Unstructured<'u>>) -> Self {
        Self {
            contract,
            bytes: Vec::new(),
            spoils,
            spoilt: false,
        }
    }

    /// Writes a value. Returns its address.
    pub fn write(&mut self, ty: &Type, value: &Value) -> Result<u32> {
        let sizes = &self.contract.sizes;
        let (size, align) = (sizes.size(ty).size_wasm32(), sizes.align(ty).align_wasm32());
        let at = self.room(size, align);
        self.put(ty, value, at)?;
        Ok(match self.spoil()? {
            true => self.number(at)?,
            false => address(at),
        })
    }

    /// Writes the memory that a value points to. Returns the core values that the value is passed
    /// as.
    pub fn pass(&mut self, ty: &Type, value: &Value) -> Result<Vec<u64>> {
        let count = flat_count(&self.contract.resolve, ty);
        let mut values = self.flat(ty, value)?;
        values.resize(count, 0);
        Ok(values)
    }

    fn flat(&mut self, ty: &Type, value: &Value) -> Result<Vec<u64>> {
        let (ty, kind) = match ty {
            Type::Id(id) => match self.contract.resolve.types[*id].kind.clone() {
                TypeDefKind::Type(ty) => return self.flat(&ty, value),
                kind => (*ty, Some(kind)),
            },
            ty => (*ty, None),
        };
        match (kind, value) {
            (Some(TypeDefKind::Record(record)), Value::Fields(values)) => {
                let types: Vec<Type> = record.fields.iter().map(|field| field.ty).collect();
                self.flat_fields(&types, values)
            }
            (Some(TypeDefKind::Tuple(tuple)), Value::Fields(values)) => {
                self.flat_fields(&tuple.types, values)
            }
            (Some(kind), Value::Case(case, payload)) => {
                let payloads = payloads(&kind);
                let discriminant = match self.spoil()? {
                    true => self.number(*case)?,
                    false => *case as u32,
                };
                let mut values = vec![u64::from(discriminant)];
                if let (Some(ty), Some(value)) = (payloads[*case], payload) {
                    values.extend(self.pass(&ty, value)?);
                }
                Ok(values)
            }
            (None, Value::Bool(value)) => Ok(vec![u64::from(*value)]),
            (None, Value::Int(value)) => Ok(vec![*value]),
            (None, Value::Float(value)) => Ok(vec![match ty {
                Type::F32 => u64::from((*value as f32).to_bits()),
                _ => value.to_bits(),
            }]),
            // A text or a list: its address, and its length.
            (_, value) => {
                let at = self.room(8, 4);
                self.put(&ty, value, at)?;
                let word = |at: usize| {
                    let bytes = self.bytes.get(at..at + 4).and_then(|b| b.try_into().ok());
                    u64::from(u32::from_le_bytes(bytes.unwrap_or_default()))
                };
                Ok(vec![word(at), word(at + 4)])
            }
        }
    }

    fn flat_fields(&mut self, types: &[Type], values: &[Value]) -> Result<Vec<u64>> {
        let mut flat = Vec::new();
        for (ty, value) in types.iter().zip(values) {
            flat.extend(self.pass(ty, value)?);
        }
        Ok(flat)
    }

    /// Returns the bytes, and whether any of them was spoilt.
    pub fn done(mut self) -> (Vec<u8>, bool) {
        let cut = self.bytes.len() > MOST;
        self.bytes.truncate(MOST);
        (self.bytes, self.spoilt || cut)
    }

    fn room(&mut self, size: usize, align: usize) -> usize {
        let at = self.bytes.len().next_multiple_of(align.max(1));
        self.bytes.resize(at + size, 0);
        at
    }

    fn put(&mut self, ty: &Type, value: &Value, at: usize) -> Result<()> {
        match (ty, value) {
            (Type::Id(id), value) => {
                let kind = self.contract.resolve.types[*id].kind.clone();
                self.put_kind(&kind, value, at)
            }
            (Type::F32, Value::Float(value)) => {
                self.set(at, &(*value as f32).to_le_bytes());
                Ok(())
            }
            (_, Value::Float(value)) => {
                self.set(at, &value.to_le_bytes());
                Ok(())
            }
            (_, Value::Bool(value)) => {
                // Every byte but zero is true.
                self.set(at, &[u8::from(*value)]);
                Ok(())
            }
            (_, Value::Text(text)) => {
                let mut bytes = text.clone().into_bytes();
                if let Some(byte) = bytes.last_mut()
                    && self.spoil()?
                {
                    *byte = 0xf0;
                }
                let to = self.room(bytes.len(), 1);
                self.set(to, &bytes);
                self.slice(at, to, bytes.len())
            }
            (ty, Value::Int(value)) => {
                let size = self.contract.sizes.size(ty).size_wasm32();
                let bytes = value.to_le_bytes();
                self.set(at, bytes.get(..size).unwrap_or(&bytes));
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn put_kind(&mut self, kind: &TypeDefKind, value: &Value, at: usize) -> Result<()> {
        match (kind, value) {
            (TypeDefKind::Type(ty), value) => self.put(ty, value, at),
            (TypeDefKind::List(ty), Value::List(items)) => self.put_list(ty, items, at),
            (TypeDefKind::Record(record), Value::Fields(values)) => {
                let types: Vec<Type> = record.fields.iter().map(|field| field.ty).collect();
                self.put_fields(&types, values, at)
            }
            (TypeDefKind::Tuple(tuple), Value::Fields(values)) => {
                self.put_fields(&tuple.types, values, at)
            }
            (kind, Value::Case(case, payload)) => self.put_case(kind, *case, payload, at),
            _ => Ok(()),
        }
    }

    fn put_fields(&mut self, types: &[Type], values: &[Value], at: usize) -> Result<()> {
        let contract = self.contract;
        let offsets = contract.sizes.field_offsets(types);
        for ((offset, ty), value) in offsets.into_iter().zip(values) {
            self.put(ty, value, at + offset.size_wasm32())?;
        }
        Ok(())
    }

    fn put_list(&mut self, ty: &Type, items: &[Value], at: usize) -> Result<()> {
        let sizes = &self.contract.sizes;
        let (size, align) = (sizes.size(ty).size_wasm32(), sizes.align(ty).align_wasm32());
        let to = self.room(size * items.len(), align);
        for (index, item) in items.iter().enumerate() {
            self.put(ty, item, to + index * size)?;
        }
        self.slice(at, to, items.len())
    }

    fn put_case(
        &mut self,
        kind: &TypeDefKind,
        case: usize,
        payload: &Option<Box<Value>>,
        at: usize,
    ) -> Result<()> {
        let payloads = payloads(kind);
        let discriminant = match self.spoil()? {
            true => self.number(case)? as u8,
            false => case as u8,
        };
        self.set(at, &[discriminant]);
        if let (Some(ty), Some(value)) = (payloads[case], payload) {
            let offset = payload_offset(&self.contract.sizes, &payloads);
            self.put(&ty, value, at + offset)?;
        }
        Ok(())
    }

    /// Writes the address and the length of a list or a text.
    fn slice(&mut self, at: usize, to: usize, length: usize) -> Result<()> {
        let pointer = match self.spoil()? {
            true => self.number(to)?,
            false => address(to),
        };
        let length = match self.spoil()? {
            true => self.number(length)?,
            false => length as u32,
        };
        self.set(at, &pointer.to_le_bytes());
        self.set(at + 4, &length.to_le_bytes());
        Ok(())
    }

    fn set(&mut self, at: usize, bytes: &[u8]) {
        self.bytes[at..at + bytes.len()].copy_from_slice(bytes);
    }

    /// Returns whether to spoil the next value.
    fn spoil(&mut self) -> Result<bool> {
        let Some(spoils) = &mut self.spoils else {
            return Ok(false);
        };
        let spoil = spoils.ratio(1, 24)?;
        self.spoilt |= spoil;
        Ok(spoil)
    }

    /// Returns a number in place of a valid one.
    fn number(&mut self, right: usize) -> Result<u32> {
        let right = right as u32;
        let Some(spoils) = &mut self.spoils else {
            return Ok(right);
        };
        Ok(match spoils.int_in_range(0..=7)? {
            0 => 0,
            1 => u32::MAX,
            2 => 1 << 31,
            // The end of the memory, which is sixteen pages.
            3 => 0x10_0000 - 1,
            4 => BASE + right + 1,
            5 => right.wrapping_mul(4_096),
            6 => BASE,
            _ => spoils.arbitrary()?,
        })
    }
}

fn address(at: usize) -> u32 {
    BASE + at as u32
}

fn payload_offset(sizes: &SizeAlign, payloads: &[Option<Type>]) -> usize {
    // No type of the contract has more than 256 cases: its discriminant is a byte.
    sizes
        .payload_offset(wit_parser::Int::U8, payloads.iter().map(Option::as_ref))
        .size_wasm32()
}
