"""Asserts about public numbers, and claims whose epsilon is an expression of constants.

docs/how_to/prove.md: any expression in the parameters may be claimed; a program may assert what is public.  Both are
chosen by generators of their own, so that the programs of older seeds stay what they were but for these.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from random import Random

from tests.fuzzing.programs import Program

ASSERTS = 0.12
"""How often a program has asserts."""
EXPRESSIONS = 0.15
"""How often the epsilon of a claim is written otherwise, or is another expression."""
STATED = 0.7
"""How often what is asserted is a condition of the claim, too."""
OF_NAME: dict[str, tuple[str, ...]] = {
    "epsilon": ("epsilon > 0", "10 * epsilon >= 1", "epsilon <= 2", "0 < epsilon <= 4", "epsilon != 3",
                "2 * epsilon > 0", "exp(epsilon) > 1", "log(epsilon) <= 1"),
    "k": ("k >= 1", "k <= 3", "k > 0", "k == 2"), "N": ("N >= 1", "N <= 2", "N != 0"),
    "sigma": ("sigma > 0", "2 * sigma >= 1"),
    "f": ("0 < f < 1", "2 * f <= 1", "f * f < 1"), "p": ("0 < p", "2 * p <= 1"), "delta": ("delta < 1", "0 <= delta"),
    "s": ("s > 0", "s != 0", "abs(10 * s) >= 1", "s < 0"), "B": ("B > 0", "B >= 1"),
    "T": ("T >= 0", "T == T", "T <= 5"),
}  # fmt: skip
"""What may be asserted of a public parameter of that name."""
OF_LENGTH = (
    "len(q) >= 1",
    "len(q) > 0",
    "len(q) <= 3",
    "len(q) == 2",
    "len(q) != 0",
    "len(q) * 2 > 1",
    "0 < len(q) < 4",
)
OF_NOTHING = ("1 > 0", "True", "1/2 + 1/3 < 1", "2 > 3")
REWRITTEN = (
    "{e}/2 + {e}/2", "2*{e} - {e}", "{e} + 1/2 - 1/2", "{e}*3/3", "log(exp({e}))", "ln(exp({e}))", "{e} + log(1)",
    "abs({e})", "max({e}, 0)", "min({e}, {e} + 1)", "-(-{e})", "{e}**1", "(2*{e} + 1)/2 - 1/2", "{e}/3 + 2*{e}/3",
)  # fmt: skip
"""The same number, written otherwise."""
OTHERS = (
    "2*{e}", "{e}/3 + 1/2", "{e} + 1/3", "{e}*{e}", "max({e}, 1/2)", "min({e}, 1)", "{e} + log(2)", "exp({e}) - 1",
    "log(1 + {e})", "{e} - 1/10", "3*{e}/2", "{e}**2/2 + {e}/2",
)  # fmt: skip
"""Another number."""
CONSTANTS = ("log(3)", "ln(3)", "2*log(3)", "log(3) - log(2)", "log(2) + 1/2", "1/2 + 1/3", "log(9)/2", "log(4/3)",
             "exp(1)", "ln(1/2) + 2", "0.5 + 1/2", "max(1, log(2))", "2*0", "3 - 2/3")  # fmt: skip
"""Numbers without a parameter."""


def asserted(written: Program, random: Random) -> Program:
    """The program, in a share of the cases with asserts about what is public, some of them stated by the claim."""
    if random.random() >= ASSERTS:
        return written
    body, where = list(written.body), list(written.where)
    for _ in range(random.choice((1, 1, 1, 2))):
        test = random.choice(list(tests(written)))
        said = random.choice(("", "", ", 'must hold'"))
        place, indent = random.choice(list(places(body)))
        body.insert(place, f"{indent}assert {test}{said}")
        if random.random() < STATED and test not in OF_NOTHING:
            where.append(condition(test))
    return replace(written, body=tuple(body), where=tuple(where))


def tests(written: Program) -> Iterator[str]:
    """What may be asserted."""
    for name in written.signature.public:
        yield from OF_NAME.get(name, ())
    if written.signature.is_list:
        yield from OF_LENGTH
    yield from OF_NOTHING


def condition(test: str) -> str:
    """The test as a claim states it: the length is n, and no comparison is chained."""
    found = re.match(r"0 < (\S+) (<=?) (\S+)$", test.replace("len(q)", "n"))
    return f"0 < {found[1]} and {found[1]} {found[2]} {found[3]}" if found else test.replace("len(q)", "n")


def places(body: list[str]) -> Iterator[tuple[int, str]]:
    """Where a statement may be put in front of a line, and how deep: more often first."""
    yield from [(0, "")] * 3
    for i, line in enumerate(body):
        if not re.match(r"\s*(else|elif|except|finally)\b", line):
            yield i, line[: len(line) - len(line.lstrip())]


def expressed(claimed: str, has_epsilon: bool, random: Random) -> str:
    """The claim, in a share of the cases with its epsilon written otherwise, or another one."""
    found = re.match(r'epsilon="([^"]*)"', claimed)
    if found is None or random.random() >= EXPRESSIONS:
        return claimed
    chosen = random.random()
    if chosen < 0.5:
        text = random.choice(REWRITTEN).format(e=f"({found[1]})")
    elif chosen < 0.8 or has_epsilon and chosen < 0.93:
        text = random.choice(OTHERS).format(e="epsilon" if has_epsilon else f"({found[1]})")
    else:
        text = random.choice(CONSTANTS)
    return f'epsilon="{text}"{claimed[found.end() :]}'
