"""Takes personal data out of what the model says and what tools give back.

It transforms, so it fails closed: a text that it could not look through goes nowhere.
"""

from dataclasses import dataclass, field
from typing import Literal

from find import redact
from portcullis import Continue, Transform, config, content, hook, log, text, tool_data
from portcullis.contract import (
    ContentPart,
    ContentPart_Text,
    Context,
    LlmResult,
    PostLlmCallOutcome,
    PostToolCallOutcome,
    ToolOutcome,
    ToolOutput,
)

Kind = Literal["email", "iban", "card", "phone"]


@dataclass
class Config:
    kinds: list[Kind] = field(default_factory=lambda: ["email", "iban", "card", "phone"])


@hook(
    id="pii-redactor",
    description="Redacts e-mail addresses, telephone numbers, IBANs and payment cards.",
    role="transform",
    kind="guardrail",
    failure="fail-closed",
    priority=900,
)
class PiiRedactor:
    def post_llm_call(self, context: Context, input: LlmResult) -> PostLlmCallOutcome:
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
            return Continue()
        log.info("redacted a response", **total)
        return Transform(parts)

    def post_tool_call(self, context: Context, input: ToolOutcome) -> PostToolCallOutcome:
        said, found = redact(tool_data.output() or "", config.read(Config).kinds)
        if not found:
            return Continue()
        log.info("redacted a tool's output", tool=input.name, **found)
        return Transform(ToolOutput(said, input.is_error))
