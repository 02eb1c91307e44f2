"""Giving the host what a handler returned."""

from __future__ import annotations

from typing import Any

from portcullis._bindings import imported
from portcullis._outcome import Contribute, Outcome
from portcullis._points import ANSWERS

#: What the kinds of parameters in `ANSWERS` stand for.
KINDS: dict[str, type] = {
    "bool": bool,
    "int": int,
    "list": list,
    "object": object,
    "str": str,
}


class Answers:
    """What may be answered at a point, and is imported."""

    def __init__(self, point: str) -> None:
        self.point = point
        self.legal = ANSWERS[point]
        functions = imported(f"{point.replace('-', '_')}_answer", optional=True)
        #: The imported functions by the names of their constructors.
        self.functions = {
            name: getattr(functions, name) for name in self.legal if hasattr(functions, name)
        }
        #: The same by the classes of outcomes, with the types of values that need no further check.
        self.checked = {
            cls: (function, tuple(map(_kind, self.legal[cls.answer].values())))
            for cls in Outcome.__subclasses__()
            if (function := self.functions.get(cls.answer)) is not None
        }

    def give(self, outcome: Any) -> bool:
        """Tells the host. Returns whether anything was answered.

        Raises TypeError for what cannot be answered here. Nothing has been answered then.
        """
        known = self.checked.get(type(outcome))
        if known is not None:
            function, kinds = known
            for value, kind in zip(outcome, kinds):
                if type(value) not in kind:
                    break
            else:
                if len(outcome) == len(kinds):
                    function(*outcome)
                    return True
        several = outcome if type(outcome) is Contribute else (outcome,)
        for function, values in [self._prepare(one) for one in several]:
            function(*values)
        return len(several) > 0

    def _prepare(self, outcome: Any) -> tuple[Any, tuple[Any, ...]]:
        """The function that gives an outcome, and its arguments."""
        if not isinstance(outcome, Outcome):
            raise TypeError(
                f"`{type(outcome).__name__}` is not an outcome: return proceed()"
                + "".join(f", {name}(…)" for name in self.legal)
            )
        name = outcome.answer
        function = self.functions.get(name)
        if function is None:
            raise TypeError(self._unknown(name))
        params = self.legal[name]
        values = (*outcome, *[None] * (len(params) - len(outcome)))
        fits = map(isinstance, values, map(_kind, params.values()))
        if len(values) == len(params) and all(fits):
            return function, values
        takes = ", ".join(f"{param}: {kind}" for param, kind in params.items())
        given = ", ".join(type(value).__name__ for value in outcome)
        raise TypeError(f"`{name}` takes ({takes}) at {self.point}, and was given ({given})")

    def _unknown(self, name: str) -> str:
        if name in self.legal:
            return (
                f"the component does not import `{name}`: the build did not see that the hook uses it. "
                "Import outcomes from `portcullis` by their names"
            )
        return f"`{name}` cannot be answered at {self.point}"


def _kind(name: str) -> tuple[type, ...]:
    """The types that a kind of parameter may have."""
    kind = KINDS[name.removesuffix("?")]
    return (kind, type(None)) if name.endswith("?") else (kind,)
