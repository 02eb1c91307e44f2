//! Writes the house's rules into every prompt.

use portcullis_sdk::prelude::*;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Config {
    rules: Vec<String>,
}

struct HouseRules;

#[hook(
    id = "house-rules",
    kind = "prompt",
    description = "Writes the house's rules into every prompt.",
    role = transform,
    contributes = [section]
)]
impl HouseRules {
    fn prompt_compile(
        _: Context,
        _: prompt_compile::PromptDraft,
    ) -> HookResult<prompt_compile::Outcome> {
        let config: Config = config()?;
        let rules: Vec<String> = config
            .rules
            .iter()
            .map(|rule| format!("- {rule}"))
            .collect();
        let section = PromptSection {
            id: "house-rules".into(),
            title: Some("House rules".into()),
            text: rules.join("\n"),
            order: 10,
            max_tokens: Some(500),
            essential: true,
        };
        Ok(prompt_compile::Outcome::Contribute(vec![
            prompt_compile::Contribution::Section(section),
        ]))
    }
}
