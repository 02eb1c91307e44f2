//! The state of a session. Its code calls no hooks.

mod agent_state;
mod conversation;
mod edits;
mod hook_set;
mod prompt;
mod trace;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use parking_lot::Mutex;
use portcullis::approval::Approver;
use portcullis::contract::{ContentPart, StopReason, Usage};
use portcullis::session::SessionInfo;
use portcullis::{Hooks, SessionOptions, Views};
use serde::{Deserialize, Serialize};

pub(crate) use self::agent_state::{SharedState, StateChanges};
pub(crate) use self::conversation::{Conversation, OpenTurn, said, tool_calls};
pub(crate) use self::hook_set::HookSet;
pub(crate) use self::prompt::TurnPrompt;
pub(crate) use self::trace::SessionTrace;
use crate::basics::units::{millis, now_ms};
pub(crate) use crate::basics::usage::{NO_USAGE, SessionUsage, difference};
use crate::checkpoint::{CheckpointId, CheckpointStore};
use crate::effects::{Scope, TurnStore, UnfinishedTurn};
use crate::events::{EventSender, Position, TurnFrom};
use crate::exchange::{NewSession, Steering};
use crate::hook_model::HookModel;
use crate::jobs::SideOutputs;
use crate::journal::RunRecorder;
use crate::saved::SessionStore;
use crate::shared::{Parents, ResumedChildren, Shared};
use crate::sink::Reports;
use crate::workspace::Workspace;

/// A session, for all parts of the loop.
pub(crate) struct SessionState {
    pub(crate) shared: Arc<Shared>,
    pub(crate) hooks: portcullis::Session,
    /// The channel of events: the outermost parent's, in a sub-agent's session.
    pub(crate) events: EventSender,
    pub(crate) trace: SessionTrace,
    pub(crate) journal: Option<Arc<dyn RunRecorder>>,
    pub(crate) side_outputs: SideOutputs,
    pub(crate) position: Position,
    /// The views that every hook call can read. The other views are set for each call.
    pub(crate) views: Views,
    /// The agent's state.
    pub(crate) state: SharedState,
    pub(crate) conversation: Conversation,
    pub(crate) usage: SessionUsage,
    /// The turn's prompt. Its tools and contributions are in `views` too.
    pub(crate) prompt: TurnPrompt,
    pub(crate) steering: Steering,
    pub(crate) ancestry: Ancestry,
    /// The store for suspended turns. Without it no turn is suspended.
    pub(crate) checkpoints: Option<Arc<dyn CheckpointStore>>,
    /// The time for which a suspended turn waits for its answers.
    answer_within: Option<Duration>,
    /// The additional hooks of the current turn.
    pub(crate) turn_hooks: Option<Hooks>,
    /// The errors of the turn so far: failed model calls as texts, and results of tool calls that
    /// failed or did not run.
    pub(crate) turn_errors: Mutex<Vec<ContentPart>>,
    /// The store to claim the session in.
    pub(crate) unclaimed_in: Option<Arc<dyn SessionStore>>,
    /// The store that the session is claimed and saved in.
    pub(crate) sessions: Option<Arc<dyn SessionStore>>,
    /// The workspace to open.
    pub(crate) workspace_name: Option<String>,
    pub(crate) workspace: Option<Workspace>,
    /// The checkpoints of suspended sub-agents of the turn.
    waiting_children: Mutex<Vec<CheckpointId>>,
    /// The checkpoints of sub-agents that waited before the turn was resumed.
    restored_children: Vec<CheckpointId>,
    /// The checkpoints that sub-agents are resumed from in the outermost agent's turn.
    pub(crate) resumed_children: ResumedChildren,
    pub(crate) suspended: Suspended,
    /// The effects of the turn. In a sub-agent's session, the effects of its parent's call.
    pub(crate) effects: Scope,
    /// The store of unfinished turns. With it, the session's turns are recorded.
    pub(crate) turns: Option<Arc<dyn TurnStore>>,
    /// The turn that is recorded and has not ended.
    pub(crate) recorded_turn: Option<String>,
    /// The turn that another process began and did not end.
    pub(crate) unfinished: Option<Box<UnfinishedTurn>>,
    /// The hooks that the continued turn began with.
    pub(crate) began_under: Option<HookSet>,
}

/// The data that a session passes on to its sub-agents.
#[derive(Clone)]
pub(crate) struct Ancestry {
    /// The agents above, outermost first.
    pub(crate) parents: Vec<Arc<Shared>>,
    /// The id of the outermost agent's session.
    pub(crate) root: Arc<str>,
    pub(crate) approver: Arc<dyn Approver>,
    pub(crate) keep_values: bool,
    pub(crate) keep_calls: bool,
}

/// Whether the session's turn is suspended. It is set before the checkpoint is saved: from then on
/// the turn may be resumed elsewhere, so it must not continue here.
#[derive(Clone, Default)]
pub(crate) struct Suspended(Arc<AtomicBool>);

impl Suspended {
    pub(crate) fn get(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }

    pub(crate) fn set(&self, suspended: bool) {
        self.0.store(suspended, Ordering::Release);
    }
}

/// The facts of a step for `post-step`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct StepFacts {
    pub(crate) stop: StopReason,
    /// The number of tools the model called.
    pub(crate) asked_for: usize,
    /// The turn's usage before the step.
    pub(crate) before: Usage,
}

impl SessionState {
    pub(crate) fn new(shared: Arc<Shared>, new: NewSession, parents: Parents) -> Self {
        let Parents {
            agents: parents,
            root,
            turn_hooks,
            workspace,
            model_budgets,
            effects,
            resumed_children,
        } = parents;
        let outermost = parents.first().unwrap_or(&shared);
        let events = outermost.context.events.clone();
        let position = Position::session(&new.id);
        let trace = SessionTrace::open(
            events.tracer().cloned(),
            &position.session_id,
            &shared.context.config.name,
            new.trace,
        );
        let innermost_first = || std::iter::once(&shared).chain(parents.iter().rev());
        let jobs = innermost_first().map(|agent| agent.jobs.clone());
        let root = root.unwrap_or_else(|| new.id.as_str().into());
        let side_outputs = SideOutputs::new(events.clone(), jobs, root.clone());
        let journal = innermost_first().find_map(|agent| agent.journal.clone());
        let outputs = Some(side_outputs.clone());
        let sink = Reports {
            events: events.clone(),
            journal: journal.clone(),
            side_outputs: outputs,
            keep_calls: new.keep_calls,
        };
        let sink = sink.observer(&new.id);
        let journal_keeps = journal
            .as_ref()
            .is_some_and(|journal| journal.keeps_values());
        let usage = SessionUsage::default();
        let model = HookModel {
            providers: innermost_first()
                .map(|agent| agent.context.providers.clone())
                .collect(),
            first: (shared.provider.clone(), shared.model.clone()),
            timeout: Duration::from_millis(shared.context.config.llm_timeout_ms),
            session: new.id.as_str().into(),
            events: events.clone(),
            journal: journal.clone(),
            usage: usage.clone(),
        };
        let options = SessionOptions {
            id: new.id.clone(),
            root: Some(root.to_string()),
            sink,
            approver: new.approver.clone(),
            model: Arc::new(model),
            model_budgets,
            // Read once the session is claimed.
            state: None,
            keep_values: new.keep_values || journal_keeps,
        };
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
        let system_prompt = shared.context.config.system_prompt.as_deref();
        Self {
            hooks: open_hooks(&shared, &parents, turn_hooks.as_ref(), options),
            events,
            trace,
            journal,
            side_outputs,
            position,
            views,
            state: SharedState::new(new.state),
            conversation: Conversation::new(system_prompt, new.history),
            usage,
            prompt: TurnPrompt::new(&shared.catalog),
            steering: new.steering,
            ancestry: Ancestry {
                parents,
                root,
                approver: new.approver,
                keep_values: new.keep_values,
                keep_calls: new.keep_calls,
            },
            checkpoints: new.checkpoints,
            answer_within: new.answer_within,
            turn_hooks,
            turn_errors: Mutex::default(),
            unclaimed_in: new.sessions,
            sessions: None,
            workspace_name: new.workspace,
            workspace,
            waiting_children: Mutex::default(),
            restored_children: Vec::new(),
            resumed_children,
            suspended: Suspended::default(),
            effects,
            turns: new.turns,
            recorded_turn: None,
            unfinished: None,
            began_under: None,
            shared,
        }
    }

    /// Returns the store for suspended turns. A turn with additional hooks is not suspended,
    /// because it would be resumed without them.
    pub(crate) fn checkpoints(&self) -> Option<&Arc<dyn CheckpointStore>> {
        match self.turn_hooks {
            Some(_) => None,
            None => self.checkpoints.as_ref(),
        }
    }

    /// Returns the time after which the calls of a turn that is suspended now are denied.
    pub(crate) fn answers_until(&self) -> Option<u64> {
        let within = self.answer_within?;
        Some(now_ms().saturating_add(millis(within)))
    }

    /// Sets the additional hooks of the next turn.
    pub(crate) fn set_turn_hooks(&mut self, hooks: Option<Hooks>) {
        match &hooks {
            Some(front) => self.hooks.set_front(front),
            None => self.hooks.remove_front(),
        }
        self.turn_hooks = hooks;
    }

    pub(crate) fn id(&self) -> &str {
        &self.position.session_id
    }

    /// Flushes the hooks' state to the store, so that the state of ended runs is not lost. If the
    /// store fails, the flush is retried automatically.
    pub(crate) async fn flush_hooks_state(&self) {
        if let Err(error) = self.hooks.flush_state().await {
            // If the session is lost, saving the session reports it.
            if self.sessions.is_some() && error.session() == Some(self.id()) {
                return;
            }
            tracing::error!(session = self.id(), "{error}");
        }
    }

    /// Begins the span of a turn.
    pub(crate) fn begin_trace(&mut self, from: TurnFrom<'_>) {
        let first = (self.shared.provider.as_str(), self.shared.model.as_str());
        self.trace.begin_turn(self.position.turn, first, from);
    }

    /// Continues the span of a turn whose process has ended.
    pub(crate) fn continue_trace(&mut self) {
        let kept = self.trace.continued.take();
        self.begin_trace(TurnFrom::Continued(kept.as_ref()));
    }

    /// Returns the agent's name.
    pub(crate) fn agent(&self) -> &str {
        &self.shared.context.config.name
    }

    /// Sets the turn's prompt.
    pub(crate) fn set_prompt(&mut self, prompt: TurnPrompt) {
        self.views.prompt = prompt.prompt.clone();
        self.views.tools = prompt.tools.clone();
        self.prompt = prompt;
    }

    /// Removes the turn's prompt.
    pub(crate) fn clear_prompt(&mut self) {
        self.set_prompt(TurnPrompt::new(&self.shared.catalog));
    }

    /// Returns the estimated tokens of the conversation and the tools.
    pub(crate) fn conversation_tokens(&mut self) -> u64 {
        self.conversation.tokens(&self.views.tools)
    }

    /// Adds a sub-agent that waits until the turn is resumed.
    pub(crate) fn add_waiting_child(&self, checkpoint: CheckpointId) {
        self.waiting_children.lock().push(checkpoint);
    }

    /// Sets the sub-agents that waited before the turn was resumed.
    pub(crate) fn restore_children(&mut self, checkpoints: Vec<CheckpointId>) {
        let waiting = self.waiting_children.get_mut();
        waiting.extend(checkpoints.iter().cloned());
        self.restored_children = checkpoints;
    }

    /// Removes a sub-agent that no longer waits. Its checkpoint is discarded with the outermost
    /// agent's turn.
    pub(crate) fn resume_child(&self, checkpoint: &CheckpointId) {
        let mut waiting = self.waiting_children.lock();
        waiting.retain(|other| other != checkpoint);
        self.resumed_children.add(checkpoint.clone());
    }

    /// Removes the sub-agents that waited before the turn was resumed. Their checkpoints are kept.
    pub(crate) fn leave_restored_children(&mut self) {
        let restored = std::mem::take(&mut self.restored_children);
        let waiting = self.waiting_children.get_mut();
        waiting.retain(|checkpoint| !restored.contains(checkpoint));
    }

    pub(crate) fn take_waiting_children(&mut self) -> Vec<CheckpointId> {
        std::mem::take(self.waiting_children.get_mut())
    }
}

/// Opens an agent's hooks, its parents' first.
fn open_hooks(
    shared: &Shared,
    parents: &[Arc<Shared>],
    turn_hooks: Option<&Hooks>,
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
    if let Some(front) = turn_hooks {
        hooks.set_front(front);
    }
    hooks
}
