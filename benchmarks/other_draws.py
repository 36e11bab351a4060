"""What else is timed: scales that come once or differ by element, randomised response, selections, pipelines, files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import util
from itertools import count
from random import Random
from typing import Any

from benchmarks.noises import FLOATS, OPENDP, THIS, Job, floats, in_place, measurement, opendp

CANDIDATES = (100, 10_000, 100_000, 1_000_000)
SCALE = 10
ONCE = 1000
"""Scales that come once begin here."""
LARGE = 2**57
"""A scale that has no table of its own."""
Case = tuple[str, dict[str, Job]]


def others(most: int) -> Iterator[Case]:
    """What is drawn, and by whom; no more than `most` draws, rows or candidates."""
    peers = util.find_spec("opendp") is not None
    n = min(most, 1_000_000)
    for law in ("laplace", "gaussian"):
        yield f"{law}, a scale that comes once: made, and called once", once(law, peers)
        yield f"{law}, a scale that was made, first 2,000 calls", {THIS: first_draws(law)}
        for size in (100, 10_000):
            yield f"{law}, a scale that comes once, an array of {size}", once_each(law, size, peers)
        yield f"{law} of scale {SCALE}, {n} in place", {THIS: in_place(law, SCALE, n), FLOATS: floats(law, SCALE, n)}
        yield f"{law} of scale 2^57, one call", {THIS: beyond(law)}
        few = min(most, 100_000)
        found = {THIS: per_element(law, few)} | ({OPENDP: built(law, 50)} if peers else {})
        yield f"{law}, {few} scales, one for each element", found
    yield f"randomised response, 4 values, {n}", {THIS: response(n)} | ({OPENDP: opendp_response()} if peers else {})
    for size in (size for size in CANDIDATES if size <= most):
        yield f"exponential mechanism, {size} candidates", selection("exponential", size, peers)
        yield f"permute and flip, {size} candidates", selection("permute_and_flip", size, peers)
    for size in (size for size in (10_000, 1_000_000) if size <= most):
        yield f"clamped sum and Laplace noise, {size} rows", pipeline(size, peers)
        yield f"histogram of 100 and Laplace noise, {size} rows", {THIS: counts(size)}


def fresh() -> Callable[[], int]:
    """A scale that nobody has asked for."""
    scales = count(ONCE)
    return lambda: next(scales)


def once(law: str, peers: bool) -> dict[str, Job]:
    """A measurement is made, and called once."""
    scale = fresh()
    found = {THIS: Job(lambda: [measurement(law, scale())(0) for _ in range(50)], 50)}
    return found | ({OPENDP: built(law, 50)} if peers else {})


def built(law: str, n: int) -> Job:
    """OpenDP's measurements, each made and called."""
    scale = fresh()
    return Job(lambda: [opendp(law, scale(), 1).run() for _ in range(n)], n)


def first_draws(law: str) -> Job:
    """The calls before a table is made."""
    scale = fresh()

    def run() -> None:
        made = measurement(law, scale())
        for _ in range(1999):
            made(0)

    return Job(run, 1999)


def once_each(law: str, n: int, peers: bool) -> dict[str, Job]:
    """An array of draws at a new scale."""
    import numpy as np

    scale, zeros = fresh(), np.zeros(n, np.int64)
    found = {THIS: Job(lambda: measurement(law, scale()).each(zeros), n)}
    return found | ({OPENDP: Job(lambda: opendp(law, scale(), n).run(), n)} if peers and n <= 10_000 else {})


def beyond(law: str) -> Job:
    """One call."""
    made = measurement(law, LARGE)
    return Job(lambda: made(0), 1)


def per_element(law: str, n: int) -> Job:
    """`M.each(xs, scales)`."""
    import numpy as np

    made, zeros, scales = measurement(law, 1), np.zeros(n, np.int64), np.arange(1, n + 1)
    return Job(lambda: made.each(zeros, scales), n)


def response(n: int) -> Job:
    """Which of four values is reported of the first."""
    import numpy as np

    import refdp

    made, zeros = refdp.k_ary_randomised_response(4, "3/4"), np.zeros(n, np.int64)
    return Job(lambda: made.each(zeros), n)


def opendp_response() -> Job:
    """OpenDP's reports one value a call."""
    import opendp.prelude as dp

    dp.enable_features("contrib")
    made = dp.m.make_randomized_response([0, 1, 2, 3], 0.75)
    return Job(lambda: [made(1) for _ in range(200)], 200)


def selection(name: str, n: int, peers: bool) -> dict[str, Job]:
    """One candidate of n, with scores below 1000."""
    import numpy as np

    import refdp

    random = Random(1)
    scores = [random.randrange(1000) for _ in range(n)]
    array, made = np.array(scores), getattr(refdp, name)(SCALE)
    return {THIS: Job(lambda: made(array), 1)} | ({OPENDP: noisy_max(name, scores)} if peers else {})


def noisy_max(name: str, scores: list[int]) -> Job:
    """OpenDP's noisy max: Gumbel noise has the law of the exponential mechanism, exponential noise the other law."""
    import opendp.prelude as dp

    dp.enable_features("contrib")
    space = dp.vector_domain(dp.atom_domain(T=dp.i64)), dp.linf_distance(T=dp.i64)
    measure = dp.zero_concentrated_divergence() if name == "exponential" else dp.max_divergence()
    made: Any = dp.m.make_noisy_max(*space, measure, scale=float(SCALE))
    return Job(lambda: made(scores), 1)


def pipeline(n: int, peers: bool) -> dict[str, Job]:
    """A table's clamped sum, with noise."""
    import numpy as np

    import refdp

    random = Random(2)
    rows = [random.randrange(-50, 150) for _ in range(n)]
    array, made = np.array(rows), refdp.clamped_sum(0, 100) >> refdp.discrete_laplace(100)
    found = {THIS: Job(lambda: made(array), 1)}
    if peers:
        import opendp.prelude as dp

        dp.enable_features("contrib")
        space = dp.vector_domain(dp.atom_domain(T=dp.i64)), dp.symmetric_distance()
        theirs: Any = space >> dp.t.then_clamp((0, 100)) >> dp.t.then_sum() >> dp.m.then_laplace(100.0)
        found[OPENDP] = Job(lambda: theirs(rows), 1)
    return found


def counts(n: int) -> Job:
    """A histogram, with noise on each count."""
    import numpy as np

    import refdp

    array, made = np.arange(n) % 100, refdp.histogram(100) >> refdp.discrete_laplace(2, dimension=100)
    return Job(lambda: made(array), 1)
