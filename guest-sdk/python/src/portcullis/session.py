"""Whose session this is."""

from wit_world.imports import session


def user() -> str | None:
    """The user, as the embedder names them."""
    return session.user()


def working_dir() -> str | None:
    """The directory the agent works in."""
    return session.working_dir()


def parent() -> str | None:
    """The session that started this one as a sub-agent's."""
    return session.parent()


def metadata() -> dict[str, str]:
    """What else the embedder says of the session."""
    return dict(session.metadata())
