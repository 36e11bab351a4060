"""A release: noisy answers to queries about a table, under one theorem, charged before they are drawn.

What can fail beforehand, the proof and its replay in a fresh process included, happens before the charge.  The answers
are drawn after it, from the operating system's entropy, when the budget's lock is free again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from refdp.derivations import sampler_theorems, theorem
from refdp.kernel import rules
from refdp.kernel.judgements import Law, Private, require
from refdp.kernel.theorem import Theorem
from refdp.numerics.exact import decide
from refdp.numerics.masses import accuracy
from refdp.pipeline import Measurement
from refdp.releases.account import read_account
from refdp.releases.budget import Budget, content_of, open_budget
from refdp.releases.errors import InputError
from refdp.releases.queries import Declarations, Query, grid, measurement
from refdp.releases.records import Limits
from refdp.releases.tables import Missing, Table, read_table
from refdp.sampling.coins import Coins
from refdp.sampling.schemes import draw
from refdp.spec.samplers import SCHEMES
from refdp.spec.terms import apply, number, subterms

CONFIDENCE = Fraction(19, 20)
"""With this probability a noisy number is within its stated accuracy."""
ASSUMPTIONS = (
    "the operating system's random bits are fair and independent",
    "one individual contributes at most one row (d_in = 1)",
    "the time and the errors of a release are not shown to others",
)


@dataclass(frozen=True, slots=True)
class Plan:
    """What will be released, and the theorems that it satisfies: nothing is drawn yet."""

    queries: tuple[Query, ...]
    measurements: tuple[Measurement, ...]
    privacy: Theorem
    samplers: Mapping[str, Theorem]
    epsilon: Fraction

    @property
    def claim(self) -> Private:
        """The privacy claim of all the answers together."""
        if not isinstance(self.privacy.claim, Private):
            raise TypeError("a release is about a private claim")
        return self.privacy.claim


def plan(queries: Sequence[Query], said: Declarations, rows: int, epsilon: Fraction) -> Plan:
    """The measurements, each with an equal part of epsilon, and the theorem of all of them by sequential composition.

    Raises InputError where a query does not fit its declarations, KernelError where a proof fails.
    """
    part = epsilon / len(queries)
    measurements = tuple(measurement(q, said, rows, part) for q in queries)
    domains = {str(m.input_domain) for m in measurements}
    if len(domains) > 1:
        raise InputError(f"queries must read the same tables, got {' and '.join(sorted(domains))}; release them apart")
    theorems = [theorem(m, 1) for m in measurements]
    together = rules.compose(*theorems) if len(theorems) > 1 else theorems[0]
    samplers = {stem: t for m in measurements for stem, t in sampler_theorems(m.subject).items()}
    found = Plan(tuple(queries), measurements, together, samplers, epsilon)
    require_about(found)
    return found


def require_about(found: Plan) -> None:
    """The theorems are about what will be drawn and charged; KernelError otherwise."""
    claim, subjects = found.claim, [m.subject for m in found.measurements]
    drawn = apply("compose", *subjects) if len(subjects) > 1 else subjects[0]
    first = found.measurements[0]
    about = (claim.subject, claim.domain, claim.metric) == (drawn, first.input_domain, first.input_metric)
    require(about and claim.d_in == number(1) and not claim.given, f"{claim.term} is not about what is released")
    require(claim.measure == "pure" and decide(claim.d_out[0] <= number(found.epsilon)), "epsilon does not cover d_out")
    stems = {t.operator for s in subjects for t in subterms(s) if t.operator in SCHEMES}
    for stem in stems:
        law = found.samplers[stem].claim
        sampled = isinstance(law, Law) and law.kind == "sampler_law" and law.subject.operator == stem
        require(sampled, f"{stem} has no theorem about its sampler")


def table_of(path: str, queries: Sequence[Query], said: Declarations, markers: Sequence[str], limits: Limits) -> Table:
    """The columns that the queries read, missing cells as None where a policy is declared."""
    labels = {c for q in queries for c in q.columns if q.reads_labels}
    decimals = {c for q in queries for c in q.columns if not q.reads_labels}
    policy = Missing(frozenset(markers), "drop" if said.missing else None)
    return read_table(path, decimals=sorted(decimals), labels=sorted(labels), missing=policy, limits=limits)


def records(table: Table) -> tuple[Mapping[str, Any], ...]:
    """The rows as mappings from column to exact number, text or None."""
    columns: dict[str, tuple[Any, ...]] = {**table.decimal_columns, **table.label_columns}
    return tuple({c: cells[i] for c, cells in columns.items()} for i in range(table.size))


def total_of(budget: Path, total: Fraction | None, epsilon: Fraction) -> Fraction:
    """The total that a budget file must say: the given one, else what the file says, else this release's epsilon."""
    if total is not None:
        return total
    content = content_of(budget)
    if content is None:
        return epsilon
    try:
        return read_account(content).total
    except InputError as error:
        raise InputError(f"the budget file {budget} is malformed: {error}") from None


@contextmanager
def budget_of(
    found: Plan, table: Table, said: Declarations, budget: Path | None, total: Fraction | None
) -> Iterator[Budget | None]:
    """The budget, locked, once it covers this release; None where none is kept.  Raises BudgetExceeded."""
    if budget is None:
        yield None
        return
    agreed = total_of(budget, total, found.epsilon)
    with open_budget(budget, total=agreed, neighbours=said.neighbours, data=table.digest) as opened:
        opened.after(found.epsilon, charge_text(found))
        yield opened


def charge_text(found: Plan) -> str:
    """What a budget file says that a charge is for."""
    return "; ".join(q.text for q in found.queries)


def require_system_entropy() -> None:
    """Nothing but random bits of the operating system may draw a release: better said before the charge than after."""
    if not Coins().from_system:
        raise InputError("a release must draw from the operating system's entropy")


def answers(found: Plan, table: Table, said: Declarations) -> list[dict[str, Any]]:
    """One draw for each query, from the operating system's entropy, with the noise that was added.

    Whoever draws has charged.
    """
    require_system_entropy()
    coins, rows = Coins(), records(table)
    return [
        _answer(q, m, draw(m.subject, rows, coins), said)
        for q, m in zip(found.queries, found.measurements, strict=True)
    ]


def _answer(query: Query, m: Measurement, drawn: Any, said: Declarations) -> dict[str, Any]:
    """The noisy answer of one query, numbers as text."""
    noise = m.subject.arguments[1]
    noise = noise.arguments[0] if noise.operator == "coordinatewise" else noise
    labels = said.categories.get(query.column, ())
    values = dict(zip(labels, map(str, drawn), strict=True)) if isinstance(drawn, tuple) else str(drawn)
    return {
        "query": query.text,
        "answer": values,
        "epsilon": str(m.map(1)),
        "scale": str(noise.arguments[0]),
        "granularity": str(noise.arguments[1]),
        "accuracy": str(accuracy(noise, CONFIDENCE)),
    }


def name_of(found: Plan) -> str:
    """A file name for the certificate: the same for the same claim."""
    return f"release-{hashlib.sha256(str(found.claim.term).encode()).hexdigest()[:12]}"


__all__ = [
    "ASSUMPTIONS",
    "CONFIDENCE",
    "Plan",
    "answers",
    "budget_of",
    "charge_text",
    "grid",
    "name_of",
    "plan",
    "require_system_entropy",
    "table_of",
]
