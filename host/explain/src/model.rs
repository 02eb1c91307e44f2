//! The explanation of a session.

use portcullis::hooks::Mode;
use portcullis::verdict::{Approval, Effect};
use portcullis_agent::{FieldChange, HookAuthority, NotRun, RunState, WouldHave};
use schemars::JsonSchema;
use serde::Serialize;

/// What happened in a session. Times are in microseconds; `at-us` counts from the session's first record. Hosts
/// record starts in milliseconds, so shorter distances between items are not exact.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Explanation {
    /// The session.
    pub session: String,
    /// The agent, if the journal has it.
    pub agent: Option<String>,
    /// The session of the agent above, if this is a sub-agent's.
    pub parent: Option<String>,
    /// When the first record was made, in milliseconds since the Unix epoch.
    pub began_ms: u64,
    /// The turns, in order. What happened before the first and behind the last is in turns with the number 0.
    pub turns: Vec<Turn>,
    /// The hooks with their roles and grants, as they were when the session was opened last.
    pub hooks: Vec<HookAuthority>,
    /// How often things happened.
    pub totals: Totals,
}

/// How often things happened in a session, with those of its sub-agents.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Totals {
    /// Turns.
    pub turns: usize,
    /// Model calls, also failed ones.
    pub model_calls: usize,
    /// Tool calls, also those that did not run.
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
    /// Which, counted from 1; 0 outside of turns.
    pub number: u32,
    /// When it began.
    pub at_us: u64,
    /// How long it took, up to its last record.
    pub took_us: u64,
    /// What the user said, if the journal keeps values.
    pub input: Option<String>,
    /// How it ended, if the journal has it.
    pub end: Option<TurnEnd>,
    /// Its steps. What is before the first and behind the last is in steps with the number 0.
    pub steps: Vec<Step>,
}

/// How a turn ended.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct TurnEnd {
    /// In which way.
    pub state: TurnState,
    /// Where its output is from, or why it failed, in words.
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

/// In which way a turn ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TurnState {
    /// With an output.
    Ended,
    /// Without one.
    Failed,
    /// It was cancelled.
    Cancelled,
    /// It waits for something.
    Suspended,
}

/// A step, or what is between steps.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Step {
    /// Which, counted from 1; 0 outside of steps.
    pub number: u32,
    /// What happened, in order.
    pub items: Vec<Item>,
}

/// Something that happened. In JSON, `kind` names the variant.
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
    /// Something else.
    Note(Note),
}

/// The hooks of a point, in the order they ran.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Chain {
    /// The point; `model` for a hook's call of the agent's model.
    pub point: String,
    /// The runs, with those that were skipped.
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
    /// When it began.
    pub at_us: u64,
    /// How long it took.
    pub took_us: Option<u64>,
    /// Its fuel, if fuel was counted.
    pub fuel: Option<u64>,
    /// Its state.
    #[schemars(with = "String")]
    pub state: RunState,
    /// What it answered, by its name in `hooks.toml`.
    pub outcome: Option<String>,
    /// Whether its answer counted, if that is known: `enforce` or `audit`.
    #[schemars(with = "Option<String>")]
    pub mode: Option<Mode>,
    /// What would have followed if its answer had counted: in audit mode.
    pub would: Option<WouldHave>,
    /// The same in words.
    pub would_have: Option<String>,
    /// The attempt at the operation, counted from 1.
    pub attempt: u32,
    /// The code of its refusal, or of the cause of its failure.
    pub code: Option<String>,
    /// Why it refused or failed, or what it asked.
    pub message: Option<String>,
    /// Whether the operation was refused because it failed.
    pub fatal: bool,
    /// What was decided: `approved`, `denied`, `changed`, or `unanswered` if nobody answered, which is a no.
    #[schemars(with = "Option<String>")]
    pub approval: Option<Approval>,
    /// The fields that the person changed, if the journal keeps values.
    pub approval_changes: Option<Vec<FieldChange>>,
    /// Whether it changed the value.
    pub changed: bool,
    /// The fields that it changed, if the journal keeps values.
    pub changes: Vec<FieldChange>,
    /// How many things it contributed, or would have contributed in audit mode. Changes of the agent's state count.
    pub contributed: usize,
    /// The fields of what it contributed, as JSON pointers into the list of all, if the journal keeps values.
    pub added: Vec<FieldChange>,
    /// The grants that it used, as `hooks.toml` has them.
    pub used: Vec<String>,
    /// The digest of its component.
    pub component: Option<String>,
    /// The id of the run because of which it did not run, or its answer was not applied.
    pub stopped_by: Option<String>,
    /// The id of what it ended: a tool call, a model call or a turn (`turn-2`).
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
    /// When it began.
    pub at_us: u64,
    /// How long it took.
    pub took_us: u64,
    /// The tokens sent.
    pub input_tokens: u64,
    /// The tokens written.
    pub output_tokens: u64,
    /// How many tools it asks for.
    pub tool_calls: usize,
    /// Why it failed, if it failed.
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
    /// The tool. A journal does not have that of a call that waits.
    pub name: Option<String>,
    /// When its first record was made.
    pub at_us: u64,
    /// When the tool began to run.
    pub ran_at_us: Option<u64>,
    /// How long the tool ran.
    pub took_us: u64,
    /// The arguments, if the journal keeps values.
    pub arguments: Option<String>,
    /// The result, if the journal keeps values.
    pub result: Option<String>,
    /// Whether it ran, as far as that is known.
    pub ran: bool,
    /// Whether it is not known if it ran: the journal has neither its start nor its result.
    pub unknown: bool,
    /// Why it did not run, if it did not and the journal has it.
    pub not_run: Option<NotRun>,
    /// What it waits for, if its turn is suspended and it has no result.
    pub waits_for: Option<WaitsFor>,
    /// Whether the result is an error.
    pub is_error: bool,
    /// The id of the run that kept it from running.
    pub caused_by: Option<String>,
    /// The id of the run that withheld its result.
    pub withheld_by: Option<String>,
    /// The hooks before it and behind it.
    pub chains: Vec<Chain>,
    /// What happened in the session of the sub-agent that it started.
    pub subagent: Option<Box<Explanation>>,
}

impl ToolCall {
    /// Why it is not known whether it ran; `None` if it is known.
    pub fn why_unknown(&self) -> Option<&'static str> {
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

/// What a call of a suspended turn waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum WaitsFor {
    /// A person's answer to a hook's question.
    Answer,
    /// Its result, from the client or from a sub-agent.
    Result,
    /// That its turn is continued: it has its answer or its result.
    Continuation,
}

impl WaitsFor {
    /// The same in words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Answer => "it waits for an answer",
            Self::Result => "it waits for its result",
            Self::Continuation => "it is answered, and waits until the turn is continued",
        }
    }
}

/// Something else that happened.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Note {
    /// When.
    pub at_us: u64,
    /// What, in words.
    pub text: String,
    /// The hook that caused it, if one did.
    pub hook: Option<String>,
}

impl Run {
    /// Whether it refused, and its refusal counted: as an answer, as a no to its question, or as a failure that is closed.
    pub fn refused(&self) -> bool {
        self.mode != Some(Mode::Audit)
            && (self.fatal
                || self.outcome.as_deref() == Some("reject")
                || matches!(self.approval, Some(Approval::Denied | Approval::Unanswered)))
    }

    /// Whether it would have refused if it were enforced.
    pub fn would_refuse(&self) -> bool {
        let failed = |would: &WouldHave| would.effect == Effect::Failed;
        self.mode == Some(Mode::Audit)
            && (self.outcome.as_deref() == Some("reject")
                || self.would.as_ref().is_some_and(failed))
    }

    /// Whether it failed or reached its deadline.
    pub fn failed(&self) -> bool {
        matches!(
            self.state,
            RunState::Failed | RunState::TimedOut | RunState::Lost
        )
    }

    /// Whether it was not called, or what it answered was not applied.
    pub fn did_not_run(&self) -> bool {
        matches!(self.state, RunState::Skipped | RunState::NotApplied)
    }

    /// Whether there is nothing to say of it but that it ran.
    pub fn is_quiet(&self) -> bool {
        let continued =
            self.state == RunState::Completed && self.outcome.as_deref() == Some("continue");
        continued && !self.changed && self.approval.is_none()
    }
}

impl Turn {
    /// Everything in it, in order.
    pub fn items(&self) -> impl Iterator<Item = &Item> {
        self.steps.iter().flat_map(|step| &step.items)
    }
}

impl Item {
    /// The hooks of a point that ran in it.
    pub fn chains(&self) -> &[Chain] {
        match self {
            Self::Chain(chain) => std::slice::from_ref(chain),
            Self::Tool(call) => &call.chains,
            _ => &[],
        }
    }
}

impl Explanation {
    /// Every run of the session, without those of sub-agents.
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

    /// The same with this turn alone, with the turns outside (0) left out.
    pub fn only(mut self, turn: u32) -> Self {
        self.turns.retain(|it| it.number == turn);
        self.count();
        self
    }

    /// What happened in the sessions of sub-agents.
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
