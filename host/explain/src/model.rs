//! The explanation of a session.

use portcullis::hooks::Mode;
use portcullis::verdict::{Approval, Effect};
use portcullis_agent::{FieldChange, HookAuthority, NotRun, RunState, WouldHave};
use schemars::JsonSchema;
use serde::Serialize;

/// The events of a session. Times are in microseconds; `at-us` counts from the session's first
/// record. Hosts record starts in milliseconds, so shorter distances between items are not exact.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Explanation {
    /// The session.
    pub session: String,
    /// The agent, if the journal has it.
    pub agent: Option<String>,
    /// The session of the agent above, if this is a sub-agent's.
    pub parent: Option<String>,
    /// The time of the first record, in milliseconds since the Unix epoch.
    pub began_ms: u64,
    /// The turns, in order. Events before the first turn and after the last are in turns with the
    /// number 0.
    pub turns: Vec<Turn>,
    /// The hooks with their roles and grants, as they were when the session was opened last.
    pub hooks: Vec<HookAuthority>,
    /// The counts.
    pub totals: Totals,
}

/// The counts of a session, including its sub-agents.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Totals {
    /// Turns.
    pub turns: usize,
    /// Model calls, also failed ones.
    pub model_calls: usize,
    /// Tool calls, including those that did not run.
    pub tool_calls: usize,
    /// Hook runs that were called.
    pub runs: usize,
    /// Refusals that counted.
    pub refusals: usize,
    /// Refusals in audit mode, which did not count.
    pub would_refuse: usize,
    /// Runs that changed a value.
    pub changes: usize,
    /// Runs that failed or reached their deadline.
    pub failures: usize,
    /// Hooks that were not called or whose answer was not applied.
    pub not_run: usize,
    /// The time in hooks that the agent waited for, in microseconds.
    pub hooks_us: u64,
    /// The fuel of all runs.
    pub fuel: u64,
}

/// A turn.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Turn {
    /// The number, counted from 1; 0 outside of turns.
    pub number: u32,
    /// The number of earlier turns with this number. The number of a turn that is not saved is used again.
    pub repeated: u32,
    /// The start time.
    pub at_us: u64,
    /// The duration, up to its last record.
    pub took_us: u64,
    /// The user's message, if the journal keeps values.
    pub input: Option<String>,
    /// The turn's end, if the journal has it.
    pub end: Option<TurnEnd>,
    /// Its steps. Events before the first step and after the last are in steps with the number 0.
    pub steps: Vec<Step>,
}

/// A turn's end.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct TurnEnd {
    /// The way in which it ended.
    pub state: TurnState,
    /// The origin of its output, or the reason for its failure, in words.
    pub reason: String,
    /// The output, if the journal keeps values.
    pub output: Option<String>,
    /// The id of the run that caused it, if a hook did.
    pub caused_by: Option<String>,
    /// The tokens that were sent to models.
    pub input_tokens: u64,
    /// The tokens that models wrote.
    pub output_tokens: u64,
}

/// The way in which a turn ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TurnState {
    /// The turn has an output.
    Ended,
    /// The turn failed.
    Failed,
    /// The turn was cancelled.
    Cancelled,
    /// The turn waits for an answer or a result.
    Suspended,
    /// The process died or dropped the turn, and another turn began in its place.
    Interrupted,
}

/// A step, or the time between steps.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Step {
    /// The number, counted from 1; 0 outside of steps.
    pub number: u32,
    /// The events, in order.
    pub items: Vec<Item>,
}

/// An event. In JSON, `kind` names the variant.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Item {
    /// The hooks of a point ran.
    Chain(Chain),
    /// A model was called.
    Model(ModelCall),
    /// A tool was called.
    Tool(Box<ToolCall>),
    /// Another event.
    Note(Note),
}

/// The hooks of a point, in the order they ran.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Chain {
    /// The point; `model` for a hook's call of the agent's model.
    pub point: String,
    /// The runs, including those that were skipped.
    pub runs: Vec<Run>,
}

/// A call of a hook.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Run {
    /// Its id in this explanation.
    pub id: String,
    /// The hook.
    pub hook: String,
    /// The start time.
    pub at_us: u64,
    /// The duration.
    pub took_us: Option<u64>,
    /// Its fuel, if fuel was counted.
    pub fuel: Option<u64>,
    /// Its state.
    #[schemars(with = "String")]
    pub state: RunState,
    /// The outcome, by its name in `hooks.toml`.
    pub outcome: Option<String>,
    /// Whether its answer counted, if that is known: `enforce` or `audit`.
    #[schemars(with = "Option<String>")]
    pub mode: Option<Mode>,
    /// In audit mode, the result that its answer would have had.
    pub would: Option<WouldHave>,
    /// The result, in words.
    pub would_have: Option<String>,
    /// The attempt at the operation, counted from 1.
    pub attempt: u32,
    /// The code of its refusal, or of the cause of its failure.
    pub code: Option<String>,
    /// The reason for its refusal or failure, or its question.
    pub message: Option<String>,
    /// Whether the operation was refused because it failed.
    pub fatal: bool,
    /// The decision: `approved`, `denied`, `changed`, or `unanswered` if nobody answered, which is
    /// a no.
    #[schemars(with = "Option<String>")]
    pub approval: Option<Approval>,
    /// The fields that the person changed, if the journal keeps values.
    pub approval_changes: Option<Vec<FieldChange>>,
    /// The person whose answer the decision replaced, and where that answer was given.
    pub approval_replaces: Option<String>,
    /// Whether it changed the value.
    pub changed: bool,
    /// The fields that it changed, if the journal keeps values.
    pub changes: Vec<FieldChange>,
    /// The number of its contributions, including those that audit mode did not apply. Changes of
    /// the agent's state count.
    pub contributed: usize,
    /// The fields of its contributions, as JSON pointers into the list of all, if the journal keeps
    /// values.
    pub added: Vec<FieldChange>,
    /// The grants that it used, as `hooks.toml` has them.
    pub used: Vec<String>,
    /// The digest of its component.
    pub component: Option<String>,
    /// The id of the run because of which it did not run, or its answer was not applied.
    pub stopped_by: Option<String>,
    /// The id of the item that it ended: a tool call, a model call or a turn (`turn-2`).
    pub ended: Option<String>,
}

/// A model call.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct ModelCall {
    /// Its id in this explanation.
    pub id: String,
    /// The provider.
    pub provider: String,
    /// The model.
    pub model: String,
    /// The attempt, counted from 1.
    pub attempt: u32,
    /// The start time.
    pub at_us: u64,
    /// The duration.
    pub took_us: u64,
    /// The tokens sent.
    pub input_tokens: u64,
    /// The tokens written.
    pub output_tokens: u64,
    /// The number of tool calls in the response.
    pub tool_calls: usize,
    /// The error, if it failed.
    pub error: Option<String>,
    /// The hook that answered in the model's place.
    pub answered_by: Option<String>,
    /// The id of that hook's run.
    pub caused_by: Option<String>,
}

/// A tool call.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct ToolCall {
    /// Its id in this explanation.
    pub id: String,
    /// The id that the model gave it.
    pub call_id: String,
    /// The tool's name. A journal does not have the name for a waiting call.
    pub name: Option<String>,
    /// The time of its first record.
    pub at_us: u64,
    /// The time when the tool began to run.
    pub ran_at_us: Option<u64>,
    /// The duration of the tool's run.
    pub took_us: u64,
    /// The arguments, if the journal keeps values.
    pub arguments: Option<String>,
    /// The result, if the journal keeps values.
    pub result: Option<String>,
    /// Whether it ran, as far as that is known.
    pub ran: bool,
    /// Whether it is not known if it ran: [`why_unknown`](Self::why_unknown) returns why.
    pub unknown: bool,
    /// The reason why it did not run, if the journal has it.
    pub not_run: Option<NotRun>,
    /// The event that it waits for, if its turn is suspended and it has no result.
    pub waits_for: Option<WaitsFor>,
    /// Whether the result is an error.
    pub is_error: bool,
    /// The id of the run that kept it from running.
    pub caused_by: Option<String>,
    /// The id of the run that withheld its result.
    pub withheld_by: Option<String>,
    /// The hooks before it and after it.
    pub chains: Vec<Chain>,
    /// The events in the session of the sub-agent that it started.
    pub subagent: Option<Box<Explanation>>,
}

impl ToolCall {
    /// Returns why it is not known whether it ran; `None` if it is known.
    pub fn why_unknown(&self) -> Option<&'static str> {
        if let Some(why) = self.not_run.filter(|_| self.unknown) {
            return Some(why.words());
        }
        let mut runs = self.chains.iter().flat_map(|chain| &chain.runs);
        let is_asked = runs.any(|run| {
            run.outcome.as_deref() == Some("ask")
                && run.mode != Some(Mode::Audit)
                && run.approval.is_none()
        });
        self.unknown.then_some(match is_asked {
            true => "a hook asked, and the journal does not have the answer",
            false => "the journal has neither its start nor its result",
        })
    }
}

/// The event that a call of a suspended turn waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum WaitsFor {
    /// A person's answer to a hook's question.
    Answer,
    /// Its result, from the client or from a sub-agent.
    Result,
    /// The continuation of its turn: the call has its answer or its result.
    Continuation,
}

impl WaitsFor {
    /// Returns a description in words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Answer => "it waits for an answer",
            Self::Result => "it waits for its result",
            Self::Continuation => "it is answered, and waits until the turn is continued",
        }
    }
}

/// Another event.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Note {
    /// The time.
    pub at_us: u64,
    /// The event, in words.
    pub text: String,
    /// The hook that caused it, if one did.
    pub hook: Option<String>,
}

impl Run {
    /// Returns whether it refused, and its refusal counted: as an answer, as a no to its question,
    /// or as a failure that is closed.
    pub fn refused(&self) -> bool {
        self.mode != Some(Mode::Audit)
            && (self.fatal
                || self.outcome.as_deref() == Some("reject")
                || matches!(self.approval, Some(Approval::Denied | Approval::Unanswered)))
    }

    /// Returns whether it would have refused if it were enforced.
    pub fn would_refuse(&self) -> bool {
        let failed = |would: &WouldHave| would.effect == Effect::Failed;
        self.mode == Some(Mode::Audit)
            && (self.outcome.as_deref() == Some("reject")
                || self.would.as_ref().is_some_and(failed))
    }

    /// Returns whether it failed or reached its deadline.
    pub fn failed(&self) -> bool {
        matches!(
            self.state,
            RunState::Failed | RunState::TimedOut | RunState::Lost
        )
    }

    /// Returns whether it was not called, or its answer was not applied.
    pub fn did_not_run(&self) -> bool {
        matches!(self.state, RunState::Skipped | RunState::NotApplied)
    }

    /// Returns whether it did nothing but continue.
    pub fn is_quiet(&self) -> bool {
        let continued =
            self.state == RunState::Completed && self.outcome.as_deref() == Some("continue");
        continued && !self.changed && self.approval.is_none()
    }
}

impl Turn {
    /// Returns the id of the turn, which no other turn of the session has.
    pub fn id(&self) -> String {
        match self.repeated {
            0 => format!("turn-{}", self.number),
            repeated => format!("turn-{}-{repeated}", self.number),
        }
    }

    /// Returns all items, in order.
    pub fn items(&self) -> impl Iterator<Item = &Item> {
        self.steps.iter().flat_map(|step| &step.items)
    }
}

impl Item {
    /// Returns the hooks of a point that ran in it.
    pub fn chains(&self) -> &[Chain] {
        match self {
            Self::Chain(chain) => std::slice::from_ref(chain),
            Self::Tool(call) => &call.chains,
            _ => &[],
        }
    }
}

impl Explanation {
    /// Returns every run of the session, except those of sub-agents.
    pub fn runs(&self) -> impl Iterator<Item = (&Chain, &Run)> {
        let items = self.turns.iter().flat_map(Turn::items);
        items
            .flat_map(Item::chains)
            .flat_map(|chain| chain.runs.iter().map(move |run| (chain, run)))
    }

    /// Names the tool of a call that waits. A journal has the tool once the call runs or has its result; until then, the
    /// suspended turn has it. The call of a sub-agent has the id `agent-call-id/call-id`.
    pub fn name_waiting(&mut self, call_id: &str, tool: &str) {
        let steps = self.turns.iter_mut().flat_map(|turn| &mut turn.steps);
        for item in steps.flat_map(|step| &mut step.items) {
            let Item::Tool(call) = item else {
                continue;
            };
            if call.call_id == call_id {
                if call.waits_for.is_some() && call.name.is_none() {
                    call.name = Some(tool.to_owned());
                }
                continue;
            }
            let of_subagent = call_id
                .strip_prefix(call.call_id.as_str())
                .and_then(|rest| rest.strip_prefix('/'));
            if let (Some(id), Some(below)) = (of_subagent, call.subagent.as_deref_mut()) {
                below.name_waiting(id, tool);
            }
        }
    }

    /// Returns the explanation with only this turn, without the turns numbered 0.
    pub fn only(mut self, turn: u32) -> Self {
        self.turns.retain(|it| it.number == turn);
        self.count();
        self
    }

    /// Returns the explanations of the sub-agents' sessions.
    pub(crate) fn subagents(&self) -> impl Iterator<Item = &Self> {
        let items = self.turns.iter().flat_map(Turn::items);
        items.filter_map(|item| match item {
            Item::Tool(call) => call.subagent.as_deref(),
            _ => None,
        })
    }

    pub(crate) fn count(&mut self) {
        let mut totals = Totals {
            turns: self.turns.iter().filter(|turn| turn.number > 0).count(),
            ..Totals::default()
        };
        for item in self.turns.iter().flat_map(Turn::items) {
            match item {
                Item::Model(_) => totals.model_calls += 1,
                Item::Tool(call) => {
                    totals.tool_calls += 1;
                    if let Some(below) = &call.subagent {
                        totals.add(&below.totals);
                    }
                }
                _ => {}
            }
        }
        for (_, run) in self.runs() {
            totals.runs += usize::from(run.state != RunState::Skipped);
            totals.refusals += usize::from(run.refused());
            totals.would_refuse += usize::from(run.would_refuse());
            totals.changes += usize::from(run.changed);
            totals.failures += usize::from(run.failed());
            totals.not_run += usize::from(run.did_not_run());
            totals.hooks_us += run.took_us.unwrap_or_default();
            totals.fuel += run.fuel.unwrap_or_default();
        }
        self.totals = totals;
    }
}

impl Totals {
    fn add(&mut self, below: &Self) {
        self.model_calls += below.model_calls;
        self.tool_calls += below.tool_calls;
        self.runs += below.runs;
        self.refusals += below.refusals;
        self.would_refuse += below.would_refuse;
        self.changes += below.changes;
        self.failures += below.failures;
        self.not_run += below.not_run;
        self.hooks_us += below.hooks_us;
        self.fuel += below.fuel;
    }
}
