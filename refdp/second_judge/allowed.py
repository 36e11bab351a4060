"""Whether a file may be run at all: nothing in it can reach files, processes, the network, or Python's own insides.

A file finds the names of `python_names` only, so it can reach nothing else but through attributes of what it finds:
those that lead to frames, code, classes and globals are not allowed, nor names that Python itself looks for.  What a
file means plays no part: a list that is changed after it was bound may be run, and is seen to have changed by running.
"""

from __future__ import annotations

import ast

DUNDERS = frozenset(
    {"__init__", "__call__", "__len__", "__iter__", "__getitem__", "__contains__", "__eq__", "__hash__", "__name__"}
    | {"__future__", "__file__"}
)
"""The names with two underscores that may be written."""
FORBIDDEN_ATTRIBUTES = frozenset({"mro", "format", "format_map", "with_traceback"})
"""Attributes of Python's own values that lead elsewhere, or read attributes by text."""
FORBIDDEN_HEADS = ("_", "gi_", "f_", "tb_", "cr_", "ag_", "co_", "func_")
"""How attributes begin that lead to frames, code and globals."""
FORBIDDEN_NODES = (ast.AsyncFunctionDef, ast.AsyncFor, ast.AsyncWith, ast.Await)
LARGEST = 200_000
"""Longest text that is run, in characters."""


def may_be_run(source: str) -> str | None:
    """Why the text may not be run; None where it may.

    >>> may_be_run("def f(rows):\\n    return sum(rows)")
    >>> may_be_run("def f(rows):\\n    return sum.__self__")
    'line 2: the attribute __self__'
    """
    if len(source) > LARGEST:
        return f"the text has more than {LARGEST} characters"
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return "the text is no Python"
    for node in ast.walk(tree):
        if (reason := _reason(node)) is not None:
            return f"line {getattr(node, 'lineno', 1)}: {reason}"
    return None


def _reason(node: ast.AST) -> str | None:
    """Why a node may not be run."""
    if isinstance(node, FORBIDDEN_NODES):
        return "asynchronous code is not run"
    if isinstance(node, ast.Constant):
        return "a complex number" if isinstance(node.value, complex) else None
    attributes = [node.attr] if isinstance(node, ast.Attribute) else []
    attributes += node.kwd_attrs if isinstance(node, ast.MatchClass) else []
    for name in attributes:
        if name != "__name__" and (name.startswith(FORBIDDEN_HEADS) or name in FORBIDDEN_ATTRIBUTES):
            return f"the attribute {name}"
    for _, value in ast.iter_fields(node):
        for name in value if isinstance(value, list) else [value]:
            if isinstance(name, str) and name.startswith("__") and name not in DUNDERS:
                return f"the name {name}"
    return None
