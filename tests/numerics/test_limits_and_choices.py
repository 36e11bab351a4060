"""Limits are met exactly, choices are made as is said, and what is left out has its stated value."""

from fractions import Fraction

import pytest

from refdp.numerics import boxes, cancellation
from refdp.numerics.boxes import halves, is_at_most_zero
from refdp.numerics.cancellation import NotExact, Quotient, logarithm, monomial, plus, quotient, times
from refdp.numerics.exact import ExactReal, Ln, Undecided, exact_number, positive
from refdp.terms.reading import read

UNIT = (Fraction(0), Fraction(1))


@pytest.mark.parametrize("text", ["x * (1 - x) - 251/1000", "x * y - x - 1/100"])
def test_as_many_parts_as_are_needed_suffice_and_one_less_does_not(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    box = {name: UNIT for name in "xy" if name in text}
    needed = is_at_most_zero(read(text), box)
    assert needed > 1
    for most in (needed, needed + 1):
        boxes._parts.cache_clear()
        monkeypatch.setattr(boxes, "MOST_PARTS", most)
        assert is_at_most_zero(read(text), box) == needed
    boxes._parts.cache_clear()
    monkeypatch.setattr(boxes, "MOST_PARTS", needed - 1)
    with pytest.raises(Undecided, match=f"more than {needed - 1} parts"):
        is_at_most_zero(read(text), box)
    boxes._parts.cache_clear()


@pytest.mark.parametrize("weights", [(3, 1), (1, 3), (1, 1), (0, 0), (Fraction(1, 3), Fraction(1, 2)), (5, 7)])
@pytest.mark.parametrize("widths", [(1, 1), (2, 1), (1, 2), (Fraction(1, 2), Fraction(1, 3)), (7, 5)])
def test_a_part_is_cut_where_its_weight_times_its_width_is_greatest(weights: tuple, widths: tuple) -> None:
    """Else, where these are equal, across the greater width."""
    part = [(Fraction(5), 5 + Fraction(w)) for w in widths]
    found = halves(part, [Fraction(w) for w in weights])
    rank = [(Fraction(w) * v, Fraction(v)) for w, v in zip(weights, widths, strict=True)]
    cut = 0 if rank[0] >= rank[1] else 1
    middle = sum(part[cut]) / 2
    kept = part[1 - cut]
    assert {one[cut] for one in found} == {(part[cut][0], middle), (middle, part[cut][1])}
    assert [one[1 - cut] for one in found] == [kept, kept]


def test_products_are_worked_out_up_to_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    a, b = (plus(monomial(1, 0), monomial(1, k)) for k in (1, 2))
    monkeypatch.setattr(cancellation, "MOST_PRODUCTS", 4)
    assert len(times(a, b)) == 4
    monkeypatch.setattr(cancellation, "MOST_PRODUCTS", 3)
    with pytest.raises(NotExact, match="too many summands"):
        times(a, b)


def test_coefficients_are_worked_with_up_to_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cancellation, "MOST_BITS", 10)
    assert times(monomial(16), monomial(16)) == monomial(256)
    with pytest.raises(NotExact, match="too long a coefficient"):
        times(monomial(16), monomial(32))
    assert logarithm({Fraction(16): Fraction(2)}) == (Fraction(256), 1)
    with pytest.raises(NotExact, match="too large"):
        logarithm({Fraction(16): Fraction(3)})
    with pytest.raises(NotExact, match="too large"):
        logarithm({Fraction(16): Fraction(-3)})


def test_the_logarithm_of_1_is_nothing() -> None:
    for text in ("ln(1)", "ln(exp(1)) - 1", "ln(2/2)"):
        assert quotient(read(text)) == Quotient({}, monomial(1))
    assert quotient(read("ln(exp(3))")) == Quotient(monomial(3), monomial(1))
    assert exact_number(read("ln(2) - ln(2)")) == 0


def test_what_an_exact_real_is_not_told_is_nothing() -> None:
    assert ExactReal() == 0
    assert ExactReal(Fraction(5)) == 5
    assert ExactReal(argument=Fraction(3)) == Ln(3)
    assert ExactReal(Fraction(1), Fraction(3)) == 1 + Ln(3)


def test_positive_numbers_are_those_above_0() -> None:
    assert positive("1/1000000000") == Fraction(1, 10**9)
    assert positive(1) == 1
    for wrong in (0, "-1/1000000000", -1):
        with pytest.raises(ValueError, match=r"scale must be > 0, got"):
            positive(wrong, "scale")
