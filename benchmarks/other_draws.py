"""What else is timed: scales that come once or differ by element, randomised response, the exponential mechanism."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from importlib import util
from random import Random
from typing import Any

from benchmarks.noises import OPENDP, THIS, Job, opendp, reference

CANDIDATES = (100, 10_000, 1_000_000)
RATE = Fraction(1, 10)
ONCE = 1000
"""The scale that comes once."""
Case = tuple[str, dict[str, Job]]


def others(most: int) -> Iterator[Case]:
    """What is drawn, and by whom; no more than `most` draws or candidates."""
    peers = util.find_spec("opendp") is not None
    for law in ("laplace", "gaussian"):
        yield f"{law}, a scale that comes once, one by one", once(law, peers)
        for n in (100, 10_000):
            found = {THIS: per_element(law, n, same=True)} | ({OPENDP: opendp(law, ONCE, n)} if peers else {})
            yield f"{law}, a scale that comes once, {n} at a time", found
    n = min(most, 100_000)
    each = {THIS: per_element("laplace", n, same=False)} | ({OPENDP: built("laplace", 50)} if peers else {})
    yield f"laplace, {n} scales", each
    n = min(most, 1_000_000)
    yield f"randomised response, 4 values, {n}", {THIS: response(n)} | ({OPENDP: opendp_response()} if peers else {})
    for n in (size for size in CANDIDATES if size <= most):
        yield f"exponential mechanism, {n} candidates", selection(n, peers)


def once(law: str, peers: bool) -> dict[str, Job]:
    """A draw without a table, from flips; OpenDP's measurement is made each time, too."""
    return {THIS: reference(law, ONCE, 100)} | ({OPENDP: built(law, 50)} if peers else {})


def built(law: str, n: int) -> Job:
    """OpenDP's measurements, each made and called."""
    return Job(lambda: [opendp(law, ONCE + i, 1).run() for i in range(n)], n)


def per_element(law: str, n: int, *, same: bool) -> Job:
    """The one exponential table for every scale, which is made before."""
    import numpy as np

    from refdp.sampling.bulk.exponential import PerElement, Scales

    numerators = np.full(n, ONCE) if same else np.arange(1, n + 1)
    scales, draw = Scales(numerators, np.ones_like(numerators)), getattr(PerElement(), law)
    return Job(lambda: draw(scales), n)


def response(n: int) -> Job:
    """Which of four values is reported, counted from the true one on: the truth with probability 3/4."""
    from refdp.sampling.bulk.lookup import bulk_lookup
    from refdp.sampling.lookup import Masses

    sampler = bulk_lookup(Masses((Fraction(3, 4), *[Fraction(1, 12)] * 3)))
    return Job(lambda: sampler.sample(n), n)


def opendp_response() -> Job:
    """OpenDP's reports one value a call."""
    import opendp.prelude as dp

    dp.enable_features("contrib")
    made = dp.m.make_randomized_response([0, 1, 2, 3], 0.75)
    return Job(lambda: [made(1) for _ in range(200)], 200)


def selection(n: int, peers: bool) -> dict[str, Job]:
    """One candidate of n, with scores below 1000."""
    import numpy as np

    from refdp.sampling.bulk.selection import selected

    random = Random(1)
    scores = [random.randrange(1000) for _ in range(n)]
    array = np.array(scores)
    return {THIS: Job(lambda: selected(array, RATE), 1)} | ({OPENDP: noisy_max(scores)} if peers else {})


def noisy_max(scores: list[int]) -> Job:
    """OpenDP's noisy max with Gumbel noise: the same law."""
    import opendp.prelude as dp

    dp.enable_features("contrib")
    space = dp.vector_domain(dp.atom_domain(T=dp.i64)), dp.linf_distance(T=dp.i64)
    made: Any = dp.m.make_noisy_max(*space, dp.zero_concentrated_divergence(), scale=float(1 / RATE))
    return Job(lambda: made(scores), 1)
