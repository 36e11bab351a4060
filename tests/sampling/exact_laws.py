"""The law of each scalar sampler, layer by layer, against its formula: `python -m tests.sampling.exact_laws`.

A row runs the sampler's own code; calls of the layer below branch by their stated laws (`tests.sampling.layers`).  The
formula is enclosed by mpmath.
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction as F
from itertools import permutations
from math import ceil, factorial, prod
from random import Random
from typing import Any

import refdp.mechanisms  # noqa: F401  (importing it registers the samplers)
from refdp.sampling.coins import Coins
from refdp.sampling.schemes import draw
from refdp.sampling.tree import PartialLaw
from refdp.terms.reading import read
from tests.sampling.laws import Enclosure, exp_minus, geometric, is_law, proportional, truth_with
from tests.sampling.layers import DEFAULT_CUT, law_by_calls

Pmf = Callable[[Hashable], Enclosure]
FLIPS, DIGITS, UNITS = ("flip",), ("_is_below",), ("_bernoulli_exp_to_one",)
EXPONENTIALS = ("uniform", "_bernoulli_exp_to_one")
NOISE = ("geometric_exp", "bernoulli")
CHOICES = ("uniform", "bernoulli", "bernoulli_exp")
CALLS = {"_is_below": "bernoulli", "_bernoulli_exp_to_one": "bernoulli_exp"}
"""What the calls of a shorter name inside `Coins` are."""
NEVER: Enclosure = (F(0), F(0))


@dataclass(frozen=True)
class Instance:
    """A sampler at some parameters, the calls that branch, and the formula of its law."""

    sampler: str
    parameters: str
    answered: Collection[str]
    run: Callable[[Coins], Any]
    pmf: Pmf

    def law(self, cut: int = DEFAULT_CUT) -> PartialLaw[Any]:
        """What the walk gives."""
        return law_by_calls(self.run, self.answered, cut)

    def agrees(self, law: PartialLaw[Any], least: F = F(1, 2**30)) -> bool:
        """Whether the formula lies within the walk's bounds, which leave at most `least` open."""
        return is_law(law, self.pmf) and law.unresolved <= least


def listed(law: Mapping[Hashable, Enclosure]) -> Pmf:
    """A finite law."""
    return lambda outcome: law.get(outcome, NEVER)


def uniform(n: int) -> Instance:
    """Uniform below n, on flips."""
    return Instance(
        "uniform", f"n = {n}", FLIPS, lambda c: c.uniform(n), listed(dict.fromkeys(range(n), (F(1, n),) * 2))
    )


def bernoulli(p: F) -> Instance:
    """Bernoulli, on flips."""
    return Instance("bernoulli", f"p = {p}", FLIPS, lambda c: c.bernoulli(p), truth_with((p, p)))


def bernoulli_exp_to_one(gamma: F) -> Instance:
    """Bernoulli(e^-gamma) with gamma <= 1, on Bernoulli."""
    law = truth_with(exp_minus(gamma))
    return Instance("bernoulli_exp", f"gamma = {gamma}", DIGITS, lambda c: c._bernoulli_exp_to_one(gamma), law)


def bernoulli_exp(gamma: F) -> Instance:
    """Bernoulli(e^-gamma), on those with gamma <= 1."""
    law = truth_with(exp_minus(gamma))
    return Instance("bernoulli_exp", f"gamma = {gamma}", UNITS, lambda c: c.bernoulli_exp(gamma), law)


def geometric_exp(gamma: F) -> Instance:
    """Geometric, on uniform and Bernoulli(e^-gamma)."""
    return Instance(
        "geometric_exp", f"gamma = {gamma}", EXPONENTIALS, lambda c: c.geometric_exp(gamma), geometric(gamma)
    )


def permutation(n: int) -> Instance:
    """A random order, on uniform."""
    law = dict.fromkeys(permutations(range(n)), (F(1, factorial(n)),) * 2)
    return Instance("permutation", f"n = {n}", ("uniform",), lambda c: c.permutation(n), listed(law))


def mechanism(stem: str, arguments: Sequence[F], x: Any, answered: Collection[str], pmf: Pmf) -> Instance:
    """A registered mechanism at the input x."""
    subject, at = read(f"{stem}({', '.join(map(str, arguments))})"), x if isinstance(x, F) else list(map(str, x))
    said = f"{', '.join(map(str, arguments))} at {at}"
    return Instance(stem, said, answered, lambda c: draw(subject, x, c), pmf)


def laplace_mass(rate: F, k: int) -> Enclosure:
    """(1 - r) / (1 + r) r^|k| with r = e^-rate."""
    (low, high), (now_low, now_high) = exp_minus(rate), exp_minus(rate * abs(k))
    return now_low * (1 - high) / (1 + high), now_high * (1 - low) / (1 + low)


def discrete_laplace(scale: F, step: F, x: F) -> Instance:
    """On geometric and a fair sign."""

    def pmf(y: Hashable) -> Enclosure:
        k = (F(y) - x) / step
        return laplace_mass(step / scale, int(k)) if k.denominator == 1 else NEVER

    return mechanism("discrete_laplace", (scale, step), x, NOISE, pmf)


def discrete_gaussian(sigma: F, step: F, x: F) -> Instance:
    """On the discrete Laplace, which is walked inside, and Bernoulli(e^-gamma)."""
    far = ceil(14 * sigma / step) + 2
    law = proportional(lambda k: (k * step / sigma) ** 2 / 2, range(-far, far + 1))

    def pmf(y: Hashable) -> Enclosure:
        k = (F(y) - x) / step
        return law(int(k)) if k.denominator == 1 else NEVER

    return mechanism("discrete_gaussian", (sigma, step), x, (*NOISE, "bernoulli_exp"), pmf)


def truncated_geometric(scale: F, step: F, ends: tuple[int, int], k: int) -> Instance:
    """The discrete Laplace, clamped; ends and input in steps."""
    lower, upper = ends
    low, high = exp_minus(step / scale)
    law = {F(j) * step: laplace_mass(step / scale, j - k) for j in range(lower + 1, upper)}
    for end in ends:  # the tail r^m + r^(m + 1) + ... of the masses is r^m / (1 + r)
        least, most = exp_minus(abs(end - k) * step / scale)
        law[F(end) * step] = (least / (1 + high), most / (1 + low))
    arguments = (scale, step, lower * step, upper * step)
    return mechanism("truncated_geometric", arguments, k * step, NOISE, listed(law))


def response(k: int, truth: F, x: int) -> Instance:
    """Randomised response among k values, on Bernoulli and uniform."""
    law = {F(y): ((1 - truth) / (k - 1),) * 2 for y in range(k)} | {F(x): (truth, truth)}
    stem, arguments = ("randomised_response", (truth,)) if k == 2 else ("k_ary_randomised_response", (F(k), truth))
    return mechanism(stem, arguments, F(x), CHOICES, listed(law))


def exponential(scale: F, scores: tuple[F, ...], stem: str = "exponential") -> Instance:
    """The exponential mechanism, on uniform and Bernoulli(e^-gamma); a noisy maximum is as well."""
    law = proportional(lambda i: (max(scores) - scores[i]) / scale, range(len(scores)))
    return mechanism(stem, (scale,), scores, CHOICES, lambda i: law(int(F(i))))


def permute_and_flip(scale: F, scores: tuple[F, ...], stem: str = "permute_and_flip") -> Instance:
    """The first in random order whose flip comes up, on uniform and Bernoulli(e^-gamma); a noisy maximum is as well."""
    chances = [exp_minus((max(scores) - s) / scale) for s in scores]
    law = {}
    for i, (low, high) in enumerate(chances):
        others = [[chances[j] for j in order[: order.index(i)]] for order in permutations(range(len(scores)))]
        least = sum((prod((1 - p[1] for p in before), start=low) for before in others), F(0))
        most = sum((prod((1 - p[0] for p in before), start=high) for before in others), F(0))
        law[F(i)] = (least / len(others), most / len(others))
    return mechanism(stem, (scale,), scores, CHOICES, listed(law))


def shown() -> tuple[Instance, ...]:
    """The rows of the table."""
    scores = (F(0), F(1), F(5, 2), F(3))
    return (
        *map(uniform, (3, 10, 100)),
        *map(bernoulli, (F(1, 3), F(999, 1000))),
        *map(bernoulli_exp_to_one, (F(1, 3), F(1))),
        *map(bernoulli_exp, (F(7, 2), F(40))),
        *map(geometric_exp, (F(1), F(3, 7), F(1, 100), F(9, 2))),
        permutation(5),
        *(discrete_laplace(scale, F(1), F(0)) for scale in (F(1, 3), F(1), F(10))),
        *(discrete_gaussian(sigma, F(1), F(0)) for sigma in (F(1, 2), F(2), F(10))),
        truncated_geometric(F(2), F(1), (0, 5), 2),
        response(2, F(3, 4), 1),
        response(5, F(1, 2), 3),
        exponential(F(1), scores),
        permute_and_flip(F(1), scores),
        exponential(F(2), scores, "gumbel_noisy_max"),
        permute_and_flip(F(2), scores, "exponential_noisy_max"),
    )


def small(chance: Random) -> Iterator[Instance]:
    """One instance of each sampler with small random parameters, without end."""

    def fraction(most: int = 4) -> F:
        return F(chance.randint(1, most), chance.randint(1, 4))

    while True:
        step, truth = fraction(2), F(chance.randint(1, 15), 16)
        scores = tuple(F(chance.randint(0, 6), 2) for _ in range(chance.randint(1, 4)))
        yield uniform(chance.randint(1, 12))
        yield bernoulli(F(chance.randint(0, 12), 12))
        yield bernoulli_exp_to_one(F(chance.randint(0, 12), 12))
        yield bernoulli_exp(fraction(9) * chance.randint(0, 2))
        yield geometric_exp(fraction())
        yield permutation(chance.randint(1, 4))
        yield discrete_laplace(fraction(), step, step * chance.randint(-3, 3))
        yield discrete_gaussian(fraction(3), step, step * chance.randint(-3, 3))
        yield truncated_geometric(fraction(), step, (-1, chance.randint(1, 3)), chance.randint(-1, 1))
        yield response(2, max(truth, 1 - truth), chance.randint(0, 1))
        k = chance.randint(2, 5)
        yield response(k, F(1, k) + (1 - F(1, k)) * (1 - truth), chance.randint(0, k - 1))
        yield exponential(fraction(), scores)
        yield permute_and_flip(fraction(), scores)
        yield exponential(fraction(), scores, "gumbel_noisy_max")
        yield permute_and_flip(fraction(), scores, "exponential_noisy_max")


def table(rows: Iterable[Instance]) -> str:
    """Sampler, parameters, calls that branch, outcomes found, what is open, the worst gap to the formula, agreement."""
    lines = [
        "| sampler | parameters | calls that branch | outcomes | unresolved | worst gap | agrees |",
        "|---|---|---|--:|--:|--:|---|",
    ]
    for row in rows:
        law = row.law()
        gap = max(row.pmf(outcome)[1] - mass for outcome, mass in law.masses.items())
        calls = ", ".join(CALLS.get(name, name) for name in row.answered)
        yes = "yes" if row.agrees(law) else "NO"
        cells = (row.sampler, row.parameters, calls, len(law.masses), f"{float(law.unresolved):.1e}")
        lines.append(f"| {' | '.join(map(str, cells))} | {float(gap):.1e} | {yes} |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(table(shown()))
