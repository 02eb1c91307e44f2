//! Tools of MCP servers, over stdio.

mod config;
mod render;
mod server;
mod stderr;
mod tool;

pub use config::McpServerConfig;
pub use server::{McpError, McpServer};
