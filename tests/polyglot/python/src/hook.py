"""The probe of tests/guests/probe in Python: it does as its configuration says."""

import json
import re
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

from portcullis import (
    Answer,
    Continue,
    KeepGoing,
    Replace,
    Transform,
    agent_state,
    ask,
    config,
    content,
    contribute,
    conversation,
    events,
    hook,
    log,
    prompt,
    reject,
    session,
    state,
    stop,
    tool_catalog,
    tool_data,
    verdict,
)
from portcullis.contract import (
    AuditNote,
    BackgroundJob,
    BundledTool,
    ContextItem,
    DomainPolicy,
    PromptSection,
    ToolBundle,
    ToolRoute_Hook,
    ToolSpec,
)
from probe_values import value


class Told(Exception):
    """The failure that the probe was told to report."""


class _Counter:
    calls = 0


def act(
    point: str, context: Any, input: Any, now: Callable[[], str | None] = lambda: ""
) -> Any:
    """What a point does. `now` is the text in hand there."""
    does, _, rest = config.table().get(point, "continue").partition(" ")

    def changed(said: str) -> Transform[Any]:
        return Transform(value(point, "transform", said, input))

    match does:
        case "continue":
            return Continue()
        case "reject":
            return reject("probe", "the probe was told to refuse")
        case "transform":
            return changed(rest)
        case "append":
            return changed((now() or "") + rest)
        case "replace":
            return Replace(value(point, "replace", rest, input))
        case "answer":
            return Answer(value(point, "answer", rest, input))
        case "ask":
            return ask("May it?")
        case "stop":
            return stop(rest, "the probe was told to stop")
        case "keep-going":
            return KeepGoing(rest)
        case "contribute":
            return contribute(*map(gift, rest.split("; ")))
        case "fail":
            raise Told(rest)
        case "throw":
            return None.nothing  # type: ignore[attr-defined]
        case "spin":
            while True:
                pass
        case "hoard":
            all = []
            while True:
                all.append(bytearray(b"1" * (1 << 20)))
        case "panic":
            # There are no files: what reaches for one traps.
            open("told-to")
        case "lines":
            for line in range(1, int(rest) + 1):
                log.info(f"line {line}")
        case "emit":
            for _ in range(int(rest)):
                events.emit("event", "0123456789")
        case "count":
            _Counter.calls += 1
            return changed(str(_Counter.calls))
        case "remember":
            return changed(str(state.increment("calls", 1)))
        case "remember-and-panic":
            state.increment("calls", 1)
            open("told-to")
        case "remember-and-fail":
            state.increment("calls", 1)
            raise Told("told to")
        case "tell":
            raise Told(json.dumps(form({"context": context, "input": input})))
        case "look":
            return changed(look())
        case _:
            raise ValueError(f"no deed `{does}`")
    return None


def gift(said: str) -> Any:
    """`KIND NAME TEXT` as a contribution."""
    kind, name, *words = said.split(" ")
    rest = " ".join(words)
    match kind:
        case "policy":
            return DomainPolicy(name, rest)
        case "context":
            return ContextItem(name, rest, None)
        case "section":
            return PromptSection(name, None, rest, 0, None, False)
        case "tool":
            spec = ToolSpec(name, "A tool of the probe's.", '{"type":"object"}')
            return ToolBundle("probe-tools", [BundledTool(spec, ToolRoute_Hook())])
        case "note":
            return AuditNote(name, "true")
        case _:
            return BackgroundJob(name, "{}")


def form(value: Any) -> Any:
    """A value in the contract's JSON form."""
    if isinstance(value, Enum):
        return value.name.lower().replace("_", "-")
    if isinstance(value, list):
        return [form(one) for one in value]
    if isinstance(value, dict):
        return {name: form(field) for name, field in value.items()}
    if not is_dataclass(value):
        return value
    named = {field.name: getattr(value, field.name) for field in fields(value)}
    _, variant, case = type(value).__name__.partition("_")
    if not variant:
        return {name.replace("_", "-"): form(field) for name, field in named.items()}
    tag = re.sub("(?<=.)[A-Z]", lambda letter: f"-{letter[0]}", case).lower()
    return {tag: form(named["value"])} if named else tag


def look() -> str:
    """What the views show of the call."""
    last = conversation.last()
    seen = [
        content.text(),
        conversation.length(),
        last and last.role.name.lower(),
        tool_data.input(),
        tool_data.output(),
        tool_catalog.names(),
        session.user(),
        len(prompt.policies()),
        agent_state.get("mood"),
        verdict.current() is None,
    ]
    return json.dumps(seen, separators=(",", ":"))


@hook(
    id="probe",
    description="Does as its configuration says.",
    kind="test",
    role="transform",
    contributes=["policy", "context", "section", "tools", "note", "job"],
)
class Probe:
    def session_start(self, context: Any, input: Any) -> Any:
        return act("session-start", context, input)

    def session_end(self, context: Any, input: Any) -> Any:
        return act("session-end", context, input)

    def pre_turn(self, context: Any, input: Any) -> Any:
        return act("pre-turn", context, input, content.text)

    def post_turn(self, context: Any, input: Any) -> Any:
        return act("post-turn", context, input, content.text)

    def turn_error(self, context: Any, input: Any) -> Any:
        return act("turn-error", context, input)

    def turn_suspended(self, context: Any, input: Any) -> Any:
        return act("turn-suspended", context, input)

    def turn_resumed(self, context: Any, input: Any) -> Any:
        return act("turn-resumed", context, input)

    def prompt_policy(self, context: Any, input: Any) -> Any:
        return act("prompt-policy", context, input)

    def prompt_context(self, context: Any, input: Any) -> Any:
        return act("prompt-context", context, input)

    def prompt_recall(self, context: Any, input: Any) -> Any:
        return act("prompt-recall", context, input)

    def prompt_tools(self, context: Any, input: Any) -> Any:
        return act("prompt-tools", context, input)

    def prompt_compile(self, context: Any, input: Any) -> Any:
        return act("prompt-compile", context, input)

    def pre_step(self, context: Any, input: Any) -> Any:
        return act("pre-step", context, input)

    def post_step(self, context: Any, input: Any) -> Any:
        return act("post-step", context, input)

    def pre_llm_call(self, context: Any, input: Any) -> Any:
        return act("pre-llm-call", context, input)

    def llm_delta(self, context: Any, input: Any) -> Any:
        return act("llm-delta", context, input, content.text)

    def post_llm_call(self, context: Any, input: Any) -> Any:
        return act("post-llm-call", context, input, content.text)

    def llm_error(self, context: Any, input: Any) -> Any:
        return act("llm-error", context, input)

    def pre_tool_call(self, context: Any, input: Any) -> Any:
        return act("pre-tool-call", context, input)

    def tool_update(self, context: Any, input: Any) -> Any:
        return act("tool-update", context, input)

    def tool_update_sent(self, context: Any, input: Any) -> Any:
        return act("tool-update-sent", context, input)

    def post_tool_call(self, context: Any, input: Any) -> Any:
        return act("post-tool-call", context, input, tool_data.output)

    def state_changed(self, context: Any, input: Any) -> Any:
        return act("state-changed", context, input)

    def message_added(self, context: Any, input: Any) -> Any:
        return act("message-added", context, input)

    def pre_subagent(self, context: Any, input: Any) -> Any:
        return act("pre-subagent", context, input)

    def post_subagent(self, context: Any, input: Any) -> Any:
        return act("post-subagent", context, input)

    def pre_compaction(self, context: Any, input: Any) -> Any:
        return act("pre-compaction", context, input)

    def post_compaction(self, context: Any, input: Any) -> Any:
        return act("post-compaction", context, input)

    def turn_stopping(self, context: Any, input: Any) -> Any:
        return act("turn-stopping", context, input)

    def workspace_opened(self, context: Any, input: Any) -> Any:
        return act("workspace-opened", context, input)

    def workspace_closed(self, context: Any, input: Any) -> Any:
        return act("workspace-closed", context, input)

    def workspace_evicted(self, context: Any, input: Any) -> Any:
        return act("workspace-evicted", context, input)

    def workspace_eviction_retried(self, context: Any, input: Any) -> Any:
        return act("workspace-eviction-retried", context, input)

    def workspace_snapshotted(self, context: Any, input: Any) -> Any:
        return act("workspace-snapshotted", context, input)
