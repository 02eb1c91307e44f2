"""A hook's own failures."""

from __future__ import annotations


class BadConfig(Exception):
    """The error of a wrong configuration of this hook by the operator; the text names the key and says why."""


class StateError(Exception):
    """The error of state that could not be read or written: it was not granted, is full, or is no whole number."""
