"""Changes of the agent's state, once this call has succeeded; the operator grants each key.

What is not granted, and what is full, is a `StateError`.
"""

import json

from portcullis._bindings import imported
from portcullis._state import attempt

_host = imported("agent_state_edit")


def set(key: str, value: object) -> None:
    """Puts a value at a key; None removes it."""
    with attempt():
        _host.set(key, json.dumps(value))


def remove(key: str) -> None:
    """Removes a key. It is no error if there is no such key."""
    with attempt():
        _host.remove(key)
