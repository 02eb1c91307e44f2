"""The content of the current call: the text of the user, the model or the turn."""

from portcullis._bindings import imported
from portcullis.contract import ContentPart

_host = imported("content")


def parts() -> list[ContentPart]:
    """Returns all parts, in order."""
    parts: list[ContentPart] = _host.parts()
    return parts


def text() -> str:
    """Returns the text parts, joined."""
    text: str = _host.text()
    return text
