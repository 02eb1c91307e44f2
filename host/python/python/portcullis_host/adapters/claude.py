"""Hooks for the Claude Agent SDK.

    hooks = Hooks.load("hooks")
    options = ClaudeAgentOptions(hooks=claude_hooks(hooks))
    async for message in query(prompt="Hello", options=options):
        ...

The sessions are Claude's own. Events are decided as `portcullis hook --dialect claude` decides them.
"""

from __future__ import annotations

import asyncio
import json
from typing import Any

from claude_agent_sdk import HookContext, HookInput, HookJSONOutput, HookMatcher
from claude_agent_sdk.types import HookEvent

from portcullis_host._hooks import Hooks

EVENTS: tuple[HookEvent, ...] = (
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "UserPromptSubmit",
    "Stop",
    "SubagentStart",
    "SubagentStop",
    "PreCompact",
    "PermissionRequest",
)
"""The events that hooks decide."""


def claude_hooks(
    hooks: Hooks, *, timeout_seconds: float = 120.0
) -> dict[HookEvent, list[HookMatcher]]:
    """The value for `ClaudeAgentOptions.hooks`.

    Events of one agent are decided one after the other. A failure of the host blocks. `timeout_seconds` is
    the time that Claude waits for an event; it should exceed the sum of the hooks' deadlines.
    """
    one = asyncio.Lock()

    async def decide(
        event: HookInput, tool_use_id: str | None, context: HookContext
    ) -> HookJSONOutput:
        async with one:
            text = await hooks._host.claude_event(json.dumps(event))
        answer: Any = json.loads(text)
        if "continue" in answer:
            answer["continue_"] = answer.pop("continue")
        return answer  # type: ignore[no-any-return]

    matcher = HookMatcher(hooks=[decide], timeout=timeout_seconds, on_failure="block")
    return {event: [matcher] for event in EVENTS}
