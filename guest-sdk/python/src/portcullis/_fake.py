"""Fakes of the component's imports, outside of a component."""

from __future__ import annotations

from enum import Enum
from typing import Any, Protocol


class Host(Protocol):
    """A host that answers the calls of imported functions."""

    def _call(self, interface: str, function: str, arguments: tuple[Any, ...]) -> Any: ...


#: The hosts whose calls are running, the innermost last.
running: list[Host] = []


class Level(Enum):
    """The level of a log line."""

    TRACE = 0
    DEBUG = 1
    INFO = 2
    WARN = 3
    ERROR = 4
    CRITICAL = 5


class Err(Exception):
    """An error of the contract."""

    def __init__(self, value: Any) -> None:
        super().__init__(value)
        self.value = value


class Interface:
    """An imported interface: its functions are those of the host whose call is running."""

    Level = Level

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, function: str) -> Any:
        if function.startswith("__"):
            raise AttributeError(function)

        def call(*arguments: Any) -> Any:
            if not running:
                raise RuntimeError(
                    f"`{self._name}.{function}` has no host here: call the hook through "
                    "`portcullis.testing.Host`, and the host only in methods of the hook"
                )
            return running[-1]._call(self._name, function, arguments)

        return call
