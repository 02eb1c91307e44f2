# Written from wit/ by `cargo xtask contract`; do not change it here.
"""The outcomes whose values depend on the point. The types say which values a point takes."""

from __future__ import annotations

from typing import Any, overload

from portcullis._named import ordered
from portcullis._outcome import Answer, Replace, Transform
from portcullis.contract import (
    ContentPart,
    LlmCallEdit,
    LlmResponse,
    MessageEdit,
    PromptEdit,
)


@overload
def transform(value: LlmCallEdit, /) -> Transform[LlmCallEdit]: ...

@overload
def transform(value: PromptEdit, /) -> Transform[PromptEdit]: ...

@overload
def transform(value: list[ContentPart], /) -> Transform[list[ContentPart]]: ...

@overload
def transform(value: list[MessageEdit], /) -> Transform[list[MessageEdit]]: ...

@overload
def transform(value: str, /) -> Transform[str]: ...

@overload
def transform(value: list[int], /, instructions: str | None = None) -> Transform[tuple[list[int], str | None]]: ...

@overload
def transform(value: str, /, is_error: bool) -> Transform[tuple[str, bool]]: ...

def transform(*values: Any, **named: Any) -> Transform[Any]:
    """Continues with this value."""
    return Transform(ordered("transform", values, named) if named else values)


@overload
def replace(value: LlmCallEdit, /) -> Replace[LlmCallEdit]: ...

@overload
def replace(value: list[ContentPart], /) -> Replace[list[ContentPart]]: ...

@overload
def replace(value: str, /) -> Replace[str]: ...

@overload
def replace(value: str, /, is_error: bool) -> Replace[tuple[str, bool]]: ...

def replace(*values: Any, **named: Any) -> Replace[Any]:
    """Continues with this value. Later hooks still see it and may refuse it, but cannot change it."""
    return Replace(ordered("replace", values, named) if named else values)


@overload
def answer(value: LlmResponse, /) -> Answer[LlmResponse]: ...

@overload
def answer(value: list[ContentPart], /) -> Answer[list[ContentPart]]: ...

@overload
def answer(value: str, /, is_error: bool) -> Answer[tuple[str, bool]]: ...

def answer(*values: Any, **named: Any) -> Answer[Any]:
    """Skips the operation itself and uses this result in its place."""
    return Answer(ordered("answer", values, named) if named else values)
