"""Numbers that are rounded to a grid move no farther than the rule says, and sometimes as far."""

import random
from fractions import Fraction as F

import pytest

import refdp.transformations  # noqa: F401
from refdp.kernel import rules
from refdp.kernel.judgements import KernelError
from refdp.numerics.exact import decide
from refdp.spec.distances import METRICS
from refdp.spec.semantics import value
from refdp.terms.reading import read
from refdp.terms.term import number

INSTANCES = 1_000


def rounded(metric, **values):
    return rules.instantiate(rules.rounded(stem="rounded_to", metric=metric), values=values).claim


def test_rounded_number_has_the_map_of_a_multiple():
    claim = rounded("absolute", granularity="1/10", d_in="3/10")
    assert str(claim.term) == "stable(rounded_to(1/10), reals(), absolute(3/10), grid(1/10), absolute(3/10))"
    with pytest.raises(KernelError, match="multiple"):
        rounded("absolute", granularity="1/10", d_in="1/4")
    with pytest.raises(KernelError, match="multiple"):
        rounded("linf", granularity="1/10", d_in="1/4", dimension="2")


def test_rounded_vector_may_move_a_step_further_in_each_coordinate():
    assert rounded("l1", granularity="1/2", d_in="1/4", dimension="3").d_out == (number(F(7, 4)),)
    exact = rules.instantiate(
        rules.rounded(stem="rounded_to", metric="l2"),
        values={"granularity": "1/2", "d_in": "1/4", "dimension": "2"}, d_out=["0.957106781187"],
    )  # fmt: skip
    assert decide(read("1/4 + sqrt(2) / 2") <= exact.claim.d_out[0])


@pytest.mark.parametrize("metric", ["symmetric", "hamming", "l3", ""])
def test_rounding_has_no_map_in_other_metrics(metric):
    with pytest.raises(KernelError, match="has no map in"):
        rules.rounded(stem="rounded_to", metric=metric)


@pytest.mark.parametrize("stem", ["clamp", "nothing", "query"])
def test_only_a_rounding_is_rounded(stem):
    with pytest.raises(KernelError, match="is not a registered Rounding"):
        rules.rounded(stem=stem, metric="absolute")


def test_halves_go_up_so_that_shifts_by_a_step_are_kept():
    subject = read("rounded_to(1)")
    halves = [F(2 * i + 1, 2) for i in range(-3, 3)]
    assert [value(subject, x) for x in halves] == [F(i + 1) for i in range(-3, 3)]
    assert value(subject, (F(1, 3), F(2, 3))) == (F(0), F(1))
    with pytest.raises(ValueError, match="must be an exact number"):
        value(subject, "1/2")


@pytest.mark.parametrize("metric", ["absolute", "linf", "l1", "l2"])
def test_rounding_keeps_its_map_at_random_numbers(metric):
    """1,000 pairs each, half of them with numbers halfway between grid points; the greatest move is seen, too."""
    rng, attained = random.Random(metric), 0
    for _ in range(INSTANCES):
        step = F(1, rng.choice((1, 2, 3, 10)))
        size = 1 if metric == "absolute" else rng.choice((1, 2, 3))
        points = [(number_near(rng, step), number_near(rng, step)) for _ in range(size)]
        u, v = (tuple(p[i] for p in points) for i in (0, 1))
        moved = [max(abs(a - b) for a, b in points), sum(abs(a - b) for a, b in points)]
        d_in = -(-moved[0] // step) * step if metric in ("absolute", "linf") else moved[1]
        values = {"granularity": str(step), "d_in": str(d_in)} | (
            {"dimension": str(size)} if metric != "absolute" else {}
        )
        bounds = {"d_out": [str(d_in + 2 * step)]} if metric == "l2" else {}  # sqrt(3) < 2
        claim = rules.instantiate(rules.rounded(stem="rounded_to", metric=metric), values=values, **bounds).claim
        images = [value(claim.subject, x[0] if metric == "absolute" else x) for x in (u, v)]
        assert METRICS[metric].within(*images, claim.d_out[0].rational)
        attained += metric in ("absolute", "linf") and not METRICS[metric].within(
            *images, claim.d_out[0].rational - step
        )
    assert attained > 100 or metric in ("l1", "l2")


def number_near(rng, step):
    """A number on the grid, halfway, or elsewhere."""
    return rng.randint(-6, 6) * step + rng.choice((F(0), step / 2, step / 3, step / 7))
