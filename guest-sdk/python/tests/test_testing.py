"""Hooks that are called without a host."""

import json
import sys
import unittest
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))

from portcullis import (  # noqa: E402
    BadConfig,
    StateError,
    add_context,
    add_note,
    answer,
    config,
    content,
    contribute,
    conversation,
    events,
    hook,
    http,
    log,
    message,
    model,
    proceed,
    reject,
    replace,
    shared_state,
    state,
    stop,
    switch_provider,
    text,
    tool_data,
    transform,
)
from portcullis import _fake, contract  # noqa: E402
from portcullis._answers import Answers  # noqa: E402
from portcullis._failure import words  # noqa: E402
from portcullis._points import ANSWERS  # noqa: E402
from portcullis.contract import (  # noqa: E402
    Context,
    PreToolCall,
    PreToolCallOutcome,
    PreTurn,
    PreTurnOutcome,
    Role,
)
from portcullis.testing import Answer, Host, _record  # noqa: E402


@contextmanager
def running(host: Host) -> Iterator[None]:
    """A call of this host."""
    _fake.running.append(host)
    try:
        yield
    finally:
        _fake.running.pop()


@dataclass
class Config:
    blocked: list[str]


@hook(id="sample", description="Does what the tests check.")
class Sample:
    returned: Any = None

    def pre_turn(self, context: Context, call: PreTurn) -> PreTurnOutcome:
        said = content.text()
        for word in config.read(Config).blocked:
            if word in said:
                log.info("blocked", word=word, turn=context.turn, bytes=call.text_bytes)
                return reject("blocked-word", "No.", {"word": word})
        return proceed()

    def pre_tool_call(self, context: Context, call: PreToolCall) -> PreToolCallOutcome:
        events.emit("seen", {"tool": call.name})
        if tool_data.arguments().get("path") == "/":
            return transform('{"path": "."}')
        return answer(f"{call.grant.timeout_ms}", is_error=True)

    def prompt_context(self, context: Any, call: Any) -> Any:
        return contribute(add_context("fact", "Water is wet.", [1]), add_note("seen"))

    def post_turn(self, context: Any, call: Any) -> Any:
        return self.returned

    def llm_error(self, context: Any, call: Any) -> Any:
        return switch_provider(call.providers[-1])

    def pre_step(self, context: Any, call: Any) -> Any:
        return stop("enough", f"{call.facts().usage.input_tokens} tokens")

    def session_end(self, context: Any, call: Any) -> Any:
        state.set("total", state.increment("calls") + shared_state.increment("all", "calls", 2))
        state.increment("word")


class Called(unittest.TestCase):
    def test_an_answer_and_what_it_carries(self) -> None:
        host = Host(Sample, config={"blocked": ["secret"]}, content="a secret", context={"turn": 3})
        answer = Answer("reject", code="blocked-word", reason="No.", details='{"word": "secret"}')
        self.assertEqual(host.call("pre-turn", text_bytes=8), [answer])
        self.assertEqual(host.logs, [("info", 'blocked word="secret" turn=3 bytes=8')])

    def test_what_changes_between_calls_is_read_again(self) -> None:
        host = Host(Sample, config={"blocked": ["secret"]}, content="a secret")
        self.assertEqual(len(host.call("pre-turn")), 1)
        host.content = [text("hello")]
        self.assertEqual(host.call("pre-turn"), [])
        host.config = {"blocked": ["hello"]}
        self.assertEqual(host.call("pre-turn")[0]["code"], "blocked-word")

    def test_what_the_handler_raises_is_raised(self) -> None:
        with self.assertRaisesRegex(BadConfig, "`blocked`: missing"):
            Host(Sample).call("pre-turn")

    def test_a_coroutine_is_awaited(self) -> None:
        @hook(id="later", description="Answers later.")
        class Later:
            async def pre_turn(self, context: Context, call: PreTurn) -> PreTurnOutcome:
                return reject("later", context.agent)

        answers = Host(Later).call("pre-turn")
        self.assertEqual(answers, [Answer("reject", code="later", reason="main", details=None)])

    def test_facts_that_are_left_out_are_empty(self) -> None:
        host = Host(Sample, tool_input={"path": "a"})
        given = host.call("pre-tool-call", name="cat")
        self.assertEqual(given, [Answer("answer", content="0", is_error=True)])
        self.assertEqual(host.events, [("seen", {"tool": "cat"})])
        host.tool_input = {"path": "/"}
        self.assertEqual(host.call("pre-tool-call"), [Answer("transform", arguments='{"path": "."}')])

    def test_contributions_are_given_in_order(self) -> None:
        self.assertEqual(
            Host(Sample).call("prompt-context"),
            [
                Answer("add_context", kind="fact", text="Water is wet.", data="[1]"),
                Answer("add_note", code="seen", data="null"),
            ],
        )

    def test_an_option_that_is_left_out_is_none(self) -> None:
        given = Host(Sample).call("llm-error", providers=["a", "b"])
        self.assertEqual(given, [Answer("switch_provider", provider="b", model=None)])

    def test_all_facts_at_once(self) -> None:
        usage = contract.Usage(5, 0, 0, 0)
        (given,) = Host(Sample).call("pre-step", usage=usage)
        self.assertEqual(given["kind"], contract.StopKind_Other("enough"))
        self.assertEqual(given["message"], "5 tokens")

    def test_state_is_kept(self) -> None:
        host = Host(Sample, state={"calls": 1}, shared_state={"all": {"calls": 1}})
        self.assertEqual(host.call("session-end"), [])
        self.assertEqual(host.state, {"calls": 2, "total": 5, "word": 1})
        host.state["word"] = "x"
        with self.assertRaisesRegex(StateError, "not a whole number"):
            host.call("session-end")

    def test_a_server_answers(self) -> None:
        asked = []

        def server(request: http.Request) -> http.Response:
            asked.append(request)
            return http.Response(404, b'{"a": 1}', http.Headers({"X-A": "b"}))

        host = Host(Sample, http=server)
        with running(host):
            response = http.post("https://a.example/b", json={"c": "ö"}, headers={"X-D": "e"}, timeout=2)
            self.assertEqual((response.status, response.ok, response.json()), (404, False, {"a": 1}))
            self.assertEqual((response.headers["x-a"], response.headers.get("X-A")), ("b", "b"))
            with self.assertRaisesRegex(http.StatusError, "status 404"):
                response.raise_for_status()
            host.http = None
            with self.assertRaises(http.Refused) as refused:
                http.get("https://a.example")
        self.assertIsInstance(refused.exception, PermissionError)
        [request] = asked
        self.assertEqual((request.method, request.url, request.timeout), ("POST", "https://a.example/b", 2))
        self.assertEqual(request.content.decode(), '{"c": "\\u00f6"}')
        self.assertEqual(dict(request.headers), {"content-type": "application/json", "x-d": "e"})

    def test_a_request_may_name_its_own_type_of_json(self) -> None:
        host = Host(Sample, http=lambda request: http.Response(200, request.headers["content-type"].encode()))
        with running(host):
            self.assertEqual(http.post("https://a.example", json={}, headers={"Content-Type": "a/b"}).text, "a/b")

    def test_the_model_answers(self) -> None:
        def judge(instructions: str, prompt: str) -> str:
            return f"{instructions} {prompt}"

        host = Host(Sample, model=judge)
        _fake.running.append(host)
        try:
            self.assertEqual(model.complete("Say", "hello").text, "Say hello")
            self.assertGreater(model.tokens_left(), 0)
            host.model = None
            with self.assertRaisesRegex(model.ModelError, "the test has no model"):
                model.complete("Say", "hello")
        finally:
            _fake.running.pop()

    def test_what_is_wrong_in_a_test_is_named(self) -> None:
        with self.assertRaisesRegex(ValueError, "does not serve `tool-update`"):
            Host(Sample).call("tool-update")
        with self.assertRaisesRegex(ValueError, "`pre-turn` has no fact `bytes`"):
            Host(Sample).call("pre-turn", bytes=1)
        with self.assertRaisesRegex(TypeError, "`int` is not a hook"):
            Host(int)
        with self.assertRaisesRegex(RuntimeError, "`conversation.len` has no host here"):
            conversation.length()


class Returned(unittest.TestCase):
    """The outcomes that a handler may return at `post-turn`."""

    def give(self, outcome: Any) -> list[Answer]:
        host = Host(Sample)
        host.hook.returned = outcome
        return host.call("post-turn")

    def test_nothing_and_proceed_continue(self) -> None:
        for outcome in (None, proceed(), contribute()):
            self.assertEqual(self.give(outcome), [])

    def test_one_contribution_alone(self) -> None:
        self.assertEqual(self.give(add_note("a", 1)), [Answer("add_note", code="a", data="1")])

    def test_what_is_not_an_outcome(self) -> None:
        for outcome in ({"tag": "reject"}, "reject", True, reject):
            with self.assertRaisesRegex(TypeError, "is not an outcome: return proceed\(\), transform"):
                self.give(outcome)

    def test_what_is_not_legal_here(self) -> None:
        with self.assertRaisesRegex(TypeError, r"`stop` cannot be answered at post-turn: return proceed\(\), transform.* \(returned by post_turn \(test_testing.py:\d+\)\)"):
            self.give(stop("a", "b"))
        with self.assertRaisesRegex(TypeError, "`add_context` cannot be answered at post-turn"):
            self.give(contribute(add_note("a"), add_context("a", "b")))

    def test_what_carries_something_else(self) -> None:
        for outcome in (transform("text"), transform([text("a")], 1), reject(1, "a")):  # type: ignore
            with self.assertRaisesRegex(TypeError, "at post-turn, and was given"):
                self.give(outcome)

    def test_names_may_be_in_any_order(self) -> None:
        of_any: Any = transform
        self.assertEqual(of_any(is_error=False, content="a"), transform("a", is_error=False))
        self.assertEqual(of_any(instructions="a", keep=[1]), transform([1], "a"))
        self.assertEqual(transform([1], instructions="a"), transform([1], "a"))
        self.assertEqual(self.give(of_any(content=[text("a")])), [Answer("transform", content=[text("a")])])

    def test_a_name_that_is_wrong_or_missing(self) -> None:
        for function in (transform, replace, answer):
            of_any: Any = function
            name = of_any.__name__
            with self.assertRaisesRegex(TypeError, f"^`{name}` has no `is_eror`: it takes .*\\(content, is_error\\)"):
                of_any("a", is_eror=True)
            with self.assertRaisesRegex(TypeError, f"^`{name}` with `is_error` needs `content` too$"):
                of_any(is_error=True)
            with self.assertRaisesRegex(TypeError, "given `content` and 1 values without a name"):
                of_any("a", content="a")

    def test_what_the_component_does_not_import(self) -> None:
        answers = Answers("pre-turn")
        outcome = reject("a", "b")
        del answers.functions["reject"], answers[type(outcome)]
        with self.assertRaisesRegex(TypeError, "did not see that the hook uses it"):
            answers[type(outcome)](outcome)


class Types(unittest.TestCase):
    def test_every_point_can_be_called_with_every_fact_empty(self) -> None:
        def read_all(_: Any, context: Any, call: Any) -> None:
            for fact in _facts(type(call)):
                self.assertIs(getattr(call, fact), getattr(call, fact))
            call.facts(), context.facts(), context.session_id

        methods = {point.replace("-", "_"): read_all for point in ANSWERS}
        every = hook(id="every", description="Serves everything.")(type("Every", (), methods))
        for point in ANSWERS:
            self.assertEqual(Host(every).call(point), [])
            self.assertTrue(hasattr(contract, f"{_class(point)}Outcome"))
            self.assertEqual(_facts(_class_of(point)), list(_record(point).__annotations__))

    def test_a_message(self) -> None:
        self.assertEqual(message(Role.USER, "a"), contract.Message(Role.USER, [text("a")]))

    def test_a_failure_names_its_place(self) -> None:
        try:
            json.loads("{")
        except ValueError as error:
            place = r"\(at test_a_failure_names_its_place \(test_testing\.py:\d+\)\)$"
            self.assertRegex(words(error), f"^JSONDecodeError: .* {place}")
            error.__cause__ = error
            self.assertEqual(words(error).count("caused by"), 4)


def _class(point: str) -> str:
    return "".join(word.capitalize() for word in point.split("-"))


def _facts(called: type) -> list[str]:
    return [name for name, member in vars(called).items() if isinstance(member, property)]


def _class_of(point: str) -> Any:
    return getattr(contract, _class(point))


if __name__ == "__main__":
    unittest.main()
