"""The parts of a system that a component does not have: sockets, files unless it opens some, and the like. Each raises
an error from an instance's first call on."""

from __future__ import annotations

import _io
import builtins
import errno
import io
import os
import sys
from collections.abc import Callable
from types import BuiltinFunctionType, SimpleNamespace
from typing import Any, NoReturn

from portcullis import _system

#: Functions of `posix` that do not use the system, or that end the process, which is a trap.
COMPUTED = {"fspath", "strerror", "cpu_count", "urandom", "putenv", "unsetenv", "abort", "_exit"}

#: Functions that follow links. The library treats their OSError as "this is no link", so a check of paths would pass.
FOLLOWING = {"lstat", "readlink"}


def prepare(*, has_sockets: bool, has_files: bool) -> None:
    """Replaces functions that need files or another part of the system, before the hook's modules take them. `has_sockets`
    says whether the hook may load `socket`, and `has_files` whether it opens files."""
    files: dict[str, Callable[..., Any]] = {}
    opened: Callable[..., Any] = _missing
    if has_files:
        from portcullis import _file, _files

        files, opened = _files.FUNCTIONS, _file.opened
    posix = sys.modules["posix"]
    absent: dict[str, Any] = {
        name: Absent(value, files.get(name, _unresolved if name in FOLLOWING else _looked_up))
        for name, value in vars(posix).items()
        if isinstance(value, BuiltinFunctionType) and name not in COMPUTED
    }
    system = os.uname()
    absent |= {
        "getpid": lambda: 1,
        "isatty": lambda _fd: False,
        "uname": lambda: system,
        "confstr": _unnamed,
    }
    vars(posix).update(absent)
    vars(os).update((name, value) for name, value in absent.items() if name in vars(os))
    builtins.open = Absent(io.open, opened)
    code = Absent(io.open_code, _missing)
    # The finder of modules takes these from `_io`; a traceback uses them for the lines of a module.
    for module in (io, _io):
        vars(module).update(open=builtins.open, open_code=code, FileIO=FileIO)
    # The system's own input traps when it is asked whether it is a terminal.
    sys.stdin = sys.__stdin__ = io.StringIO()  # type: ignore[assignment, misc]
    if has_sockets:
        _sockets()


def _sockets() -> None:
    import _socket
    import select

    class Socket(_socket.socket):
        __slots__ = ()

        def __init__(self, *arguments: Any, **options: Any) -> None:
            if _system.running:
                _unreachable()
            super().__init__(*arguments, **options)

    Socket.__module__, Socket.__qualname__ = "_socket", "socket"
    _socket.socket = Socket  # type: ignore[misc]
    for name in ("getaddrinfo", "getnameinfo", "gethostbyname", "gethostbyname_ex", "gethostbyaddr"):
        vars(_socket)[name] = Absent(vars(_socket).get(name), _unreachable)
    vars(select).update(
        select=Absent(select.select, _unreachable),
        poll=Absent(select.poll, lambda: SimpleNamespace(register=_unreachable, poll=_unreachable)),
    )


class Absent:
    """Replaces a function of the system, which works while a component is built; afterwards `instead` is called. Unlike a
    function, this is no method of a class that keeps it."""

    def __init__(self, own: Any, instead: Callable[..., Any]) -> None:
        self._own = own
        self._instead = instead

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        return (self._instead if _system.running else self._own)(*arguments, **options)


class FileIO(io.FileIO):
    """A file, which can be opened while a component is built."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        if _system.running:
            _missing(*arguments)
        super().__init__(*arguments, **options)


def _looked_up(*arguments: Any, **options: Any) -> NoReturn:
    # With this option, `stat` does the same as `lstat`.
    if options.get("follow_symlinks", True):
        _missing(*arguments)
    _unresolved()


def _missing(*arguments: Any, **_options: Any) -> NoReturn:
    named = [argument for argument in arguments[:1] if isinstance(argument, (str, bytes))]
    raise FileNotFoundError(errno.ENOENT, "a hook in Python has no files", *named)


def _unresolved(*_arguments: Any, **_options: Any) -> NoReturn:
    raise NotImplementedError("a hook in Python has no files, so it cannot follow links")


def _unnamed(*_arguments: Any) -> NoReturn:
    raise ValueError("unrecognized configuration name")


def _unreachable(*_arguments: Any, **_options: Any) -> NoReturn:
    raise OSError(errno.ENOTSUP, "a hook has no sockets")
