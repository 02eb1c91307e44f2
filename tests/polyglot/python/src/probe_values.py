"""A text as what a point's outcome carries."""

from typing import Any

from portcullis import conversation, message, text
from portcullis.contract import (
    CompactionHint,
    LlmCallEdit,
    LlmResponse,
    MessageEdit_Insert,
    PromptEdit,
    ProviderChoice,
    RetryDecision_GiveUp,
    RetryDecision_Retry,
    RetryDecision_SwitchProvider,
    Role,
    StopReason_EndTurn,
    SubagentAnswer,
    ToolAnswer,
    ToolOutput,
    Usage,
)


def value(point: str, kind: str, said: str, input: Any) -> Any:
    """What the outcome `kind` of a point carries, made of this text."""
    match point:
        case "pre-llm-call" if kind == "answer":
            return LlmResponse([text(said)], StopReason_EndTurn(), Usage(0, 0, 0, 0))
        case "pre-llm-call":
            return LlmCallEdit(None, None, None, None, _insert(said))
        case "pre-step":
            return _insert(said)
        case "prompt-compile":
            return PromptEdit(system=said, response_format=None, sections=None)
        case "pre-compaction":
            keep = range(input.messages) if said == "all" else [input.messages]
            return CompactionHint(list(keep), said)
        case "llm-error":
            return _decision(said, input.providers)
        case "post-tool-call":
            return ToolOutput(said, input.is_error)
        case "pre-tool-call" if kind == "answer":
            return ToolAnswer(said, False)
        case "pre-subagent" if kind == "answer":
            return SubagentAnswer(said, False)
        case "pre-tool-call" | "pre-subagent" | "post-subagent" | "llm-delta":
            return said
        case _:
            return [text(said)]


def _insert(said: str) -> list[Any]:
    return [MessageEdit_Insert((conversation.length(), message(Role.USER, said)))]


def _decision(said: str, providers: list[str]) -> Any:
    match said:
        case "give-up":
            return RetryDecision_GiveUp()
        case "retry":
            return RetryDecision_Retry(1)
        case _:
            return RetryDecision_SwitchProvider(ProviderChoice(providers[-1], None))
