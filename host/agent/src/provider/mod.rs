//! The models the agent calls.
//!
//! A [`Provider`] is one endpoint; [`Providers`] is the agent's ordered set of them, of which the
//! first is called first and the others are what an `llm-error` hook can switch to.
//! [`ApiProvider`] talks to OpenAI-compatible and Anthropic endpoints, [`ScriptedProvider`] plays
//! a file of responses.

mod api;
mod delta;
mod error;
mod request;
mod scripted;
mod set;

pub use api::{ApiConfig, ApiConfigError, ApiKey, ApiKind, ApiProvider, Effort};
pub use delta::{Delta, DeltaSink, NoDeltas};
pub use error::ProviderError;
pub use request::{LlmRequest, LlmResponse, Provider};
pub use scripted::{
    Script, ScriptError, ScriptedError, ScriptedProvider, ScriptedResponse, ScriptedToolCall,
    ScriptedUsage,
};
pub use set::{Providers, ProvidersError};
