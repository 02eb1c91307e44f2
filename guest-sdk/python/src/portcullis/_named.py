"""The order of an outcome's values, of which some are given by name."""

from __future__ import annotations

from typing import Any

from portcullis._points import ANSWERS


def _forms() -> dict[str, dict[tuple[str, ...], list[str]]]:
    forms: dict[str, dict[tuple[str, ...], list[str]]] = {}
    for legal in ANSWERS.values():
        for function, params in legal.items():
            needed = [name for name, kind in params.items() if not kind.endswith("?")]
            forms.setdefault(function, {})[tuple(params)] = needed
    return forms


#: The parameters of each function, one tuple for each of its forms, with the required ones.
FORMS = _forms()


def ordered(function: str, values: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, ...]:
    """Returns all values in the order of the contract.

    Raises TypeError for a name that the function does not have, and if a value is missing.
    """
    missing: list[str] = []
    for form, needed in FORMS[function].items():
        rest = form[len(values) :]
        if all(name in rest for name in named):
            missing = [name for name in rest if name in needed and name not in named]
            if not missing:
                return (*values, *map(named.get, rest))
    given = ", ".join(f"`{name}`" for name in named)
    if missing:
        raise TypeError(f"`{function}` with {given} needs `{missing[0]}` too")
    takes = " or ".join(f"({', '.join(form)})" for form in FORMS[function])
    known = {name for form in FORMS[function] for name in form}
    for name in named:
        if name not in known:
            raise TypeError(f"`{function}` has no `{name}`: it takes {takes}")
    raise TypeError(f"`{function}` takes {takes}, and was given {given} and {len(values)} values without a name")
