"""The programs of the library as they are read, and probabilities of their events."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path

import refdp.programs.library
from refdp.programs.events import Event, Expected, chance
from refdp.programs.language.reading import program_in, programs_in
from refdp.programs.probabilities import Number
from refdp.programs.syntax import Claim, Program
from refdp.terms.leaves import integer, rational
from refdp.terms.term import Term

FOLDER = Path(refdp.programs.library.__file__).parent
ONES: dict[str, Term] = {"epsilon": rational(1), "T": rational(0), "N": integer(1)}


@cache
def library() -> dict[str, Program]:
    files = [path for path in sorted(FOLDER.glob("*.py")) if path.name != "__init__.py"]
    return {one.name: one for path in files for one in programs_in(path.read_text(), path.name)}


def read(text: str) -> Program:
    return program_in("from refdp.programs import *\n" + text, "test.py", "program")


def claims(expected: str) -> Iterator[tuple[Program, Claim]]:
    for program in library().values():
        for claim in program.claims:
            if claim.expected == expected:
                yield program, claim


def settings_of(program: Program) -> dict[str, Term]:
    return {name: value for name, value in ONES.items() if name in program.parameters}


def numbers(*data: int) -> tuple[Fraction, ...]:
    return tuple(map(Fraction, data))


def released(*parts: Expected) -> Event:
    return tuple((part,) for part in parts)


def probability(name: str, data: tuple[Fraction, ...], event: Event) -> Number:
    program = library()[name]
    return chance(program, settings_of(program), data, event)
