//! The reverse direction: a command hook that was written for Claude Code, as a script hook in a chain.
//!
//! A script hook gets a point's document, and answers with an outcome or its exit code. [`ClaudeScript`] turns the
//! document into the event that the command expects, and the command's output into an outcome.

mod answer;
mod document;
mod matcher;

use portcullis::points::PointId;
use serde_json::Value;

pub use self::answer::{Ended, ScriptAnswer};
use self::document::Document;
pub use self::matcher::{BadMatcher, Matcher};

/// A command hook that was written for Claude Code.
#[derive(Debug, Clone)]
pub struct ClaudeScript {
    event: ClaudeEvent,
    matcher: Matcher,
}

/// An event of Claude Code that has a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClaudeEvent {
    /// `PreToolUse`
    PreToolUse,
    /// `PostToolUse`
    PostToolUse,
    /// `PostToolUseFailure`
    PostToolUseFailure,
    /// `UserPromptSubmit`
    UserPromptSubmit,
    /// `SessionStart`
    SessionStart,
    /// `SessionEnd`
    SessionEnd,
    /// `Stop`
    Stop,
    /// `SubagentStart`
    SubagentStart,
    /// `SubagentStop`
    SubagentStop,
    /// `PreCompact`
    PreCompact,
    /// `PostCompact`
    PostCompact,
}

impl ClaudeEvent {
    /// All events.
    pub const ALL: [Self; 11] = [
        Self::PreToolUse,
        Self::PostToolUse,
        Self::PostToolUseFailure,
        Self::UserPromptSubmit,
        Self::SessionStart,
        Self::SessionEnd,
        Self::Stop,
        Self::SubagentStart,
        Self::SubagentStop,
        Self::PreCompact,
        Self::PostCompact,
    ];

    /// Returns the event of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|event| event.name() == name)
    }

    /// Returns the event's name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::PreToolUse => "PreToolUse",
            Self::PostToolUse => "PostToolUse",
            Self::PostToolUseFailure => "PostToolUseFailure",
            Self::UserPromptSubmit => "UserPromptSubmit",
            Self::SessionStart => "SessionStart",
            Self::SessionEnd => "SessionEnd",
            Self::Stop => "Stop",
            Self::SubagentStart => "SubagentStart",
            Self::SubagentStop => "SubagentStop",
            Self::PreCompact => "PreCompact",
            Self::PostCompact => "PostCompact",
        }
    }

    /// Returns the event's point.
    pub const fn point(self) -> PointId {
        match self {
            Self::PreToolUse => PointId::PreToolCall,
            Self::PostToolUse | Self::PostToolUseFailure => PointId::PostToolCall,
            Self::UserPromptSubmit => PointId::PreTurn,
            Self::SessionStart => PointId::SessionStart,
            Self::SessionEnd => PointId::SessionEnd,
            Self::Stop => PointId::TurnStopping,
            Self::SubagentStart => PointId::PreSubagent,
            Self::SubagentStop => PointId::PostSubagent,
            Self::PreCompact => PointId::PreCompaction,
            Self::PostCompact => PointId::PostCompaction,
        }
    }
}

impl ClaudeScript {
    /// Creates a hook of this event, with this matcher.
    pub const fn new(event: ClaudeEvent, matcher: Matcher) -> Self {
        Self { event, matcher }
    }

    /// Returns the event for a point's document, and `None` if the hook does not run for it.
    ///
    /// # Errors
    ///
    /// The document is not one of the event's point.
    pub fn event(&self, document: &Value) -> Result<Option<Value>, BadDocument> {
        let document = Document::read(self.event, document)?;
        let is_for = document
            .matched()
            .is_none_or(|text| self.matcher.matches(text));
        match is_for && document.fits() {
            true => document.event().map(Some),
            false => Ok(None),
        }
    }

    /// Returns the answer to a point's document, from the command's result.
    ///
    /// # Errors
    ///
    /// The document is not one of the event's point.
    pub fn answer(&self, document: &Value, ended: &Ended) -> Result<ScriptAnswer, BadDocument> {
        let document = Document::read(self.event, document)?;
        Ok(answer::read(&document, ended))
    }
}

/// A document that is not one of the event's point.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the document on the standard input is not one of `{point}`, which {event} is: {problem}; run this command as a \
     script hook of that point, with the views that `portcullis import` gives it"
)]
pub struct BadDocument {
    event: &'static str,
    point: PointId,
    problem: String,
}
