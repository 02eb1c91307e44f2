//! The metrics of requests to a daemon.

use std::time::Duration;

use opentelemetry::KeyValue;
use opentelemetry::metrics::{Counter, Histogram, UpDownCounter};

use super::buckets::CALL_SECONDS;
use super::make::Make;

/// The metrics of requests to a daemon.
pub(super) struct RequestMetrics {
    calls: Counter<u64>,
    events: Counter<u64>,
    errors: Counter<u64>,
    seconds: Histogram<f64>,
    in_flight: UpDownCounter<i64>,
}

impl RequestMetrics {
    pub(super) fn new(make: &Make) -> Self {
        Self {
            calls: make.counter("portcullis.calls", "Calls of points, by what hooks decided"),
            events: make.counter("portcullis.events", "Hook events of other agents"),
            errors: make.counter(
                "portcullis.errors",
                "Requests that were answered with an error",
            ),
            seconds: make.seconds(
                "portcullis.call",
                "How long calls of points and events took",
                CALL_SECONDS,
            ),
            in_flight: (make.0.i64_up_down_counter("portcullis.in_flight"))
                .with_description("Calls that are being answered")
                .build(),
        }
    }

    pub(super) fn decided(&self, point: &str, decision: &'static str, took: Duration) {
        let of = [
            KeyValue::new("point", point.to_owned()),
            KeyValue::new("decision", decision),
        ];
        self.calls.add(1, &of);
        self.seconds.record(took.as_secs_f64(), &[]);
    }

    pub(super) fn answered(&self, dialect: &'static str, event: &'static str, took: Duration) {
        let of = [
            KeyValue::new("dialect", dialect),
            KeyValue::new("event", event),
        ];
        self.events.add(1, &of);
        self.seconds.record(took.as_secs_f64(), &[]);
    }

    pub(super) fn failed(&self, status: u16) {
        let status = KeyValue::new("status", i64::from(status));
        self.errors.add(1, &[status]);
    }

    pub(super) fn in_flight(&self) -> impl Drop + use<> {
        struct Guard(UpDownCounter<i64>);
        impl Drop for Guard {
            fn drop(&mut self) {
                self.0.add(-1, &[]);
            }
        }
        self.in_flight.add(1, &[]);
        Guard(self.in_flight.clone())
    }
}
