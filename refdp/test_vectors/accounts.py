"""Certified bounds of delta and epsilon, and claims that wrong accountants make of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

from refdp.accounting.accounts import Account, Limits, Question
from refdp.accounting.inputs.spec import read_spec
from refdp.logic.strict_json import Json
from refdp.numerics.elementary import exp_bounds
from refdp.numerics.intervals import Interval
from refdp.test_vectors.numbers import VectorError, above, below, float_over, float_under, nearest, rational, shown

SECONDS = 120.0
"""Most that one account may take."""
MEMORY = 10**9
MOST_EVENTS = 20
LARGEST_COUNT = 100_000
"""Most runs of one event."""
HAIR = Fraction(1, 10**12)
TINIEST = Fraction(1, 10**1000)
"""No claim but 0 is smaller: nobody writes such numbers."""
Bounds = tuple[Fraction, Fraction]
Asked = Mapping[str, str]
"""{"epsilon": ...} where delta is asked, {"delta": ...} where epsilon is."""


def bounds(neighbours: str, events: list[Json], asked: Asked, width: Fraction) -> Bounds:
    """Lower and upper bound of the delta at epsilon, or of the epsilon at delta; VectorError where none is found."""
    stated = read_spec({"neighbours": neighbours, "events": events})
    if len(stated.events) > MOST_EVENTS or any(e.count > LARGEST_COUNT for e in stated.events):
        raise VectorError(f"events must be at most {MOST_EVENTS}, each counted at most {LARGEST_COUNT} times")
    (parameter, text), *_ = asked.items()
    value = rational(text, parameter)
    question = Question(epsilon=value) if parameter == "epsilon" else Question(delta=value)
    account = Account(stated.neighbours, stated.events)
    found = _answered(account, question, width)
    if found is None:
        raise VectorError(f"the account must be bounded within {SECONDS:.0f} seconds, got none for {shown(asked)}")
    return found


@lru_cache(maxsize=4096)
def _answered(account: Account, question: Question, width: Fraction) -> Bounds | None:
    """The bounds, None where they are wider than the width."""
    answer = account.answers([question], Limits(width, SECONDS, MEMORY), partial=False)[0]
    low, high = answer.bounds.lower, answer.bounds.upper
    if answer.reason is not None or low is None or high is None:
        return None
    return low, high


Change = Callable[[Json], Json]


def _scaled(factor: Fraction, *names: str) -> Change:
    """An event with the first of these parameters that it has multiplied; others as they are."""

    def change(event: Json) -> Json:
        for name in names:
            if name in event:
                return event | {name: str(rational(event[name], name) * factor)}
        return event

    return change


def _counted(count: Callable[[int], int]) -> Change:
    """An event with another count, at least 1."""
    return lambda event: event | {"count": max(1, count(event.get("count", 1)))}


def _rated(rate: Callable[[Fraction], Fraction]) -> Change:
    """An event with another rate of its Poisson samples."""

    def change(event: Json) -> Json:
        sampling = event.get("sampling", {})
        if sampling.get("scheme") != "poisson":
            return event
        return event | {"sampling": sampling | {"rate": str(rate(rational(sampling["rate"], "rate")))}}

    return change


CHANGES: Mapping[str, Change] = {
    "noise_doubled": _scaled(Fraction(2), "scale", "sigma"),
    "noise_a_tenth_more": _scaled(Fraction(11, 10), "scale", "sigma"),
    "noise_a_thousandth_more": _scaled(Fraction(1001, 1000), "scale", "sigma"),
    "sensitivity_halved": _scaled(Fraction(1, 2), "sensitivity"),
    "variance_for_deviation": lambda e: e | {"sigma": str(rational(e["sigma"], "sigma") ** 2)} if "sigma" in e else e,
    "one_query_fewer": _counted(lambda count: count - 1),
    "one_query_in_all": _counted(lambda _: 1),
    "queries_halved": _counted(lambda count: count // 2),
    "rate_halved": _rated(lambda rate: rate / 2),
    "rate_squared": _rated(lambda rate: rate**2),
}
"""Accounts of something else: the claim is the upper bound for changed events."""


def _first(events: list[Json]) -> list[Json]:
    """The first event alone."""
    return events[:1]


ENDS: Mapping[str, Callable[[Fraction, Fraction], str]] = {
    "upper_bound": lambda low, high: above(high),
    "float_above": lambda low, high: float_over(high),
    "float_below": lambda low, high: float_under(low),
    "nearest_binary64": lambda low, high: nearest((low + high) / 2),
    "hair_below": lambda low, high: below(low * (1 - HAIR)),
    "half": lambda low, high: below(low / 2),
    "zero": lambda low, high: "0",
    "twice": lambda low, high: above(2 * high),
}
"""Claims made from the bounds themselves."""
CLAIMS = (*CHANGES, *ENDS, "first_event_alone", "classical_gaussian", "central_limit")


def claim(name: str, neighbours: str, events: list[Json], asked: Asked, width: Fraction) -> str:
    """The claim of a wrong accountant, or of a right one: text."""
    if name in ENDS:
        return ENDS[name](*bounds(neighbours, events, asked, width))
    if name in CHANGES:
        events = [CHANGES[name](event) for event in events]
    elif name == "first_event_alone":
        events = _first(events)
    elif name == "central_limit":
        events = [_limit(events)]
    elif name == "classical_gaussian":
        return below(_classical(events, asked))
    else:
        raise VectorError(f"mutant must be one of {', '.join(CLAIMS)}, got {shown(name)}")
    high = bounds(neighbours, events, asked, width)[1]
    return above(max(high, TINIEST) if high else high)


def _limit(events: list[Json]) -> Json:
    """Many Gaussian steps on Poisson samples as one Gaussian: mu^2 = rate^2 count (e^(1/sigma^2) - 1).

    Source: DRS22 (the central limit of Gaussian DP), which bounds nothing at a finite count.
    """
    event = events[0]
    if event.get("mechanism") != "gaussian" or "sampling" not in event or len(events) != 1:
        raise VectorError("central_limit must be of one Gaussian event on Poisson samples")
    sigma, rate = rational(event["sigma"], "sigma"), rational(event["sampling"]["rate"], "rate")
    grown = exp_bounds(1 / sigma**2, 64)[1] - 1
    mu_squared = rate**2 * event.get("count", 1) * grown
    root = _root(1 / mu_squared)
    return {"mechanism": "gaussian", "sigma": str(root)}


def _root(x: Fraction) -> Fraction:
    """A rational number near the root of x, the same everywhere."""
    from math import isqrt

    return Fraction(isqrt(x.numerator * 10**24 // x.denominator), 10**12)


def _classical(events: list[Json], asked: Asked) -> Fraction:
    """The delta with sigma = sensitivity sqrt(2 ln(5 / (4 delta))) / epsilon: 5/4 e^-(sigma epsilon / sensitivity)^2/2.

    It is a theorem for epsilon <= 1 alone.  Source: DR14 Thm A.1.
    """
    event = events[0]
    if event.get("mechanism") != "gaussian" or set(asked) != {"epsilon"}:
        raise VectorError("classical_gaussian must be of Gaussian noise at an epsilon")
    ratio = rational(event["sigma"], "sigma") / rational(event.get("sensitivity", "1"), "sensitivity")
    exponent = (ratio * rational(asked["epsilon"], "epsilon")) ** 2 / 2
    return Fraction(5, 4) * Interval(*exp_bounds(-exponent, 128), 128).lower


def stated_events(found: Any) -> list[Json]:
    """The events of a case: a list of objects."""
    if not isinstance(found, list) or not all(isinstance(event, dict) for event in found):
        raise VectorError(f"events must be a list of objects, got {shown(found)}")
    return found
