"""Verdicts about random small programs are held against exact enumeration of the Python functions themselves."""

import json
from fractions import Fraction
from inspect import isgeneratorfunction
from typing import Any

import pytest

from refdp.programs import law
from refdp.programs.certificates.events import counterexample_of
from refdp.programs.counterexample import Counterexample, computed
from refdp.programs.events import Expected, Interval
from refdp.programs.judgement import Judgement
from refdp.programs.judging import judge
from refdp.programs.question import Question
from refdp.programs.running.enumeration import Law
from refdp.programs.running.numbers import Exact, simplest
from tests.examples import few
from tests.programs.grammar import Sample, sample
from tests.programs.oracle import bound_of, function_of, violations

SECONDS = 4.0
LONGEST = 3
"""The most data for which a counterexample is enumerated."""


def judged(one: Sample) -> tuple[Judgement, Counterexample | None]:
    """The judgement, and the counterexample that its certificate holds."""
    asked = Question(one.text, "program", 0)
    program, claim = asked.read()
    found = judge(asked, program, claim, SECONDS)
    if found.verdict != "REFUTED":
        return found, None
    return found, computed(
        program, counterexample_of(json.loads(found.certificate or "")["counterexample"], program, claim)
    )


def expected(part: Expected, value: Any) -> bool:
    """Whether a part of an output is as an event has it."""
    if isinstance(part, Interval):
        return (part.low is None or part.low <= value) and (part.high is None or value <= part.high)
    return isinstance(part, bool | str) == isinstance(value, bool | str) and part == value


def happens(found: Counterexample, emissions: Any) -> bool:
    """Whether an output lies in one of the events."""
    parts = [e if isinstance(e, tuple) else (e,) for e in emissions]
    return any(
        list(map(len, event)) == list(map(len, parts)) and all(map(expected, sum(event, ()), sum(parts, ())))
        for event in found.events
    )


def mass(one: Sample, found: Counterexample, known: Law) -> Exact:
    """The probability of the events, as far as it was enumerated."""
    generator = isgeneratorfunction(function_of(one))
    return sum((p for out, p in known.items() if happens(found, out if generator else (out,))), Fraction(0))


def hold(one: Sample, verdict: Judgement, found: Counterexample | None, most: int) -> None:
    """The verdict does not contradict what is enumerated."""
    if verdict.verdict == "PROVED":
        assert not list(violations(one, most))
    if found is None or len(found.old) > most:
        return
    settings = verdict.counterexample["parameters"] if verdict.counterexample else {}
    before, after = (
        law(function_of(one), data[0] if one.scalar else list(data), reach=4, **settings)
        for data in (found.old, found.new)
    )
    bound = bound_of(one, settings)
    assert mass(one, found, before) + before.unresolved > bound * mass(one, found, after)
    if before.unresolved == after.unresolved == 0:
        assert (mass(one, found, before), mass(one, found, after)) == (
            simplest(found.old_probability), simplest(found.new_probability),
        )  # fmt: skip


@pytest.mark.parametrize("seed", range(few(16)))
def test_no_verdict_contradicts_enumeration(seed: int) -> None:
    one = sample(seed)
    hold(one, *judged(one), 2)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(16, 532))
def test_no_verdict_of_many_contradicts_enumeration(seed: int) -> None:
    one = sample(seed)
    hold(one, *judged(one), LONGEST)


@pytest.mark.parametrize("seed", [1000, 1001, *(pytest.param(k, marks=pytest.mark.long) for k in range(1002, 1060))])
def test_the_spelling_of_a_program_does_not_matter(seed: int) -> None:
    """Names, forms of loops, `if not`, and where a draw stands."""
    verdicts = {judged(sample(seed, way))[0].verdict for way in range(3)} - {"UNKNOWN"}
    assert len(verdicts) <= 1
