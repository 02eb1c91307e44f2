//! Where spans go once they have ended.

use opentelemetry::InstrumentationScope;
use portcullis::trace::TraceContext;

use super::sampler::Sampler;
use super::span::{OpenSpan, new_span_id, new_trace_id};
use crate::export::Queue;

/// Where spans go once they have ended.
#[derive(Debug)]
pub(crate) struct SpanSink {
    queue: Option<Queue>,
    sampler: Sampler,
    scope: InstrumentationScope,
    /// Whether spans hold what people, models and tools say.
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

    /// The context of a span that begins a trace.
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

    /// The context of a span that is part of another program's.
    pub(crate) fn entered(&self, parent: &TraceContext) -> TraceContext {
        let sampled = self
            .sampler
            .samples(parent.trace_id, Some(parent.is_recorded()));
        TraceContext {
            // Where nothing is recorded, the decision of those before counts.
            flags: match self.records() {
                true => u8::from(sampled),
                false => parent.flags,
            },
            ..parent.with_span(new_span_id())
        }
    }

    /// Whether spans are sent.
    pub(crate) fn records(&self) -> bool {
        self.queue.is_some()
    }

    /// A span has ended.
    pub(crate) fn end(&self, span: OpenSpan) {
        if let Some(queue) = &self.queue
            && span.context.is_recorded()
        {
            queue.push(span.into_data(&self.scope));
        }
    }

    /// Sends what waits.
    pub(crate) async fn flush(&self) {
        if let Some(queue) = &self.queue {
            queue.flush().await;
        }
    }
}
