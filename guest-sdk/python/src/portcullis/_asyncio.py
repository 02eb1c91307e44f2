"""An event loop for `asyncio` that waits only for times: a component has no sockets."""

from __future__ import annotations

import asyncio
import selectors
import time
from typing import Any

from portcullis import _system


class Times(selectors.DefaultSelector):
    """A selector that nothing can be registered with. It waits until the timeout."""

    def register(self, fileobj: Any, events: Any, data: Any = None) -> Any:
        raise OSError("a hook has no sockets, pipes or processes to wait for")

    def select(self, timeout: float | None = None) -> list[Any]:
        if timeout is None:
            raise RuntimeError("the hook waits for what never happens: nothing that it awaits is left to run")
        if timeout > 0:
            time.sleep(timeout)
        return []


def install() -> None:
    """Makes the loops that are created from an instance's first call on wait for times."""
    base: Any = asyncio.SelectorEventLoop.__mro__[1]
    made = base.__init__

    def __init__(self: Any, selector: Any = None) -> None:
        made(self, Times() if _system.running else selector)

    base.__init__ = __init__
    # Another thread wakes a loop by a pipe to itself, and there are no other threads.
    for name in ("_make_self_pipe", "_close_self_pipe", "_write_to_self"):
        setattr(base, name, _unless_running(getattr(base, name)))


def _unless_running(own: Any) -> Any:
    return lambda self: None if _system.running else own(self)
