"""Identities that were found by hand, where a search would take long.  Untrusted: the rule `algebra` checks them.

They are by the name of the obligation, with `c` and so on for the indices of its facts; what a kind assumes of its
parameters comes before those.
"""

from __future__ import annotations

from collections.abc import Mapping
from string import Template

from refdp.spec.statements import Statement

NARROW = """
    vanishes(product(1, $c, $t, $false), product(1, $c, $false), product(1, $t, $false),
    product(1, $c, square((t * c - 1) * z + t * h)), product(1, square((t * c - 1) * z + t * h)), product(1, $beyond))
"""
WIDE = """
    split(t - c, vanishes(product(1, $beyond), product(1, square(h)), product(1, $t, square(h)),
    product(1, $last, $c, $t), product(1, $last, $c), product(1, $last, $t)),
    vanishes(product(1, $last, $false), product(1, $c, square((t - c) * z - h)), product(1, square((t - c) * z - h)),
    product(1, $beyond)))
"""
ENDS = """
    vanishes(product(1, $low, $false), product(1, $high, $false), product(2, $false, $false), product(1, $c, $c, $high),
    product(1, $c, $below, $high), product(3, $c, $below, $false), product(1, $c, $low, $high),
    product(2, $c, $low, $false), product(1, $below, $low, $low), product(1, $c, $high, square(h)),
    product(2, $c, $false, square(h)), product(1, $below, $low, square(h)), product(1, $false, square(c - growth)),
    product(3, $c, $c, square(c - growth)), product(1, $c, $below, square(c - growth)),
    product(2, $c, $below, square(c - 1)))
"""
NO_ROOT = "vanishes(product(1), product(2, $power), product(1, square(power)), equation($false, 1))"
QUARTER = "vanishes(product(1, $last), product(1/4, square(1 - power)))"
RISES = "vanishes(product(1, $beyond_last), product(1, $power))"
SUMS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "narrow_noise_is_at_most_so_much_denser": (("c", "t", "beyond"), (NARROW,)),
    "wide_noise_is_at_most_so_much_denser": (("c", "t", "beyond"), (WIDE,)),
    "slope_rises_within_curving": (("power",), (NO_ROOT, QUARTER, RISES)),
    "spread_is_greatest_at_the_ends": (("c", "below", "low", "high"), (ENDS,)),
}
"""Obligation -> what its facts are called, and the sums of its cases."""


def known(identifier: str, statement: Statement) -> list[str] | None:
    """The sums for the cases of the obligation STEM.NAME that somebody found; None where nobody did."""
    found = SUMS.get(identifier.partition(".")[2])
    if found is None:
        return None
    facts, written = found
    first = len(statement.given) - len(facts)
    indices = {fact: str(first + i) for i, fact in enumerate((*facts, "false", "last", "beyond_last"))}
    return [Template(" ".join(one.split())).substitute(indices) for one in written]
