"""Guesses by counterexamples: coefficients that no small example contradicts, the plainest ones first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from refdp import work
from refdp.logic.asking import satisfiable
from refdp.programs.proving.templates import Unknown
from refdp.terms.leaves import FALSE, TRUE, integer, rational, truth, variables
from refdp.terms.operations import at_most, conjunction, equal, negation, substitute, total
from refdp.terms.term import Term, Value

Values = Mapping[Term, Term]
STEP = 2
"""By how much the price of coefficients is raised at a time."""
PLAIN = "plain"
"""The engine of z3 that prepares nothing: these questions are many and small."""
LONGEST = 5.0
"""Longest time for one question, in seconds."""


class NoGuess(ValueError):
    """No coefficients do, or none were found in time."""


@dataclass(frozen=True, slots=True)
class Example:
    """Data and draws for which some coefficients went wrong."""

    values: Mapping[Term, Value]
    coefficients: Values
    wrong: Term
    """What went wrong, as the guesser was told."""


@dataclass(slots=True)
class Guesser:
    """Looks for coefficients with which none of the `wrong` terms can be true."""

    unknowns: Sequence[Unknown]
    wrong: Sequence[Term]
    examples: list[Example]
    end: float
    learnt: list[Term] = field(default_factory=list)
    cheapest: int = 0

    def __post_init__(self) -> None:
        for one in self.examples:
            self.learn(one)

    def guess(self) -> Values:
        """The next guess.  NoGuess where there is none."""
        while True:
            values = self.proposal()
            found = self.contradiction(values)
            if found is None:
                return values
            self.examples.append(found)
            self.learn(found)

    def learn(self, example: Example) -> None:
        """From now on coefficients must do for this example."""
        names = {u.variable for u in self.unknowns}
        for wrong in self.wrong:
            fixed = {v: constant(example.values.get(v, False), v) for v in variables(wrong) if v not in names}
            must = negation(substitute(wrong, fixed))
            self.learnt += [] if must is TRUE else [must]

    def forbid(self, values: Values) -> None:
        """These coefficients are not guessed again."""
        self.learnt.append(negation(conjunction(*(equal(k, v) for k, v in values.items()))))

    def proposal(self) -> Values:
        """The cheapest coefficients that do for every example."""
        price = total(u.price for u in self.unknowns)
        domain = [conjunction(*(within(u) for u in self.unknowns)), *self.learnt]
        for most in self.prices():
            answer = self.asked((*domain, at_most(price, integer(most))))
            if answer is not None:
                self.cheapest = most
                return {u.variable: constant(answer.get(u.variable, False), u.variable) for u in self.unknowns}
        raise NoGuess("no alignment of this form does")

    def prices(self) -> Iterator[int]:
        """Most that coefficients may cost: little at first, then whatever they cost, if that helps."""
        most, highest = self.cheapest, sum(max(u.prices) for u in self.unknowns)
        yield most
        if self.asked((conjunction(*(within(u) for u in self.unknowns)), *self.learnt)) is None:
            return
        while most < highest:
            most = min(most + STEP, highest)
            yield most

    def contradiction(self, values: Values) -> Example | None:
        """An example that these coefficients do not do for."""
        for wrong in self.wrong:
            asked = substitute(wrong, values)
            found = None if asked is FALSE else self.asked((asked,))
            if found is not None:
                return Example(found, values, wrong)
        return None

    def asked(self, assertions: tuple[Term, ...]) -> Mapping[Term, Value] | None:
        """Values with which the assertions hold; NoGuess where that is not found out."""
        left = min(LONGEST, self.end - work.spent())
        if left <= 0:
            raise NoGuess("the time is over")
        answer = satisfiable("z3", assertions, left, PLAIN)
        if answer.verdict == "unknown":
            raise NoGuess(f"z3 does not know: {answer.reason}")
        return answer.models[0] if answer.verdict == "sat" else None


def within(unknown: Unknown) -> Term:
    """That an unknown is one of its choices."""
    one = unknown.variable
    return conjunction(at_most(integer(0), one), at_most(one, integer(len(unknown.values))))


def constant(value: Value, like: Term) -> Term:
    """A value as a term of the sort of a variable."""
    if like.sort == "Bool":
        return truth(bool(value))
    return integer(int(value)) if like.sort == "Int" else rational(value)
