"""naive_laplace: the model replayed bit by bit on doubles: from 37 the output occurs, from 25 it cannot."""

import math
from fractions import Fraction as F
from itertools import pairwise

import pytest

from refdp.statements.naive_laplace import ABOVE, BELOW, OUTPUT, STEPS
from tests.meta.repository import ROOT
from tests.statements.checks import variant, verdict

UNIT = 2**53
WANTED = float(OUTPUT)


def folded(m):
    """w = 2^53 (2 - U - U) as doubles compute it, for U = m / 2^53 >= 1/2."""
    u = m * 2.0**-53
    return (2.0 - u - u) * 2.0**53


def output(centre, m):
    """What the sampler returns for U = m / 2^53, its logarithm being this machine's."""
    u = m * 2.0**-53
    return centre - 25.0 * math.log(2.0 - u - u) if u >= 0.5 else centre + 25.0 * math.log(u + u)


def draw_of(w):
    """An m whose w is near to this one."""
    return (2 * UNIT - w) // 2


def test_page_has_the_numbers_of_the_statements():
    page = (ROOT / "docs" / "floating_point.md").read_text(encoding="utf-8")
    assert f"a = {BELOW}     b = {ABOVE}\n" in page
    assert f"y = 37 + {(OUTPUT - 37) * 2**47} / 2^47\n" in page
    assert f"1 - {STEPS} / 2^53" in page


def test_output_is_a_double():
    assert F(WANTED) == OUTPUT


def test_draws_have_the_residues_of_the_model_everywhere():
    """Around both ends, the middle and the gap: w is 0, 1, 4 or 7 modulo 8, in steps of 1 or 3."""
    for start in (UNIT // 2, 3 * UNIT // 4, draw_of(ABOVE) - 500, UNIT - 1000):
        found = [int(folded(m)) for m in range(start, start + 1000)]
        assert all(float(w) == folded(m) for m, w in zip(range(start, start + 1000), found, strict=True))
        assert {w % 8 for w in found} == {0, 1, 4, 7}
        assert {a - b for a, b in pairwise(found)} == {1, 3}


def test_draws_have_a_gap_where_it_is_said_to_be():
    found = [int(folded(m)) for m in range(draw_of(ABOVE) - 5, draw_of(ABOVE) + 6)]
    assert ABOVE in found
    assert found[found.index(ABOVE) + 1] == BELOW


def test_gap_straddles_the_output_so_that_25_never_gives_it():
    """Outputs rise with m: on both sides of the gap they lie on both sides of the output, hundreds of them."""
    near = range(draw_of(ABOVE) - 300, draw_of(ABOVE) + 300)
    outputs = [output(25.0, m) for m in near]
    assert outputs == sorted(outputs)
    assert WANTED not in outputs
    assert outputs[0] < WANTED < outputs[-1]
    crossing = [int(folded(m)) for m, y in zip(near, outputs, strict=True) if y < WANTED][-1]
    assert crossing == ABOVE


def test_output_is_reached_from_37_by_just_two_draws():
    """The probability 2 / (2^53 - 1) of the claim about the mechanism."""
    found = [m for m in range(UNIT // 2, UNIT // 2 + 3000) if output(37.0, m) == WANTED]
    assert [UNIT - int(folded(m)) for m in found] == [STEPS, STEPS + 1]
    assert [m - UNIT // 2 for m in found] == [139, 140]


def test_third_of_the_outputs_just_above_37_never_come_from_25():
    """Not one output but one in three: 200 doubles from 37 on, each looked for among the draws near it."""
    missed = 0
    for k in range(1, 200):
        y = 37.0 + k * 2.0**-47
        m = draw_of(int(UNIT * math.exp(-(y - 25.0) / 25.0)))
        missed += all(output(25.0, m + i) != y for i in range(-40, 41))
    assert 50 <= missed <= 80


def test_largest_draw_is_beyond_950_from_37_only():
    assert output(25.0, UNIT - 1) < 950 < output(37.0, UNIT - 1)
    assert folded(UNIT - 1) == 1


@pytest.mark.parametrize(
    ("key", "old", "new"),
    [
        ("draws_have_a_gap", "8 * t + 7", "8 * t + 3"),
        ("draws_have_a_gap", "3", "4"),
        ("largest_draw", "950", "960"),
        ("output_is_reached", "1 / 281474976710656", "1 / 28147497671065600"),
    ],
)
def test_what_is_a_little_off_does_not_hold(key, old, new):
    assert verdict(variant(f"naive_laplace.{key}", old, new)) == "disproved"
