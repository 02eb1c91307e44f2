//! Counts the parts of a component before anything is compiled, on unvalidated bytes.
//!
//! The compiler expands every instantiation of a component. A component of 515 bytes, in which each
//! of 24 components instantiates the one before it twice, expands to 16 million instances and
//! gigabytes. The compiler also reads nested types by recursion, so that a component of one
//! megabyte overflows the stack. Components with more parts than any toolchain generates are
//! therefore refused here.

mod count;
mod types;

use super::LoadFault;

pub(super) use count::Counted;

/// The deepest nesting of components. Toolchains generate two or three levels.
const MOST_NESTING: usize = 16;
/// The deepest nesting of types. Valid components have fewer than a hundred levels.
const MOST_TYPE_NESTING: usize = 100;
/// The most definitions, counting those of a component as often as it is instantiated: some tens of
/// megabytes in the compiler. A componentised Python has some thousands.
const MOST_DEFINITIONS: usize = 250_000;

/// Counts the parts of a component. Invalid parts are left for the compiler to report, which reads
/// no further than this function.
pub(super) fn count(bytes: &[u8]) -> Result<Counted, LoadFault> {
    count::count(bytes).map_err(|too_complex| {
        let (what, most) = match too_complex {
            TooComplex::Nesting => ("components within components", MOST_NESTING),
            TooComplex::TypeNesting => ("types within types", MOST_TYPE_NESTING),
            TooComplex::Definitions => (
                "definitions, with those of a component as often as it is instantiated",
                MOST_DEFINITIONS,
            ),
            TooComplex::ComponentsAsValues => ("components that are imported or passed on", 0),
        };
        LoadFault::TooComplex { what, most }
    })
}

/// The reason why a component is not compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TooComplex {
    Nesting,
    TypeNesting,
    Definitions,
    /// The number of parts of such a component depends on its arguments, and can double each time.
    ComponentsAsValues,
}

#[cfg(test)]
mod tests;
