//! Requests from outside that are answered with hooks.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use opentelemetry::Value;
use opentelemetry::trace::SpanKind;
use portcullis::trace::{CallTrace, TraceContext};

use crate::spans::{BY, CODE, DECISION, Observed, OpenSpan};

/// A request from outside. The request's span ends when this value is dropped.
pub struct Entry {
    observed: Arc<Observed>,
    span: EntrySpan,
}

/// The span of a request.
enum EntrySpan {
    Recorded(Box<OpenSpan>),
    /// Nothing is recorded. This is the caller's span.
    PassedOn(TraceContext),
    /// Nothing is recorded, and the caller has no span.
    None,
}

impl Entry {
    pub(crate) fn begin(
        observed: Arc<Observed>,
        name: String,
        parent: Option<&TraceContext>,
    ) -> Self {
        let recorded = |span| EntrySpan::Recorded(Box::new(span));
        let span = match (observed.sink.records(), parent) {
            (false, Some(parent)) => EntrySpan::PassedOn(parent.clone()),
            (false, None) => EntrySpan::None,
            (true, Some(parent)) => {
                let context = observed.sink.entered(parent);
                let parent = Some(parent.span_id);
                recorded(OpenSpan::new(context, parent, name, SpanKind::Server).remote())
            }
            (true, None) => {
                let context = observed.sink.root();
                recorded(OpenSpan::new(context, None, name, SpanKind::Server))
            }
        };
        Self { observed, span }
    }

    /// Returns the context for calls made for the request: its span, or the caller's span if
    /// nothing is recorded.
    pub fn within(&self) -> Option<EntryContext> {
        match &self.span {
            EntrySpan::Recorded(span) => Some(EntryContext {
                context: span.context.clone(),
                records: true,
            }),
            EntrySpan::PassedOn(context) => Some(EntryContext::passed_on(context.clone())),
            EntrySpan::None => None,
        }
    }

    /// Sets an attribute.
    pub fn set(&mut self, key: &'static str, value: impl Into<Value>) {
        if let EntrySpan::Recorded(span) = &mut self.span {
            span.set(key, value);
        }
    }

    /// Records the decision about the request.
    pub fn decided(&mut self, decision: &'static str) {
        self.set(DECISION, decision);
    }

    /// Records the hook that decided, and the code of its decision if there is one.
    pub fn decided_by(&mut self, hook: &str, code: Option<&str>) {
        self.set(BY, hook.to_owned());
        if let Some(code) = code {
            self.set(CODE, code.to_owned());
        }
    }

    /// Records that the request failed. `kind` is the value of the attribute `error.type`.
    pub fn fail(&mut self, kind: impl Into<Value>) {
        if let EntrySpan::Recorded(span) = &mut self.span {
            span.fail(kind, None);
        }
    }
}

/// The trace context of a request from outside, for calls made for the request. Cheap to clone.
#[derive(Debug, Clone, PartialEq)]
pub struct EntryContext {
    context: TraceContext,
    records: bool,
}

impl EntryContext {
    /// Returns the context of a caller, for a request that is not recorded.
    pub fn passed_on(context: TraceContext) -> Self {
        Self {
            context,
            records: false,
        }
    }

    /// Returns the trace context to pass on in calls made for the request.
    pub fn context(&self) -> &TraceContext {
        &self.context
    }

    /// Returns the trace in which the hooks of a point are called for the request.
    pub fn of_call(&self) -> Arc<CallTrace> {
        static CALLS: AtomicU64 = AtomicU64::new(0);
        let context = self.context.clone();
        Arc::new(match self.records {
            true => CallTrace::new(context, CALLS.fetch_add(1, Ordering::Relaxed)),
            false => CallTrace::passed_on(context),
        })
    }
}

impl std::fmt::Debug for Entry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Entry")
            .field("within", &self.within())
            .finish_non_exhaustive()
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        if let EntrySpan::Recorded(span) = std::mem::replace(&mut self.span, EntrySpan::None) {
            self.observed.sink.end(*span);
        }
    }
}
