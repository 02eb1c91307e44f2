//! The agents whose hook events are known.

use std::fmt;
use std::str::FromStr;

use portcullis::points::PointId;

use crate::events::{self, EventInfo};
use crate::text;

/// An agent whose hook events are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// Claude Code, and agents of the Claude Agent SDK.
    Claude,
    /// Codex.
    Codex,
    /// Gemini CLI.
    Gemini,
}

impl Dialect {
    /// All dialects.
    pub const ALL: [Self; 3] = [Self::Claude, Self::Codex, Self::Gemini];

    /// Returns the name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
        }
    }

    /// Returns the agent's own name.
    pub const fn agent(self) -> &'static str {
        match self {
            Self::Claude => "Claude Code",
            Self::Codex => "Codex",
            Self::Gemini => "Gemini CLI",
        }
    }

    /// Returns the name by which hooks know the agent.
    pub const fn agent_id(self) -> &'static str {
        match self {
            Self::Claude => "claude-code",
            Self::Codex => "codex",
            Self::Gemini => "gemini-cli",
        }
    }

    /// Returns the provider that the agent calls first.
    pub(crate) const fn provider(self) -> &'static str {
        match self {
            Self::Claude => "anthropic",
            Self::Codex => "openai",
            Self::Gemini => "google",
        }
    }

    /// Returns the event's key with the answer that ends a turn.
    pub(crate) const fn last_message(self) -> &'static str {
        match self {
            Self::Claude | Self::Codex => "last_assistant_message",
            Self::Gemini => "prompt_response",
        }
    }

    /// Returns whether one of the agent's events calls this point.
    pub fn calls(self, point: PointId) -> bool {
        let mut events = self.events().iter();
        events.any(|event| event.points().contains(&point))
    }

    /// Returns the agent's documented events. Any other event has no effect, unless another dialect calls hooks at an
    /// event of that name: then it is an error.
    pub const fn events(self) -> &'static [EventInfo] {
        match self {
            Self::Claude => events::CLAUDE,
            Self::Codex => events::CODEX,
            Self::Gemini => events::GEMINI,
        }
    }

    /// Returns the documented event of this name.
    pub(crate) fn event(self, name: &str) -> Option<&'static EventInfo> {
        self.events().iter().find(|info| info.name == name)
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Dialect {
    type Err = UnknownDialect;

    fn from_str(name: &str) -> Result<Self, UnknownDialect> {
        let known = Self::ALL.into_iter().find(|dialect| dialect.name() == name);
        known.ok_or_else(|| UnknownDialect(text::line(name)))
    }
}

/// A name that is no [`Dialect`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "there is no dialect `{0}`; the dialects are {all}",
    all = Dialect::ALL.map(Dialect::name).join(", ")
)]
pub struct UnknownDialect(String);
