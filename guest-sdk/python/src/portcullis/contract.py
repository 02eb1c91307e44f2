"""The contract's types, as the component's bindings have them.

`contract.pyi` says what they are. A type of a point is there if the hook serves the point.
"""

from importlib import import_module
from types import ModuleType
from typing import Any

from portcullis._points import POINTS, PREFIXED


def _modules() -> dict[str, ModuleType]:
    """The modules of the bindings, by name; a component has those of its own points only."""
    found = {}
    for path in (
        "imports.types",
        "imports.verdict",
        "exports.describe",
        *(f"exports.{point.replace('-', '_')}" for point in POINTS),
    ):
        try:
            found[path.split(".")[1]] = import_module(f"wit_world.{path}")
        except ModuleNotFoundError:
            continue
    return found


_MODULES = _modules()


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    if name.endswith(("Outcome", "Contribution")) and name != "ToolOutcome":
        return object
    module, own = PREFIXED.get(name, (None, name))
    for candidate in [_MODULES.get(module)] if module else _MODULES.values():
        if candidate is not None and hasattr(candidate, own):
            return getattr(candidate, own)
    raise AttributeError(
        f"`{name}` is not one of the contract's types, or is of a point that the hook does not serve"
    )
