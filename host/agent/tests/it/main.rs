//! The agent loop with native hooks and scripted models, and the API provider against servers on
//! the loopback.

mod anthropic;
mod api_server;
mod cancel;
mod compaction;
mod deltas;

mod llm;
mod memory;

mod openai;
mod order;

mod sessions;
mod steering;

mod strategies;

mod journal;
mod messages;
mod panics;
mod stopping;
mod streaming;
mod subagents;
mod support;
mod suspension;
mod tools;
mod turns;
mod updates;
