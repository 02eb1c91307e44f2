"""The refusal of hooks as an exception."""

from __future__ import annotations

from typing import Any

from portcullis_host._native import PortcullisError, Verdict


def refusal(what: str, verdict: Verdict[Any]) -> str:
    """Returns the reason why an operation does not proceed, as a text for the model or a person."""
    hook = ", ".join(f"`{id}`" for id in verdict.by)
    match verdict.kind:
        case "reject":
            return f"[{what}: hook {hook} refused. Its reason ({verdict.code}): {verdict.reason}]"
        case "pending":
            return f"[{what}: hook {hook} asks a person, and nobody has answered: {verdict.reason}]"
        case "stop":
            return f"[{what}: hook {hook} ends the turn: {verdict.reason}]"
        case "answer":
            return f"[{what}: hook {hook} answered in its place]"
        case "failed":
            return f"[{what}: hook {hook} failed ({verdict.code}): {verdict.reason}]"
        case _:
            return f"[{what}]"


class Refused(PortcullisError):
    """Hooks refused, or a hook that must not fail has failed."""

    def __init__(self, what: str, verdict: Verdict[Any]) -> None:
        super().__init__(refusal(what, verdict))
        self.verdict = verdict
