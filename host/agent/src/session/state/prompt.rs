//! A turn's prompt: the result of the prompt assembly, used by the turn's model requests and tool
//! calls.

use std::collections::BTreeMap;
use std::sync::Arc;

use portcullis::HookId;
use portcullis::contract::{Message, Role, ToolRoute};
use portcullis::points::prompt_compile::ResponseFormat;
use portcullis::prompt::Prompt;
use portcullis::tools::ToolCatalog;
use serde::{Deserialize, Serialize};

use crate::basics::{text, tokens};
use crate::events::AgentEvent;
use crate::prompt::ToolsPolicy;

/// A turn's prompt.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct TurnPrompt {
    /// All contributions.
    pub(crate) prompt: Arc<Prompt>,
    /// The instructions that replace the operator's.
    pub(crate) system: Option<String>,
    /// The format of the answer.
    pub(crate) response_format: Option<ResponseFormat>,
    /// The sections as one text.
    pub(crate) sections: Option<String>,
    /// The tools to offer: the agent's own and those contributed.
    #[serde(with = "catalog")]
    pub(crate) tools: Arc<ToolCatalog>,
    /// The contributed tools, by name.
    pub(crate) routes: BTreeMap<String, Route>,
}

/// The route of a contributed tool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Route {
    pub(crate) to: ToolRoute,
    /// The hook that contributed it.
    pub(crate) by: HookId,
}

impl TurnPrompt {
    /// Creates a prompt without contributions, with the agent's own tools.
    pub(crate) fn new(own: &Arc<ToolCatalog>) -> Self {
        Self {
            tools: own.clone(),
            ..Self::default()
        }
    }

    /// Offers the agent's own tools and the tools of the bundles, except those that a hook's policy
    /// hides. `all` contains both. A contributed tool is left out if its target is missing or
    /// hidden, or if the operator's policy does not allow it. Returns the events of the tools that
    /// are left out.
    pub(crate) fn route(
        &mut self,
        own: &ToolCatalog,
        all: &ToolCatalog,
        policy: &ToolsPolicy,
        runs_itself: impl Fn(&str) -> bool,
        offers: impl Fn(&str, bool) -> bool,
    ) -> Vec<AgentEvent> {
        let mut left_out = Vec::new();
        for bundle in &self.prompt.bundles {
            for tool in &bundle.value.tools {
                if !policy.offers(&tool.spec.name) {
                    continue;
                }
                let reason = match &tool.route {
                    ToolRoute::Agent(target) if !runs_itself(target) => Some(format!(
                        "the agent has no tool `{target}` that it runs itself"
                    )),
                    ToolRoute::Agent(target) if !policy.offers(target) => {
                        Some(format!("a hook's policy hides the tool `{target}`"))
                    }
                    ToolRoute::Agent(target) if !offers(target, false) => {
                        Some(format!("the policy does not allow the tool `{target}`"))
                    }
                    ToolRoute::Hook if !offers(&tool.spec.name, true) => {
                        Some("the policy does not allow it".to_owned())
                    }
                    ToolRoute::Agent(_) | ToolRoute::Hook => None,
                };
                if let Some(reason) = reason {
                    left_out.push(AgentEvent::ToolLeftOut {
                        hook: bundle.by.to_string(),
                        name: tool.spec.name.clone(),
                        reason,
                    });
                    continue;
                }
                let route = Route {
                    to: tool.route.clone(),
                    by: bundle.by.clone(),
                };
                self.routes.insert(tool.spec.name.clone(), route);
            }
        }
        let offers_all = own.names().all(|name| policy.offers(name));
        if !offers_all || !self.routes.is_empty() {
            let offered = |name: &str| match own.get(name) {
                Some(_) => policy.offers(name),
                None => self.routes.contains_key(name),
            };
            self.tools = Arc::new(all.filtered(offered));
            self.link_targets(own);
        }
        left_out
    }

    /// Makes contributed tools run as the agent's own tools.
    pub(crate) fn link_targets(&mut self, own: &ToolCatalog) {
        for (name, route) in &self.routes {
            if let ToolRoute::Agent(target) = &route.to {
                Arc::make_mut(&mut self.tools).run_as(name, own, target);
            }
        }
    }

    /// Returns the name of the agent's tool that runs when the model calls `tool`.
    pub(crate) fn target<'a>(&'a self, tool: &'a str) -> &'a str {
        match self.routes.get(tool).map(|route| &route.to) {
            Some(ToolRoute::Agent(target)) => target,
            Some(ToolRoute::Hook) | None => tool,
        }
    }

    /// Returns the hook that must answer calls of `tool`.
    pub(crate) fn answerer(&self, tool: &str) -> Option<&HookId> {
        let route = self.routes.get(tool)?;
        (route.to == ToolRoute::Hook).then_some(&route.by)
    }

    /// Returns the messages of a step's model request: the conversation, with the turn's
    /// instructions and sections, which are not part of the conversation.
    pub(crate) fn messages(&self, conversation: &Arc<Vec<Message>>) -> Arc<Vec<Message>> {
        if self.system.is_none() && self.sections.is_none() {
            return conversation.clone();
        }
        let (own, rest) = match conversation.split_first() {
            Some((first, rest)) if first.role == Role::System => (Some(first), rest),
            _ => (None, conversation.as_slice()),
        };
        let of_turn = |words: &String| text::message(Role::System, words);
        let head = self.system.as_ref().map(of_turn).or_else(|| own.cloned());
        let sections = self.sections.as_ref().map(of_turn);
        let messages = head.into_iter().chain(sections).chain(rest.iter().cloned());
        Arc::new(messages.collect())
    }

    /// Returns the estimated tokens of the sections.
    pub(crate) fn section_tokens(&self) -> u64 {
        self.sections.as_deref().map_or(0, tokens::of_text)
    }
}

/// A catalogue as the list of its specs.
mod catalog {
    use std::sync::Arc;

    use portcullis::contract::ToolSpec;
    use portcullis::tools::ToolCatalog;
    use serde::{Deserialize as _, Deserializer, Serializer, de};

    pub(super) fn serialize<S: Serializer>(
        tools: &Arc<ToolCatalog>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(tools.specs())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Arc<ToolCatalog>, D::Error> {
        let specs = Vec::<ToolSpec>::deserialize(deserializer)?;
        ToolCatalog::new(specs)
            .map(Arc::new)
            .map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use portcullis::contract::{BundledTool, ToolBundle, ToolSpec};
    use portcullis::prompt::Contributed;

    use super::*;

    fn spec(name: &str) -> ToolSpec {
        ToolSpec {
            name: name.into(),
            description: String::new(),
            schema: "{}".into(),
        }
    }

    fn routed() -> (TurnPrompt, Vec<AgentEvent>) {
        let own = Arc::new(ToolCatalog::new([spec("read")]).unwrap());
        let tool = |name, route| BundledTool {
            spec: spec(name),
            route,
        };
        let mut turn_prompt = TurnPrompt::new(&own);
        Arc::make_mut(&mut turn_prompt.prompt).bundles = vec![Contributed {
            by: HookId::from("h"),
            value: ToolBundle {
                name: "b".into(),
                tools: vec![
                    tool("notes", ToolRoute::Agent("read".into())),
                    tool("lost", ToolRoute::Agent("gone".into())),
                    tool("ask", ToolRoute::Hook),
                ],
            },
        }];
        let all = own.with(
            turn_prompt.prompt.bundles[0]
                .value
                .tools
                .iter()
                .map(|tool| tool.spec.clone()),
        );
        let policy = ToolsPolicy::default();
        let runs_itself = |tool: &str| tool == "read";
        let left_out = turn_prompt.route(&own, &all.unwrap(), &policy, runs_itself, |_, _| true);
        (turn_prompt, left_out)
    }

    #[test]
    fn tools_are_routed_by_name() {
        let (turn_prompt, left_out) = routed();
        let names: Vec<&str> = turn_prompt.tools.names().collect();
        assert_eq!(names, ["read", "notes", "ask"]);
        assert_eq!(left_out.len(), 1);
        for (tool, target, answerer) in [
            ("read", "read", None),
            ("notes", "read", None),
            ("ask", "ask", Some("h")),
            ("lost", "lost", None),
        ] {
            assert_eq!(turn_prompt.target(tool), target);
            assert_eq!(turn_prompt.answerer(tool).map(HookId::as_str), answerer);
        }
    }

    #[test]
    fn survives_a_checkpoint() {
        let (turn_prompt, _) = routed();
        let json = serde_json::to_string(&turn_prompt).unwrap();
        let again: TurnPrompt = serde_json::from_str(&json).unwrap();
        assert_eq!(again.routes, turn_prompt.routes);
        assert_eq!(again.prompt, turn_prompt.prompt);
        assert!(again.tools.names().eq(turn_prompt.tools.names()));
    }
}
