"""The operator's configuration of this hook: its `[hooks.ID.config]` table."""

from __future__ import annotations

import dataclasses
import json
import typing
from typing import Any, TypeVar

from portcullis._bindings import imported
from portcullis._config_types import Example as Example
from portcullis._config_types import optional
from portcullis.errors import BadConfig

_host = imported("store")

T = TypeVar("T")


def table() -> dict[str, Any]:
    """Returns the whole table; empty if there is none."""
    read: dict[str, Any] = json.loads(_host.get("") or "{}")
    return read


#: The configurations by class: the configuration of an instance does not change.
_KNOWN: dict[type, Any] = {}


def read(cls: type[T]) -> T:
    """Returns the whole table as this data class. It is read at the first call, and the object is kept. Do
    not change it; `@dataclass(frozen=True)` ensures that.

    A field without a default is required, and a key without a field is an error. A field is a
    `str`, `int`, `float`, `bool`, a `Literal`, a `list`, a `dict` with strings for keys, another
    data class, or one of them `| None`.

    The type of a field also has its description and examples: `Annotated[list[str], "The words.", config.Example(["password"])]`.

    Raises BadConfig, naming the key, and TypeError for a field with another union.
    """
    value: T | None = _KNOWN.get(cls)
    if value is None:
        value = _KNOWN[cls] = _read(cls, table(), "")
    return value


def _read(kind: Any, value: Any, path: str) -> Any:
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if dataclasses.is_dataclass(kind):
        return _record(kind, value, path)
    if origin is list:
        if isinstance(value, list):
            return [_read(arguments[0], one, f"{path}[{at}]") for at, one in enumerate(value)]
    elif origin is dict:
        if isinstance(value, dict):
            return {key: _read(arguments[1], one, f"{path}.{key}") for key, one in value.items()}
    elif origin is typing.Literal:
        if value in arguments:
            return value
    elif (inner := optional(kind)) is not None:
        return None if value is None else _read(inner, value, path)
    elif kind is float and type(value) is int:
        return float(value)
    elif type(value) is kind or kind is Any:
        return value
    raise BadConfig(f"`{path}`: expected {_words(kind)}")


def _record(cls: Any, value: Any, path: str) -> Any:
    if not isinstance(value, dict):
        raise BadConfig(f"`{path}`: expected a table")
    kinds = typing.get_type_hints(cls)
    fields = {field.name: field for field in dataclasses.fields(cls)}
    names = {name: f"{path}.{name}" if path else name for name in [*fields, *value]}
    for key in value:
        if key not in fields:
            known = ", ".join(f"`{name}`" for name in fields)
            raise BadConfig(f"`{names[key]}`: unknown key, expected {known}")
    for name, field in fields.items():
        no_default = field.default is field.default_factory is dataclasses.MISSING
        if name not in value and no_default:
            raise BadConfig(f"`{names[name]}`: missing")
    return cls(**{name: _read(kinds[name], one, names[name]) for name, one in value.items()})


def _words(kind: Any) -> str:
    words = {str: "a string", int: "a whole number", float: "a number", bool: "true or false"}
    if typing.get_origin(kind) is typing.Literal:
        return "one of " + ", ".join(json.dumps(one) for one in typing.get_args(kind))
    origin = typing.get_origin(kind)
    return words.get(kind) or {list: "a list", dict: "a table"}.get(origin, str(kind))
