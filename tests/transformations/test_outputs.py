"""outputs: functions of an output alone; the law of the image is the image of the law, at no cost."""

from dataclasses import replace
from fractions import Fraction as F

import pytest

import refdp.mechanisms  # noqa: F401  (importing them registers what is post-processed)
from refdp.sampling.coins import Coins
from refdp.sampling.schemes import draw
from refdp.sampling.tree import law_of
from refdp.spec.distances import greatest_ratio
from refdp.spec.semantics import law
from refdp.terms.reading import read
from refdp.transformations import CLAMP_OUTPUT, MULTIPLY_OUTPUT
from tests.exactness.entering import entered
from tests.exactness.refusals import refusal
from tests.transformations.checks import fractions

RESPONSE = "k_ary_randomised_response(3, 1/2)"


def test_outputs_of_worked_examples():
    bounds = {"lower": F(0), "upper": F(5)}
    assert [CLAMP_OUTPUT.run(F(y), bounds) for y in (-2, 0, 3, 5, 9)] == [0, 0, 3, 5, 5]
    assert CLAMP_OUTPUT.run(fractions(-1, 7, 2), bounds) == (0, 5, 2)
    assert CLAMP_OUTPUT.run((F(9), fractions(-1, 1)), bounds) == (5, (0, 1))
    assert MULTIPLY_OUTPUT.run(F(3), {"factor": F(-1, 2)}) == F(-3, 2)
    assert MULTIPLY_OUTPUT.run(fractions(1, 2), {"factor": F(10)}) == (10, 20)


@pytest.mark.parametrize("x", [0, 1, 2])
def test_outputs_have_the_law_of_the_image(x):
    before = law(read(RESPONSE), F(x))
    doubled = law(read(f"post_process(multiply_output(2), {RESPONSE})"), F(x))
    clamped = law(read(f"post_process(clamp_output(1, 2), {RESPONSE})"), F(x))
    assert doubled == {2 * y: p for y, p in before.items()}
    assert clamped == {F(1): before[F(0)] + before[F(1)], F(2): before[F(2)]}


def test_outputs_lose_no_privacy():
    """The definition: the greatest ratio of masses does not grow."""
    for function in ("clamp_output(1, 2)", "clamp_output(0, 1)", "clamp_output(1, 1)", "multiply_output(0)"):
        subject = read(f"post_process({function}, {RESPONSE})")
        ratios = [greatest_ratio(law(subject, F(a)), law(subject, F(b))) for a in range(3) for b in range(3)]
        assert max(ratios) <= 2


def test_outputs_are_drawn_from_the_same_law():
    """Two flips decide whether the truth is told, and which other value."""
    subject = read(f"post_process(clamp_output(1, 2), {RESPONSE})")
    found = law_of(lambda bits: draw(subject, F(0), Coins(bits)), 12)
    assert 1 - found.unresolved >= F(9, 10)
    assert all(found.admits(y, p, p) for y, p in law(subject, F(0)).items())
    assert not found.admits(F(1), F(1, 4), F(1, 4))


def test_outputs_that_keep_a_wrong_bound_do_not_have_the_law_of_the_image():
    wrong = replace(CLAMP_OUTPUT, stem="wrong_clamp_output", run=lambda y, values: max(y, values["lower"]))
    with entered(wrong):
        assert law(read(f"post_process(wrong_clamp_output(0, 1), {RESPONSE})"), F(2)) != law(
            read(f"post_process(clamp_output(0, 1), {RESPONSE})"), F(2)
        )


@pytest.mark.parametrize(
    ("subject", "said"),
    [
        (f"post_process(clamp_output(2, 1), {RESPONSE})", "clamp_output(2, 1) breaks lower <= upper"),
        (f"post_process(clamp_output(2), {RESPONSE})", "clamp_output(2) is not clamp_output(lower, upper)"),
        (f"post_process(clamp(0, 1, 1), {RESPONSE})", "'clamp' is not a registered PostFunction"),
        (f"post_process(absent(1), {RESPONSE})", "'absent' is not a registered PostFunction"),
    ],
)
def test_outputs_refuse_in_one_sentence(subject, said):
    assert refusal(lambda: law(read(subject), F(0))) == said
