"""The laws of refdp's own mechanisms, as laws that another sampler can be held against."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from refdp.numerics.exact import exact
from refdp.numerics.masses import masses
from refdp.pipeline import Measurement, exact_data
from refdp.spec import registry
from refdp.testing.law import LATTICE, Law


def law_of(measurement: Measurement, x: Any) -> Law:
    """The law of measurement(x); ValueError unless that is noise of LATTICE on a number, or has few outcomes."""
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
