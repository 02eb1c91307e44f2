//! Hooks in Rust that come with the agent. Put them in with
//! [`Hooks::with`](portcullis::Hooks::with).

mod context_config;

pub use context_config::{ContextConfig, context_config};
