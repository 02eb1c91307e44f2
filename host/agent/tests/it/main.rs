//! The agent loop with native hooks and scripted models, and the API provider against servers on
//! the loopback.

mod anthropic;
mod api_server;
mod bundles;
mod cancel;
mod compaction;
mod deltas;
mod durable;
mod guard;
mod hidden_tools;
mod job_store;
mod jobs;
mod journal;
mod llm;
mod memory;
mod messages;
mod openai;
mod order;
mod panics;
mod prompt;
mod response_format;
mod sessions;
mod shadow;
mod shares;
mod steering;
mod stopping;
mod strategies;
mod streaming;
mod subagents;
mod support;
mod suspension;
mod tools;
mod turn_hooks;
mod turns;
mod updates;
mod workspaces;
