"""The messages so far."""

from portcullis.contract import Message
from wit_world.imports import conversation


def length() -> int:
    """How many there are."""
    return conversation.len()


def last() -> Message | None:
    """The newest."""
    return conversation.last()


def get(index: int) -> Message | None:
    """The one at `index`, the oldest being 0."""
    return conversation.get(index)


def slice(start: int, end: int) -> list[Message]:
    """Those from `start` up to, and without, `end`; what lies outside is left out."""
    return conversation.slice(start, end)
