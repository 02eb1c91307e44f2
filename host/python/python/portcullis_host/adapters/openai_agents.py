"""Guardrails, guarded tools and hooks for the OpenAI Agents SDK.

    async with hooks.session("session-1") as session:
        agent = guard(Agent("assistant", tools=[...]), session)
        await Runner.run(agent, "Hello", hooks=SessionHooks(session))

An agent belongs to one session, so guard it for each conversation.
"""

from __future__ import annotations

import dataclasses
import json
from typing import Any
from weakref import WeakValueDictionary

from agents import (
    Agent,
    FunctionTool,
    GuardrailFunctionOutput,
    Handoff,
    InputGuardrail,
    ModelResponse,
    OutputGuardrail,
    RunContextWrapper,
    RunHooks,
    Tool,
    TResponseInputItem,
)
from agents.tool_context import ToolContext

from portcullis_host._ask import Approver, decide
from portcullis_host._content import text_of
from portcullis_host._errors import Refused, refusal
from portcullis_host._flow import run_async
from portcullis_host._guard import call_tool
from portcullis_host._native import Verdict
from portcullis_host._session import Session
from portcullis_host.adapters._openai_items import message, parts, text_of_input, usage


def guard(
    agent: Agent[Any],
    session: Session,
    *,
    approver: Approver | None = None,
    allow_unguarded: bool = False,
) -> Agent[Any]:
    """A copy of the agent whose input, output and function tools pass the hooks of a session.

    An agent with something that hooks do not see is refused unless `allow_unguarded` is set: tools that run
    elsewhere, which are hosted ones and those of MCP servers, and agents that it hands over to, unless they
    are guarded too.
    """
    unseen = [] if allow_unguarded else _unguarded(agent)
    if unseen:
        raise ValueError(f"hooks cannot see {'; '.join(unseen)}; or set `allow_unguarded=True`")
    clone = agent.clone(
        tools=[_guarded(tool, session, approver) for tool in agent.tools],
        input_guardrails=[input_guardrail(session, approver=approver), *agent.input_guardrails],
        output_guardrails=[*agent.output_guardrails, output_guardrail(session, approver=approver)],
    )
    _guarded_agents[id(clone)] = clone
    return clone


# The agents that `guard` gave, by id: an agent has no hash.
_guarded_agents: WeakValueDictionary[int, Agent[Any]] = WeakValueDictionary()


def _unguarded(agent: Agent[Any]) -> list[str]:
    """What hooks would not see of an agent, and what to do about it."""
    unseen = []
    tools = [tool.name for tool in agent.tools if not isinstance(tool, FunctionTool)]
    tools += [server.name for server in agent.mcp_servers]
    if tools:
        unseen.append(f"the tools of {', '.join(tools)}: remove them from the agent")
    names = [name for name, to in map(_target, agent.handoffs) if id(to) not in _guarded_agents]
    if names:
        unseen.append(f"what {', '.join(names)} does: guard it first")
    return unseen


def _target(to: Agent[Any] | Handoff[Any, Any]) -> tuple[str, object]:
    """The name of an agent to hand over to, and the agent, if the handoff knows it."""
    if isinstance(to, Agent):
        return to.name, to
    known = to._agent_ref
    return to.agent_name, known() if known else None


def input_guardrail(session: Session, *, approver: Approver | None = None) -> InputGuardrail[Any]:
    """Calls `pre-turn`, and trips if a hook refuses, answers, or changes the input."""

    async def portcullis_pre_turn(
        context: RunContextWrapper[Any], agent: Agent[Any], given: str | list[TResponseInputItem]
    ) -> GuardrailFunctionOutput:
        call = session.pre_turn(text_of_input(given))
        return _guardrail("The turn was not started", await _decided(session, call, approver))

    return InputGuardrail(portcullis_pre_turn, run_in_parallel=False)


def output_guardrail(session: Session, *, approver: Approver | None = None) -> OutputGuardrail[Any]:
    """Calls `post-turn`, and trips if a hook refuses or changes the output."""

    async def portcullis_post_turn(
        context: RunContextWrapper[Any], agent: Agent[Any], output: Any
    ) -> GuardrailFunctionOutput:
        call = session.post_turn(_written(output)[0])
        return _guardrail("The answer was withheld", await _decided(session, call, approver))

    return OutputGuardrail(portcullis_post_turn)


class SessionHooks(RunHooks[Any]):
    """Calls `pre-llm-call` and `post-llm-call`. The SDK cannot apply what a hook changes, so a change ends
    the run like a refusal: with `Refused`."""

    def __init__(self, session: Session, *, approver: Approver | None = None) -> None:
        self._session = session
        self._approver = approver

    async def on_llm_start(
        self,
        context: RunContextWrapper[Any],
        agent: Agent[Any],
        system_prompt: str | None,
        input_items: list[TResponseInputItem],
    ) -> None:
        """Calls `pre-llm-call`."""
        messages = [message(item) for item in input_items]
        if system_prompt is not None:
            messages.insert(0, {"role": "system", "content": [{"text": system_prompt}]})
        call = self._session.pre_llm_call(messages)
        verdict = await _decided(self._session, call, self._approver)
        if verdict.kind != "continue":
            raise Refused("The model was not called", verdict)

    async def on_llm_end(
        self, context: RunContextWrapper[Any], agent: Agent[Any], response: ModelResponse
    ) -> None:
        """Calls `post-llm-call`."""
        content = [part for item in response.output for part in parts(item.model_dump())]
        tools = any("tool_call" in part for part in content)
        call = self._session.post_llm_call(
            content, stop="tool-use" if tools else "end-turn", usage=usage(response.usage)
        )
        verdict = await _decided(self._session, call, self._approver)
        if verdict.kind != "continue":
            raise Refused("The model's answer was withheld", verdict)


def _guarded(tool: Tool, session: Session, approver: Approver | None) -> Tool:
    if not isinstance(tool, FunctionTool):
        return tool
    invoke = tool.on_invoke_tool

    async def guarded(context: ToolContext[Any], arguments: str) -> Any:
        async def run(changed: dict[str, Any]) -> Any:
            return await invoke(context, json.dumps(changed))

        call_id = context.tool_call_id
        flow = call_tool(session, approver, tool.name, arguments or "{}", call_id, _written)
        ended = await run_async(flow, run)
        return ended.result if ended.text is None else ended.text

    return dataclasses.replace(tool, on_invoke_tool=guarded)


async def _decided(session: Session, call: Any, approver: Approver | None) -> Verdict[Any]:
    async def nothing(value: Any) -> Any:
        raise NotImplementedError

    return await run_async(decide(session, call, approver), nothing)


def _guardrail(what: str, verdict: Verdict[Any]) -> GuardrailFunctionOutput:
    if verdict.kind == "continue":
        return GuardrailFunctionOutput(None, tripwire_triggered=False)
    if verdict.kind == "transform":
        hooks = ", ".join(verdict.by)
        text = f"[{what}: hook `{hooks}` changed it to: {text_of(verdict.payload)}]"
    elif verdict.kind == "answer":
        text = text_of(verdict.answer)
    else:
        text = refusal(what, verdict)
    return GuardrailFunctionOutput(text, tripwire_triggered=True)


def _written(result: Any) -> tuple[str, bool]:
    return result if isinstance(result, str) else json.dumps(result, default=str), False
