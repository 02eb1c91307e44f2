//! Spans: of sessions, turns, steps, model calls, tool calls and hooks' runs.

mod agent;
mod hooks;
mod names;
mod observer;
mod sampler;
mod session;
mod sink;
mod span;
mod told;
mod turn;
mod values;

pub(crate) use agent::AgentTracer;
pub(crate) use names::{BY, CODE, DECISION};
pub(crate) use observer::{Observed, Observer};
pub(crate) use sampler::Sampler;
pub(crate) use sink::SpanSink;
pub(crate) use span::OpenSpan;
