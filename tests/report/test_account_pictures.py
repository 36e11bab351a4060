"""The picture of an account shows bounds: the true curve lies between them, and they never rise."""

import json
from fractions import Fraction
from xml.etree import ElementTree as ET

import pytest
from mpmath import exp, mp, mpf, ncdf

from refdp.accounting.accounts import Account
from refdp.accounting.events import Event, Gaussian, Renyi
from refdp.commands.account import account
from refdp.report.pictures.accounts import Bounds, asked_bounds, falling, picture_of, plot_account

NOISE = Account("add_remove", (Event(Gaussian(Fraction(2)), 16),))
"""mu = 2."""
ONE_ORDER = Account("add_remove", (Event(Renyi(((Fraction(2), Fraction(1, 10)),))),))
"""Of which nothing is known from below."""


def silent(done, total, what):
    """No progress."""


def picture(stated, **asked):
    return picture_of(stated, account(stated, **asked), 20.0, silent)


def point(x, low, high):
    return Bounds((Fraction(x),) * 2, (Fraction(low), Fraction(high)))


def test_picture_has_the_true_curve_between_its_bounds():
    found = picture(NOISE, delta="1e-6")
    with mp.workdps(50):
        for b in found.curve:
            e = mpf(b.epsilon[0].numerator) / b.epsilon[0].denominator
            truth = ncdf(1 - e / 2) - exp(e) * ncdf(-1 - e / 2)
            low, high = (mpf(d.numerator) / d.denominator for d in b.delta)
            assert low <= truth <= high
    assert found.curve[0].epsilon[0] == 0
    assert found.curve[-1].epsilon[0] > found.asked[0].epsilon[1]


def test_picture_marks_what_was_asked():
    found = picture(NOISE, delta=["1e-3", "1e-6"], epsilon="1")
    assert [one.delta[0] for one in found.asked[:2]] == [Fraction(1, 10**3), Fraction(1, 10**6)]
    assert found.asked[2].epsilon == (1, 1)


def test_bounds_that_are_drawn_never_rise():
    drawn = falling([point(0, "1/2", 1), point(1, "1/10", "1/5"), point(2, "1/8", "3/4"), point(3, 0, 1)])
    assert [b.delta for b in drawn] == [
        (Fraction(1, 2), Fraction(1)),
        (Fraction(1, 8), Fraction(1, 5)),
        (Fraction(1, 8), Fraction(1, 5)),
        (Fraction(0), Fraction(1, 5)),
    ]


@pytest.mark.parametrize("stated", [NOISE, ONE_ORDER])
def test_picture_is_well_formed_and_says_what_it_shows(stated, tmp_path):
    out = tmp_path / "account.svg"
    found = plot_account(stated, out, delta="1e-5", timeout=20)
    root = ET.fromstring(out.read_text(encoding="utf-8"))
    texts = {element.text for element in root.iter() if element.text}
    assert root.tag.endswith("svg")
    assert {"epsilon", "delta"} <= texts
    assert any("bound" in text for text in texts)
    assert found["picture"]["caption"] in texts
    assert stated.events[0].mechanism.stem in found["picture"]["caption"]
    assert json.dumps(found)


def test_picture_is_the_same_every_time(tmp_path):
    for name in ("one.svg", "two.svg"):
        plot_account(NOISE, tmp_path / name, delta="1e-5")
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()


def test_picture_is_refused_where_the_file_is_no_svg(tmp_path):
    with pytest.raises(ValueError, match=r"out must be a file that ends in \.svg, \.png or \.pdf"):
        plot_account(NOISE, tmp_path / "account.jpg", delta="1e-5")


def test_an_infinite_answer_is_no_point():
    found = {"at": {"delta": "1e-6"}, "epsilon": {"lower": "3", "upper": "inf"}}
    assert asked_bounds(found) is None
