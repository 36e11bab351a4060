"""Answers above a threshold (sparse vector): M(q) tells which of the answers are, until so many have been found.

One noise R is added to the threshold T, a noise N_i of its own to each answer.  In order, answer i is above if
q_i + N_i >= T + R; the run ends with the answer that is the last of `positives`, or with the last answer.  The outcome
is the tuple of the places, from 0, of the answers that were above; not their values.

The noise is Laplace noise of the scales that the mechanism gives, or discrete Laplace noise on multiples of the
parameter `granularity`.  A scale or a limit that is absent, for variants to prove false things about, stands for no
noise there, and for a run through all answers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any, ClassVar

from refdp.spec import registry
from refdp.spec.crossings import crossed
from refdp.spec.domains import LONGEST_LIST, domain
from refdp.spec.formulas import Formula
from refdp.spec.statements import Statement
from refdp.terms.evaluation import Arithmetic
from refdp.terms.term import Term, TermError, apply, both, name

SHAPES = ("laplace", "discrete_laplace")
LIMIT = "positives"
METRICS: Mapping[str, Term] = {"linf": 2 * name("d_in"), "monotone": name("d_in")}
"""Metric of answers -> how far the noise of an answer above may have to move."""


@dataclass(frozen=True, slots=True)
class AboveThreshold:
    """Formulas of the scales, and of the losses when a noise moves by at most d_in."""

    stem: str
    parameters: tuple[str, ...]
    conditions: tuple[Term, ...]
    example: Mapping[str, Term]
    noise: str
    threshold_scale: Formula | None = None
    answer_scale: Formula | None = None
    threshold_loss: Formula | None = None
    answer_loss: Formula | None = None
    reserved: ClassVar[str] = "z h k d_in n order delta"

    def __post_init__(self) -> None:
        if self.noise not in SHAPES:
            raise TermError(f"noise must be one of {', '.join(SHAPES)}, got {self.noise}")
        threshold, granularity, limit = name("threshold"), name("granularity"), name(LIMIT)
        needed = (0 < granularity, apply("multiple", threshold, granularity)) if self.on_grid else ()
        if self.has_limit:
            needed = (*needed, apply("integer", limit), 1 <= limit)
        registry.require_conditions(self, *needed)

    @property
    def readings(self) -> tuple[tuple[Formula, str], ...]:
        """Each formula, with the names that it may read besides the parameters."""
        scales = ((self.threshold_scale, ""), (self.answer_scale, ""))
        losses = ((self.threshold_loss, "d_in"), (self.answer_loss, "d_in"))
        return tuple((f, own) for f, own in (*scales, *losses) if f is not None)

    @property
    def on_grid(self) -> bool:
        """Whether threshold and answers are multiples of the granularity (else real numbers)."""
        return self.noise == "discrete_laplace"

    @property
    def has_limit(self) -> bool:
        """Whether the run ends with a number of answers above."""
        return LIMIT in self.parameters

    @property
    def domain(self) -> Term:
        """The set that answers range over."""
        return domain("grid", name("granularity")) if self.on_grid else domain("reals")

    def law(self, subject: Term, answers: Sequence[Fraction], arithmetic: Arithmetic) -> dict[Any, Any]:
        """Outcome -> probability of M(answers)."""
        values = registry.values(self, subject)
        limit = min(int(values[LIMIT]), len(answers)) if self.has_limit else len(answers)
        if sum(comb(len(answers), j) for j in range(limit + 1)) > LONGEST_LIST:
            raise TermError(f"there are more than {LONGEST_LIST} outcomes")
        unit = values["granularity"] if self.on_grid else Fraction(1)
        leads, scales = [(q - values["threshold"]) / unit for q in answers], self._scales(values, unit)
        found = dict[Any, Any]()
        for places in outcomes(len(answers), limit):
            seen = range(places[-1] + 1) if len(places) == limit and places else range(len(answers))
            above, below = [leads[i] for i in places], [leads[i] for i in seen if i not in places]
            found[tuple(map(Fraction, places))] = crossed(above, below, scales, self.on_grid, arithmetic)
        return found

    def _scales(self, values: Mapping[str, Fraction], unit: Fraction) -> tuple[Fraction | None, Fraction | None]:
        """The scales of the threshold's noise and of the answers', in steps; TermError unless they are > 0."""
        formulas = (self.threshold_scale, self.answer_scale)
        found = [None if f is None else registry.evaluated(f, values) / unit for f in formulas]
        for scale in found:
            if scale is not None and scale <= 0:
                raise TermError(f"a scale of the noise must be > 0, got {scale}")
        return found[0], found[1]

    def log_density(self, z: Term, scale: Formula) -> Term:
        """ln of the density, or the mass, of the noise of that scale at z, up to a constant."""
        return -abs(z) / scale.at()


def outcomes(answers: int, limit: int) -> Iterator[tuple[int, ...]]:
    """The places of at most so many answers above, in order."""
    for found in range(limit + 1):
        yield from combinations(range(answers), found)


def complete(m: AboveThreshold) -> tuple[Formula, Formula, Formula, Formula]:
    """Both scales and both losses; TermError where something is absent, for then there is no privacy map."""
    match m.threshold_scale, m.answer_scale, m.threshold_loss, m.answer_loss:
        case Formula() as first, Formula() as second, Formula() as third, Formula() as fourth if m.has_limit:
            return first, second, third, fourth
    raise TermError(f"{m.stem} has no privacy map")


def is_complete(m: AboveThreshold) -> bool:
    """Whether nothing is absent."""
    return m.has_limit and None not in (m.threshold_scale, m.answer_scale, m.threshold_loss, m.answer_loss)


def privacy_loss(m: AboveThreshold, metric: str) -> Term:
    """The loss when answers move by at most d_in: once for the threshold, and once for each of the answers above."""
    if metric not in METRICS:
        raise TermError(f"the metric of answers must be one of {', '.join(METRICS)}, got {metric}")
    _, _, threshold_loss, answer_loss = complete(m)
    return threshold_loss.at() + name(LIMIT) * answer_loss.at(d_in=METRICS[metric])


def law_obligations(m: AboveThreshold) -> dict[str, Statement]:
    """The noise exists."""
    positive = [0 < scale.at() for scale in (m.threshold_scale, m.answer_scale) if scale is not None]
    return {"scales_are_positive": Statement(registry.hypotheses(m), both(*positive))} if positive else {}


def privacy_obligations(m: AboveThreshold) -> dict[str, Statement]:
    """The law obligations, and: densities fall by at most e^loss, the threshold's over a shift of at most d_in either
    way, an answer's over one of at most d_in upwards."""
    threshold_scale, answer_scale, threshold_loss, answer_loss = complete(m)
    z, h, d_in = name("z"), name("h"), name("d_in")
    given = (*registry.hypotheses(m), 0 <= d_in, h <= d_in)
    moved = [m.log_density(z, scale) - m.log_density(z + h, scale) for scale in (threshold_scale, answer_scale)]
    return law_obligations(m) | {
        "threshold_moves_by_its_loss": Statement((*given, -d_in <= h), moved[0] <= threshold_loss.at()),
        "answer_moves_by_its_loss": Statement((*given, 0 <= h), moved[1] <= answer_loss.at()),
    }
