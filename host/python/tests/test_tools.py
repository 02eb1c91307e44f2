"""The hooks' effects on a tool, which are the same in every integration."""

from __future__ import annotations

from typing import Any, Protocol

import pytest
import test_langchain
import test_openai_agents
import test_pydantic_ai
from conftest import Load

from portcullis_host import Session


class Case(Protocol):
    """An agent whose model calls the tool `write` once with the path `a`, and then answers `done`."""

    async def run(self, session: Session, **options: Any) -> str:
        """Runs the agent in a session, and returns its answer."""

    @property
    def paths(self) -> list[str]:
        """The paths that the tool was called with."""

    @property
    def output(self) -> str:
        """The tool's output that the model received."""


CASES = [test_langchain.Case, test_openai_agents.Case, test_pydantic_ai.Case]


@pytest.fixture(params=CASES, ids=[case.__module__ for case in CASES])
def case(request: pytest.FixtureRequest) -> Case:
    made: Case = request.param()
    return made


async def test_a_hook_changes_the_arguments(case: Case, load: Load) -> None:
    async with load(pre_tool_call='transform {"path":"b"}').session("s") as session:
        assert await case.run(session) == "done"
        assert (session.turn, session.step) == (1, 2)
    assert case.paths == ["b"] and case.output == "wrote b"


@pytest.mark.parametrize(
    ("action", "text"),
    [
        ("reject", "The tool was not run: hook `probe` refused"),
        ("panic", "failed (trap)"),
        ("answer from the hook", "from the hook"),
        ("ask May it?", "nobody has answered: May it?"),
    ],
)
async def test_the_tool_does_not_run(case: Case, load: Load, action: str, text: str) -> None:
    async with load(pre_tool_call=action).session("s") as session:
        await case.run(session)
    assert case.paths == [] and text in case.output


@pytest.mark.parametrize(
    ("action", "text"),
    [
        ("append , checked", "from the hook, checked"),
        ("reject", "The tool's output was withheld: hook `probe` refused"),
    ],
)
async def test_an_answer_passes_the_hooks_after_the_call(
    case: Case, load: Load, action: str, text: str
) -> None:
    hooks = load(pre_tool_call="answer from the hook", post_tool_call=action)
    async with hooks.session("s") as session:
        await case.run(session)
    assert case.paths == [] and text in case.output


async def test_a_hook_changes_the_output(case: Case, load: Load) -> None:
    async with load(post_tool_call="append !").session("s") as session:
        await case.run(session)
    assert case.output == "wrote a!"


@pytest.mark.parametrize(("decision", "paths"), [(True, ["a"]), (False, []), ("not today", [])])
async def test_a_person_is_asked(
    case: Case, load: Load, decision: bool | str, paths: list[str]
) -> None:
    async def approver(question: Any) -> Any:
        assert question["question"] == "May it?"
        return decision

    async with load(pre_tool_call="ask May it?").session("s") as session:
        await case.run(session, approver=approver)
    assert case.paths == paths
    assert decision != "not today" or "not today" in case.output
