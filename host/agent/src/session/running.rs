//! A running session: the state that all parts of the loop work on.

use std::sync::Arc;

use portcullis::contract::{ContentPart, Context, Message, Role, Usage};
use portcullis::points::session_end::{EndReason, SessionSummary};
use portcullis::points::{SessionEnd, SessionStart, session_start};
use portcullis::{Decision, SessionInfo, SessionOptions, Views};

use super::NewSession;
use super::turn_prompt::TurnPrompt;
use crate::agent::{AgentContext, Shared};
use crate::error::SessionError;
use crate::events::{AgentEvent, Emitted, SessionEndReason};
use crate::tokens::TokenMeter;

/// No tokens.
pub(super) const NO_USAGE: Usage = Usage {
    input_tokens: 0,
    output_tokens: 0,
    cache_read_tokens: 0,
    cache_write_tokens: 0,
};

/// A running session.
pub(super) struct Running {
    pub(super) shared: Arc<Shared>,
    pub(super) hooks: portcullis::Session,
    pub(super) place: Place,
    /// What every call sees: the tools and the session. The rest is put in for each call.
    pub(super) views: Views,
    /// What hooks have made of the turn's prompt; its tools and contributions are in `views` too.
    pub(super) turn_prompt: TurnPrompt,
    /// Shared with the call that is running, and with nobody between calls.
    pub(super) conversation: Arc<Vec<Message>>,
    pub(super) meter: TokenMeter,
    /// What all model calls used.
    pub(super) usage: Usage,
    /// What the model calls of the turn used.
    pub(super) turn_usage: Usage,
    /// The turn that is running, or that was dropped.
    pub(super) open_turn: Option<OpenTurn>,
}

/// What a running turn has put into the conversation.
#[derive(Debug, Clone, Copy)]
pub(super) struct OpenTurn {
    /// How many messages there were before it.
    pub(super) start: usize,
    /// Where what the user said is.
    pub(super) input_at: Option<usize>,
    /// Where the output is.
    pub(super) output_at: Option<usize>,
}

/// Where in the session things happen.
pub(super) struct Place {
    pub(super) session_id: Arc<str>,
    pub(super) turn: u32,
    pub(super) step: u32,
    agent: String,
    /// The record for hooks, kept from call to call.
    spare: Option<Context>,
}

impl Place {
    /// The record for hooks.
    pub(super) fn context(&mut self) -> Context {
        let mut context = self.spare.take().unwrap_or_else(|| Context {
            session_id: self.session_id.to_string(),
            agent: self.agent.clone(),
            turn: 0,
            step: 0,
        });
        context.turn = self.turn;
        context.step = self.step;
        context
    }

    /// Keeps the record for the next call.
    pub(super) fn give_back(&mut self, context: Context) {
        self.spare = Some(context);
    }

    /// The agent's name.
    pub(super) fn agent(&self) -> &str {
        &self.agent
    }
}

impl Running {
    pub(super) fn new(shared: Arc<Shared>, new: NewSession) -> Self {
        let AgentContext { hooks, config, .. } = &shared.context;
        let mut hooks = hooks.session(SessionOptions {
            id: new.id.clone(),
            sink: Arc::new(shared.asides.clone()),
            approver: new.approver,
            keep_values: new.keep_values,
        });
        if let Some(prepare) = &shared.prepare {
            prepare(&mut hooks);
        }
        let views = Views {
            tools: shared.catalog.clone(),
            session: Arc::new(SessionInfo {
                user: new.user,
                working_dir: new.working_dir.map(|dir| dir.display().to_string()),
                parent: new.parent,
                metadata: new.metadata,
            }),
            ..Views::default()
        };
        let place = Place {
            session_id: new.id.into(),
            turn: 0,
            step: 0,
            agent: config.name.clone(),
            spare: None,
        };
        let conversation = opening(config.system_prompt.as_deref(), new.history);
        Self {
            hooks,
            place,
            views,
            turn_prompt: TurnPrompt::new(&shared.catalog),
            conversation: Arc::new(conversation),
            meter: TokenMeter::default(),
            usage: NO_USAGE,
            turn_usage: NO_USAGE,
            open_turn: None,
            shared,
        }
    }

    pub(super) fn id(&self) -> &str {
        &self.place.session_id
    }

    /// Emits an event, if anybody listens.
    pub(super) fn emit(&self, event: impl FnOnce() -> AgentEvent) {
        let Place {
            session_id,
            turn,
            step,
            ..
        } = &self.place;
        self.shared
            .context
            .events
            .emit(|| Emitted::new(session_id.clone(), *turn, *step, event()));
    }

    /// Adds a message and says where it is.
    pub(super) fn push(&mut self, role: Role, content: Vec<ContentPart>) -> usize {
        let messages = Arc::make_mut(&mut self.conversation);
        messages.push(Message { role, content });
        messages.len() - 1
    }

    /// Adds up what a model call used.
    pub(super) fn spend(&mut self, usage: &Usage) {
        add(&mut self.usage, usage);
        add(&mut self.turn_usage, usage);
    }

    pub(super) async fn start(&mut self) -> Result<(), SessionError> {
        if self.hooks.serves::<SessionStart>() {
            let info = session_start::SessionInfo {
                provider: self.shared.provider.clone(),
                model: self.shared.model.clone(),
                tools: count(self.views.tools.len()),
            };
            let conversation = self.conversation.clone();
            let ran = self
                .ask::<SessionStart>(info, |views| views.conversation = conversation)
                .await;
            match ran.decision {
                Decision::Passed => {}
                Decision::Rejected { by, rejection } => {
                    return Err(SessionError::Rejected { by, rejection });
                }
                Decision::Failed(failed) => return Err(failed.into()),
                Decision::Answered { answer, .. } => match answer {},
                Decision::Stopped { stop, .. } => match stop {},
            }
        }
        self.emit(|| AgentEvent::SessionStarted {
            provider: self.shared.provider.clone(),
            model: self.shared.model.clone(),
            tools: self.views.tools.names().map(str::to_owned).collect(),
        });
        Ok(())
    }

    /// Fires `session-end`. Nothing a hook does there keeps the session from ending.
    pub(super) async fn end(&mut self, reason: SessionEndReason) {
        self.forget_prompt();
        let turns = self.place.turn;
        self.place.turn = 0;
        self.place.step = 0;
        if self.hooks.serves::<SessionEnd>() {
            let summary = SessionSummary {
                reason: match reason {
                    SessionEndReason::Closed => EndReason::Closed,
                    SessionEndReason::Rejected => EndReason::Rejected,
                    SessionEndReason::Cancelled => EndReason::Cancelled,
                    SessionEndReason::Failed => EndReason::Failed,
                },
                turns,
                usage: self.usage,
            };
            let conversation = self.conversation.clone();
            self.ask::<SessionEnd>(summary, |views| views.conversation = conversation)
                .await;
        }
        self.emit(|| AgentEvent::SessionEnded {
            reason,
            turns,
            usage: self.usage,
        });
    }
}

fn opening(system_prompt: Option<&str>, history: Vec<Message>) -> Vec<Message> {
    let has_prompt = history
        .first()
        .is_some_and(|message| message.role == Role::System);
    let prompt = system_prompt.filter(|_| !has_prompt).map(|text| Message {
        role: Role::System,
        content: vec![ContentPart::Text(text.to_owned())],
    });
    prompt.into_iter().chain(history).collect()
}

fn add(sum: &mut Usage, more: &Usage) {
    sum.input_tokens = sum.input_tokens.saturating_add(more.input_tokens);
    sum.output_tokens = sum.output_tokens.saturating_add(more.output_tokens);
    sum.cache_read_tokens = sum.cache_read_tokens.saturating_add(more.cache_read_tokens);
    sum.cache_write_tokens = sum
        .cache_write_tokens
        .saturating_add(more.cache_write_tokens);
}

/// A count for the contract, whose counts are of 32 bits.
pub(super) fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
