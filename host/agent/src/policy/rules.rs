//! A policy made of lists.

use std::path::PathBuf;
use std::time::Duration;

use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::glob::matches;
use super::{Denial, ExecutionGrant, Policy, PolicyRequest};

/// A policy made of lists of tool names. In names, `*` matches any characters and `?` matches one.
///
/// ```
/// use portcullis_agent::RulePolicy;
///
/// let policy: RulePolicy = toml::from_str(r#"
///     allow = ["read_*", "list_dir", "git__*"]
///     deny = ["git__push"]
///     working-dir = "/srv/project"
///     timeout-ms = 30000
///     time-limits = [{ tool = "git__*", timeout-ms = 120000 }]
/// "#)?;
/// # Ok::<(), toml::de::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct RulePolicy {
    /// Tools that may run. Default: none.
    pub allow: Vec<String>,
    /// Tools that may not run, even if `allow` lists them. Default: none.
    pub deny: Vec<String>,
    /// Whether tools on neither list may run. Default: `deny` if there is an `allow` list, else
    /// `allow`.
    pub others: Option<OtherTools>,
    /// Whether tools that hooks contribute and answer may run if they are on neither list. Default:
    /// the value of `others`.
    pub hook_tools: Option<OtherTools>,
    /// The working directory of tools. Default: none, so the built-in file tools can access any
    /// directory.
    pub working_dir: Option<PathBuf>,
    /// The time limit of a tool, in milliseconds. Default: 60,000.
    pub timeout_ms: u64,
    /// Other time limits for some tools; the first that matches counts. Default: none.
    pub time_limits: Vec<TimeLimit>,
}

/// Whether tools on no list may run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OtherTools {
    /// They may run.
    Allow,
    /// They may not.
    Deny,
}

/// A time limit for some tools.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct TimeLimit {
    /// The tools' names.
    pub tool: String,
    /// How long they may run, in milliseconds.
    pub timeout_ms: u64,
}

impl Default for RulePolicy {
    fn default() -> Self {
        Self {
            allow: Vec::new(),
            deny: Vec::new(),
            others: None,
            hook_tools: None,
            working_dir: None,
            timeout_ms: 60_000,
            time_limits: Vec::new(),
        }
    }
}

impl RulePolicy {
    /// Returns the decision on the tool with this name.
    ///
    /// # Errors
    ///
    /// The denial.
    pub fn decide(&self, tool: &str) -> Result<ExecutionGrant, Denial> {
        self.decide_on(tool, false)
    }

    fn decide_on(&self, tool: &str, by_hook: bool) -> Result<ExecutionGrant, Denial> {
        let others = match self.hook_tools {
            Some(others) if by_hook => others,
            _ => self.others(),
        };
        let on = |list: &[String]| list.iter().find(|pattern| matches(pattern, tool)).cloned();
        if let Some(pattern) = on(&self.deny) {
            return Err(Denial {
                reason: format!("the tool `{tool}` is on the deny list (`{pattern}`)"),
            });
        }
        if on(&self.allow).is_none() && others == OtherTools::Deny {
            return Err(Denial {
                reason: format!("the tool `{tool}` is not on the allow list"),
            });
        }
        let timeout_ms = self
            .time_limits
            .iter()
            .find(|limit| matches(&limit.tool, tool))
            .map_or(self.timeout_ms, |limit| limit.timeout_ms);
        Ok(ExecutionGrant {
            working_dir: self.working_dir.clone(),
            timeout: Duration::from_millis(timeout_ms),
        })
    }

    fn others(&self) -> OtherTools {
        self.others.unwrap_or(if self.allow.is_empty() {
            OtherTools::Allow
        } else {
            OtherTools::Deny
        })
    }
}

#[async_trait]
impl Policy for RulePolicy {
    async fn check(&self, request: PolicyRequest<'_>) -> Result<ExecutionGrant, Denial> {
        self.decide_on(request.tool, request.by_hook)
    }

    fn offers(&self, tool: &str, by_hook: bool) -> bool {
        self.decide_on(tool, by_hook).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn policy(text: &str) -> RulePolicy {
        toml::from_str(text).unwrap()
    }

    #[test]
    fn decisions() {
        for (text, tool, allowed) in [
            ("", "anything", true),
            ("others = \"deny\"", "anything", false),
            ("allow = [\"read_*\"]", "read_file", true),
            ("allow = [\"read_*\"]", "write_file", false),
            (
                "allow = [\"read_*\"]\nothers = \"allow\"",
                "write_file",
                true,
            ),
            ("allow = [\"*\"]\ndeny = [\"run_*\"]", "run_command", false),
            ("deny = [\"run_command\"]", "run_command", false),
            ("deny = [\"run_command\"]", "read_file", true),
        ] {
            assert_eq!(
                policy(text).decide(tool).is_ok(),
                allowed,
                "{text} on {tool}"
            );
        }
    }

    #[test]
    fn a_denial_names_the_rule() {
        let denial = policy("deny = [\"run_*\"]")
            .decide("run_command")
            .unwrap_err();
        assert_eq!(
            denial.reason,
            "the tool `run_command` is on the deny list (`run_*`)"
        );
    }

    #[test]
    fn time_limits_go_by_the_first_match() {
        let policy = policy(
            "timeout-ms = 10\nworking-dir = \"/w\"\n\
             time-limits = [{ tool = \"a*\", timeout-ms = 20 }, { tool = \"ab\", timeout-ms = 30 }]",
        );
        let grant = policy.decide("ab").unwrap();
        assert_eq!(grant.timeout, Duration::from_millis(20));
        assert_eq!(grant.working_dir, Some(PathBuf::from("/w")));
        assert_eq!(
            policy.decide("b").unwrap().timeout,
            Duration::from_millis(10)
        );
    }

    #[test]
    fn mistakes_are_errors() {
        for text in [
            "alow = []",
            "others = \"maybe\"",
            "timeout-ms = -1",
            "time-limits = [{ tool = \"a\" }]",
        ] {
            assert!(toml::from_str::<RulePolicy>(text).is_err(), "{text}");
        }
    }
}
