"""scaled_student: its densities, powers that are not whole, and what has no density."""

from fractions import Fraction as F

import pytest

from refdp.kernel import rules
from refdp.kernel.judgements import KernelError
from refdp.mechanisms.scaled_cauchy import SCALED_CAUCHY
from refdp.mechanisms.scaled_student import SCALED_STUDENT
from refdp.numerics.enclosures import enclose
from refdp.spec.obligations import obligations, privacy
from refdp.spec.samplers import sampler_obligations
from refdp.terms.reading import read
from refdp.terms.term import TermError
from tests.exactness.refusals import refusal
from tests.mechanisms.checks import MP, real

PAIRS = "record(field(0, reals()), field(1, above(reals(), 0)))"


def test_scaled_student_needs_no_lemma_and_has_no_sampler():
    assert refusal(lambda: sampler_obligations("scaled_student")) == "scaled_student has no sampler"
    assert "has no privacy map" in refusal(lambda: privacy("scaled_student"))
    assert obligations("scaled_student") == {}
    assert set(obligations("rounded_scaled_student")) == {"sampler.draws_have_the_weights"}


@pytest.mark.parametrize("degrees", [F(1), F(3), F(4), F(8, 3)])
def test_scaled_student_has_the_loss_of_its_definition(degrees):
    a, b, y = (F(1), F(3)), (F(0), F(2)), F(9)
    found = enclose(SCALED_STUDENT.log_ratio(read(f"scaled_student(2, {degrees})"), y, a, b), {}, 96)

    def log_density(pair):
        z = real((y - pair[0]) / (2 * pair[1]))
        return -MP.log(real(pair[1])) - (real(degrees) + 1) / 2 * MP.log(1 + z**2 / real(degrees))

    assert real(found.lower) <= log_density(a) - log_density(b) <= real(found.upper)


def test_scaled_student_of_one_degree_has_cauchys_loss():
    a, b, y = (F(1), F(3)), (F(0), F(2)), F(9)
    one = enclose(SCALED_STUDENT.log_ratio(read("scaled_student(2, 1)"), y, a, b), {}, 96)
    other = enclose(SCALED_CAUCHY.log_ratio(read("scaled_cauchy(2)"), y, a, b), {}, 96)
    assert max(one.lower, other.lower) <= min(one.upper, other.upper)


@pytest.mark.parametrize(
    ("subject", "a", "output"),
    [
        ("scaled_student(1, 3)", "tuple_of(0, 0)", "0"),
        ("scaled_student(0, 3)", "tuple_of(0, 1)", "0"),
        ("scaled_student(1, 1/2)", "tuple_of(0, 1)", "0"),
        ("scaled_student(1, 3)", "tuple_of(0, 1)", "tuple_of(0, 0)"),
        ("rounded_scaled_student(1, 3, 1)", "tuple_of(0, 1)", "0"),
    ],
)
def test_densities_where_there_are_none_refute_nothing(subject, a, output):
    claim = f"private({subject}, {PAIRS}, smooth(2), pure(0))"
    b = "tuple_of(0, 0)" if a == "tuple_of(0, 0)" else "tuple_of(0, 2)"
    with pytest.raises(KernelError):
        rules.denser_elsewhere(claim=claim, a=a, b=b, output=output)
    good = f"private(scaled_student(1, 3), {PAIRS}, smooth(2), pure(0))"
    assert rules.denser_elsewhere(claim=good, a="tuple_of(0, 1)", b="tuple_of(0, 2)", output="0")


def test_scaled_student_has_no_density_beside_a_negative_bound():
    with pytest.raises(TermError, match="has no density"):
        SCALED_STUDENT.log_ratio(read("scaled_student(1, 3)"), F(0), (F(0), F(-1)), (F(0), F(1)))
