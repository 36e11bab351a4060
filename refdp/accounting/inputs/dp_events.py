"""Trees of dp_accounting's DpEvent, read by class name without that library; what has no theorem is refused.

A tree is of live objects or of their named tuples; `dp_leaves` says what each mechanism in it means.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from math import inf
from typing import Any

from refdp.accounting import events
from refdp.accounting.binomials import drawn
from refdp.accounting.events import NOT_PRIVATE, Event, Mechanism, NoTheorem
from refdp.accounting.inputs.dp_leaves import LEAVES, Place, class_name, stated, stated_number
from refdp.accounting.inputs.relations import Relation
from refdp.accounting.losses import LossError, require
from refdp.accounting.numbers import LARGEST_COUNT, number, shown, whole
from refdp.accounting.runs import gamma_of

MOST_EVENTS = 100_000
"""Most leaves of a tree."""


def read_tree(value: Any, relation: Relation) -> list[Event]:
    """The events of the tree; LossError for bad fields, NoTheorem for events of which nothing is proved."""
    if relation.relation == "none":
        raise LossError("neighbours must be add_remove, change_one or a NeighboringRelation for DpEvents, got none")
    return _read(value, Place(relation))


def _read(value: Any, place: Place) -> list[Event]:
    """The events of one node."""
    name = class_name(value)
    if name in NODES:
        return NODES[name](value, place)
    if name not in LEAVES:
        made = "; make one by refdp.accounting.inputs.measurement_event" if name == "Measurement" else ""
        raise NoTheorem(
            f"{shown(name)} is no event of which a bound is proved here; unknown events are never skipped{made}"
        )
    found = LEAVES[name](value, place)
    return [] if found is None else [Event(found)]


def _self_composed(value: Any, place: Place) -> list[Event]:
    """The same event again and again."""
    count = whole(stated(value, "count"), "count", LARGEST_COUNT)
    below = _read(stated(value, "event"), place.below())
    return [replace(one, count=one.count * count) for one in below]


def _composed(value: Any, place: Place) -> list[Event]:
    """One event after another."""
    parts = stated(value, "events")
    require(isinstance(parts, list | tuple), "events", "a list", shown(parts))
    found: list[Event] = []
    for part in parts:
        found += _read(part, place.below())
        require(len(found) <= MOST_EVENTS, "the tree of events", f"at most {MOST_EVENTS} leaves", "more")
    return found


def _poisson(value: Any, place: Place) -> list[Event]:
    """Poisson sampling of one event, or of Gaussian ones that answer about the same sample."""
    rate = stated_number(value, "sampling_probability")
    require(rate <= 1, "sampling_probability", "at most 1", rate)
    base = _on_one_sample(value, place, "poisson")
    if base is None:
        return []
    if place.relation.special and base != NOT_PRIVATE and not isinstance(base, events.Noise):
        raise NoTheorem(f"Poisson sampling of {base.stem} has no theorem here where a row is replaced by a special one")
    return _poissoned(base, rate, place)


def _fixed_size(value: Any, place: Place) -> list[Event]:
    """A sample of a fixed size without repetition."""
    if place.relation.special:
        raise NoTheorem("samples of a fixed size have no theorem here where a row is replaced by a special one")
    sampling = events.FixedSize(stated(value, "source_dataset_size"), stated(value, "sample_size"))
    base = _on_one_sample(value, place, "fixed_size")
    if base == NOT_PRIVATE:
        return _unmasked(Fraction(sampling.sample, sampling.rows), place)
    return [] if base is None else [Event(base, 1, sampling)]


def _on_one_sample(value: Any, place: Place, scheme: str) -> Mechanism | None:
    """The one mechanism run on a sample, Gaussian ones taken together; None if nothing is revealed."""
    if place.sampling:
        raise NoTheorem(f"{class_name(value)} of a sample has no theorem here: samples of samples are not taken")
    below = _read(stated(value, "event"), place.below(scheme))
    if not below:
        return None
    if any(one.mechanism == NOT_PRIVATE for one in below):
        return NOT_PRIVATE
    if len(below) == 1 and below[0].count == 1:
        return below[0].mechanism
    normals = [(one.mechanism.loss(), one.count) for one in below if isinstance(one.mechanism, GAUSSIAN)]
    if len(normals) == len(below):
        return events.Gaussians(sum((loss.mu_squared * count for loss, count in normals), Fraction(0)))
    raise NoTheorem(f"{class_name(value)} must be of one mechanism or of Gaussian ones: others on one sample have none")


GAUSSIAN = events.Gaussian | events.Gaussians


def _mixture(value: Any, place: Place) -> list[Event]:
    """A row that moves the answer by c with probability p, and not at all otherwise: as if sampled."""
    moves, chances = list(stated(value, "sensitivities")), list(stated(value, "sampling_probs"))
    require(len(moves) == len(chances), "sampling_probs", "as many as sensitivities", len(chances))
    law: dict[Fraction, Fraction] = {}
    for move, chance in zip(moves, chances, strict=True):
        size, share = number(move, "sensitivities"), number(chance, "sampling_probs")
        require(share >= 0, "sampling_probs", ">= 0", share)
        law[size] = law.get(size, Fraction(0)) + share
    require(sum(law.values()) == 1, "the sum of sampling_probs", "exactly 1", sum(law.values()))
    moved = {size: share for size, share in law.items() if size and share}
    if not moved:
        return []
    if len(moved) > 1 or place.relation.relation == "change_one" or place.sampling:
        raise NoTheorem("MixtureOfGaussiansDpEvent has a theorem here for one sensitivity besides 0 and one row added")
    ((size, share),) = moved.items()
    noise = stated_number(value, "standard_deviation")
    return _poissoned(events.Gaussian(noise, abs(size)) if noise else NOT_PRIVATE, share, place)


def _truncated(value: Any, place: Place) -> list[Event]:
    """Poisson sampling of a Gaussian, where a sample of more rows is cut to a random part of it."""
    if place.sampling:
        raise NoTheorem("TruncatedSubsampledGaussianDpEvent of a sample has no theorem here: samples of samples")
    rows = whole(stated(value, "dataset_size"), "dataset_size", events.LARGEST_TABLE - 1)
    most = whole(stated(value, "truncated_batch_size"), "truncated_batch_size", 10**18)
    rate = stated_number(value, "sampling_probability")
    require(rate <= 1, "sampling_probability", "at most 1", rate)
    if place.relation.special and most <= rows:
        raise NoTheorem("truncated samples have no theorem here where a row is replaced by a special one")
    base = LEAVES["GaussianDpEvent"](value, place.below("poisson")) or NOT_PRIVATE
    if rate == 0 or base == NOT_PRIVATE or most > rows:  # a neighbour may have a row more
        return _poissoned(base, rate, place)
    most_rows = rows + 1 if place.relation.relation == "add_remove" else rows
    return [Event(base, 1, events.TruncatedPoisson(rate, most, most_rows))]


def _poissoned(base: Mechanism, rate: Fraction, place: Place) -> list[Event]:
    """A mechanism that sees a row with probability rate."""
    if rate == 0:
        return []
    return _unmasked(rate, place) if base == NOT_PRIVATE else [Event(base, 1, events.Poisson(rate))]


def _unmasked(rate: Fraction, place: Place) -> list[Event]:
    """A row that is in the sample is seen."""
    return [Event(events.unmasked(rate, place.relation.relation))]


def _with_replacement(value: Any, place: Place) -> list[Event]:
    """Draws one after another, each of any row."""
    if place.relation.relation != "change_one":
        raise NoTheorem("SampledWithReplacementDpEvent has a theorem here for REPLACE_ONE alone")
    sampling = events.WithReplacement(stated(value, "source_dataset_size"), stated(value, "sample_size"))
    base = _on_one_sample(value, place, "with_replacement")
    if base == NOT_PRIVATE:
        return _unmasked(drawn(sampling.rows, sampling.sample)[0], place)
    return [] if base is None else [Event(base, 1, sampling)]


def _repeat_and_select(value: Any, place: Place) -> list[Event]:
    """The best of a random number of runs: shape infinity is Poisson, else truncated negative binomial, by its mean."""
    if place.sampling:
        raise NoTheorem("RepeatAndSelectDpEvent has no theorem here on a sample")
    below = _read(stated(value, "event"), place.below())
    if not below or NOT_PRIVATE in [one.mechanism for one in below]:
        return below
    if any(isinstance(one.mechanism, events.RepeatAndSelect) for one in below):
        raise NoTheorem("RepeatAndSelectDpEvent of itself has no theorem here")
    mean = stated_number(value, "mean")
    if stated(value, "shape") == inf:
        return [Event(events.RepeatAndSelect(tuple(below), mean=mean))] if mean else []
    shape = stated_number(value, "shape")
    return [Event(events.RepeatAndSelect(tuple(below), shape, gamma_of(mean, shape)))]


NODES: Mapping[str, Callable[[Any, Place], list[Event]]] = {
    "SelfComposedDpEvent": _self_composed,
    "ComposedDpEvent": _composed,
    "PoissonSampledDpEvent": _poisson,
    "SampledWithoutReplacementDpEvent": _fixed_size,
    "SampledWithReplacementDpEvent": _with_replacement,
    "MixtureOfGaussiansDpEvent": _mixture,
    "TruncatedSubsampledGaussianDpEvent": _truncated,
    "RepeatAndSelectDpEvent": _repeat_and_select,
}
