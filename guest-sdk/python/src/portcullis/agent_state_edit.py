"""Changes of the agent's state, once this call has succeeded; the operator grants each key.

A `StateError` is raised if a key is not granted, or if the state is full.
"""

import json

from portcullis._bindings import imported
from portcullis._state import attempt

_host = imported("agent_state_edit")


def set(key: str, value: object) -> None:
    """Sets the value at a key; None removes the key."""
    with attempt():
        _host.set(key, json.dumps(value))


def remove(key: str) -> None:
    """Removes a key. It is not an error if there is no such key."""
    with attempt():
        _host.remove(key)
