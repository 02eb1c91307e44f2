from dataclasses import dataclass

from portcullis import config, content, hook, log, proceed, reject
from portcullis.contract import Context, PreTurn, PreTurnOutcome


@dataclass
class Config:
    blocked: list[str]


@hook(
    id="word-filter",
    description="Refuses turns that contain a blocked word.",
    priority=10,
    config=Config,
)
class WordFilter:
    def pre_turn(self, context: Context, call: PreTurn) -> PreTurnOutcome:
        text = content.text()
        for word in config.read(Config).blocked:
            if word in text:
                log.info("blocked a turn", word=word)
                return reject("blocked-word", "The message was blocked.")
        return proceed()
