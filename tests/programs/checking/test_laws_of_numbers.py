"""Laws of data that may be any related numbers: what is demanded of two of them holds just where their laws allow it.

1BitMean (DKY17) is the usual case: a coin whose rate is affine in the datum.
"""

from fractions import Fraction as F
from itertools import product
from random import Random

import pytest

from refdp.programs.adjacency import LENGTH
from refdp.programs.checking.proof import check
from refdp.programs.checking.public import Refused
from refdp.programs.checking.symbolic import NUMBERS, demanded_of_laws
from refdp.programs.language.reading import programs_in
from refdp.terms.exact_values import evaluate

HEADER = """
from refdp.programs import ALL, ONE, bernoulli, choice, claim, each, exp, laplace, uniform

def unit(x, y):
    return 0 <= x <= 1 and 0 <= y <= 1

def wide(x, y):
    return 0 <= x <= 2 and 0 <= y <= 2

def close(x, y):
    return 0 <= x <= 1 and 0 <= y <= 1 and abs(x - y) <= 1 / 2

def upwards(x, y):
    return 0 <= x <= y <= 1

"""
RATE = "1 / (exp(epsilon) + 1) + x * (exp(epsilon) - 1) / (exp(epsilon) + 1)"


def program_of(text):
    return programs_in(HEADER + text, "test.py")[0]


def scalar(body, epsilon="ln(3)", adjacency="unit", parameters="", delta=""):
    claimed = f'@claim(epsilon="{epsilon}", adjacency={adjacency}{delta})'
    return program_of(f"{claimed}\ndef program(x: float{parameters}):\n    {body}\n")


def verdict(program, solver="z3"):
    return check(program, program.claims[0], (), (solver,), 20).verdict


PROVED = {
    "1BitMean": scalar(f"return bernoulli({RATE})", "epsilon", parameters=", epsilon"),
    "1BitMean at ln 3": scalar("return bernoulli(1 / 4 + x / 2)"),
    "1BitMean on a list": program_of(
        '@claim(epsilon="epsilon", adjacency=each(unit, changed=1))\n'
        f"def program(q, epsilon):\n    for x in q:\n        yield bernoulli({RATE})\n"
    ),
    "two of a list differ": program_of(
        '@claim(epsilon="2*ln(3)", adjacency=each(unit, changed=2))\n'
        "def program(q):\n    for x in q:\n        yield bernoulli(1 / 4 + x / 2)\n"
    ),
    "falling": scalar("return bernoulli(3 / 4 - x / 2)"),
    "near numbers": scalar("return bernoulli(1 / 4 + x / 2)", "ln(2)", "close"),
    "one way only": scalar("return bernoulli(1 / 2 - x / 4)", "ln(2)", "upwards"),
    "two coins": scalar("return int(bernoulli(1 / 4 + x / 2)) + int(bernoulli(3 / 4 - x / 2))", "2*ln(3)"),
    "a coin first": scalar(
        "if bernoulli(1 / 2):\n        return bernoulli(1 / 2)\n    return bernoulli(1 / 4 + x / 2)"
    ),
    "weights of the datum": scalar("return choice([1 + x, 2 - x])", "ln(2)"),
    "rounding at random": scalar("return bernoulli(x)", "0", delta=', delta="1"'),
    "small delta": scalar("return bernoulli(1 / 2 + x / 10)", "0", delta=', delta="1/10"'),
}
OPEN = {
    "half the epsilon": scalar(f"return bernoulli({RATE})", "epsilon/2", parameters=", epsilon"),
    "a little less": scalar("return bernoulli(1 / 4 + x / 2)", "ln(299/100)"),
    "a rate beyond 1": scalar("return bernoulli(1 / 4 + x / 2)", "ln(3)", "wide"),
    "a rate below 0": scalar("return bernoulli(x / 2 - 1 / 8)", "ln(9)"),
    "a rate of any number": scalar("return bernoulli(1 / 4 + x / 2)", "ln(3)", "ALL"),
    "a rate of 0": scalar("return bernoulli(x / 2)", "ln(9)"),
    "a rate of 1": scalar("return bernoulli(1 / 2 + x / 2)", "ln(9)"),
    "the sharp bound the other way": scalar("return bernoulli(1 / 2 + x / 4)", "ln(2) - 1/100", "upwards"),
    "weights of the datum": scalar("return choice([1 + x, 2 - x])", "ln(199/100)"),
    "the datum is released": scalar("return x", "9"),
    "a branch on the datum": scalar("if x > 1 / 2:\n        return bernoulli(1 / 4)\n    return bernoulli(1 / 2)", "9"),
    "two coins at the price of one": scalar("return int(bernoulli(1 / 4 + x / 2)) + 2 * int(bernoulli(1 / 4 + x / 2))"),
    "all of a list differ": program_of(
        '@claim(epsilon="ln(3)", adjacency=each(unit))\n'
        "def program(q):\n    for x in q:\n        yield bernoulli(1 / 4 + x / 2)\n"
    ),
    "a sum over a list": program_of(
        '@claim(epsilon="ln(3)", adjacency=each(unit, changed=1))\n'
        "def program(q):\n    s = 0\n    for x in q:\n        s = s + x\n        yield bernoulli(1 / 4 + s / 2)\n"
    ),
    "a rate of the place": program_of(
        '@claim(epsilon="ln(3)", adjacency=each(unit, changed=1))\n'
        "def program(q):\n    for i, x in enumerate(q):\n        yield bernoulli(1 / 4 + i * x / 2)\n"
    ),
    "delta too small": scalar("return bernoulli(1 / 2 + x / 10)", "0", delta=', delta="99/1000"'),
    "delta of two coins": scalar(
        "return int(bernoulli(1 / 2 + x / 10)) + 2 * int(bernoulli(1 / 2 + x / 10))", "0", delta=', delta="1/10"'
    ),
}


@pytest.mark.parametrize("name", PROVED)
def test_laws_of_numbers_prove_what_holds(name):
    assert verdict(PROVED[name]) == "PROVED"


@pytest.mark.parametrize("name", OPEN)
def test_laws_of_numbers_do_not_prove_what_does_not_hold_or_is_no_finite_law(name):
    assert verdict(OPEN[name]) == "UNKNOWN"


def test_laws_of_numbers_are_proved_by_the_other_solver():
    assert verdict(PROVED["1BitMean"], "cvc5") == "PROVED"


def at(first, second):
    """The values of the two numbers that stand for any; there is one element."""
    return {**dict(zip(NUMBERS, (first, second), strict=True)), LENGTH: F(1)}


def keeps(first, second, factor):
    """Whether two coins have these rates, and laws within the factor, one way."""
    rates = 0 <= first <= 1 and 0 <= second <= 1
    return rates and first <= factor * second and 1 - first <= factor * (1 - second)


def random_rate(random):
    a, b = F(random.randint(-2, 8), 8), F(random.randint(-6, 6), 8)
    return a, b


def test_laws_of_numbers_demand_what_the_laws_at_any_two_numbers_say():
    """On 1,000 random coins, at random related numbers: the demands hold there just where the laws keep the claim."""
    random, counts = Random(5), {True: 0, False: 0}
    while sum(counts.values()) < 1_000:
        a, b = random_rate(random)
        factor = F(random.randint(4, 16), 4)
        program = scalar(f"return bernoulli({a} + x * ({b}))", f"ln({factor})")
        try:
            wanted = list(demanded_of_laws(program, program.claims[0], ("z3",), 5.0))
        except Refused:  # the same rate for all data, at which there is no coin
            assert b == 0
            assert not 0 <= a <= 1
            continue
        x, y = F(random.randint(0, 4), 4), F(random.randint(0, 4), 4)
        values = at(x, y)
        assert all(evaluate(h, values) for one in wanted for h in one.hypotheses)
        holds = all(evaluate(one.conclusion, values) for one in wanted)
        assert holds == keeps(a + b * x, a + b * y, factor)
        counts[holds] += 1
    assert min(counts.values()) > 100


def test_laws_of_numbers_are_of_runs_with_one_course():
    """A branch on the datum is refused, whatever is done in it; what an exception would be raised for is demanded."""
    program = scalar("if x < 1 / 2:\n        return bernoulli(1 / 2)\n    return bernoulli(1 / 2)")
    with pytest.raises(Refused, match="must not hang on data that may be any number"):
        list(demanded_of_laws(program, program.claims[0], ("z3",), 5.0))
    assert verdict(scalar("return bernoulli(1 / 4 + x / 2)")) == "PROVED"


def test_laws_of_numbers_are_asked_of_related_numbers_alone():
    program = scalar("return bernoulli(1 / 4 + x / 2)")
    *_, last = demanded_of_laws(program, program.claims[0], ("z3",), 5.0)
    for x, y in product((F(-1), F(0), F(1), F(2)), repeat=2):
        known = all(evaluate(h, at(x, y)) for h in last.hypotheses)
        assert known == (0 <= x <= 1 and 0 <= y <= 1)


@pytest.mark.parametrize("seed", range(12))
def test_laws_of_numbers_two_end_points_decide(seed):
    """The ratio of affine rates is greatest at the ends of the range of the datum."""
    random = Random(100 + seed)
    a, b = random_rate(random)
    factor = F(random.randint(4, 16), 4)
    expected = all(keeps(a + b * x, a + b * y, factor) for x, y in product((0, 1), repeat=2))
    found = verdict(scalar(f"return bernoulli({a} + x * ({b}))", f"ln({factor})"))
    assert found == ("PROVED" if expected else "UNKNOWN")
