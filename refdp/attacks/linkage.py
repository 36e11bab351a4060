"""Linkage: columns that look harmless single a row out, and so tell its secret column, in a table without names.

How many rows are unique is counted.  The game is about those: each run takes a unique row, draws its secret anew, each
value as likely, and publishes, for each value of the known columns, how many rows have which secret.  Without noise
that is the table itself.  The attacker looks at the cells of the known row and names the secret with the greatest
count.  A replaced secret moves two cells by 1 each, so that noise of scale 2 / epsilon makes the table epsilon-DP.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any, ClassVar

from refdp.attacks.arrays import LOTS, chunks, greatest, noisy, one_hot, random_places
from refdp.attacks.bounds import GuessBound, account_of_noise, guess_bound
from refdp.attacks.games import Step, Tally
from refdp.attacks.parameters import grid
from refdp.attacks.tables import LinkedTable, linked_table, share

AUXILIARY = ("island", "year", "flipper_length_mm", "body_mass_g")


@dataclass(frozen=True, slots=True)
class Linkage:
    """A CSV table, the columns `auxiliary` that others may know, and the column `secret`."""

    table: str | Path | None = None
    auxiliary: tuple[str, ...] = AUXILIARY
    secret: str = "sex"
    rows: LinkedTable = field(init=False, repr=False, compare=False)
    name: ClassVar[str] = "linkage"
    neighbours: ClassVar[str] = "change_one"
    epsilons: ClassVar[Sequence[Fraction]] = grid("1/10 1/5 1/2 1 2 4 8 16")
    default_runs: ClassVar[int] = 10_000

    def __post_init__(self) -> None:
        object.__setattr__(self, "auxiliary", tuple(self.auxiliary))
        object.__setattr__(self, "rows", linked_table(self.table, self.auxiliary, self.secret))
        if not self.unique:
            raise ValueError(f"auxiliary must single out at least one row, got {', '.join(self.auxiliary)}")

    @property
    def unique(self) -> list[int]:
        """The rows that the known columns single out."""
        return self.rows.unique(len(self.auxiliary))

    @property
    def values(self) -> int:
        """How many secrets there are."""
        return len(self.rows.values)

    @property
    def sentence(self) -> str:
        known = ", ".join(self.auxiliary)
        return (
            f"Of a row that {known} single out, {self.secret} is drawn anew; it is guessed by the cells of the "
            "published table that have these."
        )

    @property
    def promise(self) -> str:
        """What is bounded."""
        return f"a guess of the {self.secret} is right with probability at most the bound"

    def scale(self, epsilon: Fraction) -> Fraction:
        return 2 / epsilon

    def total(self, epsilon: Fraction) -> Fraction:
        return epsilon

    def bound(self, epsilon: Fraction, timeout: float) -> GuessBound:
        event = {"mechanism": "discrete_laplace", "scale": self.scale(epsilon), "count": 2}
        others = [epsilon / 4, epsilon / 2, epsilon] if self.values > 2 else []
        return guess_bound(account_of_noise([event], self.neighbours), self.values, others, timeout)

    def play(self, scale: Fraction | None, runs: int, step: Step) -> Mapping[str, Tally]:
        right = 0
        for part in chunks(runs, self.values * LOTS, step):
            secrets = random_places(part, self.values)
            cells = noisy(one_hot(secrets, self.values), scale)
            right += int((greatest(cells) == secrets).sum())
        return {"success": Tally(right, runs)}

    def more(self, epsilon: Fraction, timeout: float) -> Mapping[str, Any]:
        return {}

    def facts(self) -> Sequence[tuple[str, str]]:
        size, found = len(self.rows.known), list[tuple[str, str]]()
        for columns in range(1, len(self.auxiliary) + 1):
            known = ", ".join(self.auxiliary[:columns])
            found.append((f"rows that {known} single out", share(len(self.rows.unique(columns)), size)))
        told = share(self.rows.told(len(self.auxiliary)), size)
        return (*found, (f"rows whose {self.secret} all rows alike in these have", told))
