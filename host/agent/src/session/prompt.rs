//! The assembly of a turn's prompt: prompt-policy → prompt-context → the preflight plan →
//! prompt-recall → prompt-tools → prompt-compile (seed 001).
//!
//! It happens once in a turn, after `pre-turn` has passed and before the first step. What comes of
//! it holds for the turn: every later call sees it, and every model request of the turn's steps is
//! made with it.

use std::sync::Arc;

use portcullis::contract::ContentPart;
use portcullis::points::prompt_compile::Draft;
use portcullis::points::{
    Never, Point, PromptCompile, PromptContext, PromptPolicy, PromptRecall, PromptTools,
    prompt_context, prompt_policy, prompt_recall, prompt_tools,
};
use portcullis::prompt::{Aside, Contributed};
use portcullis::{Decision, Views};

use super::running::{Running, count};
use super::turn_prompt::TurnPrompt;
use crate::error::TurnError;
use crate::events::AgentEvent;
use crate::jobs::Origin;
use crate::prompt::{self, FallbackPreflight, PreflightPlan, PreflightTurn};
use crate::text;

impl Running {
    /// Puts the turn's prompt together.
    pub(super) async fn assemble(&mut self, said: &Arc<Vec<ContentPart>>) -> Result<(), TurnError> {
        let text_bytes = count(text::joined(said).len());
        if self.hooks.serves::<PromptPolicy>() {
            let facts = prompt_policy::TurnFacts {
                text_bytes,
                messages: count(self.conversation.len()),
                tools: count(self.views.tools.len()),
                policies: 0,
            };
            self.contribute::<PromptPolicy>(facts, said).await?;
        }
        if self.hooks.serves::<PromptContext>() {
            let set = prompt_context::ContextSet {
                text_bytes,
                policies: count(self.views.prompt.policies.len()),
                items: 0,
            };
            self.contribute::<PromptContext>(set, said).await?;
        }
        if self.hooks.serves::<PromptRecall>() {
            let plan = self.preflight(said).await;
            let facts = prompt_recall::RecallPlan {
                queries: count(plan.queries.len()),
                max_items: plan.max_items,
                max_tokens: plan.max_tokens,
                fallback: plan.fallback,
                items: count(self.views.prompt.items.len()),
            };
            Arc::make_mut(&mut self.views.prompt).queries = plan.queries;
            self.contribute::<PromptRecall>(facts, said).await?;
        }
        if self.hooks.serves::<PromptTools>() {
            let set = prompt_tools::ToolSet {
                tools: count(self.views.tools.len()),
                bundles: 0,
            };
            self.contribute::<PromptTools>(set, said).await?;
        }
        let mut turn_prompt = TurnPrompt::new(&self.shared.catalog);
        if self.hooks.serves::<PromptCompile>() {
            let budget = self.shared.context.config.prompt_budget_tokens;
            let draft = Draft::new(&self.views.prompt, budget);
            let draft = self.contribute::<PromptCompile>(draft, said).await?;
            turn_prompt.system = draft.system;
            turn_prompt.response_format = draft.response_format;
            turn_prompt.sections = self.compile(budget);
        }
        turn_prompt.prompt = self.views.prompt.clone();
        for left_out in turn_prompt.route(&self.shared.catalog, |tool| self.runs_itself(tool)) {
            self.emit(|| left_out);
        }
        self.take_prompt(turn_prompt);
        Ok(())
    }

    /// Runs a point's hooks and keeps what they contributed.
    async fn contribute<P>(
        &mut self,
        subject: P::Subject,
        said: &Arc<Vec<ContentPart>>,
    ) -> Result<P::Subject, TurnError>
    where
        P: Point<Rejection = Never, Answer = Never, Ask = Never, Stop = Never>,
    {
        let (content, conversation) = (said.clone(), self.conversation.clone());
        let ran = self
            .ask::<P>(subject, |views| {
                views.content = content;
                views.conversation = conversation;
            })
            .await;
        let Views { prompt, tools, .. } = ran.views;
        self.views.prompt = prompt;
        self.views.tools = tools;
        match ran.decision {
            Decision::Passed => Ok(ran.subject),
            Decision::Failed(failed) => Err(failed.into()),
            Decision::Rejected { rejection, .. } => match rejection {},
            Decision::Answered { answer, .. } => match answer {},
            Decision::Stopped { stop, .. } => match stop {},
            Decision::Pending(pending) => match pending.first.ask {},
        }
    }

    /// The plan of what to recall; the fallback where the agent's planner has none.
    async fn preflight(&self, said: &[ContentPart]) -> PreflightPlan {
        let planned = self
            .shared
            .preflight
            .plan(PreflightTurn {
                agent: self.place.agent(),
                user: self.views.session.user.as_deref(),
                session_id: self.id(),
                turn: self.place.turn,
                said,
                conversation: &self.conversation,
                prompt: &self.views.prompt,
            })
            .await;
        planned.unwrap_or_else(|error| {
            tracing::warn!(session = self.id(), "{error}");
            self.emit(|| AgentEvent::PreflightFailed {
                error: error.to_string(),
            });
            FallbackPreflight::default().of(said)
        })
    }

    /// The sections as one text, if there are any.
    fn compile(&self, budget_tokens: u64) -> Option<String> {
        let sections = &self.views.prompt.sections;
        if sections.is_empty() {
            return None;
        }
        let compiled = prompt::compile(sections, budget_tokens);
        self.emit(|| AgentEvent::PromptCompiled {
            sections: compiled.sections,
            tokens: compiled.tokens(),
            cuts: compiled.cuts.clone(),
        });
        Some(compiled.text).filter(|text| !text.is_empty())
    }

    /// Takes a turn's prompt: all calls see it from now on.
    pub(super) fn take_prompt(&mut self, turn_prompt: TurnPrompt) {
        self.views.prompt = turn_prompt.prompt.clone();
        self.views.tools = turn_prompt.tools.clone();
        self.prompt = turn_prompt;
    }

    /// Whether a tool is one that the agent runs itself: no sub-agent, none of the client's.
    fn runs_itself(&self, tool: &str) -> bool {
        self.shared.catalog.get(tool).is_some()
            && !self.shared.subagents.contains_key(tool)
            && !self.shared.client_tools.contains(tool)
    }

    /// Takes what hooks contributed on the side.
    pub(super) fn asides(&self, asides: Vec<Contributed<Aside>>) {
        if !asides.is_empty() {
            let origin = Origin {
                session_id: self.place.session_id.clone(),
                turn: self.place.turn,
                step: self.place.step,
            };
            self.on_the_side.take(&origin, asides);
        }
    }

    /// Forgets the prompt of the turn before.
    pub(super) fn forget_prompt(&mut self) {
        self.take_prompt(TurnPrompt::new(&self.shared.catalog));
    }
}
