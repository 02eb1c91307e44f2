//! The common code of the memory hooks: a store in the shared namespace `memory`, the policy that
//! one of them sets and the others obey, and the scoring of memories. The crate is not a hook.
//!
//! Each user has a store of their own, by the name in the view `session`; sessions without a user
//! share one. Only [`store`] and [`policy::in_turn`] call the host.

pub mod item;
pub mod memory;
pub mod policy;
pub mod score;
pub mod store;
pub mod words;

pub use memory::Memory;
pub use policy::Policy;

/// Returns the number of tokens of a text, at four bytes a token, as the host counts.
pub fn tokens(text: &str) -> u64 {
    (text.len() as u64).div_ceil(4)
}
