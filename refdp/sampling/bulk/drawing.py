"""Outputs of registered mechanisms on arrays: int64 in, int64 of the same shape out, and no overflow that wraps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, Protocol

import numpy as np

from refdp.sampling import schemes
from refdp.sampling.bulk.addition import GREATEST, LEAST, added
from refdp.sampling.bulk.lookup import BulkLookup
from refdp.sampling.bulk.selection import flipped, selected
from refdp.sampling.bulk.slots import BulkSlots
from refdp.sampling.bulk.tables import Integers
from refdp.sampling.coins import Coins
from refdp.sampling.lookup import LookupDraws
from refdp.sampling.plans import Choice, Clamped, Noise, Shifted, Tabled, plan_of
from refdp.sampling.slots.draws import SlotDraws
from refdp.sampling.words import SYSTEM_WORDS, Source
from refdp.spec import registry
from refdp.spec.clamped import ClampedGeometric
from refdp.spec.domains import contains
from refdp.spec.finite import FiniteLaw
from refdp.spec.noise import AdditiveNoise
from refdp.spec.samplers import SCHEMES
from refdp.terms.term import Term, substitute


class Draws(Protocol):
    """A table of a law."""

    def arrays(self) -> Any:
        """A sampler of arrays."""


class Randomness(Protocol):
    """What is asked of `refdp.sampling.drawing.Randomness`, which asks this file."""

    @property
    def source(self) -> Source | None:
        """Where digits come from, if not from the operating system."""

    @property
    def flips(self) -> bool:
        """Whether flips are supplied, which are for the schemes alone."""

    def integers(self, plan: Tabled, n: int) -> list[int] | None:
        """n draws without an array."""

    def coins(self) -> Coins:
        """Coins for the schemes."""

    def table(self, plan: Tabled, n: int) -> Draws | None:
        """The table from which n draws are made; None where the scheme makes them."""


def sampler(draws: SlotDraws | LookupDraws) -> BulkSlots | BulkLookup:
    """The same draws, in arrays."""
    return BulkSlots(draws) if isinstance(draws, SlotDraws) else BulkLookup(draws)


def checked(data: Any) -> Integers:
    """The array as int64; ValueError unless it holds whole numbers, and no durations, and all of them, all int64."""
    if data.dtype.kind not in "iu" or isinstance(data, np.ma.MaskedArray):
        raise ValueError(f"an array must hold whole numbers of at most 64 digits, got {_described(data)}")
    if data.dtype == np.uint64 and data.size and data.max() > GREATEST:
        raise ValueError(f"an array must hold whole numbers below 2^63, got {_described(data)} with a greater one")
    return np.asarray(data, np.int64)


def _described(data: Any) -> str:
    """What is told of an array: its elements are data."""
    return "a masked array" if isinstance(data, np.ma.MaskedArray) else str(data.dtype)


def into(out: Any, data: Any) -> Any:
    """`out`, if outputs for `data` may be written there: an array of integers of its shape; ValueError otherwise."""
    if not isinstance(out, np.ndarray) or isinstance(out, np.ma.MaskedArray) or out.dtype.kind not in "iu":
        raise ValueError(f"out must be an array of whole numbers, got {getattr(out, 'dtype', type(out).__name__)}")
    if out.shape != data.shape or not out.flags.writeable:
        raise ValueError(f"out must be writeable and of shape {data.shape}, got {out.shape}")
    if _shares_memory_within(out):
        raise ValueError(f"out must have elements that share no memory, got strides {out.strides} at shape {out.shape}")
    return out


def _shares_memory_within(out: Any) -> bool:
    """Whether two elements have an octet in common, as in views made by `as_strided` or `broadcast_to`."""
    axes = sorted((abs(step), n) for step, n in zip(out.strides, out.shape, strict=True) if n > 1)
    reach = out.itemsize
    for step, n in axes:
        if step < reach:
            return out.size > 0 and _overlaps(out)
        reach = step * (n - 1) + reach
    return False


def _overlaps(out: Any) -> bool:
    """The same, by the places of all elements: of arrays whose axes interleave."""
    places = np.zeros(1, np.int64)
    for step, n in zip(out.strides, out.shape, strict=True):
        places = np.add.outer(places, np.arange(n, dtype=np.int64) * step).ravel()
    places.sort()
    return bool((np.diff(places) < out.itemsize).any())


def _is_written_at_once(out: Any, data: Integers) -> bool:
    """Whether outputs may be written element by element as they are made: nothing is read after it was overwritten."""
    if out.dtype != np.int64 or not out.flags.c_contiguous:
        return False
    return not np.may_share_memory(out, data) or (out.ctypes.data == data.ctypes.data and data.flags.c_contiguous)


def drawn(subject: Term, data: Any, randomness: Randomness, out: Any = None) -> Any:
    """Independent outputs of a registered mechanism, one for each element, which must be one of its inputs.

    An array of int64, or `out`, of any integers, which may be the data themselves.  OverflowError where an output does
    not fit, with part of `out` written; ValueError where granularity or data do not suit arrays.
    """
    inputs, known = checked(data), known_of(subject)
    target, direct = target_of(inputs, out)
    if known.plan is None:
        _require(all(contains(known.domain, Fraction(x)) for x in inputs.ravel().tolist()), known.domain)
        target[:] = _by_scheme(subject, inputs.reshape(-1), randomness)
    else:
        _require(_are_members(known.plan, inputs), known.domain)
        try:
            _draw(known, known.plan, inputs.reshape(-1), target, randomness)
        except OverflowError:  # of a sum, or of a draw from a tail
            raise OverflowError("data plus noise exceeds the range of int64") from None
    return kept(target, inputs, out, direct)


@dataclass(slots=True)
class Known:
    """What need not be found out at every call."""

    subject: Term
    domain: Term
    plan: Tabled | None
    """None where arrays do not suit it."""
    table: Draws | None = None


@lru_cache(maxsize=256)
def known_of(subject: Term) -> Known:
    """What is known of a registered mechanism; ValueError where inputs and outputs are not whole, or no numbers."""
    domain, plan = _domain(subject), plan_of(subject)
    return Known(subject, domain, plan if plan is not None and _suits(plan) else None)


def target_of(data: Integers, out: Any) -> tuple[Integers, bool]:
    """The vector of int64 to write outputs to, and whether it is `out` itself; ValueError where `out` is no target."""
    if out is None:
        return np.empty(data.size, np.int64), False
    found = np.asarray(into(out, data))  # a subclass may keep its shape: of a matrix, the first element is a row
    return (found.reshape(-1), True) if _is_written_at_once(found, data) else (np.empty(data.size, np.int64), False)


def kept(outputs: Integers, data: Integers, out: Any, direct: bool) -> Any:
    """The outputs in the shape of the data, in `out` if there is one; OverflowError where they do not fit."""
    if out is None:
        return outputs.reshape(data.shape)
    if not direct:
        _fits(outputs, out.dtype)
        out[...] = outputs.reshape(data.shape)
    return out


def _draw(known: Known, plan: Tabled, data: Integers, out: Integers, randomness: Randomness) -> None:
    """The outputs for a vector, written to another, which may be the same."""
    source = randomness.source or SYSTEM_WORDS
    table = known.table if known.table is not None and not randomness.flips else randomness.table(plan, data.size)
    if table is None:
        k = randomness.integers(plan, data.size)
        out[:] = _by_scheme(known.subject, data, randomness) if k is None else _of_ints(plan, data, k)
        return
    known.table = table
    if isinstance(plan, Noise) and plan.unit == 1:
        table.arrays().add(data, out, source)
    else:
        out[:] = _outputs(plan, data, table.arrays().sample(data.size, source))


def _fits(outputs: Integers, kind: Any) -> None:
    """OverflowError unless all outputs are integers of that kind."""
    ends = np.iinfo(kind)
    if outputs.size and not ends.min <= outputs.min() <= outputs.max() <= ends.max:
        raise OverflowError(f"data plus noise exceeds the range of {kind}")


def _domain(subject: Term) -> Term:
    """The inputs of a registered mechanism on numbers."""
    kind = registry.kind_of(subject.operator) if subject.operator in SCHEMES else None
    if not isinstance(kind, AdditiveNoise | ClampedGeometric | FiniteLaw):
        raise ValueError(f"arrays of independent inputs are for mechanisms on single numbers, got {subject}")
    return substitute(kind.domain, registry.bound(kind, subject))


def _require(holds: bool, domain: Term) -> None:
    """ValueError unless all elements are inputs."""
    if not holds:
        raise ValueError(f"every element of the array must be a member of {domain}")


def _suits(plan: Tabled) -> bool:
    """Whether inputs and outputs are whole, and ends and differences of a range are int64; ValueError for the first."""
    if plan.unit.denominator != 1:
        raise ValueError(f"granularity must be whole for an array of whole numbers, got {plan.unit}; give a tuple")
    if not isinstance(plan, Clamped):
        return plan.unit <= GREATEST
    ends = plan.lower * plan.unit, plan.upper * plan.unit, plan.upper - plan.lower
    return all(LEAST <= end <= GREATEST for end in ends)


def _are_members(plan: Tabled, data: Integers) -> bool:
    """Whether every element is an input of the mechanism."""
    unit = int(plan.unit)
    match plan:
        case Shifted():
            lower, upper = 0, plan.law.size - 1
        case Clamped():
            lower, upper = plan.lower * unit, plan.upper * unit
        case _:  # every int64 lies between these, and is not looked at
            lower, upper = LEAST, GREATEST
    is_inside = data.size == 0 or (lower, upper) == (LEAST, GREATEST) or lower <= data.min() <= data.max() <= upper
    return bool(is_inside and (unit == 1 or not (data % unit).any()))


def _outputs(plan: Tabled, data: Integers, k: Integers) -> Integers:
    """What the draws k make of the data."""
    unit = int(plan.unit)
    match plan:
        case Noise():
            return scaled(added(data // unit, k), unit) if unit > 1 else added(data, k)
        case Clamped(_, _, lower, upper):
            units = data // unit
            return (units + np.clip(k, lower - units, upper - units)) * unit
    return (data + k) % plan.law.size


def _of_ints(plan: Tabled, data: Integers, k: Sequence[int]) -> Integers:
    """The same of draws of any size; OverflowError where an output is no int64."""
    try:
        return _outputs(plan, data, np.array(k, np.int64))
    except OverflowError:  # clamped, or added to data of the other sign, a draw may fit all the same
        unit = int(plan.unit)
        return np.array(
            [unit * sum(plan.split(x // unit, one)) for x, one in zip(data.tolist(), k, strict=True)], np.int64
        )


def scaled(k: Integers, unit: int) -> Integers:
    """unit k, or OverflowError."""
    if k.size and not LEAST <= unit * int(k.min()) <= unit * int(k.max()) <= GREATEST:
        raise OverflowError("data plus noise exceeds the range of int64")
    return k * unit


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


def selected_of(scores: Integers, choice: Choice, source: Source) -> int:
    """The candidate that a selection names."""
    return (flipped if choice.by_flips else selected)(scores, choice.rate, source)


def selected_from(scores: Sequence[int], least: int, choice: Choice, source: Source) -> int:
    """The same of scores in a list, which differ by less than 2^63."""
    fit = least >= LEAST and max(scores) <= GREATEST
    return selected_of(np.array(scores if fit else [score - least for score in scores], np.int64), choice, source)
