"""permute_and_flip: masses, the least epsilon, and the sampler; and every constant of them is needed."""

from dataclasses import replace
from fractions import Fraction as F
from itertools import permutations, product

import pytest

from refdp.mechanisms import permute_and_flip
from refdp.mechanisms.permute_and_flip import PERMUTE_AND_FLIP
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
RIGHT = SCHEMES["permute_and_flip"]
SCALES = [F(1), F(2), F(1, 3)]
SCORES = [(F(0),), (F(0), F(0)), (F(0), F(1)), (F(3), F(1), F(5, 2)), (F(-1), F(-1), F(2), F(0)), (F(0), F(400))]


def variant(field, body, reads):
    """The mechanism with one other formula."""
    return replace(PERMUTE_AND_FLIP, stem=STEM, **{field: written(field, reads, body)})


def by_hand(scale, scores):
    """The definition, order by order: the first of a random order whose flip exp((score - best) / scale) comes up."""
    flips = [MP.exp(real((s - max(scores)) / scale)) for s in scores]
    orders = list(permutations(range(len(scores))))
    law = {F(i): MP.mpf(0) for i in range(len(scores))}
    for order in orders:
        reached = MP.mpf(1) / len(orders)
        for i in order:
            law[F(i)] += reached * flips[i]
            reached *= 1 - flips[i]
    return law


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("scores", SCORES)
def test_permute_and_flip_masses_are_their_definition(scale, scores):
    found = finite_masses(f"permute_and_flip({scale})", scores)
    assert all(encloses(found[F(i)], p) for i, p in by_hand(scale, scores).items())
    assert len(found) == len(scores)
    assert sum(p.lower for p in found.values()) <= 1 <= sum(p.upper for p in found.values())
    assert abs(sum(by_hand(scale, scores).values()) - 1) < TINY


def test_permute_and_flip_of_equal_scores_is_uniform():
    assert all(
        (p.lower, p.upper) == (F(1, 4), F(1, 4)) for p in finite_masses("permute_and_flip(2)", (F(3),) * 4).values()
    )


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("d_in", [F(0), F(1), F(1, 2)])
def test_permute_and_flip_map_is_never_exceeded(scale, d_in):
    """Every way in which each of two or three scores moves by d_in, or not at all, up or down."""
    bound = real(permute_and_flip(scale).map(d_in)) + TINY
    for scores in ((F(0), F(0)), (F(0), F(2)), (F(0), F(2), F(1)), (F(0), F(9), F(9))):
        law = by_hand(scale, scores)
        for moves in product((-d_in, 0, d_in), repeat=len(scores)):
            moved = tuple(s + m for s, m in zip(scores, moves, strict=True))
            assert worst_loss(law, by_hand(scale, moved)) <= bound


def test_permute_and_flip_is_proved_under_another_stem():
    found = verdicts(replace(PERMUTE_AND_FLIP, stem="same_selection"), RIGHT)
    assert found == dict.fromkeys(found, "proved")
    assert len(found) == 10


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("d_in", [F(1), F(1, 2)])
def test_permute_and_flip_map_is_the_least_epsilon(scale, d_in):
    """Two candidates, both scores moved towards each other: the mass of the worse one grows by e^(2 d_in / scale)."""
    found = worst_loss(by_hand(scale, (F(0), F(4))), by_hand(scale, (d_in, 4 - d_in)))
    assert abs(found - real(permute_and_flip(scale).map(d_in))) < TINY


@pytest.mark.parametrize(
    "body", ["d_in / scale", "2 * d_in / scale * 999 / 1000", "2 * d_in / (scale + 1)", "0 * d_in"]
)
def test_permute_and_flip_with_a_smaller_map_is_not_proved(body):
    assert verdict(variant("privacy_map", body, "d_in scale"), "shift_is_bounded") == "disproved"


@pytest.mark.parametrize(
    ("key", "field", "body"),
    [
        ("flip_is_the_survival", "log_flip", "-gap / (2 * scale)"),
        ("flip_is_the_survival", "log_flip", "-2 * gap / scale"),
        ("flip_is_the_survival", "log_flip", "-gap / scale * 1001 / 1000"),
        ("flip_is_the_survival", "log_flip", "-gap"),
        ("flip_is_the_survival", "log_flip", "0 * gap"),
        ("flip_is_a_probability", "log_flip", "gap / scale"),
        ("flip_is_a_probability", "log_flip", "-gap / scale - 1"),
        ("flip_is_a_probability", "log_flip", "1 - gap / scale"),
        ("noise_is_one_sided", "log_survival", "-z / scale"),
        ("noise_is_one_sided", "log_survival", "-abs(z) / scale"),
        ("noise_is_one_sided", "log_survival", "-max(z, 0) / scale - 1"),
        ("noise_has_no_memory", "log_survival", "-max(z, 0) ** 2 / scale"),
        ("noise_has_no_memory", "log_survival", "-max(z, 1) / scale"),
        ("survival_falls", "log_survival", "max(z, 0) / scale"),
        ("shift_is_bounded", "log_survival", "-2 * max(z, 0) / scale"),
        ("shift_is_bounded", "log_survival", "-max(z, 0) / scale * 1001 / 1000"),
        ("shift_is_bounded", "log_survival", "-max(z, 0) ** 2 / scale"),
    ],
)
def test_permute_and_flip_with_a_wrong_formula_is_not_proved(key, field, body):
    reads = {"log_flip": "gap scale", "log_survival": "z scale"}[field]
    assert verdict(variant(field, body, reads), key) == "disproved"


@pytest.mark.parametrize("body", ["gap / scale", "-gap / scale - 1", "1 - gap / scale", "scale - gap"])
def test_permute_and_flip_with_a_wrong_flip_of_its_sampler_is_not_proved(body):
    wrong = variant("log_flip", body, "gap scale")
    assert verdict(wrong, "sampler.flip_is_a_probability", RIGHT) == "disproved"


@pytest.mark.parametrize(
    ("scale", "scores", "least"),
    [(1, (F(0), F(1)), F(99, 100)), (2, (F(0), F(1), F(3)), F(19, 20)), (1, (F(2), F(2), F(0)), F(19, 20))],
)
def test_permute_and_flip_sampler_has_the_masses(scale, scores, least):
    subject = f"permute_and_flip({scale})"
    found = walked(subject, scores, 14)
    assert 1 - found.unresolved >= least
    assert refuted(found, subject, scores, map(F, range(len(scores)))) == []


@pytest.mark.parametrize("body", ["-gap / (2 * scale)", "-2 * gap / scale", "0 * gap"])
def test_permute_and_flip_sampler_with_a_wrong_flip_is_told_apart(body):
    found = walked(f"{STEM}(1)", (F(0), F(1)), 14, variant("log_flip", body, "gap scale"), RIGHT)
    assert refuted(found, "permute_and_flip(1)", (F(0), F(1))) != []


def test_permute_and_flip_sampler_without_the_permutation_is_told_apart():
    found = program(lambda coins: F(0) if coins.bernoulli_exp(F(1)) else F(1), 14)
    assert refuted(found, "permute_and_flip(1)", (F(0), F(1))) == [0, 1]


def test_permute_and_flip_names_the_best_more_often_than_the_exponential_mechanism():
    """MS20 Thm 2, at these scores: it is never worse, and the two are told apart by their samplers."""
    scores = (F(0), F(1))
    assert refuted(walked("permute_and_flip(1)", scores, 14), "exponential(1)", scores) != []


@pytest.mark.parametrize("value", NOT_NUMBERS)
def test_permute_and_flip_refuses_what_is_no_exact_number(value):
    assert shows(refusal(lambda: permute_and_flip(value)), "scale", value)


@pytest.mark.parametrize(("call", "said"), SELECTIONS)
def test_permute_and_flip_refuses_in_one_sentence(call, said):
    assert refusal(lambda: call(permute_and_flip)) == said


def test_permute_and_flip_follows_only_where_domain_and_metric_meet():
    chosen = histogram(3, norm="linf") >> permute_and_flip(2)
    assert chosen.map(1) == 1
    assert chosen((0, 1, 1)) in (0, 1, 2)
    assert after_other_norms(permute_and_flip) == OTHER_NORMS
