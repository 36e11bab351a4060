"""Six compositions, and a million, against digits that were worked out apart from this package.

How: a by the closed form, b by exact residues, c and e by a contour at 400 bits with two choices of contour that agree
to all digits, d by binomial sums, f on its lattice.  The million: bounds 1e-24 apart.
"""

from fractions import Fraction

import pytest

from refdp.accounting.accounts import Account, Limits, Question
from refdp.accounting.events import Approximate, DiscreteGaussian, Event, Gaussian, Laplace, Poisson

DELTAS = (Fraction(1, 10**6), Fraction(1, 10**12), Fraction(1, 10**20))
WIDTH = Fraction(1, 10**9)
SAMPLED = Gaussian(Fraction(1))
HUNDREDTH = Poisson(Fraction(1, 100))
CASES = {
    "1000 Gaussian": [Event(Gaussian(Fraction(50)), 1000)],
    "500 Laplace": [Event(Laplace(Fraction(20)), 500)],
    "1000 sampled Gaussian": [Event(SAMPLED, 1000, HUNDREDTH)],
    "100 responses": [Event(Approximate("1/10"), 100)],
    "four kinds": [
        Event(Gaussian(Fraction(50)), 200),
        Event(Laplace(Fraction(20)), 100),
        Event(Approximate("1/10"), 100),
        Event(SAMPLED, 200, HUNDREDTH),
    ],
    "100 discrete Gaussian": [Event(DiscreteGaussian(Fraction(10)), 100)],
}
TRUTHS = {
    "1000 Gaussian": ("2.921600590427045861688551", "4.424474305283804621207378", "5.870004178542142239433343"),
    "500 Laplace": ("5.473901879664653122956297", "8.023515491212126252620556", "10.444463982197816991446459"),
    "1000 sampled Gaussian": ("2.124515171120121282370159", "3.914298156037469753789181", "6.361700204079350090580026"),
    "100 responses": ("4.774567588107986153285948", "6.891377199770608309400063", "8.664980361991343867874626"),
    "four kinds": ("5.756504468288629128798519", "8.344968355826963991622782", "10.765696907522712562148067"),
    "100 discrete Gaussian": ("4.886570745861785729333334", "7.238480416489105635645167", "9.510892016662346663610306"),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_the_truth_lies_between_bounds_a_billionth_apart(case):
    account = Account("add_remove", tuple(CASES[case]))
    answers = account.answers([Question(delta=delta) for delta in DELTAS], Limits(WIDTH))
    for answer, digits in zip(answers, TRUTHS[case], strict=True):
        truth, unit = Fraction(digits), Fraction(1, 10**24)
        assert answer.bounds.lower <= truth + unit
        assert truth - unit <= answer.bounds.upper
        assert answer.bounds.within(WIDTH), (case, answer)


@pytest.mark.parametrize(
    ("sigma", "rate", "count"), [("999/1000", "1/100", 1000), ("1", "1/99", 1000), ("1", "1/100", 1001)]
)
def test_a_little_more_is_told_apart(sigma, rate, count):
    """Less noise, larger samples or one round more: all bounds lie above those of the case itself."""
    right = Account("add_remove", (Event(SAMPLED, 1000, HUNDREDTH),)).epsilon_bounds(DELTAS[0])
    more = Account("add_remove", (Event(Gaussian(Fraction(sigma)), count, Poisson(Fraction(rate))),))
    assert more.epsilon_bounds(DELTAS[0]).bounds.lower > right.bounds.upper
