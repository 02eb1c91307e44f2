"""Files of the directories that the hook is granted, over `wasi:filesystem`, for `open`, `os` and `pathlib`."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from portcullis._bindings import host_error, imported

# The build has this name for `wasi:filesystem`: see `STAND_INS` of the build.
_types = imported("types", package="host_filesystem")
_preopens = imported("preopens")
_Error = host_error()

#: The system's numbers of errors; the others are EIO.
NUMBERS = {
    "ACCESS": errno.EACCES,
    "NOT_PERMITTED": errno.EPERM,
    "READ_ONLY": errno.EROFS,
    "NO_ENTRY": errno.ENOENT,
    "EXIST": errno.EEXIST,
    "IS_DIRECTORY": errno.EISDIR,
    # The host reports this only for a directory that is read or written as a file.
    "BAD_DESCRIPTOR": errno.EISDIR,
    "NOT_DIRECTORY": errno.ENOTDIR,
    "NOT_EMPTY": errno.ENOTEMPTY,
    "INSUFFICIENT_SPACE": errno.ENOSPC,
    "CROSS_DEVICE": errno.EXDEV,
    "LOOP": errno.ELOOP,
    "NAME_TOO_LONG": errno.ENAMETOOLONG,
}

#: The modes of everything that is not a file.
MODES = {"DIRECTORY": stat.S_IFDIR | 0o755, "SYMBOLIC_LINK": stat.S_IFLNK | 0o777}

Path = str | bytes | os.PathLike[str] | os.PathLike[bytes]

#: The directories with the names in their paths, which an instance reads once.
_granted: list[tuple[Any, list[str]]] = []


@contextmanager
def at(path: Path) -> Iterator[tuple[Any, str]]:
    """Yields the innermost granted directory that contains the path, and the path in it. Errors are the system's."""
    if not isinstance(path, (str, bytes, os.PathLike)):
        raise OSError(errno.EBADF, "a hook has no numbers of files")
    try:
        yield _placed(os.fsdecode(path))
    except _Error as error:
        number = NUMBERS.get(getattr(getattr(error, "value", None), "name", ""), errno.EIO)
        raise OSError(number, os.strerror(number), path) from None


def _placed(path: str) -> tuple[Any, str]:
    names = _names(path) if path else None
    holding = [(len(of), dir) for dir, of in _directories() if names is not None and names[: len(of)] == of]
    if names is None or not holding:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
    length, dir = max(holding, key=lambda one: one[0])
    return dir, "/".join(names[length:]) or "."


def _directories() -> list[tuple[Any, list[str]]]:
    if not _granted:
        _granted.extend((dir, _names(name) or []) for dir, name in _preopens.get_directories())
    return _granted


def _names(path: str) -> list[str] | None:
    """Returns the names in a path; None if the path leaves the directory where it begins."""
    names: list[str] = []
    for name in path.split("/"):
        if name == "..":
            if not names:
                return None
            names.pop()
        elif name not in ("", "."):
            names.append(name)
    return names


def open_at(path: Path, *, write: bool = False, **flags: bool) -> Any:
    """Opens a file or a directory. `flags` are `create`, `directory`, `exclusive` and `truncate`."""
    opening = _types.OpenFlags(0)
    for flag, is_set in flags.items():
        if is_set:
            opening |= _types.OpenFlags[flag.upper()]
    access = _types.DescriptorFlags.WRITE if write else _types.DescriptorFlags.READ
    with at(path) as (dir, below):
        return dir.open_at(_types.PathFlags.SYMLINK_FOLLOW, below, opening, access)


def status(path: Path, *, follow_symlinks: bool = True) -> os.stat_result:
    """Returns the metadata of a file, or of the link to it."""
    follow = _types.PathFlags.SYMLINK_FOLLOW if follow_symlinks else _types.PathFlags(0)
    with at(path) as (dir, below):
        found = dir.stat_at(follow, below)
    mode = MODES.get(found.type.name, stat.S_IFREG | 0o644)
    times = [
        _nanoseconds(at)
        for at in (found.data_access_timestamp, found.data_modification_timestamp, found.status_change_timestamp)
    ]
    exact: dict[str, float] = {}
    for name, time in zip(("atime", "mtime", "ctime"), times, strict=True):
        exact |= {f"st_{name}": time / 1e9, f"st_{name}_ns": time}
    whole = [time // 1_000_000_000 for time in times]
    return os.stat_result((mode, 0, 0, found.link_count, 0, 0, found.size, *whole), exact)


def _nanoseconds(at: Any) -> int:
    return at.seconds * 1_000_000_000 + at.nanoseconds if at else 0


class Entry:
    """An entry of a directory, as `os.DirEntry`."""

    def __init__(self, directory: str, name: str, kind: str) -> None:
        self.name = name
        self.path = os.path.join(directory, name)
        self._kind = kind

    def __fspath__(self) -> str:
        return self.path

    def __repr__(self) -> str:
        return f"<DirEntry {self.name!r}>"

    def is_dir(self, *, follow_symlinks: bool = True) -> bool:
        return self._is("DIRECTORY", stat.S_ISDIR, follow_symlinks)

    def is_file(self, *, follow_symlinks: bool = True) -> bool:
        return self._is("REGULAR_FILE", stat.S_ISREG, follow_symlinks)

    def is_symlink(self) -> bool:
        return self._kind == "SYMBOLIC_LINK"

    def is_junction(self) -> bool:
        return False

    def inode(self) -> int:
        return 0

    def stat(self, *, follow_symlinks: bool = True) -> os.stat_result:
        return status(self.path, follow_symlinks=follow_symlinks)

    def _is(self, kind: str, check: Callable[[int], bool], follow: bool) -> bool:
        if not (follow and self.is_symlink()):
            return self._kind == kind
        try:
            return check(self.stat().st_mode)
        except FileNotFoundError:
            return False


class Entries:
    """The entries of a directory, as `os.scandir` returns them."""

    def __init__(self, path: Path | None = None) -> None:
        path = "." if path is None else path
        self._left: list[Entry] = []
        with open_at(path, directory=True) as dir, at(path), dir.read_directory() as entries:
            while (entry := entries.read_directory_entry()) is not None:
                self._left.append(Entry(os.fsdecode(path), entry.name, entry.type.name))
        # The order differs between systems.
        self._left.sort(key=lambda entry: entry.name, reverse=True)

    def __iter__(self) -> Entries:
        return self

    def __next__(self) -> Entry:
        if not self._left:
            raise StopIteration
        return self._left.pop()

    def close(self) -> None:
        self._left.clear()

    def __enter__(self) -> Entries:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def listed(path: Path = ".") -> list[str]:
    """Does the same as `os.listdir`."""
    return [entry.name for entry in Entries(path)]


def made(path: Path, mode: int = 0o777, *, dir_fd: None = None) -> None:
    """Does the same as `os.mkdir`."""
    with at(path) as (dir, below):
        dir.create_directory_at(below)


def emptied(path: Path, *, dir_fd: None = None) -> None:
    """Does the same as `os.rmdir`."""
    with at(path) as (dir, below):
        dir.remove_directory_at(below)


def removed(path: Path, *, dir_fd: None = None) -> None:
    """Does the same as `os.remove`."""
    with at(path) as (dir, below):
        dir.unlink_file_at(below)


def moved(source: Path, to: Path, *, src_dir_fd: None = None, dst_dir_fd: None = None) -> None:
    """Does the same as `os.rename`."""
    with at(to) as (other, place), at(source) as (dir, below):
        dir.rename_at(below, other, place)


def reachable(path: Path, mode: int, **_options: object) -> bool:
    """Does the same as `os.access`, but only checks whether the file exists."""
    try:
        status(path)
    except OSError:
        return False
    return True


def unfollowed(path: Path, *, dir_fd: None = None) -> os.stat_result:
    """Does the same as `os.lstat`. The library treats an OSError as "this is no link", so a path that is in no granted
    directory raises another error. A directory above a granted one is no link: the host follows none."""
    names = _names(os.fsdecode(path))
    directories = [of for _, of in _directories()]
    if names is not None and any(len(names) < len(of) and of[: len(names)] == names for of in directories):
        return os.stat_result((MODES["DIRECTORY"], *[0] * 9))
    if names is None or not any(names[: len(of)] == of for of in directories):
        raise NotImplementedError("a path that is in no directory that is granted may be a link")
    return status(path, follow_symlinks=False)


def looked_at(path: Path, *, dir_fd: None = None, follow_symlinks: bool = True) -> os.stat_result:
    """Does the same as `os.stat`."""
    return status(path) if follow_symlinks else unfollowed(path)


#: The functions that replace those of `posix`.
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "stat": looked_at,
    "lstat": unfollowed,
    "listdir": listed,
    "scandir": Entries,
    "mkdir": made,
    "rmdir": emptied,
    "remove": removed,
    "unlink": removed,
    "rename": moved,
    "replace": moved,
    "access": reachable,
    # Relative paths begin at `/`, as those of the grants do.
    "getcwd": lambda: "/",
    "getcwdb": lambda: b"/",
}
