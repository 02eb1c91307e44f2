"""The current tool call."""

import json
from typing import Any

from portcullis._bindings import imported

_host = imported("tool_data")


def input() -> str:
    """Returns the arguments, as the text of a JSON object; empty outside of a tool call."""
    found: str = _host.input()
    return found


def arguments() -> dict[str, Any]:
    """Returns the arguments. The model wrote their values: check them before use.

    Raises ValueError outside of a tool call.
    """
    text = _host.input()
    if not text:
        raise ValueError("there is no current tool call")
    read: dict[str, Any] = json.loads(text)
    return read


def output() -> str | None:
    """Returns the tool's output; None before the tool ran."""
    found: str | None = _host.output()
    return found
