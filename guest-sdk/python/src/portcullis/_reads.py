"""Which of its parameters a method reads: a record that is not read is not made."""

import ast
import inspect
import textwrap
from collections.abc import Callable
from typing import Any

#: What reads a function's variables by another way than their names.
OTHERWISE = {
    "_getframe",
    "currentframe",
    "dir",
    "eval",
    "exec",
    "f_locals",
    "inspect",
    "locals",
    "stack",
    "vars",
}


def reads(method: Callable[..., Any]) -> list[bool]:
    """Whether the method reads its first parameter after `self`, and its second. If in doubt, it does."""
    try:
        function = inspect.unwrap(method).__func__
        defined = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    except (AttributeError, OSError, SyntaxError, TypeError):
        return [True, True]
    if not isinstance(defined, ast.FunctionDef) or defined.decorator_list or hasattr(method, "__wrapped__"):
        return [True, True]
    takes = defined.args
    params = [*takes.posonlyargs, *takes.args][1:3]
    nodes = [node for body in defined.body for node in ast.walk(body)]
    named = {node.id for node in nodes if isinstance(node, ast.Name)}
    used = named | {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    # What is found where a lambda stands is the function around it.
    code = function.__code__
    is_it = defined.name == code.co_name and [param.arg for param in params] == [*code.co_varnames[1:3]]
    if len(params) != 2 or not is_it or used & OTHERWISE:
        return [True, True]
    return [param.arg in named for param in params]
