"""Results: what a judge says of a target, as one JSON object from which every report is drawn.

Numbers that carry a claim are text.  Only coordinates of pictures (`evidence`) are floats, and say so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from refdp.verdicts import UNKNOWN, Verdict

UNSEEING = "no violation would have been seen"
"""How a reason begins where what was asked, drawn or planted could not have shown what would be named."""


@dataclass(frozen=True, slots=True)
class Counterexample:
    """What a person checks by hand: two inputs, what came of each, and by how much that is too much."""

    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    claimed: str
    found: str
    event: str = ""
    """Of which outputs the frequencies speak, where they do."""
    counts: tuple[str, ...] = ()
    """For each input how often the event came, such as "271 of 1000"."""
    bounds: tuple[str, ...] = ()
    """For each input an interval of its probability at the error that is stated."""


@dataclass(frozen=True, slots=True)
class LedgerLine:
    """One test: its null, its share of alpha, and what it has seen."""

    test: str
    null: str
    alpha: str
    samples: int
    log10_e: str


@dataclass(frozen=True, slots=True)
class Curve:
    """delta(epsilon), as coordinates: claimed, exact, and certified from below; None where it is not known."""

    epsilons: tuple[float, ...]
    claimed: tuple[float | None, ...] = ()
    exact: tuple[float | None, ...] = ()
    certified: tuple[float | None, ...] = ()
    marked: float | None = None
    """The epsilon at which the claim fails, or is made."""


@dataclass(frozen=True, slots=True)
class LossBin:
    """Outputs with a privacy loss from `lower` to `upper`: how often on each side, and whether the event holds them."""

    lower: float
    upper: float
    first: float
    second: float
    inside: bool


@dataclass(frozen=True, slots=True)
class Wealth:
    """log10 of the e-value after so many samples, and where it refutes."""

    samples: tuple[int, ...]
    log10: tuple[float, ...]
    threshold: float


@dataclass(frozen=True, slots=True)
class Difference:
    """Empirical minus exact distribution function at the points, and the half width of the simultaneous band."""

    at: tuple[float, ...]
    difference: tuple[float, ...]
    band: float
    confidence: str
    """Of the band, such as "1 - 1e-9"."""


@dataclass(frozen=True, slots=True)
class Row:
    """A question and its answer beside certified bounds, for accountants; or a measurement and its value."""

    question: str
    answer: str
    lower: str
    upper: str
    verdict: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a report draws; each part where it was given."""

    counterexample: Counterexample | None = None
    curve: Curve | None = None
    losses: tuple[LossBin, ...] = ()
    wealth: Wealth | None = None
    difference: Difference | None = None
    rows: tuple[Row, ...] = ()
    ledger: tuple[LedgerLine, ...] = ()


@dataclass(frozen=True, slots=True)
class Result(Verdict):
    """A verdict, in words, with its evidence."""

    claim: str
    """What was judged, as a sentence."""
    sentence: str
    """The verdict in words, with its error or its power: never a bare verdict."""
    witness: str = ""
    """The counterexample in at most 80 characters, for tables."""
    power: str = ""
    """What would have been seen, where nothing was refuted."""
    samples: int = 0
    attached: Mapping[str, Any] = field(default_factory=dict)
    """JSON documents by name, such as a witness that replays by itself."""
    error: Fraction = Fraction(0)
    """The probability that a true claim is refuted so; 0 where there are no statistics."""
    about: Mapping[str, str] = field(default_factory=dict)
    """Library, version and target, as the worker told them."""
    scope: Sequence[str] = ()
    """What was tested."""
    not_tested: Sequence[str] = ()
    evidence: Evidence = field(default_factory=Evidence)

    def __post_init__(self) -> None:
        Verdict.__post_init__(self)
        if self.verdict == UNKNOWN and not self.reason:
            raise ValueError("UNKNOWN must have a reason")
