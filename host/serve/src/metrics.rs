//! Counters and gauges, in the text format of Prometheus.

use std::time::Duration;

use portcullis::report::MappingUse;
use portcullis_bridge::Decision;
use portcullis_dialects::Event;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

/// From 50 µs to about 1.6 s.
const BUCKETS: [f64; 16] = [
    0.000_05, 0.000_1, 0.000_2, 0.000_4, 0.000_8, 0.001_6, 0.003_2, 0.006_4, 0.012_8, 0.025_6,
    0.051_2, 0.102_4, 0.204_8, 0.409_6, 0.819_2, 1.638_4,
];

/// What is counted.
pub(crate) struct Metrics {
    registry: Registry,
    calls: Family<CallLabels, Counter>,
    events: Family<EventLabels, Counter>,
    errors: Family<ErrorLabels, Counter>,
    seconds: Histogram,
    pub(crate) sessions: Gauge<i64>,
    mappings: Gauge<i64>,
    most_mappings: Gauge<i64>,
    /// Calls that have begun and are not answered.
    in_flight: Gauge<i64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct CallLabels {
    point: String,
    decision: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct EventLabels {
    dialect: &'static str,
    event: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ErrorLabels {
    status: u16,
}

impl Default for Metrics {
    fn default() -> Self {
        let metrics = Self {
            registry: Registry::with_prefix("portcullis"),
            calls: Family::default(),
            events: Family::default(),
            errors: Family::default(),
            seconds: Histogram::new(BUCKETS),
            sessions: Gauge::default(),
            mappings: Gauge::default(),
            most_mappings: Gauge::default(),
            in_flight: Gauge::default(),
        };
        metrics.registered()
    }
}

impl Metrics {
    fn registered(mut self) -> Self {
        let registry = &mut self.registry;
        let help = "Calls of points, by what hooks decided";
        registry.register("calls", help, self.calls.clone());
        let help = "Hook events of other agents";
        registry.register("events", help, self.events.clone());
        let help = "Requests that were answered with an error";
        registry.register("errors", help, self.errors.clone());
        let help = "How long calls of points and events took";
        registry.register_with_unit("call", help, Unit::Seconds, self.seconds.clone());
        registry.register("sessions", "Open sessions", self.sessions.clone());
        let help = "Memory mappings of instances and compiled hooks";
        registry.register("memory_mappings", help, self.mappings.clone());
        let help = "Memory mappings that instances and compiled hooks may have";
        registry.register("memory_mappings_limit", help, self.most_mappings.clone());
        let help = "Calls that are being answered";
        registry.register("in_flight", help, self.in_flight.clone());
        self
    }

    /// Counts a request as one that is being answered, until the guard is dropped.
    pub(crate) fn in_flight(&self) -> impl Drop + use<> {
        struct Guard(Gauge<i64>);
        impl Drop for Guard {
            fn drop(&mut self) {
                self.0.dec();
            }
        }
        self.in_flight.inc();
        Guard(self.in_flight.clone())
    }

    /// The hooks have these memory mappings.
    pub(crate) fn mapped(&self, mappings: MappingUse) {
        let number = |mappings| i64::try_from(mappings).unwrap_or(i64::MAX);
        self.mappings.set(number(mappings.used));
        self.most_mappings.set(number(mappings.most));
    }

    /// A call of a point was decided.
    pub(crate) fn decided(&self, point: &str, decision: &Decision, took: Duration) {
        let labels = CallLabels {
            point: point.to_owned(),
            decision: name(decision),
        };
        self.calls.get_or_create(&labels).inc();
        self.seconds.observe(took.as_secs_f64());
    }

    /// An event was answered.
    pub(crate) fn answered(&self, event: &Event, took: Duration) {
        let dialect = event.dialect();
        let mut known = dialect.events().iter().map(|info| info.name);
        let known = known.find(|name| *name == event.name());
        let labels = EventLabels {
            dialect: dialect.name(),
            event: known.unwrap_or("other"),
        };
        self.events.get_or_create(&labels).inc();
        self.seconds.observe(took.as_secs_f64());
    }

    /// A request was answered with an error.
    pub(crate) fn failed(&self, status: u16) {
        self.errors.get_or_create(&ErrorLabels { status }).inc();
    }

    /// All of it as text.
    pub(crate) fn text(&self) -> Result<String, std::fmt::Error> {
        let mut text = String::new();
        prometheus_client::encoding::text::encode(&mut text, &self.registry)?;
        Ok(text)
    }
}

fn name(decision: &Decision) -> &'static str {
    match decision {
        Decision::Continue => "continue",
        Decision::Transform { .. } => "transform",
        Decision::Reject { .. } => "reject",
        Decision::Answer { .. } => "answer",
        Decision::Stop { .. } => "stop",
        Decision::Pending { .. } => "pending",
        Decision::Failed { .. } => "failed",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_memory_mappings_are_beside_their_limit() {
        let metrics = Metrics::default();
        metrics.mapped(MappingUse { most: 60, used: 8 });
        let text = metrics.text().expect("text");
        for line in [
            "portcullis_memory_mappings 8\n",
            "portcullis_memory_mappings_limit 60\n",
        ] {
            assert!(text.contains(line), "{line}{text}");
        }
    }
}
