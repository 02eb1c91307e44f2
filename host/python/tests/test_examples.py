"""The examples of the book, with an example hook that refuses paths outside of the working directory."""

from __future__ import annotations

import os
import runpy
import shutil
from pathlib import Path
from typing import Any

import pytest
from test_langchain import Script as LangChainScript
from test_openai_agents import Script as OpenAiScript

EXAMPLES = Path(__file__).parent.parent / "examples"
OUTSIDE = "../notes.md"


@pytest.fixture(autouse=True)
def hooks_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "hooks").mkdir()
    path_jail = Path(os.environ["PORTCULLIS_TEST_EXAMPLES"]) / "path-jail.wasm"
    shutil.copy(path_jail, tmp_path / "hooks")
    (tmp_path / "hooks" / "hooks.toml").write_text("[hooks.path-jail]\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", os.environ["PORTCULLIS_TEST_CACHE"])


def example(name: str) -> dict[str, Any]:
    return runpy.run_path(str(EXAMPLES / name))


async def test_start(capsys: pytest.CaptureFixture[str]) -> None:
    await example("start.py")["main"]()
    assert "The tool was not run: hook `path-jail` refused" in capsys.readouterr().out


async def test_langchain() -> None:
    from langchain_core.messages import AIMessage

    call = {"name": "write_file", "args": {"path": OUTSIDE}, "id": "1"}
    model = LangChainScript(answers=[AIMessage("", tool_calls=[call]), AIMessage("done")], asked=[])
    assert await example("langchain_agent.py")["main"](model) == "done"
    assert "hook `path-jail` refused" in model.asked[1][-1].text


async def test_openai_agents() -> None:
    model = OpenAiScript()
    call = model.answers[0]
    model.answers[0] = call.model_copy(
        update={"name": "write_file", "arguments": '{"path": "../notes.md"}'}
    )
    assert await example("openai_agent.py")["main"](model) == "done"
    assert "hook `path-jail` refused" in str(model.asked[1][-1]["output"])


async def test_pydantic_ai() -> None:
    from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
    from pydantic_ai.models.function import FunctionModel

    asked: list[Any] = []

    def model(messages: Any, info: Any) -> ModelResponse:
        asked.append(messages)
        if len(asked) == 1:
            return ModelResponse([ToolCallPart("write_file", {"path": OUTSIDE})])
        return ModelResponse([TextPart("done")])

    assert await example("pydantic_agent.py")["main"](FunctionModel(model)) == "done"
    assert "hook `path-jail` refused" in asked[1][-1].parts[0].content


async def test_claude() -> None:
    options = example("claude_agent.py")["options"]
    callback = options.hooks["PreToolUse"][0].hooks[0]
    event = {
        "hook_event_name": "PreToolUse",
        "session_id": "s",
        "transcript_path": "/dev/null",
        "cwd": "/work",
        "tool_name": "write_file",
        "tool_input": {"path": OUTSIDE},
        "tool_use_id": "1",
    }
    answer = await callback(event, "1", {"signal": None})
    assert answer["hookSpecificOutput"]["permissionDecision"] == "deny"
