"""A hook's own failures."""

from __future__ import annotations


class BadConfig(Exception):
    """The operator's configuration of this hook is wrong; the text names the key and says why."""


class StateError(Exception):
    """State could not be read or written: it was not granted, is full, or is no whole number."""
