"""Poisson sampling: one row added or removed, pure and approximate DP, a rate from 0 to 1; nothing else."""

from fractions import Fraction as F

import pytest

from refdp.kernel import rules
from refdp.kernel.judgements import KernelError
from refdp.numerics.exact import decide
from refdp.spec.semantics import law
from refdp.terms.reading import read
from refdp.terms.term import TermError, exp, ln, number
from tests.exactness.claims import private
from tests.exactness.entering import given
from tests.kinds import noise, noisy_count, response, summed


def count_of(measure, *d_out, metric="symmetric", d_in=1, domain="table(finite(2))"):
    """A claim about some mechanism, taken as given."""
    return given(private("randomised_response(3/4)", domain, metric, d_in, measure, map(read, d_out)))


def test_sampled_loss_is_the_amplified_one():
    family = rules.poisson_sampled(noisy_count("scale"))
    assert str(family.claim.d_out[0]) == "ln(1 + rate * (exp(1 / scale) - 1))"
    assert [str(c) for c in family.claim.given] == ["0 < scale", "0 <= rate", "rate <= 1"]
    found = rules.poisson_sampled(count_of("approximate", "ln(3)", "1/10"), rate="1/2").claim
    assert [str(t) for t in found.d_out] == ["ln(2)", "1/20"]
    assert (str(found.subject), found.metric, str(found.d_in)) == (
        "poisson_sampled(1/2, randomised_response(3/4))",
        "symmetric",
        "1",
    )
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


def replaced(measure, *d_out, metric="change_one", d_in=1, domain="table(finite(2))"):
    """A claim about one replaced row, taken as given."""
    return count_of(measure, *d_out, metric=metric, d_in=d_in, domain=domain)


def test_sampled_loss_of_a_fixed_size_is_the_amplified_one():
    found = rules.fixed_size_sampled(replaced("approximate", "ln(3)", "1/10"), sample="2", size="4").claim
    assert [str(t) for t in found.d_out] == ["ln(2)", "1/20"]
    assert (str(found.subject), str(found.domain)) == (
        "fixed_size_sampled(2, randomised_response(3/4))",
        "sized_table(finite(2), 4)",
    )
    family = rules.fixed_size_sampled(replaced("approximate", "epsilon", "0")).claim
    assert [str(c) for c in family.given] == [
        "integer(sample)",
        "integer(size)",
        "1 <= sample",
        "sample <= size",
        "0 <= epsilon",
    ]
    sized = replaced("pure", "ln(3)", domain="sized_table(finite(2), 2)")
    assert str(rules.fixed_size_sampled(sized, sample="2", size="2").claim.d_out[0]) == "ln(3)"


def test_sampled_loss_of_a_fixed_size_that_is_too_small_is_refused():
    for sample, size, less in (("10", "100", "0.15856"), ("11", "100", "0.15857"), ("10", "99", "0.15857")):
        with pytest.raises(KernelError, match="not an upper bound"):
            rules.fixed_size_sampled(replaced("pure", "1"), sample=sample, size=size, d_out=[less])
    assert rules.fixed_size_sampled(replaced("pure", "1"), sample="10", size="100", d_out=["0.15857"])


@pytest.mark.parametrize("words", [
    {"metric": "symmetric"}, {"metric": "hamming"}, {"d_in": 2}, {"d_in": F(1, 2)},
])  # fmt: skip
def test_sampling_a_fixed_size_of_anything_but_one_replaced_row_is_refused(words):
    with pytest.raises(KernelError, match="expected one replaced row"):
        rules.fixed_size_sampled(replaced("pure", "1", **words), sample="1", size="2")


def test_sampling_a_fixed_size_of_no_tables_or_of_tables_of_another_size_is_refused():
    with pytest.raises(KernelError, match="expected a table"):
        rules.fixed_size_sampled(replaced("pure", "1", domain="finite(2)"), sample="1", size="2")
    for sample in ("2", "4", "size"):
        with pytest.raises(KernelError, match="does not read tables of"):
            rules.fixed_size_sampled(replaced("pure", "1", domain="sized_table(finite(2), 3)"), sample=sample, size="5")
    with pytest.raises(KernelError, match="takes a private claim"):
        rules.fixed_size_sampled(summed("count"))


@pytest.mark.parametrize(
    ("measure", "d_out"),
    [("concentrated", ["1"]), ("renyi", ["2", "1"]), ("gaussian", ["1"]), ("loss_tail", ["1", "0"])],
)
def test_sampling_a_fixed_size_under_another_measure_is_refused(measure, d_out):
    with pytest.raises(KernelError, match="stated for pure and approximate DP"):
        rules.fixed_size_sampled(replaced(measure, *d_out), sample="1", size="2")


@pytest.mark.parametrize(
    ("sample", "size"), [("0", "3"), ("4", "3"), ("1/2", "3"), ("1", "3/2"), ("-1", "3"), ("'a'", "3")]
)
def test_sampling_no_whole_number_of_rows_is_refused(sample, size):
    with pytest.raises(KernelError):
        rules.fixed_size_sampled(replaced("pure", "ln(3)"), sample=sample, size=size, d_out=["9"])


def test_sampling_a_fixed_size_of_a_negative_epsilon_is_refused():
    with pytest.raises(KernelError, match="does not hold"):
        rules.fixed_size_sampled(replaced("approximate", "ln(1/2)", "1"), sample="1", size="2")


def test_sampled_law_of_a_fixed_size_counts_positions():
    """Of (0, 0, 1) two of the three samples of two rows are (0, 1)."""
    from tests.exactness.entering import entered, lookup

    laws = {(0, 0): {0: F(1), 1: F(0)}, (0, 1): {0: F(0), 1: F(1)}, (1, 1): {0: F(1), 1: F(0)}}
    with entered(lookup("m", "table(finite(2))", laws)):
        assert law(read("fixed_size_sampled(2, m())"), (F(0), F(0), F(1))) == {0: F(1, 3), 1: F(2, 3)}
        with pytest.raises(TermError, match="whole number from 1 to 3"):
            law(read("fixed_size_sampled(4, m())"), (F(0),) * 3)
        with pytest.raises(TermError, match="more than"):
            law(read("fixed_size_sampled(20, m())"), (F(0),) * 40)
