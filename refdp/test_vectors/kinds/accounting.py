"""PrivacyProfile and Accounting: delta at epsilon, or epsilon at delta, of one mechanism or of a composition.

An answer must lie in [lo, statedMaximum]: not below, as a bound of a privacy loss that is rounded down is none; not far
above, as it is then useless.  The bounds are certified from both sides; lo is what the worst query really costs.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from refdp.test_vectors.accounts import bounds, claim, stated_events
from refdp.test_vectors.kinds.kind import (
    ACCEPTABLE,
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
from refdp.test_vectors.numbers import DIGITS, VectorError, above, below, ends, rational, real

WIDTHS = {"PrivacyProfile": Fraction(1, 10**20), "Accounting": Fraction(1, 10**9)}
"""Relative width of delta, width of epsilon."""
COMPUTED = frozenset({"delta", "answer", "statedMaximum", "claimed", "result", "reason"})
LARGEST_LOOSENESS = 10


def looseness(group: Group) -> Fraction:
    """By which factor an answer may exceed the upper bound."""
    found = rational(group["looseness"], "looseness")
    if not 1 <= found <= LARGEST_LOOSENESS:
        raise VectorError(f"looseness must be in [1, {LARGEST_LOOSENESS}], got {found}")
    return found


def question(group: Group, test: Test) -> tuple[str, list[Any], dict[str, str], str]:
    """Neighbouring relation, events, what is asked, and the field that holds the bounds."""
    if group["type"] == "PrivacyProfile":
        if unknown := {"mechanism", "count", "sampling"} & set(test["params"]):
            raise VectorError(f"params must be those of the mechanism alone, got {', '.join(sorted(unknown))}")
        event = {"mechanism": group["algorithm"], **test["params"]}
        return test["neighbours"], [event], {"epsilon": test["epsilon"]}, "delta"
    if len(test["question"]) != 1:
        raise VectorError("question must have either epsilon or delta")
    return test["neighbours"], stated_events(test["events"]), test["question"], "answer"


def expected(group: Group, test: Test) -> Fields:
    """The bounds, the stated maximum, the claim if one is modelled, and whether a claim is right."""
    neighbours, events, asked, field = question(group, test)
    width = WIDTHS[group["type"]]
    low, high = bounds(neighbours, events, asked, width)
    digits = DIGITS if group["type"] == "PrivacyProfile" else 12
    found: Fields = {field: {"lo": below(low, digits), "hi": above(high, digits)}}
    most = real(found[field]["hi"]) * looseness(group)
    found["statedMaximum"] = above(most, 6)
    if "mutant" not in test and "claimed" not in test:
        return found | {"result": VALID}
    claimed = claim(test["mutant"], neighbours, events, asked, width) if "mutant" in test else test["claimed"]
    return found | {"claimed": claimed} | verdict(real(claimed, "claimed"), found, field)


def verdict(claimed: Fraction, found: Fields, field: str) -> Fields:
    """Below the certified lower bound a claim is invalid, above the stated maximum acceptable."""
    if claimed < ends(found[field], field)[0]:
        return {"result": INVALID, "reason": "claimed_below_certified_lower_bound"}
    return {"result": ACCEPTABLE if claimed > real(found["statedMaximum"]) else VALID}


def judged(group: Group, test: Test, subject: Subject) -> Outcome:
    """The judgement of delta, or account, and accepts."""
    neighbours, events, asked, field = question(group, test)
    if group["type"] == "PrivacyProfile":
        algorithm, epsilon = group["algorithm"], test["epsilon"]
        answer = subject.ask(
            "delta", algorithm=algorithm, params=test["params"], neighbours=neighbours, epsilon=epsilon
        )
    else:
        answer = subject.ask("account", neighbours=neighbours, events=events, question=asked)
    found = [accepted(test, group["type"], COMPUTED, group, subject)]
    if answer is not UNSUPPORTED:
        found.append(within(number_of(answer), ends(test[field], field)[0], real(test["statedMaximum"])))
    return worst(found)


def within(answer: Fraction, low: Fraction, most: Fraction) -> Outcome:
    """Whether the answer is in [low, most]."""
    if answer < low:
        near = answer > low * (1 - Fraction(1, 10**9))
        hint = "by less than a billionth: it is rounded the wrong way" if near else "by more than rounding"
        return failed(f"unsound: below the certified lower bound, {hint}")
    return failed("loose: above the stated maximum") if answer > most else Outcome("passed")


PROFILE = Kind("PrivacyProfile", COMPUTED, expected, judged)
ACCOUNTING = Kind("Accounting", COMPUTED, expected, judged)
