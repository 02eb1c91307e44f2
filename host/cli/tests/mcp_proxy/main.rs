//! `portcullis mcp-proxy` between clients and servers of the official SDKs.


mod peers;
mod sdks;
