"""The decorator that makes a hook of a class."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from portcullis._descriptor import Descriptor
from portcullis._points import ANSWERS

C = TypeVar("C", bound=type)
T = TypeVar("T")

#: The points, by the names of their methods.
METHODS = {point.replace("-", "_"): point for point in ANSWERS}


@dataclass(frozen=True)
class Hook:
    """A hook: its descriptor, its class, and the names of its methods by their points."""

    descriptor: Descriptor
    cls: type[Any]
    points: dict[str, str]


#: The hooks whose modules are loaded. A component has one.
defined: list[Hook] = []


def hook(
    *,
    id: str,
    description: str,
    version: str = "0.1.0",
    kind: str = "hook",
    priority: int | None = None,
    failure: Literal["fail-open", "fail-closed"] | None = None,
    deadline_ms: int | None = None,
    execution: Literal["blocking", "deadline", "fire-and-record", "background"] = "blocking",
    after: Sequence[str] = (),
    config: type[T] | None = None,
    config_examples: Sequence[T] = (),
) -> Callable[[C], C]:
    """Makes a hook of a class with a method for each point it serves.

    A method has the point's name, with underscores, and takes the context and the call. The names of
    helpers begin with an underscore. The operator's `hooks.toml` overrides what is declared here.

    `id` is made of lower-case letters, digits and dashes. A low `priority` runs first; the host's
    default is 100. `failure` is the effect of a failure of the hook; if left out, a hook that can
    decide anything fails closed, and one that only observes fails open. `deadline_ms` is the time limit of a
    call. `after` are the ids of hooks that must run before it. `config` is the data class that
    the configuration is read as: the host then checks the configuration when it loads the hook. `config_examples` are objects
    of that class, which operators are shown without the fields that have their default. The answers of the hook are
    not declared: they follow from the outcomes that its code uses.

    Raises TypeError for a value of another type than is declared here, for a method without the name of a point, for a
    class without methods, and for examples of another class than `config`.
    """
    descriptor = Descriptor(
        id, description, version, kind, priority, failure, deadline_ms, execution, after, config, config_examples
    )
    for example in config_examples:
        if config is None or not isinstance(example, config):
            raise TypeError(f"an example of the configuration is an object of the class `config`: {example!r}")

    def define(cls: C) -> C:
        defined.append(Hook(descriptor, cls, _points(cls)))
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
                f"`{cls.__name__}.{name}` is not a point: {hint}The name of a helper begins with an underscore"
            )
        points[METHODS[name]] = name
    if not points:
        raise TypeError(
            f"`{cls.__name__}` serves no point: give it a method, such as pre_turn(self, context, call)"
        )
    return points
