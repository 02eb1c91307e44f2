"""Passes the result of a handler to the host."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from portcullis._bindings import imported
from portcullis._outcome import Contribute, Outcome
from portcullis._points import ANSWERS

#: The types of the kinds of parameters in `ANSWERS`.
KINDS: dict[str, type] = {
    "bool": bool,
    "int": int,
    "list": list,
    "object": object,
    "str": str,
}

#: The function that gives an outcome of one class. It is generated for each answer, since a loop over the values takes
#: longer than the host does.
GIVE = """
def give(outcome):
    try:
        {names} = outcome
    except ValueError:
        return otherwise(outcome)
    if {checks}:
        function({names})
        return True
    return otherwise(outcome)
"""


class Answers(dict[type, Callable[[Any], bool]]):
    """The functions that give the outcomes of a point, by their classes. Each tells the host, and returns whether
    anything was answered.

    They raise TypeError for an outcome that cannot be answered here, before anything is answered.
    """

    def __init__(self, point: str, handler: Callable[..., Any] | None = None) -> None:
        self.point = point
        self.handler = handler
        self.legal = ANSWERS[point]
        functions = imported(f"{point.replace('-', '_')}_answer", optional=True)
        #: The imported functions by the names of their constructors.
        self.functions = {
            name: getattr(functions, name) for name in self.legal if hasattr(functions, name)
        }
        for cls in Outcome.__subclasses__():
            if cls.answer in self.functions and self.legal[cls.answer]:
                self[cls] = self._giver(cls.answer)

    def _giver(self, name: str) -> Callable[[Any], bool]:
        params = self.legal[name]
        code = GIVE.format(names="".join(f"{param}, " for param in params), checks=_checks(params))
        names = {"function": self.functions[name], "otherwise": self._otherwise}
        exec(code, names)
        giver: Callable[[Any], bool] = names["give"]
        return giver

    def __missing__(self, cls: type) -> Callable[[Any], bool]:
        return self._otherwise

    def _otherwise(self, outcome: Any) -> bool:
        several = outcome if type(outcome) is Contribute else (outcome,)
        for function, values in [self._prepare(one) for one in several]:
            function(*values)
        return len(several) > 0

    def _prepare(self, outcome: Any) -> tuple[Any, tuple[Any, ...]]:
        """Returns the function that gives an outcome, and its arguments."""
        if not isinstance(outcome, Outcome):
            raise self._wrong(f"`{type(outcome).__name__}` is not an outcome: {self._instead()}")
        name = outcome.answer
        function = self.functions.get(name)
        if function is None:
            raise self._wrong(self._unknown(name))
        params = self.legal[name]
        values = (*outcome, *[None] * (len(params) - len(outcome)))
        fits = map(isinstance, values, map(_kind, params.values()))
        if len(values) == len(params) and all(fits):
            return function, values
        takes = ", ".join(f"{param}: {kind}" for param, kind in params.items())
        given = ", ".join(type(value).__name__ for value in outcome)
        raise self._wrong(f"`{name}` takes ({takes}) at {self.point}, and was given ({given})")

    def _unknown(self, name: str) -> str:
        if name in self.legal:
            return (
                f"the component does not import `{name}`: the build did not see that the hook uses it. "
                "Import outcomes from `portcullis` by their names"
            )
        return f"`{name}` cannot be answered at {self.point}: {self._instead()}"

    def _instead(self) -> str:
        return "return proceed()" + "".join(f", {name}(…)" for name in self.legal)

    def _wrong(self, why: str) -> TypeError:
        """Returns the error, with the handler that returned the outcome: none of its lines is known, since it has ended."""
        code = getattr(self.handler, "__code__", None)
        if code is None:
            return TypeError(why)
        file = code.co_filename.rsplit("/", 1)[-1]
        return TypeError(f"{why} (returned by {code.co_name} ({file}:{code.co_firstlineno}))")


def _kind(name: str) -> tuple[type, ...]:
    """Returns the types that a kind of parameter may have."""
    kind = KINDS[name.removesuffix("?")]
    return (kind, type(None)) if name.endswith("?") else (kind,)


def _checks(params: dict[str, str]) -> str:
    """Returns code that checks parameters as `_kind` does, but rejects subclasses."""
    checks = []
    for name, kind in params.items():
        check = f"type({name}) is {kind.removesuffix('?')}"
        if kind.startswith("object"):
            check = "True"
        elif kind.endswith("?"):
            check = f"({name} is None or {check})"
        checks.append(check)
    return " and ".join(checks)
