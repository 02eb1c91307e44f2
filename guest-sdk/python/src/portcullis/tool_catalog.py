"""The tools that the model is offered."""

from portcullis.contract import ToolSpec
from wit_world.imports import tool_catalog


def names() -> list[str]:
    """Their names, in order."""
    return tool_catalog.names()


def get(name: str) -> ToolSpec | None:
    """The tool of that name."""
    return tool_catalog.get(name)
