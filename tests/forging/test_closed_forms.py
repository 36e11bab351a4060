"""What the forger's own judge says of estimates, of linear maps and of noise scaled to a bound."""

from collections import Counter

import pytest

from refdp.claims import ledger
from refdp.terms.reading import read
from refdp.terms.term import TermError
from tests.forging import closed_forms
from tests.forging.numbers import Unknown

AT_SMALL_DELTA = {"scaled_laplace.published_for_every_epsilon", "scaled_laplace.twice_the_growth"}
"""False claims that fail only at a delta smaller than any that is drawn."""


def test_it_agrees_with_every_claim_of_the_ledger_that_it_judges():
    judged, wrong = Counter[str](), set[str]()
    for claim in ledger():
        try:
            term = read(claim.formal)
            said, _ = closed_forms.truth(term)
        except (Unknown, TermError):
            continue
        judged[f"{term.operator} {claim.expected}"] += 1
        if said != ("true" if claim.expected == "PROVED" else "false"):
            wrong.add(claim.identifier)
    assert wrong == AT_SMALL_DELTA
    least = {"frequency_estimate PROVED": 10, "frequency_estimate REFUTED": 8, "private PROVED": 15,
             "private REFUTED": 15, "stable PROVED": 6, "stable REFUTED": 3}  # fmt: skip
    assert judged >= Counter(least)


IDENTITY = "linear(tuple_of(tuple_of(1, 0), tuple_of(0, 1)))"
NOISY = f"chain({IDENTITY}, coordinatewise(discrete_laplace(1, 1), 2))"
PAIRS = "record(field(0, reals()), field(1, above(reals(), 0)))"
REPORTS = "hadamard_entry_response(4, 4/5)"
COUNTS = "integer(n), integer(having), 1 <= n, 0 <= having, having <= n"


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        (f"frequency_estimate({REPORTS}, 4/5, 1/2, having * (16/9) + (n - having) * (25/9), {COUNTS})", "true"),
        (f"frequency_estimate({REPORTS}, 4/5, 1/2, having * (16/9) + (n - having) * (26/9), {COUNTS})", "false"),
        (f"frequency_estimate({REPORTS}, 3/4, 1/2, having * (16/9) + (n - having) * (25/9), {COUNTS})", "false"),
        (f"frequency_estimate({REPORTS}, 4/5, 2/5, having * (16/9) + (n - having) * (25/9), {COUNTS})", "false"),
        (f"stable({IDENTITY}, vector(grid(1), 2), apart_2_1(1), vector(grid(1), 2), l2(sqrt(2)))", "true"),
        (f"stable({IDENTITY}, vector(grid(1), 2), apart_2_1(1), vector(grid(1), 2), l2(7/5))", "false"),
        (f"stable({IDENTITY}, vector(grid(1), 2), apart_2_2(1), vector(grid(1), 2), l2(1))", "true"),
        (f"stable({IDENTITY}, vector(grid(1), 2), spaced_2_1(1), vector(grid(1), 2), l1(199/100))", "false"),
        (f"stable({IDENTITY}, vector(grid(1), 2), window_1(1), vector(grid(1), 2), l1(1))", "true"),
        (f"stable({IDENTITY}, vector(grid(1), 2), linf(1), vector(grid(1), 2), l1(1))", "false"),
        (f"stable({IDENTITY}, vector(grid(1), 2), l2(1), vector(grid(1), 2), l2(1))", "true"),
        (f"stable({IDENTITY}, vector(grid(1), 2), l2(1), vector(grid(2), 2), l2(1))", "false"),
        (f"stable({IDENTITY}, vector(grid(1), 2), l2(1), vector(grid(1), 3), l2(1))", "false"),
        (f"private({NOISY}, vector(grid(1), 2), window_2(1), pure(2))", "true"),
        (f"private({NOISY}, vector(grid(1), 2), window_2(1), pure(199/100))", "false"),
        (f"private({NOISY}, vector(grid(1/2), 2), window_2(1), pure(2))", "false"),
        (f"refuted(private({NOISY}, vector(grid(1), 2), window_2(1), pure(199/100)))", "true"),
        (f"refuted(private({NOISY}, vector(grid(1), 2), window_2(1), pure(2)))", "unknown"),
        ("private(gaussian(42247/10000), reals(), absolute(1), approximate(1, 1/1000000))", "true"),
        ("private(gaussian(42204753/10000000), reals(), absolute(1), approximate(1, 1/1000000))", "false"),
        ("private(rounds(pure(1), pure(2)), table(records()), symmetric(1), pure(3))", "true"),
        ("private(rounds(pure(1), pure(2)), table(records()), symmetric(1), pure(299/100))", "false"),
        (f"private(scaled_laplace(2), {PAIRS}, smooth(1), pure(1/2))", "true"),
        (f"private(scaled_laplace(2), {PAIRS}, smooth(1), pure(49/100))", "false"),
        (f"private(scaled_laplace(2), {PAIRS}, smooth(11/10), pure(100))", "false"),
        (f"private(scaled_laplace(2), {PAIRS}, smooth(527/500), approximate(1, 1/1000000))", "true"),
        (f"private(scaled_laplace(2), {PAIRS}, smooth(541/500), approximate(1, 1/1000000))", "false"),
        (f"private(scaled_cauchy(24/25), {PAIRS}, smooth(417/200), pure(1))", "true"),
        (f"private(scaled_cauchy(24/25), {PAIRS}, smooth(541/250), pure(1))", "false"),
        (f"private(scaled_student(3/2, 3), {PAIRS}, smooth(61/50), pure(1))", "true"),
        (f"private(scaled_student(3/2, 3), {PAIRS}, smooth(13/10), pure(1))", "false"),
    ],
)
def test_near_misses_are_told_apart(claim, said):
    assert closed_forms.truth(read(claim))[0] == said
