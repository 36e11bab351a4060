"""Claims and statements as LaTeX: what a judgement says, in the words and signs of the field."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from refdp.report.latex import RELATIONS, bracketed, escaped, latex, name_of
from refdp.spec.measures import MEASURES
from refdp.spec.terms import Term, TermError, name, read

CONDITIONS = frozenset({*RELATIONS, "integer", "multiple", "has_length"})
LONGEST_LINE = 90
"""Longest line that is printed as one, in characters of its text."""
NORMS = {"absolute": "", "l1": "_{1}", "l2": "_{2}", "linf": r"_{\infty}"}
LAWS = {
    "normalised": r"\text{the masses of } M(x) \text{ sum, or its density integrates, to } 1, \text{ for every } x",
    "sampler_law": r"\text{the sampler of } M \text{ draws from the law of } M",
    "finite_sensitivity": r"\text{one edit of the input moves } M \text{ by at most some finite bound}",
}
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
    head, _, body = formula.partition(" = ")
    return f"{latex(read(head))} = {latex(read(body))}"


def claim_latex(formal: str) -> str:
    """A formal claim, or a statement `for all ...`, as it stands in the ledger."""
    try:
        t = read(formal)
    except TermError:
        return statement_latex(formal)
    if t.operator in CONDITIONS:
        return statement_latex(formal)
    said = READINGS.get(t.operator, _other)
    given = tuple(a for a in t.arguments if a.operator in CONDITIONS)
    rest = tuple(a for a in t.arguments if a.operator not in CONDITIONS)
    try:
        lines = list(said(t.operator, *rest))
    except (TypeError, ValueError):  # a claim of another shape than those known here
        lines = list(_other(t.operator, *rest))
    return aligned([*lines, *_lines(r"\text{for all } ", given)])


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
    return aligned([*head, *_lines(r"\text{if } ", given), *_lines(r"\text{then } " if given else "", show)])


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


def _lines(head: str, terms: Iterable[Term]) -> list[str]:
    """The terms after the head, separated by commas, on as many lines as they need."""
    lines, length = list[list[str]](), LONGEST_LINE
    for t in terms:
        if length + len(str(t)) > LONGEST_LINE:
            lines, length = [*lines, []], 0
        lines[-1].append(latex(t))
        length += len(str(t)) + 2
    last = len(lines) - 1
    return [
        (head if i == 0 else r"\qquad ") + r",\; ".join(line) + ("," if i < last else "")
        for i, line in enumerate(lines)
    ]


def _private(_: str, subject: Term, domain: Term, near: Term, far: Term) -> Iterator[str]:
    """M: inputs within d_in give laws within d_out."""
    yield from _subject("M", subject)
    yield _inputs(domain)
    says = PRIVACY.get(far.operator)
    names = MEASURES[far.operator].parameters if says is not None else ()
    if says is None or len(names) != len(far.arguments):
        yield rf"{_distance(near)} \;\Rightarrow\; \text{{the laws of }} M(x), M(x') \text{{ are within }} {latex(far)}"
        return
    yield rf"{_distance(near)} \;\Rightarrow\; {says}"
    where = [f"{name_of(n)} = {latex(d)}" for n, d in zip(names, far.arguments, strict=True) if d != name(n)]
    if where:
        yield r"\text{where } " + r",\quad ".join(where)


PRIVACY = {
    "pure": r"\Pr\left[M(x) \in S\right] \le e^{\varepsilon} \, \Pr\left[M(x') \in S\right] \text{ for every } S",
    "approximate": r"\Pr\left[M(x) \in S\right] \le e^{\varepsilon} \, \Pr\left[M(x') \in S\right] + \delta "
    r"\text{ for every } S",
    "concentrated": r"\mathrm{D}_{\alpha}\left(M(x) \,\middle\Vert\, M(x')\right) \le \rho \, \alpha "
    r"\text{ for every } \alpha > 1",
    "renyi": r"\mathrm{D}_{\mathrm{order}}\left(M(x) \,\middle\Vert\, M(x')\right) \le \varepsilon",
}
"""Measure -> what it says of M(x) and M(x'), in the names of its numbers; D is the Renyi divergence."""


def _stable(_: str, subject: Term, domain: Term, near: Term, out: Term, far: Term) -> Iterator[str]:
    """T: inputs within d_in give outputs within d_out."""
    yield from _subject("T", subject)
    yield rf"{_inputs(domain)},\quad T(x) \in {latex(out)}"
    yield rf"{_distance(near)} \;\Rightarrow\; " + _distance(far, "T(x)", "T(x')")


def _law(kind: str, subject: Term) -> Iterator[str]:
    """A claim about a mechanism alone."""
    yield from _subject("M", subject)
    yield LAWS[kind]


def _other(operator: str, *arguments: Term) -> Iterator[str]:
    """Any other claim: its name, and what it is about, each on a line."""
    short = ", ".join(map(latex, arguments))
    if sum(len(str(a)) for a in arguments) <= LONGEST_LINE:
        yield rf"\mathrm{{{escaped(operator)}}}{bracketed(short)}"
        return
    yield rf"\mathrm{{{escaped(operator)}}} \text{{ of}}"
    yield from (rf"\qquad {latex(a)}" for a in arguments)


READINGS: Mapping[str, Callable[..., Iterator[str]]] = {
    "private": _private,
    "stable": _stable,
    **dict.fromkeys(LAWS, _law),
}


def _subject(letter: str, subject: Term) -> Iterator[str]:
    """What the claim is about; each part of a long combination on a line of its own."""
    if len(str(subject)) <= LONGEST_LINE or not subject.arguments:
        yield f"{letter} = {latex(subject)}"
        return
    *most, last = map(latex, subject.arguments)
    yield rf"{letter} = \mathrm{{{escaped(subject.operator)}}} \text{{ of}}"
    yield from (rf"\qquad {part}," for part in most)
    yield rf"\qquad {last}"


def _inputs(domain: Term) -> str:
    """Where the two inputs come from."""
    return rf"x, x' \in {latex(domain)}" if "text" not in latex(domain) else rf"x, x' \text{{: }} {latex(domain)}"


def _distance(near: Term, u: str = "x", v: str = "x'") -> str:
    """That two things are within a distance of each other."""
    limit = ", ".join(map(latex, near.arguments))
    if near.operator in NORMS:
        sign = "|" if near.operator == "absolute" else r"\|"
        return rf"\left{sign}{u} - {v}\right{sign}{NORMS[near.operator]} \le {limit}"
    return rf"\mathrm{{d}}_{{\mathrm{{{escaped(near.operator)}}}}}\left({u}, {v}\right) \le {limit}"
