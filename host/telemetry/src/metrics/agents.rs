//! The metrics of agents.

use std::time::Duration;

use opentelemetry::KeyValue;
use opentelemetry::metrics::{Counter, Histogram};
use portcullis::verdict::HookRun;
use portcullis_agent::{AgentEvent, TurnOrigin};

use super::buckets::{FUEL, MODEL_SECONDS, TOKENS, TURN_HOOK_SECONDS};
use super::make::{Make, seconds};
use crate::conventions;
use crate::text::of_contract;

/// The resources that all hooks of a turn used.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct HookUse {
    time: Duration,
    fuel: u64,
}

impl HookUse {
    /// Adds a run that has ended.
    pub(crate) fn add(&mut self, run: &HookRun) {
        self.time = self.time.saturating_add(run.latency);
        self.fuel = self.fuel.saturating_add(run.fuel.unwrap_or_default());
    }
}

/// The metrics of agents.
pub(super) struct AgentMetrics {
    turns: Counter<u64>,
    turn_seconds: Histogram<f64>,
    turn_hook_seconds: Histogram<f64>,
    turn_hook_fuel: Histogram<u64>,
    tools: Counter<u64>,
    tool_seconds: Histogram<f64>,
    model_seconds: Histogram<f64>,
    model_tokens: Histogram<u64>,
}

impl AgentMetrics {
    pub(super) fn new(make: &Make) -> Self {
        Self {
            turns: make.counter("portcullis.turns", "Turns, by how they ended"),
            turn_seconds: make.seconds(
                "portcullis.turn.duration",
                "How long turns took",
                MODEL_SECONDS,
            ),
            turn_hook_seconds: make.seconds(
                "portcullis.turn.hook_duration",
                "How long all hooks of a turn ran together",
                TURN_HOOK_SECONDS,
            ),
            turn_hook_fuel: make.numbers(
                "portcullis.turn.hook_fuel",
                "",
                "The fuel that all hooks of a turn used together",
                FUEL,
            ),
            tools: make.counter("portcullis.tool.calls", "Tool calls, by how they ended"),
            tool_seconds: make.seconds(
                "portcullis.tool.duration",
                "How long tools ran",
                MODEL_SECONDS,
            ),
            model_seconds: make.seconds(
                conventions::MODEL_SECONDS,
                "How long model calls took",
                MODEL_SECONDS,
            ),
            model_tokens: make.numbers(
                conventions::MODEL_TOKENS,
                "{token}",
                "Tokens of model calls",
                TOKENS,
            ),
        }
    }

    /// Records the resources that the hooks of a turn used.
    pub(super) fn turn_used(&self, used: HookUse) {
        self.turn_hook_seconds.record(used.time.as_secs_f64(), &[]);
        self.turn_hook_fuel.record(used.fuel, &[]);
    }

    /// Records an event of an agent.
    pub(super) fn emitted(&self, event: &AgentEvent) {
        match event {
            AgentEvent::LlmCallFinished {
                provider,
                model,
                usage,
                answered_by: None,
                elapsed_ms,
                ..
            } => {
                let of = model_call(provider, model, None);
                self.model_seconds.record(seconds(*elapsed_ms), &of);
                for (kind, tokens) in [
                    ("input", usage.input_tokens),
                    ("output", usage.output_tokens),
                ] {
                    let kind = KeyValue::new(conventions::TOKEN_TYPE, kind);
                    let of = model_call(provider, model, Some(kind));
                    self.model_tokens.record(tokens, &of);
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
                let of = model_call(provider, model, Some(failed));
                self.model_seconds.record(seconds(*elapsed_ms), &of);
            }
            AgentEvent::ToolFinished {
                name,
                is_error,
                ran,
                elapsed_ms,
                ..
            } => {
                // A model may ask for any number of names. Only the agent's own tools run.
                let name = if *ran { name.as_str() } else { "(did not run)" };
                let outcome = if *is_error { "error" } else { "ok" };
                let tool = KeyValue::new("tool", name.to_owned());
                let outcome = KeyValue::new("outcome", outcome);
                self.tools.add(1, &[tool.clone(), outcome]);
                if *ran {
                    self.tool_seconds.record(seconds(*elapsed_ms), &[tool]);
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
                self.turn(outcome, Some(*elapsed_ms));
            }
            AgentEvent::TurnFailed {
                kind,
                cancelled,
                elapsed_ms,
                ..
            } => match kind.as_ref().map(of_contract) {
                _ if *cancelled => self.turn("cancelled", Some(*elapsed_ms)),
                Some(kind) if kind == "rejected" => self.turn("refused", Some(*elapsed_ms)),
                Some(_) => self.turn("failed", Some(*elapsed_ms)),
                // Another process continues it.
                None => {}
            },
            AgentEvent::TurnSuspended { .. } => self.turn("suspended", None),
            _ => {}
        }
    }

    fn turn(&self, outcome: &'static str, elapsed_ms: Option<u64>) {
        let outcome = [KeyValue::new("outcome", outcome)];
        self.turns.add(1, &outcome);
        if let Some(elapsed_ms) = elapsed_ms {
            self.turn_seconds.record(seconds(elapsed_ms), &outcome);
        }
    }
}

/// Returns the attributes of a model call.
fn model_call(provider: &str, model: &str, more: Option<KeyValue>) -> Vec<KeyValue> {
    let of = [
        KeyValue::new(conventions::OPERATION, "chat"),
        KeyValue::new(conventions::PROVIDER, provider.to_owned()),
        KeyValue::new(conventions::MODEL, model.to_owned()),
    ];
    of.into_iter().chain(more).collect()
}
