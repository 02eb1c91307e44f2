"""Secrets, by name; the operator grants each one."""

from wit_world.imports import secrets


def get(name: str) -> str | None:
    """The secret, or nothing if this hook was not granted one of that name."""
    return secrets.get(name)
