"""Asking a person the questions of hooks."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Generator
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from portcullis_host._native import Call, Verdict
from portcullis_host._session import Session
from portcullis_host.views import Question


@dataclass(frozen=True)
class Edit:
    """Approves this value instead."""

    value: str


Decision: TypeAlias = "bool | str | Edit"
"""Approves, denies, denies with a reason, or approves another value."""

Approver: TypeAlias = "Callable[[Question], Decision | Awaitable[Decision]]"
"""Asks a person a hook's question."""

T = TypeVar("T")
Flow: TypeAlias = "Generator[Any, Any, T]"
"""Steps that are run by `_flow.run` or `_flow.run_async`."""


@dataclass(frozen=True)
class Asked:
    """A step: a person is asked."""

    approver: Approver
    question: Question


def decide(
    session: Session, call: Call[Verdict[T]], approver: Approver | None
) -> Flow[Verdict[T]]:
    """Returns the hooks' decision, after all questions. Without an approver the verdict may be `pending`."""
    verdict: Verdict[T] = yield call
    while verdict.kind == "pending" and approver is not None:
        decision: Decision = yield Asked(approver, verdict.questions[0])
        verdict = yield _answer(session, verdict, decision)
    return verdict


def _answer(
    session: Session, verdict: Verdict[Any], decision: Decision
) -> Call[Verdict[Any]]:
    if decision is True:
        return session.approve(verdict)
    if isinstance(decision, Edit):
        return session.edit(verdict, decision.value)
    if decision is False:
        return session.deny(verdict, "The person refused.")
    if isinstance(decision, str):
        return session.deny(verdict, decision)
    raise TypeError(f"an approver gives a `bool`, a `str` or an `Edit`, not {decision!r}")
