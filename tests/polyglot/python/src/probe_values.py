"""Conversions of a text to the value of an outcome at a point."""

from typing import Any

from portcullis import conversation, give_up, message, retry, switch_provider, text
from portcullis.contract import (
    LlmCallEdit,
    LlmResponse,
    MessageEdit_Insert,
    PromptEdit,
    Role,
    StopReason_EndTurn,
    Usage,
)


def values(point: str, kind: str, said: str, call: Any) -> tuple[Any, ...]:
    """Returns the arguments of the outcome `kind` of a point, made of this text."""
    match point:
        case "pre-llm-call" if kind == "answer":
            return (LlmResponse([text(said)], StopReason_EndTurn(), Usage(0, 0, 0, 0)),)
        case "pre-llm-call":
            return (LlmCallEdit(None, None, None, None, _insert(said)),)
        case "pre-step":
            return (_insert(said),)
        case "prompt-compile":
            return (PromptEdit(system=said, response_format=None, sections=None),)
        case "pre-compaction":
            keep = range(call.messages) if said == "all" else [call.messages]
            return (list(keep), said)
        case "post-tool-call":
            return (said, call.is_error)
        case "pre-tool-call" | "pre-subagent" if kind == "answer":
            return (said, False)
        case "pre-tool-call" | "pre-subagent" | "post-subagent" | "llm-delta":
            return (said,)
        case _:
            return ([text(said)],)


def decision(said: str, providers: list[str]) -> Any:
    """Returns the decision about a failed model call that a text names."""
    match said:
        case "give-up":
            return give_up()
        case "retry":
            return retry(1)
        case _:
            return switch_provider(providers[-1])


def _insert(said: str) -> list[Any]:
    return [MessageEdit_Insert((conversation.length(), message(Role.USER, said)))]
