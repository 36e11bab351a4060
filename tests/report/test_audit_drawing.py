"""Pictures of audits: what stands where, in which colours, and that these can be read."""

import re

import pytest

from refdp.auditing.judges.result import Curve, Difference, LossBin, Row, Wealth
from refdp.report.audits.drawing.curves import curve_picture
from refdp.report.audits.drawing.differences import difference_picture
from refdp.report.audits.drawing.intervals import relative, row_picture, row_scale
from refdp.report.audits.drawing.losses import losses_picture
from refdp.report.audits.drawing.marks import Picture, element, thinned
from refdp.report.audits.drawing.planes import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH, Scale, powers, rounds
from refdp.report.audits.drawing.wealths import wealth_picture
from refdp.report.audits.page import style
from refdp.report.audits.palette import DARK, LIGHT, PALETTE

NUMBER = re.compile(r"-?[0-9.]+")
TEXTS = (
    *((ink, ground) for ink in ("ink", "faint", "link", "alarm") for ground in ("ground", "card", "sunk")),
    ("ink", "event"), ("ink", "band"),
    *((v, f"{v}-ground") for v in ("refuted", "not-refuted", "proved", "unknown", "measured")),
    *((v, "card") for v in ("refuted", "not-refuted", "proved", "unknown", "measured")),
    *((v, "ground") for v in ("refuted", "not-refuted", "proved", "unknown", "measured")),
    *(("ink", f"{v}-ground") for v in ("refuted", "not-refuted", "proved", "unknown", "measured")),
)  # fmt: skip
"""(text, what it stands on)"""
LINES = (
    *((mark, ground) for mark in ("first", "second", "bound", "alarm") for ground in ("sunk", "card", "event", "band")),
)
"""(line of a picture, what it stands on)"""


def contrast(one: str, other: str) -> float:
    """The ratio of luminances, from 1 to 21; 4.5 is asked of text, 3 of lines.

    >>> round(contrast("#000000", "#ffffff"), 2)
    21.0
    """
    low, high = sorted(_luminance(colour) for colour in (one, other))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: str) -> float:
    """The relative luminance of #rrggbb."""
    red, green, blue = (_linear(int(colour[i : i + 2], 16) / 255) for i in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(share: float) -> float:
    """A component of sRGB as light."""
    return share / 12.92 if share <= 0.04045 else float(((share + 0.055) / 1.055) ** 2.4)


def paths(picture: Picture, kind: str) -> list[list[tuple[float, float]]]:
    """The points of all paths of a class."""
    found = re.findall(rf'<path d="([^"]*)" class="[^"]*\b{kind}\b[^"]*"/>', str(picture.svg))
    return [points(d) for d in found]


def points(d: str) -> list[tuple[float, float]]:
    """The points of a path of M, L, H and V."""
    found: list[tuple[float, float]] = []
    for command, rest in re.findall(r"([MLHV])([^MLHVZ]*)", d):
        values = [float(v) for v in NUMBER.findall(rest)]
        x, y = found[-1] if found else (0.0, 0.0)
        found.append((values[0], y) if command == "H" else (x, values[0]) if command == "V" else (*values,))
    return found


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_colours_of_text_have_a_contrast_of_at_least_4_5(theme):
    seen = {pair: contrast(PALETTE[pair[0]][theme], PALETTE[pair[1]][theme]) for pair in TEXTS}
    assert {pair: ratio for pair, ratio in seen.items() if ratio < 4.5} == {}


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_colours_of_lines_have_a_contrast_of_at_least_3(theme):
    seen = {pair: contrast(PALETTE[pair[0]][theme], PALETTE[pair[1]][theme]) for pair in LINES}
    assert {pair: ratio for pair, ratio in seen.items() if ratio < 3} == {}


@pytest.mark.parametrize(("one", "other", "ratio"), [("#777777", "#ffffff", 4.48), ("#ff0000", "#ffffff", 4.0)])
def test_contrast_is_that_of_the_standard(one, other, ratio):
    assert contrast(one, other) == pytest.approx(ratio, abs=0.01)


def test_style_names_no_colour_but_those_of_the_palette():
    written = style().split("prefers-color-scheme:dark")[1].split("}}", 1)[1]
    assert not re.search(r"#[0-9a-fA-F]{3,8}\b(?!:)|rgb|hsl|url\(|@import", written.replace("#show", ""))
    used = set(re.findall(r"var\(--([a-z-]+)\)", written)) - {"tone", "tone-ground"}
    assert used <= set(PALETTE)


def test_curve_is_drawn_by_powers_of_ten_and_0_on_the_lowest_line():
    picture = curve_picture(Curve((0.0, 1.0, 2.0), claimed=(1e-2, 1e-3, 0.0), exact=(1.0, 1e-1, 1e-3)), "c")
    (claimed,), (exact,) = paths(picture, "claimed"), paths(picture, "exact")
    assert [x for x, _ in claimed] == [LEFT, (LEFT + WIDTH - RIGHT) / 2, WIDTH - RIGHT]
    assert exact[0][1] == TOP
    assert exact[1][1] - exact[0][1] == pytest.approx((claimed[1][1] - exact[0][1]) / 3, abs=0.2)
    assert claimed[2][1] == HEIGHT - BOTTOM
    assert exact[2][1] == claimed[1][1]


def test_curve_shades_what_is_more_than_claimed_and_nothing_else():
    more = curve_picture(Curve((0.0, 1.0, 2.0), claimed=(0.1, 0.1, 0.1), exact=(0.01, 0.2, 0.3)), "c")
    less = curve_picture(Curve((0.0, 1.0, 2.0), claimed=(0.1, 0.1, 0.1), exact=(0.01, 0.05, 0.1)), "c")
    (area,) = paths(more, "beyond-area")
    assert min(x for x, _ in area) == (LEFT + WIDTH - RIGHT) / 2
    assert paths(less, "beyond-area") == []
    assert [key for key, _ in more.legend] == ["claimed", "exact", "beyond"]
    assert [key for key, _ in less.legend] == ["claimed", "exact"]


def test_curve_breaks_where_a_layer_is_not_known():
    picture = curve_picture(Curve((0.0, 1.0, 2.0, 3.0), exact=(0.1, 0.2, None, 0.3)), "c")
    assert [len(run) for run in paths(picture, "exact")] == [2, 1]


def test_curve_says_its_values_at_the_epsilon_that_is_marked():
    curve = Curve((0.0, 1.0), claimed=(0.5, 0.0), exact=(0.6, 0.25), certified=(None, 0.125), marked=1.0)
    assert curve_picture(curve, "c").says == "At epsilon = 1: claimed 0, exact 0.25, certified 0.125."


def test_losses_shade_the_event_and_give_its_frequencies():
    bins = [LossBin(-1.0, 0.0, 0.25, 0.5, False), LossBin(0.0, 1.0, 0.75, 0.5, True)]
    picture = losses_picture(bins, "p")
    (box,) = re.findall(r'<rect x="([0-9.]+)" y="[0-9.]+" width="([0-9.]+)"[^>]*class="inside-area"', str(picture.svg))
    assert float(box[0]) == (LEFT + WIDTH - RIGHT) / 2
    assert float(box[0]) + float(box[1]) == WIDTH - RIGHT
    assert picture.says == "The event: 0.75 on the first input, 0.5 on the second."
    first, second = paths(picture, "first")[0], paths(picture, "second")[0]
    assert min(y for _, y in first) < min(y for _, y in second)


def test_losses_of_infinite_bins_and_of_points_are_drawn_beside_the_others():
    inf = float("inf")
    bins = [LossBin(-inf, -1.0, 0.0, 0.1, False), LossBin(1.0, 1.0, 0.5, 0.2, False), LossBin(1.0, inf, 0.5, 0.0, True)]
    (first,) = paths(losses_picture(bins, "p"), "first")
    assert all(LEFT <= x <= WIDTH - RIGHT and TOP <= y <= HEIGHT - BOTTOM for x, y in first)


def test_losses_of_points_never_overlap_and_none_is_lost():
    bins = [LossBin(x, x, 0.1, 0.1, inside) for x in (0.0, 1.0, 1.0 + 1e-9, 2.0, 2.0) for inside in (x > 1.5,)]
    (first,) = paths(losses_picture(bins, "p"), "first")
    assert [x for x, _ in first] == sorted(x for x, _ in first)
    assert len({x for x, y in first if y < HEIGHT - BOTTOM}) >= 6


def test_losses_of_many_bins_keep_their_sums():
    bins = [LossBin(i / 1000, (i + 1) / 1000, 0.001, 0.002, i % 10 == 0) for i in range(1000)]
    picture = losses_picture(bins, "p")
    assert picture.says == "The event: 0.1 on the first input, 0.2 on the second."


def test_wealth_is_drawn_with_its_threshold_and_says_when_it_was_passed():
    picture = wealth_picture(Wealth((10, 20, 30), (0.0, 9.5, 12.0), 9.0), "w")
    level = float(re.findall(r'y1="([0-9.]+)"[^>]*class="stroke threshold"', str(picture.svg))[0])
    (line,) = paths(picture, "wealth")
    assert [y < level for _, y in line] == [False, True, True]
    assert picture.says == "Above the line after 20 samples; log10 e = 12 after 30."


def test_wealth_that_falls_without_end_leaves_the_threshold_in_sight():
    picture = wealth_picture(Wealth((1, 10**9), (0.0, -1e6), 9.0), "w")
    level = float(re.findall(r'y1="([0-9.]+)"[^>]*class="stroke threshold"', str(picture.svg))[0])
    assert TOP < level < (TOP + HEIGHT - BOTTOM) / 2
    assert "Never above the line" in picture.says


def test_difference_marks_what_leaves_the_band():
    picture = difference_picture(Difference((0.0, 1.0, 2.0), (0.0, 0.03, -0.001), 0.02, "1 - 1e-9"), "d")
    assert str(picture.svg).count('class="dot outside"') == 1
    assert "outside of the band" in [said for _, said in picture.legend]
    assert picture.says == "Largest difference 0.03 at 1, outside of the band of +-0.02."


def test_rows_are_multiples_of_what_is_certified():
    assert relative(Row("", "3", "1", "2", "")) == (1.5, 0.5, 1.0)
    assert relative(Row("", "1/2", "1/4", "1", "")) == (0.5, 0.25, 1.0)
    for answer, lower, upper in (("nan", "1", "2"), ("x", "1", "2"), ("1", "2", "1"), ("1", "0", "0"), ("1", "", "")):
        assert relative(Row("", answer, lower, upper, "")) is None


@pytest.mark.parametrize(
    ("verdict", "kind"), [("UNSOUND: by 1", "wrong"), ("REFUTED", "wrong"), ("sound", "right"), ("", "right")]
)
@pytest.mark.parametrize("answer", ["0.9", "1", "1.5", "inf"])
def test_rows_are_red_where_their_verdict_says_that_they_are_wrong(answer, verdict, kind):
    row = Row("", answer, "1", "1.01", verdict)
    picture = str(row_picture(row, row_scale([row]), "r"))
    assert f'class="dot {kind}"' in picture


def test_rows_without_bounds_are_not_drawn():
    assert row_scale([Row("time", "3", "", "", "")]) is None


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [(0, 1, [0, 0.2, 0.4, 0.6, 0.8, 1]), (-3, 7, [-2, 0, 2, 4, 6]), (0, 7e9, [0, 2e9, 4e9, 6e9])],
)
def test_values_beside_axes_are_round(low, high, expected):
    assert rounds(low, high) == pytest.approx(expected)


def test_values_beside_axes_of_powers_are_powers_or_their_halves_and_fifths():
    assert powers(1e-9, 1) == pytest.approx([1e-9, 1e-7, 1e-5, 1e-3, 1e-1])
    assert powers(0.5, 2) == pytest.approx([0.5, 1, 2])


def test_scale_keeps_everything_on_the_picture():
    scale = Scale(1, 10, 0, 100, by_powers=True)
    assert [scale.at(v) for v in (0, -5, 1, 10, 1e300, float("inf"))] == [0, 0, 0, 100, 100, 100]


def test_long_lines_keep_their_ends_and_extremes():
    long = [(float(i), float(i % 97)) for i in range(10_000)] + [(10_000.0, 1e6)]
    short = thinned(long)
    assert len(short) <= 242
    assert {long[0], long[-1]} <= set(short)
    assert {min(y for _, y in short), max(y for _, y in short)} == {0.0, 1e6}
    assert thinned(long[:9]) == long[:9]


def test_marks_are_escaped():
    assert str(element("text", "<b>&", class_='"x"')) == '<text class="&#34;x&#34;">&lt;b&gt;&amp;</text>'
