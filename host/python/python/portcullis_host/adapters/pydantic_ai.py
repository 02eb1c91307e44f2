"""A capability for agents of Pydantic AI.

    async with hooks.session("session-1") as session:
        agent = Agent(model, tools=[...], capabilities=[PortcullisCapability(session)])
        await agent.run("Hello")

An agent belongs to one session, so make one for each conversation.
"""

from __future__ import annotations

import dataclasses
import json
from typing import Any, cast

from pydantic_ai import RunContext
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.messages import ModelResponse, ToolCallPart
from pydantic_ai.models import ModelRequestContext
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition

from portcullis_host._ask import Approver
from portcullis_host._content import text_of
from portcullis_host._errors import Refused, refusal
from portcullis_host._flow import decided
from portcullis_host._native import Call, PortcullisError, Verdict
from portcullis_host._session import Session
from portcullis_host.adapters._pydantic_messages import (
    changed_response,
    messages,
    response_parts,
    tool_spec,
    usage,
)


class PortcullisCapability(AbstractCapability[Any]):
    """Runs the hooks of a session around the run, each model request and each tool call.

    A refused run or model request raises `Refused`; a refused tool call returns the reason to the model.
    """

    def __init__(self, session: Session, *, approver: Approver | None = None) -> None:
        self._session = session
        self._approver = approver
        # The decisions about tool calls before their arguments were validated.
        self._before: dict[str, Verdict[str]] = {}

    async def _decided(self, call: Call[Verdict[Any]]) -> Verdict[Any]:
        return await decided(self._session, call, self._approver)

    async def wrap_run(self, ctx: RunContext[Any], *, handler: Any) -> Any:
        """Calls `pre-turn` and `post-turn`."""
        verdict = await self._decided(self._session.pre_turn(_prompt(ctx)))
        if verdict.kind != "continue":
            what = "The turn was not started"
            if verdict.kind == "transform":
                by = ", ".join(verdict.by)
                raise PortcullisError(f"[{what}: hook `{by}` changed it to: {text_of(verdict.payload)}]")
            raise Refused(what, verdict)
        result = await handler()
        output = result.output
        text = output if isinstance(output, str) else json.dumps(output, default=str)
        verdict = await self._decided(self._session.post_turn(text))
        if not verdict.passed:
            raise Refused("The answer was withheld", verdict)
        if verdict.kind == "continue":
            return result
        if not isinstance(output, str):
            by = ", ".join(verdict.by)
            raise PortcullisError(f"hook `{by}` changed an output that is not a text")
        return dataclasses.replace(result, output=text_of(verdict.payload))

    async def wrap_model_request(
        self, ctx: RunContext[Any], *, request_context: ModelRequestContext, handler: Any
    ) -> ModelResponse:
        """Calls `pre-llm-call` and `post-llm-call`."""
        parameters = request_context.model_request_parameters
        settings: dict[str, Any] = {**(request_context.model_settings or {})}
        given = messages(request_context.messages)
        verdict = await self._decided(
            self._session.pre_llm_call(
                given,
                tools=[tool_spec(tool) for tool in parameters.function_tools],
                temperature=settings.get("temperature"),
                max_output_tokens=settings.get("max_tokens"),
            )
        )
        if not verdict.passed:
            raise Refused("The model was not called", verdict)
        if verdict.kind == "transform":
            request_context = self._changed(request_context, given, verdict.payload)
        response: ModelResponse = await handler(request_context)
        parts = response_parts(response)
        tools = any("tool_call" in part for part in parts)
        after = self._session.post_llm_call(
            parts, stop="tool-use" if tools else "end-turn", usage=usage(response)
        )
        verdict = await self._decided(after)
        if not verdict.passed:
            raise Refused("The model's answer was withheld", verdict)
        return changed_response(response, verdict.payload) if verdict.kind == "transform" else response

    def _changed(
        self, request: ModelRequestContext, given: list[Any], payload: dict[str, Any]
    ) -> ModelRequestContext:
        call = payload["call"]
        if call["model"] != self._session.model or payload["messages"] != given:
            raise PortcullisError(
                "a hook changed the model or the messages of a request, which this capability cannot do; "
                "remove the hook's grant `transform` at `pre-llm-call`"
            )
        settings: dict[str, Any] = {**(request.model_settings or {})}
        for key, name in (("temperature", "temperature"), ("max_output_tokens", "max_tokens")):
            if call.get(key) is not None:
                settings[name] = call[key]
        parameters = request.model_request_parameters
        tools = [tool for tool in parameters.function_tools if tool.name in payload["tools"]]
        return dataclasses.replace(
            request,
            model_settings=cast(ModelSettings, settings),
            model_request_parameters=dataclasses.replace(parameters, function_tools=tools),
        )

    async def before_tool_validate(
        self, ctx: RunContext[Any], *, call: ToolCallPart, tool_def: ToolDefinition, args: Any
    ) -> Any:
        """Calls `pre-tool-call`, so that a hook's change is validated."""
        arguments = args if isinstance(args, str) else json.dumps(args)
        id = call.tool_call_id
        verdict = await self._decided(
            self._session.pre_tool_call(call.tool_name, arguments or "{}", call_id=id)
        )
        self._before[id] = verdict
        return verdict.payload if verdict.kind == "transform" else args

    async def wrap_tool_execute(
        self,
        ctx: RunContext[Any],
        *,
        call: ToolCallPart,
        tool_def: ToolDefinition,
        args: dict[str, Any],
        handler: Any,
    ) -> Any:
        """Runs the tool if hooks allow it, and calls `post-tool-call`, also for a hook's answer in its place."""
        id = call.tool_call_id
        before = self._before.pop(id, None)
        if before is None:
            raise PortcullisError(f"the tool `{call.tool_name}` was called past the hooks")
        result, error, is_error = None, None, False
        if before.kind == "answer":
            result = text = before.answer["content"]
            is_error = before.answer["is_error"]
        elif before.passed:
            try:
                result = await handler(args)
                text = result if isinstance(result, str) else json.dumps(result, default=str)
            except Exception as raised:
                text, error, is_error = str(raised), raised, True
        else:
            return refusal("The tool was not run", before)
        verdict = await self._decided(
            self._session.post_tool_call(
                call.tool_name, before.payload, text, call_id=id, is_error=is_error
            )
        )
        if not verdict.passed:
            return refusal("The tool's output was withheld", verdict)
        if verdict.kind == "transform":
            return verdict.payload["content"]
        if error is not None:
            raise error
        return result


def _prompt(ctx: RunContext[Any]) -> str:
    prompt = ctx.prompt
    if prompt is None or isinstance(prompt, str):
        return prompt or ""
    return "".join(part for part in prompt if isinstance(part, str))
