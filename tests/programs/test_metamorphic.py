"""The verdict does not depend on how a program is written: names, branches, loops, lists, helpers, order of draws."""

import pytest

from refdp.programs.judging import judge
from refdp.programs.question import Question
from tests.programs.mutants.editing import IMPORTS, PREDICATES, Variant, expectations, of, right, written
from tests.programs.respelling import RESPELLINGS, respelled

SECONDS = 60.0
QUICK = {
    "PROVED": [("partial_sum", 0), ("noisy_max_exponential", 0), ("sparse_vector", 0)],
    "REFUTED": [("bad_partial_sum", 0), ("noisy_max_exponential_value", 0), ("stoddard", 0)],
}
NOISE = "        noise = laplace(4 * N / epsilon)\n        if x + noise >= threshold:"
ORDERS = [
    *of(
        "sparse_vector",
        right(
            "the noise before the loop's first use", "        if x + laplace(4 * N / epsilon) >= threshold: -> " + NOISE
        ),
        right(
            "the threshold last",
            "    threshold = T + laplace(2 / epsilon)\n    count = 0 -> "
            "    count = 0\n    threshold = T + laplace(2 / epsilon)",
        ),
    ),
    *of(
        "numeric_sparse_vector",
        right(
            "the fresh noise first",
            "        if x + laplace(6 * N / epsilon) >= threshold: -> "
            "        fresh = laplace(3 * N / epsilon)\n        if x + laplace(6 * N / epsilon) >= threshold:",
            "yield x + laplace(3 * N / epsilon) -> yield x + fresh",
        ),
    ),
    *of(
        "adaptive_sparse_vector",
        right(
            "the fine noise first",
            "        rough = x ->         noise = laplace(4 * N / epsilon)\n        rough = x",
            "fine = x + laplace(4 * N / epsilon) - threshold -> fine = x + noise - threshold",
        ),
    ),
    *of(
        "smart_sum_checkdp",
        right(
            "one noise for either branch",
            "        if (i + 1) % M == 0: ->         noise = laplace(1 / epsilon)\n        if (i + 1) % M == 0:",
            "released = block + x + laplace(1 / epsilon) -> released = block + x + noise",
            "released += x + laplace(1 / epsilon) -> released += x + noise",
        ),
    ),
]


def verdict(question: Question) -> str:
    """What is found about it."""
    return judge(question, *question.read(), SECONDS).verdict


def otherwise(function: str, claim: int, how: str) -> Question:
    """A program of the library, written otherwise."""
    helpers, text = written(function, claim)
    return Question(IMPORTS + PREDICATES + helpers + "\n\n" + respelled(text, how), function, 0)


@pytest.mark.parametrize("number", range(len(RESPELLINGS)))
@pytest.mark.parametrize("expected", QUICK)
def test_a_respelled_program_has_the_same_verdict(expected: str, number: int) -> None:
    how = list(RESPELLINGS)[number]
    function, claim = QUICK[expected][number % len(QUICK[expected])]
    assert verdict(otherwise(function, claim, how)) == expected


@pytest.mark.parametrize("variant", ORDERS[:2], ids=lambda one: one.name)
def test_the_order_of_draws_does_not_matter(variant: Variant) -> None:
    assert verdict(variant.question) == "PROVED"


@pytest.mark.long
@pytest.mark.parametrize("variant", ORDERS[2:], ids=lambda one: one.name)
def test_the_order_of_more_draws_does_not_matter(variant: Variant) -> None:
    assert verdict(variant.question) == "PROVED"


@pytest.mark.long
@pytest.mark.parametrize("how", RESPELLINGS)
@pytest.mark.parametrize(("function", "claim", "expected"), expectations())
def test_every_respelled_program_has_the_same_verdict(function: str, claim: int, expected: str, how: str) -> None:
    assert verdict(otherwise(function, claim, how)) == expected
