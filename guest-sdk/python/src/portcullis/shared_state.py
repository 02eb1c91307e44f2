"""Memory that hooks share, across sessions, by namespace; the operator grants each one.

Values are kept as JSON. What the operator did not grant, and what is full, is a `StateError`.
"""

from typing import Any

from wit_world.imports import shared_state

from portcullis._state import attempt, decode, encode


def get(namespace: str, key: str) -> Any:
    """The value at `key`; nothing if there is none."""
    with attempt():
        return decode(shared_state.get(namespace, key))


def set(namespace: str, key: str, value: object) -> None:
    """Puts `value` at `key`, once this call has succeeded."""
    with attempt():
        shared_state.set(namespace, key, encode(value))


def delete(namespace: str, key: str) -> None:
    """Takes `key` away, once this call has succeeded."""
    with attempt():
        shared_state.delete(namespace, key)


def keys(namespace: str) -> list[str]:
    """The keys, in order."""
    with attempt():
        return shared_state.keys(namespace)


def increment(namespace: str, key: str, delta: int = 1) -> int:
    """Adds `delta` to the whole number at `key` (0 if there is none) and gives the sum, atomically."""
    with attempt():
        return shared_state.increment(namespace, key, delta)
