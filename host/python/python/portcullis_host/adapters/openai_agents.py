"""Guarded agents for the OpenAI Agents SDK.

    async with hooks.session("session-1") as session:
        agent = guard(Agent("assistant", tools=[...]), session)
        await Runner.run(agent, "Hello")

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
    OutputGuardrail,
    RunContextWrapper,
    Tool,
    TResponseInputItem,
)
from agents.tool_context import ToolContext

from portcullis_host._ask import Approver
from portcullis_host._content import text_of
from portcullis_host._errors import refusal
from portcullis_host._flow import decided, run_async
from portcullis_host._guard import call_tool
from portcullis_host._native import Verdict
from portcullis_host._session import Session
from portcullis_host.adapters._openai_hooks import ModelHooks
from portcullis_host.adapters._openai_items import text_of_input


def guard(
    agent: Agent[Any],
    session: Session,
    *,
    approver: Approver | None = None,
    allow_unguarded: bool = False,
) -> Agent[Any]:
    """A copy of the agent whose input, output, model calls and function tools pass the hooks of a session.
    The agent's own `hooks` run after them.

    The SDK cannot apply a hook's change to a model call, so a change ends the run like a refusal: with
    `Refused`.

    An agent with something that hooks do not see is refused unless `allow_unguarded` is set: tools that run
    elsewhere (hosted tools and those of MCP servers), and handoffs to agents that are not guarded.
    """
    unseen = [] if allow_unguarded else _unguarded(agent)
    if unseen:
        raise ValueError(f"hooks cannot see {'; '.join(unseen)}; or set `allow_unguarded=True`")
    clone = agent.clone(
        tools=[_guarded(tool, session, approver) for tool in agent.tools],
        input_guardrails=[input_guardrail(session, approver=approver), *agent.input_guardrails],
        output_guardrails=[*agent.output_guardrails, output_guardrail(session, approver=approver)],
        hooks=ModelHooks(session, approver, agent.hooks),
    )
    _guarded_agents[id(clone)] = clone
    return clone


# The agents that `guard` returned, by id: an agent is not hashable.
_guarded_agents: WeakValueDictionary[int, Agent[Any]] = WeakValueDictionary()


def _unguarded(agent: Agent[Any]) -> list[str]:
    """Returns the parts of an agent that hooks would not see, each with the fix."""
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
    """Returns the name of the agent of a handoff, and the agent, if the handoff knows it."""
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
        return _guardrail("The turn was not started", await decided(session, call, approver))

    return InputGuardrail(portcullis_pre_turn, run_in_parallel=False)


def output_guardrail(session: Session, *, approver: Approver | None = None) -> OutputGuardrail[Any]:
    """Calls `post-turn`, and trips if a hook refuses or changes the output."""

    async def portcullis_post_turn(
        context: RunContextWrapper[Any], agent: Agent[Any], output: Any
    ) -> GuardrailFunctionOutput:
        call = session.post_turn(_written(output)[0])
        return _guardrail("The answer was withheld", await decided(session, call, approver))

    return OutputGuardrail(portcullis_post_turn)


def _guarded(tool: Tool, session: Session, approver: Approver | None) -> Tool:
    if not isinstance(tool, FunctionTool):
        return tool
    invoke = tool.on_invoke_tool

    async def guarded(context: ToolContext[Any], said: str) -> Any:
        # Some models leave the arguments empty if a tool takes none.
        arguments = said.strip() or "{}"

        async def run(changed: dict[str, Any]) -> Any:
            return await invoke(context, json.dumps(changed))

        call_id = context.tool_call_id
        flow = call_tool(session, approver, tool.name, arguments, call_id, _written)
        ended = await run_async(flow, run)
        return ended.result if ended.text is None else ended.text

    return dataclasses.replace(tool, on_invoke_tool=guarded)


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
