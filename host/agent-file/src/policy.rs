//! `[policy]`: which tools may run.

use std::collections::BTreeSet;
use std::num::NonZeroU64;
use std::path::Path;

use async_trait::async_trait;
use portcullis_agent::{
    Denial, ExecutionGrant, OtherTools, Policy as Decides, PolicyRequest, RulePolicy, TimeLimit,
};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::subagents::Subagent;

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
    /// Returns the policy of an agent that has these tools.
    pub(crate) fn rules(&self, all: Vec<String>, working_dir: &Path) -> RulePolicy {
        let default = RulePolicy::default();
        RulePolicy {
            allow: self.allow.clone().unwrap_or(all),
            others: Some(self.others.unwrap_or(OtherTools::Deny)),
            hook_tools: Some(self.hook_tools.unwrap_or(OtherTools::Allow)),
            ..self.limits(default, working_dir)
        }
    }

    /// Returns the policy of a sub-agent. `above` are the rules of the agents above it, outermost
    /// first.
    pub(crate) fn of_subagent(
        &self,
        subagent: &Subagent,
        above: Vec<RulePolicy>,
        working_dir: &Path,
    ) -> SubagentPolicy {
        let below: BTreeSet<String> = subagent.subagents.keys().cloned().collect();
        let own = RulePolicy {
            allow: subagent.tools.iter().chain(&below).cloned().collect(),
            others: Some(OtherTools::Deny),
            ..self.limits(RulePolicy::default(), working_dir)
        };
        SubagentPolicy { above, own, below }
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

/// A sub-agent's policy: a tool is allowed if the sub-agent's own rules and the rules of all agents
/// above it allow it.
#[derive(Debug, Clone)]
pub(crate) struct SubagentPolicy {
    /// The rules of the agents above it, outermost first.
    above: Vec<RulePolicy>,
    own: RulePolicy,
    /// Its own sub-agents. They are not tools of the agents above it, so those agents' rules do not
    /// name them.
    below: BTreeSet<String>,
}

impl SubagentPolicy {
    /// Returns the rules that apply to its own sub-agents, outermost first.
    pub(crate) fn rules(&self) -> Vec<RulePolicy> {
        self.above.iter().chain([&self.own]).cloned().collect()
    }

    /// Returns the policies of the agents above that apply to a tool.
    fn above(&self, tool: &str) -> &[RulePolicy] {
        match self.below.contains(tool) {
            true => &[],
            false => &self.above,
        }
    }
}

#[async_trait]
impl Decides for SubagentPolicy {
    async fn check(&self, request: PolicyRequest<'_>) -> Result<ExecutionGrant, Denial> {
        for rules in self.above(request.tool) {
            rules.check(request).await?;
        }
        self.own.check(request).await
    }

    fn offers(&self, tool: &str, by_hook: bool) -> bool {
        let mut all = self.above(tool).iter().chain([&self.own]);
        all.all(|rules| rules.offers(tool, by_hook))
    }
}

#[cfg(test)]
mod tests {
    use portcullis::contract::Context;

    use super::*;
    use crate::file::AgentFile;

    #[tokio::test]
    async fn a_sub_agent_may_use_no_more_than_the_agents_above_it() {
        let text = "[policy]\nallow = [\"read_*\", \"reader\"]\nhook-tools = \"deny\"\n\
                    [subagents.reader]\ntools = [\"read_file\", \"run_command\", \"notes\"]\n\
                    [subagents.reader.subagents.helper]\ntools = [\"*\"]\n";
        let file = AgentFile::parse(Path::new("agent.toml"), text).expect("it is read");
        let dir = Path::new(".");
        let main = file.policy.rules(Vec::new(), dir);
        let table = &file.subagents["reader"];
        let reader = file.policy.of_subagent(table, vec![main], dir);
        let table = &table.subagents["helper"];
        let helper = file.policy.of_subagent(table, reader.rules(), dir);
        let context = Context {
            session_id: "s".into(),
            agent: "a".into(),
            turn: 1,
            step: 1,
        };
        for (tool, by_hook, of_reader, of_helper) in [
            ("read_file", false, true, true),
            // The agent has the tool, and the first sub-agent does not.
            ("read_mail", false, false, false),
            // The agent does not have the tool.
            ("run_command", false, false, false),
            ("notes", true, false, false),
            // Only the parent of `helper` has it as a tool.
            ("helper", false, true, false),
        ] {
            for (policy, allowed) in [(&reader, of_reader), (&helper, of_helper)] {
                let request = PolicyRequest {
                    context: &context,
                    tool,
                    arguments: "{}",
                    by_hook,
                };
                assert_eq!(policy.offers(tool, by_hook), allowed, "{tool} {policy:?}");
                let checked = policy.check(request).await;
                assert_eq!(checked.is_ok(), allowed, "{tool} {policy:?}");
            }
        }
    }
}
