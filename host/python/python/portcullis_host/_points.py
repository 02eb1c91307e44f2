# Written from wit/ by `cargo xtask contract`; do not change it here.
"""The lifecycle points, each with its input and its payload."""

from __future__ import annotations

from typing import Any, Literal, Mapping, overload

from portcullis_host import contract
from portcullis_host._native import Call, Verdict
from portcullis_host.views import ToolOutput, Views


class Points:
    """The call of any lifecycle point."""

    @overload
    def call(
        self, point: Literal["pre-compaction"], input: contract.TokenBudget, views: Views | None = None
    ) -> Call[Verdict[dict[str, Any]]]: ...

    @overload
    def call(
        self, point: Literal["post-compaction"], input: contract.CompactionResult, views: Views | None = None
    ) -> Call[Verdict[Any]]: ...

    @overload
    def call(
        self, point: Literal["pre-llm-call"], input: contract.LlmCall, views: Views | None = None
    ) -> Call[Verdict[dict[str, Any]]]: ...

    @overload
    def call(
        self, point: Literal["post-llm-call"], input: contract.LlmResult, views: Views | None = None
    ) -> Call[Verdict[list[contract.ContentPart]]]: ...

    @overload
    def call(
        self, point: Literal["llm-error"], input: contract.LlmFailure, views: Views | None = None
    ) -> Call[Verdict[Any]]: ...

    @overload
    def call(
        self, point: Literal["llm-delta"], input: contract.Delta, views: Views | None = None
    ) -> Call[Verdict[list[contract.ContentPart]]]: ...

    @overload
    def call(
        self, point: Literal["state-changed"], input: contract.StateChange, views: Views | None = None
    ) -> Call[Verdict[Any]]: ...

    @overload
    def call(
        self, point: Literal["message-added"], input: contract.AddedMessage, views: Views | None = None
    ) -> Call[Verdict[Any]]: ...

    @overload
    def call(
        self, point: Literal["prompt-policy"], input: contract.TurnFacts, views: Views | None = None
    ) -> Call[Verdict[Any]]: ...

    @overload
    def call(
        self, point: Literal["prompt-context"], input: contract.ContextSet, views: Views | None = None
    ) -> Call[Verdict[Any]]: ...

    @overload
    def call(
        self, point: Literal["prompt-recall"], input: contract.RecallPlan, views: Views | None = None
    ) -> Call[Verdict[Any]]: ...

    @overload
    def call(
        self, point: Literal["prompt-tools"], input: contract.ToolSet, views: Views | None = None
    ) -> Call[Verdict[Any]]: ...

    @overload
    def call(
        self, point: Literal["prompt-compile"], input: contract.PromptDraft, views: Views | None = None
    ) -> Call[Verdict[dict[str, Any]]]: ...

    @overload
    def call(
        self, point: Literal["session-start"], input: contract.SessionInfo, views: Views | None = None
    ) -> Call[Verdict[Any]]: ...

    @overload
    def call(
        self, point: Literal["session-end"], input: contract.SessionSummary, views: Views | None = None
    ) -> Call[Verdict[Any]]: ...

    @overload
    def call(
        self, point: Literal["pre-step"], input: contract.StepState, views: Views | None = None
    ) -> Call[Verdict[list[contract.Message]]]: ...

    @overload
    def call(
        self, point: Literal["post-step"], input: contract.StepReport, views: Views | None = None
    ) -> Call[Verdict[Any]]: ...

    @overload
    def call(
        self, point: Literal["pre-subagent"], input: contract.SubagentSpec, views: Views | None = None
    ) -> Call[Verdict[list[contract.ContentPart]]]: ...

    @overload
    def call(
        self, point: Literal["post-subagent"], input: contract.SubagentResult, views: Views | None = None
    ) -> Call[Verdict[list[contract.ContentPart]]]: ...

    @overload
    def call(
        self, point: Literal["pre-tool-call"], input: contract.ToolRequest, views: Views | None = None
    ) -> Call[Verdict[str]]: ...

    @overload
    def call(
        self, point: Literal["post-tool-call"], input: contract.ToolOutcome, views: Views | None = None
    ) -> Call[Verdict[ToolOutput]]: ...

    @overload
    def call(
        self, point: Literal["tool-update"], input: contract.ToolUpdateToolProgress, views: Views | None = None
    ) -> Call[Verdict[Any]]: ...

    @overload
    def call(
        self, point: Literal["tool-update-sent"], input: contract.ToolUpdateSentToolProgress, views: Views | None = None
    ) -> Call[Verdict[Any]]: ...

    @overload
    def call(
        self, point: Literal["pre-turn"], input: contract.TurnInput, views: Views | None = None
    ) -> Call[Verdict[list[contract.ContentPart]]]: ...

    @overload
    def call(
        self, point: Literal["post-turn"], input: contract.TurnOutput, views: Views | None = None
    ) -> Call[Verdict[list[contract.ContentPart]]]: ...

    @overload
    def call(
        self, point: Literal["turn-error"], input: contract.Failure, views: Views | None = None
    ) -> Call[Verdict[Any]]: ...

    @overload
    def call(
        self, point: Literal["turn-stopping"], input: contract.Stopping, views: Views | None = None
    ) -> Call[Verdict[Any]]: ...

    @overload
    def call(
        self, point: Literal["turn-suspended"], input: contract.Suspension, views: Views | None = None
    ) -> Call[Verdict[Any]]: ...

    @overload
    def call(
        self, point: Literal["turn-resumed"], input: contract.Resumption, views: Views | None = None
    ) -> Call[Verdict[Any]]: ...

    @overload
    def call(
        self, point: Literal["workspace-opened"], input: contract.Workspace, views: Views | None = None
    ) -> Call[Verdict[Any]]: ...

    @overload
    def call(
        self, point: Literal["workspace-closed"], input: contract.Workspace, views: Views | None = None
    ) -> Call[Verdict[Any]]: ...

    @overload
    def call(
        self, point: Literal["workspace-evicted"], input: contract.Workspace, views: Views | None = None
    ) -> Call[Verdict[Any]]: ...

    @overload
    def call(
        self, point: Literal["workspace-eviction-retried"], input: contract.EvictionRetry, views: Views | None = None
    ) -> Call[Verdict[Any]]: ...

    @overload
    def call(
        self, point: Literal["workspace-snapshotted"], input: contract.Snapshot, views: Views | None = None
    ) -> Call[Verdict[Any]]: ...

    @overload
    def call(
        self, point: str, input: Mapping[str, Any], views: Views | None = None
    ) -> Call[Verdict[Any]]: ...

    def call(
        self, point: str, input: Mapping[str, Any], views: Views | None = None
    ) -> Call[Verdict[Any]]:
        """Calls the hooks of a point, with its facts and the views that hooks may see."""
        return self._call(point, input, views or {})

    def _call(self, point: str, input: Mapping[str, Any], views: Views) -> Call[Verdict[Any]]:
        raise NotImplementedError
