# Written from wit/ by `cargo xtask contract`; do not change it here.
"""The points, their answers, and the modules of the bindings that have the contract's types."""

from __future__ import annotations

#: The answers of each point: the functions of its answer interface, with the kinds of
#: their parameters.
ANSWERS: dict[str, dict[str, dict[str, str]]] = {
    "pre-compaction": {
        "transform": {"keep": "list", "instructions": "str?"},
        "reject": {"code": "str", "reason": "str", "details": "str?"},
    },
    "post-compaction": {},
    "pre-llm-call": {
        "transform": {"edit": "object"},
        "reject": {"code": "str", "reason": "str", "details": "str?"},
        "replace": {"edit": "object"},
        "answer": {"response": "object"},
    },
    "post-llm-call": {
        "transform": {"content": "list"},
        "reject": {"code": "str", "reason": "str", "details": "str?"},
        "replace": {"content": "list"},
    },
    "llm-error": {
        "retry": {"after_ms": "int"},
        "switch_provider": {"provider": "str", "model": "str?"},
        "give_up": {},
    },
    "llm-delta": {
        "transform": {"text": "str"},
        "reject": {"code": "str", "reason": "str", "details": "str?"},
        "stop": {"kind": "object", "message": "str"},
    },
    "state-changed": {},
    "message-added": {},
    "prompt-policy": {
        "add_policy": {"domain": "str", "rules": "str"},
        "add_note": {"code": "str", "data": "str"},
        "add_job": {"name": "str", "input": "str"},
    },
    "prompt-context": {
        "add_context": {"kind": "str", "text": "str", "data": "str?"},
        "add_note": {"code": "str", "data": "str"},
        "add_job": {"name": "str", "input": "str"},
    },
    "prompt-recall": {
        "add_context": {"kind": "str", "text": "str", "data": "str?"},
        "add_note": {"code": "str", "data": "str"},
        "add_job": {"name": "str", "input": "str"},
    },
    "prompt-tools": {
        "add_tools": {"bundle": "object"},
        "add_note": {"code": "str", "data": "str"},
        "add_job": {"name": "str", "input": "str"},
    },
    "prompt-compile": {
        "transform": {"edit": "object"},
        "add_section": {"section": "object"},
        "add_note": {"code": "str", "data": "str"},
        "add_job": {"name": "str", "input": "str"},
    },
    "session-start": {
        "reject": {"code": "str", "reason": "str", "details": "str?"},
    },
    "session-end": {},
    "pre-step": {
        "transform": {"edits": "list"},
        "reject": {"code": "str", "reason": "str", "details": "str?"},
        "stop": {"kind": "object", "message": "str"},
    },
    "post-step": {
        "stop": {"kind": "object", "message": "str"},
    },
    "pre-subagent": {
        "transform": {"task": "str"},
        "reject": {"code": "str", "reason": "str", "details": "str?"},
        "replace": {"task": "str"},
        "answer": {"content": "str", "is_error": "bool"},
    },
    "post-subagent": {
        "transform": {"text": "str"},
    },
    "pre-tool-call": {
        "transform": {"arguments": "str"},
        "reject": {"code": "str", "reason": "str", "details": "str?"},
        "replace": {"arguments": "str"},
        "answer": {"content": "str", "is_error": "bool"},
        "ask": {"question": "str", "details": "str?"},
    },
    "post-tool-call": {
        "transform": {"content": "str", "is_error": "bool"},
        "reject": {"code": "str", "reason": "str", "details": "str?"},
        "replace": {"content": "str", "is_error": "bool"},
    },
    "tool-update": {
        "reject": {"code": "str", "reason": "str", "details": "str?"},
    },
    "tool-update-sent": {},
    "pre-turn": {
        "transform": {"content": "list"},
        "reject": {"code": "str", "reason": "str", "details": "str?"},
        "replace": {"content": "list"},
        "answer": {"content": "list"},
    },
    "post-turn": {
        "transform": {"content": "list"},
        "reject": {"code": "str", "reason": "str", "details": "str?"},
        "replace": {"content": "list"},
        "add_note": {"code": "str", "data": "str"},
        "add_job": {"name": "str", "input": "str"},
    },
    "turn-error": {
        "replace": {"content": "list"},
    },
    "turn-stopping": {
        "keep_going": {"message": "str"},
    },
    "turn-suspended": {},
    "turn-resumed": {},
    "workspace-opened": {},
    "workspace-closed": {},
    "workspace-evicted": {},
    "workspace-eviction-retried": {},
    "workspace-snapshotted": {},
}

#: The contract's types, by the module of the bindings that has them.
TYPES = {
    "agent_state_edit": (
        "EditError",
    ),
    "pre_compaction_facts": (
        "TokenBudget",
    ),
    "post_compaction_facts": (
        "CompactionResult",
    ),
    "describe": (
        "FailurePolicy",
        "ExecutionPolicy",
        "Descriptor",
    ),
    "pre_llm_call_facts": (
        "LlmCall",
    ),
    "llm_error_facts": (
        "ProviderErrorKind",
        "LlmFailure",
    ),
    "llm_delta_facts": (
        "DeltaKind",
        "Delta",
    ),
    "state_changed_facts": (
        "StateChange",
    ),
    "prompt_policy_facts": (
        "TurnFacts",
    ),
    "prompt_context_facts": (
        "ContextSet",
    ),
    "prompt_recall_facts": (
        "RecallPlan",
    ),
    "prompt_tools_facts": (
        "ToolSet",
    ),
    "prompt_compile_facts": (
        "PromptDraft",
    ),
    "session_start_facts": (
        "SessionInfo",
    ),
    "pre_subagent_facts": (
        "SubagentSpec",
    ),
    "pre_tool_call_facts": (
        "ExecutionGrant",
        "ToolRequest",
    ),
    "post_tool_call_facts": (
        "ToolOutcome",
    ),
    "tool_update_facts": (
        "ToolUpdateToolProgress",
    ),
    "tool_update_sent_facts": (
        "ToolUpdateSentToolProgress",
    ),
    "pre_turn_facts": (
        "TurnInput",
    ),
    "turn_error_facts": (
        "ErrorKind",
        "Failure",
    ),
    "turn_suspended_facts": (
        "SuspendReason",
        "Suspension",
    ),
    "turn_resumed_facts": (
        "Resumption",
    ),
    "types": (
        "ContextFacts",
        "Role",
        "ImageSource",
        "Image",
        "ToolCall",
        "ToolResult",
        "ContentPart",
        "Message",
        "Usage",
        "StopReason",
        "Rejection",
        "ToolSpec",
        "MessageEdit",
        "StopKind",
        "StopSignal",
        "Workspace",
        "DomainPolicy",
        "ContextItem",
        "PromptSection",
        "ToolRoute",
        "BundledTool",
        "ToolBundle",
        "StateError",
    ),
    "pre_llm_call_answer": (
        "LlmCallEdit",
        "LlmResponse",
    ),
    "post_llm_call_facts": (
        "LlmResult",
    ),
    "message_added_facts": (
        "AddedMessage",
    ),
    "model": (
        "Completion",
        "ModelError",
    ),
    "prompt_compile_answer": (
        "NamedSchema",
        "ResponseFormat",
        "PromptEdit",
    ),
    "session_end_facts": (
        "EndReason",
        "SessionSummary",
    ),
    "pre_step_facts": (
        "StepState",
    ),
    "post_step_facts": (
        "StepReport",
    ),
    "post_subagent_facts": (
        "SubagentResult",
    ),
    "post_turn_facts": (
        "TurnOutput",
    ),
    "turn_stopping_facts": (
        "TurnEnding",
        "Stopping",
    ),
    "verdict": (
        "HookFailure",
        "Decision",
        "ChainVerdict",
    ),
    "workspace_eviction_retried_facts": (
        "EvictionRetry",
    ),
    "workspace_snapshotted_facts": (
        "Snapshot",
    ),
}

#: Types that the bindings have under another name.
RENAMED = {
    "ToolUpdateToolProgress": "ToolProgress",
    "ToolUpdateSentToolProgress": "ToolProgress",
    "ContextFacts": "Context",
}
