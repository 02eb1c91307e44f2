//! The span at the start of a turn, and the choice of its trace.

use std::time::{Duration, SystemTime};

use opentelemetry::trace::SpanKind;
use portcullis::trace::TraceContext;
use portcullis_agent::{TurnFrom, TurnSpan};

use super::names;
use super::session::SessionSpans;
use super::sink::SpanSink;
use super::span::{OpenSpan, new_span_id};

/// Begins the span of a turn.
pub(super) fn begin(sink: &SpanSink, spans: &SessionSpans, turn: &TurnSpan<'_>) -> OpenSpan {
    let new = |context: TraceContext, parent: Option<u64>| {
        let name = format!("invoke_agent {}", spans.agent);
        OpenSpan::new(context, parent, name, SpanKind::Internal)
    };
    let entered = |parent: &TraceContext| {
        let context = sink.entered(parent);
        new(context, Some(parent.span_id)).remote()
    };
    let session = &spans.span.context;
    // In another trace than the session's, the turn's span links to the session's span.
    let mut span = match turn.from {
        TurnFrom::Continued(Some(kept)) => {
            let mut span = new(kept.context.clone(), kept.parent).remote();
            span.start = SystemTime::UNIX_EPOCH + Duration::from_millis(kept.began_ms);
            span.set(names::CONTINUED, true);
            span
        }
        TurnFrom::Resumed(Some(kept)) => entered(&kept.context),
        TurnFrom::New | TurnFrom::Resumed(None) | TurnFrom::Continued(None) => {
            match (turn.parent, &spans.given) {
                (Some(parent), _) => entered(parent),
                (None, None) => new(sink.root(), None),
                (None, Some(_)) => {
                    let context = session.with_span(new_span_id());
                    return new(context, Some(session.span_id));
                }
            }
        }
    };
    span.link(session);
    span
}
