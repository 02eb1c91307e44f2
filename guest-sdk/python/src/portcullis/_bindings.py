"""What the component imports from the host; outside of a component, the fakes of `portcullis.testing`."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from portcullis._points import RENAMED, TYPES

#: Whether this runs outside of a component.
NATIVE = find_spec("wit_world") is None


def imported(name: str, optional: bool = False) -> Any:
    """The functions of an imported interface, by the name of its module in the bindings.

    Raises ImportError if the component does not import it, or returns nothing if it is optional.
    """
    if NATIVE:
        from portcullis import _fake

        return _fake.Interface(name)
    try:
        return import_module(f"wit_world.imports.{name}")
    except ModuleNotFoundError:
        if optional:
            return None
    raise ImportError(
        f"the component does not import `{name}`: the build did not see that the hook uses it. "
        "Import modules of `portcullis` by their names"
    )


def host_error() -> type[Exception]:
    """What an imported function raises where the contract has an error."""
    if NATIVE:
        from portcullis._fake import Err

        return Err
    error: type[Exception] = import_module("componentize_py_types").Err
    return error


def adopt(names: dict[str, Any]) -> None:
    """Puts the bindings' classes in place of the contract's in `names`, so that the host's values are
    instances of them."""
    if NATIVE:
        return
    for module, types in TYPES.items():
        bindings = _found(module)
        for name in types:
            own = RENAMED.get(name, name)
            for candidate, value in bindings.items():
                base, underscore, case = candidate.partition("_")
                if base == own:
                    names[name + underscore + case] = value


def _found(module: str) -> dict[str, Any]:
    for kind in ("imports", "exports"):
        try:
            return vars(import_module(f"wit_world.{kind}.{module}"))
        except ModuleNotFoundError:
            continue
    return {}
