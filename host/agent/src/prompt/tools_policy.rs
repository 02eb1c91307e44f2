//! The policy of the domain `tools`: which tools are offered.

use std::collections::BTreeMap;

use portcullis::points::PointId;
use portcullis::prompt::Prompt;
use portcullis::verdict::{Failure, HookFailed};
use serde::Deserialize;

/// The domain.
const DOMAIN: &str = "tools";

/// Which tools a turn offers, as hooks say at `prompt-policy` with the policy of the domain `tools`. Default:
/// all. Policies of several hooks narrow each other: flags are combined with "and", and lists intersect. A tool of a
/// hook that runs as a tool that is not offered is not offered either.
///
/// ```
/// use portcullis_agent::ToolsPolicy;
///
/// let policy: ToolsPolicy = serde_json::from_str(
///     r#"{"offered": {"delete_file": false}, "only": ["read_file", "delete_file"]}"#,
/// )?;
/// assert!(policy.offers("read_file"));
/// assert!(!policy.offers("delete_file") && !policy.offers("write_file"));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct ToolsPolicy {
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
    /// The rules are not those of this domain; the error names the hook that contributed them. No tool may be
    /// offered then.
    pub fn of(prompt: &Prompt) -> Result<Self, HookFailed> {
        let mut failed = None;
        // A policy has in it what those before it say, so that one that cannot be read may be another hook's fault.
        for policy in prompt.policies_of(DOMAIN).rev() {
            match (serde_json::from_str(&policy.value.rules), &failed) {
                (Ok(policy), None) => return Ok(policy),
                (Ok(_), Some(_)) => break,
                (Err(error), _) => failed = Some((&policy.by, error)),
            }
        }
        let Some((hook, error)) = failed else {
            return Ok(Self::default());
        };
        Err(HookFailed {
            hook: hook.clone(),
            point: PointId::PromptPolicy,
            failure: Failure::BadOutput(format!(
                "the policy of the domain `{DOMAIN}` cannot be read: {error}"
            )),
        })
    }

    /// Whether the tool is offered.
    pub fn offers(&self, tool: &str) -> bool {
        let is_listed = |only: &Vec<String>| only.iter().any(|name| name == tool);
        self.only.as_ref().is_none_or(is_listed) && self.offered.get(tool) != Some(&false)
    }
}
