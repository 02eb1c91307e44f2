"""Items of OpenAI's Responses API as messages of the contract."""

from __future__ import annotations

from typing import Any

from agents import TResponseInputItem, Usage

from portcullis_host import contract
from portcullis_host._content import text_of
from portcullis_host.contract import ContentPart, Message, Role

_ROLES: dict[str, Role] = {"user": "user", "system": "system", "developer": "system"}


def text_of_input(given: str | list[TResponseInputItem]) -> str:
    """Returns the text of the last message of the user."""
    if isinstance(given, str):
        return given
    for item in reversed(given):
        written = message(item)
        if written["role"] == "user":
            return text_of(written["content"])
    return ""


def message(item: TResponseInputItem) -> Message:
    """Converts an item to a message."""
    fields: dict[str, Any] = dict(item)
    match fields.get("type"):
        case "function_call_output":
            result: ContentPart = {
                "tool_result": {
                    "call_id": fields["call_id"],
                    "name": "",
                    "content": str(fields["output"]),
                    "is_error": False,
                }
            }
            return {"role": "tool", "content": [result]}
        case _:
            known = _ROLES.get(str(fields.get("role")), "assistant")
            return {"role": known, "content": parts(fields)}


def parts(item: dict[str, Any]) -> list[ContentPart]:
    """Returns an item's text, or its tool call."""
    if item.get("type") == "function_call":
        return [
            {
                "tool_call": {
                    "id": item["call_id"],
                    "name": item["name"],
                    "arguments": item["arguments"],
                }
            }
        ]
    content = item.get("content")
    if isinstance(content, str):
        return [{"text": content}]
    texts = [str(part["text"]) for part in content or [] if part.get("text")]
    return [{"text": text} for text in texts]


def usage(used: Usage) -> contract.Usage:
    """Converts the usage of a model call."""
    details = used.input_tokens_details
    return {
        "input_tokens": used.input_tokens,
        "output_tokens": used.output_tokens,
        "cache_read_tokens": details.cached_tokens or 0,
        "cache_write_tokens": 0,
    }
