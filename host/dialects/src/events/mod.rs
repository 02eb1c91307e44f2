//! The table of events, with the abilities of hooks at each.

mod alike;
mod claude;
mod codex;
mod gemini;

use portcullis::points::PointId;

pub(crate) use claude::EVENTS as CLAUDE;
pub(crate) use codex::EVENTS as CODEX;
pub(crate) use gemini::EVENTS as GEMINI;

/// A documented event of a dialect.
#[derive(Debug, Clone, Copy)]
pub struct EventInfo {
    /// Its name, as the agent writes it.
    pub name: &'static str,
    /// The family of events that are handled alike.
    pub(crate) family: Family,
    /// The abilities of hooks at the event, in words.
    pub does: &'static str,
    /// The abilities that hooks lack at the event, in words, and the substitute; empty if nothing
    /// is lost.
    pub cannot: &'static str,
}

impl EventInfo {
    /// Returns the points that the event calls, in order; none for an event without hooks.
    pub const fn points(&self) -> &'static [PointId] {
        self.family.points()
    }
}

/// A family of events that are handled alike, whatever their names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Family {
    SessionStart,
    SessionEnd,
    Prompt,
    BeforeTool,
    AfterTool,
    /// A tool failed.
    ToolFailure,
    /// All tool calls of a response have ended.
    Batch,
    /// A person is about to be asked whether a tool may run.
    Permission,
    Stop,
    TurnError,
    SubagentStart,
    SubagentStop,
    BeforeCompaction,
    AfterCompaction,
    /// A piece of a message is about to be shown.
    Display,
    BeforeModel,
    /// A piece of a response has arrived.
    AfterModel,
    /// No point matches the event, so it calls no hooks.
    Unmapped,
}

impl Family {
    pub(crate) const fn points(self) -> &'static [PointId] {
        use PointId as P;
        match self {
            Self::SessionStart => &[P::SessionStart],
            Self::SessionEnd => &[P::SessionEnd],
            Self::Prompt => &[
                P::PreTurn,
                P::PromptContext,
                P::PromptRecall,
                P::PromptCompile,
            ],
            Self::BeforeTool | Self::Permission => &[P::PreToolCall],
            Self::AfterTool | Self::ToolFailure => &[P::PostToolCall],
            Self::Batch => &[P::PostStep],
            Self::Stop => &[P::TurnStopping, P::PostTurn],
            Self::TurnError => &[P::TurnError],
            Self::SubagentStart => &[P::PreSubagent],
            Self::SubagentStop => &[P::PostSubagent],
            Self::BeforeCompaction => &[P::PreCompaction],
            Self::AfterCompaction => &[P::PostCompaction],
            Self::Display | Self::AfterModel => &[P::LlmDelta],
            Self::BeforeModel => &[P::PreLlmCall],
            Self::Unmapped => &[],
        }
    }
}

const fn event(
    name: &'static str,
    family: Family,
    does: &'static str,
    cannot: &'static str,
) -> EventInfo {
    EventInfo {
        name,
        family,
        does,
        cannot,
    }
}

const fn passed(name: &'static str) -> EventInfo {
    event(name, Family::Unmapped, "", "")
}
