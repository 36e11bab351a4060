"""Pmf: P[M(x) = y] and P[M(x) <= y] of a mechanism, enclosed.

An answer must lie in the enclosure, widened by the group's relative tolerance.  Where P[M(x) = y] is less than the
least float of 64 bits, 0 is acceptable.
"""

from __future__ import annotations

from fractions import Fraction

from refdp.test_vectors import laws
from refdp.test_vectors.kinds.kind import (
    ACCEPTABLE,
    INVALID,
    NOT_SUPPORTED,
    PASSED,
    UNSUPPORTED,
    VALID,
    Fields,
    Group,
    Kind,
    Outcome,
    Subject,
    Test,
    accepted,
    near,
    number_of,
)
from refdp.test_vectors.mutants import mutant
from refdp.test_vectors.numbers import VectorError, below, enclosed, ends, nearest, rational, real

COMPUTED = frozenset({"pmf", "cdf", "claimed", "result", "reason"})
LEAST_FLOAT = Fraction(1, 2**1074)
BIGGEST_TOLERANCE = Fraction(1, 100)
NEAREST, UNDERFLOW = "nearest_binary64", "underflow_to_zero"
"""Claims that are no defects: the nearest float; 0 where there is no float near."""


def tolerance(group: Group) -> Fraction:
    """The relative tolerance of the group."""
    found = rational(group["tolerance"], "tolerance")
    if not 0 <= found <= BIGGEST_TOLERANCE:
        raise VectorError(f"tolerance must be in [0, {BIGGEST_TOLERANCE}], got {found}")
    return found


def expected(group: Group, test: Test) -> Fields:
    """pmf, cdf, the claim if one is modelled, and whether a claim is right."""
    stem = group["algorithm"]
    values, y = laws.values_of(stem, test["params"]), rational(test["output"], "output")
    x = laws.input_of(stem, test["input"])
    mass = laws.pmf(stem, values, x, y)
    found: Fields = {"pmf": enclosed(mass), "cdf": enclosed(laws.cdf(stem, values, x, y))}
    match test.get("mutant"):
        case None:
            claim = test.get("claimed")
        case "nearest_binary64":
            claim = nearest((mass.lower + mass.upper) / 2)
        case "underflow_to_zero":
            claim = "0"
        case name:
            claim = below(mutant(name, stem)(stem, values, x, y).lower)
    if claim is None:
        return found | {"result": VALID}
    return found | {"claimed": claim} | verdict(real(claim, "claimed"), *ends(found["pmf"], "pmf"), tolerance(group))


def verdict(claim: Fraction, lo: Fraction, hi: Fraction, slack: Fraction) -> Fields:
    """Whether the claim is within the enclosure, widened; a 0 for what no float holds is acceptable."""
    if claim < lo * (1 - slack):
        tiny = claim == 0 and hi < LEAST_FLOAT
        return {"result": ACCEPTABLE} if tiny else {"result": INVALID, "reason": "claimed_below_lower_bound"}
    if claim > hi * (1 + slack):
        return {"result": INVALID, "reason": "claimed_above_upper_bound"}
    return {"result": VALID}


def judged(group: Group, test: Test, subject: Subject) -> Outcome:
    """The judgement of pmf, cdf and accepts, as far as the subject answers."""
    asked = {key: test[key] for key in ("params", "input", "output")} | {"algorithm": group["algorithm"]}
    found = [accepted(test, "Pmf", COMPUTED, group, subject)]
    for function in ("pmf", "cdf"):
        answer = subject.ask(function, **asked)
        if answer is UNSUPPORTED:
            continue
        lo, hi = ends(test[function], function)
        if function == "pmf" and hi < LEAST_FLOAT and number_of(answer) == 0:
            found.append(Outcome("acceptable", "0 for a probability below every float"))
            continue
        found.append(near(answer, lo, hi, tolerance(group), function))
    return worst(found)


def worst(found: list[Outcome | None]) -> Outcome:
    """The first that failed, else acceptable, else passed, else unsupported."""
    said = [one for one in found if one is not None]
    for outcome in ("failed", "acceptable", "passed"):
        for one in said:
            if one.outcome == outcome:
                return one
    return PASSED if said else NOT_SUPPORTED


PMF = Kind("Pmf", COMPUTED, expected, judged)
