"""Giving the host what a handler returned."""

from __future__ import annotations

from typing import Any

from portcullis._bindings import imported
from portcullis._outcome import Contribute, Outcome
from portcullis._points import ANSWERS

#: What the kinds of parameters in `ANSWERS` stand for.
KINDS: dict[str, tuple[type, ...]] = {
    "bool": (bool,),
    "int": (int,),
    "list": (list,),
    "object": (object,),
    "str": (str,),
}


class Answers:
    """What may be answered at a point, and is imported."""

    def __init__(self, point: str) -> None:
        self.point = point
        self.legal = ANSWERS[point]
        functions = imported(f"{point.replace('-', '_')}_answer", optional=True)
        #: The imported functions by the names of their constructors, and what they take.
        self.known = {}
        for name, params in self.legal.items():
            function = getattr(functions, name, None)
            if function is not None:
                self.known[name] = (function, tuple(map(_kind, params.values())))

    def give(self, outcome: Any) -> bool:
        """Tells the host. Returns whether anything was answered.

        Raises TypeError for what cannot be answered here. Nothing has been answered then.
        """
        if type(outcome) is Contribute:
            prepared = [self._prepare(addition) for addition in outcome.values]
            for function, values in prepared:
                function(*values)
            return bool(prepared)
        function, values = self._prepare(outcome)
        function(*values)
        return True

    def _prepare(self, outcome: Any) -> tuple[Any, tuple[Any, ...]]:
        if not isinstance(outcome, Outcome):
            raise TypeError(
                f"`{type(outcome).__name__}` is not an outcome: return proceed()"
                + "".join(f", {name}(…)" for name in self.legal)
            )
        known = self.known.get(outcome.answer)
        if known is None:
            raise TypeError(self._unknown(outcome.answer))
        function, kinds = known
        values = outcome.values
        if len(values) != len(kinds):
            values += (None,) * (len(kinds) - len(values))
        for value, kind in zip(values, kinds):
            if not isinstance(value, kind):
                break
        else:
            if len(values) == len(kinds):
                return function, values
        takes = ", ".join(f"{name}: {kind}" for name, kind in self.legal[outcome.answer].items())
        given = ", ".join(type(value).__name__ for value in outcome.values)
        raise TypeError(
            f"`{outcome.answer}` takes ({takes}) at {self.point}, and was given ({given})"
        )

    def _unknown(self, name: str) -> str:
        if name in self.legal:
            return (
                f"the component does not import `{name}`: the build did not see that the hook uses it. "
                "Import outcomes from `portcullis` by their names"
            )
        return f"`{name}` cannot be answered at {self.point}"


def _kind(name: str) -> tuple[type, ...]:
    kinds = KINDS[name.removesuffix("?")]
    return (*kinds, type(None)) if name.endswith("?") else kinds
