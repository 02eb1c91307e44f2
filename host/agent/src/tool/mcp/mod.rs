//! Tools of MCP servers, over stdio or streamable HTTP.

mod client;
mod config;
mod render;
mod server;
mod stderr;
mod tool;

pub use client::progress_text;
pub use config::{McpHttpConfig, McpServerConfig};
pub use server::{McpError, McpServer};
