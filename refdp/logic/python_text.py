"""A text as Python's own compiler takes it: whatever that refuses is no Python, though it has a syntax tree."""

from __future__ import annotations

import ast
import warnings


def python_tree(text: str, path: str = "<text>") -> ast.Module:
    """The syntax tree of a text that Python compiles; nothing of it is run.

    SyntaxError or ValueError where it is none: `break` outside a loop and a parameter that stands twice have a tree.

    >>> len(python_tree("def f(a): return a").body)
    1
    >>> python_tree("def f(a, a): return a")
    Traceback (most recent call last):
    SyntaxError: duplicate argument 'a' in function definition
    """
    tree = ast.parse(text, path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        compile(text, path, "exec", dont_inherit=True, optimize=0)
    return tree
