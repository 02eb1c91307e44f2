"""What a component does not have: files, sockets and other things of a system. Who asks for them has an error."""

from __future__ import annotations

import builtins
import errno
import io
import os
import sys
from types import BuiltinFunctionType, ModuleType
from typing import Any

#: Functions of `posix` that ask the system for nothing.
COMPUTED = {"fspath", "strerror", "cpu_count", "urandom", "putenv", "unsetenv"}

#: What is replaced at an instance's first call, until which the build needs files: names of modules, and names in them.
later: list[tuple[ModuleType, dict[str, Any]]] = []


def begin() -> None:
    """An instance's first call begins."""
    for module, names in later:
        vars(module).update(names)
    if "socket" in sys.modules:
        sockets = ("socket", "getaddrinfo", "create_connection")
        vars(sys.modules["socket"]).update(dict.fromkeys(sockets, _unreachable))


def prepare() -> None:
    """Notes what is replaced."""
    posix = sys.modules["posix"]
    missing: dict[str, Any] = {
        name: _missing
        for name, value in vars(posix).items()
        if isinstance(value, BuiltinFunctionType) and name not in COMPUTED
    }
    missing["getpid"] = lambda: 1
    later.extend(
        [
            (posix, missing),
            (os, {name: value for name, value in missing.items() if name in vars(os)}),
            (io, {"open": _missing, "open_code": _missing, "FileIO": _missing}),
            (builtins, {"open": _missing}),
        ]
    )


def _missing(*arguments: Any, **_options: object) -> Any:
    """In the place of what asks for files, and for other things of a system."""
    named = [argument for argument in arguments[:1] if isinstance(argument, (str, bytes))]
    raise FileNotFoundError(errno.ENOENT, "a hook in Python has no files", *named)


def _unreachable(*_arguments: object, **_options: object) -> Any:
    """In the place of what makes sockets."""
    raise OSError(errno.ENOTSUP, "a hook has no sockets")
