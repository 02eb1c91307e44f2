"""The classes of outcomes, the results of handlers. Hooks make them with the constructors in `portcullis`."""

from __future__ import annotations

from typing import Any, ClassVar, Generic, TypeVar, final

T_co = TypeVar("T_co", covariant=True)


class Outcome(tuple[Any, ...]):
    """An outcome: the values of an answer. A tuple costs the least to make."""

    __slots__ = ()

    #: The constructor, which has the name of the contract's function.
    answer: ClassVar[str]

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and tuple.__eq__(self, other)

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        return f"{self.answer}({', '.join(map(repr, self))})"

    __hash__ = None  # type: ignore[assignment]


@final
class Proceed(Outcome):
    """The call continues."""

    __slots__ = ()
    answer = "proceed"


@final
class Transform(Outcome, Generic[T_co]):
    """The call continues with another value."""

    __slots__ = ()
    answer = "transform"


@final
class Reject(Outcome):
    """The call is refused."""

    __slots__ = ()
    answer = "reject"


@final
class Replace(Outcome, Generic[T_co]):
    """The call continues with a value that later hooks cannot change."""

    __slots__ = ()
    answer = "replace"


@final
class Answer(Outcome, Generic[T_co]):
    """The operation is skipped, and this is its result."""

    __slots__ = ()
    answer = "answer"


@final
class Ask(Outcome):
    """A person must decide."""

    __slots__ = ()
    answer = "ask"


@final
class Stop(Outcome):
    """The turn ends without an error."""

    __slots__ = ()
    answer = "stop"


@final
class KeepGoing(Outcome):
    """The turn does not end, and the model is given a message."""

    __slots__ = ()
    answer = "keep_going"


@final
class Retry(Outcome):
    """The same provider is called again."""

    __slots__ = ()
    answer = "retry"


@final
class SwitchProvider(Outcome):
    """Another provider is called."""

    __slots__ = ()
    answer = "switch_provider"


@final
class GiveUp(Outcome):
    """The step fails."""

    __slots__ = ()
    answer = "give_up"


@final
class AddPolicy(Outcome):
    """The policy of a domain is added."""

    __slots__ = ()
    answer = "add_policy"


@final
class AddContext(Outcome):
    """An item of context is added."""

    __slots__ = ()
    answer = "add_context"


@final
class AddSection(Outcome):
    """A section of the prompt is added."""

    __slots__ = ()
    answer = "add_section"


@final
class AddTools(Outcome):
    """Tools are added."""

    __slots__ = ()
    answer = "add_tools"


@final
class AddNote(Outcome):
    """An audit note is added."""

    __slots__ = ()
    answer = "add_note"


@final
class AddJob(Outcome):
    """A background job is queued."""

    __slots__ = ()
    answer = "add_job"


@final
class Contribute(Outcome, Generic[T_co]):
    """Several contributions at once."""

    __slots__ = ()
    answer = "contribute"


#: The outcome of a call that continues. There is only this one.
PROCEED = Proceed()
