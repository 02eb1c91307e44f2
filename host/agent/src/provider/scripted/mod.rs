//! A provider that plays a script, so that everything runs offline.

mod player;
mod script;

pub use player::ScriptedProvider;
pub use script::{
    Script, ScriptError, ScriptedError, ScriptedResponse, ScriptedToolCall, ScriptedUsage,
};
