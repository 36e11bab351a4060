"""What a term is once some outcomes are known: a linear form in the others, an exact number, or a truth value.

Where that depends on an outcome, or on which branch is taken, Unknown says on which one: the caller tries each.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from refdp.programs.probabilities import numbers
from refdp.programs.probabilities.linear import Linear, constant
from refdp.programs.probabilities.numbers import Number, exponential, logarithm, power
from refdp.programs.probabilities.signs import sign
from refdp.programs.probabilities.sums import NotComputed
from refdp.terms.term import Term

Value = Linear | Number
Known = Mapping[Term, Fraction | bool]
"""The outcomes of draws, and whether conditions hold, as far as known."""


class Unknown(Exception):
    """The outcome of a draw, or whether a condition holds, must be known first."""

    def __init__(self, term: Term) -> None:
        super().__init__(str(term.value or term.operator))
        self.term = term


class Evaluation:
    """Evaluates terms where some outcomes are known; `finite` are the draws that are taken apart by outcome."""

    def __init__(self, known: Known, finite: frozenset[Term]) -> None:
        self.known, self.finite = known, finite
        self.found: dict[Term, Value] = {}

    def value(self, term: Term) -> Value:
        """The number that the term is."""
        if term not in self.found:
            self.found[term] = self._value(term)
        return self.found[term]

    def number(self, term: Term) -> Number:
        """The term as a number; NotComputed where it depends on a draw."""
        found = self.value(term)
        if isinstance(found, Linear) and found.coefficients:
            raise NotComputed("a number depends on what is drawn")
        return exact(found)

    def _value(self, term: Term) -> Value:
        """The same, found."""
        match term.operator:
            case "number":
                return constant(term.rational)
            case "name" if term in self.known:
                return constant(Fraction(self.known[term]))
            case "name" if term in self.finite:
                raise Unknown(term)
            case "name":
                return Linear({term: Fraction(1)}, Fraction(0))
            case "ite":
                return self.value(term.arguments[1 if self.holds(term.arguments[0]) else 2])
            case "real":
                return self.value(term.arguments[0])
            case "+":
                return total(*map(self.value, term.arguments))
            case "*" | "/":
                first, second = map(self.value, term.arguments)
                return product(first, second, -1 if term.operator == "/" else 1)
        return self._function(term.operator, [self.number(a) for a in term.arguments])

    def _function(self, operator: str, arguments: list[Number]) -> Value:
        """A function of numbers that are known."""
        match operator, arguments:
            case "exp", [x]:
                return simplified(exponential(x))
            case "ln", [x]:
                return simplified(logarithm(x))
            case "**", [x, y]:
                return simplified(power(x, y))
            case "sqrt", [x]:
                return simplified(power(x, numbers.number(Fraction(1, 2))) if x.top else x)
            case "floor", [x] if x.rational is not None:
                return constant(x.rational.__floor__())
            case "mod", [x, y] if x.rational is not None and y.rational:
                return constant(x.rational % y.rational)
        raise NotComputed(f"{operator} is not worked out here")

    def holds(self, condition: Term) -> bool:
        """Whether the condition holds; Unknown where that depends on an outcome."""
        if condition in self.known:
            return bool(self.known[condition])
        match condition.operator:
            case "truth":
                return bool(condition.value)
            case "not":
                return not self.holds(condition.arguments[0])
            case "all_of":
                return all(map(self.holds, condition.arguments))
            case "any_of":
                return any(map(self.holds, condition.arguments))
            case "ite":
                return self.holds(condition.arguments[1 if self.holds(condition.arguments[0]) else 2])
            case "==" if condition.arguments[0].sort == "Bool":
                first, second = map(self.holds, condition.arguments)
                return first == second
            case "<" | "<=" | "==":
                form = self.compared(condition)
                if not isinstance(form, int):
                    raise Unknown(condition)
                return {"<": form < 0, "<=": form <= 0, "==": form == 0}[condition.operator]
        raise Unknown(condition)

    def compared(self, comparison: Term) -> Linear | int:
        """Left minus right: a form that is not constant, or its sign."""
        first, second = map(self.value, comparison.arguments)
        form = total(first, product(constant(-1), second))
        if isinstance(form, Linear):
            return form if form.coefficients else (form.constant > 0) - (form.constant < 0)
        return sign(form)


def exact(value: Value) -> Number:
    """A constant as an exact number."""
    return numbers.number(value.constant) if isinstance(value, Linear) else value


def simplified(found: Number) -> Value:
    """A rational number as a linear form."""
    return found if found.rational is None else constant(found.rational)


def total(first: Value, second: Value) -> Value:
    """first + second; NotComputed where an irrational number would stand beside a draw."""
    if isinstance(first, Linear) and isinstance(second, Linear):
        return first.plus(second)
    if any(isinstance(one, Linear) and one.coefficients for one in (first, second)):
        raise NotComputed("an irrational number is added to what is drawn")
    return simplified(exact(first) + exact(second))


def product(first: Value, second: Value, sign: int = 1) -> Value:
    """first * second, or first / second for sign -1."""
    if sign < 0:
        if isinstance(second, Linear) and second.coefficients:
            raise NotComputed("something is divided by what is drawn")
        if not exact(second).top:
            raise NotComputed("a number is divided by 0")
        second = simplified(exact(second) ** -1)
    for one, other in ((first, second), (second, first)):
        if isinstance(one, Linear) and not one.coefficients and isinstance(other, Linear):
            return other.times(one.constant)
    if any(isinstance(one, Linear) and one.coefficients for one in (first, second)):
        raise NotComputed("what is drawn is multiplied by what is drawn, or by an irrational number")
    return simplified(exact(first) * exact(second))
