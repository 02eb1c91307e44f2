"""The hooks of a directory."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from portcullis_host._native import Call, Host
from portcullis_host._session import Session
from portcullis_host.views import Job, Reload, SessionView


class Hooks:
    """The hooks of a directory, loaded once for all sessions. Thread-safe."""

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
        drain_seconds: float = 10.0,
        max_sessions: int = 1024,
        watch: bool = False,
        on_job: Callable[[Job], object] | None = None,
    ) -> Hooks:
        """Loads the hooks of a directory. Blocks: a component that is new takes from 50 ms to some seconds.

        `store` keeps the hooks' state and the journal: `sqlite:PATH` or `postgres://…`. Default: none, so
        that the state is lost when the process ends. `scope` names the state that hooks share; default:
        the path of the directory. `journal` is whether the store records runs. `cache` is the directory of
        compiled hooks; default: the user's. `compile_in_child` compiles in child processes of the
        interpreter, which are killed at a limit. A session that is not used for `idle_seconds` is closed,
        and so is the oldest of more than `max_sessions`. A session that is closed waits up to
        `drain_seconds` for its detached runs. `watch` loads the hooks again when the directory changes.
        `on_job` is called with each background job that a hook queues, on the thread that runs the hook:
        it should put the job into the program's own queue. An exception that it raises is reported as
        unraisable. Without `on_job`, jobs are dropped with a warning.

        Log lines of a hook go to the logger `portcullis_host.hooks.ID`; the level `TRACE` is 5. Events of
        hooks are logged there as debug messages.

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
            drain_seconds=drain_seconds,
            max_sessions=max_sessions,
            watch=watch,
            on_job=_handed(on_job),
        )
        return cls(host)

    @property
    def ids(self) -> list[str]:
        """The ids of the hooks."""
        return self._host.ids

    @property
    def open_sessions(self) -> int:
        """The number of open sessions."""
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
        trace: Mapping[str, str] | None = None,
    ) -> Session:
        """A session, for `with` or `async with`: its hooks run at both ends.

        Hooks may read `agent`, `provider`, `model` and `info`. `working_dir` is the directory that its tools work
        in; default: the current directory. `trace` is the trace that its calls are part of: see `Session`.
        """
        return Session(
            self._host,
            id,
            agent=agent,
            provider=provider,
            model=model,
            working_dir=os.path.abspath(working_dir or os.getcwd()),
            info=info,
            trace=trace,
        )

    def reload(self) -> Call[Reload]:
        """Loads the hooks again if anything in the directory has changed. Sessions use the new hooks from their
        next call. A hook whose file does not load stays as it is."""
        return self._host.reload()

    def close(self, within_seconds: float = 5.0) -> Call[int]:
        """Closes all sessions and saves unsaved data. Returns the number of background runs that have not ended."""
        return self._host.close(within_seconds)


def _handed(
    on_job: Callable[[Job], object] | None,
) -> Callable[[str, str, str, str], object] | None:
    if on_job is None:
        return None
    take = on_job
    return lambda session, hook, name, input: take(Job(session, hook, name, input))
