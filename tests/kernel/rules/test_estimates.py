"""Rules about estimates from reports: from all lemmas of the stem, of what says something of values, refused else."""

from dataclasses import replace

import pytest

from refdp.kernel import rules
from refdp.kernel.judgements import KernelError, Law, require_well_formed
from refdp.mechanisms.one_bit_mean import ONE_BIT_MEAN
from refdp.provers.lemmas import lemmas
from refdp.spec import obligations
from refdp.terms.reading import read
from refdp.terms.term import TermError
from tests.exactness.entering import written
from tests.kinds import believed, instead

RULES = {
    "symmetric_unary_encoding": rules.frequency_estimate, "rappor": rules.frequency_estimate,
    "subset_selection": rules.frequency_estimate, "k_ary_randomised_response": rules.balanced_estimate,
    "one_bit_mean": rules.number_estimate,
}  # fmt: skip
SUE = "symmetric_unary_encoding(2, 2/3)"
COUNTED = "integer(n), integer(having), 1 <= n, 0 <= having, having <= n"
TRUE = f"frequency_estimate({SUE}, 2/3, 1/3, 2 * n, {COUNTED})"
ONE = {"inputs": "tuple_of(0)", "value": "0"}


def needed(stem):
    return lemmas(stem, obligations.decoding(stem))


@pytest.mark.parametrize("stem", RULES)
def test_estimate_with_a_lemma_missing_more_or_in_another_order_is_refused(stem):
    own, rule = tuple(needed(stem)), RULES[stem]
    assert rule(*own, stem=stem).trusts == frozenset()
    wrong = [own[:i] + own[i + 1 :] for i in range(len(own))]
    for given in (*wrong, (*own, believed("composition.weaken")), own[::-1], (*own, own[0]), ()):
        with pytest.raises(KernelError, match="the premises must be the lemmas"):
            rule(*given, stem=stem)


@pytest.mark.parametrize("stem", ["discrete_laplace", "exponential", "one_bit_mean", "count", "truncated_geometric"])
def test_estimate_of_what_says_nothing_of_values_is_refused(stem):
    for rule in (rules.frequency_estimate, rules.balanced_estimate):
        with pytest.raises(KernelError, match="say nothing of values"):
            rule(stem=stem)
    with pytest.raises(KernelError):
        rules.enumerated_estimate(subject=f"{stem}(1)")


@pytest.mark.parametrize("stem", ["d_bit_flip", "one_bit_flip", "rappor", "permanent_response"])
def test_balanced_estimate_of_what_does_not_speak_of_every_result_is_refused(stem):
    with pytest.raises(KernelError, match="does not speak of every result"):
        rules.balanced_estimate(*needed(stem), stem=stem)


def test_estimate_from_entries_of_a_matrix_of_any_size_is_refused():
    """With 3 rows reports of another value do not say yes half of the time."""
    for rule in (rules.frequency_estimate, rules.balanced_estimate):
        with pytest.raises(KernelError, match="must be a power of 2"):
            rule(*needed("hadamard_entry_response"), stem="hadamard_entry_response")
    with pytest.raises(KernelError, match="must be a power of 2 for an estimate, got 3"):
        rules.enumerated_estimate(subject="hadamard_entry_response(3, 4/5)")
    assert rules.enumerated_estimate(subject="hadamard_entry_response(8, 4/5)")


def test_number_estimate_is_of_a_rate_with_an_estimator():
    with pytest.raises(KernelError, match="is not a registered"):
        rules.number_estimate(stem="symmetric_unary_encoding")
    with (
        instead(replace(ONE_BIT_MEAN, estimator=None)),
        pytest.raises(KernelError, match="one_bit_mean has no estimator"),
    ):
        rules.number_estimate(stem="one_bit_mean")
    own = needed("one_bit_mean")
    halved = replace(ONE_BIT_MEAN.estimator, width=written("width", "greatest", "greatest"))
    with (
        instead(replace(ONE_BIT_MEAN, estimator=halved)),
        pytest.raises(KernelError, match="the premises must be the lemmas"),
    ):
        rules.number_estimate(*own, stem="one_bit_mean")


@pytest.mark.parametrize(
    ("subject", "said"),
    [
        ("symmetric_unary_encoding(k, 2/3)", "expected closed parameters"),
        ("symmetric_unary_encoding(2, 1/2)", "do not say yes with two probabilities"),
        ("symmetric_unary_encoding(2, 1/3)", "breaks 1/2 <= truth"),
        ("symmetric_unary_encoding(65, 2/3)", "at most 64 values"),
        ("rappor(2, 1/2, 1/2, 3/4)", "no finite list"),
        ("hadamard_response(1, 4/5)", "do not say yes with two probabilities"),
        ("randomised_response(1/2)", "do not say yes with two probabilities"),
        ("hadamard_entry_response(1, 4/5)", "do not say yes with two probabilities"),  # every input has the one value
        ("symmetric_unary_encoding(0, 2/3)", "breaks 1 <= k"),
        ("hadamard_entry_response(0, 4/5)", "breaks 1 <= m"),
        ("k_ary_randomised_response(0, 1)", "breaks 2 <= k"),
    ],
)
def test_enumerated_estimate_is_refused(subject, said):
    with pytest.raises(KernelError, match=said):
        rules.enumerated_estimate(subject=subject)


def other(claim, values=None, **told):
    return rules.another_estimate(claim=claim, values=values or {}, **(ONE | told))


def test_another_estimate_refutes_what_is_false_and_nothing_else():
    assert (
        rules.enumerated_estimate(subject=SUE).claim.said
        == read(TRUE).arguments[1:3] + read("frequency_estimate(a, b, c, having * 2 + (n - having) * 2)").arguments[3:]
    )
    with pytest.raises(KernelError, match="the claim is true of these inputs"):
        other(TRUE)
    for false in (
        TRUE.replace("2 * n", "3 * n"),
        TRUE.replace("1/3, 2", "1/4, 2"),
        TRUE.replace("2/3, 1/3", "3/4, 1/3"),
    ):
        found = other(false).claim
        assert str(found.term) == f"refuted({read(false)})"
    assert other(TRUE.replace("2 * n", "2 * n + having - 1"), inputs="tuple_of(0, 0)")
    with pytest.raises(KernelError, match="is not a condition"):  # with an argument more, which once was carried along
        other(TRUE.replace("2 * n", "3 * n").replace("integer(having", "integer(having, publish_raw_data()"))
    with pytest.raises(KernelError, match="the claim is true of these inputs"):
        other(TRUE.replace("2 * n", "2 * n + having - 1"))


@pytest.mark.parametrize(
    ("claim", "told", "said"),
    [
        (TRUE, {"inputs": "tuple_of()"}, "inputs must be tuple_of"),
        (TRUE, {"inputs": "0"}, "inputs must be tuple_of"),
        (TRUE, {"inputs": "tuple_of(2)"}, "the inputs must be members of"),
        (TRUE, {"inputs": "tuple_of(1/2)"}, "the inputs must be members of"),
        (TRUE, {"value": "2"}, "the value must be below 2"),
        (TRUE, {"value": "-1"}, "the value must be below 2"),
        (TRUE, {"value": "1/2"}, "the value must be below 2"),
        (TRUE, {"value": "tuple_of(0)"}, "the value must be one number"),
        (TRUE.replace("2/3)", "truth)"), {}, "the values leave names in"),
        (TRUE.replace("2/3)", "truth)"), {"values": {"truth": "2/3", "n": "1"}}, "n, having and input are read off"),
        (TRUE.replace("2/3)", "truth)"), {"values": {"truth": "1/3"}}, "breaks 1/2 <= truth"),
        (TRUE.replace("2/3)", "truth)"), {"values": {"truth": "2"}}, "breaks truth < 1"),
        (TRUE.replace("1 <= n", "2 <= n"), {}, "the condition 2 <= 1 does not hold"),
        (TRUE.replace("1/3, 2 * n", "2/3, 2 * n"), {}, "both probabilities are the same"),
        (TRUE.replace(SUE, "discrete_laplace(1, 1)"), {}, "say nothing of values"),
        (TRUE.replace(SUE, "clamp_output(0, 1)"), {}, "clamp_output is no mechanism"),
        (TRUE.replace("frequency", "balanced"), {}, "balanced_estimate is of one of several hashes"),
        (TRUE.replace("frequency", "number"), {}, "number_estimate is of bits of a rate"),
        (TRUE.replace("frequency_estimate", "squared_error"), {}, "expected frequency_estimate or"),
        ("frequency_estimate(a, b)", {}, "expected frequency_estimate or"),
        (
            f"frequency_estimate(public_coordinate({SUE}, 2), 2/3, 1/2, n, {COUNTED})",
            {"inputs": "tuple_of(tuple_of(0, 0))"},
            "the value must be what functions give",
        ),
        (
            f"balanced_estimate(public_coordinate({SUE}, 2), 2/3, 1/2, n, {COUNTED})",
            {"inputs": "tuple_of(tuple_of(0, 0))", "value": "tuple_of(1, 1)"},
            "the hashes are not balanced",
        ),
        (
            f"balanced_estimate(public_coordinate({SUE}, 2), 2/3, 1/2, n, {COUNTED})",
            {"inputs": "tuple_of(tuple_of(0))", "value": "tuple_of(1, 1)"},
            "the inputs must be members of",
        ),
        ("number_estimate(one_bit_mean(1, 4), 0, 1, 1)", {"inputs": "tuple_of(0, 1)"}, "expected one input"),
        ("number_estimate(one_bit_mean(1, 4), 0, 1, 1)", {"inputs": "tuple_of(2)"}, "the inputs must be members of"),
    ],
)
def test_another_estimate_is_refused(claim, told, said):
    with pytest.raises(KernelError, match=said):
        other(claim, **told)


@pytest.mark.parametrize("kind", ["frequency_estimate", "balanced_estimate", "number_estimate"])
def test_a_claim_about_an_estimate_is_of_a_mechanism_and_three_numbers(kind):
    three = (read("1"), read("0"), read("n"))
    require_well_formed(Law(kind, read(SUE), (), three))
    for claim in (
        Law(kind, read(SUE), (), three[:2]),
        Law(kind, read("count(records())"), (), three),
        Law(kind, read(SUE), (), (*three[:2], read("tuple_of(1)"))),
    ):
        with pytest.raises(TermError):
            require_well_formed(claim)


@pytest.mark.parametrize("variance", ["ln(0)", "sqrt(-1)", "1 / 0"])
def test_a_claim_whose_variance_has_no_value_is_not_refuted_by_its_mean(variance):
    """It says nothing, and so nothing false."""
    with pytest.raises(KernelError):
        other(TRUE.replace("2 * n", variance).replace("2/3, 1/3", "3/4, 1/3"))


def test_a_claim_without_conditions_is_judged_by_its_numbers():
    assert other(TRUE.replace("2 * n", "3 * n").replace(f", {COUNTED}", "")).claim
    with pytest.raises(KernelError, match="the claim is true"):
        other(TRUE.replace(f", {COUNTED}", ""))


def test_hashes_are_balanced_where_no_other_value_is_there():
    claim = f"balanced_estimate(public_coordinate({SUE}, 2), 2/3, 1/2, 0, {COUNTED})"
    assert other(claim, inputs="tuple_of(tuple_of(0, 1))", value="tuple_of(0, 1)").claim


def test_an_estimate_of_a_number_is_refuted_by_its_mean_and_by_its_variance():
    """1BitMean of numbers from 0 to 1 at e^epsilon = 4 says one with probability (1 + 3 x) / 5."""
    true = "number_estimate(one_bit_mean(1, 4), 1/5, 5/3, (1 + 3 * input) * (4 - 3 * input) / 9)"
    for x in ("0", "1"):
        with pytest.raises(KernelError, match="the claim is true"):
            other(true, inputs=f"tuple_of({x})")
        assert other(true.replace("1/5, 5/3", "0, 1"), inputs=f"tuple_of({x})").claim
        assert other(true.replace("/ 9", "/ 8"), inputs=f"tuple_of({x})").claim
