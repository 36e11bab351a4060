"""What the second run of an alignment pays for what it adds, in the words of a textbook."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

NOTHING = "nothing"
INNER = re.compile(r"(\w+)/(\w+)")


def cost(line: int, shift: str, charges: Sequence[Mapping[str, Any]]) -> str:
    """What a shift at a line costs: its size by its weight, at the rate of its group; empty where none is said."""
    for group in charges:
        for draw in group["draws"]:
            if draw["line"] == line:
                return "0" if shift == NOTHING else priced(Fraction(draw["weight"]), shift, group["rate"])
    return ""


def priced(weight: Fraction, shift: str, rate: str) -> str:
    """A weight, by the size of what is added, by a rate.

    >>> priced(Fraction(1, 2), "1", "epsilon"), priced(Fraction(1, 4), "1 - d", "epsilon/N")
    ('1/2 epsilon', '1/4 |1 - d| epsilon/N')
    """
    if shift.startswith("flipped"):
        return times(weight, rate)
    if re.fullmatch(r"-?\d+(/\d+)?", shift):
        return times(weight * abs(Fraction(shift)), rate)
    return times(weight, f"|{shift.removeprefix('-') if ' ' not in shift else shift}| {rate}")


def times(factor: Fraction, what: str) -> str:
    """A multiple, without a factor of 1."""
    return what if factor == 1 else f"{factor} {what}"


def totals(charges: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """What each group costs at most, equal rates taken together."""
    sums: dict[str, Fraction] = {}
    for group in charges:
        factor, rate = product(group["at_most"], group["rate"])
        sums[rate] = sums.get(rate, Fraction(0)) + factor
    each = [times(*product(group["at_most"], group["rate"])) for group in charges]
    whole = [times(factor, rate) for rate, factor in sums.items()]
    yield " + ".join(each)
    if whole != each:
        yield " + ".join(whole)


def product(at_most: str, rate: str) -> tuple[Fraction, str]:
    """A bound by a rate, shortened where the rate has the bound's name below the line.

    >>> product("N/2", "epsilon/N"), product("2", "epsilon")
    ((Fraction(1, 2), 'epsilon'), (Fraction(2, 1), 'epsilon'))
    """
    if re.fullmatch(r"\d+(/\d+)?", at_most):
        return Fraction(at_most), rate
    over, bound = INNER.fullmatch(rate), re.fullmatch(r"(?:(\d+)\*)?(\w+)(?:/(\d+))?", at_most)
    if over and bound and over[2] == bound[2]:
        return Fraction(int(bound[1] or 1), int(bound[3] or 1)), over[1]
    return Fraction(1), f"({at_most}) {rate}" if " " in at_most else f"{at_most} {rate}"
