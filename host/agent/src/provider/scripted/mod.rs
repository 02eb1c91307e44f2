//! A provider that plays a script, so that everything runs offline.

mod error;
mod file;
mod player;
mod response;
mod script;

pub use error::ScriptError;
pub use player::ScriptedProvider;
pub use response::{ScriptedError, ScriptedResponse, ScriptedToolCall, ScriptedUsage};
pub use script::Script;
