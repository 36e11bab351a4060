"""Log-ratios of events of wrong sparse vectors that are known from the literature and from other programs."""

from fractions import Fraction
from math import log

import pytest

from refdp.programs.execution import Drawn
from refdp.programs.probabilities import Number, approximately, exponential, number, probability, sign
from refdp.terms.leaves import rational
from refdp.terms.operations import add, at_most, less
from refdp.terms.term import Term
from tests.programs.probabilities.draws import draw

Data = tuple[int, ...]


def stars(data: Data, first: Fraction, second: Fraction, low: Fraction | None, high: Fraction | None) -> Number:
    """All answers but the last are below the noisy threshold, the last one above and its noisy value in the range."""
    drawn: tuple[Drawn, ...] = (draw(0, "laplace", first), *(draw(i + 1, "laplace", second) for i in range(len(data))))
    threshold, *noise = (one.variable for one in drawn)
    noisy = [add(rational(x), one) for x, one in zip(data, noise, strict=True)]
    conditions: list[Term] = [less(one, threshold) for one in noisy[:-1]]
    conditions.append(at_most(threshold, noisy[-1]))
    conditions += [at_most(rational(low), noisy[-1])] if low is not None else []
    conditions += [at_most(noisy[-1], rational(high))] if high is not None else []
    return probability(tuple(conditions), drawn)


@pytest.mark.parametrize(
    ("old", "new", "scales", "low", "high", "ratio", "chance"),
    [
        ((2, -2), (3, -3), ("4", "4/3"), None, None, 1.3678, 0.0076),  # Lee and Clifton
        ((2, 2, -2), (3, 3, -3), ("2", "2"), None, None, 1.3087, 0.0075),  # Chen et al.
        ((3, 3, -3), (4, 4, -4), ("2", "2"), None, None, 1.3408, None),  # monotone scale, other neighbours
        ((0, 0, 0, 0, 1), (1, 1, 1, 1, 0), ("2", "4"), None, "7/2", 1.00904, 0.0151),  # the noisy value released
        ((1, 1, 1, 1, -2), (2, 2, 2, 2, -3), ("2", "4"), "-1", "0", 1.25, None),
        ((-1, -1, 0), (0, 0, -1), ("2", "2"), None, "7/2", 1.0597, 0.107),  # lecture notes of Roth
        ((3, 3, -2), (4, 4, -3), ("2", "2"), "3/2", "5/2", 1.5, None),
    ],
)
def test_the_log_ratio_is_the_known_one(
    old: Data, new: Data, scales: tuple[str, str], low: str | None, high: str | None, ratio: float, chance: float | None
) -> None:
    ends = (None if low is None else Fraction(low), None if high is None else Fraction(high))
    p, q = (stars(data, Fraction(scales[0]), Fraction(scales[1]), *ends) for data in (old, new))
    assert log(approximately(p) / approximately(q)) == pytest.approx(ratio, abs=6e-5)
    assert chance is None or approximately(p) == pytest.approx(chance, rel=0.01)
    assert sign(p - exponential(number(1)) * q) == 1


def test_the_sparse_vector_comes_near_its_epsilon_and_never_above() -> None:
    for count, least in ((6, 0.99), (10, 0.99999)):
        old = (12,) * (count - 1) + (-12,)
        new = (13,) * (count - 1) + (-13,)
        p, q = (stars(data, Fraction(2), Fraction(4), None, None) for data in (old, new))
        assert sign(p - exponential(number(1)) * q) == -1
        assert log(approximately(p) / approximately(q)) > least
