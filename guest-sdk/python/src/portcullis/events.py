"""Events for whoever subscribes to the agent; the operator grants them."""

import json

from wit_world.imports import events


def emit(name: str, data: object = None) -> None:
    """Emits an event with `data` as JSON, once this call has succeeded."""
    events.emit(name, json.dumps(data))
