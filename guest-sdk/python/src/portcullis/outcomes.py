"""Outcomes, the results of handlers. The types say which outcomes are legal at a point.

The build reads which of these functions a hook uses, and the component imports only those: a hook
that does not use `reject` can provably not refuse anything.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TypeVar

from portcullis._changes import answer, replace, transform
from portcullis._outcome import (
    PROCEED,
    AddContext,
    AddJob,
    AddNote,
    AddPolicy,
    AddSection,
    AddTools,
    Ask,
    Contribute,
    GiveUp,
    KeepGoing,
    Outcome,
    Proceed,
    Reject,
    Retry,
    Stop,
    SwitchProvider,
)
from portcullis.contract import (
    ContentPart,
    ContentPart_Text,
    Message,
    PromptSection,
    Role,
    StopKind,
    StopKind_Other,
    ToolBundle,
)

A = TypeVar("A", bound=Outcome)


def proceed() -> Proceed:
    """Continues. A handler that returns nothing does the same."""
    return PROCEED


def reject(code: str, reason: str, details: object = None) -> Reject:
    """Refuses. `code` is short and stable, for programs. `reason` is for the person or the model that
    is refused. `details` are written as JSON."""
    return Reject((code, reason, None if details is None else json.dumps(details)))


def ask(question: str, details: str | None = None) -> Ask:
    """Asks a person to decide."""
    return Ask((question, details))


def stop(kind: str | StopKind, message: str) -> Stop:
    """Ends the turn without an error. `kind` is a short, stable code, or one of the contract's kinds."""
    return Stop((StopKind_Other(kind) if isinstance(kind, str) else kind, message))


def keep_going(message: str) -> KeepGoing:
    """Continues the turn and gives the model this message. Later hooks are skipped."""
    return KeepGoing((message,))


def retry(after_ms: int) -> Retry:
    """Calls the same provider again after `after_ms` milliseconds. Later hooks are skipped."""
    return Retry((after_ms,))


def switch_provider(provider: str, model: str | None = None) -> SwitchProvider:
    """Calls another provider, with its default model if none is given. Later hooks are skipped."""
    return SwitchProvider((provider, model))


def give_up() -> GiveUp:
    """Fails the step. Later hooks are skipped."""
    return GiveUp()


def contribute(*additions: A) -> Contribute[A]:
    """Continues, and adds these: the results of the functions `add_…`. One addition may be returned as it
    is. The operator grants each kind."""
    return Contribute(additions)


def add_policy(domain: str, rules: dict[str, object]) -> AddPolicy:
    """Adds the policy of one domain. `rules` are written as JSON."""
    return AddPolicy((domain, json.dumps(rules)))


def add_context(kind: str, text: str, data: object = None) -> AddContext:
    """Adds an item of context for the hooks that write the prompt. `data` is written as JSON."""
    return AddContext((kind, text, None if data is None else json.dumps(data)))


def add_section(section: PromptSection) -> AddSection:
    """Adds a section to the prompt."""
    return AddSection((section,))


def add_tools(bundle: ToolBundle) -> AddTools:
    """Offers the model these tools."""
    return AddTools((bundle,))


def add_note(code: str, data: object = None) -> AddNote:
    """Adds an audit note. `data` is written as JSON and must be safe to show."""
    return AddNote((code, json.dumps(data)))


def add_job(name: str, input: object = None) -> AddJob:
    """Queues a background job for the host's handler `name`. `input` is written as JSON."""
    return AddJob((name, json.dumps(input)))


def text(said: str) -> ContentPart:
    """Returns a text part."""
    return ContentPart_Text(said)


def text_of(parts: Iterable[ContentPart]) -> str:
    """Returns the text of these parts, joined."""
    return "".join(part.value for part in parts if isinstance(part, ContentPart_Text))


def message(role: Role, said: str) -> Message:
    """Returns a message of one text."""
    return Message(role, [text(said)])


__all__ = [
    "add_context",
    "add_job",
    "add_note",
    "add_policy",
    "add_section",
    "add_tools",
    "answer",
    "ask",
    "contribute",
    "give_up",
    "keep_going",
    "message",
    "proceed",
    "reject",
    "replace",
    "retry",
    "stop",
    "switch_provider",
    "text",
    "text_of",
    "transform",
]
