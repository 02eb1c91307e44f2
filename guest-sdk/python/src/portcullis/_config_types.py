"""Types of a configuration's fields."""

from __future__ import annotations

import dataclasses
import types
import typing
from typing import Any


@dataclasses.dataclass(frozen=True, eq=False)
class Example:
    """An example of a field's value for operators: `Annotated[list[str], "The words.", Example(["password"])]`."""

    value: Any


def optional(kind: Any) -> Any:
    """Returns the type of a value that is not None, or None if `kind` is no union.

    Raises TypeError for a union that is not of one type and None.
    """
    if typing.get_origin(kind) not in (typing.Union, types.UnionType):
        return None
    inner = [one for one in typing.get_args(kind) if one is not type(None)]
    if len(inner) != 1:
        raise unknown(kind)
    return inner[0]


def unknown(kind: Any) -> TypeError:
    """Returns the error of a field that may not have this type."""
    return TypeError(f"a configuration has no field of the type {kind!r}; see `config.read`")
