"""Noise scaled to a bound: M(value, bound) = value + scale bound Z, for a noise Z with a density on the reals.

The bound comes with the value, such as a smooth bound of how far a query moves at the table at hand: the input is the
pair of both.  With a parameter `granularity` the outcome is rounded to its nearest multiple, the greater of two.
Where the bound is 0, the noise is, too.

For a noise whose density falls as 1 / z^2, the loss between Z and h + c Z may be the arcosh of spread(c, h) / (2 c), as
it is of Cauchy noise.  Laplace's, Student's and normal noise are known by name: `bound_laws` has what is proved of
them.  Source: NRS07 (noise scaled to a smooth bound).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from refdp.spec import registry
from refdp.spec.domains import contains, domain
from refdp.spec.formulas import Formula
from refdp.spec.statements import Statement
from refdp.terms.reading import read
from refdp.terms.term import Term, TermError, apply, both, equal, ln, name, names, number, sqrt, substitute, subterms

METRIC = "smooth"
"""The metric of such pairs; its distance is how many times greater one bound may be than the other."""
PAIRS = domain(
    "record",
    apply("field", number(0), domain("reals")),
    apply("field", number(1), domain("above", domain("reals"), number(0))),
)
"""The domain of a number and a bound."""
SCALE, GRANULARITY = name("scale"), name("granularity")
CONTINUOUS = frozenset({"number", "name", "+", "-", "*", "/", "**", "negate", "abs", "min", "max", "exp"})
"""Operators that make continuous functions of continuous ones, if no denominator varies."""
FAMILIES: Mapping[str, Mapping[str, Term]] = {
    "laplace": {"rarity": read("exp(abs(z))")},
    "normal": {"rarity": read("exp(z**2 / 2)")},
    "student": {"rarity": read("1 + z**2 / degrees"), "exponent": read("(degrees + 1) / 2")},
}
"""Law that is known by name -> its formulas, which are no others."""


@dataclass(frozen=True, slots=True)
class BoundNoise:
    """Formulas of the noise: rarity(z), 1 over the density of Z at z up to a constant, and its loss, if it has one.

    spread(c, h): 2 c times the cosh of the loss between Z and h + c Z, or more; cosh_of_loss(growth): at least
    spread(c, h) / (2 c) wherever 1 <= c <= growth and |h| scale <= 1.  Both absent: there is no privacy map but that of
    the family, if there is one.  Where there is an exponent, the density is 1 / rarity(z)^exponent up to a constant.
    """

    stem: str
    parameters: tuple[str, ...]
    conditions: tuple[Term, ...]
    example: Mapping[str, Term]
    rarity: Formula
    spread: Formula | None = None
    cosh_of_loss: Formula | None = None
    exponent: Formula | None = None
    family: str = ""
    reserved: ClassVar[str] = "z h c t growth cosh d_in epsilon"

    def __post_init__(self) -> None:
        if "scale" not in self.parameters:
            raise TermError(f"{self.stem} must have the parameter scale")
        registry.require_conditions(self, 0 < SCALE, *((0 < GRANULARITY,) if self.is_rounded else ()))
        self._require_family()

    def _require_family(self) -> None:
        """The formulas are those of the law of that name, which has no others; TermError otherwise."""
        if self.family not in ("", *FAMILIES):
            raise TermError(f"family must be one of {', '.join(FAMILIES)}, got {self.family}")
        if not self.family:
            if self.exponent is not None:
                raise TermError(f"{self.stem} must be of a family that has an exponent")
            return
        if self.spread is not None or self.cosh_of_loss is not None:
            raise TermError(f"{self.stem} has the privacy map of its family")
        own = {"rarity": self.rarity.term} | ({} if self.exponent is None else {"exponent": self.exponent.term})
        if own != FAMILIES[self.family]:
            raise TermError(f"the formulas of {self.stem} must be those of the family {self.family}")
        if self.family == "student":
            if "degrees" not in self.parameters:
                raise TermError(f"{self.stem} must have the parameter degrees")
            registry.require_conditions(self, 1 <= name("degrees"))

    @property
    def readings(self) -> tuple[tuple[Formula, str], ...]:
        """Each formula, with the names that it may read besides the parameters."""
        more = ((self.spread, "c h"), (self.cosh_of_loss, "growth"), (self.exponent, ""))
        return ((self.rarity, "z"), *((f, own) for f, own in more if f is not None))

    @property
    def is_rounded(self) -> bool:
        """Whether outcomes are multiples of the granularity (else real numbers)."""
        return "granularity" in self.parameters

    @property
    def domain(self) -> Term:
        """The set that inputs range over: pairs of a number and a bound."""
        return PAIRS

    def log_ratio(self, subject: Term, output: Any, a: Any, b: Any) -> Term:
        """ln of the density of M(a) over that of M(b) at the output, both continuous there; TermError for others."""
        if self.is_rounded:
            raise TermError(f"{subject} has no density")
        require_continuous(self.rarity)
        if not isinstance(output, Fraction):
            raise TermError(f"{subject} has no density at {output}")
        values = registry.values(self, subject)
        (width, one), (other_width, other) = (self._width_and_rarity(subject, output, x, values) for x in (a, b))
        if self.exponent is None:
            return ln(number(other_width) * other / (number(width) * one))
        power = substitute(self.exponent.term, {key: number(v) for key, v in values.items()})
        return ln(number(other_width / width)) + power * ln(other / one)

    def _width_and_rarity(
        self, subject: Term, output: Fraction, pair: Any, values: Mapping[str, Fraction]
    ) -> tuple[Fraction, Term]:
        """The width of M(pair), and the rarity at the output."""
        width = self.width(subject, pair)
        at = {key: number(v) for key, v in values.items()} | {"z": number((output - pair[0]) / width)}
        return width, substitute(self.rarity.term, at)

    def width(self, subject: Term, pair: Any) -> Fraction:
        """scale times the bound of the pair, by which Z is multiplied; TermError unless it is positive."""
        if not contains(PAIRS, pair) or pair[1] == 0:
            raise TermError(f"{subject} has no density for the input {pair}")
        return registry.values(self, subject)["scale"] * Fraction(pair[1])


def require_continuous(rarity: Formula) -> None:
    """The formula is continuous by its shape, without a denominator; TermError otherwise."""
    for t in subterms(rarity.term):
        divides = t.operator == "/" and "z" in names(t.arguments[1])
        if t.operator not in CONTINUOUS or divides:
            raise TermError(f"{rarity.name} is not continuous by its shape: {t}")


def maps(m: BoundNoise) -> tuple[Formula, Formula]:
    """Spread and cosh of the loss; TermError where they are absent, for then there is no privacy map."""
    if m.spread is None or m.cosh_of_loss is None:
        raise TermError(f"{m.stem} has no privacy map")
    return m.spread, m.cosh_of_loss


def privacy_loss(m: BoundNoise, growth: Term) -> Term:
    """arcosh of the cosh of the loss between two pairs, of which no bound is more than growth times the other."""
    cosh = maps(m)[1].at(growth=growth)
    return ln(cosh + sqrt(cosh**2 - 1))


def law_obligations(m: BoundNoise) -> dict[str, Statement]:
    """There is a law: the density falls as 1 / z^2 at least."""
    return {"density_falls_as_a_square": Statement(registry.hypotheses(m), 1 + name("z") ** 2 <= m.rarity.at())}


def privacy_obligations(m: BoundNoise) -> dict[str, Statement]:
    """The law obligations, and: each t with t + 1/t more than spread / c bounds both ratios of the densities of Z and
    h + c Z; spread / (2 c) is greatest at the ends of an interval of c, and at most the cosh of the loss there."""
    spread, cosh_of_loss = maps(m)
    z, h, c, t, growth, cosh = map(name, ("z", "h", "c", "t", "growth", "cosh"))
    narrow, wide = m.rarity.at(z=h + c * z), c * m.rarity.at()
    given, beyond = registry.hypotheses(m), (1 <= c, 1 <= t, spread.at() * t < c * (t**2 + 1))
    ends = [spread.at(c=1) <= 2 * cosh, spread.at(c=growth) <= 2 * growth * cosh]
    reached = (*given, 1 <= growth, -1 <= h * SCALE, h * SCALE <= 1)
    there = [substitute(end, {"cosh": cosh_of_loss.at()}) for end in ends]
    return law_obligations(m) | {
        "narrow_noise_is_at_most_so_much_denser": Statement((*given, *beyond), wide <= t * narrow),
        "wide_noise_is_at_most_so_much_denser": Statement((*given, *beyond), narrow <= t * wide),
        "spread_is_greatest_at_the_ends": Statement((*given, 1 <= c, c <= growth, *ends), spread.at() <= 2 * c * cosh),
        "spread_is_within_the_map": Statement(reached, both(*there)),
        "cosh_is_at_least_1": Statement((*given, 1 <= growth), 1 <= cosh_of_loss.at()),
    }


def sampler_obligations(m: BoundNoise) -> dict[str, Statement]:
    """The density is 1 / (1 + z^2), or that of the family, here by its logarithm; the outcome is rounded."""
    if not m.is_rounded:
        raise TermError(f"{m.stem} does not live on a grid")
    rarities = m.rarity.at(), FAMILIES[m.family]["rarity"] if m.family else 1 + name("z") ** 2
    if rarities[0].operator == rarities[1].operator == "exp":
        rarities = rarities[0].arguments[0], rarities[1].arguments[0]
    return {"draws_have_the_weights": Statement(registry.hypotheses(m), equal(*rarities))}
