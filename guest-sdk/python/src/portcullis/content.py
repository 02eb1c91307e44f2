"""The content of the current call: what the user, the model or the turn says."""

from portcullis._bindings import imported
from portcullis.contract import ContentPart

_host = imported("content")


def parts() -> list[ContentPart]:
    """All parts, in order."""
    parts: list[ContentPart] = _host.parts()
    return parts


def text() -> str:
    """The text parts, joined."""
    text: str = _host.text()
    return text
