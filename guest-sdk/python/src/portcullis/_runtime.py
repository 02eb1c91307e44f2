"""Python's runtime in a component: its modules, its standard streams and its random numbers.

All modules are loaded when the component is built, since a component has no files to load them from.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any

from portcullis import _absent, _system, _threads
from portcullis._bindings import NATIVE, imported

#: Modules that others load in their functions, and those others.
LATE = {
    "_strptime": ("datetime", "time"),
    "concurrent.futures.thread": ("asyncio",),
    "email.generator": ("email",),
    "email.message": ("email",),
    "email.parser": ("email",),
    "encodings.ascii": ("encodings",),
    "encodings.idna": ("socket",),
    "encodings.punycode": ("encodings.idna",),
    "encodings.latin_1": ("encodings",),
    "encodings.utf_8_sig": ("encodings",),
    "hashlib": ("uuid",),
    "heapq": ("collections",),
    "unicodedata": ("urllib.parse",),
    "xml.dom.expatbuilder": ("xml.dom.minidom",),
}

#: The standard streams that a call has, by their names.
streams: dict[str, Any] = {}

#: The streams whose last line has no end yet. A call checks for them, which costs less than flushing them.
unfinished: set[Any] = set()


def load(imports: Iterable[tuple[str, tuple[str, ...], str | None]]) -> None:
    """Loads the hook's imports: modules, the names that are taken of them, and the lines of the imports. Without a line,
    a module may be missing.

    Raises ImportError with the line of the missing import.
    """
    imports = tuple(imports)
    if any(module == "hashlib" for module, _, _ in imports):
        from portcullis import _hashes

        _hashes.install()
    for module, names, place in imports:
        try:
            _load(module, names)
        except ImportError as error:
            if place is not None:
                raise ImportError(
                    f"{place} imports `{module}`: {error}. A hook has Python's library and the modules beside its own"
                ) from None
    for module, others in LATE.items():
        if any(other in sys.modules for other in others):
            import_module(module)


def _load(module: str, names: tuple[str, ...]) -> None:
    """Does the same as an import, which also loads modules of a package that are among the names."""
    loaded = __import__(module, fromlist=names)
    for name in names:
        if name != "*" and not hasattr(loaded, name):
            raise ImportError(f"there is no `{name}` in it")


def prepare(*, writes: bool, needs_clock_and_random: bool, sleeps: bool, waits: bool, opens: bool, has_files: bool, zones: bool) -> None:
    """Prepares Python for the hook's modules, before they are loaded. `writes` says whether the hook may write to the standard
    streams, `sleeps` whether it may wait for a time, `waits` whether it does so with `asyncio`, `opens` whether it opens
    URLs, `has_files` whether it opens files, and `zones` whether it uses `zoneinfo`."""
    if writes:
        log = imported("logging")
        for name, level in (("stdout", log.Level.INFO), ("stderr", log.Level.WARN)):
            streams[name] = Logged(log.log, level, getattr(sys, name))
            setattr(sys, name, streams[name])
            setattr(sys, f"__{name}__", streams[name])
    if needs_clock_and_random:
        _system.replace(sleeps=sleeps)
        _threads.install()
    _absent.prepare(has_sockets=needs_clock_and_random, has_files=has_files)
    if waits:
        from portcullis import _asyncio

        _asyncio.install()
    if opens:
        from portcullis import _urllib

        _urllib.install()
    if zones:
        from portcullis import _zones

        _zones.install()


def begin() -> None:
    """Begins the first call of a point. From an instance's first call on, written text is logged,
    and there are no more files, so no more modules are found."""
    if not (NATIVE or _system.running):
        _system.begin()


def flush() -> None:
    """Ends a call: logs the lines that it left without an end."""
    for stream in streams.values():
        stream.flush()


class Logged(io.TextIOBase):
    """A standard stream. Its lines are lines of the hook's log; until an instance's first call, those of the build."""

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
        if self._line:
            unfinished.add(self)
        else:
            unfinished.discard(self)
        for line in filter(None, lines):
            self._log(self._level, "", line)
        return len(text)

    def flush(self) -> None:
        if not _system.running:
            self._build.flush()
        elif self._line:
            self._log(self._level, "", self._line)
            self._line = ""
            unfinished.discard(self)
