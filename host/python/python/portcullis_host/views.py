"""The data that hooks may see of a call, and the types of a verdict's parts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NotRequired, TypedDict

from portcullis_host.contract import ContentPart, Message, ToolSpec


class ToolData(TypedDict):
    """A tool call's arguments and, after it, its output."""

    input: str
    """The text of a JSON object."""
    output: NotRequired[str | None]


class SessionView(TypedDict, total=False):
    """The owner of the session."""

    user: str | None
    working_dir: str | None
    parent: str | None
    metadata: list[tuple[str, str]]


class AgentState(TypedDict):
    """The agent's state, under its own keys."""

    values: dict[str, Any]
    diff: dict[str, Any]


class Views(TypedDict, total=False):
    """The data that hooks may see, if the operator grants it. A view that is left out is empty."""

    content: list[ContentPart]
    conversation: list[Message]
    tool_data: ToolData
    tool_catalog: list[ToolSpec]
    prompt: dict[str, Any]
    agent_state: AgentState
    session: SessionView


class ToolOutput(TypedDict):
    """A tool's output."""

    content: str
    is_error: bool


class Question(TypedDict):
    """A hook's question to a person. Its texts come from the hook: escape them before they are shown."""

    by: str
    question: str
    details: str | None


class Contributions(TypedDict):
    """The hooks' contributions to the turn."""

    prompt: dict[str, Any] | None
    side_outputs: list[dict[str, Any]]


class Run(TypedDict):
    """One hook's run."""

    hook: str
    status: str
    """`completed`, `failed`, `not-applied`, `skipped` or `backgrounded`."""
    outcome: NotRequired[str]
    cause: NotRequired[str]
    message: NotRequired[str]
    refused: NotRequired[bool]
    audit: bool
    changed: bool
    latency_us: int
    fuel: int | None


@dataclass(frozen=True)
class Job:
    """A background job that a hook queued."""

    session: str
    hook: str
    name: str
    """The handler that the hook asks for."""
    input: str
    """The input: JSON as text. It comes from the hook: check it."""


class Reload(TypedDict):
    """The result of loading the hooks again."""

    changed: list[str]
    """The hooks that are changed, new or removed."""
    kept: list[str]
    """The hooks that stay as they are, since their files do not load."""
    errors: list[str]
    """The load errors: file, cause and fix."""
