"""A model call of LangChain with hooks around it."""

from __future__ import annotations

import json
from typing import Any

from langchain.agents.middleware.types import ModelRequest, ModelResponse
from langchain_core.messages import (
    AIMessage,
    AnyMessage,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    ToolCall,
    ToolMessage,
)
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_function

from portcullis_host._ask import Approver, Flow, decide
from portcullis_host._content import text_of
from portcullis_host._errors import refusal
from portcullis_host._flow import Run
from portcullis_host._native import PortcullisError
from portcullis_host._session import NO_USAGE, Session
from portcullis_host.contract import ContentPart, Message, StopReason, ToolSpec, Usage

_ROLES = {"human": "user", "ai": "assistant", "system": "system", "tool": "tool"}


def call_model(
    session: Session, approver: Approver | None, request: ModelRequest[Any]
) -> Flow[ModelResponse[Any]]:
    """Calls `pre-llm-call`, the model, and `post-llm-call`."""
    system = [request.system_message] if request.system_message is not None else []
    messages: list[AnyMessage] = [*system, *request.messages]
    written = [_message(message) for message in messages]
    settings = request.model_settings
    before = session.pre_llm_call(
        written,
        tools=[_tool(tool) for tool in request.tools],
        temperature=settings.get("temperature"),
        max_output_tokens=settings.get("max_tokens"),
    )
    verdict = yield from decide(session, before, approver)
    if verdict.kind == "answer":
        return ModelResponse(result=[_answer(verdict.answer["content"])])
    if not verdict.passed:
        return ModelResponse(result=[AIMessage(refusal("The model was not called", verdict))])
    if verdict.kind == "transform":
        request = _changed(session, request, messages, written, verdict.payload)
    response: ModelResponse[Any] = yield Run(request)
    result = [*response.result]
    for at, message in enumerate(result):
        if isinstance(message, AIMessage):
            result[at] = yield from _after(session, approver, message)
    return ModelResponse(result=result, structured_response=response.structured_response)


def _after(session: Session, approver: Approver | None, message: AIMessage) -> Flow[AIMessage]:
    stop: StopReason = "tool-use" if message.tool_calls else "end-turn"
    after = session.post_llm_call(_parts(message), stop=stop, usage=_usage(message))
    verdict = yield from decide(session, after, approver)
    if not verdict.passed:
        return AIMessage(refusal("The model's answer was withheld", verdict))
    if verdict.kind != "transform":
        return message
    changed = _answer(verdict.payload)
    update = {"content": changed.content, "tool_calls": changed.tool_calls}
    return message.model_copy(update=update)


def _changed(
    session: Session,
    request: ModelRequest[Any],
    messages: list[AnyMessage],
    written: list[Message],
    payload: dict[str, Any],
) -> ModelRequest[Any]:
    call = payload["call"]
    if call["model"] != session.model:
        raise PortcullisError(
            f"a hook switched the model to `{call['model']}`, which this middleware cannot do; "
            "remove the hook's grant `transform` at `pre-llm-call`"
        )
    settings = {**request.model_settings}
    for key, name in (("temperature", "temperature"), ("max_output_tokens", "max_tokens")):
        if call.get(key) is not None:
            settings[name] = call[key]
    changed: list[Any] = []
    left = list(zip(written, messages, strict=True))
    for message in payload["messages"]:
        at = next((at for at, (known, _) in enumerate(left) if _same(known, message)), None)
        if at is None:
            changed.append(_langchain(message))
        else:
            changed.append(left.pop(at)[1])
    system = changed.pop(0) if changed and isinstance(changed[0], SystemMessage) else None
    tools = [tool for tool in request.tools if _tool(tool)["name"] in payload["tools"]]
    return request.override(
        messages=changed, system_message=system, tools=tools, model_settings=settings
    )


def _same(one: Message, other: Message) -> bool:
    return one["role"] == other["role"] and one["content"] == other["content"]


def _message(message: BaseMessage) -> Message:
    role: Any = _ROLES.get(message.type, "user")
    if isinstance(message, ToolMessage):
        result: ContentPart = {
            "tool_result": {
                "call_id": message.tool_call_id,
                "name": message.name or "",
                "content": message.text,
                "is_error": message.status == "error",
            }
        }
        return {"role": role, "content": [result]}
    return {"role": role, "content": _parts(message)}


def _parts(message: BaseMessage) -> list[ContentPart]:
    parts: list[ContentPart] = [{"text": message.text}] if message.text else []
    for call in message.tool_calls if isinstance(message, AIMessage) else []:
        arguments = json.dumps(call["args"])
        parts.append(
            {"tool_call": {"id": call["id"] or "", "name": call["name"], "arguments": arguments}}
        )
    return parts


def _langchain(message: Message) -> AnyMessage:
    text = text_of(message["content"])
    match message["role"]:
        case "system":
            return SystemMessage(text)
        case "assistant":
            return _answer(message["content"])
        case "tool":
            result = next(part["tool_result"] for part in message["content"] if "tool_result" in part)
            return ToolMessage(
                result["content"],
                tool_call_id=result["call_id"],
                name=result["name"],
                status="error" if result["is_error"] else "success",
            )
        case _:
            return HumanMessage(text)


def _answer(parts: list[ContentPart]) -> AIMessage:
    calls = [part["tool_call"] for part in parts if "tool_call" in part]
    tool_calls = [
        ToolCall(name=call["name"], args=json.loads(call["arguments"]), id=call["id"])
        for call in calls
    ]
    return AIMessage(text_of(parts), tool_calls=tool_calls)


def _tool(tool: BaseTool | dict[str, Any]) -> ToolSpec:
    if isinstance(tool, BaseTool):
        schema = convert_to_openai_function(tool).get("parameters", {})
        return {"name": tool.name, "description": tool.description, "schema": json.dumps(schema)}
    function = tool.get("function", tool)
    return {
        "name": str(function.get("name", "")),
        "description": str(function.get("description", "")),
        "schema": json.dumps(function.get("parameters", {})),
    }


def _usage(message: AIMessage) -> Usage:
    usage = message.usage_metadata
    if usage is None:
        return NO_USAGE
    details = usage.get("input_token_details", {})
    return {
        "input_tokens": usage["input_tokens"],
        "output_tokens": usage["output_tokens"],
        "cache_read_tokens": details.get("cache_read", 0),
        "cache_write_tokens": details.get("cache_creation", 0),
    }
