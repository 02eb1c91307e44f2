//! A running session: the state that all parts of the loop work on.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use portcullis::contract::{ContentPart, Message, Role, Usage};
use portcullis::points::session_end::{EndReason, SessionSummary};
use portcullis::points::{SessionEnd, SessionStart, session_start};
use portcullis::{AgentState, Approver, Decision, SessionInfo, SessionOptions, Views};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::NewSession;
use super::steering::Steering;
use super::turn_prompt::TurnPrompt;
use crate::agent::Shared;
use crate::checkpoint::{CheckpointId, CheckpointStore};
use crate::error::SessionError;
use crate::events::{AgentEvent, AgentSink, Emitted, EventSender, SessionEndReason};
use crate::jobs::Asides;
use crate::tokens::TokenMeter;
use crate::workspace::Workspace;

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
    /// Where events go: a sub-agent's go where its parent's do.
    pub(super) events: EventSender,
    pub(super) hooks: portcullis::Session,
    /// Where hooks' runs are told.
    pub(super) sink: Arc<AgentSink>,
    pub(super) place: Place,
    /// What every call sees: the tools and the session. The rest is put in for each call.
    pub(super) views: Views,
    /// Shared with the call that is running, and with nobody between calls.
    pub(super) conversation: Arc<Vec<Message>>,
    pub(super) meter: TokenMeter,
    /// What all model calls used.
    pub(super) usage: Usage,
    /// What the model calls of the turn used.
    pub(super) turn_usage: Usage,
    /// The turn that is running, or that was dropped.
    pub(super) open_turn: Option<OpenTurn>,
    pub(super) steering: Steering,
    /// What hooks have made of the turn's prompt; its tools and contributions are in `views` too.
    pub(super) prompt: TurnPrompt,
    /// Where remarks and jobs go.
    pub(super) on_the_side: Asides,
    /// How this session came to be, for the sub-agents it starts.
    pub(super) family: Family,
    /// Where a suspended turn waits; nothing where none may be suspended.
    pub(super) checkpoints: Option<Arc<dyn CheckpointStore>>,
    /// The workspace that the session is to work in.
    pub(super) wants_workspace: Option<String>,
    pub(super) workspace: Option<Workspace>,
    /// The checkpoints of sub-agents that wait for the turn to go on.
    pub(super) waiting_children: Mutex<Vec<CheckpointId>>,
    /// Set from when a turn's checkpoint is being kept: the session goes on from there, not from
    /// here.
    left: Arc<AtomicBool>,
}

/// What is above a session: nothing, unless it is a sub-agent's.
#[derive(Clone, Default)]
pub(crate) struct Above {
    /// The agents, the first of all first. Their hooks run first.
    pub(super) agents: Vec<Arc<Shared>>,
    /// The workspace that its parent works in.
    pub(super) workspace: Option<Workspace>,
}

/// What a session's sub-agents take over from it.
#[derive(Clone)]
pub(super) struct Family {
    /// The agents above, the first of all first.
    pub(super) parents: Vec<Arc<Shared>>,
    pub(super) approver: Arc<dyn Approver>,
    pub(super) keep_values: bool,
}

/// What a running turn has put into the conversation, and what it needs from step to step.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct OpenTurn {
    /// How many messages there were before it.
    pub(super) start: usize,
    /// The messages before it, once it has changed them.
    pub(super) original: Option<Vec<Message>>,
    /// Where what the user said is.
    pub(super) input_at: Option<usize>,
    /// Where the output is.
    pub(super) output_at: Option<usize>,
    /// How often hooks have kept it going.
    pub(super) kept_going: u32,
    /// The agent's state before it.
    pub(super) state: Map<String, Value>,
    #[serde(skip, default = "Instant::now")]
    pub(super) began: Instant,
    /// How long it took before it was suspended.
    pub(super) before: Duration,
}

impl OpenTurn {
    /// A turn that begins, with this conversation and state.
    pub(super) fn new(conversation: &[Message], state: Map<String, Value>) -> Self {
        Self {
            start: conversation.len(),
            original: None,
            input_at: None,
            output_at: None,
            kept_going: 0,
            state,
            began: Instant::now(),
            before: Duration::ZERO,
        }
    }

    /// Keeps the messages before the turn, which are about to change.
    pub(super) fn keep_original(&mut self, conversation: &[Message]) {
        if self.original.is_none() {
            self.original = conversation.get(..self.start).map(<[_]>::to_vec);
        }
    }

    /// How long it has taken, without the time it was suspended.
    pub(super) fn elapsed(&self) -> Duration {
        self.before + self.began.elapsed()
    }
}

/// Where in the session things happen.
pub(super) struct Place {
    pub(super) session_id: Arc<str>,
    pub(super) turn: u32,
    pub(super) step: u32,
    agent: String,
}

impl Place {
    /// The agent's name.
    pub(super) fn agent(&self) -> &str {
        &self.agent
    }
}

impl Running {
    /// A session of an agent. `parents` are the agents above it, whose hooks run first.
    pub(super) fn new(shared: Arc<Shared>, new: NewSession, above: Above) -> Self {
        let Above {
            agents: parents,
            workspace,
        } = above;
        let events = match parents.first() {
            Some(first) => first.context.events.clone(),
            None => shared.context.events.clone(),
        };
        // A parent's hooks run here too, and are recorded where they always are.
        let mut journals = std::iter::once(&shared).chain(parents.iter().rev());
        let journal = journals.find_map(|agent| agent.journal.clone());
        let on_the_side = Asides::new(events.clone(), &shared, &parents);
        let sink = AgentSink::new(&new.id, events.clone(), journal);
        let sink = Arc::new(sink.with_asides(on_the_side.clone()));
        let options = SessionOptions {
            id: new.id.clone(),
            sink: sink.clone(),
            approver: new.approver.clone(),
            keep_values: new.keep_values,
        };
        let hooks = open_hooks(&shared, &parents, options);
        let config = &shared.context.config;
        let views = Views {
            tools: shared.catalog.clone(),
            state: Arc::new(AgentState {
                values: new.state,
                diff: Map::new(),
            }),
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
        };
        let conversation = opening(config.system_prompt.as_deref(), new.history);
        Self {
            events,
            hooks,
            sink,
            place,
            views,
            conversation: Arc::new(conversation),
            meter: TokenMeter::default(),
            usage: NO_USAGE,
            turn_usage: NO_USAGE,
            open_turn: None,
            steering: new.steering,
            prompt: TurnPrompt::new(&shared.catalog),
            on_the_side,
            family: Family {
                parents,
                approver: new.approver,
                keep_values: new.keep_values,
            },
            checkpoints: new.checkpoints,
            wants_workspace: new.workspace,
            workspace,
            waiting_children: Mutex::default(),
            left: Arc::default(),
            shared,
        }
    }

    pub(super) fn id(&self) -> &str {
        &self.place.session_id
    }

    /// Whether the session goes on from a checkpoint.
    pub(super) fn is_left(&self) -> bool {
        self.left.load(Ordering::Acquire)
    }

    pub(super) fn set_left(&self, left: bool) {
        self.left.store(left, Ordering::Release);
    }

    /// Tells whether the session goes on from a checkpoint, while it is borrowed.
    pub(super) fn left(&self) -> impl Fn() -> bool + use<> {
        let left = self.left.clone();
        move || left.load(Ordering::Acquire)
    }

    /// Emits an event, if anybody listens.
    pub(super) fn emit(&self, event: impl FnOnce() -> AgentEvent) {
        self.emit_of(None, event);
    }

    /// Emits an event about a tool call, if anybody listens.
    pub(super) fn emit_of(&self, call_id: Option<&str>, event: impl FnOnce() -> AgentEvent) {
        let Place {
            session_id,
            turn,
            step,
            ..
        } = &self.place;
        self.events.emit(|| Emitted {
            call_id: call_id.map(str::to_owned),
            ..Emitted::new(session_id.clone(), *turn, *step, event())
        });
    }

    /// How long the turn has taken.
    pub(super) fn turn_elapsed(&self) -> Duration {
        self.open_turn
            .as_ref()
            .map_or(Duration::ZERO, OpenTurn::elapsed)
    }

    /// Adds up what a model call used.
    pub(super) fn spend(&mut self, usage: &Usage) {
        add(&mut self.usage, usage);
        add(&mut self.turn_usage, usage);
    }

    pub(super) async fn start(&mut self) -> Result<(), SessionError> {
        self.open_workspace().await?;
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
                Decision::Pending(pending) => match pending.first.ask {},
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
        self.discard_children().await;
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
        self.close_workspace().await;
        self.emit(|| AgentEvent::SessionEnded {
            reason,
            turns,
            usage: self.usage,
        });
    }
}

/// Opens an agent's hooks, its parents' first.
fn open_hooks(
    shared: &Shared,
    parents: &[Arc<Shared>],
    options: SessionOptions,
) -> portcullis::Session {
    let mut agents = parents.iter().map(|parent| &**parent).chain([shared]);
    let first = agents.next().unwrap_or(shared);
    let mut hooks = first.context.hooks.session(options);
    first.prepare(&mut hooks);
    for agent in agents {
        hooks.stack(&agent.context.hooks);
        agent.prepare(&mut hooks);
    }
    hooks
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

pub(super) fn add(sum: &mut Usage, more: &Usage) {
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
