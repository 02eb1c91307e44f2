//! Writes down what happens: one line of JSON in the log and one event `audit` for each point.
//!
//! ```toml
//! [hooks.audit-log.grants]
//! events = true
//! ```
//!
//! An entry says where it happened, what was decided and by whom, and the facts of the point:
//!
//! ```json
//! {"point":"pre-tool-call","session":"s1","agent":"main","turn":1,"step":2,
//!  "decision":"rejected","by":"path-jail","code":"outside-working-dir","reason":"…",
//!  "changed_by":[],"facts":{"tool":"read_file","call":"c7","arguments_bytes":31}}
//! ```
//!
//! It observes, so it sees the final value and the verdict and runs also after a refusal. It
//! imports no view of content, conversation or tool data: it cannot read what is said. What other
//! hooks and providers give as their reasons is written as it is.
//!
//! Points: all of a session, its turns, model calls, tool calls and compactions. Role: observe, so
//! it fails open. Needs the view `verdict`; it has no configuration.

mod entry;

use entry::record;
use portcullis_sdk::prelude::*;
use serde_json::json;

struct AuditLog;

#[hook(
    id = "audit-log",
    kind = "audit",
    description = "Writes down what happens and what was decided, without reading what is said.",
    role = observe,
    priority = 50
)]
impl AuditLog {
    fn session_start(
        context: Context,
        session: session_start::SessionInfo,
    ) -> HookResult<session_start::Outcome> {
        let facts = json!({
            "provider": session.provider,
            "model": session.model,
            "tools": session.tools,
        });
        record("session-start", &context, facts)?;
        Ok(session_start::Outcome::Continue)
    }

    fn session_end(
        context: Context,
        summary: session_end::SessionSummary,
    ) -> HookResult<session_end::Outcome> {
        let facts = json!({
            "reason": summary.reason.as_str(),
            "turns": summary.turns,
            "usage": entry::usage(&summary.usage),
        });
        record("session-end", &context, facts)?;
        Ok(session_end::Outcome::Continue)
    }

    fn pre_turn(context: Context, input: pre_turn::TurnInput) -> HookResult<pre_turn::Outcome> {
        let facts = json!({ "text_bytes": input.text_bytes, "parts": input.parts });
        record("pre-turn", &context, facts)?;
        Ok(pre_turn::Outcome::Continue)
    }

    fn post_turn(
        context: Context,
        output: post_turn::TurnOutput,
    ) -> HookResult<post_turn::Outcome> {
        let facts = json!({
            "text_bytes": output.text_bytes,
            "steps": output.steps,
            "stop": output.stop.as_str(),
            "usage": entry::usage(&output.usage),
            "elapsed_us": output.elapsed_us,
        });
        record("post-turn", &context, facts)?;
        Ok(post_turn::Outcome::Continue)
    }

    fn turn_error(
        context: Context,
        failure: turn_error::Failure,
    ) -> HookResult<turn_error::Outcome> {
        let facts = json!({ "kind": failure.kind.as_str(), "message": failure.message });
        record("turn-error", &context, facts)?;
        Ok(turn_error::Outcome::Continue)
    }

    fn pre_llm_call(
        context: Context,
        call: pre_llm_call::LlmCall,
    ) -> HookResult<pre_llm_call::Outcome> {
        let facts = json!({
            "provider": call.provider,
            "model": call.model,
            "attempt": call.attempt,
            "messages": call.messages,
            "tools": call.tools,
            "estimated_tokens": call.estimated_tokens,
        });
        record("pre-llm-call", &context, facts)?;
        Ok(pre_llm_call::Outcome::Continue)
    }

    fn post_llm_call(
        context: Context,
        result: post_llm_call::LlmResult,
    ) -> HookResult<post_llm_call::Outcome> {
        let facts = json!({
            "provider": result.provider,
            "model": result.model,
            "attempt": result.attempt,
            "stop": result.stop.as_str(),
            "usage": entry::usage(&result.usage),
            "text_bytes": result.text_bytes,
            "tool_calls": result.tool_calls,
            "elapsed_us": result.elapsed_us,
        });
        record("post-llm-call", &context, facts)?;
        Ok(post_llm_call::Outcome::Continue)
    }

    fn llm_error(
        context: Context,
        failure: llm_error::LlmFailure,
    ) -> HookResult<llm_error::Outcome> {
        let facts = json!({
            "provider": failure.provider,
            "model": failure.model,
            "attempt": failure.attempt,
            "kind": failure.kind.as_str(),
            "status": failure.status,
            "message": failure.message,
        });
        record("llm-error", &context, facts)?;
        Ok(llm_error::Outcome::Continue)
    }

    fn pre_tool_call(
        context: Context,
        call: pre_tool_call::ToolRequest,
    ) -> HookResult<pre_tool_call::Outcome> {
        let facts = json!({
            "tool": call.name,
            "call": call.call_id,
            "arguments_bytes": call.arguments_bytes,
        });
        record("pre-tool-call", &context, facts)?;
        Ok(pre_tool_call::Outcome::Continue)
    }

    fn post_tool_call(
        context: Context,
        outcome: post_tool_call::ToolOutcome,
    ) -> HookResult<post_tool_call::Outcome> {
        let facts = json!({
            "tool": outcome.name,
            "call": outcome.call_id,
            "output_bytes": outcome.output_bytes,
            "is_error": outcome.is_error,
            "elapsed_us": outcome.elapsed_us,
        });
        record("post-tool-call", &context, facts)?;
        Ok(post_tool_call::Outcome::Continue)
    }

    fn pre_compaction(
        context: Context,
        budget: pre_compaction::TokenBudget,
    ) -> HookResult<pre_compaction::Outcome> {
        let facts = json!({
            "limit": budget.limit,
            "used": budget.used,
            "messages": budget.messages,
        });
        record("pre-compaction", &context, facts)?;
        Ok(pre_compaction::Outcome::Continue)
    }

    fn post_compaction(
        context: Context,
        result: post_compaction::CompactionResult,
    ) -> HookResult<post_compaction::Outcome> {
        let facts = json!({
            "removed": result.removed,
            "messages": result.messages,
            "summary_bytes": result.summary_bytes,
        });
        record("post-compaction", &context, facts)?;
        Ok(post_compaction::Outcome::Continue)
    }
}
