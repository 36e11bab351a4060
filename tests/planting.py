"""Expressions that are planted into the places of a text that hold expressions."""

import ast
from collections.abc import Iterator


def places(tree: ast.AST) -> Iterator[tuple[ast.AST, str, int | None]]:
    """Where an expression stands that is looked up: node, field and place in a list."""
    for node in ast.walk(tree):
        for field, value in ast.iter_fields(node):
            for i, one in enumerate(value if isinstance(value, list) else [value]):
                if isinstance(one, ast.expr) and isinstance(getattr(one, "ctx", ast.Load()), ast.Load):
                    yield node, field, i if isinstance(value, list) else None


def planted(text: str, place: int, what: str) -> tuple[str, tuple[str, str]]:
    """The text with an expression in one of its places (ORIGINAL is what stood there), and its kind of place."""
    tree = ast.parse(text)
    node, field, i = list(places(tree))[place]
    found = getattr(node, field)
    original = found if i is None else found[i]
    new = ast.parse(what, mode="eval").body
    for inner in ast.walk(new):
        for name, one in ast.iter_fields(inner):
            if isinstance(one, ast.Name) and one.id == "ORIGINAL":
                setattr(inner, name, original)
    if i is None:
        setattr(node, field, new)
    else:
        found[i] = new
    return ast.unparse(ast.fix_missing_locations(tree)), (type(node).__name__, field)
