"""Unit tests of a hook, without a host and without building a component.

    from hook import WordFilter
    from portcullis.testing import Answer, Host

    def test_a_blocked_word_is_refused() -> None:
        host = Host(WordFilter, config={"blocked": ["frobnicate"]}, content="please frobnicate")
        assert host.call("pre-turn") == [
            Answer("reject", code="blocked-word", reason="The message was blocked.", details=None)
        ]

The host here gives the hook the test's data and keeps the hook's answers. It does not check
grants or limits, and it does not apply answers: the cases of `portcullis test` do.
"""

from __future__ import annotations

import dataclasses
import enum
import json
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from portcullis import _fake, config, contract, http
from portcullis._hook import METHODS, defined
from portcullis._points import ANSWERS
from portcullis._serve import serve
from portcullis.contract import ContentPart, ContentPart_Text


class Answer:
    """An answer as the host receives it: a function of the contract, such as `reject`, with its arguments."""

    def __init__(self, name: str, /, **arguments: Any) -> None:
        self.name = name
        self.arguments = arguments

    def __getitem__(self, argument: str) -> Any:
        return self.arguments[argument]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Answer):
            return NotImplemented
        return (self.name, self.arguments) == (other.name, other.arguments)

    def __repr__(self) -> str:
        arguments = "".join(f", {name}={value!r}" for name, value in self.arguments.items())
        return f"Answer({self.name!r}{arguments})"

    __hash__ = None  # type: ignore[assignment]


class Host:
    """A host with one hook. The constructor's arguments may be changed between calls.

    `content` is a text or parts. `tool_input` is the text of a JSON object, or a value that becomes one.
    `prompt` has the keys `policies`, `context_items`, `sections` and `queries`; `session` has `user`,
    `working_dir`, `parent` and `metadata`. `shared_state` is by namespace. State holds JSON values.
    `editable_keys` are the keys of the agent's state that the hook may change, `turn_start` is the index of
    the turn's first message. `model` is called with the instructions and the prompt, and returns the model's text.
    `http` is called with each request, and returns the response or raises the hook's error.
    """

    def __init__(
        self,
        hook: type[Any],
        *,
        config: Mapping[str, Any] | None = None,
        content: str | Sequence[ContentPart] = (),
        conversation: Sequence[contract.Message] = (),
        turn_start: int | None = None,
        tool_input: str | Mapping[str, Any] = "",
        tool_output: str | None = None,
        tools: Sequence[contract.ToolSpec] = (),
        prompt: Mapping[str, Sequence[Any]] | None = None,
        agent_state: Mapping[str, Any] | None = None,
        agent_state_diff: Mapping[str, tuple[Any, Any]] | None = None,
        agent_state_changed_by: str | None = None,
        editable_keys: Sequence[str] = (),
        session: Mapping[str, Any] | None = None,
        verdict: contract.ChainVerdict | None = None,
        state: Mapping[str, Any] | None = None,
        shared_state: Mapping[str, Mapping[str, Any]] | None = None,
        secrets: Mapping[str, str] | None = None,
        model: Callable[[str, str], str] | None = None,
        http: Callable[[http.Request], http.Response] | None = None,
        context: Mapping[str, Any] | None = None,
    ) -> None:
        if not any(one.cls is hook for one in defined):
            raise TypeError(f"`{hook.__name__}` is not a hook: put @hook(…) before the class")
        self.hook = hook()
        self.config = dict(config or {})
        self.content = content
        self.conversation = list(conversation)
        self.turn_start = turn_start
        self.tool_input = tool_input
        self.tool_output = tool_output
        self.tools = list(tools)
        self.prompt = dict(prompt or {})
        self.agent_state = dict(agent_state or {})
        self.agent_state_diff = dict(agent_state_diff or {})
        self.agent_state_changed_by = agent_state_changed_by
        self.editable_keys = set(editable_keys)
        #: The changes of the agent's state so far: the value of each key, None if it was removed.
        self.agent_state_edits: dict[str, Any] = {}
        self.session = dict(session or {})
        self.verdict = verdict
        self.state = dict(state or {})
        self.shared_state = {name: dict(space) for name, space in (shared_state or {}).items()}
        self.secrets = dict(secrets or {})
        self.model = model
        self.http = http
        self.context: dict[str, Any] = {"session_id": "test", "agent": "main", "turn": 1, "step": 1}
        self.context.update(context or {})
        #: The log lines so far, each with its level.
        self.logs: list[tuple[str, str]] = []
        #: The events so far, each with its name and data.
        self.events: list[tuple[str, Any]] = []
        self._facts: dict[str, Any] = {}
        self._answers: list[Answer] = []

    def call(self, point: str, /, **facts: Any) -> list[Answer]:
        """Calls the hook at a point, such as `pre-turn`, with these facts; a fact that is left out is
        zero, empty or None. Returns the hook's answers: none if it continued, and more than one
        answer only where it contributes.

        Raises the exception that the handler raises.
        """
        name = point.replace("-", "_")
        if name not in METHODS or not hasattr(self.hook, name):
            raise ValueError(f"`{type(self.hook).__name__}` does not serve `{point}`")
        facts_record = _record(METHODS[name])
        self._facts = {**_fields(facts_record), **facts}
        unknown = facts.keys() - {field.name for field in dataclasses.fields(facts_record)}
        if unknown:
            raise ValueError(f"`{point}` has no fact `{min(unknown)}`")
        self._facts["facts"] = facts_record(**self._facts)
        self._answers = []
        config._KNOWN.clear()
        _fake.running.append(self)
        try:
            answered = serve(METHODS[name], self.hook, _raise)().handle()
        finally:
            _fake.running.pop()
        assert answered == bool(self._answers)
        return self._answers

    def _call(self, interface: str, function: str, arguments: tuple[Any, ...]) -> Any:
        base, _, kind = interface.rpartition("_")
        if kind == "facts" and base in METHODS:
            return self._facts[function]
        if kind == "answer" and base in METHODS:
            params = ANSWERS[METHODS[base]][function]
            self._answers.append(Answer(function, **dict(zip(params, arguments))))
            return None
        if interface == "call":
            whole = function == "context"
            return contract.ContextFacts(**self.context) if whole else self.context[function]
        return getattr(self, f"_{interface}_{function}")(*arguments)

    def _content_parts(self) -> list[ContentPart]:
        if isinstance(self.content, str):
            return [ContentPart_Text(self.content)]
        return list(self.content)

    def _content_text(self) -> str:
        parts = self._content_parts()
        return "".join(part.value for part in parts if isinstance(part, ContentPart_Text))

    def _conversation_len(self) -> int:
        return len(self.conversation)

    def _conversation_last(self) -> contract.Message | None:
        return self.conversation[-1] if self.conversation else None

    def _conversation_get(self, index: int) -> contract.Message | None:
        return self.conversation[index] if index < len(self.conversation) else None

    def _conversation_slice(self, start: int, end: int) -> list[contract.Message]:
        return self.conversation[start:end]

    def _conversation_turn_start(self) -> int:
        length = len(self.conversation)
        return length if self.turn_start is None else min(self.turn_start, length)

    def _tool_data_input(self) -> str:
        given = self.tool_input
        return given if isinstance(given, str) else json.dumps(given)

    def _tool_data_output(self) -> str | None:
        return self.tool_output

    def _tool_catalog_names(self) -> list[str]:
        return [tool.name for tool in self.tools]

    def _tool_catalog_get(self, name: str) -> contract.ToolSpec | None:
        return next((tool for tool in self.tools if tool.name == name), None)

    def _prompt_policies(self) -> list[contract.DomainPolicy]:
        return list(self.prompt.get("policies", ()))

    def _prompt_policy(self, domain: str) -> contract.DomainPolicy | None:
        found = [policy for policy in self._prompt_policies() if policy.domain == domain]
        return found[-1] if found else None

    def _prompt_context_items(self) -> list[contract.ContextItem]:
        return list(self.prompt.get("context_items", ()))

    def _prompt_sections(self) -> list[contract.PromptSection]:
        return list(self.prompt.get("sections", ()))

    def _prompt_queries(self) -> list[str]:
        return list(self.prompt.get("queries", ()))

    def _agent_state_get(self, key: str) -> str | None:
        return json.dumps(self.agent_state[key]) if key in self.agent_state else None

    def _agent_state_diff(self) -> str:
        return json.dumps(self.agent_state_diff)

    def _agent_state_changed_by(self) -> str | None:
        return self.agent_state_changed_by

    def _agent_state_edit_set(self, key: str, value: str) -> None:
        self._edit(key, json.loads(value))

    def _agent_state_edit_remove(self, key: str) -> None:
        self._edit(key, None)

    def _edit(self, key: str, value: Any) -> None:
        if key not in self.editable_keys:
            raise _fake.Err(contract.EditError_Denied(f"the key `{key}` is not granted"))
        self.agent_state_edits[key] = value

    def _session_user(self) -> Any:
        return self.session.get("user")

    def _session_working_dir(self) -> Any:
        return self.session.get("working_dir")

    def _session_parent(self) -> Any:
        return self.session.get("parent")

    def _session_metadata(self) -> list[tuple[str, str]]:
        return list(self.session.get("metadata", {}).items())

    def _verdict_current(self) -> contract.ChainVerdict | None:
        return self.verdict

    def _store_get(self, key: str) -> str | None:
        return json.dumps(self.config) if key == "" else None

    def _logging_log(self, level: _fake.Level, context: str, message: str) -> None:
        self.logs.append((level.name.lower(), message))

    def _events_emit(self, name: str, data: str) -> None:
        self.events.append((name, json.loads(data)))

    def _secrets_get(self, name: str) -> str | None:
        return self.secrets.get(name)

    def _http_send(self, request: http.Request) -> http.Response:
        if self.http is None:
            raise http.Refused("the test has no servers")
        return self.http(request)

    def _model_complete(
        self, instructions: str, prompt: str, max_tokens: int | None
    ) -> contract.Completion:
        if self.model is None:
            raise _fake.Err(contract.ModelError_NoModel("the test has no model"))
        text = self.model(instructions, prompt)
        usage = contract.Usage(0, 0, 0, 0)
        return contract.Completion(text, contract.StopReason_EndTurn(), usage)

    def _model_tokens_left(self) -> int:
        return 0 if self.model is None else 2**64 - 1

    def _state_get(self, key: str) -> bytes | None:
        return _get(self.state, key)

    def _state_set(self, key: str, value: bytes) -> None:
        self.state[key] = json.loads(value)

    def _state_delete(self, key: str) -> None:
        self.state.pop(key, None)

    def _state_keys(self) -> list[str]:
        return sorted(self.state)

    def _state_increment(self, key: str, delta: int) -> int:
        return _increment(self.state, key, delta)

    def _space(self, namespace: str) -> dict[str, Any]:
        return self.shared_state.setdefault(namespace, {})

    def _shared_state_get(self, namespace: str, key: str) -> bytes | None:
        return _get(self._space(namespace), key)

    def _shared_state_set(self, namespace: str, key: str, value: bytes) -> None:
        self._space(namespace)[key] = json.loads(value)

    def _shared_state_delete(self, namespace: str, key: str) -> None:
        self._space(namespace).pop(key, None)

    def _shared_state_keys(self, namespace: str) -> list[str]:
        return sorted(self._space(namespace))

    def _shared_state_increment(self, namespace: str, key: str, delta: int) -> int:
        return _increment(self._space(namespace), key, delta)


def _raise(error: BaseException) -> bool:
    raise error


def _get(state: Mapping[str, Any], key: str) -> bytes | None:
    return json.dumps(state[key]).encode() if key in state else None


def _increment(state: dict[str, Any], key: str, delta: int) -> int:
    value = state.get(key, 0)
    if type(value) is not int:
        raise _fake.Err(contract.StateError_NotANumber())
    state[key] = value + delta
    return value + delta


def _record(point: str) -> Any:
    """Returns the record of all facts of a point."""
    called = getattr(contract, "".join(word.capitalize() for word in point.split("-")))
    return typing.get_type_hints(called.facts, vars(contract))["return"]


def _fields(record: Any) -> dict[str, Any]:
    """Returns the fields of a record, zero, empty or None."""
    return {name: _empty(kind) for name, kind in typing.get_type_hints(record).items()}


def _empty(kind: Any) -> Any:
    if isinstance(kind, types.UnionType):
        cases = typing.get_args(kind)
        return None if type(None) in cases else _empty(cases[0])
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        return kind(**_fields(kind))
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return next(iter(kind))
    return (typing.get_origin(kind) or kind)()
