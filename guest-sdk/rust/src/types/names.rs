//! The names of cases, as the contract writes them.

use super::{Role, StopReason};
use crate::points::llm_error::ProviderErrorKind;
use crate::points::session_end::EndReason;
use crate::points::turn_error::ErrorKind;

macro_rules! names {
    ($($choice:ident { $($variant:ident: $name:literal,)* })*) => {$(
        impl $choice {
            /// Returns the contract's name for this case.
            pub const fn as_str(&self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }
        }
    )*};
}

names! {
    Role {
        System: "system",
        User: "user",
        Assistant: "assistant",
        Tool: "tool",
    }
    EndReason {
        Closed: "closed",
        Rejected: "rejected",
        Cancelled: "cancelled",
        Failed: "failed",
    }
    ErrorKind {
        Provider: "provider",
        Rejected: "rejected",
        Hook: "hook",
        Limit: "limit",
        Internal: "internal",
    }
    ProviderErrorKind {
        Timeout: "timeout",
        RateLimited: "rate-limited",
        Overloaded: "overloaded",
        Auth: "auth",
        BadRequest: "bad-request",
        ContextLength: "context-length",
        Network: "network",
        Server: "server",
        Other: "other",
    }
}

impl StopReason {
    /// Returns the contract's name for this case; for [`StopReason::Other`] the provider's words.
    pub fn as_str(&self) -> &str {
        match self {
            Self::EndTurn => "end-turn",
            Self::MaxTokens => "max-tokens",
            Self::StopSequence => "stop-sequence",
            Self::ToolUse => "tool-use",
            Self::Refusal => "refusal",
            Self::Other(words) => words,
        }
    }
}
