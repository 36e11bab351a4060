"""Draws of local randomisers: reports of bits, of sets and the like, and bits of a rate."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from refdp.sampling.coins import Coins
from refdp.spec.bitwise import BitwiseLaw
from refdp.spec.formulas import Formula
from refdp.spec.rates import BitOfRate
from refdp.spec.supported import SupportedLaw, is_odd, order_of
from refdp.terms.evaluation import evaluate
from refdp.terms.term import TermError

Values = Mapping[str, Fraction]


def _at(f: Formula, values: Values) -> Fraction:
    """The formula at the values that it names."""
    return Fraction(evaluate(f.term, values))


def bit_by_bit(m: BitwiseLaw, x: Any, values: Values, coins: Coins) -> Any:
    """The bits, or the positions that are sent and their bits."""
    bits = m.filter(x, int(_at(m.dimension, values)))
    chances = {True: _at(m.kept, values), False: _at(m.raised, values)}
    if m.sent is None:
        return tuple(int(coins.bernoulli(chances[bit])) for bit in bits)
    places = tuple(sorted(coins.first(len(bits), int(_at(m.sent, values)))))
    return places, tuple(int(coins.bernoulli(chances[bits[place]])) for place in places)


def support_first(m: SupportedLaw, x: int, values: Values, coins: Coins) -> Any:
    """A report that supports x, if a coin says so, each as likely; else one that does not."""
    told = coins.bernoulli(_at(m.told, values))
    size, chosen = m.counts(values)
    match m.support:
        case "subset":
            return _subset(x, size, chosen, told, coins)
        case "hadamard":
            return _column(x + 1, order_of(size), told, coins)
        case "hadamard_entry":
            row = coins.uniform(size)
            return row, int(is_odd(row, x) == told)
        case "one_bit":
            bucket = coins.uniform(size)
            return bucket, int((bucket == x) == told)
    raise TermError(f"{m.stem} has no sampler for the support {m.support}")


def _subset(x: int, size: int, chosen: int, told: bool, coins: Coins) -> tuple[int, ...]:
    """So many values, x among them or not: x, and the first of the others in random order."""
    others = [value for value in range(size) if value != x]
    first = [others[i] for i in coins.first(len(others), chosen - told)]
    return tuple(sorted([*first, x] if told else first))


def _column(row: int, order: int, even: bool, coins: Coins) -> int:
    """A column in which the row has +1, or -1, each as likely: to flip the row's lowest bit pairs the two kinds."""
    z = coins.uniform(order)
    return z if is_odd(row, z) != even else z ^ (row & -row)


def coin_of_rate(m: BitOfRate, x: Fraction, values: Values, coins: Coins) -> int:
    """1 with the probability of the input's rate, else 0."""
    return int(coins.bernoulli(_at(m.rate, {**values, "input": x})))
