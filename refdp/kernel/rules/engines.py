"""Rules about texts: an engine of this package reads the text, and says what must be proved of it.

An engine is loaded when the first of its rules is used, so that a replay loads no more than its steps name.  It brings
obligations, never a claim: subject, domain, metrics and distances are written here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from importlib import import_module
from typing import Any

from refdp.kernel.judgements import Refuted, Stable, require
from refdp.kernel.sources import source_of
from refdp.kernel.theorem import Assuming, rule
from refdp.numerics.exact import exact
from refdp.spec.distances import TABLES
from refdp.spec.domains import domain, has_neighbours
from refdp.spec.queries import Plain, arguments_of, query_subject
from refdp.spec.well_formed import require_domain
from refdp.terms.reading import read
from refdp.terms.term import Term, name, number

ENGINES: Mapping[str, str] = dict.fromkeys(("runs_stay_related", "query_moves_too_far"), "refdp.sensitivities.theorems")
"""Rule -> the module of the engine that reads its texts, which has `coordinates`, `asked` and `moved`."""
METRICS: Mapping[str, str] = {"L1": "l1", "L2": "l2", "Linf": "linf"}
"""The norm of a difference of vectors -> its name among the metrics."""
READING = "refdp's reading of Python"
"""Who is trusted for what a text means."""


@dataclass(frozen=True, slots=True)
class Query:
    """A claim about a function of tables, and what is brought to prove it."""

    text: str
    function: str
    rows: Term
    arguments: Mapping[str, Plain]
    neighbours: str
    tables: str
    """Lists, or multisets: whether rows may stand in another order."""
    edits: int
    """How far apart two tables are that refute it; a proof is about every distance."""
    size: int | None
    """The public number of rows."""
    norm: str
    bound: Term
    """A rational >= 0 or, in L2, the square root of one: of one edit where it is proved, of all where it is refuted."""
    step: Fraction | None
    """The answers are whole multiples of it; None: any numbers."""
    evidence: str

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Query:
        """What the data of a step write down; KernelError where it is no such claim."""
        require(data["tables"] in TABLES, f"tables must be {' or '.join(TABLES)}")
        relations = TABLES[data["tables"]]
        require(data["neighbours"] in relations, f"neighbours must be {' or '.join(relations)}")
        require(data["norm"] in METRICS, f"norm must be one of {', '.join(METRICS)}")
        edits = whole(data.get("edits", "1"), "edits")
        size = whole(data["size"], "size") if data["size"] else None
        step = exact(data["step"], "step") if data.get("step") else None
        require(step is None or step > 0, f"step must be > 0, got {step}")
        found = cls(
            source_of(data["source"]), data["function"], read(data["rows"]), arguments_of(read(data["arguments"])),
            data["neighbours"], data["tables"], edits, size, data["norm"], limit(data["bound"], data["norm"]), step,
            data["evidence"],
        )  # fmt: skip
        near = found.near
        require_domain(found.inputs)
        require(has_neighbours(found.inputs, near), f"no two members of {found.inputs} are neighbours under {near}")
        return found

    @property
    def near(self) -> str:
        """The metric of the tables."""
        return TABLES[self.tables][self.neighbours]

    @property
    def inputs(self) -> Term:
        """The domain of the tables."""
        sized = () if self.size is None else (number(self.size),)
        return domain("sized_table" if sized else "table", self.rows, *sized)

    def stable(self, source: str, coordinates: int | None) -> Stable:
        """What it says for d_in edits, of answers of so many coordinates, or of one number."""
        outputs = domain("reals") if self.step is None else domain("grid", number(self.step))
        far = "absolute"
        if coordinates is not None:
            far, outputs = METRICS[self.norm], domain("vector", outputs, number(coordinates))
        subject, d_in = query_subject(self.function, source, self.rows, self.arguments), name("d_in")
        return Stable(subject, self.inputs, self.near, d_in, outputs, far, (d_in * self.bound,), (0 <= d_in,))


def whole(written: str, what: str) -> int:
    """The whole number >= 1 that is written; KernelError where none is."""
    found = exact(written, what)
    require(found.denominator == 1 and found >= 1, f"{what} must be a whole number >= 1, got {found}")
    return int(found)


def limit(bound: str, norm: str) -> Term:
    """The bound as a term; KernelError unless it is a rational >= 0 or, in L2, the square root of one."""
    found = read(bound)
    inner = found.arguments[0] if norm == "L2" and found.operator == "sqrt" else found
    require(inner.operator == "number" and inner.rational >= 0, f"the bound must be a number >= 0, got {bound}")
    return found


def require_named(by: list[str]) -> None:
    """KernelError unless who reads the text, and somebody who decided what must be proved, are named in order."""
    require(READING in by and len(by) > 1 and by == sorted(set(by)), "the reading and a solver must be named, in order")


def engine(rule_name: str) -> Any:
    """The engine behind a rule."""
    return import_module(ENGINES[rule_name])


@rule
def runs_stay_related(
    *,
    source: str,
    function: str,
    rows: str,
    arguments: str,
    neighbours: str,
    tables: str,
    size: str,
    norm: str,
    bound: str,
    step: str,
    evidence: str,
    by: list[str],
) -> Assuming:
    """
      two runs on neighbouring tables stay in the relation that `evidence` brings; then answers are `bound` apart at
      most; no run raises; every answer is a whole multiple of `step`
    ----------------------------------------------------------------------------------------------------------  [by]
      |- query(function, source, rows, arguments) on table(rows) : symmetric(d_in) |-> absolute(d_in bound)

    change_one and, with a `size`, sized_table(rows, size) likewise; insert_delete and hamming where `tables` are lists,
    elsewhere the order of rows plays no part; vectors in l1, l2 or linf.  Without a step answers are reals().  Replay
    reads the text again and asks the solvers again.
    """
    claim = Query.of({key: value for key, value in locals().items() if key != "by"})
    require_named(by)
    coordinates = engine("runs_stay_related").coordinates(claim)
    return Assuming(claim.stable(source, coordinates), frozenset(by))


@rule
def query_moves_too_far(
    *,
    source: str,
    function: str,
    rows: str,
    arguments: str,
    neighbours: str,
    tables: str,
    edits: str,
    size: str,
    norm: str,
    bound: str,
    evidence: str,
) -> Assuming:
    """
      two tables `edits` edits apart, on which the function answers more than `bound` apart, or it raises on one
    ------------------------------------------------------------------------------------------------  [interpreter]
      |- query(function, source, rows, arguments) on table(rows) : symmetric(edits) |-> absolute(bound) is false

    change_one likewise; insert_delete and hamming where `tables` are lists.
    """
    claim = Query.of(locals())
    coordinates, trusts = engine("query_moves_too_far").moved(claim)
    require(len(trusts) > 0, "who runs the function must be named")
    found = claim.stable(source, coordinates)
    moved = replace(found, d_in=number(claim.edits), d_out=(claim.bound,), given=())
    return Assuming(Refuted(moved), frozenset(trusts))
