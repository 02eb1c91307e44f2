//! An observer of the hooks of a session, which makes spans and metrics of their runs.

use std::sync::Arc;
use std::time::SystemTime;

use opentelemetry::KeyValue;
use portcullis::observer::{
    HookEvent, HookObserver, LogLine, NotRun, QuarantineChange, RunStarted, TracingSink,
};
use portcullis::verdict::{HookRun, RunStatus};

use super::hooks::RunSpans;
use super::names;
use super::sink::SpanSink;
use super::span::OpenSpan;
use crate::logs::Logs;
use crate::metrics::Metrics;

/// The state that all observers share.
pub(crate) struct Observed {
    pub(crate) sink: SpanSink,
    pub(crate) metrics: Metrics,
    pub(crate) logs: Option<Logs>,
    pub(crate) runs: RunSpans,
}

/// The open spans in which hooks are called.
pub(crate) trait ParentSpan: Send + Sync {
    /// Changes an open span, if it belongs to the session.
    fn with_span(&self, session: &str, span: u64, work: &mut dyn FnMut(&mut OpenSpan));

    /// Adds a run to the use of the session's turn, which is measured against the turn's budget.
    fn ran(&self, session: &str, run: &HookRun);
}

/// An observer of the hooks of a session.
pub(crate) struct Observer {
    observed: Arc<Observed>,
    session: String,
    parents: Option<Arc<dyn ParentSpan>>,
    /// Receives lines and events too, unless the embedder passes them on.
    also: Option<TracingSink>,
}

impl Observer {
    pub(crate) fn new(
        observed: Arc<Observed>,
        session: &str,
        parents: Option<Arc<dyn ParentSpan>>,
    ) -> Self {
        Self {
            observed,
            session: session.to_owned(),
            parents,
            also: None,
        }
    }

    /// Passes lines and events to `tracing` too.
    pub(crate) fn and_logs(self) -> Self {
        Self {
            also: Some(TracingSink),
            ..self
        }
    }

    /// Records a run that has ended.
    fn record(&self, run: &HookRun) {
        if !matches!(run.status, RunStatus::Backgrounded) {
            self.observed.metrics.ran(run);
        }
        let content = self.observed.sink.content;
        if let Some(span) = self.observed.runs.ended(run, content) {
            self.end(span, Some(run));
        }
    }

    fn end(&self, span: OpenSpan, run: Option<&HookRun>) {
        if let (Some(parents), Some(parent)) = (&self.parents, span.parent()) {
            let now = SystemTime::now();
            parents.with_span(&self.session, parent, &mut |parent| {
                parent.child_ended(now);
                if let Some(run) = run {
                    decided(parent, run);
                }
            });
        }
        self.observed.sink.end(span);
    }
}

impl HookObserver for Observer {
    fn log(&self, line: LogLine<'_>) {
        if let Some(also) = &self.also {
            also.log(line);
        }
        if let Some(logs) = &self.observed.logs {
            let hook = line.hook.to_string();
            match self.observed.runs.of_hook(&self.session, &hook) {
                Some((session, within)) => logs.line(&session, line, Some(&within)),
                None => logs.line(&self.session, line, None),
            }
        }
    }

    fn event(&self, event: HookEvent) {
        if let Some(also) = &self.also {
            also.event(event);
        }
    }

    fn watches_runs(&self) -> bool {
        true
    }

    fn digests_inputs(&self) -> bool {
        false
    }

    fn started(&self, run: &RunStarted<'_>) {
        if self.observed.sink.records() || self.observed.logs.is_some() {
            self.observed.runs.started(run);
        }
    }

    fn ended(&self, _: &str, run: &HookRun) {
        // Detached runs do not count in their turn's budget.
        if let Some(parents) = &self.parents
            && !matches!(run.status, RunStatus::Backgrounded)
        {
            parents.ran(&self.session, run);
        }
        self.record(run);
    }

    fn abandoned(&self, _: &str, run: u64) {
        if let Some(span) = self.observed.runs.abandoned(run) {
            self.end(span, None);
        }
    }

    fn on_background_end(&self, _: &str, run: &HookRun) {
        self.record(run);
    }

    fn on_guard_skipped(&self, guard: NotRun<'_>) {
        self.observed.metrics.guard_did_not_run(&guard);
        if let Some(logs) = &self.observed.logs {
            logs.guard_did_not_run(&guard);
        }
    }

    fn quarantine(&self, change: QuarantineChange<'_>) {
        self.observed.metrics.quarantine(&change);
        if let Some(logs) = &self.observed.logs {
            logs.quarantine(&change);
        }
    }
}

/// Records a hook's decision in the span of the operation.
fn decided(span: &mut OpenSpan, run: &HookRun) {
    use portcullis::hooks::Mode;
    if run.mode == Mode::Audit {
        return;
    }
    match &run.status {
        RunStatus::Completed {
            rejection: Some(rejection),
            ..
        } => {
            span.set(names::BY, run.hook.to_string());
            span.set(names::CODE, rejection.code.clone());
            let attributes = vec![
                KeyValue::new(names::BY, run.hook.to_string()),
                KeyValue::new(names::CODE, rejection.code.clone()),
                KeyValue::new(names::POINT, run.point.name()),
            ];
            span.event("refused", attributes);
        }
        RunStatus::Failed {
            cause, fatal: true, ..
        } => {
            span.set(names::BY, run.hook.to_string());
            span.fail(cause.code(), None);
        }
        _ => {}
    }
}
