//! A view of what hooks have contributed to the turn's prompt so far.

pub use crate::bindings::portcullis::hooks::prompt::{
    context_items, policies, policy, queries, sections,
};
