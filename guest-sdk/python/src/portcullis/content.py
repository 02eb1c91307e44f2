"""The content in hand: what the user, the model or the turn says."""

from portcullis.contract import ContentPart
from wit_world.imports import content


def parts() -> list[ContentPart]:
    """All parts, in order."""
    return content.parts()


def text() -> str:
    """The text parts, joined."""
    return content.text()
