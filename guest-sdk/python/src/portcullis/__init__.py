"""Write Portcullis hooks in Python.

    from dataclasses import dataclass

    from portcullis import config, content, hook, log, proceed, reject
    from portcullis.contract import Context, PreTurn, PreTurnOutcome


    @dataclass
    class Config:
        blocked: list[str]


    @hook(id="word-filter", description="Refuses turns that contain a blocked word.")
    class WordFilter:
        def pre_turn(self, context: Context, call: PreTurn) -> PreTurnOutcome:
            text = content.text()
            for word in config.read(Config).blocked:
                if word in text:
                    log.info("blocked a turn", word=word)
                    return reject("blocked-word", "The message was blocked.")
            return proceed()

The component exports the points that the class has methods for. It imports the modules and the
outcomes of this package that the hook's own modules name: a hook that does not name `conversation`
cannot read a message, and one that does not name `reject` cannot refuse anything.

An exception that a method raises is the hook's failure, never a refusal. All modules are imported when the
component is built, also those that are imported in functions.

`portcullis.testing` calls a hook without a host.
"""

from portcullis._hook import hook
from portcullis.errors import BadConfig, StateError
from portcullis.outcomes import (
    add_context,
    add_job,
    add_note,
    add_policy,
    add_section,
    add_tools,
    answer,
    ask,
    contribute,
    give_up,
    keep_going,
    message,
    proceed,
    reject,
    replace,
    retry,
    stop,
    switch_provider,
    text,
    text_of,
    transform,
)

__all__ = [
    "BadConfig",
    "StateError",
    "add_context",
    "add_job",
    "add_note",
    "add_policy",
    "add_section",
    "add_tools",
    "answer",
    "ask",
    "contribute",
    "give_up",
    "hook",
    "keep_going",
    "message",
    "proceed",
    "reject",
    "replace",
    "retry",
    "stop",
    "switch_provider",
    "text",
    "text_of",
    "transform",
]
