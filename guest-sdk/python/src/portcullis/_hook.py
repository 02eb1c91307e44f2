"""From a class to a hook."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from portcullis._points import POINTS

C = TypeVar("C", bound=type)

METHODS = {point.replace("-", "_"): point for point in POINTS}


@dataclass(frozen=True)
class Card:
    """What a hook says of itself."""

    id: str
    description: str
    role: str
    version: str
    kind: str
    priority: int | None
    failure: str | None
    deadline_ms: int | None
    execution: str
    after: Sequence[str]
    contributes: Sequence[str]


@dataclass(frozen=True)
class Hook:
    """A hook: its card, an instance of its class, and its methods by the names of their points."""

    card: Card
    instance: Any
    points: dict[str, str]


#: The hook of this component.
defined: list[Hook] = []


def hook(
    *,
    id: str,
    description: str,
    role: Literal["gate", "transform", "observe"],
    version: str = "0.1.0",
    kind: str = "hook",
    priority: int | None = None,
    failure: Literal["fail-open", "fail-closed"] | None = None,
    deadline_ms: int | None = None,
    execution: Literal["blocking", "deadline", "fire-and-record", "background"] = "blocking",
    after: Sequence[str] = (),
    contributes: Sequence[
        Literal["policy", "context", "section", "tools", "note", "job"]
    ] = (),
) -> Callable[[C], C]:
    """Makes a hook of a class with a method for each point it serves.

    A method has the point's name, with underscores, and takes the context and the point's input.
    Helpers begin with an underscore. What the hook says of itself are its author's wishes; the
    operator's `hooks.toml` wins.

    `id` is made of lower-case letters, digits and dashes. `role` is `gate` (continues or refuses),
    `transform` (may answer anything) or `observe` (looks on). A low `priority` runs first; the
    host's default is 100. `failure` is by role if left out: gate and transform fail closed, observe
    fails open. `deadline_ms` is how long a call may take. `after` are the ids of hooks that must
    run before it, `contributes` the kinds that it may answer with.

    Raises TypeError for a method that is no point's, and for a class without any.
    """
    card = Card(
        id,
        description,
        role,
        version,
        kind,
        priority,
        failure,
        deadline_ms,
        execution,
        after,
        contributes,
    )

    def define(cls: C) -> C:
        if defined:
            raise TypeError(f"a component is one hook, and `{defined[0].card.id}` is there already")
        defined.append(Hook(card, cls(), _points(cls)))
        return cls

    return define


def _points(cls: type) -> dict[str, str]:
    points = {}
    for name, member in vars(cls).items():
        if name.startswith("_") or not callable(member):
            continue
        if name not in METHODS:
            near = difflib.get_close_matches(name, METHODS, 1)
            hint = f"did you mean `{near[0]}`? " if near else ""
            raise TypeError(
                f"`{cls.__name__}.{name}` is no point: {hint}A helper's name begins with an underscore"
            )
        points[METHODS[name]] = name
    if not points:
        raise TypeError(
            f"`{cls.__name__}` serves no point: give it a method, such as pre_turn(self, context, input)"
        )
    return points
