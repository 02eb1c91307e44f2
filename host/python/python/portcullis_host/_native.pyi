"""The native module."""

from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any, Generic, Literal, Mapping, TypeVar

from portcullis_host.views import Contributions, Question, Reload, Run

T = TypeVar("T", covariant=True)

class PortcullisError(Exception):
    """The hooks decided nothing. An agent that guards something must then not proceed."""

class LoadError(PortcullisError):
    """The hooks do not load. The message names each file, its fault and the fix."""

class RequestError(PortcullisError):
    """The call is wrong: there is no such point, or the input, a view or the session's id does not fit."""

class NoQuestionError(PortcullisError):
    """No question waits for this answer. It was answered, or was left for too long."""

class SessionError(PortcullisError):
    """The session cannot be opened: another process has it, or too many are open."""

class StoreError(PortcullisError):
    """The store cannot be opened, read or written."""

class Verdict(Generic[T]):
    """The hooks' decision about a call."""

    @property
    def kind(
        self,
    ) -> Literal["continue", "transform", "reject", "answer", "stop", "pending", "failed"]:
        """The kind of the decision."""
    @property
    def passed(self) -> bool:
        """Whether the operation proceeds, with the payload."""
    @property
    def by(self) -> list[str]:
        """The hooks that decided."""
    @property
    def payload(self) -> T:
        """The data that hooks may change at the point, as they left it."""
    @property
    def code(self) -> str | None:
        """A short, stable code: of the refusal, of the cause of a failure, or of the kind of a stop."""
    @property
    def reason(self) -> str | None:
        """The reason why the operation does not proceed. Characters that control a terminal are replaced."""
    @property
    def details(self) -> str | None:
        """Details of a refusal or a question, for a person who investigates it."""
    @property
    def answer(self) -> Any:
        """The result that a hook gave in place of the operation, if the kind is `answer`."""
    @property
    def question_id(self) -> int | None:
        """The id for answering the question, if the kind is `pending`."""
    @property
    def questions(self) -> list[Question]:
        """The questions to a person, if the kind is `pending`."""
    @property
    def contributions(self) -> Contributions:
        """The hooks' contributions."""
    @property
    def runs(self) -> list[Run]:
        """Every hook of the chain, in the order they ran."""

class Call(Generic[T]):
    """A call that begins when it is awaited, or when its `wait` is called. Use it once."""

    def wait(self) -> T:
        """Runs the call and blocks until it has ended. Other Python threads run meanwhile."""
    def __await__(self) -> Generator[Any, None, T]: ...

class Host:
    @staticmethod
    def load(
        path: Path,
        *,
        store: str | None,
        scope: str | None,
        journal: bool,
        cache: Path | None,
        worker: Path | None,
        idle_seconds: float,
        drain_seconds: float,
        max_sessions: int,
        watch: bool,
        on_job: Callable[[str, str, str, str], object] | None,
    ) -> Host: ...
    @property
    def ids(self) -> list[str]: ...
    @property
    def open_sessions(self) -> int: ...
    def call(
        self,
        point: str,
        session: str,
        agent: str,
        turn: int,
        step: int,
        input: Mapping[str, Any],
        views: Mapping[str, Any],
        trace: dict[str, str] | None,
    ) -> Call[Verdict[Any]]: ...
    def answer(self, session: str, id: int, decision: Any) -> Call[Verdict[Any]]: ...
    def claude_event(self, event: str) -> Call[str]: ...
    def reload(self) -> Call[Reload]: ...
    def close_session(self, session: str) -> Call[None]: ...
    def close(self, within_seconds: float) -> Call[int]: ...

def compile_worker() -> int: ...
