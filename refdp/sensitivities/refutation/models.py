"""Tables from solvers: the function on tables of a few symbolic rows, and a model in which the claim fails.

A model is a suggestion: the judge runs the tables.  "unsat" for every way of editing tables of n rows says that there
is no violation with n rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from refdp.logic.asking import Answer, satisfiable
from refdp.sensitivities.pair import Pair
from refdp.sensitivities.program import ROW, Program
from refdp.sensitivities.question import SIZE, Norm, moves_at_most
from refdp.sensitivities.refutation.edits import Names, permutations, symbolic_edits
from refdp.sensitivities.refutation.judge import Judge
from refdp.terms.leaves import FALSE, TRUE, ZERO, integer
from refdp.terms.operations import conjunction, equal, negation, substitute
from refdp.terms.term import Term, Value

Row = tuple[Term, ...]
Ending = tuple[Sequence[Term], Term, Sequence[str], Term]
"""The numbers of an answer, the place of the exception, what the numbers are called, and what is given besides."""
Unrolled = Callable[[Sequence[Row]], Ending]
"""What the function does on some rows."""
ENGINES = ("default", "nlsat")
MOST_EDITS = 3
"""Most edits that a solver is asked about."""
SLICE = 1.5
"""Most seconds of one question."""


def unrolled(program: Program, rows: Sequence[Row]) -> Ending:
    """What the program does on these rows, as terms."""
    known: dict[Term, Term] = {}
    names = program.record.slots(ROW)
    for one in program.passes:
        known |= zip(one.state, [substitute(t, known) for t in one.start], strict=True)
        for row in rows:
            values = {**known, **dict(zip(names, row, strict=True))}
            known |= zip(one.state, [substitute(t, values) for t in one.step], strict=True)
    numbers = [substitute(t, known) for t in program.output]
    return numbers, substitute(program.exception, known), program.labels, program.assumption


def near(first: Ending, second: Ending, norm: Norm, claim: Term) -> Term:
    """The statement that two endings are within the claim; answers of another shape never are."""
    (a, raised, labels, _), (b, other, others, _) = first, second
    if len(a) == len(b) and tuple(labels) == tuple(others):
        return moves_at_most((a, raised), (b, other), norm, claim)
    return conjunction(equal(raised, other), negation(equal(raised, ZERO)))


@dataclass(slots=True)
class Models:
    """Questions to solvers about small tables."""

    judge: Judge
    ending: Unrolled
    claim: Term
    endings: dict[Names, Ending] = field(default_factory=dict)

    def pairs(self, size: int) -> Iterator[Pair | None]:
        """Pairs with `size` rows in the smaller table; None for each question that was not decided."""
        judge, order_free, edits = self.judge, False, min(self.judge.edits, MOST_EDITS)
        if judge.tables == "multisets":
            longest = size + (edits if judge.neighbours == "add_remove" else 0)
            order_free = all(self.is_order_free(number, size) for number in range(size, longest + 1))
        for first, second in symbolic_edits(judge.neighbours, edits, size, order_free):
            if judge.tables == "lists" or order_free:
                yield from self._asked(first, second, size)
            else:
                for other in permutations(second):
                    yield from self._asked(first, other, size)
        if judge.tables == "multisets" and not order_free and size > 1:
            rows = tuple(f"row{i}" for i in range(size))
            for other in permutations(rows):
                yield from self._asked(rows, other, size)

        if edits < judge.edits:
            yield None  # more edits are not asked about

    def is_order_free(self, number: int, size: int) -> bool:
        """Whether a solver shows that in tables of `number` rows no two next to each other matter in their order.

        The assumption is read with the `size` of the smaller table.
        """
        rows = tuple(f"row{i}" for i in range(number))
        for i in range(number - 1):
            other = (*rows[:i], rows[i + 1], rows[i], *rows[i + 2 :])
            if self._reply(rows, other, size, ZERO, "default").verdict != "unsat":
                return False
        return True

    def _asked(self, first: Names, second: Names, size: int) -> Iterator[Pair | None]:
        """A pair from the models of one question; None where it is not decided."""
        claim = substitute(self.claim, {SIZE: integer(size)})
        for engine in ENGINES:
            reply = self._reply(first, second, size, claim, engine)
            if reply.verdict == "unsat":
                return
            for model in reply.models:
                pair = self._replayed(first, second, model)
                if pair is not None:
                    yield pair
                    return
        yield None

    def _reply(self, first: Names, second: Names, size: int, claim: Term, engine: str) -> Answer:
        """Whether the endings on two tables can be further apart than the claim."""
        judge, declaration, count = self.judge, self.judge.declaration, {SIZE: integer(size)}
        judge.hurry()
        a, b = self._ending(first), self._ending(second)
        apart = negation(near(a, b, judge.norm, claim))
        given = [declaration.record.constraint(name) for name in dict.fromkeys((*first, *second))]
        assumed = [substitute(t, count) for t in (declaration.assumption, a[3], b[3])]
        assertion = conjunction(apart, *assumed, *given)
        if assertion in (FALSE, TRUE):
            return Answer("unsat" if assertion is FALSE else "sat", models=({},))
        return satisfiable("z3", [assertion], min(SLICE, judge.left()), engine)

    def _ending(self, names: Names) -> Ending:
        """What the function does on the rows of these names."""
        if names not in self.endings:
            self.endings[names] = self.ending([self.judge.declaration.record.slots(name) for name in names])
        return self.endings[names]

    def _replayed(self, first: Names, second: Names, model: Mapping[Term, Value]) -> Pair | None:
        """The tables of a model, as far as the judge agrees."""
        record, parameters = self.judge.declaration.record, self.judge.declaration.parameters
        slots = [slot for name in dict.fromkeys((*first, *second)) for slot in record.slots(name)]
        values = {**dict.fromkeys((*slots, *parameters), Fraction(0)), **model}
        tables = [tuple(record.value(name, values) for name in table) for table in (first, second)]
        return self.judge.violation(
            tables[0], tables[1], {str(symbol.value): Fraction(values[symbol]) for symbol in parameters}
        )
