//! The metrics. The same instruments are sent to a collector and read by Prometheus.

mod agents;
mod buckets;
mod hooks;
mod make;
mod requests;
mod watched;

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use opentelemetry::KeyValue;
use opentelemetry::metrics::MeterProvider as _;
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::metrics::{PeriodicReader, SdkMeterProvider};
use portcullis::Hooks;
use portcullis::observer::{NotRun, QuarantineChange};
use portcullis::verdict::HookRun;
use portcullis_agent::AgentEvent;

use self::agents::AgentMetrics;
pub(crate) use self::agents::HookUse;
use self::hooks::HookMetrics;
use self::make::Make;
use self::requests::RequestMetrics;
use self::watched::Watched;
use crate::environment::{MILLISECONDS, number};
use crate::export::Queue;
use crate::prometheus::Prometheus;

/// The metrics of a process. Cheap to clone; all clones share the same instruments.
#[derive(Clone)]
pub struct Metrics(Arc<All>);

struct All {
    provider: SdkMeterProvider,
    prometheus: Prometheus,
    hooks: HookMetrics,
    agents: AgentMetrics,
    requests: RequestMetrics,
    watched: Arc<Watched>,
}

impl std::fmt::Debug for Metrics {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Metrics").finish()
    }
}

impl Metrics {
    /// Creates metrics for Prometheus alone, without a collector.
    pub fn for_prometheus() -> Self {
        Self::new(Resource::builder().build(), None)
    }

    pub(crate) fn new(
        resource: Resource,
        exporter: Option<opentelemetry_otlp::MetricExporter>,
    ) -> Self {
        let mut provider = SdkMeterProvider::builder().with_resource(resource);
        if let Some(exporter) = exporter {
            let ms = number("OTEL_METRIC_EXPORT_INTERVAL", 60_000, MILLISECONDS);
            let reader = PeriodicReader::builder(exporter).with_interval(Duration::from_millis(ms));
            provider = provider.with_reader(reader.build());
        }
        let prometheus = Prometheus::default();
        let provider = provider.with_reader(prometheus.clone()).build();
        let make = Make(provider.meter("portcullis"));
        Self(Arc::new(All {
            hooks: HookMetrics::new(&make),
            agents: AgentMetrics::new(&make),
            requests: RequestMetrics::new(&make),
            watched: Watched::start(&make),
            prometheus,
            provider,
        }))
    }

    /// Returns all metrics in the text format of Prometheus.
    pub fn text(&self) -> String {
        self.0.prometheus.text()
    }

    /// Includes the quarantines, the memory mappings and the waiting calls of these hooks each time that the metrics
    /// are read.
    pub fn watch(&self, hooks: &Hooks) {
        self.0.watched.hooks(hooks.clone());
    }

    /// Adds this number of open sessions each time that the metrics are read. For sessions without a
    /// [`Tracer`](portcullis_agent::Tracer).
    pub fn watch_sessions(&self, open: impl Fn() -> usize + Send + Sync + 'static) {
        self.0.watched.sessions(Box::new(open));
    }

    /// Records a daemon's decision about a call of a point.
    pub fn decided(&self, point: &str, decision: &'static str, took: Duration) {
        self.0.requests.decided(point, decision, took);
    }

    /// Records a response to a hook event of another agent.
    pub fn answered(&self, dialect: &'static str, event: &'static str, took: Duration) {
        self.0.requests.answered(dialect, event, took);
    }

    /// Records a request that was answered with an error.
    pub fn failed(&self, status: u16) {
        self.0.requests.failed(status);
    }

    /// Counts a request as one that is being answered, until the guard is dropped.
    pub fn in_flight(&self) -> impl Drop + use<> {
        self.0.requests.in_flight()
    }

    /// Includes the numbers of sent, lost and queued spans.
    pub(crate) fn of_spans(&self, queue: &Queue) {
        let counts = queue.counts().clone();
        let meter = self.0.provider.meter("portcullis");
        meter
            .u64_observable_counter("portcullis.telemetry.spans")
            .with_description("Spans, by whether they were sent or lost")
            .with_callback(move |observer| {
                for (result, number) in [("sent", &counts.sent), ("lost", &counts.lost)] {
                    let result = [KeyValue::new("result", result)];
                    observer.observe(number.load(Ordering::Relaxed), &result);
                }
            })
            .build();
        self.0.watched.spans(queue.clone());
    }

    /// Sends the metrics to the collector.
    pub(crate) fn flush(&self) {
        if let Err(error) = self.0.provider.force_flush() {
            tracing::warn!("metrics could not be sent to the collector: {error}");
        }
    }

    pub(crate) fn session_opened(&self) {
        self.0.watched.session_opened();
    }

    pub(crate) fn session_closed(&self) {
        self.0.watched.session_closed();
    }

    /// Records a hook run.
    pub(crate) fn ran(&self, run: &HookRun) {
        self.0.hooks.ran(run);
    }

    /// Records the resources that the hooks of a turn used.
    pub(crate) fn turn_used(&self, used: HookUse) {
        self.0.agents.turn_used(used);
    }

    pub(crate) fn guard_did_not_run(&self, guard: &NotRun<'_>) {
        self.0.hooks.guard_did_not_run(guard);
    }

    pub(crate) fn quarantine(&self, change: &QuarantineChange<'_>) {
        self.0.hooks.quarantine(change);
    }

    /// Records an event of an agent.
    pub(crate) fn emitted(&self, event: &AgentEvent) {
        match event {
            AgentEvent::HookModelCall {
                hook,
                usage: Some(usage),
                ..
            } => self.0.hooks.used_model(hook, usage),
            event => self.0.agents.emitted(event),
        }
    }
}
