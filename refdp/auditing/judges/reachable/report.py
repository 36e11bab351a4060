"""What outputs that only one input gives come to: the verdict in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from refdp.auditing.judges.result import NOT_REFUTED, REFUTED, UNKNOWN, Counterexample, Evidence, Result
from refdp.auditing.judges.rounding import downwards, number, upwards
from refdp.auditing.judges.task import Record

if TYPE_CHECKING:
    from refdp.auditing.judges.reachable.judge import Reachable

MOST = 4096
"""With more k to try, an output is left undecided."""
NOT_TESTED = ("other pairs of inputs", "how the uniform number is drawn", "time, memory and other side channels")


def result(judge: Reachable, opening: Record, chunks: Sequence[Record]) -> Result:
    """The verdict, from the record alone."""
    stopped = opening["stopped"] or next((c["stopped"] for c in chunks if c["stopped"]), "") or unfit(judge, chunks)
    tried = judge.tries(chunks)
    common: dict[str, Any] = {
        "claim": claim(judge), "samples": len(tried), "about": dict(opening["about"]), "not_tested": NOT_TESTED,
        "trusts": (assumed(judge), f"u is drawn from multiples of 2^-{judge.noise.bits}, each of which may come",
                   "the process tells what its target gave"),
        "scope": [f"{len(tried)} outputs on {judge.inputs[0]!r} and on {judge.inputs[1]!r}, each sought on the other"],
    }  # fmt: skip
    if stopped:
        return Result(UNKNOWN, sentence=f"Nothing is said of the claim: {stopped}.", reason=stopped, **common)
    shares = [judge.least(chunks, side) for side in (0, 1)]
    side = max((0, 1), key=lambda s: (shares[s], len(lonely(judge, chunks, s))))
    if lonely(judge, chunks, side) and (judge.claim.delta == 0 or shares[side] > judge.claim.delta):
        return refuted(judge, chunks, side, shares[side], common)
    return not_refuted(judge, chunks, common)


def alone(tried: Mapping[str, Any]) -> bool:
    """Whether the output never comes of the other input."""
    return bool(tried["y"]) and tried["by"] is None and tried["tried"] <= MOST


def claim(judge: Reachable) -> str:
    """What is judged."""
    return f"{judge.claim} for the inputs {judge.inputs[0]!r} and {judge.inputs[1]!r}"


def assumed(judge: Reachable) -> str:
    """What is trusted of the code, where it was not run."""
    noise = judge.noise
    near = f"{float(noise.error):.3g} of its terms" + (f" and {number(noise.absolute)}" if noise.absolute else "")
    return f"the sampler is within {near} of the quantile function of its law, as it was at each u that was tried"


def lonely(judge: Reachable, chunks: Sequence[Record], side: int) -> list[Mapping[str, Any]]:
    """The outputs of one side that the other never gives."""
    return [one for one in judge.tries(chunks, side) if alone(one)]


def unfit(judge: Reachable, chunks: Sequence[Record]) -> str:
    """An empty text if every k that had to be tried was tried, as far as the record tells."""
    for side in (0, 1):
        x, other = (Fraction(judge.inputs[s]) for s in (side, 1 - side))
        for one in judge.tries(chunks, side):
            if not one["y"]:
                continue
            y = Fraction(float.fromhex(one["y"]))
            if len(judge.noise.near(other, y)) != one["tried"] or not judge.noise.accurate(x, int(one["k"]), y):
                return f"the record does not fit the noise at {one['y']}"
    return ""


def refuted(
    judge: Reachable, chunks: Sequence[Record], side: int, share: Fraction, common: Mapping[str, Any]
) -> Result:
    """REFUTED, with an output that one input gives and the other never."""
    found, x, other = lonely(judge, chunks, side), judge.inputs[side], judge.inputs[1 - side]
    one = found[0]
    y, u = float.fromhex(one["y"]), judge.uniform(int(one["k"]))
    tried = len(judge.tries(chunks, side))
    never = f"{y!r} comes of {x!r} with u = {u!r} and never of {other!r}: all {one['tried']} u near it were tried"
    error = Fraction(0) if judge.claim.delta == 0 else judge.alpha
    stated = "without statistics" if not error else f"at error <= {upwards(error)}, as delta >= {downwards(share)}"
    sentence = f"Refuted {stated}: {never}; so do {len(found)} of {tried} outputs on {x!r}."
    least = max(share, Fraction(len({one["k"] for one in found}), 2**judge.noise.bits))
    beside = [repr(float.fromhex(text)) if text else "nothing" for text in one["beside"]]
    seen = Counterexample(
        (repr(x), repr(other)), (repr(y), f"nothing between {beside[0]} and {beside[1]}"), str(judge.claim),
        "epsilon infinite", f"outputs that {other!r} never gives", (f"{len(found)} of {tried}", "0, by enumeration"),
        (f"[{downwards(least)}, 1]", "[0, 0]"),
    )  # fmt: skip
    witness = f"{y!r} from {x!r}, never from {other!r} ({len(found)} of {tried})"
    return Result(REFUTED, sentence=sentence, witness=witness[:80], error=error, evidence=Evidence(seen), **common)


def not_refuted(judge: Reachable, chunks: Sequence[Record], common: Mapping[str, Any]) -> Result:
    """NOT_REFUTED, with how many outputs are shared, and how many could not be decided."""
    tried, lone = judge.tries(chunks), len(only(judge, chunks))
    both = sum(one["by"] is not None for one in tried)
    undecided = sum(bool(one["y"]) for one in tried) - both - lone
    told = f"{both} of {len(tried)} outputs come of both inputs, {lone} of one alone, {undecided} are undecided"
    if not both + lone:
        return Result(UNKNOWN, sentence=f"Nothing is said of the claim: {told}.", reason=told, **common)
    sentence = f"Not refuted: {told}."
    power = f"an output of one input alone would have been seen among the {both + lone} that were decided"
    return Result(NOT_REFUTED, sentence=sentence, power=power, error=judge.alpha, **common)


def only(judge: Reachable, chunks: Sequence[Record]) -> list[Mapping[str, Any]]:
    """The outputs of either side that the other never gives."""
    return [one for side in (0, 1) for one in lonely(judge, chunks, side)]
