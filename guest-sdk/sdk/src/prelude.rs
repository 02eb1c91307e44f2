//! What most hooks use: `use portcullis_sdk::prelude::*;`.

pub use crate::points::*;
pub use crate::types::{
    AskRequest, ContentPart, Context, Message, Rejection, Role, StopReason, Usage,
};
pub use crate::{
    Error, HookResult, config, content, conversation, debug, error, events, hook, info, session,
    shared, state, tool_catalog, tool_data, trace, verdict, warn,
};
