"""The parameters of a program: the data, and the public ones with what holds of them by their names."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import compress

from refdp.programs.adjacency import LENGTH
from refdp.programs.language.errors import Refusal
from refdp.programs.syntax import Data
from refdp.terms.leaves import TRUE, integer, rational, variable
from refdp.terms.operations import at_most, conjunction, less
from refdp.terms.term import Sort, Term

SORTS: Mapping[str, Sort] = {"int": "Int", "float": "Real", "bool": "Bool"}
COUNTS = frozenset({"N", "M", "k"})
"""Parameters that are integers >= 1, unless they are annotated as something else."""
POSITIVE = frozenset({"epsilon", "sigma"})
"""Parameters that are numbers > 0."""
SEQUENCES = frozenset({"list", "List", "Sequence", "Iterable"})
OVER = frozenset({"len", "enumerate", "sum", "max", "min", "argmax", "choice", "any", "all"})
"""Functions whose argument is a list."""


@dataclass(frozen=True, slots=True)
class Signature:
    """The parameters of a program."""

    data: Data
    public: Mapping[str, Term]
    assumption: Term
    length: str | None
    """The parameter that is the number of data."""

    @property
    def sorts(self) -> Mapping[str, Sort]:
        """The sorts of the public parameters but the number of data."""
        return {name: term.sort for name, term in self.public.items() if name != self.length}


def signature(function: ast.FunctionDef) -> Signature:
    """The parameters of a function."""
    found = function.args
    if found.vararg or found.kwarg:
        raise Refusal(function, "* in the parameters", "write the parameters one by one")
    if not (found.posonlyargs or found.args):
        raise Refusal(function, "a program without data", "make the data the first parameter")
    first, *others = [*found.posonlyargs, *found.args, *found.kwonlyargs]
    data = _data(first, function)
    length = next((one.arg for one in others if one.arg == LENGTH.value and data.is_list), None)
    if length in _with_defaults(found):  # Python would take it, whatever the number of elements
        raise Refusal(function, "a default of n, which is the number of elements", "call it size, or leave it out")
    public = {one.arg: _public(one, data) for one in others}
    return Signature(data, public, conjunction(*(_assumed(term) for term in public.values())), length)


def _with_defaults(taken: ast.arguments) -> frozenset[str]:
    """The parameters that have a default."""
    by_place = [*taken.posonlyargs, *taken.args]
    found = by_place[len(by_place) - len(taken.defaults) :]
    found += compress(taken.kwonlyargs, taken.kw_defaults)  # None for each that has none
    return frozenset(one.arg for one in found)


def _data(first: ast.arg, function: ast.FunctionDef) -> Data:
    """The data: a list or one number, by the annotation or else by how it is used."""
    match _annotation(first):
        case ast.Subscript(ast.Name(name), ast.Name(inner)) if name in SEQUENCES and inner in SORTS:
            return Data(first.arg, True, SORTS[inner])
        case ast.Name(name) if name in SEQUENCES:
            return Data(first.arg, True)
        case ast.Name(name) if name in SORTS:
            return Data(first.arg, False, SORTS[name])
        case None:
            return Data(first.arg, any(_looks_within(node, first.arg) for node in ast.walk(function)))
        case node:
            raise Refusal(
                node,
                f"data of type {ast.unparse(node)}",
                "write list[float], list[int], list[bool], float, int or bool",
            )


def _looks_within(node: ast.AST, name: str) -> bool:
    """Whether a node uses the data as a list."""
    match node:
        case ast.For(iter=ast.Name(used)) | ast.comprehension(iter=ast.Name(used)) | ast.Subscript(ast.Name(used)):
            return used == name
        case ast.Call(ast.Name(function), [ast.Name(used), *others]):
            return used == name and function in OVER and (function == "enumerate" or not others)
    return False


def _public(one: ast.arg, data: Data) -> Term:
    """The term of a public parameter."""
    if one.arg == LENGTH.value:
        if not data.is_list:
            raise Refusal(one, "a parameter n where the data are one number", "call it size")
        return LENGTH
    match _annotation(one):
        case ast.Name(name) if name in SORTS:
            return variable(one.arg, SORTS[name])
    return variable(one.arg, "Int" if one.arg in COUNTS else "Real")


def _annotation(one: ast.arg) -> ast.expr | None:
    """The annotation, read where it is written as text."""
    match one.annotation:
        case ast.Constant(str(text)):
            return ast.copy_location(ast.parse(text, mode="eval").body, one)
    return one.annotation


def _assumed(term: Term) -> Term:
    """What holds of a parameter by its name."""
    if term.value in POSITIVE:
        return less(rational(0), term)
    if term.value in COUNTS and term.sort == "Int":
        return at_most(integer(1), term)
    return conjunction(at_most(rational(0), term), less(term, rational(1))) if term.value == "delta" else TRUE
