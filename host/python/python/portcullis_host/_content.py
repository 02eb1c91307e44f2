"""Text as the parts of a message."""

from __future__ import annotations

from portcullis_host.contract import ContentPart


def content_parts(content: str | list[ContentPart]) -> list[ContentPart]:
    """Returns the parts; a text is one part."""
    return [{"text": content}] if isinstance(content, str) else content


def text_of(parts: list[ContentPart]) -> str:
    """Returns the text of all parts that are text."""
    return "".join(part["text"] for part in parts if "text" in part)


def text_bytes(parts: list[ContentPart]) -> int:
    """Returns the size of the text, in bytes."""
    return len(text_of(parts).encode())
