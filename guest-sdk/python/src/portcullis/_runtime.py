"""Python's runtime in a component: its modules, its standard streams and its random numbers.

All modules are loaded when the component is built, since a component has no files to load them from.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

from portcullis import _absent, _system
from portcullis._bindings import NATIVE, imported

#: Modules that others load in their functions, and those that do.
LATE = {
    "_strptime": ("datetime", "time"),
    "encodings.ascii": ("encodings",),
    "encodings.latin_1": ("encodings",),
    "encodings.utf_8_sig": ("encodings",),
}

#: The standard streams that a call has, by their names.
streams: dict[str, Any] = {}


def load(modules: dict[str, str | None]) -> None:
    """Loads the modules that the hook imports, each with the line that does. Those without a line may be missing.

    Raises ImportError with the line for one that is missing.
    """
    for module, place in modules.items():
        try:
            import_module(module)
        except ImportError as error:
            if place is not None:
                raise ImportError(
                    f"{place} imports `{module}`: {error}. A hook has Python's library and the modules beside its own"
                ) from None
    for module, others in LATE.items():
        if any(other in sys.modules for other in others):
            import_module(module)


def prepare(*, writes: bool, reaches: bool, sleeps: bool, opens: bool) -> None:
    """Readies what the hook's modules use, before they are loaded. `writes` says whether the hook may write to the standard
    streams, `reaches` whether it may ask for the time or for random numbers, `sleeps` whether it may wait for a time, and
    `opens` whether it opens URLs."""
    if writes:
        log = imported("logging")
        for name, level in (("stdout", log.Level.INFO), ("stderr", log.Level.WARN)):
            streams[name] = Logged(log.log, level, getattr(sys, name))
            setattr(sys, name, streams[name])
            setattr(sys, f"__{name}__", streams[name])
    if reaches:
        _system.replace(sleeps=sleeps)
    if opens:
        from portcullis import _urllib

        _urllib.install()
    _absent.prepare()


def begin() -> None:
    """A point is called for the first time. If it is an instance's first call, what is written from now on is logged,
    and no more modules are looked for."""
    if NATIVE or _system.running:
        return
    _system.begin()
    _absent.begin()
    sys.meta_path[:] = [finder for finder in sys.meta_path if "Path" not in str(finder)]


def flush() -> None:
    """A call ends: the lines that it left without an end are logged."""
    for stream in streams.values():
        stream.flush()


class Logged(io.TextIOBase):
    """A standard stream. Its lines are lines of the hook's log, and those of the build until an instance's first call."""

    def __init__(self, log: Callable[[Any, str, str], None], level: Any, build: Any) -> None:
        self._log = log
        self._level = level
        self._build = build
        self._line = ""

    def writable(self) -> bool:
        return True

    def reconfigure(self, **_options: object) -> None:
        """The log has its own encoding and lines."""

    def write(self, text: str) -> int:
        if not _system.running:
            return self._build.write(text)  # type: ignore[no-any-return]
        *lines, self._line = (self._line + text).split("\n")
        for line in filter(None, lines):
            self._log(self._level, "", line)
        return len(text)

    def flush(self) -> None:
        if not _system.running:
            self._build.flush()
        elif self._line:
            self._log(self._level, "", self._line)
            self._line = ""
