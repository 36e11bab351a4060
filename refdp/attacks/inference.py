"""Inference: what a release says of a population tells something of each of its members, in the table or not.

Each run takes a row at random and publishes noisy counts of (known columns, secret) of the table, from which the row is
left out with probability 1/2.  The guess is the most frequent secret of the rows that are alike in the known columns.
It is right far more often than by chance, and DP does not promise otherwise: what it promises is that it is right about
as often for those who are not in the table, within delta(0) of one row that comes or goes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, ClassVar

from refdp.attacks.arrays import chunks, greatest, noisy, random_places, whole_numbers
from refdp.attacks.bounds import GuessBound, account_of_noise, bound_at
from refdp.attacks.games import Step, Tally
from refdp.attacks.parameters import grid
from refdp.attacks.tables import LinkedTable, linked_table, share

AUXILIARY = ("island",)


@dataclass(frozen=True, slots=True)
class Inference:
    """A CSV table, the columns `auxiliary` that others know of anybody, and the column `secret`."""

    table: str | Path | None = None
    auxiliary: tuple[str, ...] = AUXILIARY
    secret: str = "species"
    rows: LinkedTable = field(init=False, repr=False, compare=False)
    name: ClassVar[str] = "inference"
    neighbours: ClassVar[str] = "add_remove"
    values: ClassVar[int] = 0
    promise: ClassVar[str] = "guesses are right more often of rows in the table than of others by at most the bound"
    epsilons: ClassVar[Sequence[Fraction]] = grid("1/100 1/50 1/20 1/10 1/5 1/2 1")
    default_runs: ClassVar[int] = 20_000

    def __post_init__(self) -> None:
        object.__setattr__(self, "auxiliary", tuple(self.auxiliary))
        object.__setattr__(self, "rows", linked_table(self.table, self.auxiliary, self.secret))

    @property
    def sentence(self) -> str:
        known = ", ".join(self.auxiliary)
        return (
            f"How often each {self.secret} goes with each value of {known} is published, of a table with or "
            f"without a row; the row's {self.secret} is guessed as the most frequent one among rows alike."
        )

    def scale(self, epsilon: Fraction) -> Fraction:
        return 1 / epsilon

    def total(self, epsilon: Fraction) -> Fraction:
        return epsilon

    def bound(self, epsilon: Fraction, timeout: float) -> GuessBound:
        """delta(0): of the difference of two probabilities, not of one."""
        event = {"mechanism": "discrete_laplace", "scale": self.scale(epsilon)}
        found = bound_at(account_of_noise([event], self.neighbours), 2, Fraction(0), timeout)
        return replace(found, probability=found.delta)

    def play(self, scale: Fraction | None, runs: int, step: Step) -> Mapping[str, Tally]:
        inside = runs // 2
        return {
            "success": Tally(self.right(scale, inside, 0, step), inside),
            "without": Tally(self.right(scale, runs - inside, 1, lambda done: step(inside + done)), runs - inside),
        }

    def right(self, scale: Fraction | None, runs: int, left_out: int, step: Step) -> int:
        """How many guesses were right, with the row in the table, or left out."""
        values, keys = self.rows.values, sorted(set(self.rows.known))
        counts = {key: [0] * len(values) for key in keys}
        for key, one in zip(self.rows.known, self.rows.secrets, strict=True):
            counts[key][values.index(one)] += 1
        table = whole_numbers([counts[key] for key in self.rows.known])
        secrets, found = whole_numbers([values.index(one) for one in self.rows.secrets]), 0
        for part in chunks(runs, len(values), step):
            places = random_places(part, len(secrets))
            cells = table[places]
            cells[list(range(part)), secrets[places]] -= left_out
            found += int((greatest(noisy(cells, scale)) == secrets[places]).sum())
        return found

    def more(self, epsilon: Fraction, timeout: float) -> Mapping[str, Any]:
        return {}

    def facts(self) -> Sequence[tuple[str, str]]:
        commonest = max(self.rows.secrets.count(value) for value in self.rows.values)
        known = ", ".join(self.auxiliary)
        return (
            (f"rows with the commonest {self.secret}", share(commonest, len(self.rows.secrets))),
            (f"rows whose {self.secret} is that of all rows with their {known}",
             share(self.rows.told(len(self.auxiliary)), len(self.rows.secrets))),
        )  # fmt: skip
