//! What came of a turn's assembly, and what it does to the turn's model requests and tool calls.

use std::collections::BTreeMap;
use std::sync::Arc;

use portcullis::contract::{ContentPart, Message, Role, ToolRoute};
use portcullis::points::InvalidValue;
use portcullis::points::prompt_compile::ResponseFormat;
use portcullis::prompt::Prompt;
use portcullis::{HookId, ToolCatalog};
use serde::{Deserialize, Serialize};

use super::running::Running;
use crate::events::{AgentEvent, CallPurpose};
use crate::tokens;

/// A turn's prompt.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct TurnPrompt {
    /// All that was contributed.
    pub(super) prompt: Arc<Prompt>,
    /// Instructions in place of the operator's.
    pub(super) system: Option<String>,
    /// How the model must answer.
    pub(super) response_format: Option<ResponseFormat>,
    /// The sections as one text.
    pub(super) sections: Option<String>,
    /// The tools to offer: the agent's own and those contributed.
    #[serde(with = "catalog")]
    pub(super) tools: Arc<ToolCatalog>,
    /// The tools contributed, by name.
    pub(super) routes: BTreeMap<String, Route>,
}

/// Who runs a contributed tool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Route {
    pub(super) to: ToolRoute,
    /// The hook that contributed it.
    pub(super) by: HookId,
}

impl TurnPrompt {
    /// Nothing but the agent's own tools.
    pub(super) fn new(own: &Arc<ToolCatalog>) -> Self {
        Self {
            tools: own.clone(),
            ..Self::default()
        }
    }

    /// Takes the tools out of the bundles. Those whose target the agent does not have are left out;
    /// given back is what to say of them.
    pub(super) fn route(
        &mut self,
        own: &ToolCatalog,
        runs_itself: impl Fn(&str) -> bool,
    ) -> Vec<AgentEvent> {
        let mut left_out = Vec::new();
        let mut offered = Vec::new();
        for bundle in &self.prompt.bundles {
            for tool in &bundle.value.tools {
                let fault = match &tool.route {
                    ToolRoute::Agent(target) if !runs_itself(target) => Some(format!(
                        "the agent has no tool `{target}` that it runs itself"
                    )),
                    _ => None,
                };
                if let Some(reason) = fault {
                    left_out.push(AgentEvent::ToolLeftOut {
                        hook: bundle.by.to_string(),
                        name: tool.spec.name.clone(),
                        reason,
                    });
                    continue;
                }
                offered.push(tool.spec.clone());
                let route = Route {
                    to: tool.route.clone(),
                    by: bundle.by.clone(),
                };
                self.routes.insert(tool.spec.name.clone(), route);
            }
        }
        if offered.is_empty() {
            return left_out;
        }
        match own.with(offered) {
            Ok(tools) => self.tools = Arc::new(tools),
            // The host has checked every bundle against those before it.
            Err(error) => tracing::error!("contributed tools are not offered: {error}"),
        }
        left_out
    }

    /// The agent's tool that runs a tool of this name.
    pub(super) fn target<'a>(&'a self, tool: &'a str) -> &'a str {
        match self.routes.get(tool).map(|route| &route.to) {
            Some(ToolRoute::Agent(target)) => target,
            Some(ToolRoute::Hook) | None => tool,
        }
    }

    /// The hook that must answer calls of a tool of this name.
    pub(super) fn answerer(&self, tool: &str) -> Option<&HookId> {
        let route = self.routes.get(tool)?;
        (route.to == ToolRoute::Hook).then_some(&route.by)
    }
}

impl Running {
    /// The conversation as a step of the turn sends it: with the turn's instructions and sections,
    /// which are not part of what is kept.
    pub(super) fn request_messages(&self) -> Arc<Vec<Message>> {
        let TurnPrompt {
            system, sections, ..
        } = &self.prompt;
        if system.is_none() && sections.is_none() {
            return self.conversation.clone();
        }
        let (own, rest) = match self.conversation.split_first() {
            Some((first, rest)) if first.role == Role::System => (Some(first), rest),
            _ => (None, self.conversation.as_slice()),
        };
        let of_turn = |text: &String| Message {
            role: Role::System,
            content: vec![ContentPart::Text(text.clone())],
        };
        let head = system.as_ref().map(of_turn).or_else(|| own.cloned());
        let sections = sections.as_ref().map(of_turn);
        let messages = head.into_iter().chain(sections).chain(rest.iter().cloned());
        Arc::new(messages.collect())
    }

    /// How many tokens that is, about.
    pub(super) fn request_tokens(&mut self) -> u64 {
        let conversation = self.meter.read(&self.conversation, &self.views.tools);
        // What is estimated behind a first response builds on what the provider counted, and that has
        // the sections in it.
        match self.place.step {
            1 => conversation + self.prompt.sections.as_deref().map_or(0, tokens::of_text),
            _ => conversation,
        }
    }

    /// How the model must answer a call for this purpose.
    pub(super) fn response_format(&self, purpose: CallPurpose) -> Option<ResponseFormat> {
        match purpose {
            CallPurpose::Step => self.prompt.response_format.clone(),
            _ => None,
        }
    }

    /// Checks the arguments of a tool call: against the schema the model was given and, where a
    /// contributed tool is run by one of the agent's own, against that one's too.
    pub(super) fn check_arguments(
        &self,
        offered: &ToolCatalog,
        tool: &str,
        arguments: &str,
    ) -> Result<(), InvalidValue> {
        offered.check(tool, arguments)?;
        match self.prompt.target(tool) {
            target if target == tool => Ok(()),
            target => self.shared.catalog.check(target, arguments),
        }
    }
}

/// A catalogue as the list of its specs.
mod catalog {
    use std::sync::Arc;

    use portcullis::ToolCatalog;
    use portcullis::contract::ToolSpec;
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
        let left_out = turn_prompt.route(&own, |tool| tool == "read");
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
    fn it_can_be_kept_and_read_again() {
        let (turn_prompt, _) = routed();
        let json = serde_json::to_string(&turn_prompt).unwrap();
        let again: TurnPrompt = serde_json::from_str(&json).unwrap();
        assert_eq!(again.routes, turn_prompt.routes);
        assert_eq!(again.prompt, turn_prompt.prompt);
        assert!(again.tools.names().eq(turn_prompt.tools.names()));
    }
}
