//! The open spans of one session of an agent.

use std::collections::HashMap;
use std::time::SystemTime;

use opentelemetry::trace::SpanKind;
use portcullis::points::PointId;
use portcullis::trace::TraceContext;
use portcullis_agent::TracePlace;
use sha2::{Digest as _, Sha256};

use super::names;
use super::sink::SpanSink;
use super::span::OpenSpan;
use crate::conventions;
use crate::metrics::HookUse;

/// The open spans of one session.
pub(super) struct SessionSpans {
    /// The session's id.
    pub(super) session: String,
    /// The parent of the session's span.
    pub(super) given: Option<TraceContext>,
    pub(super) agent: String,
    pub(super) span: OpenSpan,
    pub(super) turn: Option<TurnSpans>,
}

/// The open spans of one turn.
pub(super) struct TurnSpans {
    pub(super) span: OpenSpan,
    pub(super) step: Option<StepSpans>,
    /// The resources that the turn's hooks have used.
    pub(super) used: HookUse,
}

/// The open spans of one step.
pub(super) struct StepSpans {
    pub(super) span: OpenSpan,
    pub(super) model: Option<OpenSpan>,
    /// The tool calls, by id.
    pub(super) tools: HashMap<String, OpenSpan>,
    /// Whether the whole step happened in another process, which has recorded it.
    pub(super) is_replayed: bool,
}

impl SessionSpans {
    /// Returns the span for this place.
    pub(super) fn within(&self, place: TracePlace<'_>) -> &TraceContext {
        let Some(turn) = &self.turn else {
            return &self.span.context;
        };
        let step = turn.step.as_ref();
        let of_step = step.map_or(&turn.span.context, |step| &step.span.context);
        let tool = |id: Option<&str>| {
            let tool = step?.tools.get(id?)?;
            Some(&tool.context)
        };
        match place {
            TracePlace::Model => {
                let model = step.and_then(|step| step.model.as_ref());
                model.map_or(of_step, |model| &model.context)
            }
            TracePlace::Tool(id) => tool(Some(id)).unwrap_or(of_step),
            TracePlace::Point(point, id) => match point {
                PointId::SessionStart | PointId::SessionEnd => &self.span.context,
                PointId::PreTurn
                | PointId::PostTurn
                | PointId::PromptPolicy
                | PointId::PromptContext
                | PointId::PromptRecall
                | PointId::PromptTools
                | PointId::PromptCompile
                | PointId::PreStep
                | PointId::TurnError
                | PointId::TurnStopping
                | PointId::TurnSuspended
                | PointId::TurnResumed => &turn.span.context,
                _ => tool(id).unwrap_or(of_step),
            },
        }
    }

    /// Returns the open span of this id.
    pub(super) fn find(&mut self, id: u64) -> Option<&mut OpenSpan> {
        let is = |span: &&mut OpenSpan| span.context.span_id == id;
        let turn = self.turn.as_mut();
        let (turn, step) = turn.map_or((None, None), |turn| {
            (Some(&mut turn.span), turn.step.as_mut())
        });
        let in_step = step.into_iter().flat_map(|step| {
            let StepSpans {
                span, model, tools, ..
            } = step;
            let inner = model.iter_mut().chain(tools.values_mut());
            std::iter::once(span).chain(inner)
        });
        let mut all = std::iter::once(&mut self.span).chain(turn).chain(in_step);
        all.find(is)
    }

    /// Returns the span of the current step, or else of the turn, or else of the session.
    pub(super) fn innermost(&mut self) -> &mut OpenSpan {
        match &mut self.turn {
            None => &mut self.span,
            Some(turn) => match &mut turn.step {
                None => &mut turn.span,
                Some(step) => &mut step.span,
            },
        }
    }

    /// Ends the turn's span and the open spans in it.
    pub(super) fn end_turn(&mut self, sink: &SpanSink) {
        if let Some(mut turn) = self.turn.take() {
            turn.end_step(sink);
            self.span.child_ended(SystemTime::now());
            sink.end(turn.span);
        }
    }
}

impl TurnSpans {
    /// Begins the span of a step.
    pub(super) fn begin_step(&mut self, step: u32, sink: &SpanSink) {
        self.end_step(sink);
        let context = derived(&self.span.context, "step", &step.to_string());
        let parent = Some(self.span.context.span_id);
        let mut span = OpenSpan::new(context, parent, format!("step {step}"), SpanKind::Internal);
        span.set(names::STEP, i64::from(step));
        self.step = Some(StepSpans {
            span,
            model: None,
            tools: HashMap::new(),
            is_replayed: false,
        });
    }

    /// Ends the step's span and the open spans in it.
    pub(super) fn end_step(&mut self, sink: &SpanSink) {
        let Some(StepSpans {
            mut span,
            model,
            tools,
            is_replayed,
        }) = self.step.take()
        else {
            return;
        };
        for child in model.into_iter().chain(tools.into_values()) {
            span.child_ended(child.end.unwrap_or_else(SystemTime::now));
            sink.end(child);
        }
        if !is_replayed {
            sink.end(span);
        }
    }
}

impl StepSpans {
    /// Returns the span of a tool call, and begins it if needed.
    pub(super) fn tool(&mut self, call_id: &str, name: &str) -> &mut OpenSpan {
        let Self { span, tools, .. } = self;
        tools.entry(call_id.to_owned()).or_insert_with(|| {
            let context = derived(&span.context, "tool", call_id);
            let parent = Some(span.context.span_id);
            let mut tool = OpenSpan::new(
                context,
                parent,
                format!("execute_tool {name}"),
                SpanKind::Internal,
            );
            tool.set(conventions::OPERATION, "execute_tool");
            tool.set(conventions::TOOL, name.to_owned());
            tool.set(conventions::TOOL_CALL, call_id.to_owned());
            tool.set(conventions::TOOL_TYPE, "function");
            tool
        })
    }

    /// Ends the spans of the tool calls.
    pub(super) fn end_tools(&mut self, sink: &SpanSink) {
        for (_, tool) in self.tools.drain() {
            self.span
                .child_ended(tool.end.unwrap_or_else(SystemTime::now));
            sink.end(tool);
        }
    }
}

/// Returns the context of a child span. Its id is the same in each process that runs the turn.
fn derived(parent: &TraceContext, kind: &str, key: &str) -> TraceContext {
    let mut hasher = Sha256::new();
    hasher.update(parent.trace_id.to_be_bytes());
    hasher.update(parent.span_id.to_be_bytes());
    hasher.update(kind);
    hasher.update([0]);
    hasher.update(key);
    let digest: [u8; 32] = hasher.finalize().into();
    let id = digest.iter().take(8);
    let id = id.fold(0, |id, byte| id << 8 | u64::from(*byte));
    parent.with_span(id.max(1))
}
