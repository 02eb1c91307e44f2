"""The messages so far."""

from portcullis._bindings import imported
from portcullis.contract import Message

_host = imported("conversation")


def length() -> int:
    """Returns the number of messages."""
    length: int = _host.len()
    return length


def last() -> Message | None:
    """Returns the newest message, or None."""
    message: Message | None = _host.last()
    return message


def get(index: int) -> Message | None:
    """Returns the message at `index`, or None. The oldest is at 0."""
    message: Message | None = _host.get(index)
    return message


def slice(start: int, end: int) -> list[Message]:
    """Returns the messages from `start` up to, but not including, `end`. Indexes outside of the list are ignored."""
    messages: list[Message] = _host.slice(start, end)
    return messages


def turn_start() -> int:
    """Returns the index of the first message that the current turn has added; outside of a turn, their number."""
    start: int = _host.turn_start()
    return start


def of_turn() -> list[Message]:
    """Returns the messages that the current turn has added so far; at `post-turn`, all messages of the turn."""
    return slice(turn_start(), 2**32 - 1)
