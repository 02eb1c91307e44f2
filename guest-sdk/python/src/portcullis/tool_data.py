"""The current tool call."""

import json
from typing import Any

from portcullis._bindings import imported

_host = imported("tool_data")


def input() -> str:
    """The arguments, as the text of a JSON object; empty outside of a tool call."""
    found: str = _host.input()
    return found


def arguments() -> dict[str, Any]:
    """The arguments. What they hold is what the model wrote: check it before use.

    Raises ValueError outside of a tool call.
    """
    text = _host.input()
    if not text:
        raise ValueError("there is no current tool call")
    read: dict[str, Any] = json.loads(text)
    return read


def output() -> str | None:
    """What the tool gave back; None before it ran."""
    found: str | None = _host.output()
    return found
