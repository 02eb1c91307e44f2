"""The probe of tests/guests/probe in Python: it performs the configured actions."""

import json
import os
import re
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

from portcullis import (
    add_context,
    add_job,
    add_note,
    add_policy,
    add_section,
    add_tools,
    agent_state,
    answer,
    ask,
    config,
    content,
    contribute,
    conversation,
    events,
    hook,
    keep_going,
    log,
    proceed,
    prompt,
    reject,
    replace,
    session,
    state,
    stop,
    tool_catalog,
    tool_data,
    transform,
    verdict,
)
from portcullis.contract import (
    BundledTool,
    PromptSection,
    ToolBundle,
    ToolRoute_Hook,
    ToolSpec,
)
from probe_values import decision, values

#: The runtime's own, which traps. A call has none.
ABORT = os.abort


class Told(Exception):
    """The failure that the probe was told to report."""


class _Counter:
    calls = 0


def act(
    point: str, context: Any, call: Any, now: Callable[[], str | None] = lambda: ""
) -> Any:
    """Performs the configured action of a point. `now` returns the current text there."""
    does, _, rest = config.table().get(point, "continue").partition(" ")

    def changed(said: str) -> Any:
        return transform(*values(point, "transform", said, call))

    match does:
        case "continue":
            return proceed()
        case "reject":
            return reject("probe", "the probe was told to refuse")
        case "transform":
            return changed(rest)
        case "append":
            return changed((now() or "") + rest)
        case "replace" if point == "llm-error":
            return decision(rest, call.providers)
        case "replace":
            return replace(*values(point, "replace", rest, call))
        case "answer":
            return answer(*values(point, "answer", rest, call))
        case "ask":
            return ask("May it?")
        case "stop":
            return stop(rest, "the probe was told to stop")
        case "keep-going":
            return keep_going(rest)
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
        case "literal":
            return {"tag": "reject"}
        case "panic":
            ABORT()
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
            ABORT()
        case "remember-and-fail":
            state.increment("calls", 1)
            raise Told("told to")
        case "tell":
            raise Told(json.dumps({"context": facts(context), "input": facts(call)}))
        case "look":
            return changed(look())
        case _:
            raise ValueError(f"no action `{does}`")
    return None


def gift(said: str) -> Any:
    """Converts `KIND NAME TEXT` to a contribution."""
    kind, name, *words = said.split(" ")
    rest = " ".join(words)
    match kind:
        case "policy":
            return add_policy(name, json.loads(rest))
        case "context":
            return add_context(name, rest)
        case "section":
            return add_section(PromptSection(name, None, rest, 0, None, False))
        case "tool":
            spec = ToolSpec(name, "A tool of the probe's.", '{"type":"object"}')
            return add_tools(ToolBundle("probe-tools", [BundledTool(spec, ToolRoute_Hook())]))
        case "note":
            return add_note(name, True)
        case _:
            return add_job(name, {})


def facts(call: Any) -> Any:
    """Returns all facts in the contract's JSON form: read one by one, and compared with the record."""
    record = call.facts()
    for field in fields(record):
        one, all = getattr(call, field.name), getattr(record, field.name)
        assert one == all, f"{field.name} is {one!r}, but in the record {all!r}"
    return form(record)


def form(value: Any) -> Any:
    """Returns a value in the contract's JSON form."""
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
    """Returns the data that the views show of the call."""
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
)
class Probe:
    def session_start(self, context: Any, call: Any) -> Any:
        return act("session-start", context, call)

    def session_end(self, context: Any, call: Any) -> Any:
        return act("session-end", context, call)

    def pre_turn(self, context: Any, call: Any) -> Any:
        return act("pre-turn", context, call, content.text)

    def post_turn(self, context: Any, call: Any) -> Any:
        return act("post-turn", context, call, content.text)

    def turn_error(self, context: Any, call: Any) -> Any:
        return act("turn-error", context, call)

    def turn_suspended(self, context: Any, call: Any) -> Any:
        return act("turn-suspended", context, call)

    def turn_resumed(self, context: Any, call: Any) -> Any:
        return act("turn-resumed", context, call)

    def prompt_policy(self, context: Any, call: Any) -> Any:
        return act("prompt-policy", context, call)

    def prompt_context(self, context: Any, call: Any) -> Any:
        return act("prompt-context", context, call)

    def prompt_recall(self, context: Any, call: Any) -> Any:
        return act("prompt-recall", context, call)

    def prompt_tools(self, context: Any, call: Any) -> Any:
        return act("prompt-tools", context, call)

    def prompt_compile(self, context: Any, call: Any) -> Any:
        return act("prompt-compile", context, call)

    def pre_step(self, context: Any, call: Any) -> Any:
        return act("pre-step", context, call)

    def post_step(self, context: Any, call: Any) -> Any:
        return act("post-step", context, call)

    def pre_llm_call(self, context: Any, call: Any) -> Any:
        return act("pre-llm-call", context, call)

    def llm_delta(self, context: Any, call: Any) -> Any:
        return act("llm-delta", context, call, content.text)

    def post_llm_call(self, context: Any, call: Any) -> Any:
        return act("post-llm-call", context, call, content.text)

    def llm_error(self, context: Any, call: Any) -> Any:
        return act("llm-error", context, call)

    def pre_tool_call(self, context: Any, call: Any) -> Any:
        return act("pre-tool-call", context, call)

    def tool_update(self, context: Any, call: Any) -> Any:
        return act("tool-update", context, call)

    def tool_update_sent(self, context: Any, call: Any) -> Any:
        return act("tool-update-sent", context, call)

    def post_tool_call(self, context: Any, call: Any) -> Any:
        return act("post-tool-call", context, call, tool_data.output)

    def state_changed(self, context: Any, call: Any) -> Any:
        return act("state-changed", context, call)

    def message_added(self, context: Any, call: Any) -> Any:
        return act("message-added", context, call)

    def pre_subagent(self, context: Any, call: Any) -> Any:
        return act("pre-subagent", context, call)

    def post_subagent(self, context: Any, call: Any) -> Any:
        return act("post-subagent", context, call)

    def pre_compaction(self, context: Any, call: Any) -> Any:
        return act("pre-compaction", context, call)

    def post_compaction(self, context: Any, call: Any) -> Any:
        return act("post-compaction", context, call)

    def turn_stopping(self, context: Any, call: Any) -> Any:
        return act("turn-stopping", context, call)

    def workspace_opened(self, context: Any, call: Any) -> Any:
        return act("workspace-opened", context, call)

    def workspace_closed(self, context: Any, call: Any) -> Any:
        return act("workspace-closed", context, call)

    def workspace_evicted(self, context: Any, call: Any) -> Any:
        return act("workspace-evicted", context, call)

    def workspace_eviction_retried(self, context: Any, call: Any) -> Any:
        return act("workspace-eviction-retried", context, call)

    def workspace_snapshotted(self, context: Any, call: Any) -> Any:
        return act("workspace-snapshotted", context, call)
