"""What a method answers. Which are legal is the point's to say: the types check it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from portcullis.contract import (
        AskRequest,
        ContentPart,
        Message,
        Rejection,
        Role,
        StopKind,
        StopSignal,
    )

T = TypeVar("T")


@dataclass(frozen=True)
class Continue:
    """Go on. A method that returns nothing says the same."""


@dataclass(frozen=True)
class Transform(Generic[T]):
    """Go on with this value."""

    value: T


@dataclass(frozen=True)
class Reject:
    """Refuse; see `reject`."""

    value: Rejection


@dataclass(frozen=True)
class Replace(Generic[T]):
    """Use this value as it is; hooks that could change it are skipped, gates still see it."""

    value: T


@dataclass(frozen=True)
class Answer(Generic[T]):
    """Skip the operation itself and use this result."""

    value: T


@dataclass(frozen=True)
class Ask:
    """A person must decide; see `ask`."""

    value: AskRequest


@dataclass(frozen=True)
class Stop:
    """End the turn in good order; see `stop`."""

    value: StopSignal


@dataclass(frozen=True)
class KeepGoing:
    """Say this to the model instead of ending the turn."""

    value: str


@dataclass(frozen=True)
class Contribute(Generic[T]):
    """Go on, and add these; see `contribute`."""

    value: T


def reject(code: str, reason: str, details: object = None) -> Reject:
    """Refuses. `code` is short and stable, for programs; `reason` is for the person or the model
    that is refused; `details` are written as JSON."""
    from_details = None if details is None else json.dumps(details)
    return Reject(types.Rejection(code, reason, from_details))


def ask(question: str, details: str | None = None) -> Ask:
    """Has a person decide."""
    return Ask(types.AskRequest(question, details))


def stop(why: str | StopKind, message: str) -> Stop:
    """Ends the turn in good order. `why` is a short, stable code, or one of the contract's kinds."""
    kind = types.StopKind_Other(why) if isinstance(why, str) else why
    return Stop(types.StopSignal(kind, message))


def contribute(*these: T) -> Contribute[list[T]]:
    """Adds these records of the contract, such as a `ContextItem`. The hook's card must declare
    their kinds, and the operator grant them."""
    return Contribute(list(these))


def text(said: str) -> ContentPart:
    """A text part."""
    return types.ContentPart_Text(said)


def text_of(parts: Iterable[ContentPart]) -> str:
    """The text of these parts, joined."""
    return "".join(part.value for part in parts if isinstance(part, types.ContentPart_Text))


def message(role: Role, said: str) -> Message:
    """A message of one text."""
    return types.Message(role, [text(said)])


# Behind the definitions, which the contract's types are made of.
from portcullis import contract as types  # noqa: E402
