"""Steps that are the same for synchronous and asynchronous code."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from portcullis_host._ask import Approver, Asked, Flow, decide
from portcullis_host._native import Call, Verdict
from portcullis_host._session import Session

T = TypeVar("T")


@dataclass(frozen=True)
class Run:
    """A step: the operation itself runs, with this value."""

    value: Any


def run(flow: Flow[T], operation: Callable[[Any], Any]) -> T:
    """Runs a flow, blocking the thread."""

    def step(step: Any) -> Any:
        match step:
            case Call():
                return step.wait()
            case Asked(approver, question):
                decision = approver(question)
                if inspect.iscoroutine(decision):
                    decision.close()
                    raise TypeError("the approver is async, and the agent was run without `await`")
                return decision
            case Run(value):
                return operation(value)

    send: Callable[[], Any] = lambda: flow.send(None)
    while True:
        try:
            wanted = send()
        except StopIteration as end:
            result: T = end.value
            return result
        try:
            value = step(wanted)
        except BaseException as error:
            failed = error
            send = lambda: flow.throw(failed)
        else:
            send = lambda: flow.send(value)


async def run_async(flow: Flow[T], operation: Callable[[Any], Awaitable[Any]]) -> T:
    """Runs a flow asynchronously."""

    async def step(step: Any) -> Any:
        match step:
            case Call():
                return await step
            case Asked(approver, question):
                decision = approver(question)
                return await decision if inspect.isawaitable(decision) else decision
            case Run(value):
                return await operation(value)

    send: Callable[[], Any] = lambda: flow.send(None)
    while True:
        try:
            wanted = send()
        except StopIteration as end:
            result: T = end.value
            return result
        try:
            value = await step(wanted)
        except BaseException as error:
            failed = error
            send = lambda: flow.throw(failed)
        else:
            send = lambda: flow.send(value)


async def decided(
    session: Session, call: Call[Verdict[T]], approver: Approver | None
) -> Verdict[T]:
    """Returns the hooks' decision, after all questions."""

    async def nothing(value: Any) -> Any:
        raise NotImplementedError

    return await run_async(decide(session, call, approver), nothing)
