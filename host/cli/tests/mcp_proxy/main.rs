//! `portcullis mcp-proxy` between clients and servers of the official SDKs.

#[cfg(unix)]
mod kept;
mod limits;
mod page;
mod peers;
mod reloads;
mod running;
mod sdks;
mod traced;
mod unreachable;
