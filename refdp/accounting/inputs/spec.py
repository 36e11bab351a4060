"""The small language of accounts: {"neighbours": "add_remove", "events": [{"mechanism": "gaussian", "sigma": "1"}]}.

An event has a mechanism by its stem, the mechanism's parameters, and optionally count and sampling:
{"scheme": "poisson", "rate": "1/100"}, {"scheme": "fixed_size", "rows": 1000, "sample": 10}, or one of the others of
`SCHEMES`.  Numbers are text or numbers; those of a document are the decimals that are written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

from refdp.accounting import events
from refdp.accounting.events import (
    NEIGHBOURS,
    BallsInBins,
    CyclicPoisson,
    Event,
    FixedSize,
    FixedSizeOfAtLeast,
    Mechanism,
    Poisson,
    RepeatAndSelect,
    Scheme,
    TruncatedPoisson,
    WithReplacement,
)
from refdp.accounting.inputs.documents import document
from refdp.accounting.losses import LossError, require
from refdp.accounting.numbers import LARGEST_COUNT, real, shown, whole

MOST_EVENTS = 10_000
"""Most events of one account."""


@dataclass(frozen=True, slots=True)
class Stated:
    """What a spec says: events under a neighbouring relation."""

    neighbours: str
    events: tuple[Event, ...]


def _pure(epsilon: object) -> events.Approximate:
    """Any epsilon-DP mechanism."""
    return events.Approximate(real(epsilon, "epsilon"))


def _repeat_and_select(events: object, **numbers: object) -> RepeatAndSelect:
    """The best of several runs of the events, each stated as any event."""
    require(isinstance(events, Sequence) and not isinstance(events, str), "events", "a list", shown(events))
    within = events if isinstance(events, Sequence) else ()
    for one in within:
        stem = one.get("mechanism") if isinstance(one, Mapping) else None
        require(stem != "repeat_and_select", "events", "no repeat_and_select themselves", "one")
    return RepeatAndSelect(tuple(map(read_event, within)), **numbers)  # type: ignore[arg-type]


MECHANISMS: dict[str, tuple[Callable[..., Mechanism], tuple[str, ...], tuple[str, ...]]] = {
    "gaussian": (events.Gaussian, ("sigma",), ("sensitivity",)),
    "laplace": (events.Laplace, ("scale",), ("sensitivity",)),
    "discrete_laplace": (events.DiscreteLaplace, ("scale",), ("sensitivity", "granularity")),
    "discrete_gaussian": (events.DiscreteGaussian, ("sigma",), ("sensitivity", "granularity")),
    "randomised_response": (events.RandomisedResponse, ("truth",), ()),
    "k_ary_randomised_response": (events.KAryRandomisedResponse, ("k", "truth"), ()),
    "shuffled_randomised_response": (events.ShuffledRandomisedResponse, ("users", "truth"), ()),
    "shuffled": (events.Shuffled, ("users", "epsilon"), ()),
    "exponential": (events.Exponential, ("scale",), ("sensitivity", "monotone")),
    "gumbel_noisy_max": (events.Exponential, ("scale",), ("sensitivity", "monotone")),
    "permute_and_flip": (events.PermuteAndFlip, ("scale",), ("sensitivity",)),
    "exponential_noisy_max": (events.PermuteAndFlip, ("scale",), ("sensitivity",)),
    "laplace_noisy_max": (events.LaplaceNoisyMax, ("scale",), ("sensitivity",)),
    "repeat_and_select": (_repeat_and_select, ("events",), ("shape", "gamma", "mean")),
    "given_votes": (events.GivenVotes, ("votes", "sigma"), ("change",)),
    "bounded_range": (events.BoundedRange, ("epsilon",), ()),
    "pure": (_pure, ("epsilon",), ()),
    "approximate": (events.Approximate, ("epsilon", "delta"), ()),
    "zcdp": (events.Concentrated, ("rho",), ()),
    "renyi": (events.Renyi, ("bounds",), ()),
    "finite": (events.Finite, ("outcomes",), ()),
    "trade_off": (events.TradeOff, ("points",), ()),
    "profile": (events.stated_profile, ("points",), ()),
}
"""Stem -> constructor, the parameters that it needs, and those that it may have."""


def data_of(spec: str | PathLike[str] | Mapping[str, Any]) -> Any:
    """The data of a document: of a file by its path, of standard input for `-`, or as they are given."""
    return document(Path(spec)) if isinstance(spec, str | PathLike) else spec


def read_spec(spec: str | PathLike[str] | Mapping[str, Any]) -> Stated:
    """The account in a file, by its path, or in the data of such a document; LossError with one sentence if it is none.

    >>> read_spec({"neighbours": "add_remove", "events": [{"mechanism": "laplace", "scale": "2"}]}).events[0].count
    1
    """
    found = data_of(spec)
    _keys(found, "spec", ("neighbours", "events"), ())
    neighbours, stated = found["neighbours"], found["events"]
    require(neighbours in NEIGHBOURS, "neighbours", f"one of {', '.join(NEIGHBOURS)}", shown(neighbours))
    require(isinstance(stated, Sequence) and not isinstance(stated, str), "events", "a list", shown(stated))
    require(1 <= len(stated) <= MOST_EVENTS, "events", f"1 to {MOST_EVENTS} events", len(stated))
    return Stated(neighbours, tuple(_placed(place, one) for place, one in enumerate(stated)))


def _placed(place: int, found: object) -> Event:
    """The event, and in errors its place."""
    try:
        return read_event(found)
    except LossError as error:
        raise LossError(f"events[{place}]: {error}") from None


def read_event(found: object) -> Event:
    """One event from its data."""
    if not isinstance(found, Mapping):
        raise LossError(f"an event must be an object, got {shown(found)}")
    stem = found.get("mechanism")
    require(isinstance(stem, str) and stem in MECHANISMS, "mechanism", f"one of {', '.join(MECHANISMS)}", shown(stem))
    build, needed, optional = MECHANISMS[str(stem)]
    _keys(found, str(stem), ("mechanism", *needed), (*optional, "count", "sampling"))
    mechanism = build(**{key: found[key] for key in (*needed, *optional) if key in found})
    count = whole(found.get("count", 1), "count", LARGEST_COUNT)
    sampling = found.get("sampling")
    return Event(mechanism, count, None if sampling is None else read_sampling(sampling))


SCHEMES: dict[tuple[str, tuple[str, ...]], Callable[..., Scheme]] = {
    ("poisson", ("rate",)): Poisson,
    ("fixed_size", ("rows", "sample")): FixedSize,
    ("fixed_size", ("least_rows", "sample")): FixedSizeOfAtLeast,
    ("truncated_poisson", ("rate", "largest", "most_rows")): TruncatedPoisson,
    ("with_replacement", ("rows", "sample")): WithReplacement,
    ("cyclic_poisson", ("rate", "batches", "steps")): CyclicPoisson,
    ("balls_in_bins", ("steps", "turns")): BallsInBins,
}
"""The scheme and the parameters that it needs, and its constructor; of two of one name the first key tells."""


def read_sampling(found: object) -> Scheme:
    """How rows are sampled."""
    if not isinstance(found, Mapping):
        raise LossError(f"sampling must be an object, got {shown(found)}")
    named = {keys: build for (name, keys), build in SCHEMES.items() if name == found.get("scheme")}
    known = " or ".join(dict.fromkeys(name for name, _ in SCHEMES))
    require(bool(named), "scheme", known, shown(found.get("scheme")))
    keys = next((keys for keys in named if keys[0] in found), next(iter(named)))
    _keys(found, str(found["scheme"]), ("scheme", *keys), ())
    return named[keys](**{key: found[key] for key in keys})


def _keys(found: object, where: str, needed: Sequence[str], optional: Sequence[str]) -> None:
    """LossError unless the keys of the object are those needed and some of the optional ones."""
    if not isinstance(found, Mapping):
        raise LossError(f"{where} must be an object, got {shown(found)}")
    for key in needed:
        require(key in found, where, f"an object with {key}", f"none among {', '.join(map(str, found)) or 'no keys'}")
    for key in found:
        known = ", ".join((*needed, *optional))
        require(key in (*needed, *optional), where, f"an object with no keys but {known}", shown(key))
