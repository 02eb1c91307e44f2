"""A middleware for agents of LangChain and LangGraph.

    async with hooks.session("session-1") as session:
        agent = create_agent(model, tools, middleware=[PortcullisMiddleware(session)])
        await agent.ainvoke({"messages": [{"role": "user", "content": "Hello"}]})

An agent belongs to one session, so make one for each conversation.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, cast

from langchain.agents.middleware import AgentMiddleware, AgentState, hook_config
from langchain.agents.middleware.types import ModelRequest, ModelResponse
from langchain.tools.tool_node import ToolCallRequest
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage
from langgraph.errors import GraphBubbleUp
from langgraph.runtime import Runtime
from langgraph.types import Command, interrupt

from portcullis_host._ask import Approver, Decision, Flow
from portcullis_host._content import text_of
from portcullis_host._flow import run, run_async
from portcullis_host._guard import Begun, Ended, begin_turn, call_tool, end_turn
from portcullis_host._session import Session
from portcullis_host.adapters._langchain_model import call_model
from portcullis_host.views import Question


def ask_by_interrupt(question: Question) -> Decision:
    """An approver: interrupts the graph with the question, and is resumed with the decision.

    LangGraph runs the interrupted node again, so its hooks run again too.
    """
    return cast(Decision, interrupt(question))


class PortcullisMiddleware(AgentMiddleware[AgentState[Any], Any, Any]):
    """Runs the hooks of a session around the turn, each model call and each tool call."""

    def __init__(self, session: Session, *, approver: Approver | None = None) -> None:
        super().__init__()
        self._session = session
        self._approver = approver
        self._refused = False

    @hook_config(can_jump_to=["end"])
    def before_agent(
        self, state: AgentState[Any], runtime: Runtime[Any]
    ) -> dict[str, Any] | None:
        """Calls `pre-turn`."""
        return run(self._begin(state), _nothing)

    @hook_config(can_jump_to=["end"])
    async def abefore_agent(
        self, state: AgentState[Any], runtime: Runtime[Any]
    ) -> dict[str, Any] | None:
        """Calls `pre-turn`."""
        return await run_async(self._begin(state), _nothing)

    def after_agent(self, state: AgentState[Any], runtime: Runtime[Any]) -> dict[str, Any] | None:
        """Calls `post-turn`."""
        return run(self._end(state), _nothing)

    async def aafter_agent(
        self, state: AgentState[Any], runtime: Runtime[Any]
    ) -> dict[str, Any] | None:
        """Calls `post-turn`."""
        return await run_async(self._end(state), _nothing)

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any]:
        """Calls `pre-llm-call` and `post-llm-call`."""
        return run(call_model(self._session, self._approver, request), handler)

    async def awrap_model_call(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]],
    ) -> ModelResponse[Any]:
        """Calls `pre-llm-call` and `post-llm-call`."""
        return await run_async(call_model(self._session, self._approver, request), handler)

    def wrap_tool_call(
        self,
        request: ToolCallRequest,
        handler: Callable[[ToolCallRequest], ToolMessage | Command[Any]],
    ) -> ToolMessage | Command[Any]:
        """Calls `pre-tool-call` and `post-tool-call`."""
        return _message(request, run(self._tool(request), lambda args: handler(_with(request, args))))

    async def awrap_tool_call(
        self,
        request: ToolCallRequest,
        handler: Callable[[ToolCallRequest], Awaitable[ToolMessage | Command[Any]]],
    ) -> ToolMessage | Command[Any]:
        """Calls `pre-tool-call` and `post-tool-call`."""
        ended = await run_async(self._tool(request), lambda args: handler(_with(request, args)))
        return _message(request, ended)

    def _begin(self, state: AgentState[Any]) -> Flow[dict[str, Any] | None]:
        last = _last(state["messages"], HumanMessage)
        self._refused = False
        if last is None:
            return None
        begun: Begun = yield from begin_turn(self._session, self._approver, last.text)
        if begun.ended is not None:
            self._refused = True
            return {"messages": [AIMessage(begun.ended)], "jump_to": "end"}
        if begun.content == [{"text": last.text}]:
            return None
        return {"messages": [_with_text(last, text_of(begun.content))]}

    def _end(self, state: AgentState[Any]) -> Flow[dict[str, Any] | None]:
        last = _last(state["messages"], AIMessage)
        if last is None or self._refused:
            return None
        text = yield from end_turn(self._session, self._approver, last.text)
        if text == last.text:
            return None
        return {"messages": [_with_text(last, text)]}

    def _tool(self, request: ToolCallRequest) -> Flow[Ended]:
        call = request.tool_call
        return call_tool(
            self._session,
            self._approver,
            call["name"],
            call["args"],
            call["id"] or "",
            _written,
            (GraphBubbleUp,),
        )


def _nothing(value: Any) -> Any:
    raise NotImplementedError


def _last(messages: list[AnyMessage], kind: type[Any]) -> Any:
    last = messages[-1] if messages else None
    return last if isinstance(last, kind) else None


def _with_text(message: Any, text: str) -> Any:
    """Returns the message with another text and the rest unchanged."""
    content = message.content
    if isinstance(content, list):
        others = [part for part in content if isinstance(part, dict) and part.get("type") != "text"]
        return message.model_copy(update={"content": [{"type": "text", "text": text}, *others]})
    return message.model_copy(update={"content": text})


def _with(request: ToolCallRequest, arguments: dict[str, Any]) -> ToolCallRequest:
    return request.override(tool_call={**request.tool_call, "args": arguments})


def _written(result: ToolMessage | Command[Any]) -> tuple[str, bool]:
    if isinstance(result, ToolMessage):
        return result.text, result.status == "error"
    return str(result.update), False


def _message(request: ToolCallRequest, ended: Ended) -> ToolMessage | Command[Any]:
    if ended.text is None:
        return cast("ToolMessage | Command[Any]", ended.result)
    return ToolMessage(
        ended.text,
        tool_call_id=request.tool_call["id"],
        name=request.tool_call["name"],
        status="error" if ended.is_error else "success",
    )
