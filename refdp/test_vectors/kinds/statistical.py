"""SamplerStatistical: the law of a sampler by the masses of cells, the error that a test may make, and mutants.

A cell holds the outcomes above the cut before it and up to its own.  `maximumSamples` is a number of samples with which
the frequency of `event`, some of the cells, tells the law from the mutant with both errors at most alpha.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from refdp.numerics.intervals import Interval
from refdp.test_vectors import laws
from refdp.test_vectors.chernoff import refutes, samples
from refdp.test_vectors.kinds.kind import (
    INVALID,
    UNSUPPORTED,
    VALID,
    Fields,
    Group,
    Kind,
    Outcome,
    Subject,
    Test,
    failed,
    number_of,
)
from refdp.test_vectors.mutants import MassFunction, mutant
from refdp.test_vectors.numbers import BITS, INFINITE, VectorError, enclosed, ends, rational, shown

MOST_CUTS = 24
MOST_POINTS = 300
TINY = Fraction(1, 2**64)
LEAST_ALPHA = Fraction(1, 10**30)
MOST_SAMPLES = 10**7
NORMALISED = (
    "half_scale", "scale_a_tenth_less", "double_zero", "granularity_ignored", "off_by_one", "base_two",
    "renormalised", "others_include_the_truth", "never_flipped", "sign_of_score", "first_of_ties", "other_selection",
    "uniform_candidate",
)  # fmt: skip
"""Mutants that are laws: their masses sum to 1."""
Cells = list[Interval]


def cuts_of(found: Any) -> list[Fraction]:
    """The cuts, in order."""
    if not isinstance(found, list) or not 1 <= len(found) <= MOST_CUTS:
        raise VectorError(f"cuts must be 1 to {MOST_CUTS} numbers, got {shown(found)}")
    cuts = [rational(one, "a cut") for one in found]
    if any(a >= b for a, b in pairwise(cuts)):
        raise VectorError(f"cuts must increase, got {shown(found)}")
    return cuts


def alpha_of(group: Group) -> Fraction:
    """The error that is allowed."""
    alpha = rational(group["alpha"], "alpha")
    if not LEAST_ALPHA <= alpha < 1:
        raise VectorError(f"alpha must be from {LEAST_ALPHA} to 1, got {alpha}")
    return alpha


def cells(stem: str, values: laws.Values, x: laws.Input, cuts: Sequence[Fraction]) -> Cells:
    """The mass of each cell, the last one beyond every cut."""
    upto = [laws.cdf(stem, values, x, cut) for cut in cuts] + [laws.ONE]
    return [laws.within_one(b - a) for a, b in zip([laws.NONE, *upto], upto, strict=False)]


def mutant_cells(name: str, stem: str, values: laws.Values, x: laws.Input, cuts: Sequence[Fraction]) -> Cells:
    """The same of a mutant, outcome by outcome; the two outer cells share what is beyond the outcomes summed."""
    if name not in NORMALISED:
        raise VectorError(f"mutant must be one of {', '.join(NORMALISED)}, got {shown(name)}")
    law, step = mutant(name, stem), values.get("granularity", Fraction(1))
    if (cuts[-1] - cuts[0]) / step > MOST_POINTS:
        raise VectorError(f"cuts must have at most {MOST_POINTS} grid points between them")
    least, greatest = support(stem, values, x)
    points = [cuts[0] // step * step, *cuts[1:]]
    sums = [_summed(law, stem, values, x, _down(points[0], step, least))]
    sums += [_summed(law, stem, values, x, _up(a // step * step + step, b, step)) for a, b in pairwise(cuts)]
    sums.append(_summed(law, stem, values, x, _up(cuts[-1] // step * step + step, greatest, step)))
    beyond = laws.within_one(laws.ONE - laws.total(sums)).upper if least is None else Fraction(0)
    outer = {0, len(sums) - 1}
    return [Interval(p.lower, min(p.upper + (beyond if i in outer else 0), Fraction(1)), BITS)
            for i, p in enumerate(map(laws.within_one, sums))]  # fmt: skip


def support(stem: str, values: laws.Values, x: laws.Input) -> tuple[Fraction | None, Fraction | None]:
    """The least and the greatest outcome; None, None of noise."""
    if isinstance(x, tuple):
        return Fraction(0), Fraction(len(x) - 1)
    match stem:
        case "truncated_geometric":
            return values["lower"], values["upper"]
        case "randomised_response" | "k_ary_randomised_response":
            return Fraction(0), values.get("k", Fraction(2)) - 1
    return None, None


def _down(first: Fraction, step: Fraction, least: Fraction | None) -> Iterator[Fraction]:
    """Outcomes from the first one downward."""
    for k in range(MOST_POINTS):
        if least is not None and first - k * step < least:
            return
        yield first - k * step


def _up(first: Fraction, greatest: Fraction | None, step: Fraction) -> Iterator[Fraction]:
    """Outcomes from the first one upward."""
    for k in range(MOST_POINTS):
        if greatest is not None and first + k * step > greatest:
            return
        yield first + k * step


def _summed(law: MassFunction, stem: str, values: laws.Values, x: laws.Input, points: Iterator[Fraction]) -> Interval:
    """The mass of the outcomes, without those from where it falls below TINY on."""
    found, peak = laws.NONE, Fraction(0)
    for y in points:
        mass = law(stem, values, x, y)
        found, peak = found + mass, max(peak, mass.upper)
        if mass.upper < min(peak, TINY):
            break
    return found


def event_of(law: Cells, other: Cells) -> list[int]:
    """The cells that the mutant certainly makes more likely."""
    return [i for i, (p, q) in enumerate(zip(law, other, strict=True)) if q.lower > p.upper]


def expected(group: Group, test: Test) -> Fields:
    """Masses of the cells; of a mutant too, with the event and the number of samples that tell them apart."""
    stem, alpha, cuts = group["algorithm"], alpha_of(group), cuts_of(test["cuts"])
    values, x = laws.values_of(stem, test["params"]), laws.input_of(stem, test["input"])
    law = cells(stem, values, x, cuts)
    found: Fields = {"pmfRef": f"pmf_{stem}_test.json", "cells": [enclosed(one) for one in law]}
    if "mutant" not in test:
        return found | {"result": VALID}
    other = mutant_cells(test["mutant"], stem, values, x, cuts)
    event = event_of(law, other)
    n = samples(_together(law, event), _together(other, event), alpha)
    if n is None or n > MOST_SAMPLES:
        raise VectorError(f"{test['mutant']} must be told from the law by at most {MOST_SAMPLES} samples")
    found |= {"mutantCells": [enclosed(one) for one in other], "event": [str(i) for i in event]}
    return found | {"maximumSamples": str(n), "result": INVALID, "reason": "mutant_law_differs"}


def _together(masses: Cells, event: list[int]) -> Interval:
    """The mass of some cells."""
    return laws.within_one(laws.total(masses[i] for i in event))


def judged(group: Group, test: Test, subject: Subject) -> Outcome:
    """Of a valid case, `count` samples of the subject against the cells; false alarms have probability <= alpha."""
    if test["result"] != VALID:
        return _judge_of_samples(group, test, subject)
    count = int(group["samples"])
    drawn = subject.ask(
        "samples", algorithm=group["algorithm"], params=test["params"], input=test["input"], count=count
    )
    return Outcome("unsupported") if drawn is UNSUPPORTED else against_cells(drawn, count, group, test)


def _judge_of_samples(group: Group, test: Test, subject: Subject) -> Outcome:
    """Of an invalid case: whether a judge rejects the law of the mutant, given by the masses of its cells."""
    case = {key: test[key] for key in ("params", "input", "cuts")} | {"claimed": test["mutantCells"]}
    said = subject.ask("accepts", type="SamplerStatistical", algorithm=group["algorithm"], case=case)
    if said is UNSUPPORTED:
        return Outcome("unsupported")
    return failed("wrong: the judge accepts the law of a mutant") if said else Outcome("passed")


def against_cells(drawn: Any, count: int, group: Group, test: Test) -> Outcome:
    """Whether the samples refute the masses, of each cell and up to each cut, at alpha shared evenly."""
    if len(drawn) != count:
        return failed(f"error: samples must be {count}, got {len(drawn)}")
    cuts, step = cuts_of(test["cuts"]), rational(test["params"].get("granularity", "1"), "granularity")
    counts = [0] * (len(cuts) + 1)
    for one in drawn:
        y = number_of(one)
        if (y / step).denominator != 1:
            return failed("wrong: a sample is no multiple of the granularity")
        counts[sum(y > cut for cut in cuts)] += 1
    alpha, total = alpha_of(group) / (4 * len(counts)), 0
    upto = Interval(Fraction(0), Fraction(0), BITS)
    for i, (k, stated) in enumerate(zip(counts, test["cells"], strict=True)):
        mass = Interval(*ends(stated, "a cell"), BITS)
        total, upto = total + k, laws.within_one(upto + mass)
        if refutes(k, count, mass, alpha) or refutes(total, count, upto, alpha):
            where = f"up to {test['cuts'][i]}" if i < len(cuts) else f"up to {INFINITE}"
            return failed(f"wrong: too many or too few of {count} samples {where}, at error {group['alpha']}")
    return Outcome("passed")


STATISTICAL = Kind(
    "SamplerStatistical",
    frozenset({"pmfRef", "cells", "mutantCells", "event", "maximumSamples", "result", "reason"}),
    expected,
    judged,
)
