"""No wrong mutant of a right program is proved, and every repaired version of a wrong program is."""

import pytest

from tests.examples import few
from tests.programs.mutants.editing import Variant, expectations
from tests.programs.mutants.judging import MUTANTS, found
from tests.programs.mutants.late import LATE, Late
from tests.programs.mutants.repairs import REPAIRS

SECONDS, LONGER = 3.0, 20.0
SIMPLE = ("partial_sum", "noisy_histogram", "randomised_response", "geometric_mechanism", "bounded_sum")
QUICK = [one for one in MUTANTS if one.function in SIMPLE][:: 5 if few(5) == 5 else 25]
QUICK_LATE = ("noise_is_reused", "one_counts_twice")
QUICK_REPAIRS = ("stoddard", "bad_partial_sum", "noisy_max_value", "noisy_histogram_scale_epsilon")


def name(one: Variant | Late) -> str:
    return one.name


def test_every_right_program_has_five_mutants_that_are_wrong() -> None:
    for function, _, expected in expectations():
        if expected == "PROVED":
            assert sum(one.function == function and not one.holds for one in MUTANTS) >= 5, function


def test_every_wrong_claim_has_a_repaired_version() -> None:
    wrong = {(function, claim) for function, claim, expected in expectations() if expected == "REFUTED"}
    assert wrong == {(one.function, one.claim) for one in REPAIRS}


def test_mutants_differ() -> None:
    texts = [one.question.source for one in (*MUTANTS, *REPAIRS)]
    assert len(set(texts)) == len(texts)


def is_as_it_must_be(one: Variant, seconds: float) -> bool:
    """Whether nothing false is proved and nothing true refuted."""
    return found(one.question, seconds).verdict != ("REFUTED" if one.holds else "PROVED")


@pytest.mark.parametrize("mutant", QUICK, ids=name)
def test_a_simple_mutant_gets_no_wrong_verdict(mutant: Variant) -> None:
    assert is_as_it_must_be(mutant, SECONDS)


@pytest.mark.long
@pytest.mark.parametrize("mutant", MUTANTS, ids=name)
def test_a_mutant_gets_no_wrong_verdict(mutant: Variant) -> None:
    assert is_as_it_must_be(mutant, LONGER)


@pytest.mark.parametrize("repair", [one for one in REPAIRS if one.function in QUICK_REPAIRS], ids=name)
def test_a_simple_repaired_program_is_proved(repair: Variant) -> None:
    assert found(repair.question, LONGER).verdict == "PROVED"


@pytest.mark.long
@pytest.mark.parametrize("repair", REPAIRS, ids=name)
def test_a_repaired_program_is_proved(repair: Variant) -> None:
    assert found(repair.question, LONGER).verdict == "PROVED"


def is_not_settled_by_few_data(late: Late, seconds: float) -> bool:
    """Whether it is not proved, and not refuted by data for which the claim holds."""
    judged = found(late.question, seconds)
    return judged.verdict == "UNKNOWN" or (judged.verdict == "REFUTED" and int(judged.n or 0) >= late.first)


@pytest.mark.parametrize("late", [one for one in LATE if one.name in QUICK_LATE], ids=name)
def test_a_simple_program_that_is_wrong_for_many_data_is_not_proved(late: Late) -> None:
    assert is_not_settled_by_few_data(late, SECONDS)


@pytest.mark.long
@pytest.mark.parametrize("late", LATE, ids=name)
def test_a_program_that_is_wrong_for_many_data_is_not_proved(late: Late) -> None:
    assert is_not_settled_by_few_data(late, LONGER)
