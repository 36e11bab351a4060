"""True claims that are as tight as can be, and samplers with the law that is claimed, survive 10^7 samples each.

Each claim is at the exact delta of its two laws, rounded up by less than 2^-60, and is judged at alpha = 10^-9: the
chance that any of these tests fails although all is right is below 4 in 10^8.  With delta lowered, or e^epsilon times
3/4, the same judge refutes the same programs: `make test` sees that on a few of them.
"""

from collections.abc import Callable
from fractions import Fraction as F
from itertools import product
from math import comb, exp

import pytest

from refdp.auditing.evidence import enumerable
from refdp.auditing.evidence.pairs import claim
from refdp.numerics.elementary import up
from refdp.verdicts import NOT_REFUTED, REFUTED
from tests.auditing.evidence.samplers import normal, right
from tests.auditing.judges.running import driven, law_judge, privacy_judge

np = pytest.importorskip("numpy")
SAMPLES = 10**7
Law = dict[object, F]


def response(k: int, odds: F) -> tuple[Law, Law]:
    """One of k answers, the true one `odds` times as likely as each other."""
    total = odds + k - 1
    return tuple({y: (odds if y == x else F(1)) / total for y in range(k)} for x in (0, 1))


def clamped_geometric(r: F, size: int) -> tuple[Law, Law]:
    """Two-sided geometric noise added to 0 or 1, clamped to -size..size."""
    mass = lambda k: (1 - r) / (1 + r) * r ** abs(k)  # noqa: E731
    tail = lambda k: r**k / (1 + r)  # noqa: E731

    def at(x: int) -> Law:
        inner = {y: mass(y - x) for y in range(1 - size, size)}
        return {-size: tail(size + x), **inner, size: tail(size - x)}

    return at(0), at(1)


def leaky(delta: F) -> tuple[Law, Law]:
    """Tells the input with probability delta."""
    return {"quiet": 1 - delta, "first": delta}, {"quiet": 1 - delta, "second": delta}


def counts(n: int, p: F) -> tuple[Law, Law]:
    """Bits of n people, each told with probability p and else turned: how many ones, with none or one of them 1."""
    others = {j: comb(n - 1, j) * (1 - p) ** j * p ** (n - 1 - j) for j in range(n)}

    def at(one: F) -> Law:
        return {j: others.get(j, F(0)) * (1 - one) + others.get(j - 1, F(0)) * one for j in range(n + 1)}

    return at(1 - p), at(p)


def twice(first: Law, second: Law) -> tuple[Law, Law]:
    """Two independent runs, as a text."""
    return tuple({f"{a},{b}": p * q for (a, p), (b, q) in product(law.items(), repeat=2)} for law in (first, second))


def subsampled(first: Law, second: Law, part: F) -> tuple[Law, Law]:
    """The second with probability `part`, else the first, beside the first."""
    return first, {y: (1 - part) * first.get(y, F(0)) + part * q for y, q in second.items()}


def choices(scores: tuple[int, ...], moved: tuple[int, ...], base: F) -> tuple[Law, Law]:
    """The exponential mechanism with weights base^score."""
    weights = [[base**s for s in one] for one in (scores, moved)]
    return tuple({i: w / sum(one) for i, w in enumerate(one)} for one in weights)


def gaussian_table(sigma: float, size: int) -> tuple[Law, Law]:
    """A discrete Gaussian on -size..size + 1 around 0 and 1, its masses rounded to fractions that sum to 1."""

    def at(x: int) -> Law:
        units = {y: round(2**60 * exp(-((y - x) ** 2) / (2 * sigma**2))) for y in range(-size, size + 2)}
        return {y: F(u, sum(units.values())) for y, u in units.items() if u}

    return at(0), at(1)


CLAIMS: dict[str, tuple[tuple[Law, Law], str, str]] = {
    "response, ln 2": (response(2, F(2)), "ln(2)", "learned"),
    "response, ln 3": (response(2, F(3)), "ln(3)", "learned"),
    "response, ln 20": (response(2, F(20)), "ln(20)", "learned"),
    "response of 4, ln 2": (response(4, F(2)), "ln(2)", "learned"),
    "response of 10, ln 3": (response(10, F(3)), "ln(3)", "learned"),
    "response of 50, ln 9": (response(50, F(9)), "ln(9)", "learned"),
    "response at half its epsilon": (response(2, F(4)), "ln(2)", "laws"),
    "geometric, ln 2": (clamped_geometric(F(1, 2), 8), "ln(2)", "learned"),
    "geometric, ln(10/9)": (clamped_geometric(F(9, 10), 30), "ln(10/9)", "learned"),
    "geometric below its epsilon": (clamped_geometric(F(1, 3), 5), "1", "laws"),
    "leak of 1/10": (leaky(F(1, 10)), "0", "learned"),
    "leak of 1/1000": (leaky(F(1, 1000)), "1", "laws"),
    "count of turned bits": (counts(20, F(3, 4)), "1/4", "laws"),
    "count of few turned bits": (counts(5, F(9, 10)), "1/2", "learned"),
    "two responses, pure": (twice(*response(2, F(3))), "ln(9)", "learned"),
    "two responses, one epsilon": (twice(*response(2, F(3))), "ln(3)", "laws"),
    "two of four answers": (twice(*response(4, F(2))), "1/2", "learned"),
    "subsampled response": (subsampled(*response(2, F(3)), F(1, 10)), "1/10", "laws"),
    "exponential mechanism": (choices((3, 2, 1, 0, 0), (2, 3, 1, 0, 1), F(3, 2)), "ln(3/2)", "laws"),
    "discrete Gaussian, sigma 2": (gaussian_table(2.0, 20), "1", "laws"),
    "discrete Gaussian, sigma 10": (gaussian_table(10.0, 90), "1/5", "learned"),
}
"""Name -> both laws, epsilon, and where events come from: at a delta of 0 no event of the laws exceeds the claim."""


def tight_delta(laws: tuple[Law, Law], epsilon: str) -> F:
    """The exact delta at epsilon, or a little more."""
    delta = enumerable.judge(claim(epsilon), *laws).excesses[0].delta.upper
    return min(F(1) - F(1, 2**60), up(*delta.as_integer_ratio(), 80)) if delta else delta


def drawer(laws: tuple[Law, Law], seed: int) -> Callable:
    """f(x, n) from a fixed stream: an inverse distribution function in floats, exact to 2^-50."""
    random = np.random.default_rng(seed)
    tables = [(list(law), np.cumsum([float(p) for p in law.values()])) for law in laws]

    def draw(x, n):
        outcomes, ends = tables[x]
        places = np.minimum(np.searchsorted(ends, random.random(n), side="right"), len(outcomes) - 1)
        return [outcomes[i] for i in places.tolist()]

    return draw


def judged(name: str, samples: int, lower: F = F(0), times: F = F(1)):
    """The result for the claim of that name, with delta lowered, or with the factor e^epsilon multiplied."""
    laws, epsilon, events = CLAIMS[name]
    delta = tight_delta(laws, epsilon) - lower
    given = [{"name": "finite", "outcomes": list(law), "masses": [str(p) for p in law.values()]} for law in laws]
    said = epsilon if times == 1 else f"{epsilon} + ln({times})"
    more = {"laws": given} if events == "laws" else {"views": ["output"]}
    fields = {"pairs": [[0, 1]], "claim": {"epsilon": said, "delta": str(delta)}, "samples": samples, **more}
    return driven(privacy_judge(drawer(laws, 8), batched=True, **fields))


@pytest.mark.long
@pytest.mark.parametrize("name", CLAIMS)
def test_tight_claims_survive_ten_million_pairs(name):
    found = judged(name, SAMPLES)
    assert found.verdict == NOT_REFUTED
    assert found.samples == 2 * SAMPLES


@pytest.mark.parametrize("name", ["response, ln 3", "leak of 1/10", "exponential mechanism"])
def test_tight_claims_survive_and_claims_that_are_a_little_too_good_do_not(name):
    assert judged(name, 20_000).verdict == NOT_REFUTED
    laws = CLAIMS[name][0]
    greatest = max(*laws[0].values(), *laws[1].values())
    too_good = {"lower": greatest / 30} if name.startswith("leak") else {"times": F(3, 4)}
    assert judged(name, 60_000, **too_good).verdict == REFUTED


def floats(kind: str, seed: int) -> Callable:
    random = np.random.default_rng(seed)
    noise = {"laplace": lambda n: random.laplace(0, 1, n), "gaussian": lambda n: random.normal(0, 3.7306317, n)}[kind]
    return lambda x, n: (x + noise(n)).tolist()


@pytest.mark.long
@pytest.mark.parametrize(("kind", "delta"), [("laplace", "0"), ("gaussian", "1e-5")])
@pytest.mark.parametrize("events", ["learned", "half_lines"])
def test_float_noise_survives_ten_million_pairs(kind, delta, events):
    """The exact sigma for (1, 10^-5) is 3.730631634...; numpy's samplers are right far beyond what is seen here."""
    fields = {"views": ["output"]} if events == "learned" else {"spread": {"laplace": 1, "gaussian": 4}[kind]}
    judge = privacy_judge(
        floats(kind, 9), batched=True, pairs=[[0.0, 1.0]], samples=SAMPLES, events=events,
        claim={"input": "absolute", "d_in": 1, "epsilon": "1", "delta": delta}, **fields,
    )  # fmt: skip
    assert driven(judge).verdict == NOT_REFUTED


@pytest.mark.long
@pytest.mark.parametrize(
    ("law", "make"),
    [
        ({"name": "laplace", "scale": "1"}, lambda: floats("laplace", 1)),
        ({"name": "gaussian", "sigma": "3.7306317"}, lambda: floats("gaussian", 2)),
        ({"name": "discrete_laplace", "scale": "10/3"}, lambda: of_integers(right(F(10, 3), 3))),
        ({"name": "discrete_gaussian", "sigma": "17"}, lambda: of_integers(normal(17, 4))),
        ({"name": "finite", "outcomes": [0, 1, 2], "masses": ["1/2", "1/3", "1/6"]}, lambda: finite()),
    ],
    ids=["laplace", "gaussian", "discrete_laplace", "discrete_gaussian", "finite"],
)
def test_right_samplers_survive_ten_million_draws(law, make):
    found = driven(law_judge(make(), law=law, input=0, samples=SAMPLES, stop="samples"))
    assert (found.verdict, found.samples) == (NOT_REFUTED, SAMPLES)


def of_integers(draw: Callable) -> Callable:
    return lambda x, n: draw(n)


def finite() -> Callable:
    law = {0: F(1, 2), 1: F(1, 3), 2: F(1, 6)}
    return drawer((law, law), 5)
