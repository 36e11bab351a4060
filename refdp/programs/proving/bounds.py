"""Bounds of the charges of each group: the same for all lengths, or what the rest leaves of the claim."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, gcd, lcm

from refdp import work
from refdp.logic.asking import satisfiable
from refdp.programs.adjacency import LENGTH
from refdp.programs.proving.guessing import LONGEST, PLAIN, NoGuess, Values
from refdp.programs.proving.rates import is_linear, quotient
from refdp.programs.proving.unrolling import Unrolled
from refdp.terms.leaves import FALSE, is_number, rational, variables
from refdp.terms.operations import add, conjunction, disjunction, less, multiply, real, substitute, subtract
from refdp.terms.term import Term

MOST = 12
"""How often a greatest charge is asked for."""


@dataclass(frozen=True, slots=True)
class Charges:
    """What small examples say of the charges of an alignment."""

    examples: Sequence[Unrolled]
    values: Values
    weights: Sequence[Fraction]
    end: float

    def greatest(self, group: int, example: Unrolled) -> Fraction:
        """The greatest weighted shifts of a group.  NoGuess where that is not found out."""
        best, step = Fraction(0), grid(self.weights)
        ends = [(substitute(c, self.values), substitute(costs[group], self.values)) for c, costs in example.ends]
        for _ in range(MOST):
            more = disjunction(*(conjunction(c, less(rational(best), cost)) for c, cost in ends))
            if more is FALSE:
                return best
            answer = satisfiable("z3", (more,), min(LONGEST, max(0.01, self.end - work.spent())), PLAIN)
            if answer.verdict == "unsat":
                return best
            if answer.verdict == "unknown":
                break
            reached = max(worth(cost, answer.models[0]) for c, cost in ends if worth(c, answer.models[0]))
            best = max(best + step, step * ceil(reached / step))
        raise NoGuess("the charges grow with the number of data")

    def is_plain(self, group: int) -> bool:
        """Whether the weighted shifts of a group are numbers, so that the greatest is seen at once."""
        ends = (substitute(costs[group], self.values) for one in self.examples for _, costs in one.ends)
        return all(map(is_number, ends))

    def constant(self, group: int) -> Fraction | None:
        """The greatest weighted shifts where they are the same in every example."""
        found = {self.greatest(group, one) for one in self.examples}
        return found.pop() if len(found) == 1 else None


def worth(term: Term, model: object) -> Fraction:
    """The value of a term in a model."""
    from refdp.terms.exact_values import evaluate

    return Fraction(evaluate(term, model))  # type: ignore[arg-type]


def grid(weights: Sequence[Fraction]) -> Fraction:
    """The number that all weights are multiples of."""
    bottom = lcm(*(w.denominator for w in weights)) if weights else 1
    return Fraction(gcd(*(int(w * bottom) for w in weights)) or 1, bottom)


def bounds(charges: Charges, rates: Sequence[Term], claimed: Term | None) -> list[Term]:
    """A bound for each group, so that all of them keep to the claim where there is one."""
    found: list[Term | None] = [None] * len(rates)
    for group in sorted(range(len(rates)), key=charges.is_plain, reverse=True):
        waiting = [g for g, one in enumerate(found) if one is None]
        rest = None if claimed is None or len(waiting) > 1 else remainder(claimed, rates, found, group)
        grows = rest is not None and (is_linear(rest) or LENGTH in variables(rest))
        constant = None if grows else charges.constant(group)
        found[group] = rest if constant is None else rational(constant)
    return [one if one is not None else line(charges, g) for g, one in enumerate(found)]


def remainder(claimed: Term, rates: Sequence[Term], found: Sequence[Term | None], group: int) -> Term | None:
    """What the other groups leave of the claim for this one, where public parameters do not stand below 1."""
    spent: Term = rational(0)
    for rate, one in zip(rates, found, strict=True):
        spent = add(spent, multiply(rate, one)) if one is not None else spent
    return quotient(subtract(claimed, spent), rates[group])


def line(charges: Charges, group: int) -> Term:
    """The greatest weighted shifts as they grow with the whole number that the examples differ in."""
    first, second = charges.examples
    names = [p for p in first.setting if first.setting[p] is not second.setting[p]]
    low, high = (charges.greatest(group, one) for one in (first, second))
    size = first.setting[names[0]].rational
    slope = (high - low) / (second.setting[names[0]].rational - size)
    return add(multiply(rational(slope), real(names[0])), rational(low - slope * size))
