"""A file of a granted directory, which `open` returns."""

from __future__ import annotations

import io
import os
from typing import Any

from portcullis import _files


class File(io.RawIOBase):
    """The bytes of a file, read and written at a position of its own."""

    #: The file, opened for reading and for writing; None if it is not open.
    _held: Any = None
    _written: Any = None

    def __init__(self, path: _files.Path, mode: str) -> None:
        self.name = path
        self.mode = mode
        kind = next(iter(set(mode) & set("rwax")))
        self._reads = kind == "r" or "+" in mode
        self._writes = kind != "r" or "+" in mode
        self._appends = kind == "a"
        self._at = 0
        if self._writes:
            flags = {"create": kind != "r", "truncate": kind == "w", "exclusive": kind == "x"}
            self._written = _files.open_at(path, write=True, **flags)
        if self._reads:
            self._held = _files.open_at(path)
        if self._appends:
            self._at = self._size()

    def _size(self) -> int:
        return _files.status(self.name).st_size

    def readable(self) -> bool:
        return self._reads

    def writable(self) -> bool:
        return self._writes

    def seekable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if self._held is None:
            raise io.UnsupportedOperation("not readable")
        view = memoryview(buffer).cast("B")
        with _files.at(self.name):
            content, _ = self._held.read(len(view), self._at)
        view[: len(content)] = bytes(content)
        self._at += len(content)
        return len(content)

    def write(self, content: Any) -> int:
        if self._written is None:
            raise io.UnsupportedOperation("not writable")
        if self._appends:
            self._at = self._size()
        with _files.at(self.name):
            count: int = self._written.write(bytes(content), self._at)
        self._at += count
        return count

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        start = {os.SEEK_SET: 0, os.SEEK_CUR: self._at}.get(whence)
        self._at = max(0, offset + (self._size() if start is None else start))
        return self._at

    def close(self) -> None:
        if not self.closed:
            for held in (self._held, self._written):
                if held is not None:
                    held.__exit__(None, None, None)
        super().close()


def opened(
    path: _files.Path,
    mode: str = "r",
    buffering: int = -1,
    encoding: str | None = None,
    errors: str | None = None,
    newline: str | None = None,
    closefd: bool = True,
    opener: None = None,
) -> Any:
    """Does the same as `open`. A text is UTF-8 unless an encoding is named."""
    if not closefd or opener is not None:
        raise ValueError("a hook has no numbers of files, so `open` takes neither `closefd` nor `opener`")
    kinds = set(mode)
    if len(kinds & set("rwax")) != 1 or kinds - set("rwaxbt+") or kinds >= set("bt") or len(kinds) != len(mode):
        raise ValueError(f"invalid mode: {mode!r}")
    if "b" in kinds and not (encoding is errors is newline is None):
        raise ValueError("binary mode takes no encoding, errors or newline")
    raw = File(path, mode)
    if buffering == 0:
        if "b" not in kinds:
            raise ValueError("can't have unbuffered text I/O")
        return raw
    size = buffering if buffering > 1 else io.DEFAULT_BUFFER_SIZE
    buffered: Any
    if "+" in kinds:
        buffered = io.BufferedRandom(raw, size)
    elif raw.readable():
        buffered = io.BufferedReader(raw, size)
    else:
        buffered = io.BufferedWriter(raw, size)
    if "b" in kinds:
        return buffered
    text = io.TextIOWrapper(buffered, encoding or "utf-8", errors, newline, buffering == 1)
    text.mode = mode  # type: ignore[misc]
    return text
