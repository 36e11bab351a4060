"""Mechanisms that can be enumerated: their laws on two inputs are known, and the claim holds or does not.

No statistics: the hockey stick, Renyi moments and the max divergence of the exact laws.  Fields:
    laws = "given"                  or tapes; or tables = { name = { outcome = "1/2", ... }, ... } (see `exact_laws`)
    pairs = [[x, x2], ...]          inputs that are neighbours; names of tables where there are some
    claim = { epsilon = "1", delta = "0" }, or { measure = "renyi", order = 2, epsilon = "1" },
            or { measure = "concentrated", rho = "1/2" }, which is tried at the orders 2 to 64
    depth = 16, flips = "called"    of tapes; or listed
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from refdp.auditing.judges import inputs
from refdp.auditing.judges.exact.claims import Claimed, claim_of
from refdp.auditing.judges.exact.laws import DEEPEST, Law, LawError, asked, law, stated
from refdp.auditing.judges.exact.results import Pair, result
from refdp.auditing.judges.result import Result
from refdp.auditing.judges.single import FAILED, Single, plain, the_target, unknown
from refdp.auditing.judges.task import Fields, Kind, Record, Task, TaskError
from refdp.auditing.targets import Adapted, Session, TargetError
from refdp.auditing.targets import outcomes as kinds

DEPTH = 16
FLIPS = ("called", "listed")


@dataclass(frozen=True, slots=True)
class Exact(Single):
    """The claim of a target whose laws can be enumerated, or of laws in the file."""

    target: Adapted | None
    laws: str
    tables: Mapping[str, Any]
    pairs: tuple[tuple[Any, Any], ...]
    claim: Claimed
    depth: int
    flips: str

    @property
    def inputs(self) -> dict[str, Any]:
        """The inputs by their canonical texts, each once."""
        return {inputs.text(x): x for pair in self.pairs for x in pair}

    def opening(self) -> Record:
        """What the target gave for each input in two fresh processes, asked in opposite orders; nothing for tables."""
        if self.target is None:
            return {"about": {}, "runs": []}
        try:
            runs = []
            for first in (0, 1):
                with Session(self.target) as session:
                    xs = list(self.inputs.values())
                    found = asked(session, self.laws, xs, self.depth, self.flips == "listed", first)
                    runs.append([kinds.as_json(one) for one in found])
                    about = plain(session.about)
        except TargetError as error:
            return {FAILED: str(error)}
        return {"about": about, "runs": runs}

    def result(self, opening: Record, chunks: Sequence[Record]) -> Result:
        """The claim beside the exact laws."""
        pairs = "1 pair" if len(self.pairs) == 1 else f"{len(self.pairs)} pairs"
        sentence = f"{self.claim} for {pairs} of inputs"
        if FAILED in opening:
            return unknown(sentence, opening[FAILED])
        try:
            laws = self._laws(opening["runs"])
            found = [Pair(x, y, laws[inputs.text(x)], laws[inputs.text(y)]) for x, y in self.pairs]
        except LawError as error:
            return unknown(sentence, str(error), about=opening["about"])
        return result(sentence, self.claim, found, opening["about"], self._trusts)

    def _laws(self, runs: Sequence[Any]) -> dict[str, Law]:
        """The law of each input; LawError where there is none, or where two processes gave two."""
        if self.target is None:
            return {text: stated(self.tables[x]) for text, x in self.inputs.items()}
        both = zip(self.inputs, runs[0], strict=True)
        found = {text: law(kinds.from_json(one), self.laws, self.depth) for text, one in both}
        if runs[0] != runs[1]:
            raise LawError(
                "two fresh processes, asked in opposite orders, gave other laws: the target is no function of its "
                "input and its flips"
            )
        return found

    @property
    def _trusts(self) -> list[str]:
        """What is believed."""
        given = "the probabilities that are stated are those of the mechanism"
        return [given if self.laws != "tapes" else "the flips are fair and independent", "the pairs are neighbours"]


def judge(task: Task, alpha: Fraction) -> Exact:
    """The judge of a task; there are no statistics, so nothing of alpha is used."""
    fields = Fields(task.fields, "target.")
    tables = fields.table("tables", {}).given
    laws = "tables" if tables else fields.one_of("laws", ("given", "tapes"))
    pairs = tuple(_pair(pair, tables) for pair in fields.of("pairs", list, "a list of pairs of inputs"))
    if not pairs:
        raise TaskError("target.pairs must list at least one pair of inputs, got none")
    depth = fields.whole("depth", DEPTH)
    if depth > DEEPEST:
        raise TaskError(f"target.depth must be at most {DEEPEST}, got {depth}")
    flips = fields.one_of("flips", FLIPS, "called")
    target = None if tables else the_target(task)
    if target and laws == "tapes" and flips == "called" and target.family != "function":
        raise TaskError('flips must be "listed" for a target that is no function of this kind: f(x, bits)')
    found = Exact(target, laws, tables, pairs, claim_of(fields.table("claim")), depth, flips)
    fields.done()
    for name, table in tables.items():
        _check(name, table)
    return found


def _check(name: str, table: Any) -> None:
    """TaskError unless the table is a law."""
    try:
        stated(table)
    except LawError as error:
        raise TaskError(f"target.tables.{name}: {error}") from None


def _pair(pair: Any, tables: Mapping[str, Any]) -> tuple[Any, Any]:
    """Two inputs, or the names of two tables."""
    if not isinstance(pair, list) or len(pair) != 2:
        raise TaskError(f"target.pairs must list pairs of inputs, got {pair!r}")
    if tables and (missing := [name for name in pair if not isinstance(name, str) or name not in tables]):
        raise TaskError(f"target.pairs must name tables, of which there are {', '.join(tables)}, got {missing[0]!r}")
    return (pair[0], pair[1]) if tables else (inputs.read(pair[0]), inputs.read(pair[1]))


KIND = Kind(judge, statistical=False)
