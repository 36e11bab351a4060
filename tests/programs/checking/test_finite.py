"""Proofs by comparing exact laws."""

from dataclasses import replace
from fractions import Fraction

import pytest

from refdp.programs.certificates.replaying import trusted
from refdp.programs.checking.finite import (
    Found,
    TooLikely,
    answers_alone,
    compared,
    each_outcome,
    farthest,
    holds_exactly,
)
from refdp.programs.checking.proof import check
from refdp.programs.checking.public import Refused
from refdp.programs.events import element_of, start
from refdp.programs.execution import Execution
from refdp.programs.language.reading import programs_in
from refdp.programs.probabilities import number
from refdp.programs.syntax import Program
from refdp.terms.leaves import integer, rational, variable
from refdp.terms.operations import conjunction, less

HEADER = """
from refdp.programs import ALL, L1, ONE, bernoulli, choice, claim, discrete_laplace, each, laplace, uniform

def any_bits(x, y):
    return True

def far(x, y):
    return 3 <= x <= 5 and 3 <= y <= 5

def counts(x, y):
    return 0 <= x <= 3 and 0 <= y <= 3 and abs(x - y) <= 1

"""
FLIPPED = """
def flipped(bit: bool, p):
    return bit != bernoulli(p)
"""
REPORTS = """
def reports(bits: list[bool], f, p, r):
    for bit in bits:
        if bit != bernoulli(f / 2):
            yield bernoulli(r)
        else:
            yield bernoulli(p)
"""
MEMORY = """
def memory(bits: list[bool], p):
    earlier = False
    for bit in bits:
        earlier = bit != (earlier != bernoulli(p))
        yield earlier
"""
BOUNDED = """
def bounded(count: int, k: int):
    return min(3, max(0, count + uniform(-k, k)))
"""
NOISY = """
def noisy(count: int, k: int):
    return count + discrete_laplace(k)
"""
LARGE = """
def large(count: int, k: int):
    return count + uniform(-k, k) >= 2
"""


def read(source: str, claims: str) -> Program:
    """The program with these decorators."""
    return programs_in(HEADER + claims + source, "test.py")[0]


@pytest.mark.parametrize(
    ("source", "claims"),
    [
        (FLIPPED, '@claim(epsilon="ln(3)", adjacency=ALL, given={"p": "1/4"})'),
        (FLIPPED, '@claim(epsilon="0", adjacency=ALL, given={"p": "1/2"})'),
        (REPORTS, ('@claim(epsilon="8*ln(41/39)", adjacency=each(any_bits, changed=8), '
                  'given={"f": "3/4", "p": "9/20", "r": "11/20"})')),
        (REPORTS, ('@claim(epsilon="ln(41/39)", adjacency=each(any_bits, changed=1), '
                  'given={"f": "3/4", "p": "9/20", "r": "11/20", "n": 3})')),
    ],
)  # fmt: skip
def test_finite_laws_that_are_close_enough_are_proved(source, claims):
    program = read(source, claims)
    assert holds_exactly(program, program.claims[0], ("z3",), 10.0)[1] > 0
    assert check(program, program.claims[0], (), ("z3",), 10.0).verdict == "PROVED"


@pytest.mark.parametrize(
    ("source", "claims", "why"),
    [
        (FLIPPED, '@claim(epsilon="ln(299/100)", adjacency=ALL, given={"p": "1/4"})', "further apart"),
        (FLIPPED, '@claim(epsilon="ln(3)", adjacency=ALL, given={"p": "24/100"})', "further apart"),
        (FLIPPED, '@claim(epsilon="ln(3)", adjacency=ALL)', "parameters must be given"),
        (REPORTS, ('@claim(epsilon="8*ln(41/39)", adjacency=each(any_bits, changed=9), '
                  'given={"f": "3/4", "p": "9/20", "r": "11/20"})'), "further apart"),
        (REPORTS, ('@claim(epsilon="ln(409/390)", adjacency=each(any_bits, changed=1), '
                  'given={"f": "3/4", "p": "9/20", "r": "11/20", "n": 3})'), "further apart"),
        (REPORTS, ('@claim(epsilon="ln(41/39)", adjacency=each(any_bits, changed=2), '
                  'given={"f": "3/4", "p": "9/20", "r": "11/20", "n": 3})'), "further apart"),
        (REPORTS, '@claim(epsilon="8*ln(41/39)", adjacency=ALL, given={"f": "3/4", "p": "9/20", "r": "11/20"})',
         "by itself"),
        (MEMORY, '@claim(epsilon="ln(3)", adjacency=ONE, given={"p": "1/4"})', "by itself"),
        (LARGE, '@claim(epsilon="100", adjacency=counts, given={"k": 1})', "further apart"),
        (BOUNDED, '@claim(epsilon="100", adjacency=counts, given={"k": 1})', "further apart"),
        (NOISY, '@claim(epsilon="100", adjacency=counts, given={"k": 1})', "finitely many"),
        (BOUNDED, '@claim(epsilon="100", adjacency=ALL, given={"k": 1})', "integers must be related"),
    ],
)  # fmt: skip
def test_finite_laws_that_differ_or_say_too_little_are_not(source, claims, why):
    program = read(source, claims)
    with pytest.raises(Refused, match=why):
        holds_exactly(program, program.claims[0], ("z3",), 10.0)
    found = check(program, program.claims[0], (), ("z3",), 10.0)
    assert found.verdict == "UNKNOWN"
    assert found.reason


def test_finite_proofs_name_the_solver_that_tells_which_integers_are_related():
    """Truth values need none."""
    program = read(LARGE, '@claim(epsilon="0", adjacency=far, given={"k": 1})')
    found = check(program, program.claims[0], (), ("z3",), 10.0)
    assert (found.verdict, found.solvers, found.exact) == ("PROVED", ("z3",), True)
    assert len(trusted(found)) == 3
    program = read(FLIPPED, '@claim(epsilon="ln(3)", adjacency=ALL, given={"p": "1/4"})')
    found = check(program, program.claims[0], (), ("z3",), 10.0)
    assert (found.verdict, found.solvers, found.exact) == ("PROVED", (), True)
    assert len(trusted(found)) == 2


def test_finite_claims_of_a_negative_delta_are_refused():
    program = read(FLIPPED, '@claim(epsilon="2", delta="-1/10", adjacency=ALL, given={"p": "1/4"})')
    found = check(program, program.claims[0], (), ("z3",), 10.0)
    assert (found.verdict, found.reason) == ("UNKNOWN", "delta must not be negative")


def test_finite_laws_are_not_asked_for_once_the_time_is_over():
    program = read(FLIPPED, '@claim(epsilon="ln(3)", adjacency=ALL, given={"p": "1/4"})')
    with pytest.raises(Refused, match="time"):
        holds_exactly(program, program.claims[0], ("z3",), 0.0)


def test_finite_claims_about_nothing_are_refused():
    program = read(FLIPPED, '@claim(epsilon="ln(3)", adjacency=ALL, given={"p": "1/4"})')
    p = variable("p", "Real")
    empty = replace(program.claims[0], where=conjunction(less(p, rational(0)), less(rational(0), p)))
    assert check(program, empty, (), ("z3",), 10.0).verdict == "UNKNOWN"


@pytest.mark.parametrize(("reach", "limit"), [(1, 1), (7, 8), (30, 32), (100, 128)])
def test_related_integers_are_looked_for_within_the_next_power_of_two(reach: int, limit: int) -> None:
    relation = f"def near(x, y):\n    return abs(x) <= {reach} and abs(y) <= {reach}\n"
    claim = '@claim(epsilon="0", adjacency=near)\ndef program(x: int):\n    return 0\n'
    (program,) = programs_in(HEADER + relation + claim, "file.py")
    (part,) = program.claims[0].adjacency.parts
    assert farthest(program, part, "z3") == limit


@pytest.mark.parametrize(("values", "paths"), [(1, 1), (3, 3), (1_000, 1_000), (1_001, 1)])
def test_a_path_is_split_by_each_of_so_many_values_that_are_released(values: int, paths: int) -> None:
    claim = f'@claim(epsilon="0", adjacency=ALL)\ndef program(bit: bool):\n    return uniform(1, {values})\n'
    (program,) = programs_in(HEADER + claim, "file.py")
    execution = Execution(element_of((True,), program.data.sort))
    ((path, _),) = execution.block(program.body, start(program, {}, 1))
    found = each_outcome(path)
    assert len(found) == paths
    if paths > 1:
        assert [integer(k) for k in range(1, values + 1)] == [one.emitted[0][0] for one in found]


@pytest.mark.parametrize(("times", "delta", "is_kept"), [(1, "1/4", True), (1, "1/5", False), (2, "3/4", False)])
def test_differences_are_allowed_for_one_element_that_differs_and_for_no_more(
    times: int, delta: str, is_kept: bool
) -> None:
    """1/2 is likelier than 1/4 by 1/4; of two elements that differ no answer may be likelier at all."""
    claim = f'@claim(epsilon="0", delta="{delta}", adjacency=ALL)\ndef program(bit: bool):\n    return bit\n'
    (program,) = programs_in(HEADER + claim, "file.py")
    one, other = ((("a",),), (("b",),))
    laws = {
        True: {one: number(Fraction(1, 2)), other: number(Fraction(1, 2))},
        False: {one: number(Fraction(1, 4)), other: number(Fraction(3, 4))},
    }
    words = program.claims[0], laws, Found(True, False, (), times), number(1), number(Fraction(delta))
    if is_kept:
        assert compared(*words) == 2
    else:
        with pytest.raises(TooLikely) as raised:
            compared(*words)
        assert raised.value.found.outputs == (one,)


def test_a_loop_that_does_not_go_over_the_data_answers_no_element_by_itself() -> None:
    claim = '@claim(epsilon="1", adjacency=each(any_bits, changed=1))\ndef program(bits: list[bool], p, N: int):\n'
    for body, element, is_alone in (
        ("for bit in bits", "bit != ", True),
        ("for k in range(N)", "", False),
        ("for k in range(len(bits))", "", False),
    ):
        (program,) = programs_in(HEADER + claim + f"    {body}:\n        yield {element}bernoulli(p)\n", "file.py")
        (relation,) = program.claims[0].adjacency.parts
        if is_alone:
            assert answers_alone(program, relation) == 1
        else:
            with pytest.raises(Refused, match="every element is answered"):
                answers_alone(program, relation)
