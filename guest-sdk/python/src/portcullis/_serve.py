"""What the entry of a component is made of; `portcullis build` writes the entry."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from componentize_py_types import Err
from wit_world.exports import describe
from wit_world.imports import types

from portcullis._hook import Hook, defined
from portcullis.errors import BadConfig
from portcullis.outcomes import (
    Answer,
    Ask,
    Continue,
    Contribute,
    KeepGoing,
    Reject,
    Replace,
    Stop,
    Transform,
)

#: The case of a contribution by the record in it.
CONTRIBUTIONS = {
    "DomainPolicy": "Policy",
    "ContextItem": "Context",
    "PromptSection": "Section",
    "ToolBundle": "Tools",
    "AuditNote": "Note",
    "BackgroundJob": "Job",
}


#: What a method answers that goes on.
GOING_ON = frozenset((Continue, type(None)))


def hook() -> Hook:
    """The component's hook."""
    if not defined:
        raise TypeError("there is no hook: put @hook(…) before a class")
    return defined[0]


class Describe:
    """The component's export of this name."""

    def describe(self) -> Any:
        """The hook's card in the contract's form."""
        card = hook().card

        def named(enum: Any, name: str) -> Any:
            return enum[name.replace("-", "_").upper()]

        return describe.Descriptor(
            id=card.id,
            version=card.version,
            kind=card.kind,
            description=card.description,
            role=named(describe.HookRole, card.role),
            points=list(hook().points),
            priority=card.priority,
            failure=card.failure and named(describe.FailurePolicy, card.failure),
            deadline_ms=card.deadline_ms,
            execution=named(describe.ExecutionPolicy, card.execution),
            after=list(card.after),
            contributes=[named(types.ContributionKind, kind) for kind in card.contributes],
        )


class session:
    """What stays as it is while the component runs."""

    session_id = ""
    agent = ""


class FlatSession:
    """The component's export of this name."""

    def begin(self, session_id: str, agent: str) -> None:
        """Keeps what stays as it is."""
        session.session_id, session.agent = session_id, agent


class serve:
    """What becomes of a point's calls, other than that they go on."""

    def __init__(self, point: str) -> None:
        self.point = point
        name = hook().points[point]
        self.method = getattr(hook().instance, name)
        self.outcomes = _outcomes(point, import_module(f"wit_world.exports.{name}"))
        self.value: Any = None
        self.error: BaseException | None = None

    def answered(self, value: Any) -> bool:
        """The method has answered something."""
        self.value, self.error = value, None
        return True

    def failed(self, error: BaseException) -> bool:
        """The method has raised something, whatever it is: `sys.exit` would have the runtime look
        for a process to end."""
        self.value, self.error = None, error
        return True

    def answer(self) -> Any:
        """What the component says when it is asked."""
        value, error = self.value, self.error
        self.value = self.error = None
        try:
            if error is None:
                return self._outcome(value)
        except BaseException as raised:
            error = raised
        if isinstance(error, BadConfig):
            raise Err(types.HookError_BadConfig(str(error)))
        raise Err(types.HookError_Failed(_failure(error)))

    def _outcome(self, value: Any) -> Any:
        made = self.outcomes.get(type(value))
        if made is None:
            raise TypeError(f"`{type(value).__name__}` is no outcome of {self.point}")
        return made(value)


def _outcomes(point: str, module: Any) -> dict[type, Callable[[Any], Any]]:
    """What makes the point's own outcome of what a method answers, by what it answers."""
    made: dict[type, Callable[[Any], Any]] = {}
    for cls in (Transform, Reject, Replace, Answer, Ask, Stop, KeepGoing):
        case = getattr(module, f"Outcome_{cls.__name__}", None)
        if case is not None:
            made[cls] = lambda answered, case=case: case(answered.value)
    contribute = getattr(module, "Outcome_Contribute", None)
    if contribute is not None:
        made[Contribute] = lambda answered: contribute(
            [_contribution(point, module, item) for item in answered.value]
        )
    return made


def _contribution(point: str, module: Any, item: Any) -> Any:
    name = CONTRIBUTIONS.get(type(item).__name__, "")
    case = getattr(module, f"Contribution_{name}", None)
    if case is None:
        raise TypeError(f"`{type(item).__name__}` cannot be contributed at {point}")
    return case(item)


def _failure(error: BaseException) -> str:
    """What was raised, and where. The module `traceback` would look for files, which are not there."""
    at, frame = "", error.__traceback__
    while frame is not None:
        code = frame.tb_frame.f_code
        at = f" ({code.co_filename.rsplit('/', 1)[-1]}:{frame.tb_lineno})"
        frame = frame.tb_next
    return f"{type(error).__name__}: {error}{at}"
