from dataclasses import dataclass

from portcullis import Continue, config, content, hook, log, reject
from portcullis.contract import Context, PreTurnOutcome, TurnInput


@dataclass
class Config:
    blocked: list[str]


@hook(
    id="word-filter",
    description="Refuses turns that contain a blocked word.",
    role="gate",
    priority=10,
)
class WordFilter:
    def pre_turn(self, context: Context, input: TurnInput) -> PreTurnOutcome:
        text = content.text()
        for word in config.read(Config).blocked:
            if word in text:
                log.info("blocked a turn", word=word)
                return reject("blocked-word", "The message was blocked.")
        return Continue()
