"""A claim about an error follows from the very lemmas about the mechanism's own formulas, and from nothing less."""

from dataclasses import replace

import pytest

import refdp.statements.accuracy
from refdp.kernel import rules
from refdp.kernel.judgements import KernelError
from refdp.mechanisms.discrete_laplace import DISCRETE_LAPLACE
from refdp.mechanisms.laplace import LAPLACE
from refdp.spec import accuracy
from refdp.spec.registry import kind_of
from refdp.terms.reading import read
from tests.kinds import believed, instead, lemmas, noise, registered

__all__ = ["refdp"]


def noise_tail(stem, event="at_least", exactly="no", inverted="no"):
    needed = accuracy.noise_obligations(kind_of(stem), exactly == "yes", inverted == "yes")
    return rules.noise_tail(*lemmas(stem, needed), stem=stem, event=event, exactly=exactly, inverted=inverted)


def selection_tail(stem, inverted="no"):
    needed = accuracy.selection_obligations(kind_of(stem), inverted == "yes")
    return rules.selection_tail(*lemmas(stem, needed), stem=stem, inverted=inverted)


def mistake_tail(stem="k_ary_randomised_response"):
    return rules.mistake_tail(*lemmas(stem, accuracy.mistake_obligations(kind_of(stem))), stem=stem)


def estimate_tail(stem="randomised_response"):
    return rules.estimate_tail(*lemmas(stem, accuracy.estimate_obligations(kind_of(stem))), stem=stem)


def concludes(theorem):
    """The claim without the subject, the domain and the conditions on parameters."""
    claim = theorem.claim
    found = [f"{claim.event} {claim.threshold} {claim.bound} {claim.beta}", *map(str, claim.given)]
    return [text for text in found if text not in ("0 < scale", "0 < granularity", "0 < sigma")]


WEIGHT = "exp(-alpha / scale)"
BELL = "exp(-alpha ** 2 / (2 * sigma ** 2))"
ON_THE_GRID = "multiple(alpha, granularity)"


@pytest.mark.parametrize(
    ("stem", "options", "claim"),
    [
        ("laplace", {}, [f"at_least alpha at_most {WEIGHT}", "0 <= alpha"]),
        ("laplace", {"event": "more_than"}, [f"more_than alpha at_most {WEIGHT}", "0 <= alpha"]),
        ("laplace", {"exactly": "yes"}, [f"at_least alpha probability {WEIGHT}", "0 <= alpha"]),
        (
            "laplace",
            {"exactly": "yes", "inverted": "yes"},
            ["at_least scale * ln(1 / beta) probability beta", "0 < beta", "beta <= 1"],
        ),
        ("laplace", {"inverted": "yes"}, ["at_least scale * ln(1 / beta) at_most beta", "0 < beta", "beta <= 1"]),
        ("discrete_laplace", {}, [f"at_least alpha at_most 2 * {WEIGHT}", "0 <= alpha"]),
        (
            "discrete_laplace",
            {"event": "more_than"},
            [f"more_than alpha at_most {WEIGHT}", "0 <= alpha", ON_THE_GRID],
        ),
        (
            "discrete_laplace",
            {"exactly": "yes"},
            [
                f"at_least alpha probability 2 * {WEIGHT} / (1 + exp(-granularity / scale))",
                "0 < alpha",
                ON_THE_GRID,
            ],
        ),
        (
            "discrete_laplace",
            {"exactly": "yes", "event": "more_than"},
            [
                "more_than alpha probability 2 * exp(-(alpha + granularity) / scale) / (1 + exp(-granularity / scale))",
                "0 <= alpha",
                ON_THE_GRID,
            ],
        ),
        (
            "discrete_laplace",
            {"inverted": "yes"},
            ["at_least scale * ln(2 / beta) at_most beta", "0 < beta", "beta <= 1"],
        ),
        ("gaussian", {}, [f"at_least alpha at_most {BELL}", "0 <= alpha"]),
        ("gaussian", {"exactly": "yes"}, ["at_least alpha probability 2 * normal_tail(alpha / sigma)", "0 <= alpha"]),
        ("discrete_gaussian", {}, [f"at_least alpha at_most 2 * {BELL}", "0 <= alpha"]),
        ("discrete_gaussian", {"event": "more_than"}, [f"more_than alpha at_most {BELL}", "0 <= alpha", ON_THE_GRID]),
    ],
)
def test_noise_tail_concludes(stem, options, claim):
    assert concludes(noise_tail(stem, **options)) == claim


@pytest.mark.parametrize(
    ("stem", "options", "why"),
    [
        ("laplace", {"event": "reaches"}, "event must be one of at_least, more_than, got reaches"),
        ("laplace", {"exactly": "maybe"}, "expected yes or no"),
        ("laplace", {"inverted": "maybe"}, "expected yes or no"),
        ("discrete_laplace", {"exactly": "yes", "inverted": "yes"}, "need not be a grid point"),
        ("discrete_laplace", {"event": "more_than", "inverted": "yes"}, "need not be a grid point"),
        ("gaussian", {"inverted": "yes"}, "gaussian has no radius"),
        ("gaussian", {"exactly": "yes", "inverted": "yes"}, "the normal tail of gaussian has no radius"),
        ("discrete_gaussian", {"exactly": "yes"}, "the log_tail of discrete_gaussian is only a bound"),
        ("randomised_response", {}, "'randomised_response' is not a registered AdditiveNoise"),
    ],
)
def test_noise_tail_is_refused(stem, options, why):
    chosen = {"event": "at_least", "exactly": "no", "inverted": "no"} | options
    try:
        needed = lemmas(
            stem, accuracy.noise_obligations(kind_of(stem), *(chosen[k] == "yes" for k in ("exactly", "inverted")))
        )
    except (ValueError, AttributeError):
        needed = []
    with pytest.raises(KernelError, match=why):
        rules.noise_tail(*needed, stem=stem, **chosen)


def test_noise_tail_of_a_noise_that_claims_none_is_refused():
    with registered(replace(LAPLACE, stem="silent", tails=None)), pytest.raises(KernelError, match="has no log_tail"):
        rules.noise_tail(stem="silent", event="at_least")


def test_noise_tail_of_normal_noise_on_a_grid_is_refused():
    gaussian = kind_of("discrete_gaussian")
    with registered(replace(gaussian, stem="rounded", deviation=kind_of("gaussian").deviation)):
        assert "weights_are_normal" not in accuracy.every_obligation(kind_of("rounded"))
        with pytest.raises(KernelError, match="is on a grid, so it is not normal"):
            rules.noise_tail(stem="rounded", event="at_least", exactly="yes")


EVERY = [
    ("noise_tail", noise_tail("laplace", exactly="yes", inverted="yes")),
    ("noise_tail", noise_tail("discrete_laplace")),
    ("noise_tail", noise_tail("gaussian", exactly="yes")),
    ("selection_tail", selection_tail("exponential", "yes")),
    ("selection_tail", selection_tail("permute_and_flip")),
    ("mistake_tail", mistake_tail()),
    ("estimate_tail", estimate_tail()),
]


@pytest.mark.parametrize(("rule", "theorem"), EVERY)
def test_tail_rests_on_each_of_its_lemmas(rule, theorem):
    """Without one of them, with another one in its place, in another order or with one too many, nothing follows."""
    infer, needed, other = getattr(rules, rule), theorem.premises, believed("clamp.rows_stay_inside")
    assert infer(*needed, **theorem.data).claim == theorem.claim
    variants = [needed[:i] + more + needed[i + 1 :] for i in range(len(needed)) for more in ((), (other,))]
    for premises in (*variants, (*needed, other), *([needed[::-1]] if len(needed) > 1 else [])):
        with pytest.raises(KernelError, match="the premises must be the lemmas"):
            infer(*premises, **theorem.data)


def test_tail_of_other_formulas_does_not_rest_on_these_lemmas():
    """The lemmas name the digest of the formulas: those of half the tail are others."""
    theorem = noise_tail("laplace", exactly="yes")
    halved = replace(LAPLACE.tails.log_tail, term=read("-alpha / scale - ln(2)"))
    other = replace(LAPLACE, tails=replace(LAPLACE.tails, log_tail=halved))
    with instead(other), pytest.raises(KernelError, match="the premises must be the lemmas"):
        rules.noise_tail(*theorem.premises, **theorem.data)


@pytest.mark.parametrize(
    ("stem", "inverted", "claim"),
    [
        ("exponential", "no", f"at_least alpha at_most candidates * {WEIGHT}"),
        ("exponential", "yes", "at_least scale * ln(candidates / beta) at_most beta"),
        ("permute_and_flip", "no", f"at_least alpha at_most candidates * {WEIGHT}"),
        ("permute_and_flip", "yes", "at_least scale * ln(candidates / beta) at_most beta"),
    ],
)
def test_selection_tail_concludes(stem, inverted, claim):
    found = concludes(selection_tail(stem, inverted))
    assert found[:3] == [claim, "integer(candidates)", "1 <= candidates"]
    assert found[3:] == (["0 < beta", "beta <= 1"] if inverted == "yes" else ["0 <= alpha"])


@pytest.mark.parametrize(
    ("stem", "why"), [("laplace", "laplace is no selection"), ("nobody", "'nobody' is not registered")]
)
def test_selection_tail_is_refused(stem, why):
    with pytest.raises(KernelError, match=why):
        rules.selection_tail(stem=stem)


def test_mistake_tail_is_one_less_the_truth():
    assert str(mistake_tail().claim.term) == (
        "tail(k_ary_randomised_response(k, truth), finite(k), mistake(at_least(1)), probability(1 - truth), "
        "integer(k), 2 <= k, 1 <= truth * k, truth < 1)"
    )


def test_estimate_tail_has_hoeffdings_constant():
    assert str(estimate_tail().claim.term) == (
        "tail(estimate(randomised_response(truth), n), vector(finite(2), n), mean_error(at_least(1 / (2 * truth - 1) * "
        "sqrt(ln(2 / beta) / (2 * n)))), at_most(beta), 1/2 <= truth, truth < 1, 1/2 < truth, integer(n), 1 <= n, "
        "0 < beta, beta <= 1)"
    )


@pytest.mark.parametrize(
    ("rule", "stem", "why"),
    [
        (rules.mistake_tail, "laplace", "is not a registered FiniteLaw"),
        (rules.estimate_tail, "laplace", "is not a registered FiniteLaw"),
        (rules.estimate_tail, "k_ary_randomised_response", "has no estimator"),
    ],
)
def test_tail_of_a_finite_law_is_refused(rule, stem, why):
    with pytest.raises(KernelError, match=why):
        rule(stem=stem)


def test_mistake_tail_of_a_law_that_claims_no_truth_is_refused():
    silent = replace(kind_of("k_ary_randomised_response"), stem="silent", hit=None)
    with registered(silent), pytest.raises(KernelError, match="has no probability of the truth"):
        rules.mistake_tail(stem="silent")


def test_tail_of_many_adds_up_or_multiplies():
    one = noise_tail("laplace", exactly="yes", inverted="yes")
    union, exact = rules.tail_of_many(one).claim, rules.tail_of_many(one, exactly="yes").claim
    assert (str(union.subject), str(union.domain)) == (
        "coordinatewise(laplace(scale), dimension)",
        "vector(reals(), dimension)",
    )
    assert (union.bound, str(union.beta)) == ("at_most", "dimension * beta")
    assert (exact.bound, str(exact.beta)) == ("probability", "1 - exp(dimension * ln(1 - beta))")
    assert [*map(str, exact.given)] == [*map(str, union.given), "beta < 1"]
    assert [*map(str, union.given)] == ["0 < scale", "0 < beta", "beta <= 1", "integer(dimension)", "1 <= dimension"]


def test_tail_of_many_keeps_a_bound_a_bound():
    assert rules.tail_of_many(noise_tail("gaussian"), exactly="yes").claim.bound == "at_most"


@pytest.mark.parametrize(
    ("theorem", "why"),
    [
        (noise("laplace"), "expected a claim about the error of a number"),
        (selection_tail("exponential"), "expected a claim about the error of a number"),
        (mistake_tail(), "expected a claim about the error of a number"),
        (rules.tail_of_many(noise_tail("laplace")), "expected a claim about numbers"),
        (rules.instantiate(noise_tail("laplace"), values={"alpha": "dimension"}), "the name dimension is taken"),
    ],
)
def test_tail_of_many_is_refused(theorem, why):
    with pytest.raises(KernelError, match=why):
        rules.tail_of_many(theorem)


def test_tail_of_many_is_exact_or_not():
    with pytest.raises(KernelError, match="expected yes or no"):
        rules.tail_of_many(noise_tail("laplace"), exactly="perhaps")


WIDTH = "accuracy.width_in_epsilon"
AT_EPSILON = {"truth": "exp(epsilon) / (1 + exp(epsilon))"}


def test_tail_restated_has_the_constant_of_the_document():
    at_epsilon = rules.instantiate(estimate_tail(), values=AT_EPSILON)
    found = rules.tail_restated(at_epsilon, believed(WIDTH), values={"t": "exp(epsilon)"}).claim
    assert str(found.threshold) == "(1 + exp(epsilon)) / (exp(epsilon) - 1) * sqrt(ln(2 / beta) / (2 * n))"
    assert found.given == (*at_epsilon.claim.given, read("1 < exp(epsilon)"))


@pytest.mark.parametrize(
    ("premises", "values", "why"),
    [
        ((mistake_tail(), believed(WIDTH)), {"t": "2"}, "does not occur in 1"),
        ((estimate_tail(), believed(WIDTH)), {"t": "2"}, "does not occur"),
        ((estimate_tail(), believed(WIDTH)), {}, "values must be of t"),
        ((estimate_tail(), believed(WIDTH)), {"t": "2", "s": "2"}, "values must be of t"),
        ((estimate_tail(), believed("composition.weaken")), {}, "weaken is no equation of real numbers"),
        ((estimate_tail(), believed("randomised_response.estimate_is_unbiased")), {}, "is no equation of real numbers"),
        ((estimate_tail(), estimate_tail()), {}, "expected a claim about an error, and an equation"),
        ((noise("laplace"), believed(WIDTH)), {}, "expected a claim about an error, and an equation"),
    ],
)
def test_tail_restated_is_refused(premises, values, why):
    with pytest.raises(KernelError, match=why):
        rules.tail_restated(*premises, values=values)


def test_tail_restated_by_an_equation_of_whole_numbers_is_refused():
    with pytest.raises(KernelError, match="truth_has_its_probability is no equation of real numbers"):
        rules.tail_restated(estimate_tail(), believed("randomised_response.truth_has_its_probability"), values={})


def test_tail_restated_by_an_equation_that_has_changed_is_refused():
    known = kind_of("accuracy")
    lemma = believed(WIDTH)
    statement = replace(known.statements["width_in_epsilon"], given=(read("2 < t"),))
    other = replace(known, statements={"width_in_epsilon": statement})
    with instead(other), pytest.raises(KernelError, match="the formulas behind width_in_epsilon have changed"):
        rules.tail_restated(estimate_tail(), lemma, values={"t": "2"})


def test_instance_of_a_tail_drops_what_holds():
    found = rules.instantiate(noise_tail("laplace", exactly="yes"), values={"scale": "2", "alpha": "3"})
    assert str(found.claim.term) == "tail(laplace(2), reals(), error(at_least(3)), probability(exp(-3/2)))"


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"values": {"scale": "0"}}, "the condition 0 < 0 does not hold"),
        ({"values": {"alpha": "-1"}}, "the condition 0 <= -1 does not hold"),
        ({"values": {"beta": "1"}}, "beta does not occur in the claim"),
        ({"values": {"alpha": "1"}, "d_out": ["1"]}, "tail has no d_out"),
    ],
)
def test_instance_of_a_tail_is_refused(options, why):
    with pytest.raises(KernelError, match=why):
        rules.instantiate(noise_tail("laplace", exactly="yes"), **options)


def test_exact_tail_on_the_grid_is_not_that_of_another_granularity():
    theorem = noise_tail("discrete_laplace", exactly="yes")
    with pytest.raises(KernelError, match=r"the condition multiple\(1/2, 1\) does not hold"):
        rules.instantiate(theorem, values={"alpha": "1/2", "granularity": "1"})
    assert DISCRETE_LAPLACE.tails.exact
