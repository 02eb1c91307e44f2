//! The metrics of hooks.

use opentelemetry::KeyValue;
use opentelemetry::metrics::{Counter, Histogram};
use portcullis::contract::Usage;
use portcullis::observer::{NotRun, QuarantineChange};
use portcullis::points::OutcomeKind;
use portcullis::verdict::{HookRun, RunStatus};

use super::buckets::{CALL_SECONDS, FUEL, MEMORY};
use super::make::Make;

/// The metrics of hooks.
pub(super) struct HookMetrics {
    runs: Counter<u64>,
    refusals: Counter<u64>,
    failures: Counter<u64>,
    seconds: Histogram<f64>,
    fuel: Histogram<u64>,
    memory: Histogram<u64>,
    restarts: Counter<u64>,
    not_run: Counter<u64>,
    quarantines: Counter<u64>,
    tokens: Counter<u64>,
}

impl HookMetrics {
    pub(super) fn new(make: &Make) -> Self {
        Self {
            runs: make.counter("portcullis.hook.runs", "Runs of hooks, by how they ended"),
            refusals: make.counter("portcullis.hook.refusals", "Refusals of hooks"),
            failures: make.counter(
                "portcullis.hook.failures",
                "Runs of hooks that failed, by cause",
            ),
            seconds: make.seconds(
                "portcullis.hook.duration",
                "How long hooks ran",
                CALL_SECONDS,
            ),
            fuel: make.numbers(
                "portcullis.hook.fuel",
                "",
                "The fuel that runs of hooks used",
                FUEL,
            ),
            memory: make.numbers(
                "portcullis.hook.memory",
                "",
                "The bytes of memory that instances of hooks had after a run",
                MEMORY,
            ),
            restarts: make.counter(
                "portcullis.hook.restarts",
                "Runs whose instance was started again, since the one before had been given up for others",
            ),
            not_run: make.counter(
                "portcullis.guards.not_run",
                "Guards that did not do their work, by cause",
            ),
            quarantines: make.counter(
                "portcullis.hook.quarantines",
                "Components put in quarantine",
            ),
            tokens: make.counter(
                "portcullis.hook.model.tokens",
                "Tokens of the model that hooks used",
            ),
        }
    }

    /// Records a hook run.
    pub(super) fn ran(&self, run: &HookRun) {
        let outcome = match &run.status {
            RunStatus::Completed { outcome, .. } => outcome.name(),
            RunStatus::NotApplied { .. } => "not-applied",
            RunStatus::Failed { .. } => "failed",
            RunStatus::Skipped => "skipped",
            RunStatus::Backgrounded => return,
        };
        let hook = || KeyValue::new("hook", run.hook.to_string());
        let point = || KeyValue::new("point", run.point.name());
        let mode = || KeyValue::new("mode", run.mode.name());
        let outcome = KeyValue::new("outcome", outcome);
        self.runs.add(1, &[hook(), point(), outcome, mode()]);
        if let RunStatus::Skipped = run.status {
            return;
        }
        let of = [hook(), point()];
        self.seconds.record(run.latency.as_secs_f64(), &of);
        if let Some(fuel) = run.fuel {
            self.fuel.record(fuel, &of);
        }
        if let Some(memory) = run.memory {
            self.memory.record(memory, &of);
        }
        if run.restarted {
            self.restarts.add(1, &of);
        }
        match &run.status {
            RunStatus::Completed {
                outcome: OutcomeKind::Reject,
                ..
            } => self.refusals.add(1, &[hook(), point(), mode()]),
            RunStatus::Failed { cause, fatal, .. } => {
                let cause = KeyValue::new("cause", cause.code());
                let failed_closed = KeyValue::new("failed_closed", *fatal);
                self.failures
                    .add(1, &[hook(), point(), cause, failed_closed]);
            }
            _ => {}
        }
    }

    pub(super) fn guard_did_not_run(&self, guard: &NotRun<'_>) {
        let of = [
            KeyValue::new("hook", guard.hook.to_string()),
            KeyValue::new("point", guard.point.name()),
            KeyValue::new("cause", guard.cause.code()),
            KeyValue::new("refused", guard.refused),
        ];
        self.not_run.add(1, &of);
    }

    pub(super) fn quarantine(&self, change: &QuarantineChange<'_>) {
        if let Some(cause) = change.cause {
            let hook = KeyValue::new("hook", change.hook.to_string());
            let cause = KeyValue::new("cause", cause.code());
            self.quarantines.add(1, &[hook, cause]);
        }
    }

    /// Records the tokens of a hook's call of the agent's model.
    pub(super) fn used_model(&self, hook: &str, usage: &Usage) {
        for (kind, tokens) in [
            ("input", usage.input_tokens),
            ("output", usage.output_tokens),
        ] {
            let hook = KeyValue::new("hook", hook.to_owned());
            self.tokens
                .add(tokens, &[hook, KeyValue::new("type", kind)]);
        }
    }
}
