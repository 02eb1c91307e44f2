//! The configuration of the loop, from the file's tables.

use std::num::NonZeroU32;

use portcullis_agent::AgentConfig;

use crate::file::AgentFile;
use crate::subagents::Subagent;

/// The step limit of the loop, which fails a turn: none, because a guard stops the turn before.
const NO_LIMIT: NonZeroU32 = NonZeroU32::MAX;

/// Returns the agent's configuration.
pub(super) fn main(file: &AgentFile, system_prompt: Option<String>) -> AgentConfig {
    let default = AgentConfig::default();
    AgentConfig {
        name: file.name.clone(),
        system_prompt,
        model: file.providers.first().and_then(|first| first.model.clone()),
        temperature: file.model.temperature,
        max_output_tokens: file.model.max_output_tokens,
        max_steps: NO_LIMIT,
        max_tool_calls: file.tools.max_calls.unwrap_or(default.max_tool_calls),
        llm_timeout_ms: file.model.timeout_ms.unwrap_or(default.llm_timeout_ms),
        max_tool_output_bytes: (file.tools.max_output_bytes)
            .unwrap_or(default.max_tool_output_bytes),
        deltas: file.model.deltas,
        prompt_budget_tokens: (file.prompt_budget_tokens).unwrap_or(default.prompt_budget_tokens),
        tool_strategy: file.tools.strategy,
        pieces: file.model.pieces.clone(),
        guards: Some(file.guards.guards()),
        max_keep_going: file.max_keep_going.unwrap_or(default.max_keep_going),
        max_depth: file.max_depth.map_or(default.max_depth, NonZeroU32::get),
        retry: file.retry.clone(),
        compaction: file.compaction.clone(),
    }
}

/// Returns a sub-agent's configuration: its parent's, with its own instructions, model and limits.
pub(super) fn subagent(
    file: &AgentFile,
    parent: &AgentConfig,
    name: &str,
    subagent: &Subagent,
) -> AgentConfig {
    let provider = |name: &str| file.providers.iter().find(|table| table.name() == name);
    let provider = match &subagent.provider {
        Some(name) => provider(name),
        None => file.providers.first(),
    };
    let model = provider.and_then(|provider| provider.model.clone());
    AgentConfig {
        name: name.to_owned(),
        model: subagent.model.clone().or(model),
        system_prompt: subagent.system_prompt.clone(),
        temperature: subagent.temperature.or(parent.temperature),
        retry: subagent.retry.as_ref().unwrap_or(&parent.retry).clone(),
        compaction: (subagent.compaction.as_ref())
            .unwrap_or(&parent.compaction)
            .clone(),
        guards: Some(subagent.guards.guards()),
        ..parent.clone()
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn a_sub_agent_has_what_its_parent_has_unless_it_says_otherwise() {
        let text = "[model]\ntemperature = 0.5\n[retry]\nretries = 7\n[compaction]\nkeep-recent = 3\n\
                    [subagents.a]\ntemperature = 0.1\nretry = { retries = 1 }\n\
                    [subagents.a.subagents.b]\ncompaction = { enabled = false }\n[subagents.c]\n";
        let file = AgentFile::parse(Path::new("agent.toml"), text).expect("it is read");
        let of = |parent: &AgentConfig, name: &str, table: &Subagent| {
            let config = subagent(&file, parent, name, table);
            let said = (
                config.temperature,
                config.retry.retries,
                config.compaction.enabled,
                config.compaction.keep_recent,
            );
            (config, said)
        };
        let main = main(&file, Some("of the parent".into()));
        let table = &file.subagents["a"];
        let (a, said) = of(&main, "a", table);
        assert_eq!(said, (Some(0.1), 1, true, 3));
        // The table replaces its parent's table as a whole.
        let (b, said) = of(&a, "b", &table.subagents["b"]);
        assert_eq!(said, (Some(0.1), 1, false, 8));
        let (c, said) = of(&main, "c", &file.subagents["c"]);
        assert_eq!(said, (Some(0.5), 7, true, 3));
        for config in [a, b, c] {
            assert_eq!(config.system_prompt, None);
        }
    }
}
