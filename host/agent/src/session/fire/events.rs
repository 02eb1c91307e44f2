//! Emitting a session's events, and recording them in the journal.

use portcullis::contract::ContentPart;
use portcullis::points::PointId;
use portcullis::verdict::PersonAnswer;
use serde::Serialize;
use serde_json::Value;

use crate::basics::text;
use crate::basics::units::now_ms;
use crate::events::{AgentEvent, Emitted, Position, TraceContent};
use crate::journal::{
    EventRow, HookAuthority, JournalEvent, RepeatDecision, next_run_id, shortened,
};
use crate::session::state::{HookSet, SessionState};

impl SessionState {
    /// Emits an event to subscribers, and records it.
    pub(crate) fn emit(&self, event: impl FnOnce() -> AgentEvent) {
        let keeps_content = self.trace.keeps_content();
        if self.journal.is_none() && !keeps_content {
            return self.events.emit(|| self.at(event()));
        }
        let event = event();
        if keeps_content {
            self.trace_content(&event);
        }
        if let Some(recorded) = self.recorded(&event) {
            self.record(recorded);
        }
        self.events.emit(|| self.at(event));
    }

    /// Returns an event at the session's position.
    pub(super) fn at(&self, event: AgentEvent) -> Emitted {
        let Position {
            session_id,
            turn,
            step,
        } = self.position.clone();
        Emitted {
            replayed: self.effects.is_replaying(),
            ..Emitted::new(session_id, turn, step, event)
        }
    }

    /// Records that the session is open, with its hooks.
    pub(crate) fn record_opening(&self) {
        if self.journal.is_none() {
            return;
        }
        let agents = self.ancestry.parents.iter().chain([&self.shared]);
        self.record(JournalEvent::SessionOpened {
            agent: self.agent().to_owned(),
            parent: self.views.session.parent.clone(),
            hooks: agents
                .flat_map(|agent| {
                    HookAuthority::in_session(&agent.context.hooks, &self.ancestry.root)
                })
                .collect(),
        });
    }

    /// Passes content to the tracer, which may keep it with spans.
    fn trace_content(&self, event: &AgentEvent) {
        let said = |text: &str| self.words(text);
        match event {
            AgentEvent::TurnEnded { text, .. } => {
                self.trace.said(TraceContent::Output(&said(text)));
            }
            AgentEvent::ToolStarted {
                call_id, arguments, ..
            } => self.trace.said(TraceContent::Arguments {
                call_id,
                text: &said(arguments),
            }),
            AgentEvent::ToolFinished {
                call_id, content, ..
            } => self.trace.said(TraceContent::Result {
                call_id,
                text: &said(content),
            }),
            _ => {}
        }
    }

    /// Records that a turn begins.
    pub(crate) fn record_input(&self, input: &[ContentPart]) {
        if self.trace.keeps_content() {
            let text = self.words(&text::joined(input));
            self.trace.said(TraceContent::Input(&text));
        }
        if self.journal.is_some() {
            let input = self.kept(|| text::joined(input));
            self.record(JournalEvent::TurnBegan { input });
        }
    }

    /// Records that the turn of a dead process is continued here.
    pub(crate) fn record_continued(&self) {
        self.write(JournalEvent::TurnContinued);
    }

    /// Emits an event if the hooks differ from those that the continued turn began with.
    pub(crate) fn emit_other_hooks(&mut self) {
        let Some(then) = self.began_under.take() else {
            return;
        };
        if let Some(differ) = then.differs(&HookSet::of(&self.shared.context.hooks)) {
            // This event is new, even if the following work is replayed.
            self.events.emit(|| Emitted {
                replayed: false,
                ..self.at(differ)
            });
        }
    }

    /// Records a person's answer to a hook's question.
    pub(super) fn record_answer(
        &self,
        answer: PersonAnswer,
        point: PointId,
        call_id: Option<&str>,
    ) {
        let keeps_values = self.keeps_values();
        self.record(JournalEvent::decided(answer, point, call_id, keeps_values));
    }

    /// Waits until the journal has written its entries. A process that takes an effect from the
    /// record then need not write the effect's runs and events again. A failing journal has
    /// reported its failure.
    pub(super) async fn flush_journal(&self) {
        if let Some(journal) = &self.journal {
            let _ = journal.committed(self.id()).await;
        }
    }

    fn record(&self, event: JournalEvent) {
        // The process that did the replayed work has recorded its events.
        if self.effects.is_replaying() {
            return;
        }
        self.write(event);
    }

    fn write(&self, event: JournalEvent) {
        if let Some(journal) = &self.journal {
            journal.event(EventRow {
                id: next_run_id(),
                session: self.id().to_owned(),
                turn: self.position.turn,
                step: self.position.step,
                at_ms: now_ms(),
                event,
            });
        }
    }

    fn keeps_values(&self) -> bool {
        self.journal
            .as_ref()
            .is_some_and(|journal| journal.keeps_values())
    }

    /// Returns a text of people, models or tools, if the journal keeps values.
    fn kept(&self, text: impl FnOnce() -> String) -> Option<String> {
        // Redacted before it is cut, so that a part of a secret cannot remain at its end.
        self.keeps_values()
            .then(|| shortened(&self.hooks.redact(&text())))
    }

    fn words(&self, text: &str) -> String {
        shortened(&self.hooks.redact(text))
    }

    /// Returns the journal's form of an event; `None` if the journal does not record it.
    fn recorded(&self, event: &AgentEvent) -> Option<JournalEvent> {
        Some(match event {
            AgentEvent::SessionEnded { reason, .. } => JournalEvent::SessionEnded {
                reason: json(reason).as_str().unwrap_or_default().to_owned(),
            },
            AgentEvent::TurnEnded {
                text,
                origin,
                usage,
                elapsed_ms,
                ..
            } => JournalEvent::TurnEnded {
                origin: json(origin),
                input_tokens: usage.input_tokens,
                output_tokens: usage.output_tokens,
                elapsed_ms: *elapsed_ms,
                output: self.kept(|| text.clone()),
            },
            AgentEvent::TurnFailed {
                error,
                cancelled,
                elapsed_ms,
                ..
            } => JournalEvent::TurnFailed {
                error: self.words(error),
                cancelled: *cancelled,
                elapsed_ms: *elapsed_ms,
            },
            AgentEvent::TurnSuspended { reason, .. } => JournalEvent::TurnSuspended {
                reason: reason.clone(),
            },
            AgentEvent::TurnResumed { .. } => JournalEvent::TurnResumed,
            AgentEvent::LlmCallFinished {
                provider,
                model,
                attempt,
                usage,
                tool_calls,
                answered_by,
                elapsed_ms,
                ..
            } => JournalEvent::ModelCalled {
                provider: provider.clone(),
                model: model.clone(),
                attempt: *attempt,
                input_tokens: usage.input_tokens,
                output_tokens: usage.output_tokens,
                tool_calls: *tool_calls,
                answered_by: answered_by.clone(),
                error: None,
                elapsed_ms: *elapsed_ms,
            },
            AgentEvent::LlmCallFailed {
                provider,
                model,
                attempt,
                error,
                elapsed_ms,
                ..
            } => JournalEvent::ModelCalled {
                provider: provider.clone(),
                model: model.clone(),
                attempt: *attempt,
                input_tokens: 0,
                output_tokens: 0,
                tool_calls: 0,
                answered_by: None,
                error: Some(self.words(error)),
                elapsed_ms: *elapsed_ms,
            },
            AgentEvent::Retry { action, by } => JournalEvent::Retry {
                action: json(action),
                by: by.clone(),
            },
            AgentEvent::ToolStarted {
                call_id,
                name,
                arguments,
            } => JournalEvent::ToolStarted {
                call_id: call_id.clone(),
                name: name.clone(),
                arguments: self.kept(|| arguments.clone()),
            },
            AgentEvent::ToolRepeatDecided {
                call_id,
                name,
                decision,
            } => {
                let reason = decision.reason.as_deref();
                JournalEvent::ToolRepeatDecided {
                    call_id: call_id.clone(),
                    name: name.clone(),
                    decision: RepeatDecision {
                        approval: decision.approval,
                        reason: reason.and_then(|reason| self.kept(|| reason.to_owned())),
                    },
                }
            }
            AgentEvent::ToolFinished {
                call_id,
                name,
                is_error,
                ran,
                not_run,
                content,
                elapsed_ms,
            } => JournalEvent::ToolFinished {
                call_id: call_id.clone(),
                name: name.clone(),
                is_error: *is_error,
                ran: *ran,
                not_run: *not_run,
                elapsed_ms: *elapsed_ms,
                result: self.kept(|| content.clone()),
            },
            AgentEvent::SubagentStarted {
                call_id,
                agent,
                session,
            } => JournalEvent::SubagentStarted {
                call_id: call_id.clone(),
                agent: agent.clone(),
                session: session.clone(),
            },
            AgentEvent::Stopping { by, code, message } => JournalEvent::Stopping {
                by: by.clone(),
                code: code.clone(),
                message: message.clone(),
            },
            AgentEvent::KeptGoing { by, .. } => JournalEvent::KeptGoing { by: by.clone() },
            AgentEvent::Compacted {
                removed,
                tokens_before,
                tokens_after,
                ..
            } => JournalEvent::Compacted {
                removed: *removed,
                tokens_before: *tokens_before,
                tokens_after: *tokens_after,
            },
            AgentEvent::StateChanged { tool, hook, keys } => JournalEvent::StateChanged {
                by: hook.clone().or_else(|| tool.clone()).unwrap_or_default(),
                keys: keys.clone(),
            },
            _ => return None,
        })
    }
}

fn json(value: &impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}
