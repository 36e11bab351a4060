"""Leaves of dp_accounting's trees: one mechanism each, by class name.

Its conventions: values of a row have norm <= C, and noise is noise_multiplier times C.  So one row more or less moves a
sum by C, a row replaced by 2 C, and a row replaced by the special record, which adds nothing, by C.
Source: dp_accounting 0.6.0, dp_event.py and privacy_accountant.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from refdp.accounting import events
from refdp.accounting.events import NOT_PRIVATE, Mechanism, NoTheorem
from refdp.accounting.inputs.relations import Relation
from refdp.accounting.losses import LossError, require
from refdp.accounting.numbers import number, whole
from refdp.accounting.stated.bounds import ORDERS
from refdp.numerics.exact import ExactReal

DEEPEST = 200
"""Most levels of a tree."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where in a tree an event stands."""

    relation: Relation
    sampling: str = ""
    depth: int = 0

    @property
    def factor(self) -> int:
        """How many norms C neighbours, or with Poisson sampling samples with a row more, are apart."""
        return 2 if self.relation.relation == "change_one" and self.sampling != "poisson" else 1

    def below(self, sampling: str = "") -> Place:
        """One level down."""
        require(self.depth < DEEPEST, "the tree of events", f"at most {DEEPEST} levels deep", "more")
        return Place(self.relation, sampling or self.sampling, self.depth + 1)


def class_name(value: Any) -> str:
    """The class of a live event, or the one that its named tuple states."""
    stated = getattr(value, "class_name", None)
    if isinstance(stated, bytes):
        return stated.decode(errors="replace")
    return stated if isinstance(stated, str) else type(value).__name__


def stated(value: Any, name: str) -> Any:
    """A field of an event."""
    if not hasattr(value, name):
        raise LossError(f"{class_name(value)} must have the field {name}, got none")
    return getattr(value, name)


def stated_number(value: Any, name: str) -> Fraction:
    """A number >= 0 in a field."""
    found = number(stated(value, name), name)
    require(found >= 0, name, ">= 0", found)
    return found


def _gaussian(value: Any, place: Place) -> Mechanism | None:
    sigma = stated_number(value, "noise_multiplier")
    return events.Gaussian(sigma, Fraction(place.factor)) if sigma else NOT_PRIVATE


def _laplace(value: Any, place: Place) -> Mechanism | None:
    scale = stated_number(value, "noise_multiplier")
    return events.Laplace(scale, Fraction(place.factor)) if scale else NOT_PRIVATE


def _discrete_laplace(value: Any, place: Place) -> Mechanism | None:
    rate, sensitivity = stated_number(value, "noise_parameter"), stated_number(value, "sensitivity")
    require(rate > 0, "noise_parameter", "> 0", rate)
    return events.DiscreteLaplace(1 / rate, sensitivity * place.factor) if sensitivity else None


def _discrete_gaussian(value: Any, place: Place) -> Mechanism | None:
    """Exactly for one whole number; in more or unknown dimensions, rho-zCDP (CKS20 Thm 14)."""
    sigma, moved = stated_number(value, "sigma"), stated_number(value, "sensitivity") * place.factor
    if moved == 0 or sigma == 0:
        return NOT_PRIVATE if moved else None
    if getattr(value, "dimension", None) == 1 and moved.denominator == 1:
        return events.DiscreteGaussian(sigma, moved)
    return events.Concentrated(moved**2 / (2 * sigma**2))


def _randomised_response(value: Any, place: Place) -> Mechanism | None:
    """truth = 1 - p + p / k; the special record has the uniform answer."""
    p, k = stated_number(value, "noise_parameter"), whole(stated(value, "num_buckets"), "num_buckets", 10**9)
    require(p <= 1, "noise_parameter", "at most 1", p)
    if k == 1 or p == 1:
        return None
    if p == 0:
        return NOT_PRIVATE
    truth = 1 - p + p / k
    if place.relation.special:
        return events.Finite(((truth, Fraction(1, k)), (1 - truth, 1 - Fraction(1, k))))
    return events.KAryRandomisedResponse(k, truth)


def _epsilon_delta(value: Any, place: Place) -> Mechanism | None:
    return events.Approximate(ExactReal(stated_number(value, "epsilon")), stated_number(value, "delta"))


def _bounded_range(value: Any, place: Place) -> Mechanism | None:
    """The exponential mechanism with losses in a range of epsilon."""
    epsilon = stated_number(value, "epsilon")
    return events.BoundedRange(ExactReal(epsilon)) if epsilon else None


def _permute_and_flip(value: Any, place: Place) -> Mechanism | None:
    """That of epsilon, which is 2 sensitivity / scale."""
    epsilon = stated_number(value, "epsilon")
    return events.PermuteAndFlip(2 / epsilon) if epsilon else None


def _zcdp(value: Any, place: Place) -> Mechanism | None:
    """Renyi divergences of at most xi + rho order."""
    rho, xi = stated_number(value, "rho"), number(getattr(value, "xi", 0), "xi")
    require(xi >= 0, "xi", ">= 0", xi)
    if xi == 0:
        return events.Concentrated(rho) if rho else None
    return events.Renyi(tuple((order, xi + rho * order) for order in ORDERS))


def _tree_aggregation(value: Any, place: Place) -> Mechanism | None:
    """A row is in one leaf of one tree, so in at most as many nodes as the tallest has levels: Lemma 1.8."""
    if not place.relation.special:
        raise NoTheorem("SingleEpochTreeAggregationDpEvent has a theorem for REPLACE_SPECIAL alone")
    sigma, counts = stated_number(value, "noise_multiplier"), stated(value, "step_counts")
    counts = counts if isinstance(counts, list | tuple) else [counts]
    require(len(counts) > 0, "step_counts", "at least one", "none")
    levels = max(whole(count, "step_counts", 10**15).bit_length() for count in counts)
    return events.Gaussians(levels / sigma**2) if sigma else NOT_PRIVATE


def _nothing(value: Any, place: Place) -> Mechanism | None:
    return None


def _everything(value: Any, place: Place) -> Mechanism | None:
    return NOT_PRIVATE


LEAVES: Mapping[str, Callable[[Any, Place], Mechanism | None]] = {
    "NoOpDpEvent": _nothing,
    "NonPrivateDpEvent": _everything,
    "GaussianDpEvent": _gaussian,
    "LaplaceDpEvent": _laplace,
    "DiscreteLaplaceDpEvent": _discrete_laplace,
    "DiscreteGaussianDpEvent": _discrete_gaussian,
    "RandomizedResponseDpEvent": _randomised_response,
    "EpsilonDeltaDpEvent": _epsilon_delta,
    "ExponentialMechanismDpEvent": _bounded_range,
    "PermuteAndFlipDpEvent": _permute_and_flip,
    "ZCDpEvent": _zcdp,
    "SingleEpochTreeAggregationDpEvent": _tree_aggregation,
}
