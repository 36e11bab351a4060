"""Poisson sampling: one row added or removed, pure and approximate DP, a rate from 0 to 1; nothing else."""

from fractions import Fraction as F

import pytest

from refdp.kernel import rules
from refdp.kernel.judgements import KernelError
from refdp.numerics.exact import decide
from refdp.spec.semantics import law
from refdp.spec.terms import TermError, exp, ln, number, read
from tests.exactness.claims import private
from tests.exactness.entering import given
from tests.kinds import noise, noisy_count, response, summed


def count_of(measure, *d_out, metric="symmetric", d_in=1, domain="table(finite(2))"):
    """A claim about some mechanism, taken as given."""
    return given(private("m()", domain, metric, d_in, measure, map(read, d_out)))


def test_sampled_loss_is_the_amplified_one():
    family = rules.poisson_sampled(noisy_count("scale"))
    assert str(family.claim.d_out[0]) == "ln(1 + rate * (exp(1 / scale) - 1))"
    assert [str(c) for c in family.claim.given] == ["0 < scale", "0 <= rate", "rate <= 1"]
    found = rules.poisson_sampled(count_of("approximate", "ln(3)", "1/10"), rate="1/2").claim
    assert [str(t) for t in found.d_out] == ["ln(2)", "1/20"]
    assert (str(found.subject), found.metric, str(found.d_in)) == ("poisson_sampled(1/2, m())", "symmetric", "1")
    assert str(rules.poisson_sampled(count_of("approximate", "epsilon", "0")).claim.given[-1]) == "0 <= epsilon"
    for rate, epsilon in (("0", "0"), ("1", "ln(3)")):
        assert str(rules.poisson_sampled(count_of("pure", "ln(3)"), rate=rate).claim.d_out[0]) == epsilon


def test_sampled_loss_is_rounded_up_where_it_is_irrational():
    exact = ln(1 + number(F(1, 10)) * (exp(number(1)) - 1))
    assert decide(exact <= read("15857/100000"))
    assert not decide(exact <= read("15856/100000"))
    assert str(rules.poisson_sampled(noisy_count(), rate="1/10", d_out=["0.15857"]).claim.d_out[0]) == "15857/100000"
    with pytest.raises(KernelError, match="not an upper bound"):
        rules.poisson_sampled(noisy_count(), rate="1/10", d_out=["0.15856"])
    with pytest.raises(KernelError, match="give a rational upper bound"):
        rules.poisson_sampled(noisy_count(), rate="1/10")


def test_sampled_loss_is_not_the_rate_times_epsilon():
    with pytest.raises(KernelError, match="not an upper bound"):
        rules.poisson_sampled(noisy_count(), rate="1/10", d_out=["1/10"])


@pytest.mark.parametrize(
    "theorem",
    [
        lambda: count_of("pure", "1", metric="change_one"),
        lambda: count_of("pure", "1", metric="hamming"),
        lambda: count_of("pure", "1", d_in=2),
        lambda: count_of("pure", "1", d_in=F(1, 2)),
        lambda: count_of("pure", "1", domain="sized_table(finite(2), 3)"),
        lambda: count_of("pure", "1", domain="finite(2)"),
        response,
        noise,
    ],
)
def test_sampling_of_anything_but_one_row_of_a_table_is_refused(theorem):
    with pytest.raises(KernelError, match="one row added to or removed from a table"):
        rules.poisson_sampled(theorem(), rate="1/2")


@pytest.mark.parametrize(
    ("measure", "d_out"),
    [("concentrated", ["1"]), ("renyi", ["2", "1"]), ("loss_tail", ["1", "0"]), ("ratio", ["1", "0"])],
)
def test_sampling_under_another_measure_is_refused(measure, d_out):
    with pytest.raises(KernelError, match="stated for pure and approximate DP"):
        rules.poisson_sampled(count_of(measure, *d_out), rate="1/2")


@pytest.mark.parametrize("rate", ["-1/10", "11/10", "2", "'a'"])
def test_sampling_at_no_probability_is_refused(rate):
    with pytest.raises(KernelError):
        rules.poisson_sampled(count_of("pure", "1"), rate=rate, d_out=["9"])
    with pytest.raises(TermError):
        law(read(f"poisson_sampled({rate}, randomised_response(3/4))"), (F(0),))


def test_sampling_of_what_is_no_private_claim_is_refused():
    with pytest.raises(KernelError, match="poisson_sampled takes a private claim"):
        rules.poisson_sampled(summed("count"), rate="1/2")


def test_sampled_loss_is_reached_by_clamped_noise():
    """ln(1 + (e - 1)/2) = 0.6201...: masses are powers of e, enclosed by intervals."""
    subject = "poisson_sampled(1/2, chain(count(finite(1)), truncated_geometric(1, 1, 0, 3)))"
    words = {"a": "tuple_of(0)", "b": "tuple_of()", "event": "tuple_of(1)"}
    claim = f"private({subject}, table(finite(1)), symmetric(1), pure({{}}))"
    assert rules.unlikely_elsewhere(claim=claim.format("62/100"), **words)
    with pytest.raises(KernelError, match="does not break"):
        rules.unlikely_elsewhere(claim=claim.format("621/1000"), **words)


def test_sampled_law_of_a_long_table_is_refused():
    with pytest.raises(TermError, match="a table short"):
        law(read("poisson_sampled(1/2, randomised_response(3/4))"), (F(0),) * 40)
