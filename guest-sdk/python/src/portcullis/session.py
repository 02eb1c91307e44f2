"""Whose session this is."""

from portcullis._bindings import imported

_host = imported("session")


def user() -> str | None:
    """The user, as the embedder names them."""
    found: str | None = _host.user()
    return found


def working_dir() -> str | None:
    """The directory the agent works in."""
    found: str | None = _host.working_dir()
    return found


def parent() -> str | None:
    """The session that started this one as a sub-agent's."""
    found: str | None = _host.parent()
    return found


def metadata() -> dict[str, str]:
    """What else the embedder says of the session."""
    return dict(_host.metadata())
