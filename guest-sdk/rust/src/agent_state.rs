//! A view of what tools and the embedder keep in the agent's state.

pub use crate::bindings::portcullis::hooks::agent_state::{diff, get};
