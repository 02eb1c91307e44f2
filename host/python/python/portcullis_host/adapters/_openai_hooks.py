"""The calls of an agent's model, which the SDK reports to the agent's hooks."""

from __future__ import annotations

from typing import Any

from agents import Agent, AgentHooks, ModelResponse, RunContextWrapper, TResponseInputItem

from portcullis_host._ask import Approver
from portcullis_host._errors import Refused
from portcullis_host._flow import decided
from portcullis_host._session import Session
from portcullis_host.adapters._openai_items import message, parts, usage


class ModelHooks(AgentHooks[Any]):
    """Calls `pre-llm-call` and `post-llm-call`, and then the agent's own hooks."""

    def __init__(
        self, session: Session, approver: Approver | None, own: AgentHooks[Any] | None
    ) -> None:
        self._session = session
        self._approver = approver
        self._own = own or AgentHooks()

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
        verdict = await decided(self._session, call, self._approver)
        if verdict.kind != "continue":
            raise Refused("The model was not called", verdict)
        await self._own.on_llm_start(context, agent, system_prompt, input_items)

    async def on_llm_end(
        self, context: RunContextWrapper[Any], agent: Agent[Any], response: ModelResponse
    ) -> None:
        """Calls `post-llm-call`."""
        content = [part for item in response.output for part in parts(item.model_dump())]
        tools = any("tool_call" in part for part in content)
        call = self._session.post_llm_call(
            content, stop="tool-use" if tools else "end-turn", usage=usage(response.usage)
        )
        verdict = await decided(self._session, call, self._approver)
        if verdict.kind != "continue":
            raise Refused("The model's answer was withheld", verdict)
        await self._own.on_llm_end(context, agent, response)

    async def on_start(self, *args: Any, **named: Any) -> None:
        await self._own.on_start(*args, **named)

    async def on_end(self, *args: Any, **named: Any) -> None:
        await self._own.on_end(*args, **named)

    async def on_handoff(self, *args: Any, **named: Any) -> None:
        await self._own.on_handoff(*args, **named)

    async def on_tool_start(self, *args: Any, **named: Any) -> None:
        await self._own.on_tool_start(*args, **named)

    async def on_tool_end(self, *args: Any, **named: Any) -> None:
        await self._own.on_tool_end(*args, **named)
