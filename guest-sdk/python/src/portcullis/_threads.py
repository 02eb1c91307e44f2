"""Locks for a hook's only thread: the runtime's own locks use a clock that a component does not have."""

from __future__ import annotations

import sys
import time
from typing import Any, NoReturn


class Lock:
    """A lock of `threading`. Nothing releases it while the hook's only thread waits for it."""

    __slots__ = ("__weakref__", "_held")

    def __init__(self) -> None:
        self._held = False

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        if timeout != -1 and (timeout < 0 or not blocking):
            raise ValueError("can't specify a timeout for a non-blocking call" if not blocking else "timeout value must be positive")
        if not self._held:
            self._held = True
            return True
        if blocking and timeout == -1:
            raise RuntimeError("the hook waits for what never happens: it has one thread, and another would have to end the wait")
        if blocking:
            time.sleep(timeout)
        return False

    def release(self) -> None:
        if not self._held:
            raise RuntimeError("release unlocked lock")
        self._held = False

    def locked(self) -> bool:
        return self._held

    def _at_fork_reinit(self) -> None:
        self._held = False

    def __enter__(self) -> bool:
        return self.acquire()

    def __exit__(self, *_failure: object) -> None:
        self.release()

    def __repr__(self) -> str:
        return f"<{'locked' if self._held else 'unlocked'} _thread.lock object at {id(self):#x}>"


Lock.__module__, Lock.__qualname__ = "_thread", "lock"


def install() -> None:
    """Replaces the locks before the hook's modules take them, and the functions that start threads."""
    import _thread

    locks: dict[str, Any] = dict.fromkeys(("allocate", "allocate_lock", "lock", "LockType"), Lock)
    starts: dict[str, Any] = dict.fromkeys(("start_joinable_thread", "start_new", "start_new_thread"), _no_thread)
    vars(_thread).update((name, value) for name, value in (locks | starts).items() if name in vars(_thread))
    if "threading" in sys.modules:
        vars(sys.modules["threading"]).update(_allocate_lock=Lock, _LockType=Lock, Lock=Lock, _start_joinable_thread=_no_thread)
    # The C module has locks of its own. Without it, `queue` uses its own Python code.
    sys.modules["_queue"] = None  # type: ignore[assignment]


def _no_thread(*_arguments: object, **_options: object) -> NoReturn:
    raise RuntimeError("can't start new thread: a hook has one thread")
