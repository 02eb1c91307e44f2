//! The names of the points in other designs.

use std::fmt::Write as _;

use portcullis::points::PointId;

/// The designs, in the order of the table's columns.
const DESIGNS: [&str; 5] = [
    "AgentHook v2",
    "HookRuntime",
    "Cognesy",
    "phi-core",
    "Helix",
];

/// The names of each point in each design, design by design.
const NAMES: &[(PointId, [&[&str]; 5])] = &[
    (
        PointId::SessionStart,
        [&["on_session_start"], &[], &[], &["before_task"], &[]],
    ),
    (
        PointId::SessionEnd,
        [&["on_session_end"], &[], &[], &["after_task"], &[]],
    ),
    (
        PointId::PreTurn,
        [
            &["pre_turn"],
            &[],
            &["BeforeExecution"],
            &["before_loop"],
            &["onAgentStart"],
        ],
    ),
    (
        PointId::PostTurn,
        [
            &["post_turn"],
            &["turn.post_turn"],
            &["AfterExecution"],
            &["after_loop"],
            &["onAgentComplete"],
        ],
    ),
    (
        PointId::TurnError,
        [&["on_turn_error"], &[], &["OnError"], &[], &["onAgentFail"]],
    ),
    (
        PointId::TurnSuspended,
        [&[], &[], &[], &[], &["onAgentSuspended"]],
    ),
    (
        PointId::TurnResumed,
        [&[], &[], &[], &[], &["onAgentResumed"]],
    ),
    (
        PointId::PromptPolicy,
        [&[], &["turn.pre_policy"], &[], &[], &[]],
    ),
    (
        PointId::PromptContext,
        [&[], &["turn.pre_prompt_context"], &[], &[], &[]],
    ),
    (
        PointId::PromptRecall,
        [&[], &["turn.post_preflight_prompt_context"], &[], &[], &[]],
    ),
    (
        PointId::PromptTools,
        [&[], &["turn.pre_tool_materialization"], &[], &[], &[]],
    ),
    (
        PointId::PromptCompile,
        [
            &[],
            &["turn.pre_prompt_compile"],
            &["ApplyContextConfigHook"],
            &[],
            &[],
        ],
    ),
    (
        PointId::PreStep,
        [
            &[],
            &[],
            &[
                "BeforeStep",
                "StepsLimitHook",
                "TokenUsageLimitHook",
                "ExecutionTimeLimitHook",
            ],
            &["before_turn"],
            &[],
        ],
    ),
    (
        PointId::PostStep,
        [
            &[],
            &[],
            &["AfterStep", "FinishReasonHook"],
            &["after_turn"],
            &[],
        ],
    ),
    (
        PointId::PreLlmCall,
        [&["pre_llm_call"], &[], &[], &[], &["beforeLLMCall"]],
    ),
    (
        PointId::LlmDelta,
        [&[], &[], &[], &[], &["onTextDelta", "onThinking"]],
    ),
    (
        PointId::PostLlmCall,
        [&["post_llm_call"], &[], &[], &[], &["afterLLMCall"]],
    ),
    (
        PointId::LlmError,
        [&["on_llm_error"], &[], &[], &["on_error"], &[]],
    ),
    (
        PointId::PreToolCall,
        [
            &["pre_tool_call", "on_tool_call"],
            &[],
            &["BeforeToolUse"],
            &["before_tool_execution"],
            &["beforeTool"],
        ],
    ),
    (
        PointId::ToolUpdate,
        [&[], &[], &[], &["before_tool_execution_update"], &[]],
    ),
    (
        PointId::ToolUpdateSent,
        [&[], &[], &[], &["after_tool_execution_update"], &[]],
    ),
    (
        PointId::PostToolCall,
        [
            &["post_tool_call"],
            &[],
            &["AfterToolUse"],
            &["after_tool_execution"],
            &["afterTool"],
        ],
    ),
    (
        PointId::StateChanged,
        [&[], &[], &[], &[], &["onStateChange"]],
    ),
    (PointId::MessageAdded, [&[], &[], &[], &[], &["onMessage"]]),
    (
        PointId::PreSubagent,
        [&[], &[], &[], &[], &["beforeSubAgent"]],
    ),
    (
        PointId::PostSubagent,
        [&[], &[], &[], &[], &["afterSubAgent"]],
    ),
    (
        PointId::PreCompaction,
        [
            &["pre_compaction"],
            &[],
            &[],
            &["before_compaction_start"],
            &[],
        ],
    ),
    (
        PointId::PostCompaction,
        [
            &["post_compaction"],
            &[],
            &[],
            &["after_compaction_end"],
            &[],
        ],
    ),
    (PointId::TurnStopping, [&[], &[], &["OnStop"], &[], &[]]),
    (
        PointId::WorkspaceOpened,
        [&[], &[], &[], &[], &["onWorkspaceOpen"]],
    ),
    (
        PointId::WorkspaceClosed,
        [&[], &[], &[], &[], &["onWorkspaceClose"]],
    ),
    (
        PointId::WorkspaceEvicted,
        [&[], &[], &[], &[], &["onWorkspaceEvicted"]],
    ),
    (
        PointId::WorkspaceEvictionRetried,
        [&[], &[], &[], &[], &["onWorkspaceEvictionRetry"]],
    ),
    (
        PointId::WorkspaceSnapshotted,
        [&[], &[], &[], &[], &["onWorkspaceSnapshot"]],
    ),
];

/// Returns a point's names, each with its design. The list is empty if no design has the point.
pub(crate) fn of(point: PointId) -> Vec<(&'static str, &'static [&'static str])> {
    let row = NAMES.iter().find(|(listed, _)| *listed == point);
    let names = row.map_or([&[][..]; 5], |(_, names)| *names);
    DESIGNS
        .into_iter()
        .zip(names)
        .filter(|(_, names)| !names.is_empty())
        .collect()
}

/// Returns the table of all names.
pub(crate) fn table() -> String {
    let mut table = format!(
        "| {} | Portcullis |\n|{}",
        DESIGNS.join(" | "),
        " --- |".repeat(6)
    );
    for point in PointId::ALL {
        table.push_str("\n|");
        for design in DESIGNS {
            let of = of(*point);
            let names = of.iter().find(|(listed, _)| *listed == design);
            let names = names.map_or(&[][..], |(_, names)| names);
            let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            let _ = write!(table, " {} |", names.join(", "));
        }
        let _ = write!(table, " [`{point}`]({point}.md) |");
    }
    table
}
