"""What outcomes of seeded, fresh and forked processes come to: whether the noise repeats, and how that is told."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from refdp.auditing.judges import inputs
from refdp.auditing.judges.result import NOT_REFUTED, REFUTED, UNKNOWN, Counterexample, Evidence, Result, Row
from refdp.auditing.judges.single import unknown
from refdp.auditing.targets import Outcome

WAYS = ("seed", "process", "fork")
"""How noise may repeat: with one planted seed, in every process, in children of one process."""
SAYS = {
    "seed": "the noise is a function of the global seed",
    "process": "the noise is the same in every fresh process",
    "fork": "forked processes repeat each other's noise",
}
"""What is found, in words."""
POWER = {
    "seed": "noise that is a function of a global seed of Python, numpy or torch",
    "process": "noise of the program alone",
    "fork": "noise of what a fork copies",
}
"""What would have been seen."""
LONGEST = 80
"""Most characters of a witness in a table."""
WHEN = {"seed": "seed 1 planted", "process": "fresh processes", "fork": "forked processes"}
Pairs = Sequence[tuple[str, str]]
"""For each round, what the two processes gave, as canonical texts."""


@dataclass(frozen=True, slots=True)
class Found:
    """The outcomes, and what they come to."""

    said: Mapping[str, Outcome]
    rounds: int
    ways: tuple[str, ...]
    x: Any = None
    draws: int = 1

    def pairs(self, way: str) -> Pairs:
        """What the two processes of each round gave."""
        if way == "fork":
            return [(inputs.text(a), inputs.text(b)) for a, b in self.said["fork"].value]
        name = "seed" if way == "seed" else "plain"
        both = [[inputs.text(one) for one in self.said[f"{name} {i}"].value] for i in (1, 2)]
        return list(zip(*both, strict=True))

    def verdict(self, way: str) -> str:
        """Whether the noise repeats in this way; UNKNOWN where it does not vary enough to tell."""
        repeated = self.all(way, lambda a, b: a == b)
        if not repeated:
            return NOT_REFUTED
        if way == "process":
            varied = len({a for a, _ in self.pairs(way)}) == self.rounds
        else:
            varied = self.all("process", lambda a, b: a != b)
        return REFUTED if varied else UNKNOWN

    def all(self, way: str, holds: Callable[[str, str], bool]) -> bool:
        """Whether it holds of each pair, and there are as many as there should be."""
        pairs = self.pairs(way)
        return len(pairs) == self.rounds and all(holds(a, b) for a, b in pairs)

    def reason(self, way: str) -> str:
        """Why nothing is said."""
        outputs = {a for pair in self.pairs("process") for a in pair}
        if len(outputs) == 1:
            return f"the output never varied, so that there is no noise to judge: {shown(outputs.pop())}"
        return f"outputs repeat without that, too: more draws in a round would tell ({WHEN[way]})"

    def row(self, way: str) -> Row:
        """How many pairs repeated."""
        repeated = sum(a == b for a, b in self.pairs(way))
        return Row(f"repeats: {WHEN[way]}", f"{repeated} of {self.rounds}", "", "", self.verdict(way))


def shown(found: str) -> str:
    """A value for a reader."""
    return str(inputs.of_text(found))[:60]


PLANTED = "; such noise was planted on the same interpreter, and seen"


def result(found: Found, claim: str, about: Mapping[str, str], unseen: str = "") -> Result:
    """REFUTED where the noise repeats in any way; UNKNOWN where that cannot be told; else NOT_REFUTED.

    `unseen`: planted noise that repeats and was not seen to; then nothing is said of noise that was not seen to.
    """
    common: dict[str, Any] = {
        "about": about, "samples": 5 * found.rounds * found.draws,
        "scope": [f"{found.rounds} rounds of {found.draws} draws at {inputs.shown(found.x)}: {', '.join(found.ways)}"],
        "not_tested": ["other inputs, other generators, how unpredictable the noise is"],
        "trusts": ["what differs from call to call is noise, and no count of the calls"],
    }  # fmt: skip
    rows = tuple(map(found.row, found.ways))
    for way in found.ways:
        if found.verdict(way) == REFUTED:
            return refuted(found, way, claim, rows, common)
    for way in found.ways:
        if found.verdict(way) == UNKNOWN:
            return unknown(claim, found.reason(way), evidence=Evidence(rows=rows), **common)
    sentence = f"not refuted: in {found.rounds} rounds outputs differed; a repetition would have been seen"
    if unseen:
        reason = f"no repetition would have been seen: {unseen} was planted, and was not"
        return unknown(claim, reason, evidence=Evidence(rows=rows), **common)
    power = f"{' or '.join(POWER[way] for way in found.ways)}{PLANTED}"
    return Result(NOT_REFUTED, claim, sentence, power=power, evidence=Evidence(rows=rows), **common)


def refuted(found: Found, way: str, claim: str, rows: tuple[Row, ...], common: Mapping[str, Any]) -> Result:
    """The noise repeats, with the outputs of the first round."""
    first, second = map(shown, found.pairs(way)[0])
    both = (f"{inputs.shown(found.x)}, {WHEN[way]}",) * 2
    example = Counterexample(both, (first, second), "independent noise", SAYS[way])
    sentence = f"REFUTED: {SAYS[way]}, in {found.rounds} of {found.rounds} rounds"
    error = len(WAYS) * Fraction(1, 4**found.rounds)
    witness = f"twice the same with {WHEN[way]}: {first}"
    return Result(
        REFUTED, claim, sentence, witness if len(witness) <= LONGEST else f"{witness[: LONGEST - 3]}...", error=error,
        evidence=Evidence(example, rows=rows), **common,
    )  # fmt: skip
