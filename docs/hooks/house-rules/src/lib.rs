//! Writes the house's rules into every prompt.

use portcullis_sdk::prelude::*;
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Config {
    /// The rules, a sentence each.
    rules: Vec<String>,
}

struct HouseRules;

#[hook(
    id = "house-rules",
    kind = "prompt",
    description = "Writes the house's rules into every prompt.",
    config = Config
)]
impl HouseRules {
    fn prompt_compile(call: &prompt_compile::Call) -> HookResult<prompt_compile::Verdict> {
        let config: Config = config()?;
        call.add_section(PromptSection {
            id: "house-rules".into(),
            title: Some("House rules".into()),
            text: format!("- {}", config.rules.join("\n- ")),
            order: 10,
            max_tokens: Some(500),
            essential: true,
        });
        Ok(call.proceed())
    }
}
