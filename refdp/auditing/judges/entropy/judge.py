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

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from refdp.auditing.judges import inputs
from refdp.auditing.judges.entropy.results import WAYS, Found, result
from refdp.auditing.judges.result import REFUTED, Result
from refdp.auditing.judges.single import FAILED, Single, plain, the_target, unknown
from refdp.auditing.judges.task import Fields, Kind, Record, Task, TaskError
from refdp.auditing.targets import Adapted, Session, TargetError, function
from refdp.auditing.targets import outcomes as kinds
from refdp.auditing.targets.target import WORKERS

LEAST_ROUNDS = 8
PLANTED = {"seed": ("from_seed", "from_numpy"), "process": ("from_program",), "fork": ("from_state",)}
"""For each way in which noise may repeat, what is planted that does."""
DRAWS = 4
"""Draws in a round, unless said otherwise."""


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
        """The worst of what was found, worked out from the outcomes."""
        claim = "noise does not repeat: not with the same global seed, not in a new process, not after a fork"
        if FAILED in opening:
            return unknown(claim, opening[FAILED])
        about = opening["about"]
        claim = f"{' '.join(filter(None, (about.get(k) for k in ('library', 'version'))))}: {claim}"
        said = {name: kinds.from_json(one) for name, one in opening["outcomes"].items()}
        if failed := [f"{name}: {one}" for name, one in said.items() if one.kind != kinds.VALUE]:
            return unknown(claim, failed[0], about=about)
        known = Found(said, opening["rounds"], self.ways, self.x, self.draws)
        return result(known, claim, about, unseen(opening, self.ways))


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
    ways = fields.of("ways", list, f"a list of {', '.join(WAYS)}", list(WAYS))
    if not ways or not set(ways) <= set(WAYS):
        raise TaskError(f"target.ways must be a list of {', '.join(WAYS)}, got {ways}")
    found = Entropy(
        target, inputs.read(fields.any("input", 0)), fields.whole("draws", DRAWS), tuple(ways), rounds_for(alpha)
    )
    fields.done()
    return found


KIND = Kind(judge, statistical=True)
