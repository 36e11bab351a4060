"""Counts of unknown keys: M(table) gives each row that occurs, a key, whose count with noise reaches a threshold.

A key that does not occur gets no noise and is never given: nobody need list what keys there are.  The outcome is the
tuple of the keys, in the order of keys, each with its noisy count unless the keys alone are given.  The noise is
Laplace noise, or discrete Laplace noise on whole numbers, of the scale that the mechanism gives; keys are independent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any, ClassVar

from refdp.spec import registry
from refdp.spec.domains import LONGEST_LIST, domain
from refdp.spec.formulas import Formula, require_whole
from refdp.spec.statements import Statement
from refdp.terms.evaluation import Arithmetic
from refdp.terms.term import Term, TermError, exp, name, number

SHAPES = ("laplace", "discrete_laplace")
COUNTS: Mapping[str, int] = {"symmetric": 1, "change_one": 2}
"""Metric of tables -> how many counts one row moves by 1."""


@dataclass(frozen=True, slots=True)
class ThresholdedCounts:
    """Formulas of scale and threshold, and of the loss when one count moves by at most d_in."""

    stem: str
    parameters: tuple[str, ...]
    conditions: tuple[Term, ...]
    example: Mapping[str, Term]
    noise: str
    scale: Formula
    threshold: Formula
    loss: Formula
    gives_counts: bool
    reserved: ClassVar[str] = "z h k d_in order"

    def __post_init__(self) -> None:
        if self.noise not in SHAPES:
            raise TermError(f"noise must be one of {', '.join(SHAPES)}, got {self.noise}")
        if "rows" not in self.parameters:
            raise TermError(f"{self.stem} must have the parameter rows")
        if self.on_grid:
            require_whole(self.threshold, tuple(p for p in self.parameters if registry.is_integer_parameter(self, p)))

    @property
    def readings(self) -> tuple[tuple[Formula, str], ...]:
        """Each formula, with the names that it may read besides the parameters."""
        return (self.scale, ""), (self.threshold, ""), (self.loss, "d_in")

    @property
    def on_grid(self) -> bool:
        """Whether noise and threshold are whole numbers (else real numbers)."""
        return self.noise == "discrete_laplace"

    @property
    def domain(self) -> Term:
        """The set that inputs range over."""
        return domain("table", name("rows"))

    def law(self, subject: Term, table: Sequence[Any], arithmetic: Arithmetic) -> dict[Any, Any]:
        """Outcome -> probability of M(table), for the keys alone."""
        if self.gives_counts:
            raise TermError(f"{self.stem} has no finite law")
        keys = occurrences(table)
        if 2 ** len(keys) > LONGEST_LIST:
            raise TermError(f"there are more than {LONGEST_LIST} outcomes")
        values = registry.values(self, subject)
        scale, threshold = (registry.evaluated(f, values) for f in (self.scale, self.threshold))
        if scale <= 0:
            raise TermError(f"the scale of the noise must be > 0, got {scale}")
        found: dict[Any, Any] = {(): arithmetic.number(Fraction(1))}
        for key, count in keys:
            given, hidden = self._chances((threshold - count) / scale, 1 / scale, arithmetic)
            found = {
                (*keys, key) if is_given else keys: p * (given if is_given else hidden)
                for (keys, p), is_given in product(found.items(), (True, False))
            }
        return found

    def _chances(self, gap: Fraction, step: Fraction, arithmetic: Arithmetic) -> tuple[Any, Any]:
        """P[Z >= gap] and P[Z < gap], where gap, and the step of the grid, are in scales."""
        one = arithmetic.number(Fraction(1))
        rarer = gap if gap > 0 else -gap + (step if self.on_grid else 0)
        tail = arithmetic.function("exp", arithmetic.number(-rarer)) / self._both(step, arithmetic)
        return (tail, one - tail) if gap > 0 else (one - tail, tail)

    def _both(self, step: Fraction, arithmetic: Arithmetic) -> Any:
        """By what the tail from 0 on falls short of 1, as a divisor: 2, or 1 + r on a grid."""
        one = arithmetic.number(Fraction(1))
        return one + (arithmetic.function("exp", arithmetic.number(-step)) if self.on_grid else one)

    def log_density(self, z: Term) -> Term:
        """ln of the density, or the mass, of the noise at z, up to a constant."""
        return -abs(z) / self.scale.at()


def occurrences(table: Sequence[Any]) -> list[tuple[Any, int]]:
    """Each key that occurs, with its count, in the order of keys; TermError unless they are numbers or texts."""
    if not all(isinstance(key, Fraction | str) for key in table):
        raise TermError("keys must be numbers or texts")
    return sorted(Counter(table).items(), key=lambda found: (isinstance(found[0], str), found[0]))


def tail(m: ThresholdedCounts) -> Term:
    """P[1 + Z >= threshold], where the threshold is at least 1: the one occurrence of a key is given."""
    gap, scale = m.threshold.at() - 1, m.scale.at()
    return exp(-(gap / scale)) / (1 + exp(-(1 / scale)) if m.on_grid else number(2))


def loss_and_tail(m: ThresholdedCounts, metric: str) -> tuple[Term, Term]:
    """Epsilon and delta for one row added or removed, or one replaced."""
    if metric not in COUNTS:
        raise TermError(f"the metric of tables must be one of {', '.join(COUNTS)}, got {metric}")
    one, counts = m.loss.at(d_in=1), COUNTS[metric]
    return one if counts == 1 else counts * one, tail(m)


def law_obligations(m: ThresholdedCounts) -> dict[str, Statement]:
    """The noise exists."""
    return {"scale_is_positive": Statement(registry.hypotheses(m), 0 < m.scale.at())}


def privacy_obligations(m: ThresholdedCounts) -> dict[str, Statement]:
    """The law obligations, and: the threshold is at least 1, and a density falls by at most e^loss over a shift of at
    most d_in either way."""
    z, h, d_in, given = name("z"), name("h"), name("d_in"), registry.hypotheses(m)
    moved = m.log_density(z) - m.log_density(z + h) <= m.loss.at()
    return law_obligations(m) | {
        "threshold_is_at_least_1": Statement(given, 1 <= m.threshold.at()),
        "count_moves_by_its_loss": Statement((*given, 0 <= d_in, -d_in <= h, h <= d_in), moved),
    }
