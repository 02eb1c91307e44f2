"""The JSON schema of a configuration, made from the data class that it is read as."""

from __future__ import annotations

import dataclasses
import inspect
import json
import types
import typing
from typing import Any

from portcullis._hook import Hook

#: The schemas of types that hold no others.
PLAIN: dict[Any, dict[str, Any]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    Any: {},
}


def export(hook: Hook) -> type:
    """The component's export `Configuration`."""
    text = json.dumps(of(hook.descriptor.config))

    class Configuration:
        def schema(self) -> str:
            return text

    return Configuration


def of(kind: Any) -> dict[str, Any]:
    """The schema of a type that `config.read` takes. Raises TypeError for any other."""
    if kind in PLAIN:
        return dict(PLAIN[kind])
    if dataclasses.is_dataclass(kind):
        return _record(kind)
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Annotated:
        texts = [text for text in arguments[1:] if isinstance(text, str)]
        return of(arguments[0]) | ({"description": " ".join(texts)} if texts else {})
    if origin is list:
        return {"type": "array", "items": of(arguments[0])}
    if origin is dict:
        return {"type": "object", "additionalProperties": of(arguments[1])}
    if origin is typing.Literal:
        return {"enum": list(arguments)}
    if origin in (typing.Union, types.UnionType):
        return {"anyOf": [{"type": "null"} if one is type(None) else of(one) for one in arguments]}
    raise TypeError(f"a configuration has no field of the type {kind!r}; see `config.read`")


def _record(cls: Any) -> dict[str, Any]:
    kinds = typing.get_type_hints(cls, include_extras=True)
    properties, required = {}, []
    for field in dataclasses.fields(cls):
        properties[field.name] = of(kinds[field.name])
        if field.default is not dataclasses.MISSING:
            properties[field.name]["default"] = _plain(field.default)
        elif field.default_factory is not dataclasses.MISSING:
            properties[field.name]["default"] = _plain(field.default_factory())
        else:
            required.append(field.name)
    schema: dict[str, Any] = {"type": "object", "properties": properties, "required": required}
    # A data class without a text of its own has one that shows its fields.
    text = inspect.getdoc(cls) or ""
    if text and not text.startswith(f"{cls.__name__}("):
        schema["description"] = text
    return schema | {"additionalProperties": False}


def _plain(value: Any) -> Any:
    return dataclasses.asdict(value) if dataclasses.is_dataclass(value) else value  # type: ignore[arg-type]
