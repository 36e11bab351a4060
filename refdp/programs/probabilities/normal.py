"""The probability of inequalities between draws some of which are normal."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from refdp.programs.execution import Drawn
from refdp.programs.probabilities.differences import ORIGIN
from refdp.programs.probabilities.evaluation import Evaluation
from refdp.programs.probabilities.linear import Inequality
from refdp.programs.probabilities.numbers import ZERO, Number
from refdp.programs.probabilities.signs import sign
from refdp.programs.probabilities.stars import Leaf, Limit, Noise, Star
from refdp.programs.probabilities.sums import ONE, NotComputed
from refdp.programs.probabilities.systems import system

SIDES = ("exponential", "minus exponential")
"""Distributions on one side of 0."""
Bounds = dict[tuple[int, int], Fraction]


def of_star(drawn: list[Drawn], inequalities: list[Inequality], evaluation: Evaluation) -> Number:
    """The probability that the inequalities hold; NotComputed where no draw is part of all of them."""
    found = system([one.variable for one in drawn], inequalities)
    bounds: Bounds = {}
    for first, second, form, _ in found.bounds:
        bounds[first, second] = min(form.constant, bounds.get((first, second), form.constant))
    noises = [_noise(one, scale, evaluation) for one, scale in zip(drawn, found.scales.values(), strict=True)]
    if _is_thin(bounds, noises):
        return ZERO
    pairs = [pair for pair in bounds if ORIGIN not in pair]
    centre = next((i for i in range(len(drawn)) if all(i in pair for pair in pairs)), None)
    if centre is None:
        raise NotComputed("conditions on normal draws are worked out only where one draw is part of all of them")
    leaves = tuple(_leaf(i, centre, noises[i], bounds) for i in range(len(drawn)) if i != centre)
    star = Star(noises[centre], *_range(centre, bounds), leaves)
    return Number({(Fraction(0), (), ((star, 1),)): Fraction(1)}, ONE)


def _is_thin(bounds: Bounds, noises: list[Noise]) -> bool:
    """Whether no open set is within the bounds, and in reach of the draws: bounds in a circle add up to at most 0."""
    shortest = dict(bounds)
    for i, noise in enumerate(noises):
        if noise.kind in SIDES:
            pair = (ORIGIN, i) if noise.kind == "exponential" else (i, ORIGIN)
            shortest[pair] = min(Fraction(0), bounds.get(pair, Fraction(0)))
    places = [ORIGIN, *range(len(noises))]
    for k, i, j in product(places, repeat=3):
        if (i, k) in shortest and (k, j) in shortest:
            through = shortest[i, k] + shortest[k, j]
            shortest[i, j] = min(through, shortest.get((i, j), through))
    return any(shortest.get((i, i), 1) <= 0 for i in places)


def _noise(one: Drawn, scale: Fraction, evaluation: Evaluation) -> Noise:
    """The distribution of the draw over its scale."""
    exactly = evaluation.number(one.parameters[0])
    if exactly.rational is None or sign(exactly) <= 0:
        raise NotComputed("the scale of a draw beside normal ones must be rational and > 0")
    size = exactly.rational / abs(scale)
    match one.family:
        case "gaussian" | "laplace":
            return Noise(one.family, size)
        case "exponential":
            return Noise("exponential" if scale > 0 else "minus exponential", size)
    raise NotComputed(f"draws of {one.family} are not compared with normal ones")


def _leaf(i: int, centre: int, noise: Noise, bounds: Bounds) -> Leaf:
    """The draw of that number with its bounds."""
    above, below = bounds.get((i, centre)), bounds.get((centre, i))
    return Leaf(noise, None if below is None else -below, above, *_range(i, bounds))


def _range(i: int, bounds: Bounds) -> tuple[Limit, Limit]:
    """What bounds a draw alone."""
    below = bounds.get((ORIGIN, i))
    return None if below is None else -below, bounds.get((i, ORIGIN))
