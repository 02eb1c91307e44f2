"""Asking a person what hooks want to know."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Generator
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from portcullis_host._native import Call, Verdict
from portcullis_host._session import Session
from portcullis_host.views import Question


@dataclass(frozen=True)
class Edit:
    """The person agrees to this value instead."""

    value: str


Decision: TypeAlias = "bool | str | Edit"
"""Yes, no, no for this reason, or another value."""

Approver: TypeAlias = "Callable[[Question], Decision | Awaitable[Decision]]"
"""Puts a hook's question to a person."""

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
    """What hooks decided, after all questions. Without an approver the verdict may be `pending`."""
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
