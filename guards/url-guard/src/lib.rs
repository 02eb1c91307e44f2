//! Refuses private, disguised and exfiltrating addresses in tool calls, and removes exfiltrating images and links from answers.
//!
//! It works without configuration. With the defaults in full:
//!
//! ```toml
//! [hooks.url-guard.config]
//! tools = ["*"] # `*` stands for any text
//! arguments = ["url", "urls", "uri", "href", "link", "endpoint", "host", "hostname", "address", "webhook", "base_url", "command", "cmd", "script", "query"]
//! allow = []        # the only hosts that may be reached, and those below them; all hosts if empty
//! deny = []         # hosts that may not be reached, and those below them
//! trusted = []      # hosts that may receive data and may be private
//! private = true    # refuses loopback, private and local addresses
//! disguised = true  # refuses addresses with user names, mixed alphabets or misleading characters
//! data = true       # refuses addresses that exfiltrate data
//! answers = true    # removes images and links that exfiltrate data from answers
//! ```
//!
//! `docs/guards/url-guard.md` describes the rules and their limits.
//!
//! Points: `pre-tool-call`, `post-llm-call`, `post-turn`. Role: transform, so it fails closed. Needs the views `content` and `tool-data`.

mod answer;
mod config;
mod data;
mod entity;
mod fault;
mod find;
mod host;
mod html;
mod look;
mod markdown;
mod scheme;
mod shown;

use config::Config;
use guards_common::{json, names};
use portcullis_sdk::config::Prepared;
use portcullis_sdk::prelude::*;
use serde_json::Value;

static CONFIG: Prepared<Config> = Prepared::new(|| config::<Config>()?.checked());

struct UrlGuard;

#[hook(
    id = "url-guard",
    kind = "guardrail",
    description = "Refuses addresses that are private, disguised or carry data away, in calls of tools and in answers.",
    priority = 850,
    config = Config
)]
impl UrlGuard {
    fn pre_tool_call(call: &pre_tool_call::Call) -> HookResult<pre_tool_call::Verdict> {
        let config = CONFIG.get()?;
        if !names::any(&config.tools, &call.name()) {
            return Ok(call.proceed());
        }
        let arguments: Value = tool_data::arguments()?;
        let mut fault = None;
        json::each_text(&arguments, &mut |name, text| {
            if fault.is_none() && config.arguments.iter().any(|argument| argument == name) {
                fault = look::argument(config, name, text);
            }
        });
        Ok(match fault {
            None => call.proceed(),
            Some(fault) => call.reject(fault.code(), fault.to_string()),
        })
    }

    fn post_llm_call(call: &post_llm_call::Call) -> HookResult<post_llm_call::Verdict> {
        Ok(match cleaned()? {
            None => call.proceed(),
            Some(parts) => call.transform(&parts),
        })
    }

    fn post_turn(call: &post_turn::Call) -> HookResult<post_turn::Verdict> {
        Ok(match cleaned()? {
            None => call.proceed(),
            Some(parts) => call.transform(&parts),
        })
    }
}

/// Returns the content without addresses that exfiltrate data, or `None` if there are none.
fn cleaned() -> HookResult<Option<Vec<ContentPart>>> {
    let config = CONFIG.get()?;
    if !config.answers {
        return Ok(None);
    }
    let mut parts = content::parts();
    let mut removed = 0;
    for part in &mut parts {
        if let ContentPart::Text(text) | ContentPart::Thinking(text) = part
            && let Some(cleaned) = answer::cleaned(config, text)
        {
            *text = cleaned;
            removed += 1;
        }
    }
    if removed > 0 {
        warn!("took addresses out of an answer");
    }
    Ok((removed > 0).then_some(parts))
}

#[cfg(test)]
mod tests;
