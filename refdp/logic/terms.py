"""Terms that a table function is read into: numbers, truth values and choices, shared where they are equal.

A term is exact: a number is a Fraction, `/` is division of reals, `floor` and `real` lead from one sort to the other.
Equal terms are one object, so a term is a graph whose size does not double with each branch of a program.
Here stand the leaves, what is within a term, and how a reader writes it; `operations` makes terms of terms.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal
from weakref import WeakValueDictionary

from refdp.provers.work import step

Sort = Literal["Int", "Real", "Bool"]
Value = Fraction | bool

LONGEST = 2_000
"""Longest text of a term for a reader, in characters; a longer one is cut."""
INFIX = {"+": " + ", "*": "*", "/": "/", "<": " < ", "<=": " <= ", "=": " == ", "and": " and ", "or": " or "}


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True, repr=False)
class Term:
    """operator(arguments), or a leaf: "number", "truth" or "variable" with its value."""

    operator: str
    sort: Sort
    arguments: tuple[Term, ...] = ()
    value: Fraction | bool | str | None = None
    within: tuple[tuple[Term, ...], int] | None = field(default=None, init=False)
    """Its variables and the number of its parts, once they were looked for."""

    def __repr__(self) -> str:
        return infix(self)


_KNOWN: WeakValueDictionary[tuple[object, ...], Term] = WeakValueDictionary()


def make(operator: str, sort: Sort, *arguments: Term, value: Fraction | bool | str | None = None) -> Term:
    """The one term with these parts, as it stands: nothing is simplified."""
    plain = value.as_integer_ratio() if type(value) is Fraction else value  # the hash of a Fraction takes an inverse
    key = (operator, sort, plain, *map(id, arguments))
    step()
    found = _KNOWN.get(key)
    if found is None:
        found = _KNOWN[key] = Term(operator, sort, arguments, value)
    return found


def integer(value: int) -> Term:
    """A whole number."""
    return make("number", "Int", value=Fraction(value))


def rational(value: Fraction | int) -> Term:
    """A real number."""
    return make("number", "Real", value=Fraction(value))


def truth(value: bool) -> Term:
    """True or false."""
    return make("truth", "Bool", value=value)


TRUE, FALSE, ZERO = truth(True), truth(False), integer(0)


def variable(name: str, sort: Sort) -> Term:
    """A variable; its name is made of letters, digits, `_`, `.` and `!`."""
    return make("variable", sort, value=name)


def is_number(term: Term) -> bool:
    """Whether it is constant."""
    return term.operator == "number"


def number(term: Term) -> Fraction:
    """The value of a constant number."""
    if not isinstance(term.value, Fraction):
        raise TypeError(f"{term} is not a constant number")
    return term.value


def parts(term: Term, known: Container[Term] = ()) -> Iterator[Term]:
    """Every different term within `term`, arguments before what is made of them, but for what is `known`."""
    seen: set[Term] = set()
    waiting: list[Term | None] = [term]
    while waiting:
        one = waiting.pop()
        if one is None:  # after which stands a term whose arguments are done
            step()
            yield waiting.pop()  # type: ignore[misc]
        elif one not in seen and one not in known:
            seen.add(one)
            if one.arguments:
                waiting += (one, None, *one.arguments)
            else:
                step()
                yield one


def variables(*terms: Term) -> tuple[Term, ...]:
    """The variables within the terms, each once, in order of appearance."""
    if len(terms) == 1:
        return _variables(terms[0])
    return tuple(dict.fromkeys(one for term in terms for one in _variables(term)))


def _variables(term: Term) -> tuple[Term, ...]:
    """The variables within a term, which keeps them; the work that is counted is the same each time."""
    kept = term.within
    if kept is None:
        found: list[Term] = []
        seen: set[Term] = set()
        waiting = [term]
        while waiting:
            one = waiting.pop()
            if one not in seen:
                seen.add(one)
                waiting += one.arguments
                if one.operator == "variable":
                    found.append(one)
        kept = tuple(found), len(seen)
        if term.arguments:  # a variable that kept itself would never go
            object.__setattr__(term, "within", kept)
    step(kept[1])
    return kept[0]


def infix(term: Term) -> str:
    """The term as a Python expression; ... stands for what is too long."""
    found: dict[Term, str] = {}
    for part in parts(term):
        found[part] = _infix(part, [found[a] for a in part.arguments])[:LONGEST]
    text = found[term]
    if len(text) >= LONGEST:
        return f"{text[: LONGEST - 3]}..."
    outermost = text.startswith("(") and term.operator in INFIX and text.endswith(")")
    return text[1:-1] if outermost else text


def _infix(part: Term, arguments: list[str]) -> str:
    """One term from the texts of its arguments."""
    if not arguments:
        return str(part.value)
    if part.operator in INFIX:
        return f"({INFIX[part.operator].join(arguments)})"
    if part.operator == "ite":
        return _choice(part, arguments)
    if part.operator in ("real", "not"):
        return arguments[0] if part.operator == "real" else f"(not {arguments[0]})"
    return f"{'sqrt' if part.operator == 'root' else part.operator}({', '.join(arguments)})"


def _choice(part: Term, arguments: list[str]) -> str:
    """A choice from the texts of its parts: an absolute value, a maximum or a minimum by its name."""
    condition, yes, no = part.arguments
    if condition.operator == "<":
        left, right = condition.arguments
        if yes is right and no is left:
            return f"max({arguments[2]}, {arguments[1]})"
        if yes is left and no is right:
            return f"min({arguments[2]}, {arguments[1]})"
        if no is left and _is_negative_of(yes, left) and right.value == 0:
            return f"abs({arguments[2]})"
    return f"({arguments[1]} if {arguments[0]} else {arguments[2]})"


def _is_negative_of(a: Term, b: Term) -> bool:
    """Whether `a` is written -1 * b."""
    return a.operator == "*" and a.arguments[0].value == -1 and a.arguments[1] is b
