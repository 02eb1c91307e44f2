//! Models behind an HTTP API: OpenAI-compatible endpoints and Anthropic's.

mod client;
mod config;
mod error;
mod request;
mod response;

pub use client::ApiProvider;
pub use config::{ApiConfig, ApiConfigError, ApiKey, ApiKind, Effort};
