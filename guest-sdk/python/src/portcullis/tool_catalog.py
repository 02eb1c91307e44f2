"""The tools that the model is offered."""

from portcullis._bindings import imported
from portcullis.contract import ToolSpec

_host = imported("tool_catalog")


def names() -> list[str]:
    """Returns the names of the tools, in order."""
    found: list[str] = _host.names()
    return found


def get(name: str) -> ToolSpec | None:
    """Returns the tool of that name."""
    found: ToolSpec | None = _host.get(name)
    return found
