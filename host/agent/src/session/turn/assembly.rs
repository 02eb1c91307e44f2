//! The prompt assembly (HookRuntime's phases): prompt-policy → prompt-context → the preflight plan →
//! prompt-recall → prompt-tools → prompt-compile.
//!
//! It runs once in a turn, after `pre-turn` and before the first step. Its result applies to the
//! turn: every later call sees it, and every model request of the turn's steps uses it.

use std::sync::Arc;

use portcullis::Decision;
use portcullis::contract::ContentPart;
use portcullis::points::prompt_compile::Draft;
use portcullis::points::{
    Never, Point, PromptCompile, PromptContext, PromptPolicy, PromptRecall, PromptTools,
    prompt_context, prompt_policy, prompt_recall, prompt_tools,
};

use crate::basics::text;
use crate::basics::units::count;
use crate::events::AgentEvent;
use crate::exchange::TurnError;
use crate::prompt::{self, FallbackPreflight, PreflightPlan, PreflightTurn, ToolsPolicy};
use crate::session::state::{SessionState, TurnPrompt};

/// Assembles the turn's prompt.
pub(super) async fn assemble(
    session: &mut SessionState,
    input: &Arc<Vec<ContentPart>>,
) -> Result<(), TurnError> {
    let text_bytes = count(text::joined(input).len());
    if session.hooks.serves::<PromptPolicy>() {
        let facts = prompt_policy::TurnFacts {
            text_bytes,
            messages: count(session.conversation.messages().len()),
            tools: count(session.views.tools.len()),
            policies: 0,
        };
        contribute::<PromptPolicy>(session, facts, input).await?;
    }
    if session.hooks.serves::<PromptContext>() {
        let set = prompt_context::ContextSet {
            text_bytes,
            policies: count(session.views.prompt.policies.len()),
            items: 0,
        };
        contribute::<PromptContext>(session, set, input).await?;
    }
    if session.hooks.serves::<PromptRecall>() {
        let plan = preflight(session, input).await;
        let facts = prompt_recall::RecallPlan {
            queries: count(plan.queries.len()),
            max_items: plan.max_items,
            max_tokens: plan.max_tokens,
            fallback: plan.fallback,
            items: count(session.views.prompt.items.len()),
        };
        Arc::make_mut(&mut session.views.prompt).queries = plan.queries;
        contribute::<PromptRecall>(session, facts, input).await?;
    }
    if session.hooks.serves::<PromptTools>() {
        let set = prompt_tools::ToolSet {
            tools: count(session.views.tools.len()),
            bundles: 0,
        };
        contribute::<PromptTools>(session, set, input).await?;
    }
    let mut turn_prompt = TurnPrompt::new(&session.shared.catalog);
    if session.hooks.serves::<PromptCompile>() {
        let budget = session.shared.context.config.prompt_budget_tokens;
        let draft = Draft::new(&session.views.prompt, budget);
        let draft = contribute::<PromptCompile>(session, draft, input).await?;
        turn_prompt.system = draft.system;
        turn_prompt.response_format = draft.response_format;
        turn_prompt.sections = compile(session, budget);
    }
    turn_prompt.prompt = session.views.prompt.clone();
    let tools_policy = ToolsPolicy::of(&turn_prompt.prompt)?;
    let shared = &session.shared;
    let tools = &session.views.tools;
    let policy = &shared.context.policy;
    let runs_itself = |tool: &str| shared.runs_itself(tool);
    let offers = |tool: &str, by_hook| policy.offers(tool, by_hook);
    for left_out in turn_prompt.route(&shared.catalog, tools, &tools_policy, runs_itself, offers) {
        session.emit(|| left_out);
    }
    session.set_prompt(turn_prompt);
    Ok(())
}

/// Runs a point's hooks and keeps their contributions.
async fn contribute<P>(
    session: &mut SessionState,
    subject: P::Subject,
    input: &Arc<Vec<ContentPart>>,
) -> Result<P::Subject, TurnError>
where
    P: Point<Rejection = Never, Answer = Never, Ask = Never, Stop = Never>,
{
    let fired = session
        .ask::<P>(subject, |views| views.content = input.clone())
        .await;
    session.views.prompt = fired.views.prompt;
    session.views.tools = fired.views.tools;
    match fired.decision {
        Decision::Passed => Ok(fired.subject),
        Decision::Failed(failed) => Err(failed.into()),
    }
}

/// Returns the recall plan; the fallback if the agent's planner fails.
async fn preflight(session: &SessionState, input: &[ContentPart]) -> PreflightPlan {
    let turn = PreflightTurn {
        agent: session.agent(),
        user: session.views.session.user.as_deref(),
        session_id: session.id(),
        turn: session.position.turn,
        said: input,
        conversation: session.conversation.messages(),
        prompt: &session.views.prompt,
    };
    let planning = session.shared.preflight.plan(turn);
    let planned = session.effect(|| "preflight".into(), planning).await;
    planned.unwrap_or_else(|error| {
        tracing::warn!(session = session.id(), "{error}");
        session.emit(|| AgentEvent::PreflightFailed {
            error: error.to_string(),
        });
        FallbackPreflight::default().of(input)
    })
}

/// Returns the sections as one text, if there are any.
fn compile(session: &SessionState, budget_tokens: u64) -> Option<String> {
    let sections = &session.views.prompt.sections;
    if sections.is_empty() {
        return None;
    }
    let compiled = prompt::compile(sections, budget_tokens);
    session.emit(|| AgentEvent::PromptCompiled {
        sections: compiled.sections,
        tokens: compiled.tokens(),
        cuts: compiled.cuts.clone(),
    });
    Some(compiled.text).filter(|text| !text.is_empty())
}
