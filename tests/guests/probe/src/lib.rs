//! A hook that does as its configuration says, at every point there is:
//!
//! ```toml
//! [hooks.probe.config]
//! pre-turn = "reject"
//! post-turn = "transform changed"
//! ```
//!
//! A point that is not named continues. What it can be told is in the enum `Deed`.

mod deed;
mod excess;
mod gift;
mod llm;
mod look;
mod prompt;
mod session;
mod step;
mod tool;
mod turn;

use portcullis_sdk::points::*;
use portcullis_sdk::prelude::{Context, HookResult, hook};

use crate::deed::Deed;

/// The probe.
pub struct Probe;

#[hook(
    id = "probe",
    description = "Does as its configuration says.",
    kind = "test",
    role = transform,
    contributes = [policy, context, section, tools, note, job]
)]
impl Probe {
    fn session_start(
        _: Context,
        _: session_start::SessionInfo,
    ) -> HookResult<session_start::Outcome> {
        session::start()
    }

    fn session_end(_: Context, _: session_end::SessionSummary) -> HookResult<session_end::Outcome> {
        Deed::at("session-end")?.tell()?;
        Ok(session_end::Outcome::Continue)
    }

    fn pre_turn(_: Context, _: pre_turn::TurnInput) -> HookResult<pre_turn::Outcome> {
        turn::pre()
    }

    fn post_turn(_: Context, _: post_turn::TurnOutput) -> HookResult<post_turn::Outcome> {
        turn::post()
    }

    fn turn_error(_: Context, _: turn_error::Failure) -> HookResult<turn_error::Outcome> {
        turn::error()
    }

    fn turn_suspended(
        _: Context,
        _: turn_suspended::Suspension,
    ) -> HookResult<turn_suspended::Outcome> {
        Deed::at("turn-suspended")?.tell()?;
        Ok(turn_suspended::Outcome::Continue)
    }

    fn turn_resumed(_: Context, _: turn_resumed::Resumption) -> HookResult<turn_resumed::Outcome> {
        Deed::at("turn-resumed")?.tell()?;
        Ok(turn_resumed::Outcome::Continue)
    }

    fn prompt_policy(
        _: Context,
        _: prompt_policy::TurnFacts,
    ) -> HookResult<prompt_policy::Outcome> {
        prompt::prompt_policy()
    }

    fn prompt_context(
        _: Context,
        _: prompt_context::ContextSet,
    ) -> HookResult<prompt_context::Outcome> {
        prompt::prompt_context()
    }

    fn prompt_recall(
        _: Context,
        _: prompt_recall::RecallPlan,
    ) -> HookResult<prompt_recall::Outcome> {
        prompt::prompt_recall()
    }

    fn prompt_tools(_: Context, _: prompt_tools::ToolSet) -> HookResult<prompt_tools::Outcome> {
        prompt::prompt_tools()
    }

    fn prompt_compile(
        _: Context,
        _: prompt_compile::PromptDraft,
    ) -> HookResult<prompt_compile::Outcome> {
        prompt::prompt_compile()
    }

    fn pre_step(_: Context, _: pre_step::StepState) -> HookResult<pre_step::Outcome> {
        step::pre()
    }

    fn post_step(_: Context, _: post_step::StepReport) -> HookResult<post_step::Outcome> {
        step::post()
    }

    fn pre_llm_call(_: Context, _: pre_llm_call::LlmCall) -> HookResult<pre_llm_call::Outcome> {
        llm::pre()
    }

    fn llm_delta(_: Context, _: llm_delta::Delta) -> HookResult<llm_delta::Outcome> {
        llm::delta()
    }

    fn post_llm_call(
        _: Context,
        _: post_llm_call::LlmResult,
    ) -> HookResult<post_llm_call::Outcome> {
        llm::post()
    }

    fn llm_error(_: Context, input: llm_error::LlmFailure) -> HookResult<llm_error::Outcome> {
        llm::error(input)
    }

    fn pre_tool_call(
        _: Context,
        _: pre_tool_call::ToolRequest,
    ) -> HookResult<pre_tool_call::Outcome> {
        tool::pre()
    }

    fn tool_update(_: Context, _: tool_update::ToolProgress) -> HookResult<tool_update::Outcome> {
        tool::update()
    }

    fn tool_update_sent(
        _: Context,
        _: tool_update_sent::ToolProgress,
    ) -> HookResult<tool_update_sent::Outcome> {
        Deed::at("tool-update-sent")?.tell()?;
        Ok(tool_update_sent::Outcome::Continue)
    }

    fn post_tool_call(
        _: Context,
        input: post_tool_call::ToolOutcome,
    ) -> HookResult<post_tool_call::Outcome> {
        tool::post(input)
    }

    fn state_changed(
        _: Context,
        _: state_changed::StateChange,
    ) -> HookResult<state_changed::Outcome> {
        Deed::at("state-changed")?.tell()?;
        Ok(state_changed::Outcome::Continue)
    }

    fn message_added(
        _: Context,
        _: message_added::AddedMessage,
    ) -> HookResult<message_added::Outcome> {
        Deed::at("message-added")?.tell()?;
        Ok(message_added::Outcome::Continue)
    }

    fn pre_subagent(
        _: Context,
        _: pre_subagent::SubagentSpec,
    ) -> HookResult<pre_subagent::Outcome> {
        tool::pre_subagent()
    }

    fn post_subagent(
        _: Context,
        _: post_subagent::SubagentResult,
    ) -> HookResult<post_subagent::Outcome> {
        tool::post_subagent()
    }

    fn pre_compaction(
        _: Context,
        input: pre_compaction::TokenBudget,
    ) -> HookResult<pre_compaction::Outcome> {
        session::pre_compaction(input)
    }

    fn post_compaction(
        _: Context,
        _: post_compaction::CompactionResult,
    ) -> HookResult<post_compaction::Outcome> {
        Deed::at("post-compaction")?.tell()?;
        Ok(post_compaction::Outcome::Continue)
    }

    fn turn_stopping(_: Context, _: turn_stopping::Stopping) -> HookResult<turn_stopping::Outcome> {
        turn::stopping()
    }

    fn workspace_opened(
        _: Context,
        _: workspace_opened::Workspace,
    ) -> HookResult<workspace_opened::Outcome> {
        Deed::at("workspace-opened")?.tell()?;
        Ok(workspace_opened::Outcome::Continue)
    }

    fn workspace_closed(
        _: Context,
        _: workspace_closed::Workspace,
    ) -> HookResult<workspace_closed::Outcome> {
        Deed::at("workspace-closed")?.tell()?;
        Ok(workspace_closed::Outcome::Continue)
    }

    fn workspace_evicted(
        _: Context,
        _: workspace_evicted::Workspace,
    ) -> HookResult<workspace_evicted::Outcome> {
        Deed::at("workspace-evicted")?.tell()?;
        Ok(workspace_evicted::Outcome::Continue)
    }

    fn workspace_eviction_retried(
        _: Context,
        _: workspace_eviction_retried::EvictionRetry,
    ) -> HookResult<workspace_eviction_retried::Outcome> {
        Deed::at("workspace-eviction-retried")?.tell()?;
        Ok(workspace_eviction_retried::Outcome::Continue)
    }

    fn workspace_snapshotted(
        _: Context,
        _: workspace_snapshotted::Snapshot,
    ) -> HookResult<workspace_snapshotted::Outcome> {
        Deed::at("workspace-snapshotted")?.tell()?;
        Ok(workspace_snapshotted::Outcome::Continue)
    }
}
