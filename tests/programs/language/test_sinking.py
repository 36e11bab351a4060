"""Where draws stand: after loops that do not read them, and nowhere else."""

import pytest

from refdp.programs.language.reading import program_in
from refdp.programs.syntax import Assign, Draw, Loop, Program

HEAD = """from refdp.programs import ONE, claim, laplace, bernoulli, uniform


@claim(epsilon="epsilon", adjacency=ONE)
def program(q, epsilon):
"""


def read(*lines: str) -> Program:
    return program_in(HEAD + "".join(f"    {line}\n" for line in lines), "sinking.py", "program")


def kinds(program: Program) -> list[type]:
    return [type(one) for one in program.body if isinstance(one, Draw | Loop)]


@pytest.mark.parametrize(
    "lines",
    [
        ("noise = laplace(1)", "total = 0", "for x in q:", "    total += x", "return total + noise"),
        ("noise = 2 * laplace(1)", "total = 0", "for x in q:", "    total += x", "return total + noise"),
        ("noise = laplace(1)", "return sum(q) + noise"),
        ("noise = laplace(1)", "total = 0", "for x in q:", "    if total > 1:", "        break", "    total += x",
         "return total + noise"),
    ],
)  # fmt: skip
def test_a_draw_that_a_loop_does_not_read_stands_after_it(lines: tuple[str, ...]) -> None:
    assert kinds(read(*lines)) == [Loop, Draw]


@pytest.mark.parametrize(
    "lines",
    [
        ("noise = laplace(1)", "for x in q:", "    yield x + noise"),
        ("noise = laplace(1)", "total = 0", "for x in q:", "    if noise > 0:", "        total += x", "return total"),
        ("noise = laplace(1)", "for x in q:", "    noise = noise + x", "return noise"),
    ],
)  # fmt: skip
def test_a_draw_that_a_loop_reads_stays(lines: tuple[str, ...]) -> None:
    assert kinds(read(*lines)) == [Draw, Loop]


def test_a_draw_that_the_next_round_reads_stays_in_its_place() -> None:
    program = read(
        *("last = 0", "for x in q:", "    yield x + last", "    last = laplace(1)"),
        *("    for j in range(2):", "        yield 0"),
    )
    (outer,) = (one for one in program.body if isinstance(one, Loop))
    order = [type(one) for one in outer.body if isinstance(one, Draw | Assign | Loop)]
    assert order.index(Draw) < order.index(Loop)


def test_what_is_computed_from_what_a_loop_changes_stays() -> None:
    program = read(
        *("total = 0", "for x in q:", "    total += x", "noise = laplace(1)", "shifted = noise + total"),
        *("for x in q:", "    total += x", "return shifted, total"),
    )
    assert kinds(program) == [Loop, Draw, Loop]
