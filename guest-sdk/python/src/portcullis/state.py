"""The hook's own state, kept for the length of the session and readable by no other hook.

Values are kept as JSON. The changes of a call that fails are undone. A `StateError` is raised if state
is not granted, or if it is full.
"""

from typing import Any

from portcullis._bindings import imported
from portcullis._state import attempt, decode, encode

_host = imported("state")


def get(key: str) -> Any:
    """Returns the value at `key`; None if there is none."""
    return decode(_host.get(key))


def set(key: str, value: object) -> None:
    """Sets the value at `key`, once this call has succeeded."""
    with attempt():
        _host.set(key, encode(value))


def delete(key: str) -> None:
    """Removes `key`, once this call has succeeded."""
    _host.delete(key)


def keys() -> list[str]:
    """Returns the keys, in order."""
    found: list[str] = _host.keys()
    return found


def increment(key: str, delta: int = 1) -> int:
    """Adds `delta` to the whole number at `key` (0 if there is none) and returns the sum, atomically."""
    with attempt():
        total: int = _host.increment(key, delta)
    return total
