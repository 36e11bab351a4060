"""Values of public parameters for which a claim is looked at: those it is made for, else small ones that it allows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product

from refdp.programs.adjacency import LENGTH
from refdp.programs.closed_terms import holds
from refdp.programs.events import setting
from refdp.programs.probabilities import NotComputed
from refdp.programs.syntax import Claim, Program
from refdp.terms.leaves import integer, rational
from refdp.terms.operations import conjunction, equal, substitute
from refdp.terms.term import Sort, Term

USUAL: Mapping[tuple[str, Sort], tuple[Fraction | int, ...]] = {
    ("epsilon", "Real"): (1, Fraction(1, 2), 2, Fraction(1, 10), 4, 10),
    ("T", "Real"): (0,),
    ("T", "Int"): (0, 2),
    ("N", "Int"): (1, 2, 3),
    ("M", "Int"): (2, 3, 1),
}
"""By name and sort, the first ones first."""
OTHERS: Mapping[Sort, tuple[Fraction | int, ...]] = {
    "Int": (1, 2, 3, 0, 5),
    "Real": (1, Fraction(1, 2), Fraction(1, 4), Fraction(3, 4), 2, 0),
}
MOST = 400
"""Combinations that are looked at."""


def settings(program: Program, claim: Claim, length: int, most: int) -> Iterator[Mapping[str, Term]]:
    """At most that many settings that the claim allows, the usual ones first."""
    names = [name for name in program.parameters if name != program.length]
    values = [values_of(name, program.parameters[name], claim) for name in names]
    ranked = sorted(product(*(range(len(v)) for v in values)), key=sum)[:MOST]
    for places in ranked:
        parameters = {name: v[place] for name, v, place in zip(names, values, places, strict=True)}
        if most > 0 and is_allowed(program, claim, parameters, length):
            most -= 1
            yield parameters


def values_of(name: str, sort: Sort, claim: Claim) -> tuple[Term, ...]:
    """The values of one parameter, the first ones first."""
    if name in claim.given:
        return (claim.given[name],)
    found = USUAL.get((name, sort), OTHERS.get(sort, ()))
    return tuple(integer(int(v)) if sort == "Int" else rational(v) for v in found)


def is_allowed(program: Program, claim: Claim, parameters: Mapping[str, Term], length: int) -> bool:
    """Whether the claim speaks of these parameters; not where that is not found out."""
    wanted = conjunction(program.assumption, claim.where)
    try:
        if program.length is not None and program.length in claim.given:
            wanted = conjunction(wanted, equal(LENGTH, claim.given[program.length]))
        return holds(substitute(wanted, setting(program, parameters, length)))
    except (NotComputed, ArithmeticError):
        return False
