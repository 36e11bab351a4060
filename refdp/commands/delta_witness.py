"""The exact delta that refutes a claim of approximate DP, enclosed."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from refdp.kernel.judgements import Private
from refdp.kernel.reading import relation
from refdp.kernel.theorem import Theorem
from refdp.numerics.exact import enclose
from refdp.numerics.intervals import Interval
from refdp.numerics.lattice import grid_delta
from refdp.spec import registry
from refdp.spec.noise import AdditiveNoise, deviation_of, exact_delta
from refdp.terms.evaluation import evaluate
from refdp.terms.reading import read
from refdp.terms.term import Term, number, substitute

RULES = ("normal_noise_exceeds", "grid_noise_exceeds")
"""The rules whose witness is an exact delta."""
BITS = 160
"""Binary digits with which deltas are enclosed."""


def delta_sentences(step: Theorem) -> Iterator[str]:
    """The delta at the greatest distance, and the smaller one that is claimed."""
    claim, noise = claim_of(step)
    limit = (*claim.d_out, number(0))[1]
    found = digits(delta_of(claim, noise))
    yield f"inputs {farthest(claim, noise)} apart are within {claim.metric} distance {claim.d_in}"
    yield f"but their exact delta at epsilon = {claim.d_out[0]} is in {found}, more than {limit}"


def digits(x: Interval, most: int = 12) -> str:
    """The enclosure with ends of at most so many significant digits, of a number in (0, 1)."""
    places = most
    while x.lower * 10 ** (places - most + 1) < 1 and places < 400:
        places += 1
    ends = (x.lower * 10**places // 1, -(-x.upper * 10**places // 1))
    return f"[{', '.join(f'0.{end:0{places}d}' for end in ends)}]"


def claim_of(step: Theorem) -> tuple[Private, AdditiveNoise]:
    """The false claim, and the noise that it is about."""
    claim = relation(read(step.data["claim"]))
    if not isinstance(claim, Private):
        raise ValueError(f"claim must be about privacy, got {claim.term}")
    return claim, registry.lookup(claim.subject.operator, AdditiveNoise)


def deviation(claim: Private, noise: AdditiveNoise) -> Term:
    """The standard deviation of normal noise."""
    return substitute(deviation_of(noise).at(), registry.bound(noise, claim.subject))


def farthest(claim: Private, noise: AdditiveNoise) -> Term:
    """The greatest distance of two inputs within d_in."""
    if not noise.on_grid:
        return claim.d_in
    step = registry.values(noise, claim.subject)["granularity"]
    return number(Fraction(evaluate(claim.d_in, {})) // step * step)


def delta_of(claim: Private, noise: AdditiveNoise) -> Interval:
    """The exact delta of two inputs as far apart as they may be."""
    if not noise.on_grid:
        return enclose(exact_delta(deviation(claim, noise), claim.d_in, claim.d_out[0]), BITS)
    values = registry.values(noise, claim.subject)
    steps = farthest(claim, noise).rational / values["granularity"]
    return grid_delta(noise, values, int(steps), claim.d_out[0], BITS)
