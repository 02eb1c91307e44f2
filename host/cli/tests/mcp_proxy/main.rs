//! `portcullis mcp-proxy` between clients and servers of the official SDKs.

#[cfg(unix)]
mod page;
mod peers;
mod sdks;
