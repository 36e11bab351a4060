"""Outputs of registered mechanisms on arrays: int64 in, int64 of the same shape out, and no overflow that wraps."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Protocol

import numpy as np

from refdp.sampling import schemes
from refdp.sampling.bulk.addition import added
from refdp.sampling.bulk.lookup import BulkLookup
from refdp.sampling.bulk.selection import selected
from refdp.sampling.bulk.slots import BulkSlots
from refdp.sampling.bulk.tables import Integers
from refdp.sampling.coins import Coins
from refdp.sampling.lookup import LookupDraws
from refdp.sampling.plans import Clamped, Noise, Shifted, plan_of
from refdp.sampling.slots.draws import SlotDraws
from refdp.sampling.words import SYSTEM_WORDS, Source
from refdp.spec import registry
from refdp.spec.clamped import ClampedGeometric
from refdp.spec.domains import contains
from refdp.spec.finite import FiniteLaw
from refdp.spec.noise import AdditiveNoise
from refdp.spec.terms import Term, substitute

LEAST, GREATEST = -(2**63), 2**63 - 1


class Draws(Protocol):
    """A table of a law."""

    def array(self, n: int, source: Source) -> Any:
        """n draws, in an array of int64."""


class Randomness(Protocol):
    """What is asked of `refdp.sampling.drawing.Randomness`, which asks this file."""

    @property
    def source(self) -> Source | None:
        """Where digits come from, if not from the operating system."""

    def coins(self) -> Coins:
        """Coins for the schemes."""

    def table(self, plan: Noise | Clamped | Shifted, n: int) -> Draws | None:
        """The table from which n draws are made; None where the scheme makes them."""


def sampler(draws: SlotDraws | LookupDraws) -> BulkSlots | BulkLookup:
    """The same draws, in arrays."""
    return BulkSlots(draws) if isinstance(draws, SlotDraws) else BulkLookup(draws)


def checked(data: Any) -> Integers:
    """The array as int64; ValueError unless it holds signed whole numbers, and no durations, and all of them."""
    if data.dtype.kind != "i" or isinstance(data, np.ma.MaskedArray):
        raise ValueError(f"an array must hold signed whole numbers of at most 64 digits, got {_described(data)}")
    return np.asarray(data, np.int64)


def _described(data: Any) -> str:
    """What is told of an array: its elements are data."""
    return "a masked array" if isinstance(data, np.ma.MaskedArray) else str(data.dtype)


def drawn(subject: Term, data: Integers, randomness: Randomness) -> Integers:
    """Independent outputs of a registered mechanism, one for each element, which must be one of its inputs.

    OverflowError where an output is no int64, ValueError where granularity or data do not suit arrays.
    """
    plan, domain = plan_of(subject), _domain(subject)
    if plan is None or not _suits(plan):
        _require(all(contains(domain, Fraction(x)) for x in data.ravel().tolist()), domain)
        return _by_scheme(subject, data, randomness)
    _require(_are_members(plan, data), domain)
    table = randomness.table(plan, data.size)
    if table is None:
        return _by_scheme(subject, data, randomness)
    try:
        k: Integers = table.array(data.size, randomness.source or SYSTEM_WORDS)
    except OverflowError:
        raise OverflowError("the noise exceeds the range of int64") from None
    return _outputs(plan, data.ravel(), k).reshape(data.shape)


def _domain(subject: Term) -> Term:
    """The inputs of a registered mechanism on numbers."""
    kind = registry.kind_of(subject.operator)
    if not isinstance(kind, AdditiveNoise | ClampedGeometric | FiniteLaw):
        raise ValueError(f"arrays of independent inputs are for mechanisms on single numbers, got {subject}")
    return substitute(kind.domain, registry.bound(kind, subject))


def _require(holds: bool, domain: Term) -> None:
    """ValueError unless all elements are inputs."""
    if not holds:
        raise ValueError(f"every element of the array must be a member of {domain}")


def _suits(plan: Noise | Clamped | Shifted) -> bool:
    """Whether inputs and outputs are whole, and ends and differences of a range are int64; ValueError for the first."""
    if plan.unit.denominator != 1:
        raise ValueError(f"granularity must be whole for an array of whole numbers, got {plan.unit}; give a tuple")
    if not isinstance(plan, Clamped):
        return plan.unit <= GREATEST
    ends = plan.lower * plan.unit, plan.upper * plan.unit, plan.upper - plan.lower
    return all(LEAST <= end <= GREATEST for end in ends)


def _are_members(plan: Noise | Clamped | Shifted, data: Integers) -> bool:
    """Whether every element is an input of the mechanism."""
    unit = int(plan.unit)
    lower, upper = LEAST, GREATEST
    if isinstance(plan, Shifted):
        lower, upper = 0, plan.law.size - 1
    elif isinstance(plan, Clamped):
        lower, upper = plan.lower * unit, plan.upper * unit
    inside = data.size == 0 or lower <= data.min() <= data.max() <= upper
    return bool(inside and (unit == 1 or not (data % unit).any()))


def _outputs(plan: Noise | Clamped | Shifted, data: Integers, k: Integers) -> Integers:
    """What the draws k make of the data."""
    unit = int(plan.unit)
    match plan:
        case Noise():
            return added(data, scaled(k, unit))
        case Clamped(_, _, lower, upper):
            units = data // unit
            return (units + np.clip(k, lower - units, upper - units)) * unit
    return (data + k) % plan.law.size


def scaled(k: Integers, unit: int) -> Integers:
    """unit k, or OverflowError."""
    most = GREATEST // unit
    if unit > 1 and k.size and not -most <= k.min() <= k.max() <= most:
        raise OverflowError("the noise exceeds the range of int64")
    return k * unit if unit > 1 else k


def _by_scheme(subject: Term, data: Integers, randomness: Randomness) -> Integers:
    """The same by coin flips, element by element."""
    inputs = [Fraction(x) for x in data.ravel().tolist()]
    return whole(schemes.drawn(subject, inputs, randomness.coins())).reshape(data.shape)


def whole(outputs: Sequence[Fraction]) -> Integers:
    """Whole numbers as int64; OverflowError if one is none, ValueError if one is not whole."""
    if any(y.denominator != 1 for y in outputs):
        raise ValueError("outputs must be whole for an array of whole numbers; give a tuple")
    if any(not LEAST <= y <= GREATEST for y in outputs):
        raise OverflowError("data plus noise exceeds the range of int64")
    return np.array([int(y) for y in outputs], np.int64)


def selected_of(scores: Sequence[int], rate: Fraction, source: Source) -> int:
    """k with probability proportional to e^(rate scores[k]), of scores in a list."""
    return selected(np.array(scores, np.int64), rate, source)
