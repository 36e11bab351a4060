"""Branch and bound: what it shows on a box is so at every point tried, and tight or false statements are not shown."""

from fractions import Fraction
from random import Random

import pytest

from refdp.numerics import boxes
from refdp.numerics.boxes import is_at_most_zero
from refdp.numerics.exact import Undecided, decide
from refdp.numerics.intervals import Interval
from refdp.terms.reading import read
from refdp.terms.term import number, substitute

UNIT = (Fraction(0), Fraction(1))
TRUE = [
    ("x * (1 - x) - 251/1000", {"x": UNIT}),
    ("x * y - x - 1/100", {"x": UNIT, "y": UNIT}),
    ("1 + x - exp(x) - 1/1000", {"x": (Fraction(-2), Fraction(2))}),
    ("normal_tail(x) - exp(-(x ** 2) / 2) / 2 - 1/10000", {"x": (Fraction(0), Fraction(3))}),
    ("sqrt(x + 1) + ln(y + 1) - 212/100", {"x": UNIT, "y": UNIT}),
]


@pytest.mark.parametrize(("text", "box"), TRUE)
def test_what_is_shown_is_so_at_every_point_tried(text: str, box: dict[str, tuple[Fraction, Fraction]]) -> None:
    f, random = read(text), Random(text)
    assert is_at_most_zero(f, box) >= 1
    assert is_at_most_zero(f, box, strict=True) >= 1
    for _ in range(40):
        at = {v: low + (high - low) * Fraction(random.randint(0, 64), 64) for v, (low, high) in box.items()}
        assert decide(substitute(f, {v: number(x) for v, x in at.items()}) < number(0))


def test_what_is_0_in_the_middle_of_the_box_is_not_taken_to_be_false_there() -> None:
    """-x^2 <= 0 on [-1, 1] is shown on the halves; at 0 it is no more than 0."""
    box = {"x": (Fraction(-1), Fraction(1))}
    assert is_at_most_zero(read("-(x * x)"), box) > 1
    with pytest.raises(Undecided, match="it is false at x = 0"):
        is_at_most_zero(read("1/1000 - x * x"), box)


@pytest.mark.parametrize(("text", "box"), TRUE)
def test_a_little_more_is_not_shown(text: str, box: dict[str, tuple[Fraction, Fraction]]) -> None:
    """One hundredth more is false somewhere, and the search says where."""
    with pytest.raises(Undecided, match=r"it is false at|do not decide it"):
        is_at_most_zero(read(text) + Fraction(3, 100), box)


def test_the_place_where_it_is_false_is_one() -> None:
    with pytest.raises(Undecided, match=r"it is false at x = 1/2, y = 1/2"):
        is_at_most_zero(read("x * y - 1/5"), {"x": UNIT, "y": UNIT})


def test_a_tie_is_shown_only_where_it_is_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert is_at_most_zero(read("x - 1"), {"x": UNIT}) == 1
    monkeypatch.setattr(boxes, "MOST_PARTS", 300)
    with pytest.raises(Undecided, match="more than 300 parts"):
        is_at_most_zero(read("x - 1"), {"x": UNIT}, strict=True)


def test_a_corner_is_part_of_the_box() -> None:
    """False only at x = y = 1, by a little."""
    with pytest.raises(Undecided):
        is_at_most_zero(read("x + y - 2 + 1/1000000"), {"x": UNIT, "y": UNIT})


def test_an_undefined_part_is_cut_until_it_is_seen_to_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boxes, "MOST_PARTS", 300)
    with pytest.raises(Undecided, match="more than 300 parts"):
        is_at_most_zero(read("-1 / (x - 1/3) ** 2"), {"x": UNIT})


def test_the_pieces_of_the_mean_value_form_hold_their_values() -> None:
    f, part = read("exp(x) * y"), (UNIT, (Fraction(1), Fraction(3)))
    found = boxes.sloped(f, ["x", "y"], part)
    assert found is not None
    at = boxes.at_middle(f, ["x", "y"], part)
    whole = boxes.mean_value(found, at, part)
    assert isinstance(whole, Interval)
    for x in (Fraction(0), Fraction(1, 3), Fraction(1)):
        for y in (Fraction(1), Fraction(5, 2), Fraction(3)):
            value = substitute(f, {"x": number(x), "y": number(y)})
            assert decide(number(whole.lower) <= value)
            assert decide(value <= number(whole.upper))
    assert boxes.halves(part, [Fraction(9), Fraction(1)]) == [
        ((Fraction(0), Fraction(1, 2)), part[1]),
        ((Fraction(1, 2), Fraction(1)), part[1]),
    ]
