"""Python whose meaning a reader could mistake is refused, with what to write instead."""

import pytest

from refdp.programs.language.errors import Unsupported
from refdp.programs.language.reading import programs_in

HEAD = 'from refdp.programs import *\n\nNOISE = laplace(1)\n\n\n@claim(epsilon="epsilon", adjacency=ALL)\n'
TRAPS = """
def infinity_plus_one(q, epsilon):
    best = float("-inf")
    for x in q:
        if x > best + 1:
            best = x
    return best
===
def infinity_doubled(q, epsilon):
    best = float("inf")
    for x in q:
        best = min(best, x)
    return 2 * best > 1
===
def infinity_released_with_noise(q, epsilon):
    best = float("-inf")
    for x in q:
        best = max(best, x)
    return best + laplace(1 / epsilon)
===
def continue_in_the_else_of_a_loop(q, epsilon):
    for i in range(2):
        for x in q:
            if x > 0:
                break
        else:
            continue
        yield i
===
def one_draw_for_all_runs(q, epsilon):
    for x in q:
        yield x + NOISE
===
def variable_without_a_value(q, epsilon):
    for x in q:
        y = x
    return y
===
def data_changed(q, epsilon):
    q[0] = 1
    yield q[1]
===
def data_grow(q, epsilon):
    for x in q:
        q.append(x)
        yield 1
===
def another_name_for_the_data(q, epsilon):
    r = q
    for x in r:
        yield x
===
def another_name_for_a_list(q, epsilon):
    a = []
    b = a
    a.append(1)
    return b
===
def defined_within(q, epsilon):
    def noise():
        return laplace(1 / epsilon)
    yield noise()
===
def assigned_in_an_expression(q, epsilon):
    for x in q:
        if (y := x) > 0:
            yield y
===
def global_name(q, epsilon):
    global NOISE
    NOISE = 1
    yield NOISE
===
def identity_of_numbers(q, epsilon):
    for x in q:
        yield x is 1
===
def generator_that_returns(q, epsilon):
    yield 1
    return 2
"""


@pytest.mark.parametrize("body", TRAPS.split("\n===\n"), ids=lambda body: body.strip().split("(")[0].split()[-1])
def test_what_could_be_mistaken_is_refused(body: str) -> None:
    with pytest.raises(Unsupported, match=r"file\.py:\d+:\d+: "):
        programs_in(HEAD + body.strip() + "\n", "file.py")


FRACTIONS = (
    'from fractions import Fraction\nfrom refdp.programs import *\n\n\n@claim(epsilon="epsilon", adjacency=ALL)\n'
)


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        ('laplace("1" + "1")', "1 where a number is needed"),
        ('laplace("1" * 2)', "1 where a number is needed"),
        ('laplace(2 * "1/2")', "1/2 where a number is needed"),
        ('laplace(max("10", "2"))', "10 where a number is needed"),
        ('laplace(abs("2"))', "2 where a number is needed"),
        ('bernoulli("1/4" + "1/4")', "1/4 where a number is needed"),
        ('laplace(1) * Fraction("1/2", 2)', "1/2 where a number is needed"),
        ('laplace(1) * Fraction(1, "2")', "2 where a number is needed"),
        ('laplace(1) * Fraction("1" + "1")', "1 where a number is needed"),
        ("laplace(1) * Fraction(0.5)", "Fraction of a float"),
        ("laplace(1) * Fraction(1, 0.5)", "Fraction of a float"),
        ("laplace(1) * Fraction(1 / 2, 1)", "Fraction of two numbers that are not whole"),
        ("laplace(1) * Fraction(3, epsilon)", "Fraction of two numbers that are not whole"),
    ],
)
def test_text_within_an_expression_is_no_number(expression, reason):
    """Python joins texts, compares them letter by letter, or raises."""
    with pytest.raises(Unsupported, match=reason):
        programs_in(f"{FRACTIONS}def f(x: int, epsilon):\n    return x + {expression}\n", "file.py")


@pytest.mark.parametrize(
    "expression",
    ['laplace("2" if epsilon < 1 else "1/2")', 'laplace(1) * Fraction("1/2")', "laplace(1) * Fraction(1 + 2, 4)",
     'laplace(1) * Fraction("1/2" if epsilon < 1 else "1/3")', "laplace(1) * Fraction(epsilon)"],
)  # fmt: skip
def test_text_that_is_the_argument_is_the_number_that_it_writes(expression):
    [found] = programs_in(f"{FRACTIONS}def f(x: int, epsilon):\n    return x + {expression}\n", "file.py")
    assert found.name == "f"


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("return x + laplace(1)\n    laplace = 1", "a call of the variable laplace"),
        ("return x + laplace(1)\n    class laplace:\n        pass", "a function within a function"),
        ("return x + laplace(1)\n    import laplace", "a call of the variable laplace"),
        ("return x + laplace(1)\n    for laplace in (1, 2):\n        pass", "a call of the variable laplace"),
        ("return x + LEVEL + laplace(1)\n    LEVEL = 5", "LEVEL may have no value here"),
        ("return x + LEVEL + laplace(1)\n    del LEVEL", "LEVEL may have no value here"),
        ("return x + p.laplace(1)\n    p = 5", "the variable p, which is a module"),
        ("for i in range(2):\n        range = 1\n        yield x + laplace(2)", "a call of the variable range"),
        ("for i in range(1):\n        for range in range(1):\n            return x", "a call of the variable range"),
    ],
)
def test_name_that_a_function_binds_anywhere_is_its_own(body, reason):
    """Python raises UnboundLocalError where it is read before it is bound, also if that is never reached."""
    head = "import refdp.programs as p\nLEVEL = 0\n" + FRACTIONS
    with pytest.raises(Unsupported, match=reason):
        programs_in(f"{head}def f(x: int, epsilon):\n    {body}\n", "file.py")
