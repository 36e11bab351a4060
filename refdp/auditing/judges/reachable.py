"""Kind `reachable`: outputs that a sampler of floats gives for one input and never for the other, from its code.

    function = "floats:inverse_at"       f([x, u]) -> y, the sampler as a function of its uniform number u
    pairs = [[0.0, 1.0]]                 one pair of inputs
    noise = {law = "laplace", scale = "1", bits = 53, shift = "-1/2"}
                                         also falling, error (relative) and absolute, as the evidence defines them
    claim = {epsilon = "1", delta = "0"}, samples

u = k / 2^bits + shift.  `refdp.auditing.evidence.reachability` says why a few k tell whether y is ever given.  For
delta = 0 one output that only one input gives refutes every epsilon, without statistics; for delta > 0 their share is
bounded from below at error alpha.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from secrets import randbelow
from typing import Any

from refdp.auditing.evidence.binomial import at_least
from refdp.auditing.evidence.pairs import Claim
from refdp.auditing.evidence.plants import binomial, is_seen, stream
from refdp.auditing.evidence.reachability import Noise
from refdp.auditing.judges import drawing
from refdp.auditing.judges.drawing import Stopped
from refdp.auditing.judges.result import UNSEEING, Counterexample, Evidence, Result
from refdp.auditing.judges.rounding import downwards, number, upwards
from refdp.auditing.judges.task import Fields, Kind, Record, Task, TaskError
from refdp.auditing.targets import Adapted, Session, TargetError
from refdp.auditing.targets.outcomes import RAISED
from refdp.laws import REAL, Law
from refdp.verdicts import NOT_REFUTED, REFUTED, UNKNOWN

CHUNK = 16
"""Outputs of each input in a chunk."""
MOST = 4096
"""With more k to try, an output is left undecided."""
NOT_TESTED = ("other pairs of inputs", "how the uniform number is drawn", "time, memory and other side channels")


@dataclass(frozen=True, slots=True)
class Pair:
    """Two inputs, the noise that the sampler adds, and the claim; u = k / 2^bits + shift."""

    inputs: tuple[float, float]
    noise: Noise
    shift: Fraction
    claim: Claim
    samples: int
    alpha: Fraction

    def tries(self, chunks: Sequence[Record], side: int | None = None) -> list[Mapping[str, Any]]:
        """What was tried, of one side or of both."""
        sides = (0, 1) if side is None else (side,)
        return [one for chunk in chunks for s in sides if s < len(chunk["found"]) for one in chunk["found"][s]]

    def least(self, chunks: Sequence[Record], side: int) -> Fraction:
        """A lower bound of P[an output that only this input gives]: at error alpha / 2 if all samples were taken."""
        tried = self.tries(chunks, side)
        if len(tried) < self.samples:
            return Fraction(0)
        return at_least(len(tried), sum(map(alone, tried)), self.alpha / 2)

    def uniform(self, k: int) -> float:
        """The uniform number, exactly."""
        return float(Fraction(k, 2**self.noise.bits) + self.shift)


def alone(tried: Mapping[str, Any]) -> bool:
    """Whether the output never comes of the other input."""
    return bool(tried["y"]) and tried["by"] is None and tried["tried"] <= MOST


@dataclass(frozen=True, slots=True)
class Reachable:
    """The judge of one pair of inputs."""

    target: Adapted
    pair: Pair

    def opening(self) -> Record:
        """What the target says of itself."""
        return drawing.told(lambda: Session(self.target))

    def chunk(self, number: int, opening: Record) -> Record:
        """Outputs on each input, and whether the other gives them too."""
        found: dict[str, Any] = {"found": [], "stopped": ""}
        try:
            with Session(self.target) as session:
                for side in (0, 1):
                    found["found"].append([self._tried(session, side) for _ in range(self._size(number))])
        except (Stopped, TargetError) as error:
            found["stopped"] = str(error)
        return found

    def is_over(self, opening: Record, chunks: Sequence[Record]) -> bool:
        """Whether it was stopped, the claim of delta = 0 is refuted, or all outputs were looked at."""
        if opening["stopped"] or chunks and chunks[-1]["stopped"]:
            return True
        if self.pair.claim.delta == 0 and any(map(alone, self.pair.tries(chunks))):
            return True
        return len(chunks) * CHUNK >= self.pair.samples

    def result(self, opening: Record, chunks: Sequence[Record]) -> Result:
        """The verdict; what was recorded is tested against the noise again."""
        return concluded(self.pair, opening, chunks)

    def _size(self, number: int) -> int:
        return max(0, min(CHUNK, self.pair.samples - CHUNK * (number - 1)))

    def _tried(self, session: Session, side: int) -> dict[str, Any]:
        """One output on the input `side`, and which k gives it on the other, if one does."""
        x, other = self.pair.inputs[side], self.pair.inputs[1 - side]
        k = randbelow(2**self.pair.noise.bits)
        (y,) = self._outputs(session, x, range(k, k + 1))
        if y is None:  # an exception is an output too, of which nothing is said
            return {"k": str(k), "y": "", "tried": 0, "by": None, "beside": []}
        near = self.pair.noise.near(Fraction(other), Fraction(y))
        given = self._outputs(session, other, near) if len(near) <= MOST else []
        if self._outputs(session, x, range(k, k + 1)) != [y]:
            raise Stopped(f"the sampler must be a function of its input and of u, it gave {y!r} and then another")
        by = next((str(j) for j, found in zip(near, given, strict=False) if found is not None and same(found, y)), None)
        below, above = [v for v in given if v is not None and v < y], [v for v in given if v is not None and v > y]
        beside = [max(below).hex() if below else "", min(above).hex() if above else ""]
        return {"k": str(k), "y": y.hex(), "tried": len(near), "by": by, "beside": beside}

    def _outputs(self, session: Session, x: float, ks: range) -> list[float | None]:
        """The outputs of these k, None where one is an exception; Stopped where the code is not what it should be."""
        found: list[float | None] = []
        for k, outcome in zip(ks, session.each("call", [[x, self.pair.uniform(k)] for k in ks]), strict=True):
            if outcome.kind == RAISED and outcome.tells:
                found.append(None)
                continue
            y = outcome.value
            if not outcome.tells or not isinstance(y, float) or y - y != 0:
                raise Stopped(f"the sampler must give finite floats, got {outcome} for u = {self.pair.uniform(k)!r}")
            if not self.pair.noise.accurate(Fraction(x), k, Fraction(y)):
                raise Stopped(f"the sampler must follow its noise within the error, got {y!r} for k = {k}")
            found.append(y)
        return found


def concluded(pair: Pair, opening: Record, chunks: Sequence[Record]) -> Result:
    """The verdict, from the record alone."""
    stopped = drawing.stopped(opening, chunks) or unfit(pair, chunks)
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
    tried, lone = pair.tries(chunks), sum(len(lonely(pair, chunks, side)) for side in (0, 1))
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


def same(a: float, b: float) -> bool:
    """Whether two floats are the same, bit by bit."""
    return a.hex() == b.hex()


def reachable(task: Task, alpha: Fraction) -> Reachable:
    """The judge of the fields `pairs`, `noise`, `claim` and `samples`."""
    if task.target is None:
        raise TaskError("function must be given: the sampler as a function of its uniform number")
    f = Fields(task.fields)
    noise, shift = _noise(f.table("noise"))
    inner = f.table("claim", None)
    claim = Claim(inner.number("epsilon", Fraction(1)), inner.number("delta", Fraction(0)))
    inner.done()
    found = Reachable(task.target, Pair(_inputs(f), noise, shift, claim, f.whole("samples", 512), alpha))
    f.done()
    return found


def _inputs(f: Fields) -> tuple[float, float]:
    """The two inputs."""
    given = f.of("pairs", list, "a list with one pair of numbers")
    if len(given) != 1 or not isinstance(given[0], list) or len(given[0]) != 2:
        raise TaskError(f"pairs must be a list with one pair of numbers, got {given}")
    if not all(isinstance(x, (int, float)) and not isinstance(x, bool) and x - x == 0 for x in given[0]):
        raise TaskError(f"pairs must be finite numbers, got {given[0]}")
    return float(given[0][0]), float(given[0][1])


def _noise(f: Fields) -> tuple[Noise, Fraction]:
    """The noise and the shift of its uniform number."""
    law = f.one_of("law", tuple(REAL))
    spread = f.number(REAL[law])
    bits, shift = f.whole("bits", 53), f.number("shift", Fraction(0))
    falling = f.of("falling", bool, "true or false", False)
    found = Noise(
        Law(law, spread), bits, falling, f.number("error", Fraction(1, 2**48)), f.number("absolute", Fraction(0))
    )
    f.done()
    if any(Fraction(float(u)) != u for u in (Fraction(k, 2**bits) + shift for k in (1, 2**bits - 1))):
        raise TaskError(f"noise.bits and noise.shift must make uniform numbers that are floats, got {bits} and {shift}")
    return found, shift


KIND = Kind(reachable, statistical=True)
