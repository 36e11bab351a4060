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

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from secrets import randbelow
from typing import Any

from refdp.auditing.evidence.pairs import Claim
from refdp.auditing.evidence.reachability import Noise
from refdp.auditing.evidence.real_laws import TAILS, Continuous
from refdp.auditing.judges import drawing
from refdp.auditing.judges.drawing import Stopped
from refdp.auditing.judges.reachable import report
from refdp.auditing.judges.reachable.pair import MOST, Pair, alone
from refdp.auditing.judges.result import Result
from refdp.auditing.judges.task import Fields, Kind, Record, Task, TaskError
from refdp.auditing.targets import Adapted, Session, TargetError
from refdp.auditing.targets.outcomes import RAISED

CHUNK = 16
"""Outputs of each input in a chunk."""


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
        return report.result(self.pair, opening, chunks)

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
    law = f.one_of("law", tuple(TAILS))
    spread = f.number("scale" if law == "laplace" else "sigma")
    bits, shift = f.whole("bits", 53), f.number("shift", Fraction(0))
    falling = f.of("falling", bool, "true or false", False)
    found = Noise(
        Continuous(law, spread), bits, falling, f.number("error", Fraction(1, 2**48)), f.number("absolute", Fraction(0))
    )
    f.done()
    if any(Fraction(float(u)) != u for u in (Fraction(k, 2**bits) + shift for k in (1, 2**bits - 1))):
        raise TaskError(f"noise.bits and noise.shift must make uniform numbers that are floats, got {bits} and {shift}")
    return found, shift


KIND = Kind(reachable, statistical=True)
