"""The agent's model, within a budget of tokens that the operator grants.

The model's text is data: compare it with the few answers that you expect.
"""

from portcullis import contract
from portcullis._bindings import host_error, imported

_host = imported("model")
_HostError = host_error()


class ModelError(Exception):
    """The error of a failed request for a completion. `cause` is a `ModelError_…` of `portcullis.contract`."""

    def __init__(self, cause: contract.ModelError) -> None:
        value = cause.value
        text = f"the prompt has more than {value} bytes" if isinstance(value, int) else value
        super().__init__(text)
        self.cause = cause


def complete(
    instructions: str, prompt: str, max_tokens: int | None = None
) -> contract.Completion:
    """Asks the model for a completion of at most `max_tokens`, 1,024 if that is None. Raises a ModelError."""
    try:
        completion: contract.Completion = _host.complete(instructions, prompt, max_tokens)
    except _HostError as error:
        raise ModelError(error.value) from None  # type: ignore[attr-defined]
    return completion


def tokens_left() -> int:
    """Returns the tokens that are left of the hook's budget for the current turn."""
    left: int = _host.tokens_left()
    return left
