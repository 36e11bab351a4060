"""Random finite laws, exactly, and what composition, partition and post-processing make of them by definition."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement
from random import Random
from typing import Any

from refdp.spec.distances import Law
from refdp.spec.finite import FiniteLaw
from refdp.terms.term import Term, equal, indicator, name, number
from tests.exactness.entering import written

INSTANCES = 1000
"""How many random instances each rule is tried on, at least, by `make test-long`."""
STEP = 1 if os.environ.get("EVERY_INSTANCE") else 12 if __debug__ else 40
"""Otherwise every twelfth of them is tried; under -O, which changes nothing but asserts, every fortieth."""


def chances(test: str, count: int = INSTANCES, slow: int = 1) -> Iterator[Random]:
    """One generator an instance, the same in every run; of `slow` ones as many times fewer are tried."""
    return (Random(f"{test} {i}") for i in range(0, count, STEP * slow if STEP > 1 else 1))


def share(count: int, slow: int = 1) -> int:
    """What of `count` a test may ask for of the instances that are tried."""
    return count // (2 * STEP * slow) if STEP > 1 else count


def random_law(chance: Random, outcomes: Sequence[Any], least: int = 1) -> Law:
    """Masses proportional to whole numbers from `least` to 9, not all of them 0."""
    weights = [chance.randint(least, 9) for _ in outcomes]
    weights[chance.randrange(len(weights))] += 1
    return {y: Fraction(w, sum(weights)) for y, w in zip(outcomes, weights, strict=True)}


def random_laws(chance: Random, states: Sequence[Any], outcomes: int, least: int = 1) -> dict[Any, Law]:
    """A random law for each state; where least = 0, some outcomes are impossible under some of them."""
    return {x: random_law(chance, range(outcomes), least) for x in states}


def joint(laws: Sequence[Law]) -> Law:
    """The law of independent draws."""
    found: dict[Any, Fraction] = {(): Fraction(1)}
    for one in laws:
        found = {(*head, y): p * q for head, p in found.items() for y, q in one.items()}
    return found


def image(law: Law, images: dict[Any, Any]) -> Law:
    """The law of f(y) for f given by its images."""
    found: dict[Any, Fraction] = {}
    for y, p in law.items():
        found[images[y]] = found.get(images[y], Fraction(0)) + p
    return found


def tables(rows: Sequence[Any], most: int, least: int = 0) -> tuple[tuple[Any, ...], ...]:
    """Every table of `least` to `most` of these rows, rows in order."""
    return tuple(t for n in range(least, most + 1) for t in combinations_with_replacement(rows, n))


def tabulated(
    stem: str, laws: Mapping[int, Law], ratio: Fraction = Fraction(1), shift: Fraction | int = 0
) -> FiniteLaw:
    """A finite law whose pmf is a sum of indicator(output == i) * indicator(input == j) * p_ij.

    Its cumulative is the sum of those, `shift` added; its claimed ratio is `ratio`.
    """
    size = number(len(laws))
    masses, below = number(0), number(shift)
    for x, law in laws.items():
        here = indicator(equal(name("input"), x))
        for y, p in law.items():
            masses = masses + _times(p, here, indicator(equal(name("output"), y)))
            below = below + _times(p, here, indicator(number(y) <= name("output")))
    return FiniteLaw(
        stem, (), (), {},
        size=written("size", "", size),
        pmf=written("pmf", "output input", masses),
        cumulative=written("cumulative", "output input", below),
        ratio_bound=written("ratio_bound", "", number(ratio)),
    )  # fmt: skip


def _times(p: Fraction, a: Term, b: Term) -> Term:
    """p a b."""
    return number(p) * a * b
