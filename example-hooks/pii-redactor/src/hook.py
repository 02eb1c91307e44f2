"""Redacts personal data in the outputs of the model and of tools.

It fails closed: a text that it could not search is not passed on.
"""

from dataclasses import dataclass, field
from typing import Annotated, Literal

from find import redact
from portcullis import config, content, hook, log, proceed, text, tool_data, transform
from portcullis.contract import (
    ContentPart,
    ContentPart_Text,
    Context,
    PostLlmCall,
    PostLlmCallOutcome,
    PostToolCall,
    PostToolCallOutcome,
)

Kind = Literal["email", "iban", "card", "phone"]


@dataclass
class Config:
    kinds: Annotated[list[Kind], "What is redacted."] = field(default_factory=lambda: ["email", "iban", "card", "phone"])


@hook(
    id="pii-redactor",
    description="Redacts e-mail addresses, telephone numbers, IBANs and payment cards.",
    kind="guardrail",
    failure="fail-closed",
    priority=900,
    config=Config,
)
class PiiRedactor:
    def post_llm_call(self, context: Context, call: PostLlmCall) -> PostLlmCallOutcome:
        kinds = config.read(Config).kinds
        total: dict[str, int] = {}

        def clean(part: ContentPart) -> ContentPart:
            if not isinstance(part, ContentPart_Text):
                return part
            said, found = redact(part.value, kinds)
            for kind, count in found.items():
                total[kind] = total.get(kind, 0) + count
            return text(said)

        parts = [clean(part) for part in content.parts()]
        if not total:
            return proceed()
        log.info("redacted a response", **total)
        return transform(parts)

    def post_tool_call(self, context: Context, call: PostToolCall) -> PostToolCallOutcome:
        said, found = redact(tool_data.output() or "", config.read(Config).kinds)
        if not found:
            return proceed()
        log.info("redacted a tool's output", tool=call.name, **found)
        return transform(said, call.is_error)
