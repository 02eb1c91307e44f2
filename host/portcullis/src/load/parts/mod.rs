//! What a component is made of, counted before anything is compiled: on bytes that nobody has looked at.
//!
//! The compiler writes out every instantiation of a component as if its content stood there. A component
//! of 515 bytes, in which each of 24 components instantiates the one before it twice, is 16 million
//! instances to it, and gigabytes. And it reads types within types by recursion, which a component of
//! one megabyte overflows the stack with. So whatever is more than any toolchain makes is refused here.

mod count;
mod types;

use super::LoadFault;

pub(super) use count::Counted;

/// The most components within components. Toolchains make two or three.
const MOST_NESTING: usize = 16;
/// The most types within types. Valid components have fewer than a hundred.
const MOST_TYPE_NESTING: usize = 100;
/// The most definitions, with those of a component as often as it is instantiated: some tens of
/// megabytes to the compiler. A componentised Python has some thousands.
const MOST_DEFINITIONS: usize = 250_000;

/// Counts what a component is made of. What is not valid is left for the compiler to say: it reads no
/// further than this does.
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

/// Why a component is not compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TooComplex {
    Nesting,
    TypeNesting,
    Definitions,
    /// What such a component is made of depends on what it is given, and can double each time.
    ComponentsAsValues,
}

#[cfg(test)]
mod tests;
