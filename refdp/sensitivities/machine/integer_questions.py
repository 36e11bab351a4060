"""Is there a pair of tables of n integers on which their sum moves further than claimed?  As bit-vectors, for one n."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from refdp.sensitivities.machine.integers import IntegerQuery
from refdp.sensitivities.machine.runs import Runs


@dataclass(frozen=True, slots=True)
class IntegerQuestion:
    """Whether a sum of `rows` integers moves further than the claim; under add_remove the other table has one more.

    The text is satisfiable exactly where there is such a pair.
    """

    query: IntegerQuery
    rows: int
    claim: Fraction

    @property
    def names(self) -> list[str]:
        """The rows of the first table, and the edited one."""
        return [*(f"row{i}" for i in range(self.rows)), "edited"]

    @property
    def text(self) -> str:
        """The SMT-LIB text; `place` is where the edited row stands."""
        form, lines, goals = self.query.form, ["(set-logic QF_BV)"], list[str]()
        order = "bvsle" if form.signed else "bvule"
        for name in self.names:
            lines.append(f"(declare-const {name} (_ BitVec {form.bits}))")
            low, high = (_literal(end, form.bits) for end in (self.query.lower, self.query.upper))
            lines.append(f"(assert (and ({order} {low} {name}) ({order} {name} {high})))")
        lines.append("(declare-const place (_ BitVec 8))")
        first = self._wide(self._sum([f"row{i}" for i in range(self.rows)]))
        for place in range(self.rows + self._grows):
            second = self._wide(self._sum(self._edited(place)))
            limit = _literal(min(self.claim.__floor__(), 2 << form.bits), form.bits + 8)
            apart = [f"(bvslt {limit} (bvsub {a} {b}))" for a, b in ((first, second), (second, first))]
            goals.append(f"(and (= place {_literal(place, 8)}) (or {' '.join(apart)}))")
        return "\n".join([*lines, f"(assert (or {' '.join(goals)}))", "(check-sat)", ""])

    def tables(self, values: list[Fraction], place: int) -> tuple[Runs, Runs]:
        """Both tables, where rows and the edited one have these values."""
        known = dict(zip(self.names, values, strict=True))
        place = min(place, self.rows)
        first, second = (self.names[:-1], self._edited(place))
        return Runs(tuple((known[n], 1) for n in first)), Runs(tuple((known[n], 1) for n in second))

    @property
    def _grows(self) -> bool:
        """Whether the second table has one row more."""
        return self.query.neighbours == "add_remove"

    def _edited(self, place: int) -> list[str]:
        """The rows of the second table."""
        rows = self.names[:-1]
        return [*rows[:place], "edited", *(rows[place:] if self._grows else rows[place + 1 :])]

    def _sum(self, names: list[str]) -> str:
        """The sum from left to right; saturating, each step in one bit more, clipped."""
        form, total = self.query.form, _literal(0, self.query.form.bits)
        for name in names:
            if form.overflow == "wrap":
                total = f"(bvadd {total} {name})"
                continue
            low, high = (_literal(end, form.bits + 8) for end in (form.lowest, form.highest))
            clipped = f"(ite (bvslt {high} s) {high} (ite (bvslt s {low}) {low} s))"
            added = f"(bvadd {self._wide(total)} {self._wide(name)})"
            total = f"((_ extract {form.bits - 1} 0) (let ((s {added})) {clipped}))"
        return total

    def _wide(self, one: str) -> str:
        """The number in 8 bits more, where no sum of two and no difference wraps."""
        return f"((_ {'sign' if self.query.form.signed else 'zero'}_extend 8) {one})"


def _literal(value: int, bits: int) -> str:
    """A number as a bit-vector."""
    return f"(_ bv{value % (1 << bits)} {bits})"
