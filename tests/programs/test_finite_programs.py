"""Random programs of finitely many draws: the least epsilon is proved, and anything less is not, but refuted."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from refdp.programs import law
from refdp.programs.checking.finite import law as laws
from refdp.programs.checking.proof import check
from refdp.programs.counterexample import Counterexample
from refdp.programs.events import Event
from refdp.programs.language.reading import program_in
from refdp.programs.probabilities import sign
from refdp.programs.refuting.search import refute
from refdp.programs.running.numbers import simplest
from refdp.programs.syntax import Item, Program
from refdp.terms.term import Term
from tests.examples import few
from tests.programs.finite_programs import Finite, finite

SECONDS = 5.0


def asked(one: Finite, claimed: str) -> Program:
    """The program with a claim."""
    return program_in(one.text(claimed), "finite.py", "program")


def is_proved(one: Finite, claimed: str) -> bool:
    """Whether exact probabilities prove the claim."""
    program = asked(one, claimed)
    return check(program, program.claims[0], (), ("z3",), SECONDS).verdict == "PROVED"


def emissions(told: tuple[Any, ...]) -> Event:
    """What was told, as events have it."""
    return tuple(one if isinstance(one, tuple) else (one,) for one in told)


def laws_are_those_of_the_function(one: Finite) -> None:
    """Every probability of every output that is possible."""
    program, function = asked(one, "1"), one.function()
    for x in (0, 1, 2) if one.kind == "int" else (False, True):
        read = laws(program, program.claims[0], x if one.kind != "int" else Fraction(x))
        ran = law(function, [x] if program.data.is_list else x)
        told = {emissions(out if program.data.is_list else (out,)): p for out, p in ran.items()}
        assert {tuple(map(plain, event)): simplest(p) for event, p in read.items() if sign(p)} == told


@pytest.mark.parametrize("seed", range(few(25)))
def test_laws_are_those_of_the_function(seed: int) -> None:
    laws_are_those_of_the_function(finite(seed))


@pytest.mark.long
@pytest.mark.parametrize("seed", range(25, 1000))
def test_many_laws_are_those_of_the_function(seed: int) -> None:
    laws_are_those_of_the_function(finite(seed))


def plain(items: tuple[Item, ...]) -> tuple[object, ...]:
    """Numbers for terms."""
    return tuple(item.rational if isinstance(item, Term) else item for item in items)


def is_refuted(one: Finite, claimed: str) -> bool:
    """Whether a counterexample is found; its probabilities must be those of the function."""
    program = asked(one, claimed)
    found = refute(program, program.claims[0], SECONDS)
    if not isinstance(found, Counterexample):
        return False
    is_list, function = program.data.is_list, one.function()
    for data, probability in ((found.old, found.old_probability), (found.new, found.new_probability)):
        read = [int(x) if isinstance(x, Fraction) else x for x in data]
        known = law(function, read if is_list else read[0])
        outputs = {out: emissions(out if is_list else (out,)) for out in known}
        assert sum((known[out] for out in known if outputs[out] in found.events), Fraction(0)) == simplest(probability)
    return True


def the_least_epsilon_alone_is_proved(one: Finite) -> None:
    """Of a list that the answers do not depend on nothing is proved: the loop no longer reads it."""
    ratio, elements = one.greatest_ratio(), one.changed if one.kind == "list[bool]" else 1
    if ratio is None:
        assert not is_proved(one, "ln(1000)")
    else:
        assert is_proved(one, f"{elements}*ln({ratio})") or (ratio == 1 and one.kind == "list[bool]")
        assert not is_proved(one, f"{elements}*ln({ratio}*999/1000)")


@pytest.mark.parametrize("seed", range(few(25)))
def test_the_least_epsilon_alone_is_proved(seed: int) -> None:
    the_least_epsilon_alone_is_proved(finite(seed))


@pytest.mark.long
@pytest.mark.parametrize("seed", range(25, 1000))
def test_the_least_epsilon_of_many_alone_is_proved(seed: int) -> None:
    the_least_epsilon_alone_is_proved(finite(seed))


def less_than_the_least_epsilon_alone_is_refuted(many: Finite) -> None:
    one = replace(many, changed=1)
    ratio = one.greatest_ratio()
    if ratio is None:
        assert is_refuted(one, "ln(1000)")
    else:
        assert not is_refuted(one, f"ln({ratio})")
        assert is_refuted(one, f"ln({ratio}*999/1000)")


@pytest.mark.parametrize("seed", range(few(10)))
def test_less_than_the_least_epsilon_alone_is_refuted(seed: int) -> None:
    less_than_the_least_epsilon_alone_is_refuted(finite(seed))


@pytest.mark.long
@pytest.mark.parametrize("seed", range(10, 510))
def test_less_than_the_least_epsilon_of_many_alone_is_refuted(seed: int) -> None:
    less_than_the_least_epsilon_alone_is_refuted(finite(seed))
