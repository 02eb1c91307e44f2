"""One session of an agent."""

from __future__ import annotations

import json
from collections.abc import Mapping
from types import TracebackType
from typing import Any

from portcullis_host._content import content_parts, text_bytes
from portcullis_host._errors import Refused
from portcullis_host._native import Call, Host, Verdict
from portcullis_host._points import Points
from portcullis_host.contract import ContentPart, Message, StopReason, ToolSpec, Usage
from portcullis_host.views import SessionView, ToolOutput, Views

NO_USAGE: Usage = {
    "input_tokens": 0,
    "output_tokens": 0,
    "cache_read_tokens": 0,
    "cache_write_tokens": 0,
}
"""The usage of a model that does not report it."""


class Session(Points):
    """A session. Its methods return a `Call`: `await` it, or call its `wait`.

    `turn` and `step` are the current ones. `pre_turn` begins the next turn and `pre_llm_call` the next step.

    `trace` is the trace that the next calls are part of, as `propagate.inject` of OpenTelemetry writes it: `traceparent`,
    and `tracestate` and `baggage` if there are any. Requests of hooks carry it. Set it again for each turn. An invalid
    trace is ignored.
    """

    def __init__(
        self,
        host: Host,
        id: str,
        *,
        agent: str,
        provider: str,
        model: str,
        working_dir: str,
        info: SessionView | None,
        trace: Mapping[str, str] | None = None,
    ) -> None:
        self._host = host
        self._views: Views = {"session": info} if info is not None else {}
        self.id = id
        self.agent = agent
        self.provider = provider
        self.model = model
        self.working_dir = working_dir
        self.trace = trace
        self.turn = 0
        self.step = 0

    def _call(self, point: str, input: Mapping[str, Any], views: Views) -> Call[Verdict[Any]]:
        if self._views:
            views = {**self._views, **views}
        trace = dict(self.trace) if self.trace is not None else None
        return self._host.call(point, self.id, self.agent, self.turn, self.step, input, views, trace)

    def start(self, tools: int = 0) -> Call[Verdict[Any]]:
        """Calls `session-start`."""
        return self.call(
            "session-start", {"provider": self.provider, "model": self.model, "tools": tools}
        )

    def end(self, *, failed: bool = False) -> Call[Verdict[Any]]:
        """Calls `session-end` and closes the session."""
        reason = "failed" if failed else "closed"
        turns, self.turn, self.step = self.turn, 0, 0
        return self._call("session-end", {"reason": reason, "turns": turns, "usage": NO_USAGE}, {})

    def pre_turn(self, content: str | list[ContentPart]) -> Call[Verdict[list[ContentPart]]]:
        """Calls `pre-turn`: a turn begins with this message."""
        self.turn += 1
        self.step = 0
        parts = content_parts(content)
        return self.call(
            "pre-turn", {"text_bytes": text_bytes(parts), "parts": len(parts)}, {"content": parts}
        )

    def post_turn(
        self,
        content: str | list[ContentPart],
        *,
        stop: StopReason = "end-turn",
        usage: Usage = NO_USAGE,
        elapsed_us: int = 0,
    ) -> Call[Verdict[list[ContentPart]]]:
        """Calls `post-turn`: the turn ends with this message."""
        parts = content_parts(content)
        return self.call(
            "post-turn",
            {
                "text_bytes": text_bytes(parts),
                "steps": self.step,
                "stop": stop,
                "usage": usage,
                "elapsed_us": elapsed_us,
            },
            {"content": parts},
        )

    def pre_llm_call(
        self,
        messages: list[Message],
        *,
        tools: list[ToolSpec] | None = None,
        estimated_tokens: int | None = None,
        temperature: float | None = None,
        max_output_tokens: int | None = None,
        attempt: int = 1,
    ) -> Call[Verdict[dict[str, Any]]]:
        """Calls `pre-llm-call`: the model is about to be called. The first attempt begins a step.

        Without `estimated_tokens` four bytes of text count as a token.
        """
        if attempt == 1:
            self.step += 1
        tools = tools or []
        if estimated_tokens is None:
            estimated_tokens = sum(text_bytes(message["content"]) for message in messages) // 4
        return self.call(
            "pre-llm-call",
            {
                "provider": self.provider,
                "model": self.model,
                "attempt": attempt,
                "messages": len(messages),
                "tools": len(tools),
                "estimated_tokens": estimated_tokens,
                "temperature": temperature,
                "max_output_tokens": max_output_tokens,
            },
            {"conversation": messages, "tool_catalog": tools},
        )

    def post_llm_call(
        self,
        content: str | list[ContentPart],
        *,
        stop: StopReason = "end-turn",
        usage: Usage = NO_USAGE,
        elapsed_us: int = 0,
        attempt: int = 1,
    ) -> Call[Verdict[list[ContentPart]]]:
        """Calls `post-llm-call`: the model has answered."""
        parts = content_parts(content)
        calls = [part["tool_call"]["name"] for part in parts if "tool_call" in part]
        return self.call(
            "post-llm-call",
            {
                "provider": self.provider,
                "model": self.model,
                "attempt": attempt,
                "stop": stop,
                "usage": usage,
                "text_bytes": text_bytes(parts),
                "tool_calls": calls,
                "elapsed_us": elapsed_us,
            },
            {"content": parts},
        )

    def pre_tool_call(
        self,
        name: str,
        arguments: Mapping[str, Any] | str,
        *,
        call_id: str = "",
        timeout_ms: int = 10_000,
        tools: list[ToolSpec] | None = None,
    ) -> Call[Verdict[str]]:
        """Calls `pre-tool-call`: a tool is about to run. The payload is the text of its arguments.

        With `tools`, a change that the tool's schema forbids is a failure of the hook.
        """
        text = arguments if isinstance(arguments, str) else json.dumps(arguments)
        views: Views = {"tool_data": {"input": text}}
        if tools:
            views["tool_catalog"] = tools
        return self.call(
            "pre-tool-call",
            {
                "call_id": call_id,
                "name": name,
                "arguments_bytes": len(text.encode()),
                "grant": {"working_dir": self.working_dir, "timeout_ms": timeout_ms},
            },
            views,
        )

    def post_tool_call(
        self,
        name: str,
        arguments: Mapping[str, Any] | str,
        output: str,
        *,
        call_id: str = "",
        is_error: bool = False,
        elapsed_us: int = 0,
    ) -> Call[Verdict[ToolOutput]]:
        """Calls `post-tool-call`: a tool has run."""
        text = arguments if isinstance(arguments, str) else json.dumps(arguments)
        return self.call(
            "post-tool-call",
            {
                "call_id": call_id,
                "name": name,
                "output_bytes": len(output.encode()),
                "is_error": is_error,
                "elapsed_us": elapsed_us,
            },
            {"tool_data": {"input": text, "output": output}},
        )

    def approve(self, verdict: Verdict[Any]) -> Call[Verdict[Any]]:
        """Answers the first question of a verdict: the person approves."""
        return self._answer(verdict, "approve")

    def deny(self, verdict: Verdict[Any], reason: str) -> Call[Verdict[Any]]:
        """Answers the first question of a verdict: the person denies, for this reason."""
        return self._answer(verdict, {"deny": reason})

    def edit(self, verdict: Verdict[Any], value: str) -> Call[Verdict[Any]]:
        """Answers the first question: the person approves this value instead. All hooks see it before it is used."""
        return self._answer(verdict, {"edit": value})

    def _answer(self, verdict: Verdict[Any], decision: Any) -> Call[Verdict[Any]]:
        if verdict.question_id is None:
            raise ValueError(f"nothing was asked: the verdict is `{verdict.kind}`, not `pending`")
        return self._host.answer(self.id, verdict.question_id, decision)

    def close(self) -> Call[None]:
        """Closes the session without `session-end`. The hooks' state stays in the store."""
        return self._host.close_session(self.id)

    def __enter__(self) -> Session:
        started = self.start().wait()
        if not started.passed:
            self.close().wait()
            raise Refused("The session was not started", started)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.end(failed=error is not None).wait()

    async def __aenter__(self) -> Session:
        started = await self.start()
        if not started.passed:
            await self.close()
            raise Refused("The session was not started", started)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.end(failed=error is not None)
