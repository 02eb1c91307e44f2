"""Runs Portcullis hooks in an agent that is written in Python.

    hooks = Hooks.load("hooks")
    async with hooks.session("session-1") as session:
        verdict = await session.pre_tool_call("shell", {"command": "ls"})
        if verdict.passed:
            run(json.loads(verdict.payload))

`portcullis_host.contract` has the types of the points, `portcullis_host.adapters` the integrations.
"""

from portcullis_host._content import text_of
from portcullis_host._errors import Refused, refusal
from portcullis_host._hooks import Hooks
from portcullis_host._native import (
    Call,
    LoadError,
    NoQuestionError,
    PortcullisError,
    RequestError,
    SessionError,
    StoreError,
    Verdict,
)
from portcullis_host._session import NO_USAGE, Session
from portcullis_host.views import Job, Reload

__all__ = [
    "NO_USAGE",
    "Call",
    "Hooks",
    "Job",
    "LoadError",
    "NoQuestionError",
    "PortcullisError",
    "Refused",
    "Reload",
    "RequestError",
    "Session",
    "SessionError",
    "StoreError",
    "Verdict",
    "refusal",
    "text_of",
]
