//! Hooks and tools that say what they do.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use parking_lot::Mutex;
use portcullis::NativeHook;
use portcullis::contract::ToolSpec;
use portcullis::points::{self, Point};
use portcullis_agent::{Tool, ToolError, ToolOutput, ToolRun};
use serde_json::Value;

/// What happened, in order.
#[derive(Debug, Clone, Default)]
pub struct Trail(Arc<Mutex<Vec<String>>>);

impl Trail {
    /// Something happened.
    pub fn add(&self, what: impl Into<String>) {
        self.0.lock().push(what.into());
    }

    /// What happened since this was last called.
    pub fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock())
    }

    /// How often this happened.
    pub fn count(&self, what: &str) -> usize {
        self.0.lock().iter().filter(|w| *w == what).count()
    }
}

/// A hook at every point that records the point and continues.
pub fn recorder(id: &str, trail: &Trail) -> NativeHook {
    let mut hook = NativeHook::new(id);
    macro_rules! record {
        ($($point:ident $module:ident),*) => {$({
            let trail = trail.clone();
            hook = hook.on::<points::$point>(move |_| {
                trail.add(<points::$point as Point>::INFO.name);
                Ok(points::$module::Outcome::Continue)
            });
        })*};
    }
    record!(
        SessionStart session_start, SessionEnd session_end, PreTurn pre_turn, PostTurn
        post_turn, TurnError turn_error, TurnSuspended turn_suspended, TurnResumed
        turn_resumed, PromptPolicy prompt_policy, PromptContext prompt_context,
        PromptRecall prompt_recall, PromptTools prompt_tools, PromptCompile
        prompt_compile, PreStep pre_step, PostStep post_step, PreLlmCall pre_llm_call,
        LlmDelta llm_delta, PostLlmCall post_llm_call, LlmError llm_error, PreToolCall
        pre_tool_call, ToolUpdate tool_update, ToolUpdateSent tool_update_sent,
        PostToolCall post_tool_call, StateChanged state_changed, MessageAdded
        message_added, PreSubagent pre_subagent, PostSubagent post_subagent, PreCompaction
        pre_compaction, PostCompaction post_compaction, TurnStopping turn_stopping,
        WorkspaceOpened workspace_opened, WorkspaceClosed workspace_closed,
        WorkspaceEvicted workspace_evicted, WorkspaceEvictionRetried
        workspace_eviction_retried, WorkspaceSnapshotted workspace_snapshotted
    );
    hook
}

/// A tool that returns its arguments, and does what they say.
pub struct Echo {
    /// Its name.
    pub name: &'static str,
    /// Where it says that it runs.
    pub trail: Trail,
}

#[async_trait]
impl Tool for Echo {
    fn spec(&self) -> ToolSpec {
        ToolSpec {
            name: self.name.into(),
            description: "Gives its text back.".into(),
            schema: r#"{
                "type": "object",
                "properties": { "text": { "type": "string" } },
                "required": ["text"],
                "additionalProperties": false
            }"#
            .into(),
        }
    }

    async fn execute(&self, arguments: Value, run: ToolRun) -> Result<ToolOutput, ToolError> {
        let text = arguments["text"].as_str().unwrap_or_default().to_owned();
        self.trail.add(format!("{} runs: {text}", self.name));
        match text.as_str() {
            "fail" => Err(ToolError::Failed("as asked".into())),
            "panic" => panic!("as asked"),
            "hang" => {
                tokio::time::sleep(Duration::from_secs(60)).await;
                Ok(ToolOutput::ok("never"))
            }
            "progress" => {
                run.progress.update("half way");
                Ok(ToolOutput::ok("done"))
            }
            "flood" => Ok(ToolOutput::ok("x".repeat(200_000))),
            _ => Ok(ToolOutput::ok(format!("echo {text}"))),
        }
    }
}
