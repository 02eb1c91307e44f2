"""Messages of Pydantic AI as messages of the contract."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

from pydantic_ai.messages import (
    ModelMessage,
    ModelResponse,
    RetryPromptPart,
    SystemPromptPart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.tools import ToolDefinition

from portcullis_host.contract import ContentPart, Message, ToolCall, ToolSpec, Usage


def messages(given: list[ModelMessage]) -> list[Message]:
    """Converts messages. One of Pydantic AI may contain several."""
    written: list[Message] = []
    for message in given:
        if isinstance(message, ModelResponse):
            written.append({"role": "assistant", "content": response_parts(message)})
        else:
            written += [_message(part) for part in message.parts]
    return written


def _message(part: Any) -> Message:
    match part:
        case SystemPromptPart():
            return {"role": "system", "content": [{"text": part.content}]}
        case ToolReturnPart():
            return _result(part.tool_call_id, part.tool_name, part.model_response_str(), False)
        case RetryPromptPart() if part.tool_name is not None:
            return _result(part.tool_call_id, part.tool_name, part.model_response(), True)
        case RetryPromptPart():
            return {"role": "user", "content": [{"text": part.model_response()}]}
        case UserPromptPart():
            content = [part.content] if isinstance(part.content, str) else part.content
            texts = [text for text in content if isinstance(text, str)]
            return {"role": "user", "content": [{"text": text} for text in texts]}
        case _:
            return {"role": "user", "content": []}


def _result(call_id: str, name: str, content: str, is_error: bool) -> Message:
    result: ContentPart = {
        "tool_result": {"call_id": call_id, "name": name, "content": content, "is_error": is_error}
    }
    return {"role": "tool", "content": [result]}


def response_parts(response: ModelResponse) -> list[ContentPart]:
    """Converts a model's response, with its tool calls, to parts."""
    parts: list[ContentPart] = []
    for part in response.parts:
        match part:
            case TextPart():
                parts.append({"text": part.content})
            case ThinkingPart():
                parts.append({"thinking": part.content})
            case ToolCallPart():
                arguments = part.args_as_json_str()
                call: ToolCall = {
                    "id": part.tool_call_id,
                    "name": part.tool_name,
                    "arguments": arguments,
                }
                parts.append({"tool_call": call})
    return parts


def changed_response(response: ModelResponse, content: list[ContentPart]) -> ModelResponse:
    """Returns the response with the parts that hooks left."""
    parts: list[Any] = []
    for part in content:
        if "text" in part:
            parts.append(TextPart(part["text"]))
        elif "thinking" in part:
            parts.append(ThinkingPart(part["thinking"]))
        elif "tool_call" in part:
            call = part["tool_call"]
            parts.append(ToolCallPart(call["name"], call["arguments"], tool_call_id=call["id"]))
    return dataclasses.replace(response, parts=parts)


def tool_spec(tool: ToolDefinition) -> ToolSpec:
    """Converts a tool that the model is offered."""
    schema = json.dumps(tool.parameters_json_schema)
    return {"name": tool.name, "description": tool.description or "", "schema": schema}


def usage(response: ModelResponse) -> Usage:
    """Converts the usage of a model call."""
    used = response.usage
    return {
        "input_tokens": used.input_tokens,
        "output_tokens": used.output_tokens,
        "cache_read_tokens": used.cache_read_tokens,
        "cache_write_tokens": used.cache_write_tokens,
    }
