"""Regularised minimisers against their definition: gradients by mpmath, minima enclosed by bisection, random tables."""

from fractions import Fraction as F

import mpmath
import pytest

import refdp.derivations  # noqa: F401  (it registers the transformations)
from refdp.proofs.lemmas import minimiser_is_stable
from refdp.spec.distances import METRICS, l2_distance_squared
from refdp.spec.domains import contains
from refdp.spec.powers import power_bounds
from refdp.spec.semantics import value
from refdp.terms.evaluation import evaluate
from refdp.terms.reading import read
from refdp.terms.term import substitute
from tests.exactness.laws import chances, share
from tests.exactness.test_rescaled_rows import neighbour, vector

STEMS = ("logistic_minimiser", "huber_minimiser", "linear_loss_minimiser", "linear_loss_average_minimiser")
NEIGHBOURS = {"add_remove": "symmetric", "change_one": "change_one"}
BITS = 200


def fraction(x):
    """A fraction as a number of mpmath."""
    return mpmath.mpf(x.numerator) / x.denominator


def slope(stem, margin, width):
    """The derivative of the loss, as books define it."""
    if stem == "logistic_minimiser":
        return -1 / (1 + mpmath.exp(margin))
    if stem == "huber_minimiser":
        return mpmath.mpf(0) if margin > 1 + width else -1 if margin < 1 - width else (margin - 1 - width) / (2 * width)
    return mpmath.mpf(-1)


def image(row, norm, step):
    """A row scaled down to the norm, each coordinate rounded towards zero to the step."""
    square = sum((c * c for c in row), F(0))
    by = min(mpmath.mpf(1), fraction(norm) / mpmath.sqrt(fraction(square))) if square else mpmath.mpf(1)
    found = []
    for c in row:
        steps = by * fraction(c / step)
        near = round(steps)
        found.append(near if abs(steps - near) < mpmath.mpf(2) ** -100 else int(steps))
    return [fraction(step) * k for k in found]


def gradient(stem, table, point, known):
    """The gradient at a point, by the definition."""
    weight = fraction(known["regularisation"])
    rows, width = [image(row, known["norm"], known["granularity"]) for row in table], fraction(known["width"])
    at = [fraction(w) for w in point]
    count = max(1, len(table)) if stem == "linear_loss_average_minimiser" else 1
    found = [weight * w for w in at]
    for z in rows:
        s = slope(stem, sum(a * b for a, b in zip(at, z, strict=True)), width)
        found = [g + s * c / count for g, c in zip(found, z, strict=True)]
    return found


def instance(chance, stem):
    """A closed subject, and its parameters."""
    known = {
        "norm": F(chance.randint(1, 6), chance.randint(1, 3)), "dimension": F(chance.randint(1, 3)),
        "regularisation": chance.choice([F(1, 20), F(1, 2), F(1), F(3), F(40)]), "granularity": F(1, 8),
        "tolerance": chance.choice([F(1, 10**6), F(1, 1000), F(1, 4), F(3)]),
        "width": chance.choice([F(1, 3), F(1, 50), F(2)]),
    }  # fmt: skip
    width = f"{known['width']}, " if stem == "huber_minimiser" else ""
    given = f"{known['norm']}, {known['regularisation']}, {width}{known['tolerance']}, {known['dimension']}, 1/8"
    return read(f"{stem}({given})"), known


@pytest.mark.parametrize("neighbours", NEIGHBOURS)
@pytest.mark.parametrize("stem", STEMS)
def test_edits_move_a_minimiser_within_its_claim_and_its_gradient_is_short(stem, neighbours):
    """Every instance: both gradients by another library, and the move; linear losses attain the bound."""
    claims = {norm: minimiser_is_stable(stem, neighbours, norm).claim for norm in ("l1", "l2")}
    nearly = 0
    with mpmath.workprec(BITS):
        for chance in chances(f"{stem} {neighbours}"):
            subject, known = instance(chance, stem)
            d_in, size = chance.choice([0, 1, 1, 1, 2, 3]), int(known["dimension"])
            table = tuple(vector(chance, size, known["norm"]) for _ in range(chance.randint(0, 4)))
            other = neighbour(
                chance, table, neighbours, d_in, lambda s=size, n=known["norm"], c=chance: vector(c, s, n)
            )
            assert METRICS[NEIGHBOURS[neighbours]].within(table, other, F(d_in))
            images = [value(subject, t) for t in (table, other)]
            for t, w in zip((table, other), images, strict=True):
                assert contains(substitute(claims["l2"].output_domain, {"dimension": read(str(size))}), w)
                length = mpmath.sqrt(sum(g * g for g in gradient(stem, t, w, known)))
                assert length <= fraction(known["tolerance"]) * (1 + mpmath.mpf(2) ** -100)
            far = evaluate(claims["l2"].d_out[0], {**known, "d_in": F(d_in)})
            moved = l2_distance_squared(*images)
            assert moved <= far**2
            assert sum(abs(a - b) for a, b in zip(*images, strict=True)) ** 2 <= size * far**2
            root_claim = claims["l1"].d_out[0]
            assert root_claim == read("sqrt(dimension)") * claims["l2"].d_out[0]
            nearly += d_in > 0 and moved >= (F(9, 10) * far) ** 2
    if stem == "linear_loss_minimiser":
        assert nearly >= share(12)


def minimum(stem, rows, weight, width):
    """Numbers around the one minimum in one dimension, by bisection: the gradient grows."""
    low, high = mpmath.mpf(-1000), mpmath.mpf(1000)
    for _ in range(120):
        middle = (low + high) / 2
        rises = weight * middle + sum(slope(stem, z * middle, width) * z for z in rows) > 0
        low, high = (low, middle) if rises else (middle, high)
    return low, high


@pytest.mark.parametrize("stem", ["logistic_minimiser", "huber_minimiser"])
def test_a_minimiser_is_within_tolerance_over_regularisation_of_the_minimum(stem):
    """And true minima, not those of our code, move no farther than norm / regularisation."""
    far = 0
    with mpmath.workprec(BITS):
        for chance in chances(f"minimum {stem}"):
            weight, tolerance, width = F(chance.randint(1, 40), 10), F(1, chance.choice([4, 1000, 10**6])), F(1, 2)
            table = tuple((F(chance.randint(-8, 8), 8),) for _ in range(chance.randint(0, 6)))
            words = (
                f"1, {weight}, 1/2, {tolerance}, 1, 1/8"
                if stem == "huber_minimiser"
                else f"1, {weight}, {tolerance}, 1, 1/8"
            )
            found = fraction(value(read(f"{stem}({words})"), table)[0])
            low, high = minimum(stem, [fraction(z) for (z,) in table], fraction(weight), fraction(width))
            slack = fraction(tolerance / weight) + mpmath.mpf(2) ** -80
            assert low - slack <= found <= high + slack
            added = [fraction(z) for (z,) in table] + [mpmath.mpf(chance.choice([-1, 1]))]
            moved = abs(minimum(stem, added, fraction(weight), fraction(width))[0] - low)
            assert moved <= 1 / fraction(weight) + mpmath.mpf(2) ** -80
            far += moved * fraction(weight) > mpmath.mpf(2) / 5
    assert far >= share(50)


def test_the_order_of_rows_and_rows_that_say_nothing_do_not_matter():
    for chance in chances("order of rows", 200):
        subject, known = instance(chance, "logistic_minimiser")
        rows = [vector(chance, int(known["dimension"]), known["norm"]) for _ in range(4)]
        nothing = (F(0),) * int(known["dimension"])
        first = value(subject, tuple(rows))
        chance.shuffle(rows)
        assert value(subject, (*rows, nothing)) == first


def test_powers_of_e_lie_between_their_bounds():
    with mpmath.workprec(400):
        for chance in chances("powers", 2000):
            x = F(chance.randint(-(10**6), 10**6), chance.choice([250, 1000, 10**5, 2**40, 10**9 + 7]))
            bits = chance.choice([8, 64, 100])
            lower, upper = power_bounds(x, bits)
            exact = mpmath.exp(fraction(x))
            assert 0 < fraction(lower) <= exact * (1 + mpmath.mpf(2) ** -380)
            assert exact <= fraction(upper) * (1 + mpmath.mpf(2) ** -380)
            assert (upper - lower) / lower < F(1, 2**bits)
    assert power_bounds(F(0), 64)[0] <= 1 <= power_bounds(F(0), 64)[1]


@pytest.mark.parametrize("weight", ["1/1000", "1", "1000000"])
@pytest.mark.parametrize("tolerance", ["1/1000000000", "1000"])
def test_there_is_an_answer_where_the_search_is_hard(weight, tolerance):
    """Rows that can be separated, or not, under a weak or a strong ridge."""
    for table in ((), ((F(1), F(0)),) * 50, tuple((F(k, 8), F(1)) for k in range(-8, 8)), ((F(10**9), F(-1, 10**9)),)):
        for stem, more in (("logistic_minimiser", ""), ("huber_minimiser", "1/100, "), ("linear_loss_minimiser", "")):
            assert len(value(read(f"{stem}(1, {weight}, {more}{tolerance}, 2, 1/8)"), table)) == 2
