"""Claims and statements as LaTeX: what a judgement says, in the words and signs of the field."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from refdp.report.latex.lines import broken, listed
from refdp.report.latex.readings import READINGS, other
from refdp.report.latex.terms import RELATIONS, escaped, name_of
from refdp.terms.reading import read
from refdp.terms.term import TermError, equal

CONDITIONS = frozenset({*RELATIONS, "integer", "multiple", "has_length"})
STATEMENT = re.compile(r"(?:for all (?P<names>[^:]*): )?(?:if (?P<given>.*?) then )?(?P<show>.*)", re.DOTALL)


def latex_of(found: Mapping[str, Any]) -> Iterator[str]:
    """The lines of a walk, to be used inside any document with amsmath and amssymb: claim, formulas, obligations."""
    yield f"% {found['claim']}: {found['sentence']}"
    yield "% needs the packages amsmath and amssymb"
    yield from displayed(claim_latex(found["formal"]))
    for f in found["formulas"]:
        yield from ("% " + f["where"], *displayed(formula_latex(f["formula"])))
    for o in found["obligations"]:
        yield from (f"% obligation {o['name']}", *displayed(claim_latex(o["statement"])))


def displayed(body: str) -> tuple[str, str, str]:
    """Mathematics on a line of its own."""
    return r"\[", body, r"\]"


def formula_latex(formula: str) -> str:
    """A formula, `name(parameters) = body`."""
    return aligned(formula_lines(formula))


def formula_lines(formula: str) -> Sequence[str]:
    """A formula in lines that fit."""
    head, _, body = formula.partition(" = ")
    return broken(equal(read(head), read(body)))


def claim_latex(formal: str) -> str:
    """A formal claim, or a statement `for all ...`, as it stands in the ledger."""
    try:
        t = read(formal)
    except TermError:
        return statement_latex(formal)
    if t.operator in CONDITIONS:
        return statement_latex(formal)
    said = READINGS.get(t.operator, other)
    given = tuple(a for a in t.arguments if a.operator in CONDITIONS)
    rest = tuple(a for a in t.arguments if a.operator not in CONDITIONS)
    try:
        lines = list(said(t.operator, *rest))
    except (TypeError, ValueError):  # a claim of another shape than those known here
        lines = list(other(t.operator, *rest))
    return aligned([*lines, *listed(r"\text{for all } ", given)])


def statement_latex(text: str) -> str:
    """A statement: its names and their kinds, what is given, what is to be shown."""
    parts = STATEMENT.fullmatch(text)
    if parts is None:
        raise TermError(f"not a statement: {text[:80]}")
    given, show = (
        list(map(read, (parts[key] or "").split(" and ") if parts[key] else ())) for key in ("given", "show")
    )
    kinds = [_kind(kind) for kind in (parts["names"] or "").split(" and ") if kind]
    head = [r"\text{for all } " + r",\; ".join(kinds)] if kinds else []
    return aligned([*head, *listed(r"\text{if } ", given), *listed(r"\text{then } " if given else "", show)])


def _kind(kind: str) -> str:
    """`real a, b` as a, b in R."""
    word, _, names = kind.partition(" ")
    ring = {"real": r"\mathbb{R}", "integer": r"\mathbb{Z}"}.get(word, rf"\text{{{escaped(word)}}}")
    return rf"{', '.join(name_of(n) for n in names.split(', '))} \in {ring}"


def aligned(lines: Sequence[str]) -> str:
    """Several lines under each other."""
    if len(lines) == 1:
        return lines[0]
    end = r" \\[0.4em]" if any(r"\frac" in line for line in lines) else r" \\"
    return "\n".join((r"\begin{aligned}", f"{end}\n".join(f"& {line}" for line in lines), r"\end{aligned}"))
