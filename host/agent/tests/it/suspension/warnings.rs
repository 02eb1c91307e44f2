//! Reports to `tracing`.

use std::sync::{Arc, Mutex};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

/// Collects all warnings.
#[derive(Clone, Default)]
pub struct Warnings(Arc<Mutex<String>>);

impl Warnings {
    /// Returns the warnings, one on each line.
    pub fn all(&self) -> String {
        self.0.lock().unwrap().clone()
    }
}

impl Visit for &Warnings {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        *self.0.lock().unwrap() += &format!(" {}={value:?}", field.name());
    }
}

impl Subscriber for Warnings {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.is_event() && *metadata.level() <= Level::WARN
    }
    fn event(&self, event: &Event<'_>) {
        event.record(&mut &*self);
        *self.0.lock().unwrap() += "\n";
    }
    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }
    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}
