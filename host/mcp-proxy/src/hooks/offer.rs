//! `prompt-policy` and `prompt-tools`: the offered tools.

use std::collections::BTreeMap;
use std::sync::Arc;

use portcullis::contract::{ToolRoute, ToolSpec};
use portcullis::points::{Never, Point, PromptPolicy, PromptTools, prompt_policy, prompt_tools};
use portcullis::prompt::Prompt;
use portcullis::text::sanitize_for_terminal;
use portcullis::tools::ToolCatalog;
use portcullis::{Decision, HookId};
use portcullis_agent::ToolsPolicy;

use super::before::count;
use super::{SessionHooks, report};

/// The offered tools.
#[derive(Debug, Clone, Default)]
pub(crate) struct Offer {
    /// The offered tools of the server, and the tools that hooks add.
    pub(crate) tools: Arc<ToolCatalog>,
    added: BTreeMap<String, Added>,
}

/// A tool that a hook adds.
#[derive(Debug, Clone)]
struct Added {
    by: HookId,
    route: ToolRoute,
}

impl Offer {
    /// Returns these tools, without tools that hooks add.
    pub(crate) fn of(tools: Arc<ToolCatalog>) -> Self {
        Self {
            tools,
            added: BTreeMap::new(),
        }
    }

    /// Returns the specs of the tools that hooks add.
    pub(crate) fn added(&self) -> impl Iterator<Item = &ToolSpec> {
        self.added.keys().filter_map(|name| self.tools.get(name))
    }

    /// Returns whether a hook adds a tool with this name.
    pub(crate) fn adds(&self, tool: &str) -> bool {
        self.added.contains_key(tool)
    }

    /// Returns the tool that runs when this one is called.
    pub(crate) fn target<'a>(&'a self, tool: &'a str) -> &'a str {
        match self.added.get(tool).map(|added| &added.route) {
            Some(ToolRoute::Agent(target)) => target,
            Some(ToolRoute::Hook) | None => tool,
        }
    }

    /// Returns the hook that must answer calls of the tool.
    pub(crate) fn answerer(&self, tool: &str) -> Option<&HookId> {
        let added = self.added.get(tool)?;
        (added.route == ToolRoute::Hook).then_some(&added.by)
    }
}

impl SessionHooks {
    /// Runs the hooks that choose the offered tools. `own` are the server's tools, with the names
    /// that hooks see.
    ///
    /// # Errors
    ///
    /// A hook that fails closed failed: no tool is offered. Returns the error as text.
    pub(crate) async fn offer(&self, turn: u32, own: Arc<ToolCatalog>) -> Result<Offer, String> {
        let mut prompt = Arc::<Prompt>::default();
        let mut tools = own.clone();
        if self.session.serves::<PromptPolicy>() {
            let facts = prompt_policy::TurnFacts {
                text_bytes: 0,
                messages: 0,
                tools: count(own.len()),
                policies: 0,
            };
            (prompt, tools) = self
                .contribute::<PromptPolicy>(turn, facts, prompt, tools)
                .await?;
        }
        if self.session.serves::<PromptTools>() {
            let set = prompt_tools::ToolSet {
                tools: count(own.len()),
                bundles: 0,
            };
            (prompt, tools) = self
                .contribute::<PromptTools>(turn, set, prompt, tools)
                .await?;
        }
        chosen(&prompt, &own, &tools)
    }

    async fn contribute<P>(
        &self,
        turn: u32,
        subject: P::Subject,
        prompt: Arc<Prompt>,
        tools: Arc<ToolCatalog>,
    ) -> Result<(Arc<Prompt>, Arc<ToolCatalog>), String>
    where
        P: Point<Rejection = Never, Answer = Never, Ask = Never, Stop = Never>,
    {
        let mut call = self.call::<P>(turn, subject, |views| {
            views.prompt = prompt;
            views.tools = tools;
        });
        let verdict = self.session.run(&mut call).await;
        report(&verdict.side_outputs);
        match verdict.decision {
            Decision::Passed => {
                let views = call.into_data().views;
                Ok((views.prompt, views.tools))
            }
            Decision::Failed(failed) => Err(sanitize_for_terminal(&failed.to_string())),
        }
    }
}

/// Returns the offered tools out of `all`, which contains the server's tools and the tools that
/// hooks add.
fn chosen(prompt: &Prompt, own: &ToolCatalog, all: &ToolCatalog) -> Result<Offer, String> {
    let policy = ToolsPolicy::of(prompt);
    let policy = policy.map_err(|failed| sanitize_for_terminal(&failed.to_string()))?;
    let mut added = BTreeMap::new();
    for bundle in &prompt.bundles {
        for tool in &bundle.value.tools {
            let name = &tool.spec.name;
            let missing = match &tool.route {
                ToolRoute::Agent(target) if own.get(target).is_none() => {
                    Some(("the server has no tool", target))
                }
                ToolRoute::Agent(target) if !policy.offers(target) => {
                    Some(("a hook's policy hides the tool", target))
                }
                ToolRoute::Agent(_) | ToolRoute::Hook => None,
            };
            if let Some((why, target)) = missing {
                tracing::warn!(
                    hook = %bundle.by,
                    "the tool `{}` is left out: {why} `{}`",
                    sanitize_for_terminal(name),
                    sanitize_for_terminal(target)
                );
                continue;
            }
            if !policy.offers(name) {
                continue;
            }
            let route = tool.route.clone();
            let by = bundle.by.clone();
            added.insert(name.clone(), Added { by, route });
        }
    }
    let mut tools = all.filtered(|name| match own.get(name) {
        Some(_) => policy.offers(name),
        None => added.contains_key(name),
    });
    for (name, added) in &added {
        if let ToolRoute::Agent(target) = &added.route {
            tools.run_as(name, own, target);
        }
    }
    Ok(Offer {
        tools: Arc::new(tools),
        added,
    })
}
