"""The calls of hooks around a turn and around a tool, for all integrations."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from portcullis_host._ask import Approver, Flow, decide
from portcullis_host._content import content_parts, text_of
from portcullis_host._errors import refusal
from portcullis_host._flow import Run
from portcullis_host._session import Session
from portcullis_host.contract import ContentPart


@dataclass(frozen=True)
class Begun:
    """The beginning of a turn: its content, or the text with which the turn has ended already."""

    content: list[ContentPart]
    ended: str | None = None


def begin_turn(
    session: Session, approver: Approver | None, content: str | list[ContentPart]
) -> Flow[Begun]:
    """Calls `pre-turn`."""
    verdict = yield from decide(session, session.pre_turn(content), approver)
    if verdict.kind == "answer":
        return Begun([], text_of(verdict.answer))
    if not verdict.passed:
        return Begun([], refusal("The turn was not started", verdict))
    return Begun(verdict.payload if verdict.kind == "transform" else content_parts(content))


def end_turn(session: Session, approver: Approver | None, text: str) -> Flow[str]:
    """Calls `post-turn`, and returns the text as hooks left it."""
    verdict = yield from decide(session, session.post_turn(text), approver)
    if not verdict.passed:
        return refusal("The answer was withheld", verdict)
    return text_of(verdict.payload) if verdict.kind == "transform" else text


@dataclass(frozen=True)
class Ended:
    """The end of a tool call: the tool's result, or this text in its place."""

    result: Any = None
    text: str | None = None
    is_error: bool = False


def call_tool(
    session: Session,
    approver: Approver | None,
    name: str,
    arguments: Mapping[str, Any] | str,
    call_id: str,
    written: Callable[[Any], tuple[str, bool]],
    signals: tuple[type[Exception], ...] = (),
) -> Flow[Ended]:
    """Calls `pre-tool-call`, runs the tool with the arguments that hooks left, and calls `post-tool-call`, also
    for a hook's answer in place of the tool.

    `written` converts a result to text, and returns whether it is an error. `signals` are exceptions that
    are not errors of the tool, such as an interruption.
    """
    before = session.pre_tool_call(name, arguments, call_id=call_id)
    verdict = yield from decide(session, before, approver)
    changed = verdict.payload
    ended, error = Ended(), None
    if verdict.kind == "answer":
        text, is_error = verdict.answer["content"], verdict.answer["is_error"]
        ended = Ended(text=text, is_error=is_error)
    elif verdict.passed:
        try:
            result = yield Run(json.loads(changed))
            text, is_error = written(result)
            ended = Ended(result=result, is_error=is_error)
        except signals:
            raise
        except Exception as raised:
            text, is_error, error = str(raised), True, raised
    else:
        return Ended(text=refusal("The tool was not run", verdict), is_error=True)
    after = session.post_tool_call(name, changed, text, call_id=call_id, is_error=is_error)
    left = yield from decide(session, after, approver)
    if not left.passed:
        return Ended(text=refusal("The tool's output was withheld", left), is_error=True)
    if left.kind == "transform":
        return Ended(text=left.payload["content"], is_error=left.payload["is_error"])
    if error is not None:
        raise error
    return ended
