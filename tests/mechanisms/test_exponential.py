"""exponential: masses, the least epsilon, and the sampler; and every constant of them is needed."""

from dataclasses import replace
from fractions import Fraction as F
from itertools import product

import pytest

from refdp.mechanisms import exponential
from refdp.mechanisms.exponential import EXPONENTIAL
from refdp.spec.samplers import SCHEMES
from refdp.transformations import histogram
from tests.exactness.entering import written
from tests.exactness.refusals import refusal, shows
from tests.exactness.variants import verdict, verdicts
from tests.mechanisms.checks import (
    MP,
    NOT_NUMBERS,
    TINY,
    encloses,
    finite_masses,
    program,
    real,
    refuted,
    walked,
    worst_loss,
)
from tests.mechanisms.refused_alike import OTHER_NORMS, SELECTIONS, after_other_norms

STEM = "wrong_selection"
RIGHT = SCHEMES["exponential"]
SCALES = [F(1), F(2), F(1, 3)]
SCORES = [(F(0),), (F(0), F(0)), (F(0), F(1)), (F(3), F(1), F(5, 2)), (F(-1), F(-1), F(2), F(0)), (F(0), F(400))]


def variant(field, body, reads):
    """The mechanism with one other formula."""
    return replace(EXPONENTIAL, stem=STEM, **{field: written(field, reads, body)})


def by_hand(scale, scores):
    """The definition: weights exp(score / scale) over their sum."""
    weights = [MP.exp(real(s / scale)) for s in scores]
    total = sum(weights)
    return {F(i): w / total for i, w in enumerate(weights)}


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("scores", SCORES)
def test_exponential_masses_are_their_definition(scale, scores):
    found = finite_masses(f"exponential({scale})", scores)
    assert all(encloses(found[F(i)], p) for i, p in by_hand(scale, scores).items())
    assert len(found) == len(scores)
    assert sum(p.lower for p in found.values()) <= 1 <= sum(p.upper for p in found.values())
    assert abs(sum(by_hand(scale, scores).values()) - 1) < TINY


def test_exponential_of_equal_scores_is_uniform():
    assert all((p.lower, p.upper) == (F(1, 4), F(1, 4)) for p in finite_masses("exponential(2)", (F(3),) * 4).values())


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("d_in", [F(0), F(1), F(1, 2)])
def test_exponential_map_is_never_exceeded(scale, d_in):
    """Every way in which each of two or three scores moves by d_in, or not at all, up or down."""
    bound = real(exponential(scale).map(d_in)) + TINY
    for scores in ((F(0), F(0)), (F(0), F(2)), (F(0), F(2), F(1)), (F(0), F(9), F(9))):
        law = by_hand(scale, scores)
        for moves in product((-d_in, 0, d_in), repeat=len(scores)):
            moved = tuple(s + m for s, m in zip(scores, moves, strict=True))
            assert worst_loss(law, by_hand(scale, moved)) <= bound


def test_exponential_is_proved_under_another_stem():
    found = verdicts(replace(EXPONENTIAL, stem="same_selection"), RIGHT)
    assert found == dict.fromkeys(found, "proved")
    assert len(found) == 5


@pytest.mark.parametrize("scale", SCALES)
def test_exponential_map_is_the_least_epsilon(scale):
    """Two candidates far apart, both scores moved towards each other: 2 d_in / scale, up to e^-900."""
    far = 1000 * scale
    found = worst_loss(by_hand(scale, (F(0), far)), by_hand(scale, (F(1), far - 1)))
    assert abs(found - real(exponential(scale).map(1))) < TINY


@pytest.mark.parametrize("body", ["d_in / scale", "2 * d_in / scale * 999 / 1000", "2 * d_in / (scale + 1)", "0 * d_in",
                                  "2 * d_in / (1 + scale ** 2)"])  # fmt: skip
def test_exponential_with_a_smaller_map_is_not_proved(body):
    wrong = variant("privacy_map", body, "d_in scale")
    assert verdict(wrong, "weight_moves_by_half_the_map") == "disproved"


def test_exponential_without_the_factor_2_is_exceeded():
    worst = worst_loss(by_hand(F(1), (F(0), F(4))), by_hand(F(1), (F(1), F(3))))
    assert real(1) < worst < real(2)


@pytest.mark.parametrize("body", ["2 * score / scale", "score / scale * 1001 / 1000", "score ** 2 / scale", "score",
                                  "max(0, 2 * score) / scale", "-2 * score / scale"])  # fmt: skip
def test_exponential_with_larger_weights_is_not_proved(body):
    assert verdict(variant("log_weight", body, "score scale"), "weight_moves_by_half_the_map") == "disproved"


ACCEPTANCES = {
    "half": "(score - best) / (2 * scale)",
    "twice": "2 * (score - best) / scale",
    "1001 of 1000": "(score - best) / scale * 1001 / 1000",
    "not relative to the best": "score / scale",
    "always": "0 * score",
    "no probability": "(best - score) / scale",
    "another unit": "score - best",
}


@pytest.mark.parametrize("body", ACCEPTANCES.values(), ids=ACCEPTANCES)
def test_exponential_with_a_wrong_acceptance_is_not_proved(body):
    scheme = replace(RIGHT, log_acceptance=written("log_acceptance", "score best scale", body))
    wrong = replace(EXPONENTIAL, stem=STEM)
    assert verdict(wrong, "sampler.draws_have_the_weights", scheme) == "disproved"


@pytest.mark.parametrize(
    ("scale", "scores", "least"),
    [(1, (F(0), F(1)), F(19, 20)), (2, (F(0), F(1), F(3)), F(4, 5)), (1, (F(2), F(2), F(0)), F(9, 10))],
)
def test_exponential_sampler_has_the_masses(scale, scores, least):
    subject = f"exponential({scale})"
    found = walked(subject, scores, 14)
    assert 1 - found.unresolved >= least
    assert refuted(found, subject, scores, map(F, range(len(scores)))) == []


@pytest.mark.parametrize("which", ["half", "twice", "always"])
def test_exponential_sampler_with_a_wrong_acceptance_is_told_apart(which):
    scheme = replace(RIGHT, log_acceptance=written("log_acceptance", "score best scale", ACCEPTANCES[which]))
    found = walked(f"{STEM}(1)", (F(0), F(1)), 14, replace(EXPONENTIAL, stem=STEM), scheme)
    assert refuted(found, "exponential(1)", (F(0), F(1))) != []


def test_exponential_sampler_that_keeps_the_last_candidate_is_told_apart():
    """Without a second try, the best instead of a rejected candidate: too often the best."""

    def once(coins):
        i = coins.uniform(2)
        return F(i) if coins.bernoulli_exp(F(1 - i)) else F(1)

    assert set(refuted(program(once, 14), "exponential(1)", (F(0), F(1)))) == {0, 1}


@pytest.mark.parametrize("value", NOT_NUMBERS)
def test_exponential_refuses_what_is_no_exact_number(value):
    assert shows(refusal(lambda: exponential(value)), "scale", value)


@pytest.mark.parametrize(("call", "said"), SELECTIONS)
def test_exponential_refuses_in_one_sentence(call, said):
    assert refusal(lambda: call(exponential)) == said


def test_exponential_follows_only_where_domain_and_metric_meet():
    chosen = histogram(3, norm="linf") >> exponential(2)
    assert chosen.map(1) == 1
    assert chosen((0, 1, 1)) in (0, 1, 2)
    assert after_other_norms(exponential) == OTHER_NORMS
