"""The hooks of a directory."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from portcullis_host._native import Call, Host
from portcullis_host._session import Session
from portcullis_host.views import SessionView


class Hooks:
    """The hooks of a directory, loaded once for all sessions. It may be used from any thread."""

    def __init__(self, host: Host) -> None:
        self._host = host

    @classmethod
    def load(
        cls,
        path: str | os.PathLike[str],
        *,
        store: str | None = None,
        scope: str | None = None,
        journal: bool = True,
        cache: str | os.PathLike[str] | None = None,
        compile_in_child: bool = True,
        idle_seconds: float = 1800.0,
        max_sessions: int = 1024,
    ) -> Hooks:
        """Loads the hooks of a directory. Blocks: a component that is new takes from 50 ms to some seconds.

        `store` keeps what hooks remember, and the journal: `sqlite:PATH` or `postgres://…`. Default: none,
        so that what they remember is gone with the process. `scope` names the state that hooks share;
        default: the path of the directory. `journal` says whether the store records runs. `cache` is the
        directory of compiled hooks; default: the user's. `compile_in_child` compiles in child processes of
        the interpreter, which are killed at a limit. A session that is not used for `idle_seconds` is
        closed, and so is the oldest of more than `max_sessions`.

        Raises `LoadError` unless every hook loads, and `StoreError`.
        """
        worker = Path(sys.executable) if compile_in_child and sys.executable else None
        host = Host.load(
            Path(path),
            store=store,
            scope=scope,
            journal=journal,
            cache=Path(cache) if cache is not None else None,
            worker=worker,
            idle_seconds=idle_seconds,
            max_sessions=max_sessions,
        )
        return cls(host)

    @property
    def ids(self) -> list[str]:
        """The ids of the hooks."""
        return self._host.ids

    @property
    def open_sessions(self) -> int:
        """How many sessions are open."""
        return self._host.open_sessions

    def session(
        self,
        id: str,
        *,
        agent: str = "python",
        provider: str = "",
        model: str = "",
        working_dir: str | os.PathLike[str] | None = None,
        info: SessionView | None = None,
    ) -> Session:
        """A session, for `with` or `async with`: its hooks run at both ends.

        `agent`, `provider`, `model` and `info` are what hooks may read about it. `working_dir` is where its tools
        work; default: the current directory.
        """
        return Session(
            self._host,
            id,
            agent=agent,
            provider=provider,
            model=model,
            working_dir=os.path.abspath(working_dir or os.getcwd()),
            info=info,
        )

    def close(self, within_seconds: float = 5.0) -> Call[int]:
        """Closes all sessions and saves what is not saved yet. Gives how many background runs have not ended."""
        return self._host.close(within_seconds)
