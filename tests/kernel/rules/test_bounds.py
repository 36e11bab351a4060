"""Noise scaled to a bound by its family: what each rule concludes, and that it speaks of nothing else."""

import re
from dataclasses import replace

import pytest

from refdp.kernel import rules
from refdp.kernel.judgements import KernelError
from refdp.mechanisms.rounded_scaled_laplace import ROUNDED_SCALED_LAPLACE
from refdp.mechanisms.scaled_cauchy import SCALED_CAUCHY
from refdp.mechanisms.scaled_gaussian import SCALED_GAUSSIAN
from refdp.mechanisms.scaled_laplace import SCALED_LAPLACE
from refdp.mechanisms.scaled_student import SCALED_STUDENT
from refdp.spec.bound_laws import require_family
from refdp.spec.signatures import laplace_bound_signature, student_bound_signature
from refdp.terms.reading import read
from refdp.terms.term import TermError, number
from tests.exactness.entering import written
from tests.kinds import believed, registered

PAIRS = "record(field(0, reals()), field(1, above(reals(), 0)))"
LAPLACE = f"private(scaled_laplace(2), {PAIRS}, smooth(2), approximate(1, 1/20))"
FAR = {"a": "tuple_of(1, 2)", "b": "tuple_of(0, 1)", "below": "-31/4", "above": "23/4"}


def laplace(**values):
    return rules.instantiate(rules.laplace_bound_noise(stem="scaled_laplace"), values=values, d_out=[2, "1/2"])


def student(linear="no", **values):
    return rules.instantiate(
        rules.student_bound_noise(stem="scaled_student", linear=linear), values=values, d_out=["1"]
    )


@pytest.mark.parametrize("stem", ["scaled_cauchy", "scaled_student", "scaled_gaussian", "rounded_scaled_student"])
def test_laplace_bound_noise_of_another_family_is_refused(stem):
    with pytest.raises(KernelError, match="must be noise of the family laplace"):
        rules.laplace_bound_noise(stem=stem)


@pytest.mark.parametrize("stem", ["scaled_cauchy", "scaled_laplace", "scaled_gaussian", "rounded_scaled_cauchy"])
def test_student_bound_noise_of_another_family_is_refused(stem):
    for linear in ("no", "yes"):
        with pytest.raises(KernelError, match="must be noise of the family student"):
            rules.student_bound_noise(stem=stem, linear=linear)


@pytest.mark.parametrize("stem", ["laplace", "median_with_smooth_bound", "nothing", ""])
def test_rules_about_another_kind_are_refused(stem):
    for rule in (rules.laplace_bound_noise, rules.student_bound_noise):
        with pytest.raises(KernelError, match="is not a registered"):
            rule(stem=stem)


def test_rules_take_no_premises_and_no_other_data():
    for rule, stem in ((rules.laplace_bound_noise, "scaled_laplace"), (rules.student_bound_noise, "scaled_student")):
        with pytest.raises((KernelError, TypeError)):
            rule(believed("scaled_cauchy.cosh_is_at_least_1"), stem=stem)
    with pytest.raises(KernelError, match="expected yes or no"):
        rules.student_bound_noise(stem="scaled_student", linear="perhaps")


@pytest.mark.parametrize(
    "values",
    [
        {"scale": "2", "d_in": "1", "epsilon": "1"},
        {"scale": "2", "d_in": "1/2", "epsilon": "1"},
        {"scale": "0", "d_in": "2", "epsilon": "1"},
        {"scale": "-2", "d_in": "2", "epsilon": "1"},
        {"scale": "999/1000", "d_in": "101/100", "epsilon": "1"},
        {"scale": "2", "d_in": "9/4", "epsilon": "1"},
        {"scale": "1", "d_in": "1001/1000", "epsilon": "0"},
        {"scale": "1", "d_in": "1001/1000", "epsilon": "-1"},
    ],
)
def test_laplace_bound_noise_beside_its_conditions_is_refused(values):
    """Equal bounds, no noise, a shift of more than epsilon, a narrower noise that is too dense, no epsilon."""
    with pytest.raises(KernelError, match=r"does not hold|division by zero"):
        laplace(**values)


def test_laplace_bound_noise_at_the_edge_of_its_conditions_is_concluded():
    assert laplace(scale="1", d_in="101/100", epsilon="10001/10000").claim.d_in == read("101/100")
    assert laplace(scale="2", d_in="2", epsilon="1").claim.measure == "approximate"


@pytest.mark.parametrize(
    "values",
    [
        {"scale": "0", "degrees": "3", "d_in": "1"},
        {"scale": "3", "degrees": "99/100", "d_in": "1"},
        {"scale": "3", "degrees": "0", "d_in": "1"},
        {"scale": "3", "degrees": "3", "d_in": "99/100"},
    ],
)
def test_student_bound_noise_beside_its_conditions_is_refused(values):
    for linear in ("no", "yes"):
        with pytest.raises(KernelError, match=r"does not hold|division by zero"):
            student(linear, **values)


def test_bounds_that_are_a_little_too_small_are_refused():
    """The instances of the ledger, with a thousandth less epsilon or delta, or more growth."""
    at = {"scale": "2", "d_in": "527/500", "epsilon": "1"}
    exact = rules.laplace_bound_noise(stem="scaled_laplace")
    assert rules.instantiate(exact, values=at, d_out=[1, "1/1000000"]).trusts == frozenset()
    for wrong in ({"d_out": [1, "92/100000000"]}, {"values": {**at, "d_in": "1055/1000"}, "d_out": [1, "1/1000000"]}):
        with pytest.raises(KernelError, match="is not an upper bound"):
            rules.instantiate(exact, **{"values": at, **wrong})
    assert student(scale="3/2", degrees="3", d_in="61/50").trusts == frozenset()
    for near in ({"d_in": "123/100"}, {"scale": "149/100"}, {"degrees": "4"}):
        with pytest.raises(KernelError, match="is not an upper bound"):
            student(**{"scale": "3/2", "degrees": "3", "d_in": "61/50", **near})
    with pytest.raises(KernelError, match="is not an upper bound"):
        student("yes", scale="3/2", degrees="3", d_in="61/50")


@pytest.mark.parametrize(
    ("kind", "change", "said"),
    [
        (SCALED_LAPLACE, {"family": "student"}, "must be those of the family student"),
        (SCALED_LAPLACE, {"family": "logistic"}, "family must be one of laplace, normal, student"),
        (SCALED_LAPLACE, {"rarity": written("rarity", "z", read("exp(abs(z) / 2)"))}, "those of the family laplace"),
        (SCALED_LAPLACE, {"rarity": written("rarity", "z", read("exp(abs(z)**2)"))}, "those of the family laplace"),
        (SCALED_LAPLACE, {"exponent": SCALED_STUDENT.exponent}, "must be those of the family laplace"),
        (SCALED_LAPLACE, {"spread": SCALED_CAUCHY.spread}, "has the privacy map of its family"),
        (SCALED_LAPLACE, {"cosh_of_loss": SCALED_CAUCHY.cosh_of_loss}, "has the privacy map of its family"),
        (SCALED_GAUSSIAN, {"rarity": written("rarity", "z", read("exp(z**2)"))}, "those of the family normal"),
        (SCALED_STUDENT, {"exponent": None}, "must be those of the family student"),
        (SCALED_STUDENT, {"exponent": written("exponent", "degrees", read("degrees / 2"))}, "the family student"),
        (SCALED_STUDENT, {"rarity": written("rarity", "z", read("1 + z**2"))}, "must be those of the family student"),
        (SCALED_STUDENT, {"conditions": SCALED_STUDENT.conditions[:1]}, "must have the condition 1 <= degrees"),
        (SCALED_STUDENT, {"parameters": ("scale",)}, "must have the parameter degrees"),
        (SCALED_STUDENT, {"family": ""}, "must be of a family that has an exponent"),
        (ROUNDED_SCALED_LAPLACE, {"conditions": SCALED_LAPLACE.conditions}, "must have the condition 0 < granularity"),
    ],
)
def test_a_kind_of_other_formulas_than_its_family_is_refused(kind, change, said):
    with pytest.raises(TermError, match=said):
        replace(kind, stem="m", **change)


def test_cauchy_noise_with_a_power_has_no_map_of_its_own():
    """spread and cosh_of_loss say nothing of a power: no kind has both."""
    with pytest.raises(TermError, match="must be of a family"):
        replace(SCALED_CAUCHY, stem="m", exponent=written("exponent", "", read("2")))


@pytest.mark.parametrize("parameter", ["z", "h", "c", "t", "growth", "cosh", "d_in", "epsilon"])
def test_a_parameter_with_the_name_of_a_quantified_one_is_refused(parameter):
    example = {"scale": number(1), parameter: number(1)}
    kind = replace(SCALED_LAPLACE, stem="m", parameters=("scale", parameter), example=example)
    with pytest.raises(TermError, match="must not be called"), registered(kind):
        pass


def test_signatures_are_of_their_family_alone():
    for signature, kind in ((laplace_bound_signature, SCALED_STUDENT), (student_bound_signature, SCALED_LAPLACE)):
        with pytest.raises(TermError, match="must be noise of the family"):
            signature(kind)
    with pytest.raises(TermError, match="must be noise of the family"):
        require_family(SCALED_CAUCHY, "laplace", "normal")
    with pytest.raises(TermError, match="must be noise of the family"):
        require_family(SCALED_LAPLACE)


def test_likelier_far_out_refutes_what_its_event_breaks():
    assert str(rules.likelier_far_out(claim=LAPLACE, **FAR).claim.claim.term) == LAPLACE
    pure = LAPLACE.replace("approximate(1, 1/20)", "pure(1)")
    assert rules.likelier_far_out(claim=pure, **FAR).trusts == frozenset()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"claim": LAPLACE.replace("1/20", "11/100")}, "does not break"),
        ({"claim": LAPLACE.replace("smooth(2)", "smooth(199/100)")}, "are more than 199/100 apart"),
        ({"claim": LAPLACE.replace("smooth(2)", "smooth(exp(69/100))")}, r"are more than exp\(69/100\) apart"),
        ({"claim": LAPLACE.replace("scaled_laplace(2)", "scaled_laplace(0)")}, "breaks 0 < scale"),
        ({"claim": LAPLACE.replace("scaled_laplace(2)", "scaled_cauchy(2)")}, "must be noise of the family"),
        ({"claim": LAPLACE.replace("scaled_laplace(2)", "scaled_student(2, 3)")}, "must be noise of the family"),
        ({"claim": LAPLACE.replace("scaled_laplace(2)", "rounded_scaled_laplace(2, 1)")}, "has no density"),
        ({"claim": LAPLACE.replace("scaled_laplace(2)", "scaled_laplace(scale)")}, "closed"),
        ({"claim": LAPLACE.replace("1/20))", "1/20), 0 < 1)")}, "closed claim"),
        ({"claim": LAPLACE.replace("approximate(1, 1/20)", "concentrated(1/20)")}, "expected a claim under pure"),
        ({"claim": LAPLACE.replace("approximate(1, 1/20)", "loss_tail(1, 1/20)")}, "expected a claim under pure"),
        ({"a": "tuple_of(1, 0)", "b": "tuple_of(1, 0)"}, "has no density"),
        ({"a": "tuple_of(3, 2)"}, "are more than 2 apart"),
        ({"a": "tuple_of(1, -2)"}, "must be members"),
        ({"a": "1"}, "must be members"),
        ({"below": "6"}, "must have ends"),
        ({"above": "tuple_of(1, 2)"}, "must have ends"),
        ({"below": "x"}, "has no value"),
        ({"below": "-31/4", "above": "-31/4"}, "does not break"),
        ({"below": "-1000", "above": "1000"}, "does not break"),
    ],
)
def test_likelier_far_out_refuses_what_is_not_broken(change, said):
    with pytest.raises((KernelError, TermError), match=said):
        rules.likelier_far_out(**{"claim": LAPLACE, **FAR, **change})


def test_likelier_far_out_of_a_program_or_of_other_noise_is_refused():
    other = LAPLACE.replace("scaled_laplace(2)", "laplace(2)").replace(PAIRS, "reals()").replace("smooth", "absolute")
    with pytest.raises(KernelError, match="is not a registered BoundNoise"):
        rules.likelier_far_out(claim=other, a="1", b="0", below="-1", above="1")


def test_two_numbers_of_a_table_are_no_number_and_bound():
    """A table of two rows once was read as a pair, and the claim about tables refuted by two orders of it."""
    claim = "private(scaled_laplace(2), table(reals()), symmetric(0), pure(0))"
    with pytest.raises(KernelError, match=re.escape("scaled_laplace(2) reads no member of table(reals())")):
        rules.likelier_far_out(claim=claim, a="tuple_of(1, 2)", b="tuple_of(2, 1)", below="-10", above="10")


def test_a_distance_that_is_irrational_is_taken_below():
    """exp(7/10) is more than 2, exp(69/100) is less: the pair is near enough for the one alone."""
    assert rules.likelier_far_out(claim=LAPLACE.replace("smooth(2)", "smooth(exp(7/10))"), **FAR)
