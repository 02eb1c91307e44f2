//! OpenTelemetry for Portcullis: sessions as spans, metrics, log records.
//!
//! [`Telemetry`] is started from the table `[telemetry]`
//! ([`TelemetryTable`](portcullis::settings::TelemetryTable)) and from the standard `OTEL_*` variables. It
//! sends OTLP over HTTP to a collector, and serves `/metrics` for Prometheus. The crates `portcullis` and
//! `portcullis-agent` do not depend on it: it implements their traits [`Tracer`](portcullis_agent::Tracer) and
//! [`HookObserver`](portcullis::observer::HookObserver).
//!
//! No session waits for a collector: spans are sent from a bounded queue. A span that does not fit is lost, and the
//! loss is counted and logged.
//!
//! # Rooms
//!
//! The crate's modules, lowest first. A module imports only from rows above its own; modules of one
//! row do not import each other. `tests/rooms.rs` checks it.
//!
//! | room | holds |
//! | --- | --- |
//! | `conventions`, `environment`, `text` | names; the standard variables |
//! | `export`, `logs`, `prometheus`, `resource` | sending spans to a collector; log records; the text format; the service |
//! | `metrics` | the instruments |
//! | `spans` | the spans of sessions and of hooks |
//! | `scrape`, `entry` | `/metrics`; requests from outside |
//! | `telemetry` | all of it, from its start to its end |

#![deny(unsafe_code)]

mod conventions;
mod entry;
mod environment;
mod export;
mod logs;
mod metrics;
mod prometheus;
mod resource;
mod scrape;
mod spans;
mod telemetry;
mod text;

pub use entry::{Entry, EntryContext};
pub use export::ExportError;
pub use metrics::Metrics;
pub use telemetry::{Telemetry, TelemetryError};
