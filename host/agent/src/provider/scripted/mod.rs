//! A provider that plays a script, so that everything runs offline.

mod player;
mod response;
mod script;

pub use player::ScriptedProvider;
pub use response::{ScriptedError, ScriptedResponse, ScriptedToolCall, ScriptedUsage};
pub use script::{Script, ScriptError};
