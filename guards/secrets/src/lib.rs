//! Redacts keys, tokens and passwords in what models and tools are given and give back, or refuses them.
//!
//! It works without configuration. With the defaults in full:
//!
//! ```toml
//! [hooks.secrets.config]
//! kinds = {}    # each kind that it knows is on; `bearer = false` switches one off
//! patterns = {} # regular expressions of more, by the name of their kind
//!
//! [hooks.secrets.config.places] # "redact", "refuse" or "off"
//! model_input = "redact"
//! model_output = "redact"
//! tool_input = "redact"
//! tool_output = "redact"
//! trusted_tools = [] # these tools are given their arguments as they are
//! ```
//!
//! `docs/guards/secrets.md` has the kinds, and what it does not find.
//!
//! Points: `pre-llm-call`, `post-llm-call`, `pre-tool-call`, `post-tool-call`, `post-turn`. Role: transform, so it fails closed: what it
//! could not search is withheld. Needs the views `content`, `conversation` and `tool-data`.

mod config;
mod search;

use config::Config;
use guards_common::surfaces::{self, Change};
use portcullis_sdk::config::Prepared;
use portcullis_sdk::prelude::*;
use search::Search;

const CODE: &str = "secret";

static CONFIG: Prepared<Config> = Prepared::new(config);
static SEARCH: Prepared<Search> = Prepared::new(|| CONFIG.get()?.search());

struct Secrets;

#[hook(
    id = "secrets",
    kind = "guardrail",
    description = "Redacts keys, tokens and passwords, or refuses them.",
    priority = 20,
    config = Config
)]
impl Secrets {
    fn pre_llm_call(call: &pre_llm_call::Call) -> HookResult<pre_llm_call::Verdict> {
        let search = SEARCH.get()?;
        let change = surfaces::messages(&CONFIG.get()?.places, &|text, found| {
            search.redact(text, found)
        });
        Ok(match change {
            None => call.proceed(),
            Some(Change::Refuse(found)) => call.reject(
                CODE,
                format!("The messages to the model hold secrets: {found}."),
            ),
            Some(Change::Use(messages, found)) => {
                warn!(%found, "redacted messages to the model");
                let edit = pre_llm_call::LlmCallEdit {
                    model: None,
                    temperature: None,
                    max_output_tokens: None,
                    tools: None,
                    messages,
                };
                call.transform(edit)
            }
        })
    }

    fn post_llm_call(call: &post_llm_call::Call) -> HookResult<post_llm_call::Verdict> {
        let search = SEARCH.get()?;
        let change = surfaces::content(&CONFIG.get()?.places, &|text, found| {
            search.redact(text, found)
        });
        Ok(match change {
            None => call.proceed(),
            Some(Change::Refuse(found)) => {
                call.reject(CODE, format!("The answer holds secrets: {found}."))
            }
            Some(Change::Use(parts, found)) => {
                warn!(%found, "redacted an answer");
                call.transform(&parts)
            }
        })
    }

    fn post_turn(call: &post_turn::Call) -> HookResult<post_turn::Verdict> {
        let search = SEARCH.get()?;
        let change = surfaces::content(&CONFIG.get()?.places, &|text, found| {
            search.redact(text, found)
        });
        Ok(match change {
            None => call.proceed(),
            Some(Change::Refuse(found)) => {
                call.reject(CODE, format!("The output holds secrets: {found}."))
            }
            Some(Change::Use(parts, found)) => {
                warn!(%found, "redacted the output of a turn");
                call.transform(&parts)
            }
        })
    }

    fn pre_tool_call(call: &pre_tool_call::Call) -> HookResult<pre_tool_call::Verdict> {
        let search = SEARCH.get()?;
        let tool = call.name();
        let change = surfaces::arguments(&CONFIG.get()?.places, &tool, &|text, found| {
            search.redact(text, found)
        })?;
        Ok(match change {
            None => call.proceed(),
            Some(Change::Refuse(found)) => {
                call.reject(CODE, format!("The arguments hold secrets: {found}."))
            }
            Some(Change::Use(arguments, found)) => {
                warn!(tool, %found, "redacted arguments");
                call.transform_arguments(&arguments)?
            }
        })
    }

    fn post_tool_call(call: &post_tool_call::Call) -> HookResult<post_tool_call::Verdict> {
        let search = SEARCH.get()?;
        let change = surfaces::output(&CONFIG.get()?.places, &|text, found| {
            search.redact(text, found)
        });
        Ok(match change {
            None => call.proceed(),
            Some(Change::Refuse(found)) => {
                call.reject(CODE, format!("The output holds secrets: {found}."))
            }
            Some(Change::Use(output, found)) => {
                warn!(tool = call.name(), %found, "redacted a tool's output");
                call.transform(output, call.is_error())
            }
        })
    }
}
