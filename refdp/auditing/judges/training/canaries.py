"""Canaries: rows of a known gradient, and how well one can tell from all that is released whether they were in.

They see the whole loop at once, and show little: half of what is true at best, and never more than their ceiling.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from refdp.accounting.numbers import decimal_below
from refdp.auditing.evidence.binomial import at_least
from refdp.auditing.judges.training import one_run as one_run_bound
from refdp.auditing.judges.training.loops import Claimed, Loop
from refdp.numerics.elementary import ln_bounds
from refdp.sampling.words import SYSTEM_WORDS

if TYPE_CHECKING:
    import numpy as np

    Floats = np.ndarray[Any, np.dtype[np.float64]]

Found = tuple[str, str, Fraction, Fraction]
"""The verdict, in words what was seen, the error, and the ceiling."""
BITS = 96
PLACES = 4


def scores(loop: Loop, canaries: int, is_in: Floats | None) -> Floats:
    """The sum over all steps of what is released in the coordinate of each canary; each has one of its own.

    Canary j has the gradient C e_j, and is a row of the table where it is in.
    """
    import numpy as np

    norm, plan = float(loop.plan.norm), loop.plan
    present = np.arange(canaries) if is_in is None else np.flatnonzero(is_in)
    total = np.zeros(canaries)
    for one in loop.lots(len(present), plan.steps):
        lot = np.asarray(one, dtype=np.bool_)
        gradients = np.zeros((int(lot.sum()), canaries))
        gradients[np.arange(len(gradients)), present[lot]] = norm
        found = loop.answer(list(gradients), canaries, True)
        total += 0 if found is None else np.asarray(found, dtype=np.float64)
    return total


def canary_runs(loop: Loop, claim: Claimed, runs: int, error: Fraction) -> Found:
    """`runs` trainings with one canary, and as many without, judged by a threshold that other runs have set.

    Upper bounds of the rates of misses and of false alarms, each at half the error, give epsilon >= ln((1 - delta -
    miss) / alarm).
    """
    import numpy as np

    def arm(is_in: bool, count: int) -> list[float]:
        return [float(scores(loop, 1, np.array([1.0 * is_in]))[0]) for _ in range(count)]

    tried = max(2, runs // 2)
    threshold = best_threshold(arm(True, tried), arm(False, tried))
    missed = sum(one <= threshold for one in arm(True, runs))
    alarms = sum(one > threshold for one in arm(False, runs))
    epsilon = by_counts(runs, missed, alarms, claim.delta, error)
    most = by_counts(runs, 0, 0, claim.delta, error)
    return told(
        epsilon, claim, f"{runs} trainings with the canary, of which {missed} were missed, and as many without, with "
        f"{alarms} false alarms", most, error,
    )  # fmt: skip


def best_threshold(present: list[float], absent: list[float]) -> float:
    """Where the two differ most, in some runs that are not counted."""
    places = sorted({*present, *absent})
    return max(places, key=lambda t: sum(one > t for one in present) - sum(one > t for one in absent))


def by_counts(runs: int, missed: int, alarms: int, delta: Fraction, error: Fraction) -> Fraction:
    """An epsilon that is certainly less than the truth but for a chance of `error`; 0 where nothing is shown."""
    miss, alarm = (1 - at_least(runs, runs - one, error / 2) for one in (missed, alarms))
    odds = max((1 - delta - miss) / alarm, (1 - delta - alarm) / miss)
    return max(Fraction(0), ln_bounds(odds, BITS)[0]) if odds > 1 else Fraction(0)


def one_run(loop: Loop, claim: Claimed, canaries: int, guesses: int, error: Fraction) -> Found:
    """One training with many canaries, each put in by a fair coin of its own: guesses of those with extreme scores.

    The half of the `guesses` with the highest scores is guessed to be in, that with the lowest to be out; how many
    guesses there are was fixed beforehand.
    """
    import numpy as np

    from refdp.sampling.bulk.lanes import Lanes

    is_in = Lanes(SYSTEM_WORDS).bernoulli(canaries, Fraction(1, 2))
    order = np.argsort(scores(loop, canaries, is_in.astype(np.float64)), kind="stable")
    half = guesses // 2
    right = int(is_in[order[-half:]].sum()) + int((~is_in[order[:half]]).sum())
    epsilon = one_run_bound.epsilon_at_least(canaries, guesses, right, claim.delta, error)
    most = one_run_bound.ceiling(canaries, guesses, claim.delta, error)
    return told(epsilon, claim, f"{right} of {guesses} guesses right, of {canaries} canaries", most, error)


def told(epsilon: Fraction, claim: Claimed, seen: str, ceiling: Fraction, error: Fraction) -> Found:
    """The verdict: REFUTED where what is shown is above the claim."""
    verdict = "REFUTED" if epsilon > claim.epsilon else "NOT_REFUTED"
    shown, most = (decimal_below(one, PLACES) for one in (epsilon, ceiling))
    return verdict, f"{seen}: epsilon at least {shown}; no such audit shows more than {most}", error, ceiling
