"""Tests of the middleware with a real agent of LangChain and a scripted model."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import Load, LoadScript
from langchain.agents import create_agent
from langchain.tools import tool
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from portcullis_host import PortcullisError, Session
from portcullis_host.adapters.langchain import PortcullisMiddleware, ask_by_interrupt


class Script(BaseChatModel):
    """A model that returns the given answers, and records its requests."""

    answers: list[AIMessage]
    asked: list[list[BaseMessage]] = []
    settings: list[dict[str, Any]] = []

    @property
    def _llm_type(self) -> str:
        return "script"

    def bind_tools(self, tools: Any, **settings: Any) -> Any:
        return self.bind(**settings)

    def _generate(self, messages: list[BaseMessage], *_: Any, **settings: Any) -> ChatResult:
        self.asked.append(messages)
        self.settings.append(settings)
        return ChatResult(generations=[ChatGeneration(message=self.answers.pop(0))])


def script() -> Script:
    """Calls the tool once, and then answers."""
    call = {"name": "write", "args": {"path": "a"}, "id": "1"}
    return Script(answers=[AIMessage("", tool_calls=[call]), AIMessage("done")], asked=[], settings=[])


def said() -> Script:
    """Answers without a tool call."""
    return Script(answers=[AIMessage("done")], asked=[], settings=[])


class Tools:
    """A tool that records its paths."""

    def __init__(self) -> None:
        self.paths: list[str] = []

        @tool
        def write(path: str) -> str:
            """Writes a file."""
            self.paths.append(path)
            return f"wrote {path}"

        self.all = [write]


def agent(model: Script, tools: Tools, session: Session, **options: Any) -> Any:
    middleware = PortcullisMiddleware(session, approver=options.pop("approver", None))
    return create_agent(model, tools.all, middleware=[middleware], **options)


async def turn(session: Session, model: Script, tools: Tools, **options: Any) -> list[BaseMessage]:
    asked = {"messages": [{"role": "user", "content": "Hello"}]}
    result = await agent(model, tools, session, **options).ainvoke(asked)
    messages: list[BaseMessage] = result["messages"]
    return messages


class Case:
    """An agent that calls its tool once."""

    def __init__(self) -> None:
        self._tools = Tools()
        self.output = ""

    async def run(self, session: Session, **options: Any) -> str:
        messages = await turn(session, script(), self._tools, **options)
        self.output = messages[2].text
        return messages[-1].text

    @property
    def paths(self) -> list[str]:
        return self._tools.paths


def test_it_works_without_async(load: Load) -> None:
    hooks, model, tools = load(pre_tool_call='transform {"path":"b"}'), script(), Tools()
    with hooks.session("s") as session:
        agent(model, tools, session).invoke({"messages": [("user", "Hello")]})
    assert tools.paths == ["b"]


async def test_a_refused_turn_calls_no_model(load: Load) -> None:
    hooks, model, tools = load(pre_turn="reject", post_turn="append !"), script(), Tools()
    async with hooks.session("s") as session:
        messages = await turn(session, model, tools)
    assert model.asked == []
    assert messages[-1].text.startswith("[The turn was not started: hook `probe` refused")
    assert messages[-1].text.endswith("]")


async def test_hooks_change_both_ends_of_a_turn(load: Load) -> None:
    hooks, model, tools = load(pre_turn="append , you", post_turn="append !"), script(), Tools()
    async with hooks.session("s") as session:
        messages = await turn(session, model, tools)
    assert model.asked[0][-1].text == "Hello, you"
    assert [messages[0].text, messages[-1].text] == ["Hello, you", "done!"]


async def test_an_answer_is_withheld(load: Load) -> None:
    case = Case()
    async with load(post_turn="reject").session("s") as session:
        assert "The answer was withheld: hook `probe` refused" in await case.run(session)


async def test_a_refused_model_is_not_called(load: Load) -> None:
    hooks, model, tools = load(pre_llm_call="reject"), script(), Tools()
    async with hooks.session("s") as session:
        messages = await turn(session, model, tools)
    assert model.asked == [] and "The model was not called" in messages[-1].text


async def test_a_hook_changes_what_the_model_is_asked(load_script: LoadScript) -> None:
    bye = {"role": "user", "content": [{"text": "Bye"}]}
    edit = {"temperature": 0.5, "tools": [], "messages": [{"set": [1, bye]}]}
    hooks, model, tools = load_script("pre-llm-call", {"transform": edit}), said(), Tools()
    async with hooks.session("s") as session:
        await turn(session, model, tools, system_prompt="Be brief.")
    assert [message.text for message in model.asked[0]] == ["Be brief.", "Bye"]
    assert model.settings[0]["temperature"] == 0.5


async def test_a_model_that_cannot_be_switched_is_an_error(load_script: LoadScript) -> None:
    edit = {"model": "other", "messages": []}
    hooks, model, tools = load_script("pre-llm-call", {"transform": edit}), script(), Tools()
    async with hooks.session("s") as session:
        with pytest.raises(PortcullisError, match="switched the model"):
            await turn(session, model, tools)
    assert model.asked == []


async def test_a_hook_changes_what_the_model_says(load: Load) -> None:
    hooks, model, tools = load(post_llm_call="append ~"), said(), Tools()
    async with hooks.session("s") as session:
        messages = await turn(session, model, tools)
    assert messages[-1].text == "done~"


def test_a_question_interrupts_the_graph(load: Load) -> None:
    hooks, model, tools = load(pre_tool_call="ask May it?"), script(), Tools()
    with hooks.session("s") as session:
        graph = agent(
            model, tools, session, approver=ask_by_interrupt, checkpointer=InMemorySaver()
        )
        config = {"configurable": {"thread_id": "1"}}
        asked = graph.invoke({"messages": [("user", "Hello")]}, config)
        assert asked["__interrupt__"][0].value["question"] == "May it?"
        assert tools.paths == []
        graph.invoke(Command(resume=True), config)
    assert tools.paths == ["a"]
