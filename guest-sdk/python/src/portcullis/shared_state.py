"""State that hooks share across sessions, by namespace; the operator grants each one.

Values are kept as JSON. A `StateError` is raised if a namespace is not granted, or if it is full.
"""

from typing import Any

from portcullis._bindings import imported
from portcullis._state import attempt, decode, encode

_host = imported("shared_state")


def get(namespace: str, key: str) -> Any:
    """Returns the value at `key`; None if there is none."""
    with attempt():
        return decode(_host.get(namespace, key))


def set(namespace: str, key: str, value: object) -> None:
    """Sets the value at `key`, once this call has succeeded."""
    with attempt():
        _host.set(namespace, key, encode(value))


def delete(namespace: str, key: str) -> None:
    """Removes `key`, once this call has succeeded."""
    with attempt():
        _host.delete(namespace, key)


def keys(namespace: str) -> list[str]:
    """Returns the keys, in order."""
    with attempt():
        found: list[str] = _host.keys(namespace)
    return found


def increment(namespace: str, key: str, delta: int = 1) -> int:
    """Adds `delta` to the whole number at `key` (0 if there is none) and returns the sum, atomically."""
    with attempt():
        total: int = _host.increment(namespace, key, delta)
    return total
