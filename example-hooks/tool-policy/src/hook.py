"""Limits the arguments that tools may be called with, and the number of calls.

    [hooks.tool-policy.config]
    calls = 20                                  # of each tool, in a session

    [[hooks.tool-policy.config.rules]]
    tool = "fetch*"
    argument = "url"
    allow = ["https://docs.example.com/*"]
    deny = ["*token=*"]
"""

from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Annotated, Any

from portcullis import config, hook, log, proceed, reject, state, tool_data
from portcullis.contract import (
    Context,
    PostToolCall,
    PostToolCallOutcome,
    PreToolCall,
    PreToolCallOutcome,
)


@dataclass
class Rule:
    """The values that an argument of the matching tools may have: any of `allow`, if given, and none of `deny`."""

    tool: str
    argument: str
    allow: list[str] = field(default_factory=list)
    deny: list[str] = field(default_factory=list)

    def breaks(self, value: str) -> bool:
        """Returns whether the rule forbids the value."""
        allowed = not self.allow or any(fnmatchcase(value, pattern) for pattern in self.allow)
        return not allowed or any(fnmatchcase(value, pattern) for pattern in self.deny)


@dataclass
class Config:
    rules: Annotated[list[Rule], "What the arguments of tools may be."] = field(default_factory=list)
    calls: Annotated[int | None, "How often each tool may be called in a session."] = None


def _values(arguments: dict[str, Any], name: str) -> list[str]:
    """Returns the argument with that name, as the texts that are checked against patterns."""
    value = arguments.get(name)
    if value is None:
        return []
    return [str(one) for one in value] if isinstance(value, list) else [str(value)]


@hook(
    id="tool-policy",
    description="Refuses tool calls whose arguments the operator does not allow, and too many of them.",
    kind="guardrail",
    config=Config,
)
class ToolPolicy:
    def pre_tool_call(self, context: Context, call: PreToolCall) -> PreToolCallOutcome:
        settings = config.read(Config)
        made = state.get(f"calls/{call.name}") or 0
        if settings.calls is not None and made >= settings.calls:
            return reject("too-many-calls", f"`{call.name}` was called {made} times, and may not be called again.")
        arguments = tool_data.arguments()
        for rule in settings.rules:
            if not fnmatchcase(call.name, rule.tool):
                continue
            for value in _values(arguments, rule.argument):
                if rule.breaks(value):
                    log.warn("refused a call", tool=call.name, argument=rule.argument)
                    return reject(
                        "argument-not-allowed",
                        f"`{rule.argument}` of `{call.name}` may not be {value!r}.",
                        {"argument": rule.argument, "allow": rule.allow},
                    )
        return proceed()

    def post_tool_call(self, context: Context, call: PostToolCall) -> PostToolCallOutcome:
        # A call is counted after it ran, so one that another hook refused does not count.
        state.increment(f"calls/{call.name}")
        return proceed()
