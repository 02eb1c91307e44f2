"""The chain's decision, for hooks that observe."""

from portcullis._bindings import imported
from portcullis.contract import ChainVerdict

_host = imported("verdict")


def current() -> ChainVerdict | None:
    """Returns the verdict on the current call; None while the chain still runs."""
    found: ChainVerdict | None = _host.current()
    return found
