"""The hook's own memory, kept for the length of the session and readable by no other hook.

Values are kept as JSON. What a call that fails has changed is undone. What the operator did not
grant, and what is full, is a `StateError`.
"""

from typing import Any

from wit_world.imports import state

from portcullis._state import attempt, decode, encode


def get(key: str) -> Any:
    """The value at `key`; nothing if there is none."""
    return decode(state.get(key))


def set(key: str, value: object) -> None:
    """Puts `value` at `key`, once this call has succeeded."""
    with attempt():
        state.set(key, encode(value))


def delete(key: str) -> None:
    """Takes `key` away, once this call has succeeded."""
    state.delete(key)


def keys() -> list[str]:
    """The keys, in order."""
    return state.keys()


def increment(key: str, delta: int = 1) -> int:
    """Adds `delta` to the whole number at `key` (0 if there is none) and gives the sum, atomically."""
    with attempt():
        return state.increment(key, delta)
