//! The metrics, each of them once: what is sent to a collector and what Prometheus reads are the same instruments.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use opentelemetry::KeyValue;
use opentelemetry::metrics::{Counter, Gauge, Histogram, Meter, MeterProvider as _, UpDownCounter};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::metrics::{PeriodicReader, SdkMeterProvider};
use portcullis::observer::{NotRun, QuarantineChange};
use portcullis::points::OutcomeKind;
use portcullis::report::MappingUse;
use portcullis::verdict::{HookRun, RunStatus};
use portcullis_agent::{AgentEvent, TurnOrigin};

use crate::conventions;
use crate::export::Counts;
use crate::prometheus::Prometheus;
use crate::text::of_contract;

/// From 50 µs to about 1.6 s.
const CALL_SECONDS: [f64; 16] = [
    0.000_05, 0.000_1, 0.000_2, 0.000_4, 0.000_8, 0.001_6, 0.003_2, 0.006_4, 0.012_8, 0.025_6,
    0.051_2, 0.102_4, 0.204_8, 0.409_6, 0.819_2, 1.638_4,
];
/// Those of the conventions, for model calls. Tools and turns take as long.
const MODEL_SECONDS: [f64; 14] = [
    0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92,
];
/// Those of the conventions, for tokens.
const TOKENS: [f64; 14] = [
    1.0,
    4.0,
    16.0,
    64.0,
    256.0,
    1_024.0,
    4_096.0,
    16_384.0,
    65_536.0,
    262_144.0,
    1_048_576.0,
    4_194_304.0,
    16_777_216.0,
    67_108_864.0,
];
/// From a thousand to a billion.
const FUEL: [f64; 13] = [
    1e3, 3e3, 1e4, 3e4, 1e5, 3e5, 1e6, 3e6, 1e7, 3e7, 1e8, 3e8, 1e9,
];

/// From 64 KiB, a page, to 1 GiB.
const MEMORY: [f64; 8] = [
    65_536.0,
    262_144.0,
    1_048_576.0,
    4_194_304.0,
    16_777_216.0,
    67_108_864.0,
    268_435_456.0,
    1_073_741_824.0,
];

/// The metrics of a process. Cheap to clone; all clones count the same.
#[derive(Clone)]
pub struct Metrics(Arc<Instruments>);

struct Instruments {
    provider: SdkMeterProvider,
    prometheus: Prometheus,
    runs: Counter<u64>,
    refusals: Counter<u64>,
    failures: Counter<u64>,
    run_seconds: Histogram<f64>,
    fuel: Histogram<u64>,
    memory: Histogram<u64>,
    restarts: Counter<u64>,
    not_run: Counter<u64>,
    quarantines: Counter<u64>,
    hook_tokens: Counter<u64>,
    open: AtomicU64,
    sessions: Gauge<u64>,
    turns: Counter<u64>,
    turn_seconds: Histogram<f64>,
    tools: Counter<u64>,
    tool_seconds: Histogram<f64>,
    model_seconds: Histogram<f64>,
    model_tokens: Histogram<u64>,
    calls: Counter<u64>,
    events: Counter<u64>,
    errors: Counter<u64>,
    call_seconds: Histogram<f64>,
    in_flight: UpDownCounter<i64>,
    mappings: Gauge<u64>,
    most_mappings: Gauge<u64>,
    detached: Gauge<u64>,
}

impl std::fmt::Debug for Metrics {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Metrics").finish()
    }
}

impl Metrics {
    /// Metrics that Prometheus can read, and that are sent nowhere.
    pub fn for_prometheus() -> Self {
        Self::new(Resource::builder().build(), None)
    }

    pub(crate) fn new(
        resource: Resource,
        exporter: Option<opentelemetry_otlp::MetricExporter>,
    ) -> Self {
        let mut provider = SdkMeterProvider::builder().with_resource(resource);
        if let Some(exporter) = exporter {
            provider = provider.with_reader(PeriodicReader::builder(exporter).build());
        }
        let prometheus = Prometheus::default();
        let provider = provider.with_reader(prometheus.clone());
        let provider = provider.build();
        let meter = provider.meter("portcullis");
        Self(Arc::new(Instruments::new(
            &meter,
            provider.clone(),
            prometheus,
        )))
    }

    /// All of them in the text format of Prometheus.
    pub fn text(&self) -> String {
        self.0.prometheus.text()
    }

    /// Says what became of spans.
    pub(crate) fn of_spans(&self, counts: Arc<Counts>) {
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
    }

    /// Sends what is not sent.
    pub(crate) fn flush(&self) {
        if let Err(error) = self.0.provider.force_flush() {
            tracing::warn!("metrics could not be sent to the collector: {error}");
        }
    }

    pub(crate) fn session_opened(&self) {
        let open = self.0.open.fetch_add(1, Ordering::Relaxed) + 1;
        self.0.sessions.record(open, &[]);
    }

    pub(crate) fn session_closed(&self) {
        let open = self.0.open.fetch_sub(1, Ordering::Relaxed) - 1;
        self.0.sessions.record(open, &[]);
    }

    /// A hook has run.
    pub(crate) fn ran(&self, run: &HookRun) {
        let hook = KeyValue::new("hook", run.hook.to_string());
        let point = KeyValue::new("point", run.point.name());
        let of = [hook.clone(), point.clone()];
        let outcome = match &run.status {
            RunStatus::Completed { outcome, .. } => outcome.name(),
            RunStatus::NotApplied { .. } => "not-applied",
            RunStatus::Failed { .. } => "failed",
            RunStatus::Skipped => "skipped",
            RunStatus::Backgrounded => return,
        };
        let [hook_of, point_of] = of.clone();
        let all = [
            hook_of,
            point_of,
            KeyValue::new("outcome", outcome),
            KeyValue::new("mode", run.mode.name()),
        ];
        self.0.runs.add(1, &all);
        if let RunStatus::Skipped = run.status {
            return;
        }
        self.0.run_seconds.record(run.latency.as_secs_f64(), &of);
        if let Some(fuel) = run.fuel {
            self.0.fuel.record(fuel, &of);
        }
        if let Some(memory) = run.memory {
            self.0.memory.record(memory, &of);
        }
        if run.restarted {
            self.0.restarts.add(1, &of);
        }
        match &run.status {
            RunStatus::Completed {
                outcome: OutcomeKind::Reject,
                ..
            } => {
                let refusal = [hook, point, KeyValue::new("mode", run.mode.name())];
                self.0.refusals.add(1, &refusal);
            }
            RunStatus::Failed { cause, fatal, .. } => {
                let failure = [
                    hook,
                    point,
                    KeyValue::new("cause", cause.code()),
                    KeyValue::new("failed_closed", *fatal),
                ];
                self.0.failures.add(1, &failure);
            }
            _ => {}
        }
    }

    pub(crate) fn guard_did_not_run(&self, guard: &NotRun<'_>) {
        let attributes = [
            KeyValue::new("hook", guard.hook.to_string()),
            KeyValue::new("point", guard.point.name()),
            KeyValue::new("cause", guard.cause.code()),
            KeyValue::new("refused", guard.refused),
        ];
        self.0.not_run.add(1, &attributes);
    }

    pub(crate) fn quarantine(&self, change: &QuarantineChange<'_>) {
        if let Some(cause) = change.cause {
            let hook = KeyValue::new("hook", change.hook.to_string());
            self.0
                .quarantines
                .add(1, &[hook, KeyValue::new("cause", cause.code())]);
        }
    }

    /// An event of an agent.
    pub(crate) fn emitted(&self, event: &AgentEvent) {
        match event {
            AgentEvent::LlmCallFinished {
                provider,
                model,
                usage,
                answered_by: None,
                elapsed_ms,
                ..
            } => {
                let of = model_attributes(provider, model);
                self.0.model_seconds.record(seconds(*elapsed_ms), &of);
                for (kind, tokens) in [
                    ("input", usage.input_tokens),
                    ("output", usage.output_tokens),
                ] {
                    let kind = KeyValue::new(conventions::TOKEN_TYPE, kind);
                    let of: Vec<_> = of.iter().cloned().chain([kind]).collect();
                    self.0.model_tokens.record(tokens, &of);
                }
            }
            AgentEvent::LlmCallFailed {
                provider,
                model,
                kind,
                elapsed_ms,
                ..
            } => {
                let failed = KeyValue::new(conventions::ERROR_TYPE, of_contract(kind));
                let of = model_attributes(provider, model);
                let of: Vec<_> = of.into_iter().chain([failed]).collect();
                self.0.model_seconds.record(seconds(*elapsed_ms), &of);
            }
            AgentEvent::ToolFinished {
                name,
                is_error,
                ran,
                elapsed_ms,
                ..
            } => {
                // A model may ask for names without end; what runs is the agent's.
                let name = if *ran { name.as_str() } else { "(did not run)" };
                let outcome = if *is_error { "error" } else { "ok" };
                let tool = KeyValue::new("tool", name.to_owned());
                let outcome = KeyValue::new("outcome", outcome);
                self.0.tools.add(1, &[tool.clone(), outcome]);
                if *ran {
                    self.0.tool_seconds.record(seconds(*elapsed_ms), &[tool]);
                }
            }
            AgentEvent::TurnEnded {
                origin, elapsed_ms, ..
            } => {
                let outcome = match origin {
                    TurnOrigin::Model => "ok",
                    TurnOrigin::Answered { .. } => "answered",
                    TurnOrigin::Tool { .. } => "finished",
                    TurnOrigin::Stopped { .. } => "stopped",
                    TurnOrigin::Recovered { .. } => "recovered",
                };
                self.turn(outcome, *elapsed_ms);
            }
            AgentEvent::TurnFailed {
                kind,
                cancelled,
                elapsed_ms,
                ..
            } => match kind.as_ref().map(of_contract) {
                _ if *cancelled => self.turn("cancelled", *elapsed_ms),
                Some(kind) if kind == "rejected" => self.turn("refused", *elapsed_ms),
                Some(_) => self.turn("failed", *elapsed_ms),
                // Another process continues it.
                None => {}
            },
            AgentEvent::TurnSuspended { .. } => {
                self.0
                    .turns
                    .add(1, &[KeyValue::new("outcome", "suspended")]);
            }
            AgentEvent::HookModelCall {
                hook,
                usage: Some(usage),
                ..
            } => {
                for (kind, tokens) in [
                    ("input", usage.input_tokens),
                    ("output", usage.output_tokens),
                ] {
                    let of = [
                        KeyValue::new("hook", hook.clone()),
                        KeyValue::new("type", kind),
                    ];
                    self.0.hook_tokens.add(tokens, &of);
                }
            }
            _ => {}
        }
    }

    fn turn(&self, outcome: &'static str, elapsed_ms: u64) {
        let outcome = [KeyValue::new("outcome", outcome)];
        self.0.turns.add(1, &outcome);
        self.0.turn_seconds.record(seconds(elapsed_ms), &outcome);
    }

    /// A call of a point was decided, by a daemon or a proxy.
    pub fn decided(&self, point: &str, decision: &'static str, took: Duration) {
        let of = [
            KeyValue::new("point", point.to_owned()),
            KeyValue::new("decision", decision),
        ];
        self.0.calls.add(1, &of);
        self.0.call_seconds.record(took.as_secs_f64(), &[]);
    }

    /// A hook event of another agent was answered.
    pub fn answered(&self, dialect: &'static str, event: &'static str, took: Duration) {
        let of = [
            KeyValue::new("dialect", dialect),
            KeyValue::new("event", event),
        ];
        self.0.events.add(1, &of);
        self.0.call_seconds.record(took.as_secs_f64(), &[]);
    }

    /// A request was answered with an error.
    pub fn failed(&self, status: u16) {
        self.0
            .errors
            .add(1, &[KeyValue::new("status", i64::from(status))]);
    }

    /// Counts a request as one that is being answered, until the guard is dropped.
    pub fn in_flight(&self) -> impl Drop + use<> {
        struct Guard(UpDownCounter<i64>);
        impl Drop for Guard {
            fn drop(&mut self) {
                self.0.add(-1, &[]);
            }
        }
        self.0.in_flight.add(1, &[]);
        Guard(self.0.in_flight.clone())
    }

    /// So many sessions are open. For those who do not tell of each.
    pub fn open_sessions(&self, open: usize) {
        self.0
            .sessions
            .record(u64::try_from(open).unwrap_or(u64::MAX), &[]);
    }

    /// Instances and compiled hooks have these memory mappings.
    pub fn mapped(&self, mappings: MappingUse) {
        self.0.mappings.record(mappings.used, &[]);
        self.0.most_mappings.record(mappings.most, &[]);
    }

    /// So many detached runs have not ended.
    pub fn detached(&self, runs: usize) {
        self.0
            .detached
            .record(u64::try_from(runs).unwrap_or(u64::MAX), &[]);
    }
}

impl Instruments {
    fn new(meter: &Meter, provider: SdkMeterProvider, prometheus: Prometheus) -> Self {
        let counter = |name: &'static str, help: &'static str| {
            meter.u64_counter(name).with_description(help).build()
        };
        let seconds = |name: &'static str, help: &'static str, bounds: &[f64]| {
            let histogram = meter.f64_histogram(name).with_description(help);
            histogram
                .with_unit("s")
                .with_boundaries(bounds.to_vec())
                .build()
        };
        let gauge = |name: &'static str, help: &'static str| {
            meter.u64_gauge(name).with_description(help).build()
        };
        let open = |name: &'static str, help: &'static str| {
            meter
                .i64_up_down_counter(name)
                .with_description(help)
                .build()
        };
        Self {
            prometheus,
            runs: counter("portcullis.hook.runs", "Runs of hooks, by how they ended"),
            refusals: counter("portcullis.hook.refusals", "Refusals of hooks"),
            failures: counter(
                "portcullis.hook.failures",
                "Runs of hooks that failed, by cause",
            ),
            run_seconds: seconds(
                "portcullis.hook.duration",
                "How long hooks ran",
                &CALL_SECONDS,
            ),
            fuel: meter
                .u64_histogram("portcullis.hook.fuel")
                .with_description("The fuel that runs of hooks used")
                .with_boundaries(FUEL.to_vec())
                .build(),
            memory: meter
                .u64_histogram("portcullis.hook.memory")
                .with_description("The bytes of memory that instances of hooks had after a run")
                .with_boundaries(MEMORY.to_vec())
                .build(),
            restarts: counter(
                "portcullis.hook.restarts",
                "Runs whose instance was started again, since the one before had been given up for others",
            ),
            not_run: counter(
                "portcullis.guards.not_run",
                "Guards that did not do their work, by cause",
            ),
            quarantines: counter(
                "portcullis.hook.quarantines",
                "Components put in quarantine",
            ),
            hook_tokens: counter(
                "portcullis.hook.model.tokens",
                "Tokens of the model that hooks used",
            ),
            open: AtomicU64::new(0),
            sessions: gauge("portcullis.sessions", "Open sessions"),
            turns: counter("portcullis.turns", "Turns, by how they ended"),
            turn_seconds: seconds(
                "portcullis.turn.duration",
                "How long turns took",
                &MODEL_SECONDS,
            ),
            tools: counter("portcullis.tool.calls", "Tool calls, by how they ended"),
            tool_seconds: seconds(
                "portcullis.tool.duration",
                "How long tools ran",
                &MODEL_SECONDS,
            ),
            model_seconds: seconds(
                conventions::MODEL_SECONDS,
                "How long model calls took",
                &MODEL_SECONDS,
            ),
            model_tokens: meter
                .u64_histogram(conventions::MODEL_TOKENS)
                .with_description("Tokens of model calls")
                .with_unit("{token}")
                .with_boundaries(TOKENS.to_vec())
                .build(),
            calls: counter("portcullis.calls", "Calls of points, by what hooks decided"),
            events: counter("portcullis.events", "Hook events of other agents"),
            errors: counter(
                "portcullis.errors",
                "Requests that were answered with an error",
            ),
            call_seconds: seconds(
                "portcullis.call",
                "How long calls of points and events took",
                &CALL_SECONDS,
            ),
            in_flight: open("portcullis.in_flight", "Calls that are being answered"),
            mappings: gauge(
                "portcullis.memory_mappings",
                "Memory mappings of instances and compiled hooks",
            ),
            most_mappings: gauge(
                "portcullis.memory_mappings_limit",
                "Memory mappings that instances and compiled hooks may have",
            ),
            detached: gauge("portcullis.queue", "Detached runs that have not ended"),
            provider,
        }
    }
}

fn model_attributes(provider: &str, model: &str) -> [KeyValue; 3] {
    [
        KeyValue::new(conventions::OPERATION, "chat"),
        KeyValue::new(conventions::PROVIDER, provider.to_owned()),
        KeyValue::new(conventions::MODEL, model.to_owned()),
    ]
}

fn seconds(ms: u64) -> f64 {
    Duration::from_millis(ms).as_secs_f64()
}
