"""Write Portcullis hooks in Python.

    from dataclasses import dataclass

    from portcullis import Continue, config, content, hook, log, reject
    from portcullis.contract import Context, PreTurnOutcome, TurnInput


    @dataclass
    class Config:
        blocked: list[str]


    @hook(id="word-filter", description="Refuses turns that contain a blocked word.", role="gate")
    class WordFilter:
        def pre_turn(self, context: Context, input: TurnInput) -> PreTurnOutcome:
            text = content.text()
            for word in config.read(Config).blocked:
                if word in text:
                    log.info("blocked a turn", word=word)
                    return reject("blocked-word", "The message was blocked.")
            return Continue()

The component exports the points that the class has methods for, and imports the modules of this
package that the hook's own modules import: a hook that does not import `conversation` cannot read
a message.

What a method raises is the hook's failure, never a refusal. All modules are imported when the
component is built: an `import` inside of a function finds nothing at run time.
"""

from portcullis._hook import hook
from portcullis.errors import BadConfig, StateError
from portcullis.outcomes import (
    Answer,
    Ask,
    Continue,
    Contribute,
    KeepGoing,
    Reject,
    Replace,
    Stop,
    Transform,
    ask,
    contribute,
    message,
    reject,
    stop,
    text,
    text_of,
)

__all__ = [
    "Answer",
    "Ask",
    "BadConfig",
    "Continue",
    "Contribute",
    "KeepGoing",
    "Reject",
    "Replace",
    "StateError",
    "Stop",
    "Transform",
    "ask",
    "contribute",
    "hook",
    "message",
    "reject",
    "stop",
    "text",
    "text_of",
]
