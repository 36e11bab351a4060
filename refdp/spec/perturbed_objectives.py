"""Objective perturbation: a random linear term is added to a regularised sum of losses, and the minimum is released.

M(table) is the w at which

    sum of l(w . z) over the rows z + b . w + (regularisation / 2) |w|^2

is least, b a vector with the density exp(-rate |b|) over its integral.  l is smooth, and the minimum is the true one,
which a computer can only come near.  With a parameter `step` each coefficient is rounded to its nearest multiple, the
greater of two: that much of the true minimum can be told from points near it.
Source: CMS11 Alg. 2 (for n times its objective; its Delta belongs to the regularisation).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from refdp.spec import registry
from refdp.spec.derivatives import derivative
from refdp.spec.domains import domain
from refdp.spec.formulas import Formula
from refdp.spec.minimisers import Losses, counted, require_reachable, slope_does_not_fall
from refdp.spec.rescaled import RescaledSum, Vector, rescaled_obligations
from refdp.spec.statements import Statement
from refdp.terms.term import Term, TermError, both, exp, ln, name, number, substitute


@dataclass(frozen=True, slots=True)
class PerturbedObjective:
    """M(table) = the minimum of the regularised sum of losses of the clipped rows with a random linear term.

    slope: l' at `margin` = w . z, where `power` stands for e^margin, made of + - * / and whole powers.
    """

    stem: str
    parameters: tuple[str, ...]
    conditions: tuple[Term, ...]
    example: Mapping[str, Term]
    clipped: RescaledSum
    """How rows are clipped: a sum of rescaled rows, with the same names of parameters."""
    slope: Formula
    steepness: Formula
    """l' is between it and less it."""
    curving: Formula
    """l'' is from 0 to it."""
    reserved: ClassVar[str] = f"{RescaledSum.reserved} margin power other_margin other_power"

    def __post_init__(self) -> None:
        self.clipped.require_clips_rows(self.stem)
        positive = ("regularisation", "rate", *(("step",) if self.is_rounded else ()))
        registry.require_conditions(self, *self.clipped.conditions, *(0 < name(p) for p in positive))
        derivative(self.slope.term)  # refuses a slope that is not smooth by its shape

    @property
    def readings(self) -> tuple[tuple[Formula, str], ...]:
        """Each formula, with the names that it may read besides the parameters."""
        return (self.slope, "margin power"), (self.steepness, ""), (self.curving, ""), *self.clipped.readings

    @property
    def is_rounded(self) -> bool:
        """Whether coefficients are multiples of the step (else real numbers)."""
        return "step" in self.parameters

    @property
    def domain(self) -> Term:
        """The tables it reads: of vectors of numbers."""
        return domain("table", domain("vector", domain("reals"), name("dimension")))

    def loss(self, neighbours: str) -> Term:
        """What one edit costs: what it moves the linear term that belongs to a minimum, and the determinant."""
        pull = self.steepness.at() * self.clipped.reach.at()
        moved = pull if neighbours == "add_remove" else 2 * pull
        return name("rate") * moved + ln(1 + self.curving.at() * self.clipped.reach.at() ** 2 / name("regularisation"))

    def log_ratio(self, subject: Term, output: Any, a: Any, b: Any) -> Term:
        """ln(p(output) / q(output)) for the densities p, q of M(a), M(b), in one dimension; TermError elsewhere."""
        values = registry.values(self, subject)
        if self.is_rounded:
            raise TermError(f"{subject} has no density")
        if values["dimension"] != 1:
            raise TermError(f"the density of {subject} is worked out in one dimension alone")
        vectors = (output, *a, *b) if isinstance(a, tuple) and isinstance(b, tuple) else (None,)
        if any(not (isinstance(v, tuple) and len(v) == 1 and isinstance(v[0], Fraction)) for v in vectors):
            raise TermError(f"{output} must be a vector of one number, and the tables of such")
        (gradient, rise), (other, other_rise) = (self._gradient(values, t, output[0]) for t in (a, b))
        return number(values["rate"]) * (abs(other) - abs(gradient)) + ln(rise) - ln(other_rise)

    def _gradient(self, values: Mapping[str, Fraction], table: tuple[Any, ...], w: Fraction) -> tuple[Term, Term]:
        """The gradient at w without the random term, and its derivative by w, in one dimension."""
        weight = number(values["regularisation"])
        slope, curve = self.slope.term, derivative(self.slope.term)
        found, rise, known = weight * number(w), weight, {key: number(value) for key, value in values.items()}
        for row in table:
            z = self.clipped.rescaled(row, values)[0]
            at = {**known, "margin": number(w * z), "power": exp(number(w * z))}
            found = found + substitute(slope, at) * number(z)
            rise = rise + substitute(curve, at) * number(z * z)
        return found, rise

    def require_reachable(self, values: Mapping[str, Fraction]) -> None:
        """TermError for parameters at which no computer would find the minimum: it does not look at a table."""
        require_reachable(self.stem, self.curving, self.clipped, values)

    def losses(self, values: Mapping[str, Fraction], table: tuple[Any, ...], tilt: Vector) -> Losses:
        """What is minimised where the random term is `tilt`."""
        rows = counted(self.clipped, table, values)
        return Losses(self.slope, self.curving, values, rows, values["regularisation"], tilt)


def sampler_obligations(m: PerturbedObjective) -> dict[str, Statement]:
    """Coefficients are rounded, and the slope does not fall: bounds of e^margin give bounds of it."""
    if not m.is_rounded:
        raise TermError(f"{m.stem} does not live on a grid")
    return {"slope_does_not_fall": slope_does_not_fall(m, m.slope)}


def privacy_obligations(m: PerturbedObjective) -> dict[str, Statement]:
    """What must hold for the loss of one edit, by name, in order."""
    here = (*registry.hypotheses(m), 0 < name("power"))
    rise = derivative(m.slope.term)
    return rescaled_obligations(m.clipped, "add_remove") | {
        "slope_is_within_steepness": Statement(here, abs(m.slope.at()) <= m.steepness.at()),
        "slope_rises_within_curving": Statement(here, both(0 <= rise, rise <= m.curving.at())),
    }
