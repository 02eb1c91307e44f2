//! A span that has not ended.

use std::borrow::Cow;
use std::time::SystemTime;

use opentelemetry::trace::{Event, Link, SpanContext, SpanKind, Status, TraceFlags, TraceState};
use opentelemetry::{InstrumentationScope, KeyValue, SpanId, TraceId, Value};
use opentelemetry_sdk::trace::{
    IdGenerator as _, RandomIdGenerator, SpanData, SpanEvents, SpanLinks,
};
use portcullis::trace::TraceContext;

use crate::conventions;

/// A span that has not ended.
#[derive(Debug)]
pub(crate) struct OpenSpan {
    pub(crate) context: TraceContext,
    parent: Option<u64>,
    /// Whether the parent span is another process's.
    is_remote: bool,
    pub(crate) name: Cow<'static, str>,
    kind: SpanKind,
    pub(crate) start: SystemTime,
    /// The time at which the span ended, if it is known before the span is closed.
    pub(crate) end: Option<SystemTime>,
    /// The time at which the last child span ended.
    last: Option<SystemTime>,
    attributes: Vec<KeyValue>,
    events: Vec<Event>,
    links: Vec<Link>,
    status: Status,
}

/// Returns a new span id.
pub(crate) fn new_span_id() -> u64 {
    u64::from_be_bytes(RandomIdGenerator::default().new_span_id().to_bytes())
}

/// Returns a new trace id.
pub(crate) fn new_trace_id() -> u128 {
    u128::from_be_bytes(RandomIdGenerator::default().new_trace_id().to_bytes())
}

impl OpenSpan {
    /// Begins a span with this context.
    pub(crate) fn new(
        context: TraceContext,
        parent: Option<u64>,
        name: impl Into<Cow<'static, str>>,
        kind: SpanKind,
    ) -> Self {
        Self {
            context,
            parent,
            is_remote: false,
            name: name.into(),
            kind,
            start: SystemTime::now(),
            end: None,
            last: None,
            attributes: Vec::new(),
            events: Vec::new(),
            links: Vec::new(),
            status: Status::Unset,
        }
    }

    /// Begins a child span.
    pub(crate) fn within(
        parent: &TraceContext,
        name: impl Into<Cow<'static, str>>,
        kind: SpanKind,
    ) -> Self {
        let context = parent.with_span(new_span_id());
        Self::new(context, Some(parent.span_id), name, kind)
    }

    /// Marks the parent span as another process's.
    pub(crate) fn remote(mut self) -> Self {
        self.is_remote = true;
        self
    }

    /// Returns the id of the parent span.
    pub(crate) fn parent(&self) -> Option<u64> {
        self.parent
    }

    /// Sets an attribute.
    pub(crate) fn set(&mut self, key: &'static str, value: impl Into<Value>) {
        let value = value.into();
        match self
            .attributes
            .iter_mut()
            .find(|held| held.key.as_str() == key)
        {
            Some(held) => held.value = value,
            None => self.attributes.push(KeyValue::new(key, value)),
        }
    }

    /// Sets an attribute, if there is a value.
    pub(crate) fn set_some(&mut self, key: &'static str, value: Option<impl Into<Value>>) {
        if let Some(value) = value {
            self.set(key, value);
        }
    }

    /// Records a failure. `kind` is the value of the attribute `error.type`.
    pub(crate) fn fail(&mut self, kind: impl Into<Value>, words: Option<String>) {
        self.set(conventions::ERROR_TYPE, kind);
        self.status = Status::error(words.unwrap_or_default());
    }

    /// Records an event in the span.
    pub(crate) fn event(&mut self, name: &'static str, attributes: Vec<KeyValue>) {
        self.events
            .push(Event::new(name, SystemTime::now(), attributes, 0));
    }

    /// Links the span to another span.
    pub(crate) fn link(&mut self, to: &TraceContext) {
        let context = span_context(to, true);
        self.links.push(Link::new(context, Vec::new(), 0));
    }

    /// Records that a child span has ended.
    pub(crate) fn child_ended(&mut self, at: SystemTime) {
        self.last = self.last.max(Some(at));
    }

    /// Ends the span and returns its data. The end is the time in `end`, but not before the last
    /// child's; without it, the end is the current time.
    pub(crate) fn into_data(self, scope: &InstrumentationScope) -> SpanData {
        let end = match self.end {
            Some(end) => end.max(self.last.unwrap_or(end)),
            None => SystemTime::now(),
        };
        SpanData {
            span_context: span_context(&self.context, false),
            parent_span_id: self.parent.map_or(SpanId::INVALID, SpanId::from),
            parent_span_is_remote: self.is_remote,
            span_kind: self.kind,
            name: self.name,
            start_time: self.start,
            end_time: end.max(self.start),
            attributes: self.attributes,
            dropped_attributes_count: 0,
            events: {
                let mut events = SpanEvents::default();
                events.events = self.events;
                events
            },
            links: {
                let mut links = SpanLinks::default();
                links.links = self.links;
                links
            },
            status: self.status,
            instrumentation_scope: scope.clone(),
        }
    }
}

fn span_context(context: &TraceContext, is_remote: bool) -> SpanContext {
    let state = context.state.as_deref();
    let state = state.and_then(|text| text.parse::<TraceState>().ok());
    SpanContext::new(
        TraceId::from(context.trace_id),
        SpanId::from(context.span_id),
        TraceFlags::new(context.flags),
        is_remote,
        state.unwrap_or_default(),
    )
}
