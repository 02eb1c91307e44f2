//! The policy of the domain `tools`, which sets the offered tools.

use std::collections::BTreeMap;

use portcullis::json::from_json;
use portcullis::points::PointId;
use portcullis::prompt::Prompt;
use portcullis::verdict::{Failure, HookFailed};
use serde::Deserialize;

/// The domain.
const DOMAIN: &str = "tools";

/// The tools that a turn offers, according to the hooks' policies of the domain `tools` at
/// `prompt-policy`. Default: all. Policies of several hooks narrow each other: flags are combined
/// with "and", and lists are intersected. A hook's tool that runs as another tool is offered only
/// if that tool is offered.
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
    /// The only tools that are offered, if there is a list.
    only: Option<Vec<String>>,
    /// The flags of tools. A tool whose flag is false is not offered.
    offered: BTreeMap<String, bool>,
}

impl ToolsPolicy {
    /// Returns the effective policy.
    ///
    /// # Errors
    ///
    /// The rules are not those of this domain; the error names the hook that contributed them. No
    /// tool may then be offered.
    pub fn of(prompt: &Prompt) -> Result<Self, HookFailed> {
        let mut failed = None;
        // A policy contains those before it, so the one that cannot be read may be another hook's
        // fault.
        for policy in prompt.policies_of(DOMAIN).rev() {
            match (read(&policy.value.rules), &failed) {
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

    /// Returns whether the tool is offered.
    pub fn offers(&self, tool: &str) -> bool {
        let is_listed = |only: &Vec<String>| only.iter().any(|name| name == tool);
        self.only.as_ref().is_none_or(is_listed) && self.offered.get(tool) != Some(&false)
    }
}

/// Reads the rules of a policy. An error quotes none of a hook's values.
fn read(rules: &str) -> Result<ToolsPolicy, String> {
    let value = serde_json::from_str(rules).map_err(|error| error.to_string())?;
    from_json(value).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_in_the_rules_quotes_no_value() {
        for (rules, problem) in [
            (
                r#"{"only": "DE44500105175407324"}"#,
                "at `/only`: expected an array, found a string",
            ),
            (
                r#"{"DE44500105175407324": 1}"#,
                "there is no such key here; there are: `only`, `offered`",
            ),
        ] {
            assert_eq!(read(rules).unwrap_err(), problem);
        }
        assert!(read(r#"{"offered": {"a": false}}"#).is_ok());
    }
}
