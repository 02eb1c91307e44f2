//! Counts the declarations of a type section without recursion, unlike wasmparser.

use wasmparser::{
    BinaryReader, ComponentAlias, ComponentExternName, ComponentImport, ComponentType,
    ComponentTypeRef, CoreType,
};

use super::{MOST_TYPE_NESTING, TooComplex};

/// The first bytes of component types and instance types.
const COMPONENT: u8 = 0x41;
const INSTANCE: u8 = 0x42;
/// The first bytes of the declarations in these types.
const CORE_TYPE: u8 = 0x00;
const TYPE: u8 = 0x01;
const ALIAS: u8 = 0x02;
const IMPORT: u8 = 0x03;
const EXPORT: u8 = 0x04;

/// Returns the number of types and declarations in a section, up to the first invalid one.
pub(super) fn count(section: &[u8]) -> Result<usize, TooComplex> {
    let mut counting = Counting {
        reader: BinaryReader::new(section, 0),
        left: Vec::new(),
        counted: 0,
    };
    let Ok(types) = counting.reader.read_var_u32() else {
        return Ok(0);
    };
    for _ in 0..types {
        match counting.one() {
            Ok(()) => {}
            Err(Stop::Invalid) => break,
            Err(Stop::TooDeep) => return Err(TooComplex::TypeNesting),
        }
    }
    Ok(counting.counted)
}

enum Stop {
    Invalid,
    TooDeep,
}

impl From<wasmparser::BinaryReaderError> for Stop {
    fn from(_: wasmparser::BinaryReaderError) -> Self {
        Self::Invalid
    }
}

struct Counting<'a> {
    reader: BinaryReader<'a>,
    /// The number of remaining declarations of each type that is being read, innermost last.
    left: Vec<u32>,
    counted: usize,
}

impl Counting<'_> {
    /// Reads one type to its end.
    fn one(&mut self) -> Result<(), Stop> {
        self.begin()?;
        while let Some(left) = self.left.last_mut() {
            match left.checked_sub(1) {
                Some(less) => {
                    *left = less;
                    self.declaration()?;
                }
                None => drop(self.left.pop()),
            }
        }
        Ok(())
    }

    /// Reads a type, or the beginning of a type with declarations.
    fn begin(&mut self) -> Result<(), Stop> {
        self.counted = self.counted.saturating_add(1);
        if let COMPONENT | INSTANCE = self.reader.clone().read_u8()? {
            self.reader.read_u8()?;
            let declarations = self.reader.read_var_u32()?;
            if self.left.len() >= MOST_TYPE_NESTING {
                return Err(Stop::TooDeep);
            }
            self.left.push(declarations);
            return Ok(());
        }
        self.reader.read::<ComponentType<'_>>()?;
        Ok(())
    }

    fn declaration(&mut self) -> Result<(), Stop> {
        if self.reader.clone().read_u8()? == TYPE {
            self.reader.read_u8()?;
            return self.begin();
        }
        self.counted = self.counted.saturating_add(1);
        match self.reader.read_u8()? {
            CORE_TYPE => drop(self.reader.read::<CoreType<'_>>()?),
            ALIAS => {
                let _alias = self.reader.read::<ComponentAlias<'_>>()?;
            }
            IMPORT => drop(self.reader.read::<ComponentImport<'_>>()?),
            EXPORT => {
                self.reader.read::<ComponentExternName<'_>>()?;
                self.reader.read::<ComponentTypeRef>()?;
            }
            _ => return Err(Stop::Invalid),
        }
        Ok(())
    }
}
