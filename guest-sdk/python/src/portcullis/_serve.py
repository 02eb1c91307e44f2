"""What the entry of a component is made of; `portcullis build` writes the entry."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from types import ModuleType
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


def exports() -> dict[str, type]:
    """The classes that the component exports."""
    if not defined:
        raise TypeError("there is no hook: put @hook(…) before a class")
    hook = defined[0]
    classes = {"Describe": _describe(hook)}
    for point, method in hook.points.items():
        name = "".join(word.capitalize() for word in point.split("-"))
        module = import_module(f"wit_world.exports.{method}")
        classes[name] = _point(point, module, getattr(hook.instance, method))
    return classes


def _describe(hook: Hook) -> type:
    card = hook.card

    def named(enum: Any, name: str) -> Any:
        return enum[name.replace("-", "_").upper()]

    class Describe:
        def describe(self) -> Any:
            return describe.Descriptor(
                id=card.id,
                version=card.version,
                kind=card.kind,
                description=card.description,
                role=named(describe.HookRole, card.role),
                points=list(hook.points),
                priority=card.priority,
                failure=card.failure and named(describe.FailurePolicy, card.failure),
                deadline_ms=card.deadline_ms,
                execution=named(describe.ExecutionPolicy, card.execution),
                after=list(card.after),
                contributes=[named(types.ContributionKind, kind) for kind in card.contributes],
            )

    return Describe


def _point(point: str, module: ModuleType, method: Any) -> type:
    outcomes = _outcomes(point, module)

    class Point:
        def handle(self, context: Any, input: Any) -> Any:
            try:
                answered = method(context, input)
                outcome = outcomes.get(type(answered))
                if outcome is None:
                    raise TypeError(f"`{type(answered).__name__}` is no outcome of {point}")
                return outcome(answered)
            except BadConfig as error:
                raise Err(types.HookError_BadConfig(str(error))) from None
            # Whatever it is: `sys.exit` would have the runtime look for a process to end.
            except BaseException as error:
                raise Err(types.HookError_Failed(_failure(error))) from None

    return Point


def _outcomes(point: str, module: Any) -> dict[type, Callable[[Any], Any]]:
    """What makes the point's own outcome of what a method answers, by what it answers."""
    # Where a hook can only look on, the outcomes are an enum.
    go_on = getattr(module, "Outcome_Continue", None)
    going_on = module.Outcome.CONTINUE if go_on is None else go_on()
    made: dict[type, Callable[[Any], Any]] = {
        cls: lambda _: going_on for cls in (Continue, type(None))
    }
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
