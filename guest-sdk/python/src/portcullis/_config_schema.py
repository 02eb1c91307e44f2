"""The JSON schema of a configuration, made from the data class that it is read as."""

from __future__ import annotations

import dataclasses
import inspect
import json
import typing
from typing import Any

from portcullis._config_types import optional, unknown
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
    text = json.dumps(schema(hook.descriptor.config))

    class Configuration:
        def schema(self) -> str:
            return text

    return Configuration


def schema(cls: Any) -> dict[str, Any]:
    """The schema of a data class that `config.read` takes. Raises TypeError for any other type in it."""
    known: dict[Any, dict[str, Any]] = {}
    _of(cls, known)
    others = {_name(kind, known): one for kind, one in known.items() if kind is not cls}
    return known[cls] | {"$defs": others}


def _of(kind: Any, known: dict[Any, dict[str, Any]]) -> dict[str, Any]:
    if kind in PLAIN:
        return dict(PLAIN[kind])
    if dataclasses.is_dataclass(kind):
        if kind not in known:
            # It may hold others of itself.
            known[kind] = {}
            known[kind].update(_record(kind, known))
        is_root = kind is next(iter(known))
        return {"$ref": "#" if is_root else f"#/$defs/{_name(kind, known)}"}
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Annotated:
        texts = [text for text in arguments[1:] if isinstance(text, str)]
        return _of(arguments[0], known) | ({"description": " ".join(texts)} if texts else {})
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
    """What a data class is called under `$defs`, where others may have its name."""
    same = [other for other in known if other.__name__ == kind.__name__]
    at = same.index(kind)
    return f"{kind.__name__}-{at + 1}" if at > 0 else str(kind.__name__)


def _record(cls: Any, known: dict[Any, dict[str, Any]]) -> dict[str, Any]:
    kinds = typing.get_type_hints(cls, include_extras=True)
    properties, required = {}, []
    for field in dataclasses.fields(cls):
        properties[field.name] = _of(kinds[field.name], known)
        if field.default is not dataclasses.MISSING:
            default = field.default
        elif field.default_factory is not dataclasses.MISSING:
            default = field.default_factory()
        else:
            required.append(field.name)
            continue
        try:
            properties[field.name]["default"] = json.loads(
                json.dumps(default, default=dataclasses.asdict, allow_nan=False)
            )
        except (TypeError, ValueError):
            # JSON has no such value, and it is only shown.
            pass
    schema: dict[str, Any] = {"type": "object", "properties": properties, "required": required}
    # A data class without a text of its own has one that shows its fields.
    text = inspect.getdoc(cls) or ""
    if text and not text.startswith(f"{cls.__name__}("):
        schema["description"] = text
    return schema | {"additionalProperties": False}
