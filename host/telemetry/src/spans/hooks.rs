//! The spans of hooks' runs.

use std::collections::HashMap;
use std::time::SystemTime;

use opentelemetry::trace::SpanKind;
use parking_lot::Mutex;
use portcullis::observer::RunStarted;
use portcullis::points::OutcomeKind;
use portcullis::trace::TraceContext;
use portcullis::verdict::{Approval, HookRun, RunStatus};

use super::names;
use super::span::OpenSpan;
use super::values::whole;

/// The spans of the runs that have not ended, by the runs' numbers in the process.
#[derive(Default)]
pub(crate) struct RunSpans(Mutex<HashMap<u64, Run>>);

struct Run {
    session: String,
    hook: String,
    span: OpenSpan,
}

impl RunSpans {
    /// Begins the span of a run.
    pub(crate) fn started(&self, run: &RunStarted<'_>) {
        let (Some(context), Some(call)) = (run.span(), run.trace) else {
            return;
        };
        let parent = Some(call.context().span_id);
        let mut span = OpenSpan::new(
            context,
            parent,
            format!("run_hook {}", run.hook),
            SpanKind::Internal,
        );
        span.set(names::HOOK, run.hook.to_string());
        span.set(names::POINT, run.point.name());
        span.set_some(
            names::COMPONENT,
            run.component.map(|digest| digest.to_string()),
        );
        let run_of = Run {
            session: run.session.to_string(),
            hook: run.hook.to_string(),
            span,
        };
        self.0.lock().insert(run.id, run_of);
    }

    /// Records that a run has ended, was detached or was skipped. Returns the span of a run that
    /// has ended.
    pub(crate) fn ended(&self, run: &HookRun, content: bool) -> Option<OpenSpan> {
        let mut runs = self.0.lock();
        if let RunStatus::Backgrounded = run.status {
            return None;
        }
        let Run { mut span, .. } = runs.remove(&run.id)?;
        drop(runs);
        describe(&mut span, run, content);
        span.end = Some(SystemTime::now());
        (!matches!(run.status, RunStatus::Skipped)).then_some(span)
    }

    /// Records that the call of a run was dropped. Returns the run's span.
    pub(crate) fn abandoned(&self, run: u64) -> Option<OpenSpan> {
        let Run { mut span, .. } = self.0.lock().remove(&run)?;
        span.set(names::OUTCOME, "cancelled");
        Some(span)
    }

    /// Returns the session and the span of this hook's run in this session. An empty `session` means any session, if
    /// the hook runs in only one.
    pub(crate) fn of_hook(&self, session: &str, hook: &str) -> Option<(String, TraceContext)> {
        let runs = self.0.lock();
        let mut runs = runs
            .values()
            .filter(|run| run.hook == hook && (session.is_empty() || run.session == session));
        let run = runs.next()?;
        let is_one = runs.all(|other| other.session == run.session);
        is_one.then(|| (run.session.clone(), run.span.context.clone()))
    }
}

fn describe(span: &mut OpenSpan, run: &HookRun, content: bool) {
    span.set(names::MODE, run.mode.name());
    span.set_some(names::FUEL, run.fuel.map(whole));
    span.set_some(names::MEMORY, run.memory.map(whole));
    span.set(names::CHANGED, run.change.is_some());
    span.set_some(names::ANSWER, run.outcome().map(OutcomeKind::name));
    if run.restarted {
        span.set(names::RESTARTED, true);
    }
    span.set_some(names::APPROVAL, run.approval.map(approval));
    match &run.status {
        RunStatus::Completed { rejection, .. } => {
            let code = rejection.as_ref().map(|rejection| rejection.code.clone());
            span.set_some(names::CODE, code);
        }
        RunStatus::Failed {
            cause,
            message,
            fatal,
        } => {
            span.set(names::FATAL, *fatal);
            span.fail(cause.code(), content.then(|| message.to_string()));
        }
        RunStatus::NotApplied { .. } => span.set(names::OUTCOME, "not-applied"),
        RunStatus::Skipped | RunStatus::Backgrounded => {}
    }
}

fn approval(approval: Approval) -> &'static str {
    match approval {
        Approval::Approved => "approved",
        Approval::Denied => "denied",
        Approval::Unanswered => "unanswered",
        Approval::Changed => "changed",
    }
}
