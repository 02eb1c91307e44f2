//! The library's reports to `tracing` and to a session's sink.

use std::sync::{Arc, Mutex, PoisonError};

use portcullis::observer::{HookEvent, HookObserver, LogLine};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

/// Keeps all reports to `tracing`, and to the session's sink.
#[derive(Clone, Default)]
pub struct Told(Arc<Mutex<Vec<String>>>);

impl Told {
    pub fn add(&self, text: String) {
        let mut told = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        told.push(text);
    }

    pub fn all(&self) -> String {
        let told = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        told.join("\n")
    }
}

struct Line(String);

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        self.0.push_str(&format!(" {}={value:?}", field.name()));
    }
}

impl Subscriber for Told {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        // A library's traces of its own calls are for debugging.
        metadata.is_event() && *metadata.level() <= tracing::Level::DEBUG
    }
    fn event(&self, event: &Event<'_>) {
        let mut line = Line(event.metadata().target().to_owned());
        event.record(&mut line);
        self.add(line.0);
    }
    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }
    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

impl HookObserver for Told {
    fn log(&self, line: LogLine<'_>) {
        self.add(format!("{} {}", line.context, line.message));
    }

    fn event(&self, event: HookEvent) {
        self.add(format!("{} {}", event.name, event.data));
    }
}
