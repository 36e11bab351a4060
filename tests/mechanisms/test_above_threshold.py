"""above_threshold: its law by quadrature, and every formula is needed as it stands; enumeration: tests/exactness."""

from fractions import Fraction as F

import pytest

from refdp.terms.reading import read
from tests.mechanisms.checks import MP, finite_masses, real
from tests.mechanisms.local_variants import verdict_with

CLOSE = MP.mpf(10) ** -12
WRONG = [
    ("threshold_moves_by_its_loss", "threshold_scale", "threshold_scale / 2"),
    ("threshold_moves_by_its_loss", "threshold_scale", "threshold_scale * 999 / 1000"),
    ("threshold_moves_by_its_loss", "threshold_loss", "0 * threshold_scale"),
    ("answer_moves_by_its_loss", "answer_scale", "answer_scale / 2"),
    ("answer_moves_by_its_loss", "answer_scale", "threshold_scale"),
    ("answer_moves_by_its_loss", "answer_loss", "1 / answer_scale"),
    ("scales_are_positive", "threshold_scale", "threshold_scale - 1"),
    ("scales_are_positive", "answer_scale", "answer_scale * 0"),
]


def by_quadrature(subject, answers):
    """The definition: the threshold's density times the tails of the answers' noises."""
    threshold, limit, a, b = (real(t.rational) for t in read(subject).arguments)
    units = [real(q) for q in answers]

    def less(x):
        return MP.exp(x / b) / 2 if x < 0 else 1 - MP.exp(-x / b) / 2

    def density(places, t):
        seen = places[-1] + 1 if places and len(places) == limit else len(units)
        chances = [1 - less(t - units[i]) if i in places else less(t - units[i]) for i in range(seen)]
        return MP.fprod(chances) * MP.exp(-abs(t - threshold) / a) / (2 * a)

    cuts = sorted({threshold - 60 * a, *units, threshold, threshold + 60 * a})
    with MP.workdps(20):
        return lambda places: MP.quad(lambda t: density(places, t), cuts)


@pytest.mark.parametrize(
    ("subject", "answers"),
    [
        ("above_threshold(0, 1, 2, 4)", (F(1), F(-1, 2))),
        ("above_threshold(1/2, 2, 1, 1)", (F(1), F(0), F(3))),
        ("above_threshold(-1, 5, 3/2, 3)", (F(0), F(0))),
        ("above_threshold(2, 1, 1, 3)", (F(2),)),
    ],
)
def test_above_threshold_masses_are_their_definition(subject, answers):
    found, expected = finite_masses(subject, answers), by_quadrature(subject, answers)
    assert () in found
    for y, p in found.items():
        assert real(p.lower) - CLOSE <= expected(tuple(map(int, y))) <= real(p.upper) + CLOSE


@pytest.mark.parametrize(("key", "field", "body"), WRONG)
def test_above_threshold_with_a_wrong_formula_is_not_proved(key, field, body):
    assert verdict_with("above_threshold", key, field, body) == "disproved"
