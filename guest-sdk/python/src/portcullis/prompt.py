"""What hooks have contributed to the turn's prompt so far."""

from portcullis.contract import ContextItem, DomainPolicy, PromptSection
from wit_world.imports import prompt


def policies() -> list[DomainPolicy]:
    """The policies, in the order they were contributed."""
    return prompt.policies()


def policy(domain: str) -> DomainPolicy | None:
    """The policy that holds in a domain: the last that was contributed."""
    return prompt.policy(domain)


def context_items() -> list[ContextItem]:
    """What there is to know, in the order it was contributed."""
    return prompt.context_items()


def sections() -> list[PromptSection]:
    """The sections, in the order they stand in the prompt."""
    return prompt.sections()


def queries() -> list[str]:
    """What to look for in memory, as the agent plans it; empty before `prompt-recall`."""
    return prompt.queries()
