"""Laws by name, as statements about samplers name them; nothing heavy is loaded before one is tested."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from refdp.laws import LATTICE, SPREADS, Law, Reference
from refdp.numerics.exact import Exactly, exact, positive
from refdp.testing.refusals import StatementError, refused

if TYPE_CHECKING:
    from refdp.pipeline import Measurement

NAMES = (*SPREADS, "finite", "of")


def discrete_laplace(scale: Exactly, location: Exactly = 0, granularity: Exactly = 1) -> Reference:
    """location + z with weights e^(-|z| / scale), z a multiple of the granularity; scale > 0, exact.

    Raises StatementError for others.
    """
    return _noise("discrete_laplace", scale, location, granularity)


def discrete_gaussian(sigma: Exactly, location: Exactly = 0, granularity: Exactly = 1) -> Reference:
    """location + z with weights e^(-z^2 / (2 sigma^2)), z a multiple of the granularity; sigma > 0, exact.

    Raises StatementError for others.
    """
    return _noise("discrete_gaussian", sigma, location, granularity)


def laplace(scale: Exactly, location: Exactly = 0) -> Reference:
    """Floats within rounding of a Laplace law; nothing is said of their low bits.  Raises StatementError."""
    return _noise("laplace", scale, location)


def gaussian(sigma: Exactly, location: Exactly = 0) -> Reference:
    """Floats within rounding of a normal law; nothing is said of their low bits.  Raises StatementError."""
    return _noise("gaussian", sigma, location)


def finite(masses: Mapping[Any, Exactly]) -> Reference:
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
    return Reference(masses=tuple(found.items()), name=f"finite({{{shown}{', ...' if len(found) > 8 else ''}}})")


def of(measurement: Measurement, x: Any) -> Reference:
    """The law of one of refdp's own mechanisms on the input x: noise on a number, or finitely many outcomes.

    Raises StatementError where that is neither.
    """
    with refused():
        return _law_of(measurement, x)


def _law_of(measurement: Measurement, x: Any) -> Reference:
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
        step = values["granularity"]
        return Reference(Law(subject.operator, values[LATTICE[subject.operator]] / step), exact(x, "x"), step)
    try:
        found = {_plain(y): p for y, p in masses(subject, exact_data(x)).items()}
    except (ValueError, TypeError, KeyError) as error:
        raise ValueError(f"{subject} has no law on {x!r} that can be listed: {error}") from None
    exactly = {y: p.lower if p.lower == p.upper else p for y, p in found.items()}
    return Reference(masses=tuple(exactly.items()), name=f"{subject} on {x!r}")


def _plain(y: Any) -> Any:
    """Whole numbers as other libraries give them."""
    return int(y) if isinstance(y, Fraction) and y.denominator == 1 else y


def _noise(stem: str, spread: Exactly, location: Exactly, granularity: Exactly = 1) -> Reference:
    """A law around a location, its spread in the unit of the values."""
    with refused():
        step, whole = positive(granularity, "granularity"), positive(spread, SPREADS[stem])
        return Reference(Law(stem, whole / step), exact(location, "location"), step)


class UnknownLaw(StatementError, AttributeError):
    """No law has that name; nor does the module have such an attribute, as pytest asks of every module."""


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    raise UnknownLaw(f"law must be one of {', '.join(NAMES)}, got {name}")
