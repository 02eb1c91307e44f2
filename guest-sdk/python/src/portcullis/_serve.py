"""The exports of a component. The build writes its entry, which takes them from here."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from inspect import iscoroutinefunction
from typing import Any

from portcullis import _runtime, contract
from portcullis._answers import Answers
from portcullis._bindings import imported
from portcullis._failure import words
from portcullis._hook import Hook, defined
from portcullis._outcome import PROCEED
from portcullis.errors import BadConfig

_failure = imported("failure")

#: The class that exports a point. Each has globals of its own, which cost less than a closure.
SERVED = """
class Served:
    def handle(self):
        current.number += 1
        try:
            outcome = method(context, call)
            return False if outcome is PROCEED or outcome is None else answers[type(outcome)](outcome)
        except BaseException as error:
            return fail(error)
"""

#: The addition for hooks whose calls may write to the standard streams.
FLUSHED = """
        finally:
            if unfinished:
                flush()
"""

#: Prepares the runtime in the first call of a point, unless another point did. Later calls do not check.
FIRST = """
inner = Served.handle
def handle(self):
    Served.handle = inner
    begin()
    return inner(self)
Served.handle = handle
"""


def hook(points: Iterable[str]) -> Hook:
    """Returns the component's hook. The component exports these points."""
    if len(defined) != 1:
        ids = ", ".join(f"`{hook.descriptor.id}`" for hook in defined)
        raise TypeError(f"a component has one hook, and this one has {ids or 'none'}")
    served = defined[0].points
    if set(served) != set(points):
        raise TypeError(
            f"the class serves {', '.join(served)}, but the build saw {', '.join(points)}: "
            "define the methods in the class under @hook(…)"
        )
    return defined[0]


def describe(hook: Hook) -> type:
    """Returns the component's export `Describe`."""
    bindings = import_module("wit_world.exports.describe")

    said = hook.descriptor
    descriptor = bindings.Descriptor(
        id=said.id,
        version=said.version,
        kind=said.kind,
        description=said.description,
        points=list(hook.points),
        priority=said.priority,
        failure=said.failure and bindings.FailurePolicy[_case(said.failure)],
        deadline_ms=said.deadline_ms,
        execution=bindings.ExecutionPolicy[_case(said.execution)],
        after=list(said.after),
    )

    class Describe:
        def describe(self) -> Any:
            return descriptor

    return Describe


def _case(name: str) -> str:
    """Returns the name of an enum's case in the bindings."""
    return name.replace("-", "_").upper()


def fail(error: BaseException) -> bool:
    """Reports any exception of a handler as the hook's failure: `sys.exit` would make the
    runtime look for a process to end."""
    if isinstance(error, BadConfig):
        _failure.bad_config(str(error))
    else:
        _failure.fail(words(error))
    return True


def _awaited(method: Callable[..., Any]) -> Callable[..., Any]:
    """Returns the handler; for a coroutine, a function that runs it to its end."""
    if not iscoroutinefunction(method):
        return method
    run = import_module("asyncio").run
    return lambda context, call: run(method(context, call))


def serve(
    point: str, instance: Any, fail: Callable[[BaseException], bool] = fail
) -> type:
    """Returns the component's export of a point, handled by the hook's instance."""
    name = point.replace("-", "_")
    names: dict[str, Any] = {
        "current": contract.CURRENT,
        "context": contract.Context(),
        "call": getattr(contract, "".join(word.capitalize() for word in point.split("-")))(),
        "method": _awaited(getattr(instance, name)),
        "answers": Answers(point, getattr(instance, name)),
        "fail": fail,
        "PROCEED": PROCEED,
        "flush": _runtime.flush,
        "unfinished": _runtime.unfinished,
        "begin": _runtime.begin,
    }
    exec(SERVED.rstrip() + (FLUSHED if _runtime.streams else "") + FIRST, names)
    served: type = names["Served"]
    return served
