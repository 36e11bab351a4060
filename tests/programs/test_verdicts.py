"""Verdicts about random small programs are held against exact enumeration of the Python functions themselves."""

from dataclasses import replace
from fractions import Fraction
from inspect import isgeneratorfunction
from itertools import accumulate, chain
from typing import Any

import pytest

from refdp.programs import law
from refdp.programs.certificates.content import content_of
from refdp.programs.judgement import Judgement
from refdp.programs.judging import judge
from refdp.programs.question import Question
from refdp.programs.running.numbers import Exact
from tests.examples import few
from tests.programs.grammar import Sample, sample
from tests.programs.oracle import bound_of, function_of, violations
from tests.programs.read_back import exact_violations

SECONDS = 4.0
APART = (-2, -1, 1, 2)
"""Data that are far apart enough for sparse vectors to lose nearly all that they may."""
DIGITS = Fraction(1, 10**9)
"""The digits of a probability that are given are rounded down."""
LONGEST = 3
"""The most data for which a counterexample is enumerated."""


def judged(one: Sample) -> Judgement:
    """The judgement of its claim."""
    asked = Question(one.text, "program", 0)
    return judge(asked, *asked.read(), SECONDS)


def expected(part: Any, value: Any, before: Any) -> bool:
    """Whether a part of an output is as the certificate says; `before` is the number that was released before it."""
    if part is None or isinstance(part, bool):
        return value is part
    if "text" in part:
        return bool(value == part["text"])
    if isinstance(value, bool | str) or value is None:
        return False
    value = value - before if part.get("after") else value
    low, high = (part.get(end, part.get("number")) for end in ("low", "high"))
    return (low is None or Fraction(low) <= value) and (high is None or value <= Fraction(high))


def happened(event: list[Any], output: list[Any]) -> bool:
    """Whether an output is as the certificate says, part by part."""

    def latest(last: Any, value: Any) -> Any:
        return last if isinstance(value, bool | str) or value is None else value

    return all(map(expected, event, output, accumulate([None, *output], latest)))


def probability(one: Sample, found: Any, end: str, settings: Any) -> tuple[Exact, Exact]:
    """Bounds of the probability of the events of a certificate on the old or the new data."""
    data = [x if isinstance(x, bool) else int(x) for x in found[end]]
    known = law(function_of(one), data[0] if one.scalar else data, reach=4, **settings)
    generator = isgeneratorfunction(function_of(one))
    least: Exact = Fraction(0)
    for output, mass in known.items():
        emissions = [e if isinstance(e, tuple) else (e,) for e in (output if generator else (output,))]
        for event in found["events"]:
            same = [*map(len, event)] == [*map(len, emissions)]
            if same and happened([*chain(*event)], [*chain(*emissions)]):
                least = least + mass
    return least, least + known.unresolved


def hold(one: Sample, verdict: Judgement, most: int) -> None:
    """The verdict does not contradict what is enumerated."""
    if verdict.verdict == "PROVED":
        assert next(violations(one, most), None) is None
        if "discrete_laplace(" in one.text.partition("def program")[2]:
            assert next(exact_violations(replace(one, values=APART), most), None) is None
    if verdict.counterexample is None:
        return
    found = content_of(verdict.certificate or "").evidence["counterexample"]
    if len(found["old"]) <= most:
        settings = verdict.counterexample["parameters"]
        before, after = (probability(one, found, end, settings) for end in ("old", "new"))
        assert before[1] > bound_of(one, len(found["old"]), settings) * after[0]
        for (least, greatest), name in ((before, "old"), (after, "new")):
            digits = Fraction(verdict.counterexample[f"{name}_probability"]["decimal"].rstrip("."))
            assert least - DIGITS <= digits <= greatest


@pytest.mark.parametrize("seed", range(few(8)))
def test_no_verdict_contradicts_enumeration(seed: int) -> None:
    one = sample(seed)
    hold(one, judged(one), 2)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(8, 532))
def test_no_verdict_of_many_contradicts_enumeration(seed: int) -> None:
    one = sample(seed)
    hold(one, judged(one), LONGEST if one.reach == 3 else 2)


@pytest.mark.parametrize("seed", [1000, 1001, *(pytest.param(k, marks=pytest.mark.long) for k in range(1002, 1060))])
def test_the_spelling_of_a_program_does_not_matter(seed: int) -> None:
    """Names, forms of loops, `if not`, and where a draw stands."""
    verdicts = {judged(sample(seed, way)).verdict for way in range(3)} - {"UNKNOWN"}
    assert len(verdicts) <= 1
