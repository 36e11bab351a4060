"""Rules about functions of tables that a machine runs: in its numbers, with its sum, on tables of so many rows.

An engine reads the text and works the bound out again, or runs the function on two tables.  Subject, domain, metrics
and distances are written here, and what they say can be chained with nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from typing import Any

from refdp.kernel.judgements import Refuted, Stable, require
from refdp.kernel.rules.engines import READING
from refdp.kernel.sources import source_of
from refdp.kernel.theorem import Assuming, rule
from refdp.numerics.exact import exact
from refdp.spec.distances import TABLES
from refdp.spec.domains import FINITE, SPECIAL, domain
from refdp.spec.machine_numbers import FLOATS
from refdp.spec.queries import Plain, arguments_of, machine_subject
from refdp.terms.reading import read
from refdp.terms.term import Term, number, text

ENGINE = "refdp.sensitivities.machine.theorems"
"""The module of the engine, which has `needs_solver`, `asked` and `moved`."""
ROUNDING = "IEEE 754: each operation rounded to nearest, ties to even (docs/machine_arithmetic.md)"
"""What is taken for granted of a machine that computes in floats."""


@dataclass(frozen=True, slots=True)
class MachineClaim:
    """A claim about a function as a machine runs it, and what is brought to prove it."""

    text: str
    function: str
    rows: Term
    arguments: Mapping[str, Plain]
    neighbours: str
    tables: str
    """Lists, or multisets: whether rows may stand in another order."""
    edits: int
    arithmetic: str
    total: str
    """What the builtin `sum` computes."""
    least: int
    """Fewest rows of a table."""
    most: int
    numbers: str
    """Whether floats among the rows are finite, or may be special."""
    bound: Fraction
    """Of so many edits."""
    evidence: str

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> MachineClaim:
        """What the data of a step write down; KernelError where it is no such claim."""
        neighbours, tables = data["neighbours"], data["tables"]
        require(tables in TABLES, f"tables must be {' or '.join(TABLES)}")
        require(neighbours in TABLES[tables], f"neighbours must be {' or '.join(TABLES[tables])}")
        counts = {key: exact(data[key], key) for key in ("edits", "least", "most")}
        for key, count in counts.items():
            require(count.denominator == 1, f"{key} must be a whole number, got {count}")
        edits, least, most = (int(count) for count in counts.values())
        require(edits >= 1, f"edits must be >= 1, got {edits}")
        require(0 <= least <= most, f"tables must have 0 <= least <= most rows, got {least} and {most}")
        alone = neighbours == "add_remove" and least == most and edits == 1
        require(most >= 1 and not alone, f"no two tables of {least} to {most} rows are neighbours under {neighbours}")
        require(data["numbers"] in (FINITE, SPECIAL), f"numbers must be {FINITE} or {SPECIAL}")
        bound = exact(data["bound"], "bound")
        require(bound >= 0, f"the bound must be >= 0, got {bound}")
        return cls(
            source_of(data["source"]), data["function"], read(data["rows"]), arguments_of(read(data["arguments"])),
            neighbours, tables, edits, data["arithmetic"], data["sum"], least, most, data["numbers"], bound,
            data["evidence"],
        )  # fmt: skip

    @property
    def is_float(self) -> bool:
        """Whether the machine computes in floats."""
        return self.arithmetic in FLOATS

    def stable(self, source: str, coordinates: int | None) -> Stable:
        """What it says, of answers of so many coordinates, or of one number."""
        subject = machine_subject(self.function, source, self.rows, self.arguments, self.arithmetic, self.total)
        limits = (number(self.least), number(self.most), text(self.numbers))
        inputs = domain("machine_table", self.rows, text(self.arithmetic), *limits)
        outputs, far = domain("machine", text(self.arithmetic)), "absolute"
        if coordinates is not None:
            outputs, far = domain("vector", outputs, number(coordinates)), "l1"
        near = TABLES[self.tables][self.neighbours]
        return Stable(subject, inputs, near, number(self.edits), outputs, far, (number(self.bound),))


def engine() -> Any:
    """The engine that knows machines."""
    return import_module(ENGINE)


def require_named(by: list[str], is_float: bool, needs_solver: bool) -> None:
    """KernelError unless all that are believed are named, in order: the reading, IEEE 754 of floats, a solver if one.

    Who is named beside them has been asked about the lemmas; where there are none, nobody has been.
    """
    taken = {READING, *((ROUNDING,) if is_float else ())}
    others = set(by) - taken
    require(taken <= set(by) and by == sorted(set(by)), f"{' and '.join(sorted(taken))} must be named, in order")
    require(ROUNDING in taken or ROUNDING not in by, "no float is rounded in a format of integers")
    require(bool(others) == needs_solver, "a solver must be named where lemmas are asked, and nobody where none is")


@rule
def machine_stays_near(
    *,
    source: str,
    function: str,
    rows: str,
    arguments: str,
    neighbours: str,
    tables: str,
    edits: str,
    arithmetic: str,
    sum: str,  # noqa: A002  (what it is called on the command line)
    least: str,
    most: str,
    bound: str,
    evidence: str,
    by: list[str],
) -> Assuming:
    """
      the text is one sum over the rows, or such a mean; the exact one moves by D at `edits` edits, and no table of
      `least` to `most` rows puts the machine further than E from it; D + 2 E <= bound; the lemmas behind E hold
    -----------------------------------------------------------------------------------------------------------  [by]
      |- machine_query(function, source, rows, arguments, arithmetic, sum) on
           machine_table(rows, arithmetic, least, most, 'finite') : symmetric(edits) |-> absolute(bound)
         in machine(arithmetic)

    change_one for rows that are replaced; insert_delete and hamming where lists keep their order.  `evidence` is what
    the engine works out, and is compared with that.
    """
    claim = MachineClaim.of({**{key: one for key, one in locals().items() if key != "by"}, "numbers": FINITE})
    require_named(by, claim.is_float, engine().needs_solver(claim))
    return Assuming(claim.stable(source, None), frozenset(by))


@rule
def machine_moves_too_far(
    *,
    source: str,
    function: str,
    rows: str,
    arguments: str,
    neighbours: str,
    tables: str,
    edits: str,
    arithmetic: str,
    sum: str,  # noqa: A002  (what it is called on the command line)
    least: str,
    most: str,
    numbers: str,
    bound: str,
    evidence: str,
) -> Assuming:
    """
      two tables `edits` edits apart, on which what the machine answers is more than `bound` apart, or no number, or
      only once an answer
    -----------------------------------------------------------------------------------------------  [interpreter]
      |- machine_query(function, source, rows, arguments, arithmetic, sum) on
           machine_table(rows, arithmetic, least, most, numbers) : symmetric(edits) |-> absolute(bound) is false
    """
    claim = MachineClaim.of(locals())
    coordinates, trusts = engine().moved(claim)
    require(len(trusts) > 0, "who runs the function must be named")
    return Assuming(Refuted(claim.stable(source, coordinates)), frozenset(trusts))
