//! The destination of spans that have ended.

use opentelemetry::InstrumentationScope;
use portcullis::trace::TraceContext;

use super::sampler::Sampler;
use super::span::{OpenSpan, new_span_id, new_trace_id};
use crate::export::Queue;

/// The destination of spans that have ended.
#[derive(Debug)]
pub(crate) struct SpanSink {
    queue: Option<Queue>,
    sampler: Sampler,
    scope: InstrumentationScope,
    /// Whether spans hold messages, arguments and results.
    pub(crate) content: bool,
}

impl SpanSink {
    pub(crate) fn new(queue: Option<Queue>, sampler: Sampler, content: bool) -> Self {
        let scope = InstrumentationScope::builder("portcullis")
            .with_version(env!("CARGO_PKG_VERSION"))
            .build();
        Self {
            queue,
            sampler,
            scope,
            content,
        }
    }

    /// Returns a context for the first span of a trace.
    pub(crate) fn root(&self) -> TraceContext {
        let trace_id = new_trace_id();
        TraceContext {
            trace_id,
            span_id: new_span_id(),
            flags: u8::from(self.records() && self.sampler.samples(trace_id, None)),
            state: None,
            baggage: None,
        }
    }

    /// Returns a context for a span whose parent is another program's.
    pub(crate) fn entered(&self, parent: &TraceContext) -> TraceContext {
        let sampled = self
            .sampler
            .samples(parent.trace_id, Some(parent.is_recorded()));
        TraceContext {
            // A process that records nothing keeps the decision of its caller.
            flags: match self.records() {
                true => u8::from(sampled),
                false => parent.flags,
            },
            ..parent.with_span(new_span_id())
        }
    }

    /// Returns whether spans are sent.
    pub(crate) fn records(&self) -> bool {
        self.queue.is_some()
    }

    /// Ends a span.
    pub(crate) fn end(&self, span: OpenSpan) {
        if let Some(queue) = &self.queue
            && span.context.is_recorded()
        {
            queue.push(span.into_data(&self.scope));
        }
    }

    /// Sends the queued spans.
    pub(crate) async fn flush(&self) {
        if let Some(queue) = &self.queue {
            queue.flush().await;
        }
    }
}
