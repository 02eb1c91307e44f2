"""The agent's state: a JSON object that tools, hooks and the embedder write."""

import json
from typing import Any

from portcullis._bindings import imported

_host = imported("agent_state")


def get(key: str) -> Any:
    """Returns the value at a key, or None."""
    value = _host.get(key)
    return None if value is None else json.loads(value)


def diff() -> dict[str, tuple[Any, Any]]:
    """Returns the current change: for each changed key, the value before and the value after."""
    changed: dict[str, list[Any]] = json.loads(_host.diff() or "{}")
    return {key: (before, after) for key, (before, after) in changed.items()}


def changed_by() -> str | None:
    """Returns the hook that made the current change, or None if a tool made it."""
    hook: str | None = _host.changed_by()
    return hook
