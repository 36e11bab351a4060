"""The alignment of a proof about a program, line by line: what the second run adds to which noise, at what cost."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from textwrap import dedent
from typing import Any

from refdp.programs.adjacency import Edit
from refdp.programs.certificates.content import content_of, kind_of
from refdp.programs.question import claim_text
from refdp.programs.steps import inside
from refdp.programs.syntax import Emit, Loop, Program, Statement
from refdp.programs.textbook import alignment_data
from refdp.report.pictures.alignment_costs import cost, totals
from refdp.terms.term import Term

MOST_HOLDS, LONGEST_HOLD = 2, 44
"""How many statements of an invariant are drawn, and how long they may be."""


@dataclass(frozen=True, slots=True)
class Added:
    """What the second run adds to a noise, in which case (empty: always), and what that costs."""

    when: str
    shift: str
    cost: str


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the program, with what happens there in both runs."""

    number: int
    text: str
    adds: tuple[Added, ...] = ()
    reads: tuple[str, str] | None = None
    """The element of the data that each run reads there."""
    released: str = ""
    """What is released there."""
    holds: tuple[str, ...] = ()
    """What holds of both runs whenever it is reached."""


@dataclass(frozen=True, slots=True)
class Part:
    """The alignment for one part of the adjacency."""

    lines: tuple[Line, ...]
    costs: tuple[str, ...]
    """What each group of noises costs at most."""


@dataclass(frozen=True, slots=True)
class AlignmentPicture:
    """What is drawn of a proof by alignments."""

    title: str
    caption: str
    parts: tuple[Part, ...]
    claimed: str
    legend: str


def is_alignment(certificate: str) -> bool:
    """Whether a certificate brings an alignment.  ValueError where it is no certificate."""
    return kind_of(certificate) == "alignments" and bool(content_of(certificate).evidence["alignments"])


def picture_of(certificate: str) -> AlignmentPicture:
    """The picture of a proof by alignments; what the certificate says, which only `refdp check` asks solvers about."""
    found = content_of(certificate)
    program, claim = found.program, found.claim
    parts = tuple(
        part_of(program, alignment_data(program, claim, one), relation.edit)
        for relation, one in zip(claim.adjacency.parts, found.alignments(), strict=False)
    )
    title = f"{program.name}: {claim_text(claim)}, adjacency {claim.adjacency.name}"
    caption = (
        f"Two runs of {program.name} on neighbouring data that release the same, time downward: to each noise of the "
        "first run the second adds what stands on the arrow, at the cost beside it. It is what the certificate says; "
        "refdp check asks the solvers whether it is so."
    )
    elements_are = "one run may lack an element" if claim.adjacency.edits else "x' is the neighbour's x, d = x' - x"
    legend = f"{elements_are}; a dash marks the variables of the second run"
    return AlignmentPicture(title, caption, parts, claim_text(claim), legend)


def part_of(program: Program, told: Mapping[str, Any], edit: Edit | None = None) -> Part:
    """The lines of the program, with what the alignment says of them."""
    statements = [s for top in program.body for s in (top, *inside(top))]
    lines = tuple(line_of(number, text, statements, told, edit) for number, text in source_lines(program))
    return Part(lines, tuple(totals(told["charges"])))


def elements(name: str, edit: Edit | None) -> tuple[str, str] | None:
    """The element that each run reads: related ones, or one that a run may lack."""
    if not name:
        return None
    may_lack = f"{name} or none"
    return {
        None: (name, f"{name}' = {name} + d"), "added": (may_lack, name), "removed": (name, may_lack),
        "either": (may_lack, may_lack),
    }[edit]  # fmt: skip


def line_of(
    number: int, text: str, statements: Sequence[Statement], told: Mapping[str, Any], edit: Edit | None = None
) -> Line:
    """One line with what happens there."""
    here = [s for s in statements if getattr(s, "line", None) == number]
    adds = tuple(one for row in told["shifts"] if row["line"] == number for one in added(row, told["charges"]))
    reads = next((s.element for s in here if isinstance(s, Loop) and s.element), "")
    holds = tuple(kept(one["statements"] for one in told["invariants"] if one["line"] == number))
    return Line(number, text, adds, elements(reads, edit), released([s for s in here if isinstance(s, Emit)]), holds)


def released(emissions: Sequence[Emit]) -> str:
    """What is released at a line: a constant as it is, anything else as `out`; empty where nothing is."""
    if len(emissions) == 1 and len(emissions[0].items) == 1:
        (item,) = emissions[0].items
        if not isinstance(item, Term):
            return str(item)
        if isinstance(item.value, bool):
            return str(item.value)
    return "out" if emissions else ""


def source_lines(program: Program) -> Iterator[tuple[int, str]]:
    """Number and text of each line of the function, without decorators, docstring, comments and empty lines."""
    tree = next(n for n in ast.walk(ast.parse(program.source))
                if isinstance(n, ast.FunctionDef) and n.name == program.name)  # fmt: skip
    first = tree.body[1] if ast.get_docstring(tree) and len(tree.body) > 1 else tree.body[0]
    lines = program.source.splitlines()
    last = tree.end_lineno or tree.lineno
    shown = [n for n in range(first.lineno, last + 1) if lines[n - 1].strip() and lines[n - 1].strip()[0] != "#"]
    texts = dedent("\n".join(lines[n - 1] for n in shown)).splitlines()
    yield from zip(shown, texts, strict=True)


def added(row: Mapping[str, Any], charges: Sequence[Mapping[str, Any]]) -> Iterator[Added]:
    """A row of the alignment table: what is added in which case, with its cost."""
    when = "" if row["when"] == "always" else f"where {row['when']}"
    if "chosen" in row:
        yield Added("in the round that is released", row["chosen"], cost(row["line"], row["chosen"], charges))
        when = "in other rounds"
    yield Added(when, row["shift"], cost(row["line"], row["shift"], charges))


def kept(invariants: Iterator[Sequence[str]]) -> Iterator[str]:
    """The equations between both runs that are short and say more than that a variable is the same."""
    found = [
        one for statements in invariants for one in statements if "==" in one and "'" in one and " then " not in one
    ]
    told = [one.replace("==", "=") for one in found if len(one) <= LONGEST_HOLD]
    differ = [one for one in told if one.replace("'", "").split(" = ")[0] != one.replace("'", "").split(" = ")[-1]]
    yield from differ[:MOST_HOLDS]
