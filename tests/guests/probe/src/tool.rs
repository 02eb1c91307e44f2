//! The points around a tool call and a sub-agent.

use portcullis_sdk::points::{
    post_subagent, post_tool_call, pre_subagent, pre_tool_call, tool_update,
};
use portcullis_sdk::prelude::*;

use crate::deed::{Deed, refusal};

pub fn pre() -> HookResult<pre_tool_call::Outcome> {
    use pre_tool_call::{Outcome, ToolAnswer};
    let deed = Deed::at("pre-tool-call")?;
    Ok(match (deed.text(String::new)?, deed) {
        (_, Deed::Reject) => Outcome::Reject(refusal()),
        (_, Deed::Ask) => Outcome::ask("May it?"),
        (Some(text), Deed::Replace(_)) => Outcome::Replace(text),
        (Some(text), Deed::Answer(_)) => Outcome::Answer(ToolAnswer {
            content: text,
            is_error: false,
        }),
        (Some(text), _) => Outcome::Transform(text),
        (None, _) => Outcome::Continue,
    })
}

pub fn update() -> HookResult<tool_update::Outcome> {
    let deed = Deed::at("tool-update")?;
    deed.tell()?;
    Ok(match deed {
        Deed::Reject => tool_update::Outcome::Reject(refusal()),
        _ => tool_update::Outcome::Continue,
    })
}

pub fn post(input: post_tool_call::ToolOutcome) -> HookResult<post_tool_call::Outcome> {
    use post_tool_call::{Outcome, ToolOutput};
    let deed = Deed::at("post-tool-call")?;
    let output = |content: String| ToolOutput {
        content,
        is_error: input.is_error,
    };
    let now = || tool_data::output().unwrap_or_default();
    Ok(match (deed.text(now)?, deed) {
        (_, Deed::Reject) => Outcome::Reject(refusal()),
        (Some(text), Deed::Replace(_)) => Outcome::Replace(output(text)),
        (Some(text), _) => Outcome::Transform(output(text)),
        (None, _) => Outcome::Continue,
    })
}

pub fn pre_subagent() -> HookResult<pre_subagent::Outcome> {
    use pre_subagent::{Outcome, SubagentAnswer};
    let deed = Deed::at("pre-subagent")?;
    Ok(match (deed.text(content::text)?, deed) {
        (_, Deed::Reject) => Outcome::Reject(refusal()),
        (Some(text), Deed::Replace(_)) => Outcome::Replace(text),
        (Some(text), Deed::Answer(_)) => Outcome::Answer(SubagentAnswer {
            content: text,
            is_error: false,
        }),
        (Some(text), _) => Outcome::Transform(text),
        (None, _) => Outcome::Continue,
    })
}

pub fn post_subagent() -> HookResult<post_subagent::Outcome> {
    Ok(match Deed::at("post-subagent")?.text(content::text)? {
        Some(text) => post_subagent::Outcome::Transform(text),
        None => post_subagent::Outcome::Continue,
    })
}
