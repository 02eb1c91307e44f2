"""What hooks have contributed to the turn's prompt so far."""

from portcullis._bindings import imported
from portcullis.contract import ContextItem, DomainPolicy, PromptSection

_host = imported("prompt")


def policies() -> list[DomainPolicy]:
    """The policies, in the order they were contributed."""
    found: list[DomainPolicy] = _host.policies()
    return found


def policy(domain: str) -> DomainPolicy | None:
    """The policy that holds in a domain: the last that was contributed."""
    found: DomainPolicy | None = _host.policy(domain)
    return found


def context_items() -> list[ContextItem]:
    """What there is to know, in the order it was contributed."""
    found: list[ContextItem] = _host.context_items()
    return found


def sections() -> list[PromptSection]:
    """The sections, in the order they stand in the prompt."""
    found: list[PromptSection] = _host.sections()
    return found


def queries() -> list[str]:
    """What to look for in memory, as the agent plans it; empty before `prompt-recall`."""
    found: list[str] = _host.queries()
    return found
