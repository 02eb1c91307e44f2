"""The session's user, working directory, parent and metadata."""

from portcullis._bindings import imported

_host = imported("session")


def user() -> str | None:
    """Returns the user, as the embedder names them."""
    found: str | None = _host.user()
    return found


def working_dir() -> str | None:
    """Returns the directory that the agent works in."""
    found: str | None = _host.working_dir()
    return found


def parent() -> str | None:
    """Returns the parent's session, if this is the session of a sub-agent."""
    found: str | None = _host.parent()
    return found


def metadata() -> dict[str, str]:
    """Returns the embedder's metadata of the session."""
    return dict(_host.metadata())
