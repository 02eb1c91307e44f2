"""The messages so far."""

from portcullis._bindings import imported
from portcullis.contract import Message

_host = imported("conversation")


def length() -> int:
    """How many there are."""
    length: int = _host.len()
    return length


def last() -> Message | None:
    """The newest, or None."""
    message: Message | None = _host.last()
    return message


def get(index: int) -> Message | None:
    """The one at `index`, the oldest being 0, or None."""
    message: Message | None = _host.get(index)
    return message


def slice(start: int, end: int) -> list[Message]:
    """Those from `start` up to, and without, `end`; what lies outside is left out."""
    messages: list[Message] = _host.slice(start, end)
    return messages


def turn_start() -> int:
    """The index of the first message that the current turn has added; outside of a turn, how many there are."""
    start: int = _host.turn_start()
    return start


def of_turn() -> list[Message]:
    """The messages that the current turn has added so far; at `post-turn` these are all."""
    return slice(turn_start(), 2**32 - 1)
