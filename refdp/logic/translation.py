"""Arithmetic of the kernel's terms as that of obligations, and back: numbers, names, comparisons and conditions.

No text is printed or parsed on the way.  What one side does not have is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from refdp.logic import operations as logic
from refdp.logic.functions import exponential, logarithm, power, root
from refdp.logic.terms import Sort, Term, integer, is_number, number, rational, variable
from refdp.spec import terms as spec
from refdp.spec.terms import TermError

TO_LOGIC: Mapping[str, Callable[..., Term]] = {
    "+": logic.add, "-": logic.subtract, "*": logic.multiply, "/": logic.divide, "negate": logic.negate,
    "abs": logic.absolute, "min": logic.smaller, "max": logic.larger, "exp": exponential, "ln": logarithm, "sqrt": root,
    "<=": logic.at_most, "<": logic.less, "==": logic.equal,
}  # fmt: skip
"""What makes the obligations' term of each operator."""
TO_SPEC: Mapping[str, Callable[..., spec.Term]] = {
    "+": lambda a, b: a + b, "*": lambda a, b: a * b, "/": lambda a, b: a / b, "real": lambda a: a,
    "exp": spec.exp, "ln": spec.ln, "root": spec.sqrt, "<=": lambda a, b: a <= b, "<": lambda a, b: a < b,
    "=": spec.equal,
}  # fmt: skip
"""What makes the kernel's term of each operator."""


def logic_of(t: spec.Term, sorts: Mapping[str, Sort]) -> Term:
    """The term of obligations; TermError for a name without a sort, and for what obligations have no operator for."""
    if t.operator == "number":
        value = t.rational
        return integer(int(value)) if value.denominator == 1 else rational(value)
    if t.operator == "name":
        if str(t.value) not in sorts:
            raise TermError(f"{t} is no parameter")
        return variable(str(t.value), sorts[str(t.value)])
    if t.operator == "**" and t.arguments[1].operator == "number":
        return power(logic_of(t.arguments[0], sorts), integer(int(t.arguments[1].rational)))
    if t.operator == "!=":
        return logic.negation(logic.equal(*(logic_of(a, sorts) for a in t.arguments)))
    if t.operator not in TO_LOGIC:
        raise TermError(f"{t.operator} has no meaning in an obligation")
    return TO_LOGIC[t.operator](*(logic_of(a, sorts) for a in t.arguments))


def spec_of(t: Term) -> spec.Term:
    """The kernel's term; TermError for what the kernel has no operator for."""
    if is_number(t):
        return spec.number(Fraction(number(t)))
    if t.operator == "variable" and t.sort in ("Int", "Real"):
        return spec.name(str(t.value))
    if t.operator == "power" and is_number(t.arguments[1]):
        return spec.power(spec_of(t.arguments[0]), int(number(t.arguments[1])))
    if t.operator == "not" and t.arguments[0].operator == "=":
        return spec.apply("!=", *map(spec_of, t.arguments[0].arguments))
    if t.operator not in TO_SPEC:
        raise TermError(f"{t.operator} has no meaning in a claim of the kernel")
    return TO_SPEC[t.operator](*map(spec_of, t.arguments))
