//! The imports of most hooks: `use portcullis_sdk::prelude::*;`.

pub use schemars::{self, JsonSchema};

pub use crate::points::*;
pub use crate::types::{
    BundledTool, ContentPart, Context, ContextItem, DomainPolicy, Message, MessageEdit,
    PromptSection, Role, StopKind, StopReason, ToolBundle, ToolRoute, ToolSpec, Usage,
};
pub use crate::{
    Error, HookResult, agent_state, agent_state_edit, config, content, context, conversation,
    debug, error, events, hook, http, info, model, prompt, secrets, session, shared, state,
    tool_catalog, tool_data, trace, verdict, warn,
};
