//! Counting the declarations of a type section without recursion, by which wasmparser reads them.

use wasmparser::{
    BinaryReader, ComponentAlias, ComponentExternName, ComponentImport, ComponentType,
    ComponentTypeRef, CoreType,
};

use super::{MOST_TYPE_NESTING, TooComplex};

/// What the types of components and of instances begin with.
const COMPONENT: u8 = 0x41;
const INSTANCE: u8 = 0x42;
/// What their declarations begin with.
const CORE_TYPE: u8 = 0x00;
const TYPE: u8 = 0x01;
const ALIAS: u8 = 0x02;
const IMPORT: u8 = 0x03;
const EXPORT: u8 = 0x04;

/// How many types and declarations there are in a section, up to what is not valid.
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
    /// The declarations that are left of each type that the reader is in, innermost last.
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

    /// Reads a type, or of one that has declarations its beginning.
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
