"""How the rows of each run are sampled: one scheme a class, with what is believed of the tables where it is."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from refdp.accounting.losses import require
from refdp.accounting.numbers import whole
from refdp.accounting.stated.fields import read_fields

LARGEST_TABLE = 10**15
"""Most rows of a table from which samples of a fixed size are drawn."""


@dataclass(frozen=True, slots=True)
class Poisson:
    """Each row is in the sample with probability rate, independently of the others and of other samples."""

    rate: Fraction

    def __post_init__(self) -> None:
        read_fields(self, rate=True)
        require(self.rate <= 1, "rate", "at most 1", self.rate)

    def __str__(self) -> str:
        return f"a Poisson sample, rate {short(self.rate)}"


@dataclass(frozen=True, slots=True)
class FixedSize:
    """Each set of `sample` of the `rows` rows is as likely, independently of other samples."""

    rows: int
    sample: int

    def __post_init__(self) -> None:
        _read_whole(self, "rows", "sample")
        require(self.sample <= self.rows, "sample", f"at most rows = {self.rows}", self.sample)

    def __str__(self) -> str:
        return f"a sample of {self.sample} of {self.rows} rows"


@dataclass(frozen=True, slots=True)
class FixedSizeOfAtLeast:
    """Each set of `sample` rows of the table is as likely, however many rows it has, and it has `least_rows` or more.

    That it has is believed of every table that may be the input; the number itself is public.
    """

    least_rows: int
    sample: int

    def __post_init__(self) -> None:
        _read_whole(self, "least_rows", "sample")
        require(self.sample <= self.least_rows, "sample", f"at most least_rows = {self.least_rows}", self.sample)

    @property
    def assumptions(self) -> frozenset[str]:
        """What is believed of the tables."""
        return frozenset({f"assumption: every table has at least {self.least_rows} rows"})

    def __str__(self) -> str:
        return f"a sample of {self.sample} rows of at least {self.least_rows}"


@dataclass(frozen=True, slots=True)
class TruncatedPoisson:
    """A Poisson sample, of which at most `largest` rows are kept: the first ones of an order that reads no data.

    The order may be random, so that each set of rows is as likely to be kept.  `most_rows` is a public number, and that
    no table has more rows is believed.
    """

    rate: Fraction
    largest: int
    most_rows: int

    def __post_init__(self) -> None:
        read_fields(self, rate=True)
        require(self.rate <= 1, "rate", "at most 1", self.rate)
        _read_whole(self, "largest", "most_rows")

    @property
    def assumptions(self) -> frozenset[str]:
        """What is believed of the tables."""
        return frozenset({f"assumption: every table has at most {self.most_rows} rows"})

    def __str__(self) -> str:
        return f"a Poisson sample, rate {short(self.rate)}, of at most {self.largest} rows of at most {self.most_rows}"


@dataclass(frozen=True, slots=True)
class WithReplacement:
    """`sample` rows are drawn one after another, each of them any of the `rows` rows, as likely."""

    rows: int
    sample: int

    def __post_init__(self) -> None:
        _read_whole(self, "rows", "sample")

    def __str__(self) -> str:
        return f"{self.sample} draws, with replacement, of {self.rows} rows"


@dataclass(frozen=True, slots=True)
class CyclicPoisson:
    """Each row is in one of `batches` parts; step i, of `steps`, takes a Poisson sample of part i modulo `batches`.

    In which part a row is does not depend on the other rows, which is believed.
    """

    rate: Fraction
    batches: int
    steps: int

    def __post_init__(self) -> None:
        read_fields(self, rate=True)
        require(self.rate <= 1, "rate", "at most 1", self.rate)
        _read_whole(self, "batches", "steps")

    @property
    def assumptions(self) -> frozenset[str]:
        """What is believed of the parts."""
        return frozenset({"assumption: in which part a row is does not depend on other rows"})

    def __str__(self) -> str:
        parts = f"each of one of {self.batches} parts in turn"
        return f"{self.steps} Poisson samples, rate {short(self.rate)}, {parts}"


@dataclass(frozen=True, slots=True)
class BallsInBins:
    """Each row takes part in `turns` of `steps` steps, each such set as likely, whatever the other rows do."""

    steps: int
    turns: int = 1

    def __post_init__(self) -> None:
        _read_whole(self, "steps", "turns")
        require(self.turns <= self.steps, "turns", f"at most steps = {self.steps}", self.turns)

    def __str__(self) -> str:
        return f"{self.turns} of {self.steps} steps, by chance for each row"


Scheme = Poisson | FixedSize | FixedSizeOfAtLeast | TruncatedPoisson | WithReplacement | CyclicPoisson | BallsInBins
"""How rows are sampled."""


def assumptions(stated: object) -> frozenset[str]:
    """What is believed where a scheme, or a mechanism, has it."""
    found: frozenset[str] = getattr(stated, "assumptions", frozenset())
    return found


def short(value: object) -> str:
    """A parameter for a sentence."""
    text = f"{len(value)} pairs" if isinstance(value, tuple) else str(value)
    return text if len(text) <= 40 else f"about {float(value):.6g}" if isinstance(value, Fraction) else text[:40]


def _read_whole(scheme: object, *names: str) -> None:
    """The named fields as whole numbers from 1 on."""
    for name in names:
        object.__setattr__(scheme, name, whole(getattr(scheme, name), name, LARGEST_TABLE))
