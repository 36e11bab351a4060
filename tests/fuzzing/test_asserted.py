"""Asserts and expressions of claims are written, keep to Python, and mean to the truth what exact numbers mean."""

from fractions import Fraction
from random import Random

import mpmath
import pytest

from tests.examples import few
from tests.fuzzing.asserted import CONSTANTS, OTHERS, REWRITTEN, asserted, condition, expressed, places
from tests.fuzzing.claims import claim
from tests.fuzzing.judges import program_verdict
from tests.fuzzing.modules import renamed
from tests.fuzzing.program_verdicts import judged
from tests.fuzzing.programs import Program
from tests.fuzzing.truth import Asked, Signature, Truth, truth_of
from tests.fuzzing.walking import real


def program(*body: str) -> Program:
    return Program("each element", Signature("list[float]", {"epsilon": ""}), body, "ONE")


def truth(claimed: str, *body: str) -> Truth:
    """What CPython shows of a list's sum with noise and a claim."""
    text = f"from refdp.programs import *\n{program(*body).source(claimed)}\n"
    return truth_of(Asked(text, "program", program(*body).signature), 1)


@pytest.mark.parametrize("text", REWRITTEN)
def test_what_is_written_otherwise_is_the_same_number(text: str) -> None:
    found = truth('epsilon="1"', "return 0").evaluated(text.format(e="epsilon"), {"epsilon": Fraction(2, 7)}, 1)
    assert abs(real(found) - real(Fraction(2, 7))) < mpmath.mpf("1e-38")


@pytest.mark.parametrize("text", [*CONSTANTS, *(one.format(e="epsilon") for one in OTHERS)])
def test_every_expression_is_read_by_refdp_and_by_the_truth(text: str) -> None:
    lines = ("return sum(q) + laplace(1 / epsilon)",)
    truth(f'epsilon="{text}"', *lines).evaluated(text, {"epsilon": Fraction(1, 2)}, 1)
    source = program(*lines).source(f'epsilon="{text}"')
    answer = program_verdict(f"from refdp.programs import *\n{source}\n", "program", False)
    assert not answer.reason.startswith("refused: ")
    assert answer.verdict != "internal error"


def test_numbers_of_claims_are_exact() -> None:
    found = truth('epsilon="1"', "return 0")
    assert found.evaluated("1/3 + epsilon/3", {"epsilon": Fraction(1, 7)}, 1) == Fraction(8, 21)
    assert found.evaluated("0.1 + 0.2", {}, 1) == Fraction(3, 10)
    assert found.evaluated("1/10 <= epsilon and n == 2", {"epsilon": Fraction(1, 10)}, 2) is True


def test_an_assert_that_fails_is_an_exception_on_both_data() -> None:
    """No event is likelier where both runs raise, but what is proved raises nothing."""
    both = truth('epsilon="epsilon"', "assert epsilon > 5", "return sum(q) + laplace(1 / epsilon)")
    parameters, old, new = next(both.cases())
    assert not list(both.exceeding(parameters, old, new, both.claimed(parameters, len(old))))
    assert "raises AssertionError" in str(both.violation())
    stated = truth(
        'epsilon="epsilon", where="epsilon > 5"', "assert epsilon > 5", "return sum(q) + laplace(1 / epsilon)"
    )
    assert stated.violation() is None
    one = truth('epsilon="epsilon"', "assert sum(q) > 0", "return sum(q) + laplace(1 / epsilon)")
    assert one.violation() is not None


def test_conditions_of_claims_name_the_length_and_have_no_chains() -> None:
    assert condition("0 < len(q) < 4") == "0 < n and n < 4"
    assert condition("0 < epsilon <= 4") == "0 < epsilon and epsilon <= 4"
    assert condition("len(q) * 2 > 1") == "n * 2 > 1"


def test_places_are_in_front_of_whole_statements() -> None:
    body = ["for x in q:", "    if x > 0:", "        yield 1", "    else:", "        yield 0"]
    assert set(places(body)) == {(0, ""), (1, "    "), (2, "        "), (4, "        ")}


@pytest.mark.parametrize("seed", range(few(200)))
def test_programs_with_asserts_are_python(seed: int) -> None:
    written = program("total = 0", "for x in q:", "    total += x", "return total + laplace(1 / epsilon)")
    found = asserted(written, Random(seed))
    compile(found.source('epsilon="epsilon"'), "program", "exec")
    assert found is written or any("assert" in line for line in found.body)


def test_a_claim_with_delta_and_conditions_keeps_them() -> None:
    claimed = 'epsilon="2*epsilon", delta="1/10", where="n >= 1"'
    found = {expressed(claimed, True, Random(seed)) for seed in range(200)}
    assert claimed in found
    assert len(found) > 10
    assert all(one.endswith('", delta="1/10", where="n >= 1"') for one in found)
    assert expressed('rho="1"', True, Random(0)) == 'rho="1"'


def test_names_in_double_quotes_are_not_renamed() -> None:
    assert renamed('@claim(epsilon="exp(1)")\nexp(2)', {"exp": "p.exp"}) == '@claim(epsilon="exp(1)")\np.exp(2)'


def test_both_occur_among_random_claims() -> None:
    claims = [claim(seed) for seed in range(7_000_000, 7_000_060)]
    assert sum("    assert " in one.asked.text for one in claims) >= 3
    assert sum(any(word in one.claimed for word in ("log(", "/3 + ", "exp(", "abs(", "max(")) for one in claims) >= 2


@pytest.mark.once
def test_no_verdict_on_claims_with_asserts_or_expressions_is_wrong() -> None:
    for seed in range(7_000_000, 7_000_000 + few(40)):
        assert judged(seed, False, 0.5).finding is None
