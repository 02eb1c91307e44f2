"""Events for subscribers of the agent; the operator grants them."""

import json

from portcullis._bindings import imported

_host = imported("events")


def emit(name: str, data: object = None) -> None:
    """Emits an event with `data` as JSON, once this call has succeeded."""
    _host.emit(name, json.dumps(data))
