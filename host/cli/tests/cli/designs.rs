//! The book's table of the points' names in five other designs is complete and right.

use std::collections::BTreeMap;
use std::fs;

use portcullis::points::PointId;

/// All hooks, phases, triggers and callbacks of each design, by the table's columns, with our point.
const DESIGNS: [(&str, &[(&str, &str)]); 5] = [
    (
        "AgentHook v2",
        &[
            ("on_session_start", "session-start"),
            ("on_session_end", "session-end"),
            ("pre_turn", "pre-turn"),
            ("post_turn", "post-turn"),
            ("on_turn_error", "turn-error"),
            ("pre_llm_call", "pre-llm-call"),
            ("post_llm_call", "post-llm-call"),
            ("on_llm_error", "llm-error"),
            ("pre_tool_call", "pre-tool-call"),
            // Another name of the same point, in the design's text on gates.
            ("on_tool_call", "pre-tool-call"),
            ("post_tool_call", "post-tool-call"),
            ("pre_compaction", "pre-compaction"),
            ("post_compaction", "post-compaction"),
        ],
    ),
    (
        "HookRuntime",
        &[
            ("turn.pre_policy", "prompt-policy"),
            ("turn.pre_prompt_context", "prompt-context"),
            ("turn.post_preflight_prompt_context", "prompt-recall"),
            ("turn.pre_tool_materialization", "prompt-tools"),
            ("turn.pre_prompt_compile", "prompt-compile"),
            ("turn.post_turn", "post-turn"),
        ],
    ),
    (
        "Cognesy",
        &[
            ("BeforeExecution", "pre-turn"),
            ("BeforeStep", "pre-step"),
            ("BeforeToolUse", "pre-tool-call"),
            ("AfterToolUse", "post-tool-call"),
            ("AfterStep", "post-step"),
            ("OnStop", "turn-stopping"),
            ("AfterExecution", "post-turn"),
            ("OnError", "turn-error"),
            ("ApplyContextConfigHook", "prompt-compile"),
            ("StepsLimitHook", "pre-step"),
            ("TokenUsageLimitHook", "pre-step"),
            ("ExecutionTimeLimitHook", "pre-step"),
            ("FinishReasonHook", "post-step"),
        ],
    ),
    (
        "phi-core",
        &[
            ("before_task", "session-start"),
            ("after_task", "session-end"),
            ("before_loop", "pre-turn"),
            ("after_loop", "post-turn"),
            ("before_turn", "pre-step"),
            ("after_turn", "post-step"),
            ("on_error", "llm-error"),
            ("before_tool_execution", "pre-tool-call"),
            ("after_tool_execution", "post-tool-call"),
            ("before_tool_execution_update", "tool-update"),
            ("after_tool_execution_update", "tool-update-sent"),
            ("before_compaction_start", "pre-compaction"),
            ("after_compaction_end", "post-compaction"),
        ],
    ),
    (
        "Helix",
        &[
            ("onAgentStart", "pre-turn"),
            ("onAgentComplete", "post-turn"),
            ("onAgentFail", "turn-error"),
            ("onAgentSuspended", "turn-suspended"),
            ("onAgentResumed", "turn-resumed"),
            ("onMessage", "message-added"),
            ("beforeLLMCall", "pre-llm-call"),
            ("afterLLMCall", "post-llm-call"),
            ("onStateChange", "state-changed"),
            ("beforeTool", "pre-tool-call"),
            ("afterTool", "post-tool-call"),
            ("beforeSubAgent", "pre-subagent"),
            ("afterSubAgent", "post-subagent"),
            ("onTextDelta", "llm-delta"),
            ("onThinking", "llm-delta"),
            ("onWorkspaceOpen", "workspace-opened"),
            ("onWorkspaceClose", "workspace-closed"),
            ("onWorkspaceEvicted", "workspace-evicted"),
            ("onWorkspaceEvictionRetry", "workspace-eviction-retried"),
            ("onWorkspaceSnapshot", "workspace-snapshotted"),
        ],
    ),
];

/// Returns the rows of the table, its header first.
fn table() -> Vec<Vec<String>> {
    let page = xtask::root().join("docs/points/names.md");
    let page = fs::read_to_string(page).expect("the page");
    let cells = |line: &str| {
        let line = line.trim_matches('|');
        line.split('|').map(|cell| cell.trim().to_owned()).collect()
    };
    page.lines()
        .filter(|line| line.starts_with('|') && !line.starts_with("| ---"))
        .map(cells)
        .collect()
}

/// Returns the point that a row is about, which is a link to its page.
fn point(row: &[String]) -> &str {
    row[5].split('`').nth(1).expect("a point")
}

#[test]
fn every_point_has_a_row() {
    let table = table();
    let ours: Vec<&str> = table[1..].iter().map(|row| point(row)).collect();
    let points: Vec<&str> = PointId::ALL.iter().map(|point| point.name()).collect();
    assert_eq!(ours, points);
    for row in &table[1..] {
        assert_eq!(row.len(), 6, "{row:?}");
    }
}

#[test]
fn every_name_of_every_design_is_at_its_point_and_no_other() {
    let table = table();
    for (column, (design, names)) in DESIGNS.iter().enumerate() {
        assert_eq!(table[0][column], *design);
        let mut said = BTreeMap::new();
        for row in &table[1..] {
            for name in row[column].split(", ").filter(|name| !name.is_empty()) {
                let name = name.trim_matches('`').to_owned();
                let before = said.insert(name, point(row).to_owned());
                assert_eq!(before, None, "{design}: twice in {row:?}");
            }
        }
        let expected: BTreeMap<String, String> = names
            .iter()
            .map(|(name, point)| ((*name).to_owned(), (*point).to_owned()))
            .collect();
        assert_eq!(said, expected, "{design}");
        for point in expected.values() {
            assert!(PointId::from_name(point).is_some(), "{design}: {point}");
        }
    }
}
