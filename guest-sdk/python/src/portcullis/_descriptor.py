"""The author's declaration of a hook."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

#: The values that a field takes, in words, and a check of a value.
Taken = tuple[str, Callable[[Any], bool]]


def _whole(least: int, most: int) -> Taken:
    # A bool is an int.
    return f"a whole number from {least} to {most}", lambda value: type(value) is int and least <= value <= most


def _one_of(*words: str) -> Taken:
    return " or ".join(f'"{word}"' for word in words), lambda value: value in words


def _are_texts(values: Any) -> bool:
    # A text is a sequence of texts.
    return isinstance(values, Sequence) and not isinstance(values, str) and all(isinstance(each, str) for each in values)


def _or_none(taken: Taken) -> Taken:
    expected, fits = taken
    return expected, lambda value: value is None or fits(value)


_TEXT: Taken = ("a string", lambda value: isinstance(value, str))

#: The values that the fields take, except those that are checked elsewhere.
TAKEN: dict[str, Taken] = {
    "id": _TEXT,
    "description": _TEXT,
    "version": _TEXT,
    "kind": _TEXT,
    "priority": _or_none(_whole(-(2**31), 2**31 - 1)),
    "failure": _or_none(_one_of("fail-open", "fail-closed")),
    "deadline_ms": _or_none(_whole(0, 2**32 - 1)),
    "execution": _one_of("blocking", "deadline", "fire-and-record", "background"),
    "after": ("a list of strings", _are_texts),
    "config": _or_none(("a class", lambda value: isinstance(value, type))),
}


@dataclass(frozen=True)
class Descriptor:
    """The author's declaration of a hook.

    Raises TypeError for a value that its field does not take.
    """

    id: str
    description: str
    version: str
    kind: str
    priority: int | None
    failure: str | None
    deadline_ms: int | None
    execution: str
    after: Sequence[str]
    config: type[Any] | None
    config_examples: Sequence[Any]

    def __post_init__(self) -> None:
        for name, (expected, fits) in TAKEN.items():
            value = getattr(self, name)
            if not fits(value):
                raise TypeError(f"`{name}` takes {expected}, and was given {value!r}")
