"""What people write every day is decided, in several spellings; with half the noise, or one count too many, it is not.

Every text has a number M in it: the claim is true as it stands at M = 1 and tight, so that at M = 99/100 it is false.
The second judge runs each PROVED besides, in the tests of the second judge.
"""

import pytest

from refdp.programs.judging import judge
from refdp.programs.question import Question

HEAD = """
from refdp.programs import ALL, ONE, bernoulli, choice, claim, discrete_laplace, each, exp, laplace, log

def rows(x, y):
    return True

def of_four(x, y):
    return 0 <= x and x <= 3 and 0 <= y and y <= 3

"""
ROWS = "each(rows, changed=1)"

NUMBERS = {
    "a count, summed": (ROWS, "", "q, epsilon, T", "return sum(1 for x in q if x > T) + laplace(M / epsilon)"),
    "a count, its length": (ROWS, "", "q, epsilon, T", "return len([x for x in q if x > T]) + laplace(M / epsilon)"),
    "a count of truths": (ROWS, "", "q, epsilon, T", "return sum(x > T for x in q) + laplace(M / epsilon)"),
    "a count, by a loop": (ROWS, "", "q, epsilon, T", """count = 0
    for x in q:
        if x > T:
            count += 1
    return count + laplace(M / epsilon)"""),
    "a count on whole numbers": (ROWS, "", "q: list[int], epsilon, T: int",
                                 "return sum(1 for x in q if x == T) + discrete_laplace(M / epsilon)"),
    "a number times B": ("ALL", "0 < B", "x: float, epsilon, B: float", "return B * x + laplace(M * B / epsilon)"),
    "a sum times B": ("ONE", "0 < B", "q: list[float], epsilon, B: float",
                      "return B * sum(q) + laplace(M * B / epsilon)"),
    "a clamped sum": (ROWS, "0 < B", "q: list[float], epsilon, B: float",
                      "return sum(max(0, min(x, B)) for x in q) + laplace(M * B / epsilon)"),
    "a sum clamped to [L, U]": (ROWS, "L < U", "q: list[float], epsilon, L: float, U: float",
                                "return sum(max(L, min(x, U)) for x in q) + laplace(M * (U - L) / epsilon)"),
    "a sum clamped by branches": (ROWS, "L < U", "q: list[float], epsilon, L: float, U: float", """total = 0
    for x in q:
        if x < L:
            total += L
        elif x > U:
            total += U
        else:
            total += x
    return total + laplace(M * (U - L) / epsilon)"""),
    "a sum of products with B": ("ONE", "0 < B", "q: list[float], epsilon, B: float",
                                 "return sum(B * x for x in q) + laplace(M * B / epsilon)"),
    "a sum of products with B, by a loop": ("ONE", "0 < B", "q: list[float], epsilon, B: float", """total = 0
    for x in q:
        total += B * x
    return total + laplace(M * B / epsilon)"""),
    "n answers times B": ("ALL", "0 < B", "q: list[float], epsilon, B: float", """for x in q:
        yield B * x + laplace(M * B * len(q) / epsilon)"""),
    "a mean": ("ONE", "n >= 1", "q: list[float], epsilon",
               "return sum(q) / len(q) + laplace(M / (len(q) * epsilon))"),
    "a clamped mean": (ROWS, "n >= 1", "q: list[float], epsilon",
                       "return sum(min(max(x, 0), 1) for x in q) / len(q) + laplace(M / (len(q) * epsilon))"),
    "n answers, yielded": ("ALL", "", "q: list[float], epsilon", """for x in q:
        yield x + laplace(M * len(q) / epsilon)"""),
    "n answers, in a list": ("ALL", "", "q: list[float], epsilon",
                             "return [x + laplace(M * len(q) / epsilon) for x in q]"),
    "n answers, appended": ("ALL", "", "q: list[float], epsilon", """out = []
    for x in q:
        out.append(x + laplace(M * len(q) / epsilon))
    return out"""),
    "n answers, by number": ("ALL", "", "q: list[float], epsilon", """scale = M * len(q) / epsilon
    for i in range(len(q)):
        yield q[i] + laplace(scale)"""),
}  # fmt: skip
"""Adjacency, condition, parameters, body."""

FINITE = {
    "one of four, by weights": ("of_four", "epsilon", "0", "x: int, epsilon",
                                "return choice([exp(epsilon) if i == x else 1 for i in range(4)])"),
    "one of four, or any": ("of_four", "epsilon", "0", "x: int, epsilon", """p = (exp(epsilon) - 1) / (exp(epsilon) + 3)
    if bernoulli(p):
        return x
    return choice([1, 1, 1, 1])"""),
    "one of four, or two coins": ("of_four", "epsilon", "0", "x: int, epsilon",
                                  """other = 2 * bernoulli(1 / 2) + bernoulli(1 / 2)
    if bernoulli((exp(epsilon) - 1) / (exp(epsilon) + 3)):
        return x
    return other"""),
    "a mixture of responses": ("rows", "log((3 * exp(epsilon) + 1) / (exp(epsilon) + 3))", "0", "x: bool, epsilon",
                               """if bernoulli(1 / 2):
        return x != bernoulli(1 / (1 + exp(epsilon)))
    return bernoulli(1 / 2)"""),
    "two flips": ("rows", "log((2 * exp(epsilon) + 1) / (exp(epsilon) + 2))", "0", "x: bool, epsilon",
                  """b = x != bernoulli(1 / 3)
    return b != bernoulli(1 / (1 + exp(epsilon)))"""),
    "a response in a third of cases": ("rows", "epsilon", "0", "x: bool, epsilon", """if bernoulli(1 / 3):
        return x != bernoulli(1 / (1 + exp(epsilon)))
    return None"""),
    "a leak": ("rows", "0", "1/10", "x: bool", """if bernoulli(1 / 10):
        return x
    return False"""),
    "a leak with a symbol": ("rows", "epsilon", "d", "x: bool, epsilon, d: float", """if bernoulli(d):
        return (x, 1)
    return (x != bernoulli(1 / (1 + exp(epsilon))), 0)"""),
    "the total variation of a response": ("rows", "0", "(exp(epsilon) - 1) / (exp(epsilon) + 1)", "x: bool, epsilon",
                                          "return x != bernoulli(1 / (1 + exp(epsilon)))"),
}  # fmt: skip
"""Adjacency, epsilon, delta, parameters, body.

What claims half a logarithm of e^epsilon is not refuted: at no epsilon that is tried is it a closed form.
"""


def verdict(text: str) -> str:
    """The verdict about a program."""
    asked = Question(HEAD + text, "program", 0)
    return judge(asked, *asked.read(), 20.0).verdict


def of_numbers(name: str, noise: str) -> str:
    """A program that adds so much of the noise that is needed."""
    adjacency, where, parameters, body = NUMBERS[name]
    allowed = f', where="{where}"' if where else ""
    head = f'@claim(epsilon="epsilon", adjacency={adjacency}{allowed})\ndef program({parameters}):\n    '
    return head + body.replace("M", noise) + "\n"


@pytest.mark.parametrize("name", NUMBERS)
def test_everyday_numbers_are_private_with_all_of_their_noise_and_not_with_less(name: str) -> None:
    assert verdict(of_numbers(name, "1")) == "PROVED"
    assert verdict(of_numbers(name, "99 / 100")) != "PROVED"
    assert verdict(of_numbers(name, "1 / 2")) == "REFUTED"


def test_one_answer_too_many_is_not_private() -> None:
    text = of_numbers("n answers, yielded", "1") + "    yield sum(q) + laplace(len(q) / epsilon)\n"
    assert verdict(text) == "REFUTED"


def finite(name: str, less: str) -> str:
    """A program whose claim is multiplied by `less`: its delta where there is one, else its epsilon."""
    adjacency, epsilon, delta, parameters, body = FINITE[name]
    epsilon, delta = (epsilon, f"{less} * ({delta})") if delta != "0" else (f"{less} * ({epsilon})", delta)
    where = ', where="0 < d and d < 1"' if "d: float" in parameters else ""
    said = f'epsilon="{epsilon}"' + (f', delta="{delta}"' if delta != "0" else "")
    return f"@claim({said}, adjacency={adjacency}{where})\ndef program({parameters}):\n    {body}\n"


@pytest.mark.parametrize("name", FINITE)
def test_finite_laws_are_private_as_claimed_and_not_at_less(name: str) -> None:
    assert verdict(finite(name, "1")) == "PROVED"
    assert verdict(finite(name, "99/100")) != "PROVED"
    wrong = verdict(finite(name, "1/2"))
    assert wrong == ("UNKNOWN" if "log(" in FINITE[name][1] else "REFUTED")
