"""How many samples wrong programs need at alpha = 10^-9: `python -m tests.auditing.power [RUNS]` prints a table.

All is asked through the judges that campaigns use, in this process, from fixed streams.  Numbers count up to the look
at which the claim was refuted; pairs of runs are counted without the training part, 2,048 runs a side.  The last column
repeats what was measured before this package had a judge (five runs each, or a median).
"""

import sys
from fractions import Fraction as F
from random import Random
from statistics import median
from time import process_time

from refdp.verdicts import REFUTED
from tests.auditing.evidence.samplers import biased, cut, doubled_zero, right
from tests.auditing.judges.running import driven, laplace, law_judge, privacy_judge

SCALE = 22
TOPS, BOTTOMS = [1] * 5 + [0] * 5, [0] * 5 + [1] * 5
WRONG = {
    "scale x 0.9": (lambda s: right(F(SCALE * 9, 10), s), "2,600 to 6,200"),
    "scale x 0.95": (lambda s: right(F(SCALE * 19, 20), s), "17,000 to 28,000"),
    "scale x 0.98": (lambda s: right(F(SCALE * 49, 50), s), "81,000 to 189,000"),
    "P[0] doubled": (lambda s: doubled_zero(SCALE, s), "1,600 to 3,900"),
    "sign bias of 5%": (lambda s: biased(SCALE, s), "67,000 to 172,000"),
    "tail cut at 5 scales": (lambda s: cut(SCALE, s), "34,000 to 69,000"),
}
"""Wrong samplers of the discrete Laplace law, and the draws that were needed elsewhere."""
ONE = {"pairs": [[0.0, 1.0]], "claim": {"input": "absolute", "d_in": 1, "epsilon": "1"}, "views": ["output"]}
LAWS = [{"name": "laplace", "scale": "1", "location": x} for x in (0, 1)]


def needed(found) -> int:
    """The samples at the first look at which the claim was refuted."""
    if found.verdict != REFUTED:
        raise RuntimeError(f"a wrong mechanism must be refuted, got {found.sentence}")
    wealth = found.evidence.wealth
    return next(n for n, log10 in zip(wealth.samples, wealth.log10, strict=True) if log10 > wealth.threshold)


def draws(make, seed: int) -> int:
    """Draws until a wrong sampler was refuted."""
    draw = make(seed)
    law = {"name": "discrete_laplace", "scale": str(SCALE)}
    return needed(driven(law_judge(lambda x, n: draw(n), law=law, samples=10**6, stop="samples")))


def half_laplace(seed: int, **more) -> int:
    """Pairs until Laplace noise of half the scale was refuted."""
    return needed(driven(privacy_judge(laplace(seed, 0.5), batched=True, samples=20_000, **ONE, **more)))


def chen(seed: int):
    """Sparse vector after Chen et al. (Algorithm 6 of Lyu, Su and Li 2017), epsilon = 1: f(x, n)."""
    random = Random(seed)

    def noise() -> float:
        return 2 * (random.expovariate(1) - random.expovariate(1))

    def draw(answers, n):
        thresholds = [noise() for _ in range(n)]
        return [[x + noise() >= threshold for x in answers] for threshold in thresholds]

    return draw


def sparse_vector(seed: int) -> int:
    """Pairs until it was refuted."""
    fields = {"pairs": [[TOPS, BOTTOMS]], "claim": {"input": "linf", "d_in": 1, "epsilon": "1"}, "samples": 50_000}
    return needed(driven(privacy_judge(chen(seed), batched=True, **fields)))


def line(name: str, found: list[int], before: str, seconds: float) -> str:
    found = sorted(found)
    nearly = found[-(-95 * len(found) // 100) - 1]
    cells = (f"{int(median(found)):,}", f"{nearly:,}", f"{found[0]:,} to {found[-1]:,}", str(len(found)))
    return f"{name:32} {cells[0]:>9} {cells[1]:>9} {cells[2]:>20} {cells[3]:>5} {seconds:8.1f}  {before}"


def table(runs: int = 5) -> None:
    """Print all lines; `runs` of each sampler, four times as many of each claim."""
    print(f"{'wrong program':32} {'median':>9} {'95% within':>9} {'range':>20} {'runs':>5} {'CPU s':>8}  before")
    rows = {name: (lambda s, m=make: draws(m, s), runs, before) for name, (make, before) in WRONG.items()}
    rows["Laplace / 2, events of its law"] = (lambda s: half_laplace(s, laws=LAWS), 4 * runs, "557, at most 958")
    rows["Laplace / 2, learned events"] = (half_laplace, 4 * runs, "557, at most 958")
    rows["SVT6, learned events"] = (sparse_vector, 4 * runs, "3,306, at most 5,346")
    for name, (ask, count, before) in rows.items():
        start = process_time()
        found = [ask(seed) for seed in range(count)]
        print(line(name, found, before, process_time() - start), flush=True)


if __name__ == "__main__":
    table(*map(int, sys.argv[1:]))
