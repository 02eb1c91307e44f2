//! The models the agent calls.
//!
//! A [`Provider`] is one endpoint. [`Providers`] is the agent's ordered set of them: the first is
//! called first, and `llm-error` hooks can switch to the others. `ApiProvider` (feature `api`)
//! calls OpenAI-compatible and Anthropic endpoints, [`ScriptedProvider`] plays a file of responses.

#[cfg(feature = "api")]
mod api;
mod delta;
mod error;
mod request;
mod scripted;
mod set;
mod signatures;

#[cfg(feature = "api")]
pub use api::{ApiConfig, ApiConfigError, ApiKey, ApiKind, ApiProvider, Effort};
pub use delta::{Delta, DeltaSink, NoDeltas};
pub use error::ProviderError;
pub use request::{LlmRequest, LlmResponse, Provider};
pub use scripted::{
    Script, ScriptError, ScriptedError, ScriptedProvider, ScriptedResponse, ScriptedToolCall,
    ScriptedUsage,
};
pub use set::{Providers, ProvidersError};
pub(crate) use signatures::{Gone, parts};
pub use signatures::{Signature, Signatures};
