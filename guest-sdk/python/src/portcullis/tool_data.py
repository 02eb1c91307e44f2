"""The tool call in hand."""

import json
from typing import Any

from wit_world.imports import tool_data


def input() -> str:
    """The arguments, as the text of a JSON object; empty outside of a tool call."""
    return tool_data.input()


def arguments() -> dict[str, Any]:
    """The arguments. What they hold is what the model wrote: check it before use.

    Raises ValueError outside of a tool call.
    """
    text = tool_data.input()
    if not text:
        raise ValueError("there is no tool call in hand")
    read: dict[str, Any] = json.loads(text)
    return read


def output() -> str | None:
    """What the tool gave back; nothing before it ran."""
    return tool_data.output()
