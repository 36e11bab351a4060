"""StabilityMap: a transformation, two neighbouring inputs, their outputs exactly, and a claim of how far these can be.

A claim below the distance of the two outputs is invalid, and anyone sees why.  A claim at or above refdp's proved map
is valid.  Distances under l2 stand squared.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

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
    accepted,
    failed,
    number_of,
)
from refdp.test_vectors.kinds.pmf import worst
from refdp.test_vectors.maps import Map, comparable, distance, map_of, text_of
from refdp.test_vectors.numbers import INFINITE, VectorError, below, rational, real, shown

HAIR = Fraction(1, 10**12)
CLAIMS = ("proved", "stated", "half", "zero", "hair_below", "integer_division")
NONE = "none"
"""What stands for a map that is not known."""


def expected(group: Group, test: Test) -> Fields:
    """Metrics, distances and outputs of the pair, the map where it is proved, and whether the claim is right."""
    found, d_in = map_of(group["algorithm"], test["params"]), rational(test["dIn"], "dIn")
    left, right = (found.rows(test[side]) for side in ("left", "right"))
    apart = distance(found.input_metric, left, right)
    if apart is None or apart > comparable(found.input_metric, d_in):
        raise VectorError(f"left and right must be at most dIn = {d_in} apart, got {_shown(apart)}")
    outputs = [found.run(rows) for rows in (left, right)]
    moved = distance(found.output_metric, *outputs)
    fields: Fields = {
        "inputMetric": found.input_metric,
        "outputMetric": found.output_metric,
        "leftOutput": text_of(outputs[0]),
        "rightOutput": text_of(outputs[1]),
        "distanceSquared" if found.output_metric == "l2" else "distance": _shown(moved),
    }
    proved = found.proved(d_in)
    fields["dOut"] = NONE if proved is None else str(proved)
    return fields | _claimed(test, found, d_in, moved, proved)


def _shown(d: Fraction | None) -> str:
    """A distance as text."""
    return INFINITE if d is None else str(d)


def _claimed(test: Test, found: Map, d_in: Fraction, moved: Fraction | None, proved: Fraction | None) -> Fields:
    """The claim, and whether the pair refutes it or the map proves it."""
    if "mutant" in test:
        claimed = claim(test["mutant"], found, d_in, moved)
    elif "claimed" in test:
        claimed = test["claimed"]
    else:
        return {"result": VALID}
    value = real(claimed, "claimed")
    if moved is None or comparable(found.output_metric, value) < moved:
        return {"claimed": claimed, "result": INVALID, "reason": "claimed_below_attained_distance"}
    if proved is None or value < proved:
        raise VectorError(f"claimed must be refuted by the pair or proved by the map, got {shown(claimed)}")
    return {"claimed": claimed, "result": VALID}


def claim(name: Any, found: Map, d_in: Fraction, moved: Fraction | None) -> str:
    """What a map claims that is right, or wrong in a known way."""
    match name:
        case "proved" | "stated":
            return str(found.stated(d_in))
        case "half":
            return str(found.stated(d_in) / 2)
        case "integer_division":
            return str(found.stated(d_in) // 2)
        case "zero":
            return "0"
        case "hair_below" if moved is not None and found.output_metric != "l2":
            return below(moved * (1 - HAIR))
    raise VectorError(f"mutant must be one of {', '.join(CLAIMS)} that fits, got {shown(name)}")


def judged(group: Group, test: Test, subject: Subject) -> Outcome:
    """The judgement of stability, transform and accepts."""
    asked = {"algorithm": group["algorithm"], "params": test["params"]}
    found = [accepted(test, "StabilityMap", frozenset(COMPUTED), group, subject)]
    answer = subject.ask("stability", **asked, dIn=test["dIn"])
    if answer is not UNSUPPORTED:
        found.append(_map_judged(answer, test))
    for side in ("left", "right"):
        output = subject.ask("transform", **asked, input=test[side])
        if output is not UNSUPPORTED:
            right = text_of(output) == test[f"{side}Output"]
            found.append(Outcome("passed") if right else failed(f"wrong: the output of the {side} input is another"))
    return worst(found)


def _map_judged(answer: Any, test: Test) -> Outcome:
    """A map must be at least the distance that is attained, and at most what is proved, where that is known.

    "inf", or None, says that no bound holds: loose where one is proved.
    """
    metric, known = test["outputMetric"], test["dOut"]
    if answer is None or answer == INFINITE:
        return Outcome("passed") if known == NONE else failed("loose: a bound is proved, and none is given")
    value = number_of(answer)
    moved = test["distanceSquared" if metric == "l2" else "distance"]
    if moved == INFINITE or comparable(metric, value) < rational(moved):
        return failed("unsound: the two outputs are farther apart")
    if known != NONE and value > rational(known) * (1 + HAIR):
        return failed("loose: above the map that is proved")
    return Outcome("passed")


COMPUTED = (
    "inputMetric", "outputMetric", "leftOutput", "rightOutput", "distance", "distanceSquared", "dOut", "claimed",
    "result", "reason",
)  # fmt: skip
STABILITY = Kind("StabilityMap", frozenset(COMPUTED), expected, judged)
