//! A call of every point, as an agent loop might make it.

use std::sync::Arc;

use futures::future::{FutureExt as _, LocalBoxFuture};
use portcullis::contract::{ContentPart, Message, Role, StopReason, Usage, Workspace};
use portcullis::json::JsonPoint;
use portcullis::points::{self, PointId, llm_delta, llm_error, pre_tool_call, turn_stopping};
use portcullis::prompt::Prompt;
use portcullis::{Call, Views};

use crate::{context, tool_call};

/// A point with a sample.
pub trait Sample: JsonPoint {
    /// Returns the subject of the sample.
    fn subject() -> Self::Subject;

    /// Returns the sample: every view has content.
    fn sample() -> Call<Self> {
        let message = |role, text: &str| Message {
            role,
            content: vec![ContentPart::Text(text.into())],
        };
        let views = Views {
            content: Arc::new(vec![ContentPart::Text("hello".into())]),
            conversation: Arc::new(vec![
                message(Role::User, "hello"),
                message(Role::Assistant, "well?"),
            ]),
            tool_output: Some("done".into()),
            ..tool_call(r#"{"path":"a"}"#).views.clone()
        };
        Call::unchecked(context(), Self::subject(), views)
    }
}

/// An action at a point that is only known at run time.
pub trait AtPoint {
    /// The result of the action.
    type Output;

    /// Performs the action.
    fn at<P: Sample>(self) -> Self::Output;
}

/// A check at a point.
pub trait Check {
    /// Runs the check.
    fn check<P: Sample>(&self) -> impl Future<Output = ()>;
}

/// Runs a check at every point, one after the other.
pub async fn at_every_point(check: impl Check) {
    struct Checking<'a, C>(&'a C);

    impl<'a, C: Check> AtPoint for Checking<'a, C> {
        type Output = LocalBoxFuture<'a, ()>;

        fn at<P: Sample>(self) -> Self::Output {
            self.0.check::<P>().boxed_local()
        }
    }

    for point in PointId::ALL {
        at(*point, Checking(&check)).await;
    }
}

/// No tokens.
pub const NO_USAGE: Usage = Usage {
    input_tokens: 0,
    output_tokens: 0,
    cache_read_tokens: 0,
    cache_write_tokens: 0,
};

/// Some tokens, no two counts the same.
const SPENT: Usage = Usage {
    input_tokens: 70_000_000_000,
    output_tokens: 30,
    cache_read_tokens: 20,
    cache_write_tokens: 10,
};

macro_rules! samples {
    ($($point:ident: $subject:expr;)*) => {
        $(impl Sample for points::$point {
            fn subject() -> Self::Subject {
                $subject
            }
        })*

        /// Performs an action at a point.
        pub fn at<D: AtPoint>(point: PointId, action: D) -> D::Output {
            match point {
                $(PointId::$point => action.at::<points::$point>(),)*
            }
        }
    };
}

samples! {
    SessionStart: points::session_start::SessionInfo {
        provider: "p".into(),
        model: "m".into(),
        tools: 1,
    };
    SessionEnd: points::session_end::SessionSummary {
        reason: points::session_end::EndReason::Closed,
        turns: 1,
        usage: SPENT,
    };
    PreTurn: points::pre_turn::TurnInput { text_bytes: 5, parts: 1 };
    PostTurn: points::post_turn::TurnOutput {
        text_bytes: 5,
        steps: 1,
        stop: StopReason::EndTurn,
        usage: SPENT,
        elapsed_us: 1,
    };
    TurnError: points::turn_error::Failure {
        kind: points::turn_error::ErrorKind::Internal,
        message: "x".into(),
    };
    TurnSuspended: points::turn_suspended::Suspension {
        reason: points::turn_suspended::SuspendReason::Human,
        checkpoint: "c".into(),
        pending: vec!["call-1".into()],
        partial: false,
        steps: 1,
    };
    TurnResumed: points::turn_resumed::Resumption {
        checkpoint: "c".into(),
        resolved: vec!["call-1".into()],
        waited_ms: 1,
        steps: 1,
    };
    PromptPolicy: points::prompt_policy::TurnFacts {
        text_bytes: 5,
        messages: 2,
        tools: 1,
        policies: 0,
    };
    PromptContext: points::prompt_context::ContextSet { text_bytes: 5, policies: 0, items: 0 };
    PromptRecall: points::prompt_recall::RecallPlan {
        queries: 0,
        max_items: 8,
        max_tokens: 1_000,
        fallback: true,
        items: 0,
    };
    PromptTools: points::prompt_tools::ToolSet { tools: 1, bundles: 0 };
    PromptCompile: points::prompt_compile::Draft::new(&Prompt::default(), 1_000);
    PreStep: points::pre_step::StepState {
        messages: 2,
        estimated_tokens: 4,
        steps: 0,
        usage: SPENT,
        elapsed_us: 1,
    };
    PostStep: points::post_step::StepReport {
        stop: StopReason::EndTurn,
        tool_calls: 0,
        step_usage: NO_USAGE,
        usage: SPENT,
        elapsed_us: 1,
    };
    PreLlmCall: points::pre_llm_call::LlmCall {
        provider: "p".into(),
        model: "m".into(),
        attempt: 1,
        messages: 2,
        tools: 1,
        estimated_tokens: 4,
        temperature: Some(0.5),
        max_output_tokens: Some(100),
    };
    LlmDelta: llm_delta::Delta {
        kind: llm_delta::DeltaKind::Text,
        index: 0,
        bytes: 5,
        last: false,
    };
    PostLlmCall: points::post_llm_call::LlmResult {
        provider: "p".into(),
        model: "m".into(),
        attempt: 1,
        stop: StopReason::Other("tired".into()),
        usage: SPENT,
        text_bytes: 5,
        tool_calls: vec!["call-1".into(), "call-2".into()],
        elapsed_us: 1,
    };
    LlmError: llm_error::LlmFailure {
        provider: "p".into(),
        model: "m".into(),
        attempt: 1,
        kind: llm_error::ProviderErrorKind::Overloaded,
        status: Some(529),
        message: "busy".into(),
        retry_after_ms: None,
        providers: vec!["p".into(), "q".into()],
    };
    PreToolCall: pre_tool_call::ToolRequest {
        call_id: "call-1".into(),
        name: "write".into(),
        arguments_bytes: 12,
        grant: pre_tool_call::ExecutionGrant {
            working_dir: Some("/work".into()),
            timeout_ms: 1_000,
        },
    };
    ToolUpdate: points::tool_update::ToolProgress {
        call_id: "call-1".into(),
        name: "write".into(),
        index: 0,
        text_bytes: 5,
    };
    ToolUpdateSent: points::tool_update_sent::ToolProgress {
        call_id: "call-1".into(),
        name: "write".into(),
        index: 0,
        text_bytes: 5,
    };
    PostToolCall: points::post_tool_call::ToolOutcome {
        call_id: "call-1".into(),
        name: "write".into(),
        output_bytes: 4,
        is_error: false,
        elapsed_us: 1,
    };
    StateChanged: points::state_changed::StateChange {
        tool: "write".into(),
        call_id: "call-1".into(),
        keys: vec!["mood".into()],
    };
    MessageAdded: points::message_added::AddedMessage {
        index: 1,
        role: Role::Assistant,
        parts: 1,
        text_bytes: 5,
    };
    PreSubagent: points::pre_subagent::SubagentSpec {
        call_id: "call-1".into(),
        agent: "helper".into(),
        task_bytes: 5,
        depth: 1,
    };
    PostSubagent: points::post_subagent::SubagentResult {
        call_id: "call-1".into(),
        agent: "helper".into(),
        session_id: None,
        is_error: false,
        output_bytes: 5,
        steps: 1,
        usage: SPENT,
        elapsed_us: 1,
    };
    PreCompaction: points::pre_compaction::Compaction::new(points::pre_compaction::TokenBudget {
        limit: 10,
        used: 20,
        messages: 2,
    });
    PostCompaction: points::post_compaction::CompactionResult {
        removed: 1,
        messages: 1,
        summary_bytes: 5,
    };
    TurnStopping: turn_stopping::Stopping {
        ending: turn_stopping::Ending::Model(StopReason::EndTurn),
        steps: 1,
        usage: SPENT,
        kept_going: 0,
        may_keep_going: true,
    };
    WorkspaceOpened: workspace();
    WorkspaceClosed: workspace();
    WorkspaceEvicted: workspace();
    WorkspaceEvictionRetried: points::workspace_eviction_retried::EvictionRetry {
        workspace: workspace(),
        attempt: 1,
    };
    WorkspaceSnapshotted: points::workspace_snapshotted::Snapshot {
        workspace: workspace(),
        path: "/copies/w".into(),
        bytes: 1,
    };
}

fn workspace() -> Workspace {
    Workspace {
        name: "w".into(),
        path: "/work/w".into(),
        reason: "asked for".into(),
    }
}
