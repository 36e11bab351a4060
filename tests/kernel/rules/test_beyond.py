"""Beyond global sensitivity: each rule concludes from all of its lemmas, and refuses whatever it does not speak of."""

from dataclasses import replace
from fractions import Fraction as F

import pytest

from refdp.kernel import rules
from refdp.kernel.judgements import KernelError
from refdp.mechanisms import ABOVE_THRESHOLD, GUMBEL_NOISY_MAX
from refdp.mechanisms.discrete_above_threshold import DISCRETE_ABOVE_THRESHOLD
from refdp.mechanisms.exponential import EXPONENTIAL
from refdp.mechanisms.stability_histogram import STABILITY_HISTOGRAM
from refdp.spec import obligations
from refdp.spec.semantics import draws_numbers, law
from refdp.terms.reading import read
from refdp.terms.term import TermError
from tests.exactness.entering import entered, given, written
from tests.kinds import believed, instead, lemmas, mechanism, noise, registered, response

ABOVE = ["above_threshold", "discrete_above_threshold"]
INCOMPLETE = ["above_exact_threshold", "exact_answers_above_threshold", "all_above_threshold"]
COUNTS = ["stability_histogram", "stability_keys", "laplace_stability_histogram", "laplace_stability_keys"]


def monotone(stem="exponential"):
    return rules.monotone_selection(*lemmas(stem, obligations.monotone(stem)), stem=stem)


def same():
    return rules.same_law(
        *lemmas("gumbel_noisy_max", obligations.same_law("gumbel_noisy_max")), stem="gumbel_noisy_max"
    )


RULES = {
    "above_threshold": (ABOVE, obligations.privacy, {"metric": "linf"}),
    "thresholded_counts": (COUNTS, obligations.privacy, {"neighbours": "add_remove"}),
    "monotone_selection": (["exponential"], obligations.monotone, {}),
}


@pytest.mark.parametrize("rule", RULES)
def test_rule_with_a_lemma_missing_more_or_in_another_order_is_refused(rule):
    stems, needed, data = RULES[rule]
    for stem in stems:
        found = lemmas(stem, needed(stem))
        assert len(found) > 1
        wrong = [found[:i] + found[i + 1 :] for i in range(len(found))]
        wrong += [[*found, believed("composition.weaken")], found[::-1], [*found, found[0]], []]
        for premises in wrong:
            with pytest.raises(KernelError, match="the premises must be the lemmas"):
                getattr(rules, rule)(*premises, stem=stem, **data)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("stem", ["laplace", "count", "randomised_response", "permute_and_flip", "nothing", ""])
def test_rule_about_another_kind_is_refused(rule, stem):
    with pytest.raises(KernelError, match="is not a registered"):
        getattr(rules, rule)(stem=stem, **RULES[rule][2])


@pytest.mark.parametrize("metric", ["l1", "absolute", "symmetric", "", "discrete", "one_coordinate"])
def test_above_threshold_under_another_metric_is_refused(metric):
    with pytest.raises(KernelError, match="the metric of answers must be one of linf, monotone"):
        rules.above_threshold(*mechanism("above_threshold").premises, stem="above_threshold", metric=metric)


@pytest.mark.parametrize("stem", INCOMPLETE)
def test_above_threshold_without_a_noise_or_a_limit_has_no_map(stem):
    with pytest.raises(KernelError, match="has no privacy map"):
        rules.above_threshold(*lemmas(stem, obligations.law(stem)), stem=stem, metric="linf")
    with pytest.raises(TermError, match="has no privacy map"):
        obligations.privacy(stem)


@pytest.mark.parametrize("field", ["threshold_scale", "answer_scale", "threshold_loss", "answer_loss"])
def test_above_threshold_with_anything_absent_has_no_map(field):
    with (
        registered(replace(ABOVE_THRESHOLD, stem="m", **{field: None})),
        pytest.raises(KernelError, match="has no privacy map"),
    ):
        rules.above_threshold(*mechanism("above_threshold").premises, stem="m", metric="linf")


def test_lemmas_of_other_formulas_are_refused():
    premises = mechanism("above_threshold").premises
    half = written("answer_scale", "answer_scale", "answer_scale / 2")
    with (
        instead(replace(ABOVE_THRESHOLD, answer_scale=half)),
        pytest.raises(KernelError, match="the premises must be the lemmas"),
    ):
        rules.above_threshold(*premises, stem="above_threshold", metric="linf")


@pytest.mark.parametrize(
    ("kind", "change", "said"),
    [
        (ABOVE_THRESHOLD, {"noise": "gumbel"}, "noise must be one of"),
        (ABOVE_THRESHOLD, {"noise": "discrete_laplace"}, "must have the condition 0 < granularity"),
        (
            ABOVE_THRESHOLD,
            {"conditions": ABOVE_THRESHOLD.conditions[1:]},
            r"must have the condition integer\(positives",
        ),
        (ABOVE_THRESHOLD, {"conditions": ABOVE_THRESHOLD.conditions[::2]}, "must have the condition 1 <= positives"),
        (DISCRETE_ABOVE_THRESHOLD, {"conditions": DISCRETE_ABOVE_THRESHOLD.conditions[:-1]}, "condition multiple"),
        (STABILITY_HISTOGRAM, {"noise": "normal"}, "noise must be one of"),
        (STABILITY_HISTOGRAM, {"parameters": ("scale", "threshold")}, "must have the parameter rows"),
        (
            STABILITY_HISTOGRAM,
            {"conditions": STABILITY_HISTOGRAM.conditions[::2]},
            "threshold is not integer-valued|is not integer-valued",
        ),
        (STABILITY_HISTOGRAM, {"threshold": written("t", "threshold", "threshold / 2")}, "is not integer-valued"),
    ],
)
def test_a_kind_that_says_nothing_is_refused(kind, change, said):
    with pytest.raises(TermError, match=said):
        replace(kind, stem="m", **change)


def test_a_threshold_below_1_has_no_lemma():
    """The tail beyond 1 has another formula there."""
    low = replace(STABILITY_HISTOGRAM, stem="m", threshold=written("t", "threshold", "threshold - 1"))
    with registered(low):
        statement = obligations.privacy("m")["threshold_is_at_least_1"]
        assert str(statement.show) == "1 <= threshold - 1"


@pytest.mark.parametrize("neighbours", ["lists", "symmetric", ""])
def test_thresholded_counts_of_other_neighbours_are_refused(neighbours):
    with pytest.raises(KernelError, match="neighbours must be one of"):
        rules.thresholded_counts(*mechanism("stability_keys").premises, stem="stability_keys", neighbours=neighbours)


def test_thresholded_counts_are_stated_for_one_row():
    claim = mechanism("stability_histogram").claim
    assert (str(claim.domain), claim.metric, str(claim.d_in)) == ("table(rows)", "symmetric", "1")
    assert [str(t) for t in claim.d_out] == ["1 / scale", "exp(-((threshold - 1) / scale)) / (1 + exp(-(1 / scale)))"]


def test_peeled_names_what_it_needs():
    claim = rules.peeled(mechanism("exponential")).claim
    assert str(claim.term) == (
        "private(peeled(exponential(scale), k), vector(reals(), candidates), linf(d_in), pure(k * (2 * d_in / scale)), "
        "0 < scale, 0 <= d_in, integer(candidates), 1 <= candidates, integer(k), 1 <= k, k <= candidates)"
    )
    assert rules.peeled(monotone(), k="3").claim.metric == "monotone"


@pytest.mark.parametrize(
    ("premise", "said"),
    [
        (lambda: noise(), "expected scores of which each moves"),
        (lambda: response(), "expected scores of which each moves"),
        (lambda: believed("composition.weaken"), "takes a private claim"),
        (lambda: rules.pure_to_approximate(mechanism("exponential")), "expected pure DP"),
        (lambda: rules.pure_to_concentrated(mechanism("exponential")), "expected pure DP"),
        (lambda: rules.instantiate(mechanism("exponential"), values={"candidates": "3"}), "expected any scores"),
        (lambda: rules.instantiate(mechanism("exponential"), values={"candidates": "n"}), "expected any scores"),
        (
            lambda: rules.instantiate(mechanism("exponential"), values={"scale": "candidates"}),
            "any number of candidates",
        ),
        (
            lambda: rules.instantiate(mechanism("exponential"), values={"d_in": "candidates"}),
            "any number of candidates",
        ),
        (lambda: given(replace(mechanism("exponential").claim, metric="l1")), "expected scores of which each moves"),
        (lambda: given(replace(mechanism("exponential").claim, given=(read("2 <= candidates"),))), "any number of"),
        (lambda: mechanism("above_threshold"), "expected any scores"),
    ],
)
def test_peeled_of_another_claim_is_refused(premise, said):
    with pytest.raises(KernelError, match=said):
        rules.peeled(premise())


def test_peeled_of_what_is_no_selection_is_refused():
    """What it is about must be a selection, not one with something more in its outcome."""
    pair = rules.compose(mechanism("exponential"), mechanism("exponential"))
    with pytest.raises(KernelError):
        rules.peeled(pair)
    with pytest.raises(KernelError):
        rules.peeled(rules.peeled(mechanism("exponential"), k="1"))
    with pytest.raises(KernelError):
        rules.peeled(rules.post_process(mechanism("exponential"), function="clamp_output(0, 1)"))


@pytest.mark.parametrize("k", ["0", "-1", "3/2", "candidates", "candidates - 1"])
@pytest.mark.parametrize("rule", ["peeled", "one_shot_law"])
def test_several_that_are_no_number_of_candidates_are_refused(rule, k):
    premise = mechanism("exponential") if rule == "peeled" else same()
    with pytest.raises(KernelError, match=r"does not hold|must not be chosen|must be a whole number"):
        getattr(rules, rule)(premise, k=k)


def test_more_candidates_than_there_are_have_no_claim():
    several = rules.peeled(mechanism("exponential"), k="4")
    with pytest.raises(KernelError, match="does not hold"):
        rules.instantiate(several, values={"candidates": "3"})
    assert rules.instantiate(several, values={"candidates": "4"})


def test_one_shot_has_the_law_of_several_and_so_their_loss():
    shot = rules.one_shot_law(same())
    assert str(shot.claim.term) == (
        "same_law(one_shot(gumbel_noisy_max(scale), k), peeled(exponential(scale), k), 0 < scale, integer(candidates), "
        "1 <= candidates, integer(k), 1 <= k, k <= candidates)"
    )
    claim = rules.by_the_same_law(rules.peeled(mechanism("exponential")), shot).claim
    assert str(claim.subject) == "one_shot(gumbel_noisy_max(scale), k)"
    with pytest.raises(KernelError, match="is not the selection whose law it is"):
        rules.by_the_same_law(mechanism("exponential"), shot)
    with pytest.raises(KernelError, match="is not the selection whose law it is"):
        rules.by_the_same_law(rules.peeled(mechanism("exponential"), k="2"), shot)


@pytest.mark.parametrize(
    ("premise", "said"),
    [
        (lambda: mechanism("exponential"), "expected a claim of the same law"),
        (lambda: rules.normalised(stem="exponential"), "expected a claim of the same law"),
        (lambda: rules.same_law(*lemmas("exponential_noisy_max", obligations.same_law("exponential_noisy_max")),
                                stem="exponential_noisy_max"), "expected Gumbel noise, got exponential noise"),
        (lambda: rules.instantiate(same(), values={"candidates": "3"}), "any number of candidates"),
        (lambda: rules.instantiate(same(), values={"candidates": "n"}), "any number of candidates"),
        (lambda: rules.one_shot_law(same()), "is not a registered NoisyMax"),
    ],
)  # fmt: skip
def test_one_shot_law_of_another_claim_is_refused(premise, said):
    with pytest.raises(KernelError, match=said):
        rules.one_shot_law(premise())


def test_monotone_selection_needs_weights_that_grow():
    falling = written("log_weight", "score scale", "-(score / scale)")
    with registered(replace(EXPONENTIAL, stem="m", log_weight=falling)):
        assert str(obligations.monotone("m")["weight_grows_with_the_score"].show) == "-(u / scale) <= -(v / scale)"
    claim = monotone().claim
    assert (claim.metric, str(claim.d_out[0])) == ("monotone", "2 * d_in / scale / 2")


@pytest.mark.parametrize(
    ("subject", "x", "said"),
    [
        ("above_threshold(0, 1, 1, 1)", (), "not in the domain"),
        ("above_threshold(0, 1, 1, 1)", F(1), "not in the domain"),
        ("above_threshold(0, 0, 1, 1)", (F(1),), "breaks 1 <= positives"),
        ("above_threshold(0, 1/2, 1, 1)", (F(1),), r"breaks integer\(positives"),
        ("above_threshold(0, 1, 0, 1)", (F(1),), "breaks 0 < threshold_scale"),
        ("above_threshold(0, 40, 1, 1)", (F(1),) * 40, "more than 100000 outcomes"),
        ("discrete_above_threshold(0, 1, 1, 1, 1)", (F(1, 2),), "not in the domain"),
        ("discrete_above_threshold(1/2, 1, 1, 1, 1)", (F(1),), "breaks multiple"),
        ("stability_keys(grid(1), 1, 0)", (F(1),), "breaks 1 <= threshold"),
        ("stability_keys(grid(1), 1, 3/2)", (F(1),), "breaks integer"),
        ("stability_keys(grid(1), 1, 2)", (F(1, 2),), "not in the domain"),
        ("stability_keys(records(), 1, 2)", ({"a": F(1)},), "keys must be numbers or texts"),
        ("stability_keys(grid(1), 1, 2)", tuple(map(F, range(20))), "more than 100000 outcomes"),
        ("stability_histogram(grid(1), 1, 2)", (F(1),), "has no finite law"),
        ("peeled(exponential(1), 3)", (F(1), F(2)), "must be a whole number from 1"),
        ("peeled(exponential(1), 1)", (), "scores must be a vector"),
        ("peeled(exponential(1), 1)", F(1), "scores must be a vector"),
        ("peeled(exponential(1), 8)", (F(1),) * 9, "more than 100000 outcomes"),
        ("one_shot(gumbel_noisy_max(1), 0)", (F(1), F(2)), "must be a whole number from 1"),
        ("one_shot(gumbel_noisy_max(1), 1/2)", (F(1), F(2)), "must be a whole number from 1"),
        ("one_shot(gumbel_noisy_max(1), 2)", ("a", "b"), "scores must be a vector"),
        ("one_shot(laplace_noisy_max(1), 2)", (F(1), F(2)), "is not known"),
        ("one_shot(exponential(1), 2)", (F(1), F(2)), "is not a registered NoisyMax"),
    ],
)
def test_laws_of_what_is_no_input_or_too_large_are_refused(subject, x, said):
    with pytest.raises(TermError, match=said):
        law(read(subject), x)


def test_outcomes_of_these_are_no_numbers_that_a_second_mechanism_may_read():
    subjects = ("discrete_above_threshold(0, 1, 1, 1, 1)", "stability_keys(grid(1), 1, 2)", "peeled(exponential(1), 2)")
    assert [draws_numbers(read(s)) for s in subjects] == [False] * 3


VALUED = "private(with_its_value(above_threshold(0, {}, 1, 1)), vector(reals(), {}), linf(1), pure({}))"


def valued(positives, epsilon, a, b, output):
    """The refutation by the density of a place with its value."""
    claim = VALUED.format(positives, len(a), epsilon)
    told = [f"tuple_of({', '.join(map(str, x))})" for x in (a, b, output)]
    return rules.denser_elsewhere(claim=claim, a=told[0], b=told[1], output=told[2])


def test_the_value_of_an_answer_above_shows_each_answer_before_it():
    """k + 1 answers that move by 1 make a value below them all e^(k + 1) times denser; no more than that is refuted."""
    for k in range(4):
        a, b = [0] * 4, [1] * 4
        assert valued(1, F(k + 1) - F(1, 1000), a, b, (k, -1))
        with pytest.raises(KernelError, match="does not break"):
            valued(1, k + 1, a, b, (k, -1))
    assert valued(1, F(999, 1000), [0, 5, -1], [1, 5, -1], (0, -2))


@pytest.mark.parametrize(
    ("positives", "output", "said"),
    [
        (2, (0, -1), "has no exact ratio"),
        (1, (0, 0), "has no exact ratio"),
        (1, (0, 5), "has no exact ratio"),
        (1, (4, -1), "is not an outcome"),
        (1, (-1, -1), "is not an outcome"),
        (1, ("1/2", -1), "is not an outcome"),
        (1, (0, -1, -1), "an outcome must be"),
    ],
)
def test_the_value_of_an_answer_above_refutes_nothing_elsewhere(positives, output, said):
    with pytest.raises(KernelError, match=said):
        valued(positives, "1/2", [0] * 4, [1] * 4, output)


def test_one_shot_of_other_noise_is_no_mechanism_with_a_law_here():
    other = replace(GUMBEL_NOISY_MAX, stem="m", noise="laplace", same_law_as="")
    with entered(other), pytest.raises(TermError, match="is not known"):
        law(read("one_shot(m(1), 1)"), (F(0), F(1)))
