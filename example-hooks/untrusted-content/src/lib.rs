//! Asks a person before tools act, once the session has read what a stranger may have written.
//!
//! ```toml
//! [hooks.untrusted-content.grants]
//! state = true
//! agent-state-edit = ["untrusted"]
//!
//! [hooks.untrusted-content.config]
//! sources = ["fetch", "mail_*"]          # tools whose output a stranger may have written
//! guarded = ["send_mail", "run_command"] # tools that send, write or run; `*` may end a name
//! ```
//!
//! A web page or a mail may tell the model what to do. When a source has returned something, this hook
//! notes the tool's name. From then on it asks a person about each call of a guarded tool, and names the
//! sources. Before, and for other tools, it does nothing.
//!
//! The list is in the hook's private state, where no tool can change it: a model that was told to could
//! erase a list in the agent's state with the tool `set_state`. For the information of tools and other
//! hooks, each new list is copied to `untrusted` in the agent's state, and hooks at `state-changed` are
//! notified. This hook never reads the copy.
//!
//! A sub-agent has a state of its own: if it reads such content, name the sub-agent among the sources of
//! its parent. With a store, the list continues with the session in another process.
//!
//! Points: `pre-tool-call`, `post-tool-call`. Role: transform, as for all hooks that change the agent's
//! state; it fails closed, so what it cannot note is withheld.

use portcullis_sdk::config::Prepared;
use portcullis_sdk::prelude::*;
use serde::Deserialize;

/// The key of the list in the hook's state, and of its copy in the agent's state.
const KEY: &str = "untrusted";

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Config {
    /// The tools whose output a stranger may have written.
    sources: Vec<String>,
    /// The tools whose calls a person must approve after a source was read.
    guarded: Vec<String>,
}

static CONFIG: Prepared<Config> = Prepared::new(config);

/// The hook.
pub struct UntrustedContent;

#[hook(
    id = "untrusted-content",
    kind = "guardrail",
    description = "Asks before tools act once the session has read what a stranger may have written.",
    priority = 10,
    config = Config
)]
impl UntrustedContent {
    fn post_tool_call(call: &post_tool_call::Call) -> HookResult<post_tool_call::Verdict> {
        let tool = call.name();
        if names(&CONFIG.get()?.sources, &tool) {
            let mut sources = sources_read()?;
            if !sources.contains(&tool) {
                sources.push(tool);
                state::set(KEY, &sources)?;
                agent_state_edit::set(KEY, &sources)?;
            }
        }
        Ok(call.proceed())
    }

    fn pre_tool_call(call: &pre_tool_call::Call) -> HookResult<pre_tool_call::Verdict> {
        let tool = call.name();
        if !names(&CONFIG.get()?.guarded, &tool) {
            return Ok(call.proceed());
        }
        let sources = sources_read()?;
        if sources.is_empty() {
            return Ok(call.proceed());
        }
        let sources = sources.join("`, `");
        Ok(call.ask(format!(
            "The session has read what `{sources}` returned, which may hold a stranger's instructions. May `{tool}` run?"
        )))
    }
}

/// Returns the sources that the session has read.
fn sources_read() -> HookResult<Vec<String>> {
    Ok(state::get(KEY)?.unwrap_or_default())
}

/// Returns whether one of the patterns matches the tool's name.
fn names(patterns: &[String], tool: &str) -> bool {
    patterns
        .iter()
        .any(|pattern| match pattern.strip_suffix('*') {
            Some(start) => tool.starts_with(start),
            None => tool == pattern,
        })
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn a_pattern_is_a_name_or_its_start() {
        let patterns = ["fetch".to_owned(), "mail_*".to_owned()];
        for (tool, named) in [
            ("fetch", true),
            ("fetch_all", false),
            ("mail_read", true),
            ("mail_", true),
            ("mail", false),
        ] {
            assert_eq!(names(&patterns, tool), named, "{tool}");
        }
    }
}
