"""The callbacks, called as by the Claude Agent SDK."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from claude_agent_sdk import ClaudeAgentOptions, HookContext, HookMatcher
from conftest import Load

from portcullis_host import Hooks, PortcullisError
from portcullis_host.adapters.claude import EVENTS, claude_hooks

COMMON = {"session_id": "s", "transcript_path": "/dev/null", "cwd": "/"}
TOOL = {**COMMON, "tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "1"}


async def answer(hooks: Hooks, event: dict[str, Any]) -> Any:
    options = ClaudeAgentOptions(hooks=claude_hooks(hooks))
    assert options.hooks is not None
    matcher: HookMatcher = options.hooks[event["hook_event_name"]][0]
    # A callback that fails must not let the event pass.
    assert matcher.on_failure == "block" and matcher.matcher is None
    context: HookContext = {"signal": None}
    return await matcher.hooks[0](event, event.get("tool_use_id"), context)  # type: ignore[arg-type]


async def test_a_hook_changes_the_arguments(load: Load) -> None:
    hooks = load(pre_tool_call='transform {"command":"id"}')
    given = await answer(hooks, {**TOOL, "hook_event_name": "PreToolUse"})
    specific = given["hookSpecificOutput"]
    assert specific["updatedInput"] == {"command": "id"}
    assert specific["hookEventName"] == "PreToolUse"


@pytest.mark.parametrize(("action", "reason"), [("reject", "told to refuse"), ("panic", "trap")])
async def test_a_refused_tool_is_denied(load: Load, action: str, reason: str) -> None:
    given = await answer(load(pre_tool_call=action), {**TOOL, "hook_event_name": "PreToolUse"})
    specific = given["hookSpecificOutput"]
    assert specific["permissionDecision"] == "deny"
    assert reason in specific["permissionDecisionReason"]


async def test_a_question_is_claudes(load: Load) -> None:
    given = await answer(load(pre_tool_call="ask"), {**TOOL, "hook_event_name": "PreToolUse"})
    assert given["hookSpecificOutput"]["permissionDecision"] == "ask"


async def test_a_prompt_is_refused(load: Load) -> None:
    event = {**COMMON, "hook_event_name": "UserPromptSubmit", "prompt": "Hello"}
    given = await answer(load(pre_turn="reject"), event)
    assert given["decision"] == "block" and "told to refuse" in given["reason"]


async def test_a_changed_output_replaces_claudes(load: Load) -> None:
    event = {**TOOL, "hook_event_name": "PostToolUse", "tool_response": {"stdout": "a", "stderr": ""}}
    given = await answer(load(post_tool_call="transform b"), event)
    assert given["hookSpecificOutput"]["updatedToolOutput"]["stdout"] == "b"


async def test_what_hooks_do_not_answer_is_empty(load: Load) -> None:
    hooks = load()
    given = await answer(hooks, {**TOOL, "hook_event_name": "PreToolUse"})
    assert "permissionDecision" not in given.get("hookSpecificOutput", {})
    assert set(claude_hooks(hooks)) == set(EVENTS)


async def test_an_event_that_cannot_be_read_fails(load: Load) -> None:
    with pytest.raises(PortcullisError):
        await answer(load(), {"hook_event_name": "PreToolUse"})


async def test_the_output_of_an_event_that_cannot_be_read_is_withheld(load: Load) -> None:
    # An event without a session's id cannot be read.
    given = await answer(load(), {"hook_event_name": "PostToolUse", "tool_response": "x"})
    assert given["continue_"] is False and "session_id" in given["stopReason"]


async def test_events_are_decided_one_after_the_other() -> None:
    class Host:
        """Decides nothing, and counts the events in progress."""

        now = most = 0

        async def claude_event(self, event: str) -> str:
            self.now += 1
            self.most = max(self.most, self.now)
            await asyncio.sleep(0)
            self.now -= 1
            return "{}"

    class Given:
        _host = Host()

    matcher = claude_hooks(Given())["PreToolUse"][0]  # type: ignore[arg-type]
    context: HookContext = {"signal": None}
    event: Any = {**TOOL, "hook_event_name": "PreToolUse"}
    await asyncio.gather(*(matcher.hooks[0](event, "1", context) for _ in range(3)))
    assert Given._host.most == 1
