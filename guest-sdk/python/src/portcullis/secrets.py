"""Secrets, by name; the operator grants each one."""

from portcullis._bindings import imported

_host = imported("secrets")


def get(name: str) -> str | None:
    """Returns the secret, or None if this hook was not granted one of that name."""
    found: str | None = _host.get(name)
    return found
