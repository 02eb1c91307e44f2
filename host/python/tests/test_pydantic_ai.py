"""Tests of the capability with a real agent of Pydantic AI, whose model is a function."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import Load, LoadScript
from pydantic_ai import Agent
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from portcullis_host import PortcullisError, Refused, Session
from portcullis_host.adapters.pydantic_ai import PortcullisCapability


class Case:
    """An agent with a tool that records its paths. The model calls the tool once and then ends."""

    def __init__(self) -> None:
        self.paths: list[str] = []
        self.asked: list[tuple[list[ModelMessage], AgentInfo]] = []

    def model(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        self.asked.append((messages, info))
        if len(self.asked) == 1:
            return ModelResponse([ToolCallPart("write", {"path": "a"}, tool_call_id="1")])
        return ModelResponse([TextPart("done")])

    async def run(self, session: Session, **options: Any) -> str:
        agent = Agent(
            FunctionModel(self.model), capabilities=[PortcullisCapability(session, **options)]
        )

        @agent.tool_plain
        def write(path: str) -> str:
            """Writes a file."""
            self.paths.append(path)
            return f"wrote {path}"

        return (await agent.run("Hello")).output

    @property
    def output(self) -> str:
        """The tool's output that the model received."""
        part = self.asked[1][0][-1].parts[0]
        assert isinstance(part, ToolReturnPart)
        return str(part.content)


async def test_changed_arguments_are_validated(load: Load) -> None:
    case = Case()
    async with load(pre_tool_call='transform {"path":1}').session("s") as session:
        await case.run(session)
    assert case.paths == []


async def test_hooks_change_outputs(load: Load) -> None:
    case = Case()
    async with load(post_tool_call="append !", post_turn="append ?").session("s") as session:
        assert await case.run(session) == "done?"
    assert case.output == "wrote a!"


async def test_an_answer_is_withheld(load: Load) -> None:
    async with load(post_turn="reject").session("s") as session:
        with pytest.raises(Refused, match="The answer was withheld: hook `probe` refused"):
            await Case().run(session)


async def test_a_hook_changes_what_the_model_says(load: Load) -> None:
    case = Case()
    async with load(post_llm_call="transform other").session("s") as session:
        assert await case.run(session) == "other"
    assert case.paths == []


@pytest.mark.parametrize("point", ["pre_turn", "pre_llm_call"])
async def test_what_is_refused_calls_no_model(load: Load, point: str) -> None:
    case = Case()
    async with load(**{point: "reject"}).session("s") as session:
        with pytest.raises(Refused, match="hook `probe` refused"):
            await case.run(session)
    assert case.asked == []


async def test_a_changed_prompt_is_not_run(load: Load) -> None:
    case = Case()
    async with load(pre_turn="append !").session("s") as session:
        with pytest.raises(PortcullisError, match="changed it to: Hello!"):
            await case.run(session)
    assert case.asked == []


async def test_a_hook_changes_the_settings(load_script: LoadScript) -> None:
    case = Case()
    edit = {"temperature": 0.5, "tools": [], "messages": []}
    async with load_script("pre-llm-call", {"transform": edit}).session("s") as session:
        await case.run(session)
    info = case.asked[0][1]
    assert info.model_settings == {"temperature": 0.5} and info.function_tools == []


async def test_messages_that_cannot_be_changed_are_an_error(load: Load) -> None:
    case = Case()
    async with load(pre_llm_call="transform more").session("s") as session:
        with pytest.raises(PortcullisError, match="changed the model or the messages"):
            await case.run(session)
    assert case.asked == []
