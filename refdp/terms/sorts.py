"""Terms with sorts from terms without, and back: numbers, names, arithmetic, comparisons and conditions.

No text is printed or parsed on the way.  What one side does not have is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from refdp.terms import operations, term
from refdp.terms.leaves import integer, parts, rational, variable
from refdp.terms.printing import named_choice
from refdp.terms.term import Sort, Term, TermError

SORTED: Mapping[str, Callable[..., Term]] = {
    "+": operations.add, "-": operations.subtract, "*": operations.multiply, "/": operations.divide,
    "negate": operations.negate, "abs": operations.absolute, "min": operations.smaller, "max": operations.larger,
    "exp": operations.exponential, "ln": operations.logarithm, "sqrt": operations.root,
    "<=": operations.at_most, "<": operations.less, "==": operations.equal,
    "!=": lambda a, b: operations.negation(operations.equal(a, b)),
}  # fmt: skip
"""What makes the term with a sort of each operator."""
KEPT = frozenset({"+", "*", "/", "exp", "ln", "sqrt", "<=", "<", "=="})
"""The operators that both have, of one meaning."""


def with_sorts(t: Term, sorts: Mapping[str, Sort]) -> Term:
    """The term whose names have these sorts, simplified; TermError for another name, and for an operator without."""
    if t.operator == "number":
        return integer(int(t.rational)) if t.rational.denominator == 1 else rational(t.rational)
    if t.operator == "name":
        if str(t.value) not in sorts:
            raise TermError(f"{t} is no parameter")
        return variable(str(t.value), sorts[str(t.value)])
    if t.operator == "**" and t.arguments[1].operator == "number":
        return operations.power(with_sorts(t.arguments[0], sorts), integer(int(t.arguments[1].rational)))
    if t.operator not in SORTED:
        raise TermError(f"{t.operator} has no meaning in an obligation")
    return SORTED[t.operator](*(with_sorts(a, sorts) for a in t.arguments))


def without_sorts(t: Term) -> Term:
    """The term of a claim of the kernel; TermError for what the kernel has no operator for."""
    found: dict[Term, Term] = {}
    for part in parts(t):
        found[part] = _without_sorts(part, [found[a] for a in part.arguments])
    return found[t]


def _without_sorts(t: Term, arguments: Sequence[Term]) -> Term:
    """One term from its arguments without sorts."""
    if t.operator == "number":
        return term.number(t.rational)
    if t.operator == "name" and t.sort in ("Int", "Real"):
        return term.name(str(t.value))
    if t.operator == "**" and t.arguments[1].operator == "number":
        return term.power(arguments[0], int(t.arguments[1].rational))
    if t.operator == "real":
        return arguments[0]
    if t.operator == "not" and t.arguments[0].operator == "==":
        return term.apply("!=", *arguments[0].arguments)
    named, places = named_choice(t) if t.operator == "ite" else ("", ())
    if named:
        return term.apply(named, *(arguments[place] for place in places))
    if t.operator not in KEPT:
        raise TermError(f"{t.operator} has no meaning in a claim of the kernel")
    return term.apply(t.operator, *arguments)
