//! `[policy]`: which tools may run.

use std::num::NonZeroU64;
use std::path::Path;

use portcullis_agent::{OtherTools, RulePolicy, TimeLimit};
use schemars::JsonSchema;
use serde::Deserialize;

/// Which tools may run. The policy decides before hooks do, also on sub-agents and client tools.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case")]
pub struct Policy {
    /// Tools that may run, by name; `*` stands for any characters, `?` for one. An empty list allows none.
    #[schemars(extend("x-if-left-out" = "`read_file`, `list_dir`, and all that this file names: tools, servers, sub-agents"))]
    pub allow: Option<Vec<String>>,
    /// Tools that may not run, even if `allow` names them.
    pub deny: Vec<String>,
    /// Whether tools on neither list may run.
    #[schemars(extend("default" = "deny"))]
    pub others: Option<OtherTools>,
    /// Whether tools that hooks contribute and answer may run if they are on neither list. A hook needs
    /// the grant `contribute = ["tools"]`. Tools that may not run are not offered.
    #[schemars(extend("default" = "allow"))]
    pub hook_tools: Option<OtherTools>,
    /// Milliseconds that a tool may run.
    #[schemars(extend("default" = RulePolicy::default().timeout_ms))]
    pub timeout_ms: Option<NonZeroU64>,
    /// Other time limits for some tools, such as `[{ tool = "git__*", timeout-ms = 120000 }]`. The first
    /// that fits counts.
    pub time_limits: Vec<TimeLimit>,
}

impl Policy {
    /// The policy over an agent that has these tools.
    pub(crate) fn rules(&self, all: Vec<String>, working_dir: &Path) -> RulePolicy {
        let default = RulePolicy::default();
        RulePolicy {
            allow: self.allow.clone().unwrap_or(all),
            others: Some(self.others.unwrap_or(OtherTools::Deny)),
            hook_tools: Some(self.hook_tools.unwrap_or(OtherTools::Allow)),
            ..self.limits(default, working_dir)
        }
    }

    /// The policy over a sub-agent that may use these tools.
    pub(crate) fn sub_rules(&self, tools: Vec<String>, working_dir: &Path) -> RulePolicy {
        RulePolicy {
            allow: tools,
            others: Some(OtherTools::Deny),
            ..self.limits(RulePolicy::default(), working_dir)
        }
    }

    fn limits(&self, default: RulePolicy, working_dir: &Path) -> RulePolicy {
        RulePolicy {
            deny: self.deny.clone(),
            working_dir: Some(working_dir.to_owned()),
            timeout_ms: self.timeout_ms.map_or(default.timeout_ms, NonZeroU64::get),
            time_limits: self.time_limits.clone(),
            ..default
        }
    }
}
