"""Functions made of a score function, whose sensitivity says in which direction it moves, and its range.

They count the rows first, and hand on a copy first: the score function could change the table.

Direction: if u moves by at most D, then it never falls where a row is added exactly if 2 u - D n moves by at most D, as
2 (u(y) - u(x)) - D is then in [-D, D]; it never rises exactly if 2 u + D n does.  Range: u(., r) - u(., s).
"""

from __future__ import annotations

import ast

from refdp.sensitivities.language.source import Source, parse_source
from refdp.terms.sorts import without_sorts
from refdp.terms.term import Term

BUILTINS = frozenset({"len", "list"})
"""What the functions made here call."""


def drift(source: Source, bound: Term, sign: str) -> Source:
    """Twice the score less (sign "-") or more (sign "+") the bound for each row."""
    name = _new(source, f"twice_{source.name}")
    rows = source.tree.args.args[0].arg
    return _defined(source, name, (), f"{sign}({without_sorts(bound)}) * len({rows}) + 2 * {_call(source, {})}")


def gap(source: Source, candidate: str) -> tuple[Source, str]:
    """The score of the candidate less that of another, and the name of the parameter for the other."""
    rows = source.tree.args.args[0].arg
    name, other = _new(source, f"gap_of_{source.name}"), _new(source, f"other_{candidate}")
    one, two = _call(source, {rows: f"list({rows})"}), _call(source, {candidate: other})
    return _defined(source, name, (other,), f"{one} - {two}"), other


def check_parameters(source: Source, candidate: str) -> None:
    """ValueError unless the function has a table, the candidate, and no parameters that cannot be passed on by name."""
    given = source.tree.args
    if given.vararg or given.kwarg or given.posonlyargs or not given.args:
        raise ValueError(f"{source.name} must have plain parameters, the first being the table")
    if taken := sorted(BUILTINS & _bound_names(source)):
        raise ValueError(f"{', '.join(taken)} must be Python's own in {source.path}, got a definition")
    names = [a.arg for a in (*given.args[1:], *given.kwonlyargs)]
    if candidate not in names:
        raise ValueError(f"the candidate must be a parameter of {source.name}, got {candidate} of {', '.join(names)}")


def _bound_names(source: Source) -> set[str]:
    """All names that something in the file binds."""
    found = set()
    for node in ast.walk(source.module):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            found.add(node.id)
        elif isinstance(node, ast.arg):
            found.add(node.arg)
        elif isinstance(node, ast.alias):
            found |= BUILTINS if node.name == "*" else {(node.asname or node.name).partition(".")[0]}
    return found


def _defined(source: Source, name: str, more: tuple[str, ...], value: str) -> Source:
    """The source with one function more, of the same parameters, some more, and this value."""
    given = source.tree.args
    added = [ast.arg(one) for one in more]
    required = len(given.args) - len(given.defaults)
    parameters = ast.arguments([], [*given.args[:required], *added, *given.args[required:]], None, given.kwonlyargs,
                               given.kw_defaults, None, given.defaults)  # fmt: skip
    text = f"{source.text.rstrip()}\n\n\ndef {name}({ast.unparse(parameters)}):\n    return {value}\n"
    return parse_source(text, name, source.path)


def _call(source: Source, instead: dict[str, str]) -> str:
    """A call of the function with its own parameters, some of them replaced."""
    table, *others = [a.arg for a in (*source.tree.args.args, *source.tree.args.kwonlyargs)]
    return f"{source.name}({', '.join([instead.get(table, table), *(f'{a}={instead.get(a, a)}' for a in others)])})"


def _new(source: Source, name: str) -> str:
    """The name, made longer until nothing in the text is called that."""
    while name in source.text:
        name += "_"
    return name
