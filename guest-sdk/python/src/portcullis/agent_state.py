"""What tools and the embedder keep in the agent's state."""

import json
from typing import Any

from wit_world.imports import agent_state


def get(key: str) -> Any:
    """The value at a key; nothing if there is none."""
    value = agent_state.get(key)
    return None if value is None else json.loads(value)


def diff() -> dict[str, tuple[Any, Any]]:
    """The change in hand: for each key that changed what was there and what is."""
    changed: dict[str, list[Any]] = json.loads(agent_state.diff() or "{}")
    return {key: (before, after) for key, (before, after) in changed.items()}
