"""Laws by name, as statements about samplers name them; nothing heavy is loaded before one is tested."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from refdp.numerics.exact import Exactly, exact, positive
from refdp.testing.refusals import StatementError, refused

if TYPE_CHECKING:
    from refdp.auditing.judges.law.reading import Law as JudgedLaw
    from refdp.pipeline import Measurement

LATTICE = {"discrete_laplace": "scale", "discrete_gaussian": "sigma"}
REAL = {"laplace": "scale", "gaussian": "sigma"}
"""The names of laws on the line, and what each calls its spread."""
NAMES = (*LATTICE, *REAL, "finite", "of")


@dataclass(frozen=True, slots=True)
class Law:
    """A law that a sampler may have; `spread` of a law on the line, else `masses` of a finite one."""

    name: str
    spread: Fraction | None = None
    masses: tuple[tuple[Hashable, Any], ...] = ()
    location: Fraction = Fraction(0)
    granularity: Fraction = Fraction(1)

    def __str__(self) -> str:
        """The law as it is written."""
        if self.spread is None:
            return self.name
        parameter = (LATTICE | REAL)[self.name]
        around = f", location={self.location}" if self.location else ""
        steps = f", granularity={self.granularity}" if self.granularity != 1 else ""
        return f"{self.name}({parameter}={self.spread}{around}{steps})"

    @property
    def is_lattice(self) -> bool:
        """Whether values are multiples of the granularity, around the location."""
        return self.name in LATTICE

    def fields(self) -> dict[str, Any] | None:
        """The law as a campaign file has it, None for one that no file can hold."""
        from refdp.testing.forms import Unwritten, form

        if self.spread is not None:
            numbers = {"scale": str(self.spread / self.granularity), "location": str(self.location)}
            return {"name": self.name, **numbers} | ({"granularity": str(self.granularity)} if self.is_lattice else {})
        try:
            outcomes = [form(y) for y, _ in self.masses]
        except Unwritten:
            return None
        if not all(isinstance(p, Fraction) for _, p in self.masses):
            return None
        return {"name": "finite", "outcomes": outcomes, "masses": [str(p) for _, p in self.masses]}


@lru_cache(maxsize=64)
def judged(law: Law, alpha: Fraction, resolution: Fraction) -> JudgedLaw:
    """The law as `refdp audit` judges it; PASS speaks of a spread that is off by `resolution`.

    Its cells take a while to be bounded, and are the same for every test of the law in a run.
    """
    from refdp.auditing.evidence.law_tests import finite_test
    from refdp.auditing.judges.law import reading

    table = law.fields()
    if table is not None:
        return reading.law_of(table, alpha, resolution)
    outcomes = tuple(y for y, _ in law.masses)
    return reading.Law(law.name, finite_test(dict(law.masses), alpha, law.name, resolution), None, outcomes=outcomes)


def discrete_laplace(scale: Exactly, location: Exactly = 0, granularity: Exactly = 1) -> Law:
    """location + z with weights e^(-|z| / scale), z a multiple of the granularity; scale > 0, exact.

    Raises StatementError for others.
    """
    return _lattice("discrete_laplace", scale, location, granularity)


def discrete_gaussian(sigma: Exactly, location: Exactly = 0, granularity: Exactly = 1) -> Law:
    """location + z with weights e^(-z^2 / (2 sigma^2)), z a multiple of the granularity; sigma > 0, exact.

    Raises StatementError for others.
    """
    return _lattice("discrete_gaussian", sigma, location, granularity)


def laplace(scale: Exactly, location: Exactly = 0) -> Law:
    """Floats within rounding of a Laplace law; nothing is said of their low bits.  Raises StatementError."""
    return _line("laplace", scale, location)


def gaussian(sigma: Exactly, location: Exactly = 0) -> Law:
    """Floats within rounding of a normal law; nothing is said of their low bits.  Raises StatementError."""
    return _line("gaussian", sigma, location)


def finite(masses: Mapping[Any, Exactly]) -> Law:
    """Outcomes with exact probabilities that sum to 1; values of other types than theirs are errors.

    Raises StatementError for others.

    >>> str(finite({"yes": "3/4", "no": "1/4"}))
    "finite({'yes': 3/4, 'no': 1/4})"
    """
    with refused():
        found = {y: exact(p, f"the mass of {y!r}") for y, p in masses.items()}
        if not found or min(found.values()) < 0 or sum(found.values()) != 1:
            raise ValueError(f"masses must be >= 0 and sum to 1, got {', '.join(map(str, found.values())) or 'none'}")
    shown = ", ".join(f"{y!r}: {p}" for y, p in list(found.items())[:8])
    return Law(f"finite({{{shown}{', ...' if len(found) > 8 else ''}}})", None, tuple(found.items()))


def of(measurement: Measurement, x: Any) -> Law:
    """The law of one of refdp's own mechanisms on the input x: noise on a number, or finitely many outcomes.

    Raises StatementError where that is neither.
    """
    with refused():
        return _law_of(measurement, x)


def _law_of(measurement: Measurement, x: Any) -> Law:
    """The law of measurement(x); ValueError unless that is noise of LATTICE on a number, or has few outcomes."""
    from refdp.numerics.masses import masses
    from refdp.pipeline import Measurement, exact_data
    from refdp.spec import registry

    if not isinstance(measurement, Measurement):
        raise ValueError(f"law.of needs a mechanism of refdp, such as refdp.randomised_response, got {measurement!r}")
    subject = measurement.subject
    if subject.operator in LATTICE:
        kind = registry.kind_of(subject.operator)
        values = registry.values(kind, subject)
        spread = values[LATTICE[subject.operator]]
        return Law(subject.operator, spread, (), exact(x, "x"), values["granularity"])
    try:
        found = {_plain(y): p for y, p in masses(subject, exact_data(x)).items()}
    except (ValueError, TypeError, KeyError) as error:
        raise ValueError(f"{subject} has no law on {x!r} that can be listed: {error}") from None
    exactly = {y: p.lower if p.lower == p.upper else p for y, p in found.items()}
    return Law(f"{subject} on {x!r}", None, tuple(exactly.items()))


def _plain(y: Any) -> Any:
    """Whole numbers as other libraries give them."""
    return int(y) if isinstance(y, Fraction) and y.denominator == 1 else y


def _lattice(name: str, spread: Exactly, location: Exactly, granularity: Exactly) -> Law:
    """A law of multiples of the granularity."""
    with refused():
        step = positive(granularity, "granularity")
    return replace(_line(name, spread, location), granularity=step)


def _line(name: str, spread: Exactly, location: Exactly) -> Law:
    """A law around a location."""
    with refused():
        return Law(name, positive(spread, (LATTICE | REAL)[name]), (), exact(location, "location"))


class UnknownLaw(StatementError, AttributeError):
    """No law has that name; nor does the module have such an attribute, as pytest asks of every module."""


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    raise UnknownLaw(f"law must be one of {', '.join(NAMES)}, got {name}")
