"""Where noise comes from: whether it repeats with a planted seed, in every process, or after a fork.

With m rounds of n draws each: two fresh processes plant the same m seeds (Python's `random`, and numpy's and torch's
where the target has loaded them), two others plant none, and one more is forked twice in each round.

    seed      all m seeded pairs repeat, and all m pairs without a seed differ
    process   all m pairs without a seed repeat, and the m outputs of a process differ from one another
    fork      all m pairs of forked children repeat, and all m pairs without a seed differ

If noise is drawn independently, pairs of outputs repeat with one probability p: `seed` and `fork` come with at most
(p (1 - p))^m <= 4^-m.  `process` comes with at most m^-m <= 4^-m: for distinct values that have probabilities q, the
product of q^2 is at most m^-m times the product of q, and those sum to at most 1.  A function without noise is
never accused, unless it keeps a state from call to call, such as their number, which `process` takes for noise.
Fields: input, draws (n), ways.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from refdp.auditing.judges import inputs
from refdp.auditing.judges.result import Counterexample, Evidence, Result, Row
from refdp.auditing.judges.single import FAILED, Single, plain, shortened, the_target, unknown, who
from refdp.auditing.judges.task import Fields, Kind, Record, Task, TaskError
from refdp.auditing.targets import Adapted, Outcome, Session, TargetError, function
from refdp.auditing.targets import outcomes as kinds
from refdp.auditing.targets.target import WORKERS
from refdp.verdicts import NOT_REFUTED, REFUTED, UNKNOWN

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
WHEN = {"seed": "seed 1 planted", "process": "fresh processes", "fork": "forked processes"}
LEAST_ROUNDS = 8
PLANTED = {"seed": ("from_seed", "from_numpy"), "process": ("from_program",), "fork": ("from_state",)}
"""For each way in which noise may repeat, what is planted that does."""
DRAWS = 4
"""Draws in a round, unless said otherwise."""


@dataclass(frozen=True, slots=True)
class Found:
    """The outcomes, and what they come to."""

    said: Mapping[str, Outcome]
    rounds: int
    ways: tuple[str, ...]

    def pairs(self, way: str) -> list[tuple[str, str]]:
        """What the two processes of each round gave, as canonical texts."""
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


@dataclass(frozen=True, slots=True)
class Entropy(Single):
    """Whether the noise of a target repeats."""

    target: Adapted
    x: Any
    draws: int
    ways: tuple[str, ...]
    rounds: int

    def opening(self) -> Record:
        """What two seeded processes, two processes without seeds, and forked processes gave, and what planted ones."""
        found, about = self._found(self.target)
        if isinstance(found, str):
            return {FAILED: found}
        return {"about": about, "rounds": self.rounds, "outcomes": found, "planted": self._planted()}

    def _planted(self) -> dict[str, Any]:
        """What noise gave that repeats in each of the ways, on the target's interpreter; why there is none, as text."""
        names = [name for way in self.ways for name in PLANTED[way]]
        return {name: self._found(planted(name, self.target.python))[0] for name in names}

    def _found(self, target: Adapted) -> tuple[dict[str, Any] | str, dict[str, str]]:
        """The outcomes of a target and what it says of itself; a text where it was stopped."""
        seeds: list[int | None] = [*range(1, self.rounds + 1)]
        asked: dict[str, tuple[str, Any]] = {
            name: ("seeded", (self.x, self.draws, given))
            for name, given in (("seed 1", seeds), ("seed 2", seeds), ("plain 1", [None] * self.rounds))
        }
        asked["plain 2"] = asked["plain 1"]
        if "fork" in self.ways:
            asked["fork"] = ("forked", (self.x, self.draws, self.rounds))
        found, about = dict[str, Any](), dict[str, str]()
        try:
            for name, (operation, value) in asked.items():
                with Session(target) as session:  # a fresh process each time
                    # Each round forks anew, and may load anew what a draw loads: it has the time of a call.
                    seconds = target.limits.call * (self.rounds if operation == "forked" else 1)
                    found[name] = kinds.as_json(session.ask(operation, value, seconds))
                    about = plain(session.about)
        except TargetError as error:
            return str(error), about
        return found, about

    def result(self, opening: Record, chunks: Sequence[Record]) -> Result:
        """REFUTED where the noise repeats in any way; UNKNOWN where that cannot be told; else NOT_REFUTED.

        Nothing is said of noise that was not seen to repeat where planted noise that repeats was not seen to, either.
        """
        claim = "noise does not repeat: not with the same global seed, not in a new process, not after a fork"
        if FAILED in opening:
            return unknown(claim, opening[FAILED])
        about = opening["about"]
        claim = f"{who(about)}: {claim}"
        said = {name: kinds.from_json(one) for name, one in opening["outcomes"].items()}
        if failed := [f"{name}: {one}" for name, one in said.items() if one.kind != kinds.VALUE]:
            return unknown(claim, failed[0], about=about)
        found = Found(said, opening["rounds"], self.ways)
        rows, verdicts = tuple(map(found.row, self.ways)), {way: found.verdict(way) for way in self.ways}
        drawn = f"{self.draws} draws at {inputs.shown(self.x)}"
        common: dict[str, Any] = {
            "about": about, "samples": 5 * found.rounds * self.draws,
            "scope": [f"{found.rounds} rounds of {drawn}: {', '.join(self.ways)}"],
            "not_tested": ["other inputs, other generators, how unpredictable the noise is"],
            "trusts": ["what differs from call to call is noise, and no count of the calls"],
        }  # fmt: skip
        if way := next((way for way in self.ways if verdicts[way] == REFUTED), ""):
            return self._refuted(found, way, claim, rows, common)
        common["evidence"] = Evidence(rows=rows)
        if way := next((way for way in self.ways if verdicts[way] == UNKNOWN), ""):
            return unknown(claim, found.reason(way), **common)
        if missed := unseen(opening, self.ways):
            return unknown(claim, f"no repetition would have been seen: {missed} was planted, and was not", **common)
        sentence = f"not refuted: in {found.rounds} rounds outputs differed; a repetition would have been seen"
        power = (
            f"{' or '.join(POWER[way] for way in self.ways)}; such noise was planted on the same interpreter, and seen"
        )
        return Result(NOT_REFUTED, claim, sentence, power=power, **common)

    def _refuted(self, found: Found, way: str, claim: str, rows: tuple[Row, ...], common: Mapping[str, Any]) -> Result:
        """The noise repeats, with the outputs of the first round."""
        first, second = map(shown, found.pairs(way)[0])
        both = (f"{inputs.shown(self.x)}, {WHEN[way]}",) * 2
        example = Counterexample(both, (first, second), "independent noise", SAYS[way])
        sentence = f"REFUTED: {SAYS[way]}, in {found.rounds} of {found.rounds} rounds"
        witness = shortened(f"twice the same with {WHEN[way]}: {first}")
        error, evidence = len(WAYS) * Fraction(1, 4**found.rounds), Evidence(example, rows=rows)
        return Result(REFUTED, claim, sentence, witness, error=error, evidence=evidence, **common)


def shown(found: str) -> str:
    """A value for a reader."""
    return str(inputs.of_text(found))[:60]


def unseen(opening: Record, ways: Sequence[str]) -> str:
    """The first planted noise whose repetition was not seen, judged as the target's is; empty where all was."""
    for way in ways:
        for name in PLANTED[way]:
            given = opening.get("planted", {}).get(name)
            if not isinstance(given, dict):
                return f"{name} ({given or 'it was not planted'})"
            said = {key: kinds.from_json(one) for key, one in given.items()}
            if any(one.kind != kinds.VALUE for one in said.values()):
                return name
            if Found(said, opening["rounds"], (way,)).verdict(way) != REFUTED:
                return name
    return ""


def planted(name: str, python: str) -> Adapted:
    """Noise of `refdp.auditing.targets.workers.planted`, drawn as a target's is."""
    return function(f"planted:{name}", python, search=(str(WORKERS),))


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
    x, draws, ways = inputs.read(fields.any("input", 0)), fields.whole("draws", DRAWS), fields.words("ways", WAYS)
    found = Entropy(target, x, draws, ways, rounds_for(alpha))
    fields.done()
    return found


KIND = Kind(judge, statistical=True)
