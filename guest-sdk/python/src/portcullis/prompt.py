"""The contributions of hooks to the turn's prompt so far."""

from portcullis._bindings import imported
from portcullis.contract import ContextItem, DomainPolicy, PromptSection

_host = imported("prompt")


def policies() -> list[DomainPolicy]:
    """Returns the policies, in the order they were contributed."""
    found: list[DomainPolicy] = _host.policies()
    return found


def policy(domain: str) -> DomainPolicy | None:
    """Returns the policy in force in a domain. Policies of one domain are combined."""
    found: DomainPolicy | None = _host.policy(domain)
    return found


def context_items() -> list[ContextItem]:
    """Returns the items of context, in the order they were contributed."""
    found: list[ContextItem] = _host.context_items()
    return found


def sections() -> list[PromptSection]:
    """Returns the sections, in the order they have in the prompt."""
    found: list[PromptSection] = _host.sections()
    return found


def queries() -> list[str]:
    """Returns the queries to memory that the agent has planned; empty before `prompt-recall`."""
    found: list[str] = _host.queries()
    return found
