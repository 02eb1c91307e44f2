"""Tests of the host in Python, with real components."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import CACHE, COMPONENTS, Load

from portcullis_host import (
    Hooks,
    Job,
    LoadError,
    NoQuestionError,
    Refused,
    RequestError,
    StoreError,
    text_of,
)


def test_a_call_waits_or_is_awaited(load: Load) -> None:
    hooks = load(pre_tool_call='transform {"path":"b"}')
    with hooks.session("s") as session:
        verdict = session.pre_tool_call("write", {"path": "a"}).wait()
    assert (verdict.kind, verdict.passed, verdict.by) == ("transform", True, ["probe"])
    assert json.loads(verdict.payload) == {"path": "b"}

    async def same() -> str:
        async with hooks.session("t") as session:
            return (await session.pre_tool_call("write", {"path": "a"})).payload

    assert asyncio.run(same()) == verdict.payload


async def test_a_refusal_says_who_and_why(load: Load) -> None:
    hooks = load(pre_turn="reject no \x1b[31m", pre_tool_call="panic")
    async with hooks.session("s") as session:
        refused = await session.pre_turn("Hello")
        assert (refused.kind, refused.passed, refused.by) == ("reject", False, ["probe"])
        assert refused.reason is not None and "\x1b" not in refused.reason
        assert refused.runs[0]["hook"] == "probe" and refused.runs[0]["outcome"] == "reject"
        failed = await session.pre_tool_call("write", {})
        assert (failed.kind, failed.code) == ("failed", "trap")


async def test_every_method_calls_its_point(load: Load) -> None:
    hooks = load(
        pre_turn="append !", post_turn="append ?", post_llm_call="append .", post_tool_call="append ;"
    )
    async with hooks.session("s", model="large") as session:
        assert text_of((await session.pre_turn("a")).payload) == "a!"
        call = (await session.pre_llm_call([{"role": "user", "content": [{"text": "a"}]}])).payload
        assert call["call"]["model"] == "large" and call["messages"][0]["role"] == "user"
        assert text_of((await session.post_llm_call("b")).payload) == "b."
        output = (await session.post_tool_call("write", {}, "c", is_error=True)).payload
        assert output == {"content": "c;", "is_error": True}
        assert text_of((await session.post_turn("d")).payload) == "d?"
        assert (session.turn, session.step) == (1, 1)


async def test_a_question_is_answered(load: Load) -> None:
    hooks = load(pre_tool_call="ask May it?")
    async with hooks.session("s") as session:
        asked = await session.pre_tool_call("write", {"path": "a"})
        assert asked.kind == "pending" and asked.questions[0]["question"] == "May it?"
        assert (await session.approve(asked)).kind == "continue"
        with pytest.raises(NoQuestionError):
            await session.approve(asked)
        asked = await session.pre_tool_call("write", {"path": "a"})
        denied = await session.deny(asked, "not today")
        assert denied.kind == "reject" and denied.reason is not None
        with pytest.raises(ValueError, match="nothing was asked"):
            session.approve(denied)


def test_the_session_is_refused_at_its_start(load: Load) -> None:
    hooks = load(session_start="reject")
    with pytest.raises(Refused, match="told to refuse"):
        with hooks.session("s"):
            pytest.fail("it was not refused")
    assert hooks.open_sessions == 0


async def test_mistakes_are_named(load: Load, directory: Callable[..., Path]) -> None:
    hooks = load()
    async with hooks.session("s") as session:
        with pytest.raises(RequestError, match="did you mean `pre-turn`"):
            await session.call("pre-tur", {})
        with pytest.raises(RequestError, match="text-bytes"):
            await session.call("pre-turn", {"text_byte": 1, "parts": 1})
        with pytest.raises(TypeError, match="`set`"):
            session.call("pre-turn", {"text_bytes": {1}, "parts": 1})
        used = session.pre_turn("a")
        await used
        with pytest.raises(RuntimeError, match="already"):
            used.wait()
    with pytest.raises(RequestError, match="256 bytes"):
        hooks.session("").pre_turn("a").wait()
    with pytest.raises(StoreError, match="sqlite:PATH"):
        Hooks.load("hooks", store="mysql://a")


def test_what_does_not_load_is_named(tmp_path: Path) -> None:
    (tmp_path / "broken.wasm").write_bytes(b"\0asm")
    with pytest.raises(LoadError, match="broken.wasm"):
        Hooks.load(tmp_path, cache=CACHE)


def test_a_call_that_is_forgotten_warns(load: Load) -> None:
    session = load().session("s")
    with pytest.warns(RuntimeWarning, match="no hook ran"):
        session.pre_turn("a")


def test_what_hooks_remember_is_in_the_store(directory: Callable[..., Path], tmp_path: Path) -> None:
    dir = directory(pre_turn="remember")
    url = f"sqlite:{tmp_path / 'store.sqlite'}"
    texts = []
    for _ in range(2):
        hooks = Hooks.load(dir, store=url, cache=CACHE)
        session = hooks.session("s")
        texts.append(text_of(session.pre_turn("a").wait().payload))
        hooks.close().wait()
    assert texts[0] != texts[1]


async def test_the_agents_own_keys_are_not_renamed(load: Load) -> None:
    hooks = load(pre_turn="look")
    async with hooks.session("s") as session:
        verdict = await session.call(
            "pre-turn",
            {"text_bytes": 0, "parts": 0},
            {"agent_state": {"values": {"mood": {"own_key": 1}}, "diff": {"my_key": 1}}},
        )
        assert "my_key" in json.dumps(verdict.payload) and "own_key" in json.dumps(verdict.payload)


def test_the_keys_of_a_hooks_changes_of_the_agents_state_are_not_renamed(tmp_path: Path) -> None:
    dir = tmp_path / "editors"
    dir.mkdir()
    shutil.copy(COMPONENTS / "editor.wasm", dir)
    grants = 'events = true\nagent-state-edit = ["user-name"]\n'
    (dir / "hooks.toml").write_text(f"[hooks.editor.grants]\n{grants}")
    session = Hooks.load(dir, cache=CACHE).session("s")
    verdict = session.pre_turn('set user-name {"first-name": "A"}').wait()
    (output,) = verdict.contributions["side_outputs"]
    assert output["value"]["state_edits"] == {"user-name": {"first-name": "A"}}


async def test_a_hook_that_waits_leaves_the_event_loop_to_others(sleeper: Hooks) -> None:
    session = sleeper.session("s")

    async def turn(ms: int) -> str:
        return (await sleeper.session(f"s{ms}").pre_turn(f"{ms} refuse")).kind

    long = asyncio.ensure_future(turn(600_000))
    assert await turn(1) == "reject"
    assert not long.done()
    long.cancel()
    with pytest.raises(asyncio.CancelledError):
        await long
    assert (await session.pre_turn("1")).kind == "continue"


def test_other_threads_run_while_hooks_run(sleeper: Hooks) -> None:
    done = threading.Event()
    call = sleeper.session("s").pre_turn("300000")
    waiting = threading.Thread(target=lambda: (done.wait(), None), daemon=True)
    waiting.start()
    ended = threading.Thread(target=call.wait, daemon=True)
    ended.start()
    # If the hook held Python's lock, this would wait for it.
    done.set()
    waiting.join()
    assert ended.is_alive()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_a_forked_process_is_told(load: Load) -> None:
    session = load().session("s")
    child = os.fork()
    if child == 0:
        try:
            session.pre_turn("a")
        except RuntimeError:
            os._exit(7)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7


def test_a_component_is_compiled_in_a_child_process(
    directory: Callable[..., Path], tmp_path: Path
) -> None:
    dir = directory()
    settings = (dir / "hooks.toml").read_text()
    (dir / "hooks.toml").write_text(f"[engine]\ncompile-memory-bytes = 1\n{settings}")
    with pytest.raises(LoadError, match="memory"):
        Hooks.load(dir, cache=tmp_path / "a")
    Hooks.load(dir, cache=tmp_path / "b", compile_in_child=False)


async def test_log_lines_reach_logging(load: Load, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(1, logger="portcullis_host.hooks")
    async with load(pre_turn="lines 2", post_turn="emit 1").session("s") as session:
        await session.pre_turn("a")
        await session.post_turn("b")
    records = [record for record in caplog.records if record.name == "portcullis_host.hooks.probe"]
    assert len(records) >= 3
    assert any(record.getMessage().startswith("event ") for record in records)


async def test_jobs_are_handed_to_the_caller(directory: Callable[..., Path]) -> None:
    jobs: list[Job] = []
    dir = directory(post_turn="contribute job tidy")
    hooks = Hooks.load(dir, cache=CACHE, on_job=jobs.append)
    async with hooks.session("s") as session:
        await session.pre_turn("a")
        await session.post_turn("b")
    assert [(job.session, job.hook) for job in jobs] == [("s", "probe")]
    assert json.loads(jobs[0].input) == {}


def test_a_job_that_nobody_takes_is_a_warning(load: Load, caplog: pytest.LogCaptureFixture) -> None:
    with load(post_turn="contribute job tidy").session("s") as session:
        session.pre_turn("a").wait()
        session.post_turn("b").wait()
    assert "is dropped: the hooks were loaded without `on_job`" in caplog.text


async def test_hooks_are_loaded_again(directory: Callable[..., Path]) -> None:
    dir = directory(pre_turn="continue")
    hooks = Hooks.load(dir, cache=CACHE)
    async with hooks.session("s") as session:
        assert (await session.pre_turn("a")).kind == "continue"
        settings = (dir / "hooks.toml").read_text()
        (dir / "hooks.toml").write_text(settings.replace('"continue"', '"reject"'))
        assert (await hooks.reload())["changed"] == ["probe"]
        assert (await session.pre_turn("a")).kind == "reject"
        (dir / "hooks.toml").write_text("[")
        reload = await hooks.reload()
        assert reload["changed"] == [] and "hooks.toml" in reload["errors"][0]
        assert (await session.pre_turn("a")).kind == "reject"


def test_a_call_is_part_of_the_callers_trace(tmp_path: Path) -> None:
    told = '["sh", "-c", "echo [$TRACEPARENT $TRACESTATE $BAGGAGE] >&2; exit 2"]'
    (tmp_path / "hooks.toml").write_text(
        f'[scripts.told]\ncommand = {told}\npoints = ["pre-turn"]\n'
    )
    hooks = Hooks.load(tmp_path, cache=CACHE)
    parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
    carrier = {"traceparent": parent, "tracestate": "a=1", "baggage": "tenant=7", "b3": "0"}
    with hooks.session("s", trace=carrier) as session:
        assert session.pre_turn("Hello").wait().reason == f"[{parent} a=1 tenant=7]"
        session.trace = {"traceparent": "00-0-0-00"}
        assert session.pre_turn("Hello").wait().reason == "[ ]"
        session.trace = None
        assert session.pre_turn("Hello").wait().reason == "[ ]"
