"""What the chain has decided, for hooks that look on."""

from portcullis.contract import ChainVerdict
from wit_world.imports import verdict


def current() -> ChainVerdict | None:
    """The verdict on the call in hand; nothing while the chain still runs."""
    return verdict.current()
