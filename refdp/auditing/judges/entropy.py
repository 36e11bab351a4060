"""Where noise comes from: whether it repeats with a planted seed, in every process, or after a fork.

With m rounds of n draws each: two fresh processes plant the same m seeds (Python's `random`, and numpy's and torch's
where the target has loaded them), two others plant none, and one more is forked twice in each round.

    seed      all m seeded pairs repeat, and all m pairs without a seed differ
    process   all m pairs without a seed repeat, and the m outputs of a process differ from one another
    fork      all m pairs of forked children repeat, and all m pairs without a seed differ

If noise is drawn independently, pairs of outputs repeat with one probability p: `seed` and `fork` come with at most
(p (1 - p))^m <= 4^-m.  `process` comes with at most m^-m <= 4^-m: for distinct values that have probabilities q, the
product of q^2 is at most m^-m times the product of q, and those sum to at most 1.  A function without noise is
never accused.  Fields: input, draws (n), ways.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from refdp.auditing.judges.result import NOT_REFUTED, REFUTED, UNKNOWN, Counterexample, Evidence, Result, Row
from refdp.auditing.judges.single import FAILED, Single, plain, the_target, unknown
from refdp.auditing.judges.task import Fields, Kind, Record, Task, TaskError
from refdp.auditing.targets import Adapted, Outcome, Session, TargetError
from refdp.auditing.targets import outcomes as kinds
from refdp.auditing.targets.workers import wire

WAYS = ("seed", "process", "fork")
LEAST_ROUNDS = 8
DRAWS = 4
"""Draws in a round, unless said otherwise."""
SAYS = {
    "seed": "the noise is a function of the global seed",
    "process": "the noise is the same in every fresh process",
    "fork": "forked processes repeat each other's noise",
}
"""What is found, in words."""
Pairs = Sequence[tuple[str, str]]
"""For each round, what the two processes gave, as canonical texts."""


@dataclass(frozen=True, slots=True)
class Entropy(Single):
    """Whether the noise of a target repeats."""

    target: Adapted
    x: Any
    draws: int
    ways: tuple[str, ...]
    rounds: int

    def opening(self) -> Record:
        """What two seeded processes, two processes without seeds, and forked processes gave."""
        seeds: list[int | None] = [*range(1, self.rounds + 1)]
        asked: dict[str, tuple[str, Any]] = {
            name: ("seeded", (self.x, self.draws, given))
            for name, given in (("seed 1", seeds), ("seed 2", seeds), ("plain 1", [None] * self.rounds))
        }
        asked["plain 2"] = asked["plain 1"]
        if "fork" in self.ways:
            asked["fork"] = ("forked", (self.x, self.draws, self.rounds))
        found: dict[str, Any] = {}
        try:
            for name, (operation, value) in asked.items():
                with Session(self.target) as session:  # a fresh process each time
                    found[name] = kinds.as_json(session.ask(operation, value))
                    about = plain(session.about)
        except TargetError as error:
            return {FAILED: str(error)}
        return {"about": about, "rounds": self.rounds, "outcomes": found}

    def result(self, opening: Record, chunks: Sequence[Record]) -> Result:
        """The worst of what was found."""
        claim = "noise does not repeat: not with the same global seed, not in a new process, not after a fork"
        if FAILED in opening:
            return unknown(claim, opening[FAILED])
        said = {name: kinds.from_json(one) for name, one in opening["outcomes"].items()}
        claim = f"{' '.join(filter(None, (opening['about'].get(k) for k in ('library', 'version'))))}: {claim}"
        if failed := [f"{name}: {one}" for name, one in said.items() if one.kind != kinds.VALUE]:
            return unknown(claim, failed[0], about=opening["about"])
        found = Found(said, opening["rounds"], self.ways)
        rows = tuple(found.row(way) for way in self.ways)
        common: dict[str, Any] = {
            "about": opening["about"], "samples": 5 * opening["rounds"] * self.draws,
            "scope": [f"{opening['rounds']} rounds of {self.draws} draws at {self.x!r}: {', '.join(self.ways)}"],
            "not_tested": ["other inputs, other generators, how unpredictable the noise is"],
        }  # fmt: skip
        for way in self.ways:
            if found.verdict(way) == REFUTED:
                first, second = found.pairs(way)[0]
                example = Counterexample(
                    (f"{self.x!r}, {WHEN[way]}",) * 2, (shown(first), shown(second)), "independent noise", SAYS[way]
                )
                sentence = f"REFUTED: {SAYS[way]}, in {opening['rounds']} of {opening['rounds']} rounds"
                witness = f"{WHEN[way]}: {shown(first)} twice"[:80]
                evidence = Evidence(example, rows=rows)
                error = len(WAYS) * Fraction(1, 4 ** opening["rounds"])
                return Result(REFUTED, claim, sentence, witness, error=error, evidence=evidence, **common)
        for way in self.ways:
            if found.verdict(way) == UNKNOWN:
                return unknown(claim, found.reason(way), evidence=Evidence(rows=rows), **common)
        sentence = f"not refuted: in {opening['rounds']} rounds outputs differed; a repetition would have been seen"
        power = "noise that is a function of the seed, of the program alone, or of what a fork copies, with certainty"
        return Result(NOT_REFUTED, claim, sentence, power=power, evidence=Evidence(rows=rows), **common)


WHEN = {"seed": "seed 1 planted", "process": "a fresh process", "fork": "a forked process"}


@dataclass(frozen=True, slots=True)
class Found:
    """The outcomes, and what they come to."""

    said: Mapping[str, Outcome]
    rounds: int
    ways: tuple[str, ...]

    def pairs(self, way: str) -> Pairs:
        """What the two processes of each round gave."""
        if way == "fork":
            return [(text(a), text(b)) for a, b in self.said["fork"].value]
        name = "seed" if way == "seed" else "plain"
        both = [[text(one) for one in self.said[f"{name} {i}"].value] for i in (1, 2)]
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


def text(value: Any) -> str:
    """A value as canonical text."""
    return json.dumps(wire.encoded(value))


def shown(found: str) -> str:
    """A value for a reader."""
    return str(wire.decoded(json.loads(found)))[:60]


def rounds_for(alpha: Fraction) -> int:
    """Rounds after which all ways together accuse independent noise with probability at most alpha."""
    rounds = LEAST_ROUNDS
    while len(WAYS) * Fraction(1, 4**rounds) > alpha:
        rounds += 1
    return rounds


def judge(task: Task, alpha: Fraction) -> Entropy:
    """The judge of a task."""
    fields, target = Fields(task.fields, "target."), the_target(task)
    if target.family == "command":
        raise TaskError("entropy is asked of functions and recipes: no seed reaches the process of a command")
    ways = fields.of("ways", list, f"a list of {', '.join(WAYS)}", list(WAYS))
    if not ways or not set(ways) <= set(WAYS):
        raise TaskError(f"target.ways must be a list of {', '.join(WAYS)}, got {ways}")
    found = Entropy(target, fields.any("input"), fields.whole("draws", DRAWS), tuple(ways), rounds_for(alpha))
    fields.done()
    return found


KIND = Kind(judge, statistical=True)
