//! A hook that answers at every point as its configuration says: with outcomes in the contract's
//! JSON form, each for some calls. What it is told is what the conformance scenarios tell native
//! hooks and scripts.

mod read;
mod told;

use portcullis_sdk::prelude::*;
use serde_json::Value;
use told::told;

fn call_edit(value: &Value) -> pre_llm_call::LlmCallEdit {
    pre_llm_call::LlmCallEdit {
        model: read::optional(value, "model"),
        temperature: None,
        max_output_tokens: None,
        tools: value["tools"]
            .is_array()
            .then(|| read::list(&value["tools"], read::text)),
        messages: read::edits(&value["messages"]),
    }
}

fn response(value: &Value) -> pre_llm_call::LlmResponse {
    pre_llm_call::LlmResponse {
        content: read::parts(&value["content"]),
        stop: StopReason::EndTurn,
        usage: Usage {
            input_tokens: 0,
            output_tokens: 0,
            cache_read_tokens: 0,
            cache_write_tokens: 0,
        },
    }
}

fn retry(value: &Value) -> llm_error::RetryDecision {
    use llm_error::{ProviderChoice, RetryDecision};
    match read::case(value) {
        ("retry", with) => RetryDecision::Retry(read::number(with)),
        ("switch-provider", with) => RetryDecision::SwitchProvider(ProviderChoice {
            provider: read::string(with, "provider"),
            model: read::optional(with, "model"),
        }),
        _ => RetryDecision::GiveUp,
    }
}

fn output(value: &Value) -> post_tool_call::ToolOutput {
    post_tool_call::ToolOutput {
        content: read::string(value, "content"),
        is_error: value["is-error"] == true,
    }
}

/// The actor.
pub struct Actor;

#[hook(
    id = "actor",
    description = "Answers as its configuration says.",
    kind = "test",
    role = transform,
    contributes = [policy, context, section, tools, note, job]
)]
impl Actor {
    fn session_start(
        context: Context,
        input: session_start::SessionInfo,
    ) -> HookResult<session_start::Outcome> {
        use session_start::Outcome;
        let told = told("session-start", &context, &input)?;
        Ok(match told.case.as_str() {
            "continue" => Outcome::Continue,
            "reject" => Outcome::Reject(read::rejection(&told.with)),
            _ => return told.illegal(),
        })
    }

    fn pre_turn(context: Context, input: pre_turn::TurnInput) -> HookResult<pre_turn::Outcome> {
        use pre_turn::Outcome;
        let told = told("pre-turn", &context, &input)?;
        Ok(match told.case.as_str() {
            "continue" => Outcome::Continue,
            "transform" => Outcome::Transform(read::parts(&told.with)),
            "reject" => Outcome::Reject(read::rejection(&told.with)),
            "replace" => Outcome::Replace(read::parts(&told.with)),
            "answer" => Outcome::Answer(read::parts(&told.with)),
            _ => return told.illegal(),
        })
    }

    fn post_turn(context: Context, input: post_turn::TurnOutput) -> HookResult<post_turn::Outcome> {
        use post_turn::{Contribution, Outcome};
        let told = told("post-turn", &context, &input)?;
        Ok(match told.case.as_str() {
            "continue" => Outcome::Continue,
            "transform" => Outcome::Transform(read::parts(&told.with)),
            "reject" => Outcome::Reject(read::rejection(&told.with)),
            "replace" => Outcome::Replace(read::parts(&told.with)),
            "contribute" => {
                Outcome::Contribute(read::list(&told.with, |one| match read::case(one) {
                    ("job", with) => Contribution::Job(read::job(with)),
                    (_, with) => Contribution::Note(read::note(with)),
                }))
            }
            _ => return told.illegal(),
        })
    }

    fn turn_error(context: Context, input: turn_error::Failure) -> HookResult<turn_error::Outcome> {
        use turn_error::Outcome;
        let told = told("turn-error", &context, &input)?;
        Ok(match told.case.as_str() {
            "continue" => Outcome::Continue,
            "replace" => Outcome::Replace(read::parts(&told.with)),
            _ => return told.illegal(),
        })
    }

    fn prompt_policy(
        context: Context,
        input: prompt_policy::TurnFacts,
    ) -> HookResult<prompt_policy::Outcome> {
        use prompt_policy::{Contribution, Outcome};
        let told = told("prompt-policy", &context, &input)?;
        Ok(match told.case.as_str() {
            "continue" => Outcome::Continue,
            "contribute" => {
                Outcome::Contribute(read::list(&told.with, |one| match read::case(one) {
                    ("policy", with) => Contribution::Policy(read::policy(with)),
                    ("job", with) => Contribution::Job(read::job(with)),
                    (_, with) => Contribution::Note(read::note(with)),
                }))
            }
            _ => return told.illegal(),
        })
    }

    fn prompt_context(
        context: Context,
        input: prompt_context::ContextSet,
    ) -> HookResult<prompt_context::Outcome> {
        use prompt_context::{Contribution, Outcome};
        let told = told("prompt-context", &context, &input)?;
        Ok(match told.case.as_str() {
            "continue" => Outcome::Continue,
            "contribute" => {
                Outcome::Contribute(read::list(&told.with, |one| match read::case(one) {
                    ("context", with) => Contribution::Context(read::item(with)),
                    ("job", with) => Contribution::Job(read::job(with)),
                    (_, with) => Contribution::Note(read::note(with)),
                }))
            }
            _ => return told.illegal(),
        })
    }

    fn prompt_recall(
        context: Context,
        input: prompt_recall::RecallPlan,
    ) -> HookResult<prompt_recall::Outcome> {
        use prompt_recall::{Contribution, Outcome};
        let told = told("prompt-recall", &context, &input)?;
        Ok(match told.case.as_str() {
            "continue" => Outcome::Continue,
            "contribute" => {
                Outcome::Contribute(read::list(&told.with, |one| match read::case(one) {
                    ("context", with) => Contribution::Context(read::item(with)),
                    ("job", with) => Contribution::Job(read::job(with)),
                    (_, with) => Contribution::Note(read::note(with)),
                }))
            }
            _ => return told.illegal(),
        })
    }

    fn prompt_tools(
        context: Context,
        input: prompt_tools::ToolSet,
    ) -> HookResult<prompt_tools::Outcome> {
        use prompt_tools::{Contribution, Outcome};
        let told = told("prompt-tools", &context, &input)?;
        Ok(match told.case.as_str() {
            "continue" => Outcome::Continue,
            "contribute" => {
                Outcome::Contribute(read::list(&told.with, |one| match read::case(one) {
                    ("tools", with) => Contribution::Tools(read::bundle(with)),
                    ("job", with) => Contribution::Job(read::job(with)),
                    (_, with) => Contribution::Note(read::note(with)),
                }))
            }
            _ => return told.illegal(),
        })
    }

    fn prompt_compile(
        context: Context,
        input: prompt_compile::PromptDraft,
    ) -> HookResult<prompt_compile::Outcome> {
        use prompt_compile::{Contribution, Outcome};
        let told = told("prompt-compile", &context, &input)?;
        Ok(match told.case.as_str() {
            "continue" => Outcome::Continue,
            "contribute" => {
                Outcome::Contribute(read::list(&told.with, |one| match read::case(one) {
                    ("section", with) => Contribution::Section(read::section(with)),
                    ("job", with) => Contribution::Job(read::job(with)),
                    (_, with) => Contribution::Note(read::note(with)),
                }))
            }
            "transform" => Outcome::Transform(prompt_compile::PromptEdit {
                system: read::optional(&told.with, "system"),
                response_format: match told.with["response-format"].as_str() {
                    Some("json") => Some(prompt_compile::ResponseFormat::Json),
                    _ => None,
                },
                sections: None,
            }),
            _ => return told.illegal(),
        })
    }

    fn pre_step(context: Context, input: pre_step::StepState) -> HookResult<pre_step::Outcome> {
        use pre_step::Outcome;
        let told = told("pre-step", &context, &input)?;
        Ok(match told.case.as_str() {
            "continue" => Outcome::Continue,
            "transform" => Outcome::Transform(read::edits(&told.with)),
            "reject" => Outcome::Reject(read::rejection(&told.with)),
            "stop" => Outcome::Stop(read::stop(&told.with)),
            _ => return told.illegal(),
        })
    }

    fn post_step(context: Context, input: post_step::StepReport) -> HookResult<post_step::Outcome> {
        use post_step::Outcome;
        let told = told("post-step", &context, &input)?;
        Ok(match told.case.as_str() {
            "continue" => Outcome::Continue,
            "stop" => Outcome::Stop(read::stop(&told.with)),
            _ => return told.illegal(),
        })
    }

    fn pre_llm_call(
        context: Context,
        input: pre_llm_call::LlmCall,
    ) -> HookResult<pre_llm_call::Outcome> {
        use pre_llm_call::Outcome;
        let told = told("pre-llm-call", &context, &input)?;
        Ok(match told.case.as_str() {
            "continue" => Outcome::Continue,
            "transform" => Outcome::Transform(call_edit(&told.with)),
            "reject" => Outcome::Reject(read::rejection(&told.with)),
            "replace" => Outcome::Replace(call_edit(&told.with)),
            "answer" => Outcome::Answer(response(&told.with)),
            _ => return told.illegal(),
        })
    }

    fn llm_delta(context: Context, input: llm_delta::Delta) -> HookResult<llm_delta::Outcome> {
        use llm_delta::Outcome;
        let told = told("llm-delta", &context, &input)?;
        Ok(match told.case.as_str() {
            "continue" => Outcome::Continue,
            "transform" => Outcome::Transform(read::text(&told.with)),
            "reject" => Outcome::Reject(read::rejection(&told.with)),
            "stop" => Outcome::Stop(read::stop(&told.with)),
            _ => return told.illegal(),
        })
    }

    fn post_llm_call(
        context: Context,
        input: post_llm_call::LlmResult,
    ) -> HookResult<post_llm_call::Outcome> {
        use post_llm_call::Outcome;
        let told = told("post-llm-call", &context, &input)?;
        Ok(match told.case.as_str() {
            "continue" => Outcome::Continue,
            "transform" => Outcome::Transform(read::parts(&told.with)),
            "reject" => Outcome::Reject(read::rejection(&told.with)),
            "replace" => Outcome::Replace(read::parts(&told.with)),
            _ => return told.illegal(),
        })
    }

    fn llm_error(context: Context, input: llm_error::LlmFailure) -> HookResult<llm_error::Outcome> {
        use llm_error::Outcome;
        let told = told("llm-error", &context, &input)?;
        Ok(match told.case.as_str() {
            "continue" => Outcome::Continue,
            "replace" => Outcome::Replace(retry(&told.with)),
            _ => return told.illegal(),
        })
    }

    fn pre_tool_call(
        context: Context,
        input: pre_tool_call::ToolRequest,
    ) -> HookResult<pre_tool_call::Outcome> {
        use pre_tool_call::Outcome;
        let told = told("pre-tool-call", &context, &input)?;
        Ok(match told.case.as_str() {
            "continue" => Outcome::Continue,
            "transform" => Outcome::Transform(read::text(&told.with)),
            "reject" => Outcome::Reject(read::rejection(&told.with)),
            "replace" => Outcome::Replace(read::text(&told.with)),
            "answer" => Outcome::Answer(pre_tool_call::ToolAnswer {
                content: read::string(&told.with, "content"),
                is_error: told.with["is-error"] == true,
            }),
            "ask" => Outcome::Ask(read::ask(&told.with)),
            _ => return told.illegal(),
        })
    }

    fn tool_update(
        context: Context,
        input: tool_update::ToolProgress,
    ) -> HookResult<tool_update::Outcome> {
        use tool_update::Outcome;
        let told = told("tool-update", &context, &input)?;
        Ok(match told.case.as_str() {
            "continue" => Outcome::Continue,
            "reject" => Outcome::Reject(read::rejection(&told.with)),
            _ => return told.illegal(),
        })
    }

    fn post_tool_call(
        context: Context,
        input: post_tool_call::ToolOutcome,
    ) -> HookResult<post_tool_call::Outcome> {
        use post_tool_call::Outcome;
        let told = told("post-tool-call", &context, &input)?;
        Ok(match told.case.as_str() {
            "continue" => Outcome::Continue,
            "transform" => Outcome::Transform(output(&told.with)),
            "reject" => Outcome::Reject(read::rejection(&told.with)),
            "replace" => Outcome::Replace(output(&told.with)),
            _ => return told.illegal(),
        })
    }

    fn pre_subagent(
        context: Context,
        input: pre_subagent::SubagentSpec,
    ) -> HookResult<pre_subagent::Outcome> {
        use pre_subagent::Outcome;
        let told = told("pre-subagent", &context, &input)?;
        Ok(match told.case.as_str() {
            "continue" => Outcome::Continue,
            "transform" => Outcome::Transform(read::text(&told.with)),
            "reject" => Outcome::Reject(read::rejection(&told.with)),
            "replace" => Outcome::Replace(read::text(&told.with)),
            "answer" => Outcome::Answer(pre_subagent::SubagentAnswer {
                content: read::string(&told.with, "content"),
                is_error: told.with["is-error"] == true,
            }),
            _ => return told.illegal(),
        })
    }

    fn post_subagent(
        context: Context,
        input: post_subagent::SubagentResult,
    ) -> HookResult<post_subagent::Outcome> {
        use post_subagent::Outcome;
        let told = told("post-subagent", &context, &input)?;
        Ok(match told.case.as_str() {
            "continue" => Outcome::Continue,
            "transform" => Outcome::Transform(read::text(&told.with)),
            _ => return told.illegal(),
        })
    }

    fn pre_compaction(
        context: Context,
        input: pre_compaction::TokenBudget,
    ) -> HookResult<pre_compaction::Outcome> {
        use pre_compaction::Outcome;
        let told = told("pre-compaction", &context, &input)?;
        Ok(match told.case.as_str() {
            "continue" => Outcome::Continue,
            "transform" => Outcome::Transform(pre_compaction::CompactionHint {
                keep: read::list(&told.with["keep"], read::number),
                instructions: read::optional(&told.with, "instructions"),
            }),
            "reject" => Outcome::Reject(read::rejection(&told.with)),
            _ => return told.illegal(),
        })
    }

    fn turn_stopping(
        context: Context,
        input: turn_stopping::Stopping,
    ) -> HookResult<turn_stopping::Outcome> {
        use turn_stopping::Outcome;
        let told = told("turn-stopping", &context, &input)?;
        Ok(match told.case.as_str() {
            "continue" => Outcome::Continue,
            "keep-going" => Outcome::KeepGoing(read::text(&told.with)),
            _ => return told.illegal(),
        })
    }

    fn session_end(
        context: Context,
        input: session_end::SessionSummary,
    ) -> HookResult<session_end::Outcome> {
        told("session-end", &context, &input)?;
        Ok(session_end::Outcome::Continue)
    }

    fn turn_suspended(
        context: Context,
        input: turn_suspended::Suspension,
    ) -> HookResult<turn_suspended::Outcome> {
        told("turn-suspended", &context, &input)?;
        Ok(turn_suspended::Outcome::Continue)
    }

    fn turn_resumed(
        context: Context,
        input: turn_resumed::Resumption,
    ) -> HookResult<turn_resumed::Outcome> {
        told("turn-resumed", &context, &input)?;
        Ok(turn_resumed::Outcome::Continue)
    }

    fn tool_update_sent(
        context: Context,
        input: tool_update_sent::ToolProgress,
    ) -> HookResult<tool_update_sent::Outcome> {
        told("tool-update-sent", &context, &input)?;
        Ok(tool_update_sent::Outcome::Continue)
    }

    fn state_changed(
        context: Context,
        input: state_changed::StateChange,
    ) -> HookResult<state_changed::Outcome> {
        told("state-changed", &context, &input)?;
        Ok(state_changed::Outcome::Continue)
    }

    fn message_added(
        context: Context,
        input: message_added::AddedMessage,
    ) -> HookResult<message_added::Outcome> {
        told("message-added", &context, &input)?;
        Ok(message_added::Outcome::Continue)
    }

    fn post_compaction(
        context: Context,
        input: post_compaction::CompactionResult,
    ) -> HookResult<post_compaction::Outcome> {
        told("post-compaction", &context, &input)?;
        Ok(post_compaction::Outcome::Continue)
    }

    fn workspace_opened(
        context: Context,
        input: workspace_opened::Workspace,
    ) -> HookResult<workspace_opened::Outcome> {
        told("workspace-opened", &context, &input)?;
        Ok(workspace_opened::Outcome::Continue)
    }

    fn workspace_closed(
        context: Context,
        input: workspace_closed::Workspace,
    ) -> HookResult<workspace_closed::Outcome> {
        told("workspace-closed", &context, &input)?;
        Ok(workspace_closed::Outcome::Continue)
    }

    fn workspace_evicted(
        context: Context,
        input: workspace_evicted::Workspace,
    ) -> HookResult<workspace_evicted::Outcome> {
        told("workspace-evicted", &context, &input)?;
        Ok(workspace_evicted::Outcome::Continue)
    }

    fn workspace_eviction_retried(
        context: Context,
        input: workspace_eviction_retried::EvictionRetry,
    ) -> HookResult<workspace_eviction_retried::Outcome> {
        told("workspace-eviction-retried", &context, &input)?;
        Ok(workspace_eviction_retried::Outcome::Continue)
    }

    fn workspace_snapshotted(
        context: Context,
        input: workspace_snapshotted::Snapshot,
    ) -> HookResult<workspace_snapshotted::Outcome> {
        told("workspace-snapshotted", &context, &input)?;
        Ok(workspace_snapshotted::Outcome::Continue)
    }
}
