"""What the events certainly cost on some tables: an answer is unsound only if it is below that.

An account's own lower bound is that of its dominating pairs.  Two tables attain all pairs at once, except for:
- samples of a fixed size, where one pair of tables attains the pair at x >= 1 and another one at x < 1.  Where all
  other rows are equal to the one that replaces, the laws are (q P + (1 - q) Q, Q) one way and (Q, q P + (1 - q) Q) the
  other way, as if a row were removed from or added to Poisson samples.  Events that are sampled otherwise, or not at
  all, cost no less under change_one than with a row removed: the row that replaces may add nothing.
- truncated Poisson samples, draws with replacement and balls in bins, samples for exponential mechanisms and other
  selections, whose pairs are bounds, and
- events that are read as any mechanism with a bound that they have, but are one mechanism themselves.  They are left
  out: events cost no less in company.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from fractions import Fraction
from typing import Any

from refdp.accounting.accounts import Account
from refdp.accounting.events import (
    Event,
    FixedSize,
    FixedSizeOfAtLeast,
    NoTheorem,
    Poisson,
)
from refdp.accounting.inputs.dp_leaves import class_name
from refdp.accounting.losses import LossError
from refdp.accounting.pairs import loosely

BOUNDED_ONLY = (
    "ExponentialMechanismDpEvent", "PermuteAndFlipDpEvent", "DiscreteGaussianDpEvent", "SampledWithReplacementDpEvent",
)  # fmt: skip
"""dp_accounting's events that are read as any mechanism with their epsilon or rho."""


def attained(neighbours: str, read: Iterable[tuple[Any, tuple[Event, ...]]]) -> Account | None:
    """An account whose lower bounds hold for the events, each given with what it was read as; None if there is none."""
    items = list(read)
    kept = [event for raw, events in items if not bounded_only(raw) for event in events if not loosely(event)]
    all_kept = len(kept) == sum(len(events) for _, events in items)
    replaced = neighbours == "change_one" and any(map(fixed, kept))
    if all_kept and (sum(event.count for event in kept) == 1 or not replaced):
        return Account(neighbours, tuple(kept))
    with suppress(NoTheorem, LossError):
        if replaced:
            return Account("add_remove", tuple(map(removed, kept)))
        return Account(neighbours, tuple(kept)) if kept else None
    return None


def fixed(event: Event) -> bool:
    """Whether it is run on a sample of a fixed size."""
    return isinstance(event.sampling, FixedSize | FixedSizeOfAtLeast)


def removed(event: Event) -> Event:
    """The event with a row removed that was in the sample with the same probability."""
    match event.sampling:
        case FixedSize(rows=rows, sample=sample) | FixedSizeOfAtLeast(least_rows=rows, sample=sample):
            return Event(event.mechanism, event.count, Poisson(Fraction(sample, rows)))
    return event


def bounded_only(raw: Any) -> bool:
    """Whether there is an event in it that is read as any mechanism with a bound that it has."""
    return any(class_name(each) in BOUNDED_ONLY for each in nodes(raw))


def nodes(raw: Any) -> Iterator[Any]:
    """It, and all that stands in its fields `event` and `events`, or in a list."""
    waiting = [raw]
    while waiting:
        each = waiting.pop()
        yield each
        if isinstance(each, list | tuple):
            waiting += each
        for name in ("event", "events"):
            below = getattr(each, name, None)
            waiting += below if isinstance(below, list | tuple) else [] if below is None else [below]
