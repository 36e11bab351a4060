"""One draw at a time at a whole number, of the system's digits: in about a microsecond, once that has paid.

`M(x)` asks here.  What is found out once of a mechanism is kept beside it: how its noise is drawn, and what it makes of
x.  The first draws are made from the one table of every scale (`exponential`); a table of its own is made later.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from refdp.sampling.drawing import of_any_scale
from refdp.sampling.exponential import Draw
from refdp.sampling.plans import Clamped, Noise, Tabled, plan_of
from refdp.sampling.tables import BREAK_EVEN_OF_NOISE, SHELF
from refdp.sampling.words import SYSTEM_WORDS
from refdp.spec.samplers import SCHEMES
from refdp.terms.term import Term

Refuse = Callable[[], NoReturn]
Whole = Callable[[int], int]
"""x -> M(x)."""


class Single:
    """M(x) for whole x; `draw` is None until a fast way is known, and where there is none.

    It holds no random digits.  A copy, or the other side of a pickle, finds everything out anew.
    """

    __slots__ = ("draw",)

    def __init__(self) -> None:
        self.draw: Whole | None = None

    def __reduce__(self) -> tuple[type[Single], tuple[()]]:
        return Single, ()

    def found(self, subject: Term, refuse: Refuse) -> Whole | None:
        """The fast way for the mechanism `subject`, which `refuse` refuses inputs of; None where there is none yet."""
        plan = plan_of(subject) if subject.operator in SCHEMES else None
        if plan is None or plan.unit.denominator != 1:
            return None
        table, noise = SHELF.known(plan.law), of_any_scale(plan.law)
        if table is None and noise is None:
            table = SHELF.find(plan.law, 1)
        if table is not None:
            self.draw = on_whole(plan, table.draws.single(SYSTEM_WORDS), refuse)
        elif noise is not None:
            self.draw = on_whole(plan, self._counted(plan, noise, refuse), refuse)
        return self.draw

    def _counted(self, plan: Tabled, noise: Draw, refuse: Refuse) -> Callable[[], int]:
        """Draws from the one table of every scale, until so many that a table of their own pays."""
        left = BREAK_EVEN_OF_NOISE

        def draw() -> int:
            nonlocal left
            left -= 1
            if left <= 0:  # threads may count past 0
                table = SHELF.find(plan.law, BREAK_EVEN_OF_NOISE)
                faster = (lambda: noise(SYSTEM_WORDS)) if table is None else table.draws.single(SYSTEM_WORDS)
                self.draw = on_whole(plan, faster, refuse)
            return noise(SYSTEM_WORDS)

        return draw


def on_whole(plan: Tabled, draw: Callable[[], int], refuse: Refuse) -> Whole:
    """What a plan makes of a whole input and a draw, where `refuse` refuses what is no input."""
    unit = int(plan.unit)
    match plan:
        case Noise():

            def noisy(x: int) -> int:
                return x + unit * draw() if x % unit == 0 else refuse()

            return noisy if unit > 1 else lambda x: x + draw()
        case Clamped():
            lower, upper = plan.lower * unit, plan.upper * unit

            def clamped(x: int) -> int:
                return max(lower, min(x + unit * draw(), upper)) if lower <= x <= upper and x % unit == 0 else refuse()

            return clamped
    size = plan.law.size
    return lambda x: (x + draw()) % size if 0 <= x < size else refuse()
