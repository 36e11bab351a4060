"""What is true of estimates, of linear maps of vectors, and of noise scaled to a bound: closed forms and quadratures.

Only the terms are the package's; what they mean is worked out here, in floats, at random values of their names.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from random import Random

import mpmath
import numpy as np

from refdp.terms.term import Term, names
from tests.forging.numbers import NEAR, Chosen, Truth, Unknown, number

POINTS = 12
"""At how many points of the names a claim is looked at."""
TRIED = 20_000
"""Of how many points those are taken at which its conditions hold."""
MOST_COORDINATES = 8
"""Of vectors of so many coordinates at most every way to change them is tried."""
WIDE = 80
"""As many scales from the centre densities are compared; what is farther out has less than e^-80."""


def truth(term: Term) -> tuple[Truth, str]:
    """Whether such a claim, or that it is false, is true; Unknown for all others."""
    refuted = term.operator == "refuted"
    claim = term.arguments[0] if refuted else term
    excess = excess_of(claim)
    points = [excess(point) for point in points_of(conditions_of(claim), POINTS if names(claim) else 1)]
    if not points:
        return "unknown", "no point at which it says something"
    fails = max(points) > NEAR
    if refuted and not fails:
        return "unknown", "no point is found where it fails"
    return ("true" if fails == refuted else "false"), f"closed forms at {len(points)} points"


Excess = Callable[[Mapping[str, float]], float]
"""By how much a claim is too strong at these values; at most 0 where it is true."""


def excess_of(claim: Term) -> Excess:
    """That of a claim of the families here."""
    if claim.operator == "frequency_estimate":
        return of_frequency(claim)
    if claim.operator == "stable":
        return of_linear_map(claim)
    if claim.operator == "private" and claim.arguments[2].operator == "smooth":
        return of_bound_noise(claim)
    if claim.operator == "private" and claim.arguments[0].operator == "chain":
        return of_noise_on_a_linear_map(claim)
    if claim.operator == "private" and claim.arguments[0].operator == "gaussian":
        return of_normal_noise(claim)
    if claim.operator == "private" and claim.arguments[0].operator == "rounds":
        return of_rounds(claim)
    raise Unknown(f"{claim.operator} of {claim.arguments[0].operator if claim.arguments else 'nothing'}")


def conditions_of(claim: Term) -> Sequence[Term]:
    """Under which it is said."""
    return claim.arguments[{"private": 4, "stable": 5, "frequency_estimate": 4}[claim.operator] :]


def points_of(conditions: Sequence[Term], count: int) -> Iterator[Mapping[str, float]]:
    """Values of the names at which the conditions hold, so many at most."""
    random, found = Random(str(conditions)), 0
    for _ in range(TRIED):
        point = Chosen(random)
        try:
            holds = all(number(one, point) for one in conditions)
        except ArithmeticError:
            continue
        if holds:
            yield point
            if (found := found + 1) >= count:
                return


# Estimates.


def blurred(p: float, q: float, f: float) -> tuple[float, float, float]:
    """How likely a bit is reported as 1 after permanent and instantaneous noise: of one that is 1, and of a 0."""
    return (1 - f / 2) * q + f / 2 * p, f / 2 * q + (1 - f / 2) * p, 1


REPORTS: Mapping[str, Callable[..., tuple[float, float, float]]] = {
    "symmetric_unary_encoding": lambda k, truth: (truth, 1 - truth, 1),
    "optimised_unary_encoding": lambda k, ratio: (1 / 2, 1 / (1 + ratio), 1),
    "permanent_response": lambda bits, f: blurred(0, 1, f),
    "rappor": lambda bits, f, p, q: blurred(p, q, f),
    "d_bit_flip": lambda k, d, truth: (truth, 1 - truth, d / k),
    "one_bit_flip": lambda k, truth: (truth, 1 - truth, 1 / k),
    "subset_selection": lambda k, d, truth: (truth, (truth * (d - 1) + (1 - truth) * d) / (k - 1), 1),
    "hadamard_response": lambda k, truth: (truth, 1 / 2, 1),
    "hadamard_entry_response": lambda k, truth: (truth, 1 / 2, 1),
    "k_ary_randomised_response": lambda k, truth: (truth, (1 - truth) / (k - 1), 1),
}
"""Randomiser -> how likely a report says yes where the input has the value, where not, and how likely it is asked."""


def of_frequency(claim: Term) -> Excess:
    """How far mean and variance of an estimate are from what is said."""
    subject, own, other, variance = claim.arguments[:4]
    if subject.operator not in REPORTS:
        raise Unknown(f"reports of {subject.operator}")

    def excess(point: Mapping[str, float]) -> float:
        having, n = point["having"], point["n"]
        yes, no, asked = REPORTS[subject.operator](*(number(one, point) for one in subject.arguments))
        first, second = number(own, point), number(other, point)
        size = asked * (first - second)
        mean = spread = 0.0
        for count, p in ((having, yes), (n - having, no)):
            centre = asked * (p - second) / size
            mean += count * centre
            square = asked * (p * (1 - second) ** 2 + (1 - p) * second**2) / size**2
            spread += count * (square - centre**2)
        said = number(variance, point)
        return max(abs(mean - having), abs(spread - said) / max(1, abs(said))) - NEAR

    return excess


# Linear maps of vectors.


def matrix_of(subject: Term) -> np.ndarray:
    """The matrix that a map multiplies by."""
    if subject.operator not in ("linear", "toeplitz") or len(subject.arguments) != 1:
        raise Unknown(f"a map {subject.operator}")
    listed = subject.arguments[0].arguments
    if subject.operator == "linear":
        return np.array([[float(one.rational) for one in row.arguments] for row in listed])
    column = [float(one.rational) for one in listed]
    return np.array([[column[i - j] if j <= i else 0.0 for j in range(len(column))] for i in range(len(column))])


def may_differ(near: str, places: Sequence[int], width: int) -> bool:
    """Whether two vectors whose entries differ in just these places may be neighbours."""
    if near in ("one_coordinate", "l1"):  # greatest at one place: a distance is convex in how the change is spread
        return len(places) == 1
    if near == "linf":
        return True
    word, *counts = near.split("_")
    match word, [int(one) for one in counts]:
        case "window", [long]:
            return places[-1] - places[0] < long
        case "apart", [most, gap]:
            return len(places) <= most and all(b - a >= gap for a, b in pairwise(places))
        case "spaced", [most, gap]:
            return all((b - places[0]) % gap == 0 and b - places[0] < most * gap for b in places)
    raise Unknown(f"neighbours {near}")


def greatest_move(matrix: np.ndarray, near: str, norm: str) -> float:
    """How far the image moves in a norm, at most, where entries of the vector move by 1."""
    width = matrix.shape[1]
    if near == "l2":
        if norm != "l2":
            raise Unknown(f"from l2 to {norm}")
        return float(np.linalg.norm(matrix, 2))
    if width > MOST_COORDINATES or norm not in ("l1", "l2"):
        raise Unknown(f"{width} coordinates, in {norm}")
    greatest = 0.0
    for count in range(1, width + 1):
        signs = np.array(np.meshgrid(*[[-1.0, 1.0]] * count)).reshape(count, -1)
        for places in combinations(range(width), count):
            if may_differ(near, places, width):
                images = matrix[:, places] @ signs
                sizes = np.abs(images).sum(0) if norm == "l1" else np.sqrt((images**2).sum(0))
                greatest = max(greatest, float(sizes.max()))
    return greatest


def of_linear_map(claim: Term) -> Excess:
    """How much farther than is said the images are, or 1 where they are no such vectors."""
    subject, inputs, near, outputs, far = claim.arguments[:5]
    matrix = matrix_of(subject)
    move = greatest_move(matrix, near.operator, far.operator)

    def excess(point: Mapping[str, float]) -> float:
        if not are_members(matrix, inputs, outputs, point):
            return 1.0
        return number(near.arguments[0], point) * move - number(far.arguments[0], point) - NEAR

    return excess


def are_members(matrix: np.ndarray, inputs: Term, outputs: Term, point: Mapping[str, float]) -> bool:
    """Whether the images of vectors of these inputs are vectors of these outputs."""
    if inputs.operator != "vector" or outputs.operator != "vector":
        raise Unknown(f"from {inputs} to {outputs}")
    sides = tuple(number(one.arguments[1], point) for one in (outputs, inputs))
    if sides != matrix.shape:
        return False
    here, there = inputs.arguments[0], outputs.arguments[0]
    if there.operator == "reals" and here.operator in ("reals", "grid"):
        return True
    if (here.operator, there.operator) != ("grid", "grid"):
        raise Unknown(f"entries of {here} and of {there}")
    ratio = number(here.arguments[0], point) / number(there.arguments[0], point)
    steps = matrix * ratio
    return bool(np.all(np.abs(steps - np.round(steps)) < 1e-6))


NOISE: Mapping[tuple[str, str], tuple[str, Callable[[float, float], float]]] = {
    ("discrete_laplace", "pure"): ("l1", lambda move, scale: move / scale),
    ("laplace", "pure"): ("l1", lambda move, scale: move / scale),
    ("discrete_gaussian", "concentrated"): ("l2", lambda move, scale: move**2 / (2 * scale**2)),
    ("gaussian", "concentrated"): ("l2", lambda move, scale: move**2 / (2 * scale**2)),
    ("gaussian", "gaussian"): ("l2", lambda move, scale: move**2 / scale**2),
}
"""(Noise, measure) -> the norm in which it counts how far a vector moves, and the loss."""


def of_noise_on_a_linear_map(claim: Term) -> Excess:
    """How much more than is said the loss is of a linear map with equal noise on each entry."""
    subject, inputs, near, far = claim.arguments[:4]
    mapped, noisy = subject.arguments
    if noisy.operator != "coordinatewise" or (noisy.arguments[0].operator, far.operator) not in NOISE:
        raise Unknown(f"{noisy} under {far.operator}")
    noise, matrix = noisy.arguments[0], matrix_of(mapped)
    norm, loss = NOISE[noise.operator, far.operator]
    move = greatest_move(matrix, near.operator, norm)

    def excess(point: Mapping[str, float]) -> float:
        kind = (inputs.arguments[0].operator, *noise.arguments[1:]) if inputs.operator == "vector" else ()
        if not kind or kind[0] not in ("grid", "reals") or number(inputs.arguments[1], point) != matrix.shape[1]:
            raise Unknown(f"inputs {inputs}")
        if number(noisy.arguments[1], point) != matrix.shape[0]:
            return 1.0
        if len(kind) > 1:  # noise on a grid hides only what is on it
            step = number(inputs.arguments[0].arguments[0], point) if inputs.arguments[0].arguments else 0.0
            steps = matrix * step / number(kind[1], point)
            if step == 0 or not np.all(np.abs(steps - np.round(steps)) < 1e-6):
                return 1.0
        apart = number(near.arguments[0], point)
        return loss(apart * move, number(noise.arguments[0], point)) - number(far.arguments[0], point) - NEAR

    return excess


# Normal noise, and rounds of stated loss.


def of_normal_noise(claim: Term) -> Excess:
    """How much more than is said the delta is of normal noise on one number."""
    subject, domain, near, far = claim.arguments[:4]
    if (domain.operator, near.operator, far.operator) != ("reals", "absolute", "approximate"):
        raise Unknown(f"{domain}, {near} and {far}")
    if names(claim):
        raise Unknown("a claim about more than one scale")

    def excess(point: Mapping[str, float]) -> float:
        with mpmath.workdps(40):
            sigma, apart, epsilon, delta = (
                mpmath.mpf(one.rational.numerator) / one.rational.denominator
                for one in (subject.arguments[0], near.arguments[0], *far.arguments)
            )
            if apart == 0:
                return float(delta < 0)
            shift = apart / sigma
            first, second = (mpmath.ncdf(shift / 2 * sign - epsilon / shift) for sign in (1, -1))
            return float(first - mpmath.exp(epsilon) * second > delta)

    return excess


def of_rounds(claim: Term) -> Excess:
    """How much less is said than the losses of the rounds add up to."""
    subject, _, _, far = claim.arguments[:4]
    rounds = subject.arguments
    if (
        not rounds
        or far.operator not in ("pure", "approximate", "concentrated")
        or any(one.operator != far.operator for one in rounds)
    ):
        raise Unknown(f"{subject} under {far.operator}")

    def excess(point: Mapping[str, float]) -> float:
        sums = [sum(number(one.arguments[i], point) for one in rounds) for i in range(len(far.arguments))]
        return max(a - number(b, point) for a, b in zip(sums, far.arguments, strict=True)) - NEAR

    return excess


# Noise scaled to a bound.


def log_density(noise: str, z: np.ndarray, degrees: float) -> np.ndarray:
    """That of the noise of scale 1, but for a constant that two of them share."""
    match noise:
        case "laplace":
            return -np.abs(z)
        case "gaussian":
            return -(z**2) / 2
    return -(degrees + 1) / 2 * np.log1p(z**2 / degrees)


CONSTANT: Mapping[str, Callable[[float], float]] = {
    "laplace": lambda degrees: math.log(2),
    "gaussian": lambda degrees: math.log(2 * math.pi) / 2,
    "cauchy": lambda degrees: math.log(math.pi),
    "student": lambda degrees: (math.lgamma(degrees / 2) - math.lgamma((degrees + 1) / 2)
                                + math.log(degrees * math.pi) / 2),
}  # fmt: skip
"""Noise -> the logarithm of the integral of what `log_density` is the logarithm of."""


def of_bound_noise(claim: Term) -> Excess:
    """How much more than is said the loss or the delta is of noise scaled to a bound that may grow by a factor."""
    subject, domain, near, far = claim.arguments[:4]
    noise = subject.operator.removeprefix("rounded_").removeprefix("scaled_")
    if noise not in CONSTANT or far.operator not in ("pure", "approximate"):
        raise Unknown(f"{subject.operator} under {far.operator}")
    if str(domain) != "record(field(0, reals()), field(1, above(reals(), 0)))":
        raise Unknown(f"the domain {domain}")

    def excess(point: Mapping[str, float]) -> float:
        scale, growth = number(subject.arguments[0], point), number(near.arguments[0], point)
        degrees = number(subject.arguments[1], point) if noise == "student" else 1.0
        said = [number(one, point) for one in far.arguments]
        return max(
            too_much(noise, degrees, scale, width, shift * min(1, width), said)
            for width in {1.0, growth, 1 / growth}
            for shift in (0.0, 1.0)
        )

    return excess


def too_much(noise: str, degrees: float, scale: float, width: float, shift: float, said: Sequence[float]) -> float:
    """How much more the loss or the delta is of noise around 0 against wider noise around a shift, either first."""
    reach = WIDE * scale * max(1, width)
    far = np.geomspace(reach, reach * 1e6, 200)
    x = np.concatenate([-far[:0:-1], np.linspace(-reach, reach, 100_001), far[1:]])
    constant = CONSTANT[noise](degrees)
    p = log_density(noise, x / scale, degrees) - constant - math.log(scale)
    q = log_density(noise, (x - shift) / (scale * width), degrees) - constant - math.log(scale * width)
    if len(said) == 1:
        return float(np.max(np.abs(p - q))) - said[0] - NEAR
    over = [np.maximum(np.exp(a) - np.exp(said[0] + b), 0) for a, b in ((p, q), (q, p))]
    deltas = [float(np.trapezoid(one, x)) for one in over]
    return max(deltas) - said[1] * (1 + 1e-4) - 1e-12
