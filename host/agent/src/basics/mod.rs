//! Basics for all rooms: text, tokens, stop reasons, tool outputs, contract units, usage.

pub(crate) mod output;
pub(crate) mod stop_reason;
pub(crate) mod text;
pub(crate) mod tokens;
pub(crate) mod units;
pub(crate) mod usage;
