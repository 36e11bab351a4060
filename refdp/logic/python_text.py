"""A text as Python's own compiler takes it: whatever that refuses is no Python, though it has a syntax tree."""

from __future__ import annotations

import ast
import re
import warnings

LINE_END = re.compile(r"\r\n|\r|\n")
ENCODING = re.compile(r"[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
"""How a comment names an encoding to Python (PEP 263)."""


def python_tree(text: str, path: str = "<text>") -> ast.Module:
    """The syntax tree of a text that Python compiles; nothing of it is run.

    SyntaxError or ValueError where it is none: `break` outside a loop and a parameter that stands twice have a tree.

    >>> len(python_tree("def f(a): return a").body)
    1
    >>> python_tree("def f(a, a): return a")
    Traceback (most recent call last):
    SyntaxError: duplicate argument 'a' in function definition

    A text that names an encoding other than UTF-8 is another text for Python, and is refused with ValueError.
    """
    for line in LINE_END.split(text.removeprefix("\ufeff"), 2)[:2]:
        if (named := ENCODING.match(line)) is not None and named[1].lower().replace("_", "-") not in ("utf-8", "utf8"):
            raise ValueError(f"a text that names the encoding {named[1]}, where only utf-8 is read")
    tree = ast.parse(text, path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        compile(text, path, "exec", dont_inherit=True, optimize=0)
    return tree
