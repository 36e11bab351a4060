"""`refdp attack`: attacks on noisy answers, how often they succeed, and the bound that holds for every attack."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from pathlib import Path
from typing import Any

from refdp.accounting.numbers import decimal_above, decimal_below
from refdp.attacks.arrays import require_arrays
from refdp.attacks.averaging import Averaging
from refdp.attacks.bounds import GuessBound, guess_probability
from refdp.attacks.correlation import Correlation
from refdp.attacks.differencing import Differencing
from refdp.attacks.games import Attack, Tally
from refdp.attacks.inference import Inference
from refdp.attacks.linkage import Linkage
from refdp.attacks.membership import Membership
from refdp.attacks.parameters import at_most
from refdp.attacks.reconstruction import Reconstruction
from refdp.commands.account import decimal
from refdp.commands.judgements import INTERRUPTED, deadline, seconds_since
from refdp.numerics.exact import exact
from refdp.provers.processes import processor_seconds

ATTACKS: Mapping[str, Callable[..., Attack]] = {
    "averaging": Averaging,
    "correlation": Correlation,
    "differencing": Differencing,
    "inference": Inference,
    "linkage": Linkage,
    "membership": Membership,
    "reconstruction": Reconstruction,
}
Step = Callable[[int, int, str], None]
PLACES = 6
"""Digits of probabilities, behind the point; lower ends are rounded down, upper ends and bounds up."""
MOST_RUNS = 10**6
LEAST_EPSILON, MOST_EPSILON = Fraction(1, 10**6), Fraction(100)
MOST_EPSILONS = 100
LEAST_ERROR = Fraction(1, 10**100)
WORTHLESS = Fraction(1000)
"""From this sum of losses on, the bound by sums is not worked out: it is 1 in all digits that are shown."""
LATE = "timeout: its runs were not all made in time"


def attack(
    name: str,
    *,
    epsilon: Any = None,
    runs: int | None = None,
    error: Any = "1e-9",
    people: int | None = None,
    answers: int | None = None,
    method: str | None = None,
    seed: int | None = None,
    budget: Any = None,
    table: str | Path | None = None,
    auxiliary: str | Sequence[str] | None = None,
    secret: str | None = None,
    timeout: float = 600.0,
    step: Step = lambda *_: None,
) -> dict[str, Any]:
    """How often an attack succeeds, beside the certified bound of every attack; the object of `refdp attack --json`.

    `name`: averaging, correlation, differencing, inference, linkage, membership or reconstruction.  `epsilon`: the
    privacy loss of one answer, exact, or several; each is a row after one without noise.  `runs`: how often each row
    is played, with fresh secrets and exact noise.  `error`: the chance that any of the intervals of success does not
    hold.  The other words are parameters of some attacks, and refused by the others.  Intervals are rounded outward,
    bounds up.  An interrupt, or `timeout` seconds, end the work with the rows that are there.

    Raises ValueError for bad input, and where numpy, or scipy for reconstruction, is missing.
    """
    if not isinstance(auxiliary, str | Sequence | None):
        raise ValueError(f"auxiliary must be the name of a column, or a list of such, got {auxiliary!r}")
    given = {
        "people": people, "answers": answers, "method": method, "seed": seed, "budget": budget, "table": table,
        "auxiliary": [auxiliary] if isinstance(auxiliary, str) else auxiliary, "secret": secret,
    }  # fmt: skip
    return played(attack_of(name, given), Effort.of(epsilon, runs, error, timeout), step)


def attack_of(name: str, given: Mapping[str, Any]) -> Attack:
    """The attack with these parameters, those that are None left out; ValueError for one that it does not have."""
    if not isinstance(name, str) or name not in ATTACKS:
        raise ValueError(f"name must be one of {', '.join(ATTACKS)}, got {name}")
    require_arrays()
    made: Any = ATTACKS[name]
    own = [one.name for one in fields(made) if one.init]
    said = {key: value for key, value in given.items() if value is not None}
    for key in said:
        if key not in own:
            raise ValueError(f"{key} must be left out of {name}, which has {' and '.join(own)}, got {said[key]}")
    found: Attack = made(**said)
    return found


@dataclass(frozen=True, slots=True)
class Effort:
    """Which losses are tried, how often, with which error, and how long."""

    epsilons: tuple[Fraction, ...] | None
    runs: int | None
    error: Fraction
    end: float
    """When the clock ends the work, by time.monotonic."""

    @classmethod
    def of(cls, epsilon: Any, runs: Any, error: Any, timeout: float) -> Effort:
        """As given; ValueError where a number does not fit."""
        several = [] if epsilon is None else list(epsilon) if isinstance(epsilon, list | tuple) else [epsilon]
        epsilons = tuple(dict.fromkeys(exact(one, "epsilon") for one in several))
        for one in epsilons:
            if not LEAST_EPSILON <= one <= MOST_EPSILON:
                raise ValueError(f"epsilon must be from 1/10^6 to {MOST_EPSILON}, got {one}")
        if len(epsilons) > MOST_EPSILONS:
            raise ValueError(f"epsilon must be given at most {MOST_EPSILONS} times, got {len(epsilons)}")
        chance = exact(error, "error")
        if not LEAST_ERROR <= chance < 1:
            raise ValueError(f"error must be at least 1e-100 and below 1, got {error}")
        end = deadline(timeout)
        return cls(epsilons or None, None if runs is None else at_most(runs, "runs", MOST_RUNS, 2), chance, end)


def played(attack: Attack, effort: Effort, step: Step = lambda *_: None) -> dict[str, Any]:
    """The attack, played without noise and at each epsilon, as plain data."""
    start, end = processor_seconds(), effort.end
    tried: list[Fraction | None] = [None, *(effort.epsilons or attack.epsilons)]
    runs = effort.runs or attack.default_runs
    rows, trusts, ended, plain = list[dict[str, Any]](), {"Arb"}, None, None
    for place, epsilon in enumerate(tried):
        row = about(attack, epsilon)
        try:
            if ended is None:
                watch = watched(place, runs, len(tried), shown(epsilon), end, step)
                bound = None if epsilon is None else attack.bound(epsilon, max(1.0, end - time.monotonic()))
                tallies = attack.play(None if epsilon is None else attack.scale(epsilon), runs, watch)
                ends = intervals(tallies, effort.error / len(tried))
                row |= told(attack, epsilon, bound, tallies, ends)
                plain = gained(ends) if plain is None else plain
                row |= judged(bound, gained(ends), plain, effort.error)
                row |= {} if epsilon is None else attack.more(epsilon, max(1.0, end - time.monotonic()))
                trusts |= set() if bound is None else bound.trusts
        except (KeyboardInterrupt, TimeoutError) as why:
            ended = LATE if isinstance(why, TimeoutError) else INTERRUPTED
            row = about(attack, epsilon)
        rows.append(row if ended is None else row | {"verdict": "UNKNOWN", "reason": ended})
    return {
        "attack": attack.name,
        "sentence": attack.sentence,
        "claim": attack.promise,
        "neighbours": attack.neighbours,
        "parameters": parameters(attack),
        "error": decimal(effort.error),
        "rows": rows,
        "facts": [{"fact": fact, "value": value} for fact, value in attack.facts()],
        "verdict": verdict(rows),
        "trusts": sorted(trusts),
        "seconds": seconds_since(start),
    }


def watched(place: int, runs: int, rows: int, what: str, end: float, step: Step) -> Callable[[int], None]:
    """Says how far the work is, and raises TimeoutError once the time is over."""

    def watch(done: int) -> None:
        step(place * runs + done, rows * runs, what)
        if time.monotonic() > end:
            raise TimeoutError(LATE)

    return watch


def shown(epsilon: Fraction | None) -> str:
    """Which row it is."""
    return "no noise" if epsilon is None else f"epsilon {epsilon}"


def about(attack: Attack, epsilon: Fraction | None) -> dict[str, Any]:
    """What a row is about; null where there is no noise."""
    if epsilon is None:
        return {"epsilon": None, "scale": None, "total": None, "bound": None}
    found = {"epsilon": epsilon, "scale": attack.scale(epsilon), "total": attack.total(epsilon)}
    return {key: str(one) for key, one in found.items()} | {"bound": None}


def told(
    attack: Attack,
    epsilon: Fraction | None,
    bound: GuessBound | None,
    tallies: Mapping[str, Tally],
    ends: Mapping[str, tuple[Fraction, Fraction]],
) -> dict[str, Any]:
    """What was measured, and the bound with what it was worked out from."""
    found: dict[str, Any] = {key: counted(tallies[key], ends[key]) for key in tallies}
    if bound is None or epsilon is None:
        return found
    found |= {
        "bound": decimal_above(bound.probability, PLACES),
        "bound_from": {"epsilon": str(bound.epsilon), "delta": decimal_above(bound.delta, PLACES)},
        "engine": bound.engine,
    }
    return found | ({"by_sums": decimal_above(by_sums(attack, epsilon), PLACES)} if attack.values else {})


def intervals(tallies: Mapping[str, Tally], error: Fraction) -> dict[str, tuple[Fraction, Fraction]]:
    """Of each tally two ends, all of which hold but for a chance of `error`."""
    return {key: one.interval(error / len(tallies)) for key, one in tallies.items()}


def by_sums(attack: Attack, epsilon: Fraction) -> Fraction:
    """The bound that follows from the sum of all losses alone."""
    total = attack.total(epsilon)
    return Fraction(1) if total > WORTHLESS else guess_probability(attack.values, total, Fraction(0))


def counted(tally: Tally, ends: tuple[Fraction, Fraction]) -> dict[str, Any]:
    """How often the guess was right, and between which ends its probability lies."""
    found = {
        "right": tally.successes, "runs": tally.runs,
        "lower": decimal_below(ends[0], PLACES), "upper": decimal_above(ends[1], PLACES),
    }  # fmt: skip
    return found if tally.share is None else found | {"share": decimal_below(tally.share, PLACES)}


def gained(ends: Mapping[str, tuple[Fraction, Fraction]]) -> Fraction:
    """What the bound is about, at least: the probability of success, or how much greater it is than without."""
    return ends["success"][0] - (ends["without"][1] if "without" in ends else 0)


def judged(bound: GuessBound | None, least: Fraction, plain: Fraction, error: Fraction) -> dict[str, str]:
    """Whether the success is beyond the bound, or else whether it would have been seen had there been no noise."""
    if bound is not None and least > bound.probability:
        return {"verdict": "REFUTED", "error": decimal(error)}
    if bound is not None and plain > bound.probability:
        return {"verdict": "NOT_REFUTED", "power": f"without noise it is at least {decimal_below(plain, PLACES)}"}
    return {"verdict": "MEASURED"}


def parameters(attack: Any) -> dict[str, Any]:
    """The parameters as text, or lists of text."""
    found = {one.name: getattr(attack, one.name) for one in fields(attack) if one.init}
    return {
        key: list(map(str, one)) if isinstance(one, tuple) else str(one)
        for key, one in found.items()
        if one is not None
    }


def verdict(rows: Sequence[Mapping[str, Any]]) -> str:
    """The verdict of all rows: of these words the first that one of them has."""
    words = {row["verdict"] for row in rows}
    return next(word for word in ("REFUTED", "UNKNOWN", "NOT_REFUTED", "MEASURED") if word in words)
