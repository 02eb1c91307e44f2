//! The agent loop with native hooks and scripted models, and the API provider against servers on
//! the loopback.

mod anthropic;
mod api_server;
mod bundles;
mod cancel;
mod compaction;
mod deltas;
mod jobs;
mod llm;
mod memory;
mod openai;
mod order;
mod prompt;
mod response_format;
mod sessions;
mod support;
mod tools;
mod turns;
mod workspaces;
