"""Programs of users: functions that draw at random, whose text the subject names by its digest.

    program(NAME, DIGEST, list_of(fixed(PARAMETER, VALUE), ...))

A value is a number, or the parameter's own name where it is left open.  What a text means is not known here: an engine
that reads it brings its theorem, and whoever has the function itself brings it to be run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from refdp.spec.formulas import Formula
from refdp.spec.queries import fixed_terms
from refdp.spec.registry import is_numeric, register
from refdp.terms.reading import read
from refdp.terms.term import Term, TermError, apply, text

Draw = Callable[[Any, Callable[[], int] | None], Any]
"""Data, flips where they are given -> one output."""

_DRAWS: dict[Term, Draw] = {}


@dataclass(frozen=True, slots=True)
class RandomProgram:
    """M(data) = what a function that draws at random releases; a parameter may be left open, under its own name."""

    stem: str
    parameters: tuple[str, ...]
    example: Mapping[str, Term]
    conditions: tuple[Term, ...] = ()
    reserved: ClassVar[str] = ""
    readings: ClassVar[tuple[tuple[Formula, str], ...]] = ()

    def draw(self, subject: Term, data: Any, bits: Callable[[], int] | None = None) -> Any:
        """One output, of these flips where they are given; TermError unless somebody has brought the function."""
        if subject not in _DRAWS:
            raise TermError(f"{subject.arguments[0]} is not loaded: refdp.program takes the function itself to run it")
        return _DRAWS[subject](data, bits)


PROGRAM = register(
    RandomProgram(
        stem="program",
        parameters=("function", "digest", "arguments"),
        example={
            "function": text("noisy"),
            "digest": text("0" * 64),
            "arguments": read("list_of(fixed('epsilon', epsilon))"),
        },
    )
)


def load_draw(subject: Term, draw: Draw) -> None:
    """Bring the function that draws for a subject."""
    _DRAWS[subject] = draw


def program_subject(function: str, digest: str, arguments: Mapping[str, Term]) -> Term:
    """The subject of a program: each public parameter with its value, a number or its own name."""
    fixed = (apply("fixed", text(key), value) for key, value in arguments.items())
    return apply(PROGRAM.stem, text(function), text(digest), apply("list_of", *fixed))


def require_parameters(written: Term) -> None:
    """Return if it is `list_of(fixed(NAME, VALUE), ...)`, names different, values numbers; TermError otherwise."""
    for key, value in fixed_terms(written).items():
        if not is_numeric(value):
            raise TermError(f"{key} must be a number, or be left open, got {value}")
