"""The component's imports from the host; outside of a component, the fakes of `portcullis.testing`."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from portcullis._points import RENAMED, TYPES

#: Whether this runs outside of a component.
NATIVE = find_spec("wit_world") is None


def imported(name: str, optional: bool = False, package: str = "") -> Any:
    """Returns the functions of an imported interface, by the name of its module in the bindings. Interfaces of one name have
    their `package` before it.

    Raises ImportError if the component does not import the interface, or returns None if it is optional.
    """
    if NATIVE:
        from portcullis import _fake

        return _fake.Interface(name)
    for module in (f"{package}_{name}", name) if package else (name,):
        try:
            return import_module(f"wit_world.imports.{module}")
        except ModuleNotFoundError:
            continue
    if optional:
        return None
    raise ImportError(
        f"the component does not import `{name}`: the build did not see that the hook uses it. "
        "Import modules of `portcullis` by their names"
    )


def host_error() -> type[Exception]:
    """Returns the exception that an imported function raises if the contract has an error."""
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
    # `wasi:http` has an interface `types` too.
    for path in (f"imports.portcullis_hooks_{module}", f"imports.{module}", f"exports.{module}"):
        try:
            return vars(import_module(f"wit_world.{path}"))
        except ModuleNotFoundError:
            continue
    return {}
