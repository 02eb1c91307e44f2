"""The JSON schema of a configuration, made from the data class that it is read as."""

from __future__ import annotations

import dataclasses
import inspect
import json
import typing
from collections.abc import Sequence
from typing import Any

from portcullis._config_types import Example, optional, unknown
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
    """Returns the component's export `Configuration`."""
    text = json.dumps(schema(hook.descriptor.config, hook.descriptor.config_examples))

    class Configuration:
        def schema(self) -> str:
            return text

    return Configuration


def schema(cls: Any, examples: Sequence[Any] = ()) -> dict[str, Any]:
    """Returns the schema of a data class for `config.read`, with these examples. Raises TypeError for any other type in it."""
    known: dict[Any, dict[str, Any]] = {}
    _of(cls, known)
    others = {_name(kind, known): one for kind, one in known.items() if kind is not cls}
    given = {"examples": [_example(one) for one in examples]} if examples else {}
    return known[cls] | {"$defs": others} | given


def _example(value: Any) -> Any:
    """Returns an example as JSON has it. Raises TypeError for a value that JSON does not have."""
    try:
        return json.loads(json.dumps(value, default=_given, allow_nan=False))
    except (TypeError, ValueError) as error:
        raise TypeError(f"an example of a configuration has a value that JSON does not have: {value!r}: {error}") from None


def _given(value: Any) -> dict[str, Any]:
    """Returns a data class without the fields that have their default."""
    if not dataclasses.is_dataclass(value):
        raise TypeError(f"{value!r} is no data class")
    fields = ((field, getattr(value, field.name)) for field in dataclasses.fields(value))
    return {field.name: one for field, one in fields if one != _default(field)}


def _default(field: dataclasses.Field[Any]) -> Any:
    """Returns the default of a field, or MISSING."""
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    return field.default


def _of(kind: Any, known: dict[Any, dict[str, Any]]) -> dict[str, Any]:
    if kind in PLAIN:
        return dict(PLAIN[kind])
    if dataclasses.is_dataclass(kind):
        if kind not in known:
            # A data class may contain its own type.
            known[kind] = {}
            known[kind].update(_record(kind, known))
        is_root = kind is next(iter(known))
        return {"$ref": "#" if is_root else f"#/$defs/{_name(kind, known)}"}
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Annotated:
        texts = [text for text in arguments[1:] if isinstance(text, str)]
        examples = [_example(one.value) for one in arguments[1:] if isinstance(one, Example)]
        shown = {"description": " ".join(texts), "examples": examples}
        return _of(arguments[0], known) | {keyword: value for keyword, value in shown.items() if value}
    if origin is list:
        return {"type": "array", "items": _of(arguments[0], known)}
    if origin is dict:
        return {"type": "object", "additionalProperties": _of(arguments[1], known)}
    if origin is typing.Literal:
        return {"enum": list(arguments)}
    inner = optional(kind)
    if inner is not None:
        return {"anyOf": [_of(inner, known), {"type": "null"}]}
    raise unknown(kind)


def _name(kind: Any, known: dict[Any, dict[str, Any]]) -> str:
    """Returns the name of a data class under `$defs`, where others may have the same name."""
    same = [other for other in known if other.__name__ == kind.__name__]
    at = same.index(kind)
    return f"{kind.__name__}-{at + 1}" if at > 0 else str(kind.__name__)


def _record(cls: Any, known: dict[Any, dict[str, Any]]) -> dict[str, Any]:
    kinds = typing.get_type_hints(cls, include_extras=True)
    properties, required = {}, []
    for field in dataclasses.fields(cls):
        properties[field.name] = _of(kinds[field.name], known)
        default = _default(field)
        if default is dataclasses.MISSING:
            required.append(field.name)
            continue
        try:
            properties[field.name]["default"] = json.loads(
                json.dumps(default, default=dataclasses.asdict, allow_nan=False)
            )
        except (TypeError, ValueError):
            # JSON has no such value, and a default is only shown.
            pass
    schema: dict[str, Any] = {"type": "object", "properties": properties, "required": required}
    # A data class without a docstring has one that shows its fields.
    text = inspect.getdoc(cls) or ""
    if text and not text.startswith(f"{cls.__name__}("):
        schema["description"] = text
    return schema | {"additionalProperties": False}
