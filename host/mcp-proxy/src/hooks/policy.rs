//! The policy of the domain `tools`: which of the server's tools are offered.

use std::collections::BTreeMap;

use portcullis::prompt::Prompt;
use serde::Deserialize;

/// The domain.
const DOMAIN: &str = "tools";

/// Which tools are offered. Policies of several hooks narrow each other: flags are combined with "and", and
/// lists intersect.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct ToolsPolicy {
    /// If there is a list, the only tools that are offered.
    only: Option<Vec<String>>,
    /// Tools that are not offered: those whose flag is false.
    offered: BTreeMap<String, bool>,
}

impl ToolsPolicy {
    /// The policy that holds.
    ///
    /// # Errors
    ///
    /// Its rules are none of this domain.
    pub(super) fn of(prompt: &Prompt) -> Result<Self, String> {
        let Some(policy) = prompt.policy(DOMAIN) else {
            return Ok(Self::default());
        };
        serde_json::from_str(&policy.rules)
            .map_err(|error| format!("the policy of the domain `{DOMAIN}` cannot be read: {error}"))
    }

    /// Whether the tool is offered.
    pub(super) fn offers(&self, tool: &str) -> bool {
        let is_listed = |only: &Vec<String>| only.iter().any(|name| name == tool);
        self.only.as_ref().is_none_or(is_listed) && self.offered.get(tool) != Some(&false)
    }
}
