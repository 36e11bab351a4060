"""What outputs that only one input gives come to: the verdict in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from refdp.auditing.evidence.plants import binomial, is_seen, stream
from refdp.auditing.judges.reachable.pair import MOST, Pair, alone
from refdp.auditing.judges.result import NOT_REFUTED, REFUTED, UNKNOWN, Counterexample, Evidence, Result
from refdp.auditing.judges.rounding import downwards, number, upwards
from refdp.auditing.judges.task import Record

NOT_TESTED = ("other pairs of inputs", "how the uniform number is drawn", "time, memory and other side channels")


def result(pair: Pair, opening: Record, chunks: Sequence[Record]) -> Result:
    """The verdict, from the record alone."""
    stopped = opening["stopped"] or next((c["stopped"] for c in chunks if c["stopped"]), "") or unfit(pair, chunks)
    tried = pair.tries(chunks)
    common: dict[str, Any] = {
        "claim": claim(pair), "samples": len(tried), "about": dict(opening["about"]), "not_tested": NOT_TESTED,
        "trusts": (assumed(pair), f"u is drawn from multiples of 2^-{pair.noise.bits}, each of which may come",
                   "the process tells what its target gave"),
        "scope": [f"{len(tried)} outputs on {pair.inputs[0]!r} and on {pair.inputs[1]!r}, each sought on the other"],
    }  # fmt: skip
    if stopped:
        return Result(UNKNOWN, sentence=f"Nothing is said of the claim: {stopped}.", reason=stopped, **common)
    shares = [pair.least(chunks, side) for side in (0, 1)]
    side = max((0, 1), key=lambda s: (shares[s], len(lonely(pair, chunks, s))))
    if refutes(pair, chunks, side):
        return refuted(pair, chunks, side, shares[side], common)
    return not_refuted(pair, chunks, common)


def refutes(pair: Pair, chunks: Sequence[Record], side: int) -> bool:
    """Whether the outputs that one side alone gives refute the claim."""
    alone_there = bool(lonely(pair, chunks, side))
    return alone_there and (pair.claim.delta == 0 or pair.least(chunks, side) > pair.claim.delta)


def claim(pair: Pair) -> str:
    """What is judged."""
    return f"{pair.claim} for the inputs {pair.inputs[0]!r} and {pair.inputs[1]!r}"


def assumed(pair: Pair) -> str:
    """What is trusted of the code, where it was not run."""
    noise = pair.noise
    near = f"{float(noise.error):.3g} of its terms" + (f" and {number(noise.absolute)}" if noise.absolute else "")
    return f"the sampler is within {near} of the quantile function of its law, as it was at each u that was tried"


def lonely(pair: Pair, chunks: Sequence[Record], side: int) -> list[Mapping[str, Any]]:
    """The outputs of one side that the other never gives."""
    return [one for one in pair.tries(chunks, side) if alone(one)]


def unfit(pair: Pair, chunks: Sequence[Record]) -> str:
    """An empty text if every k that had to be tried was tried, as far as the record tells."""
    for side in (0, 1):
        x, other = (Fraction(pair.inputs[s]) for s in (side, 1 - side))
        for one in pair.tries(chunks, side):
            if not one["y"]:
                continue
            y = Fraction(float.fromhex(one["y"]))
            if len(pair.noise.near(other, y)) != one["tried"] or not pair.noise.accurate(x, int(one["k"]), y):
                return f"the record does not fit the noise at {one['y']}"
    return ""


def refuted(pair: Pair, chunks: Sequence[Record], side: int, share: Fraction, common: Mapping[str, Any]) -> Result:
    """REFUTED, with an output that one input gives and the other never."""
    found, x, other = lonely(pair, chunks, side), pair.inputs[side], pair.inputs[1 - side]
    one = found[0]
    y, u = float.fromhex(one["y"]), pair.uniform(int(one["k"]))
    tried = len(pair.tries(chunks, side))
    never = f"{y!r} comes of {x!r} with u = {u!r} and never of {other!r}: all {one['tried']} u near it were tried"
    error = Fraction(0) if pair.claim.delta == 0 else pair.alpha
    stated = "without statistics" if not error else f"at error <= {upwards(error)}, as delta >= {downwards(share)}"
    sentence = f"Refuted {stated}: {never}; so do {len(found)} of {tried} outputs on {x!r}."
    least = max(share, Fraction(len({one["k"] for one in found}), 2**pair.noise.bits))
    beside = [repr(float.fromhex(text)) if text else "nothing" for text in one["beside"]]
    seen = Counterexample(
        (repr(x), repr(other)), (repr(y), f"nothing between {beside[0]} and {beside[1]}"), str(pair.claim),
        "epsilon infinite", f"outputs that {other!r} never gives", (f"{len(found)} of {tried}", "0, by enumeration"),
        (f"[{downwards(least)}, 1]", "[0, 0]"),
    )  # fmt: skip
    witness = f"{y!r} from {x!r}, never from {other!r} ({len(found)} of {tried})"
    return Result(REFUTED, sentence=sentence, witness=witness[:80], error=error, evidence=Evidence(seen), **common)


def not_refuted(pair: Pair, chunks: Sequence[Record], common: Mapping[str, Any]) -> Result:
    """NOT_REFUTED, with how many outputs are shared, and how many could not be decided."""
    tried, lone = pair.tries(chunks), len(only(pair, chunks))
    both = sum(one["by"] is not None for one in tried)
    undecided = sum(bool(one["y"]) for one in tried) - both - lone
    told = f"{both} of {len(tried)} outputs come of both inputs, {lone} of one alone, {undecided} are undecided"
    if not both + lone:
        return Result(UNKNOWN, sentence=f"Nothing is said of the claim: {told}.", reason=told, **common)
    share = planted(pair, chunks)
    if share is None:
        reason = f"{UNSEEING}: outputs of one input alone were planted, and not refuted"
        return Result(UNKNOWN, sentence=f"Nothing is said of the claim: {told}; {reason}.", reason=reason, **common)
    sentence = f"Not refuted: {told}."
    power = f"an output of one input alone would have been seen among the {both + lone} that were decided"
    if pair.claim.delta:
        power = f"{upwards(share)} or more of outputs of one input alone would have been seen"
        power += f" among the {both + lone} that were decided"
    return Result(NOT_REFUTED, sentence=sentence, power=power, error=pair.alpha, **common)


UNSEEING = "no violation would have been seen"


def planted(pair: Pair, chunks: Sequence[Record]) -> Fraction | None:
    """The least of SHARES of outputs of one input alone that are refuted where they are planted; None where none is.

    Outputs that came of both inputs are made such in a copy of the record; for delta = 0 one of them.  A share is of
    the outputs on the first input that could be planted: exceptions, and what has too many u to try, are none of them.
    """
    if pair.claim.delta == 0:
        decided = len(lonely(pair, chunks, 0)) + sum(one["by"] is not None for one in pair.tries(chunks, 0))
        return Fraction(1, decided) if decided and seen_alone(pair, chunks, 1) else None
    n = sum(map(is_sought, pair.tries(chunks, 0)))
    for share in (share for share in SHARES if share > pair.claim.delta):
        random = stream(pair.claim.delta, pair.alpha, n, share)
        if is_seen(lambda share=share, random=random: seen_alone(pair, chunks, binomial(n, float(share), random))):  # type: ignore[misc]
            return share
    return None


SHARES = (*(Fraction(k, 10**6) for k in (1, 10, 100, 1000)), *(Fraction(k, 100) for k in range(1, 101)))


def seen_alone(pair: Pair, chunks: Sequence[Record], count: int) -> bool:
    """Whether the claim is refuted once so many outputs on the first input come of it alone."""
    left, copied = count, []
    for chunk in chunks:
        sides = [list(side) for side in chunk["found"]]
        for i, one in enumerate(sides[0] if sides else []):
            if left and is_sought(one):
                sides[0][i], left = {**one, "by": None}, left - 1
        copied.append({**chunk, "found": sides})
    return left == 0 and refutes(pair, copied, 0)


def is_sought(one: Mapping[str, Any]) -> bool:
    """Whether an output was sought on the other input: no exception, and few enough u near it."""
    return bool(one["y"]) and one["tried"] <= MOST


def only(pair: Pair, chunks: Sequence[Record]) -> list[Mapping[str, Any]]:
    """The outputs of either side that the other never gives."""
    return [one for side in (0, 1) for one in lonely(pair, chunks, side)]
