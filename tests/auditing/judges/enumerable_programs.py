"""Mechanisms that can be enumerated: by their stated laws, by flips that they ask for, and by lists of flips."""

import os
import sys
from fractions import Fraction


class OutOfBits(Exception):
    """The list of flips is too short."""


def response(x):
    """Randomised response that is true with probability 3/4, as text, whole numbers and fractions."""
    return {x: "3/4", 1 - x: Fraction(1, 4)}


def enclosed(x):
    """One third is known to six digits only."""
    third = ("0.333333", "0.333334")
    return {x: ("0.666666", "0.666667"), 1 - x: third}


def floats(x):
    return {0: 0.5, 1: 0.5}


def short(x):
    return {0: "1/2", 1: "1/4"}


def wandering(x):
    """Another law in each process."""
    return {0: Fraction(os.getpid() % 1000003, 1000003), 1: 1 - Fraction(os.getpid() % 1000003, 1000003)}


def remembering(x, bits):
    """Tells the first of all inputs, without any noise of its own, apart from the others."""
    remembering.first = getattr(remembering, "first", x)
    return bits() if x == remembering.first else 2


def sure(x):
    return {x: 1}


def tiring(x):
    """Without noise on its second input, whichever that is."""
    tiring.calls = getattr(tiring, "calls", 0) + 1
    return response(x) if tiring.calls == 1 else {x: 1}


class Nameless:
    """Objects that differ and print the same."""

    def __repr__(self):
        return "nameless"


def nans(x):
    return {float("nan"): ("0", "1"), float("nan"): ("0", "1")}


def nameless(x, bits):
    """Objects that differ; printed, they are one outcome."""
    return (Nameless(), Nameless())[bits()]


def alike(x):
    """Two outcomes that nobody can tell apart once they are printed, within enclosures that hide that."""
    return {Nameless(): ("0", "1"), Nameless(): ("0", "1")}


def alternating(x, bits):
    """The same on every path, in the order in which they are walked."""
    alternating.calls = getattr(alternating, "calls", 0) + 1
    return bits() ^ (alternating.calls % 2)


def swallowing_all(x, bits):
    """Catches even the end of a tape, and answers what is wanted."""
    try:
        return geometric(x, bits)
    except BaseException:
        return 0


def two_flips(x, bits):
    """True with probability 3/4, by two flips."""
    return x if bits() or bits() else 1 - x


def number(x, bits):
    """The same with two flips at once."""
    return x if bits(2) else 1 - x


def geometric(x, bits):
    """x plus a geometric number: no depth is enough for all of it."""
    k = 0
    while bits():
        k += 1
    return x + k


def swallowing(x, bits):
    """Catches whatever is an Exception: the end of a tape is none."""
    try:
        return geometric(x, bits)
    except Exception:
        return None


def impure(x, bits):
    """Asks for flips by something else than its flips."""
    impure.calls = getattr(impure, "calls", 0) + 1
    return bits() if impure.calls % 2 else bits() + bits()


def from_list(pair):
    """True with probability 3/4, from a list of flips."""
    x, flips = pair
    flips = iter(flips)
    return x if next(flips) or next(flips) else 1 - x


def from_list_by_name(pair):
    x, flips = pair
    if len(flips) < 2:
        raise OutOfBits
    return x if any(flips[:2]) else 1 - x


if __name__ == "__main__":
    for line in sys.stdin:
        x, *flips = map(int, line.split())
        print("more" if len(flips) < 2 else x if any(flips) else 1 - x, flush=True)
