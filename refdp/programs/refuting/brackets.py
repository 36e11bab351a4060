"""Lower bounds of the true epsilon: the greatest logarithm of a ratio of probabilities that is found and certified."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import floor, inf, log

from refdp import work
from refdp.programs.counterexample import Counterexample, allowed, computed, overlap
from refdp.programs.events import setting
from refdp.programs.probabilities import Number, approximately, exponential, number, sign
from refdp.programs.refuting.candidates import BEYOND, MOST_PATHS, Candidate, counterexample, most_edits
from refdp.programs.refuting.climbing import Climber, OutOfTime, State
from refdp.programs.refuting.lengths import numbers_of
from refdp.programs.refuting.neighbours import neighbours
from refdp.programs.refuting.outputs import OPEN, Output, edited_outputs, outputs
from refdp.programs.refuting.scoring import Bounds, scorer
from refdp.programs.refuting.settings import settings
from refdp.programs.syntax import Claim, Program
from refdp.terms.leaves import rational, variable
from refdp.terms.operations import multiply
from refdp.terms.term import Term

DIGITS = 10_000
"""Bounds are multiples of 1 / DIGITS."""
MOST_DATA = 10
MOST_SETTINGS = 4
REACH = 8
LEAST = 1e-25
"""Events that are less likely than this are not looked at."""
SECONDS = 10.0
"""How long a probability may take."""
GAIN = 2e-4
"""More data are looked at as long as they gain as much."""


@dataclass(frozen=True, slots=True)
class Lower:
    """The claim would be wrong with epsilon = `level`, in units of the parameter epsilon where there is one."""

    level: Fraction | None
    """None where no level would be right."""
    found: Counterexample
    """To the claim with that level as its epsilon (or with any)."""


def bracket_lower(program: Program, claim: Claim, seconds: float) -> Lower | None:
    """The greatest lower bound that is found within the time and certified; None where there is none above 0."""
    deadline = work.spent() + seconds
    best: tuple[float, Counterexample] | None = None
    try:
        for length in range(1, MOST_DATA + 1) if program.data.is_list else (1,):
            ratio, candidate = greatest(program, claim, length, deadline)
            if candidate is not None and (best is None or ratio > best[0] + GAIN):
                best = ratio, counterexample(program, claim, candidate)
            if best is not None and (best[0] == inf or length > len(best[1].old) + 1):
                break
    except (OutOfTime, *BEYOND):
        pass
    return None if best is None else certified(program, claim, best[1])


def greatest(program: Program, claim: Claim, length: int, deadline: float) -> tuple[float, Candidate | None]:
    """The candidate with the greatest ratio, and about its logarithm, where parameters allow so many data."""
    for parameters in settings(program, claim, length, MOST_SETTINGS):
        edits = most_edits(claim)
        if edits:
            kinds = edited_outputs(program, parameters, length, edits, MOST_PATHS)
        else:
            kinds = outputs(program, parameters, length, MOST_PATHS)
        if kinds:
            return among_outputs(program, claim, parameters, kinds, deadline)
    return 0.0, None


def among_outputs(
    program: Program, claim: Claim, parameters: Mapping[str, Term], kinds: list[Output], deadline: float
) -> tuple[float, Candidate | None]:
    """The same for given parameters and outputs."""
    length = len(kinds[0].inputs)
    values = setting(program, parameters, length)
    bounds = Bounds(0.0, 0.0, None, LEAST)
    best: tuple[float, Candidate | None] = (0.0, None)
    for part in claim.adjacency.parts:
        among = neighbours(part, program.data, values, REACH, numbers_of(program, claim))
        for one in kinds:
            climber = Climber(among, one.slots, deadline)
            for pairs in among.starts(length):
                start = State(pairs, (OPEN,) * len(one.slots))
                state, (ratio, _) = climber.climb(start, scorer(bounds, (one,)))
                if ratio > best[0]:
                    best = ratio, Candidate(parameters, state, (one,), ratio < inf, 0.0, bounds)
    return best


def certified(program: Program, claim: Claim, rough: Counterexample) -> Lower | None:
    """The bound that exact probabilities give."""
    try:
        if not allowed(program, claim, rough.parameters, rough.old, rough.new) or overlap(rough):
            return None
        return at_level(claim, computed(program, rough, SECONDS))
    except BEYOND:
        return None


def at_level(claim: Claim, found: Counterexample) -> Lower | None:
    """The greatest multiple of 1 / DIGITS that its probabilities refute."""
    old, new = found.old_probability, found.new_probability
    if sign(old) == 0:
        return None
    if sign(new) == 0:
        return Lower(None, found)
    level = floor(log(approximately(old / new)) * DIGITS) + 1
    while level > 0 and not exceeds(old, new, Fraction(level, DIGITS)):
        level -= 1
    if level <= 0:
        return None
    unit = found.parameters.get("epsilon")
    scale = unit.value if unit is not None and isinstance(unit.value, Fraction) else Fraction(1)
    share = Fraction(level, DIGITS) / scale
    epsilon = rational(share) if unit is None else multiply(rational(share), variable("epsilon", "Real"))
    return Lower(share, replace(found, claim=replace(claim, epsilon=epsilon, delta=None, rho=None)))


def exceeds(old: Number, new: Number, level: Fraction) -> bool:
    """Whether old > e^level new."""
    return sign(old - exponential(number(level)) * new) > 0
