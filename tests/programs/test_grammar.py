"""Random small discrete programs: what is read from the text has the law of the Python function that runs."""

from fractions import Fraction
from inspect import isgeneratorfunction
from typing import Any

import pytest

from refdp.logic.terms import Term, make, rational
from refdp.programs.events import Event, chance
from refdp.programs.language.reading import program_in
from refdp.programs.running.numbers import simplest
from tests.examples import few
from tests.programs.grammar import Sample, sample
from tests.programs.oracle import function_of, laws

SEEDS = range(few(40))


def event_of(sample: Sample, output: Any) -> Event:
    """The output as emissions."""
    emissions = output if isgeneratorfunction(function_of(sample)) else (output,)
    return tuple(tuple(map(part_of, e if isinstance(e, tuple) else (e,))) for e in emissions)


def term_of(text: str) -> Term:
    """A rational number, or ln of one."""
    inner = rational(Fraction(text.removeprefix("ln(").removesuffix(")")))
    return make("ln", "Real", inner) if text.startswith("ln") else inner


def part_of(value: Any) -> Any:
    return Fraction(value) if isinstance(value, int | Fraction) and not isinstance(value, bool) else value


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_read_has_the_law_of_what_runs(seed: int) -> None:
    one = sample(seed)
    program = program_in(one.text, "sample.py", "program")
    parameters = {name: term_of(text) for name, text in one.settings.items()}
    for n in (1,) if one.scalar else (1, 2):
        for data, found in laws(one, n).items():
            for output, mass in found.items():
                exact = simplest(chance(program, parameters, tuple(map(part_of, data)), event_of(one, output)))
                assert mass <= exact <= mass + found.unresolved
