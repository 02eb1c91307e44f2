"""Tests of guardrails, tools and hooks with the real runner of the OpenAI Agents SDK and a scripted model."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
from agents import (
    Agent,
    AgentHooks,
    InputGuardrailTripwireTriggered,
    Model,
    ModelResponse,
    OutputGuardrailTripwireTriggered,
    Runner,
    Usage,
    WebSearchTool,
    function_tool,
    handoff,
    set_tracing_disabled,
)
from conftest import Load
from openai.types.responses import (
    ResponseFunctionToolCall,
    ResponseOutputMessage,
    ResponseOutputText,
)

from portcullis_host import Hooks, Refused, Session
from portcullis_host.adapters.openai_agents import guard

set_tracing_disabled(True)


class Script(Model):
    """A model that calls the tool once and then ends. It records its requests."""

    def __init__(self) -> None:
        call = ResponseFunctionToolCall(
            type="function_call", call_id="1", name="write", arguments='{"path": "a"}'
        )
        text = ResponseOutputText(type="output_text", text="done", annotations=[])
        said = ResponseOutputMessage(
            type="message", id="m", role="assistant", status="completed", content=[text]
        )
        self.answers: list[Any] = [call, said]
        self.asked: list[Any] = []

    async def get_response(self, *rest: Any, **named: Any) -> ModelResponse:
        self.asked.append(named["input"])
        return ModelResponse(output=[self.answers.pop(0)], usage=Usage(), response_id=None)

    def stream_response(self, *rest: Any, **named: Any) -> AsyncIterator[Any]:
        raise NotImplementedError


class Case:
    """An agent with a tool that records its paths."""

    def __init__(self) -> None:
        self.paths: list[str] = []
        self.model = Script()

        @function_tool
        def write(path: str) -> str:
            """Writes a file."""
            self.paths.append(path)
            return f"wrote {path}"

        self.agent = Agent[Any]("tests", model=self.model, tools=[write])

    async def run(self, session: Session, **options: Any) -> str:
        result = await Runner.run(guard(self.agent, session, **options), "Hello")
        return str(result.final_output)

    @property
    def output(self) -> str:
        """The tool's output that the model received."""
        return str(self.model.asked[1][-1]["output"])


@pytest.mark.parametrize("said", ["", " "])
async def test_arguments_that_the_model_leaves_empty_are_an_empty_object(load: Load, said: str) -> None:
    @function_tool
    def write() -> str:
        """Writes."""
        return "ran"

    case = Case()
    case.agent.tools = [write]
    case.model.answers[0].arguments = said
    async with load().session("s") as session:
        await case.run(session)
    assert case.output == "ran"


@pytest.mark.parametrize("action", ["reject", "append !", "answer from the hook"])
async def test_the_input_guardrail_trips(load: Load, action: str) -> None:
    case = Case()
    async with load(pre_turn=action).session("s") as session:
        with pytest.raises(InputGuardrailTripwireTriggered) as tripped:
            await case.run(session)
    text = tripped.value.guardrail_result.output.output_info
    expected = {"append !": "changed it to: Hello!", "answer from the hook": "from the hook"}
    assert expected.get(action, "hook `probe` refused") in text
    assert case.model.asked == []


@pytest.mark.parametrize("action", ["reject", "append !"])
async def test_the_output_guardrail_trips(load: Load, action: str) -> None:
    case = Case()
    async with load(post_turn=action).session("s") as session:
        with pytest.raises(OutputGuardrailTripwireTriggered):
            await case.run(session)


@pytest.mark.parametrize("action", ["reject", 'transform {"temperature":0.5,"messages":[]}'])
async def test_the_hooks_end_the_run_before_the_model(load: Load, action: str) -> None:
    case = Case()
    async with load(pre_llm_call=action).session("s") as session:
        with pytest.raises(Refused, match="The model was not called"):
            await case.run(session)
    assert case.model.asked == []


async def test_the_hooks_end_the_run_after_the_model(load: Load) -> None:
    case = Case()
    async with load(post_llm_call="reject").session("s") as session:
        with pytest.raises(Refused, match="The model's answer was withheld"):
            await case.run(session)
    assert case.paths == []


class Keeps(AgentHooks[Any]):
    """Hooks that record the reported events."""

    def __init__(self) -> None:
        self.told: list[str] = []

    async def on_start(self, *args: Any, **named: Any) -> None:
        self.told.append("start")

    async def on_end(self, *args: Any, **named: Any) -> None:
        self.told.append("end")

    async def on_handoff(self, *args: Any, **named: Any) -> None:
        self.told.append("handoff")

    async def on_tool_start(self, *args: Any, **named: Any) -> None:
        self.told.append("tool start")

    async def on_tool_end(self, *args: Any, **named: Any) -> None:
        self.told.append("tool end")

    async def on_llm_start(self, *args: Any, **named: Any) -> None:
        self.told.append("llm start")

    async def on_llm_end(self, *args: Any, **named: Any) -> None:
        self.told.append("llm end")


async def test_the_agent_keeps_its_own_hooks(load: Load) -> None:
    case, keeps = Case(), Keeps()
    case.agent.hooks = keeps
    async with load().session("s") as session:
        assert await case.run(session) == "done"
    model = ["llm start", "llm end"]
    assert keeps.told == ["start", *model, "tool start", "tool end", *model, "end"]


@pytest.mark.parametrize(
    ("point", "told"), [("pre_llm_call", []), ("post_llm_call", ["llm start"])]
)
async def test_own_hooks_see_nothing_that_is_refused(load: Load, point: str, told: list[str]) -> None:
    case, keeps = Case(), Keeps()
    case.agent.hooks = keeps
    async with load(**{point: "reject"}).session("s") as session:
        with pytest.raises(Refused):
            await case.run(session)
    assert keeps.told == ["start", *told]


async def test_own_hooks_are_told_who_takes_over(load: Load) -> None:
    case, keeps, model = Case(), Keeps(), Script()
    model.answers = model.answers[1:]
    other = Agent[Any]("other", model=model)
    async with load().session("s") as session:
        case.agent.hooks = keeps
        case.agent.handoffs = [guard(other, session)]
        case.model.answers[0].name = "transfer_to_other"
        case.model.answers[0].arguments = "{}"
        await case.run(session)
    assert keeps.told == ["start", "llm start", "llm end", "handoff"]


async def test_tools_that_hooks_cannot_see_are_refused(load: Load) -> None:
    agent = Agent[Any]("tests", tools=[WebSearchTool()])
    session = load().session("s")
    with pytest.raises(ValueError, match="web_search"):
        guard(agent, session)
    assert guard(agent, session, allow_unguarded=True).tools == agent.tools


async def test_the_model_is_not_called_before_the_turn_is_decided_about(sleeper: Hooks) -> None:
    case = Case()
    with pytest.raises(InputGuardrailTripwireTriggered):
        await Runner.run(guard(case.agent, sleeper.session("s")), "100 refuse")
    assert case.model.asked == []


async def test_agents_that_take_over_are_guarded_first(load: Load) -> None:
    session = load().session("s")
    other = Agent[Any]("other")
    for to in (other, handoff(other)):
        with pytest.raises(ValueError, match="what other does: guard it first"):
            guard(Agent[Any]("tests", handoffs=[to]), session)
    guarded = guard(other, session)
    for to in (guarded, handoff(guarded)):
        assert guard(Agent[Any]("tests", handoffs=[to]), session).handoffs == [to]
