"""A release: noisy answers to queries about a table, under one theorem, charged before they are drawn.

Releases on one budget, each made in view of the answers before, have a theorem together: that of `filtered`.

What can fail beforehand, the proof and its replay in a fresh process included, happens before the charge.  The answers
are drawn after it, from the operating system's entropy, when the budget's lock is free again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from refdp.derivations import sampler_theorems, theorem
from refdp.kernel import rules
from refdp.kernel.judgements import Law, Private, require
from refdp.kernel.theorem import Theorem
from refdp.numerics.exact import decide
from refdp.numerics.masses import accuracy
from refdp.pipeline import Measurement
from refdp.releases.account import Account, read_account
from refdp.releases.accounted import accounted, accounted_totals
from refdp.releases.budget import Budget, content_of, open_budget
from refdp.releases.errors import InputError
from refdp.releases.queries import Declarations, Prove, Query, grid, measurement
from refdp.releases.records import Limits
from refdp.releases.spending import Spending, terms_of
from refdp.releases.tables import Missing, Table, read_table
from refdp.sampling.coins import Coins
from refdp.sampling.schemes import draw
from refdp.spec.samplers import SCHEMES
from refdp.terms.term import Term, apply, number, subterms

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
    labels: tuple[tuple[str, ...], ...]
    """Of each query: what the coordinates of its answer are called, or the candidates."""
    privacy: Theorem
    samplers: Mapping[str, Theorem]
    spending: Spending
    accuracies: tuple[Fraction | None, ...]
    """Of each query: what its noise stays within with the probability CONFIDENCE; None where a candidate is chosen."""

    @property
    def claim(self) -> Private:
        """The privacy claim of all the answers together."""
        if not isinstance(self.privacy.claim, Private):
            raise TypeError("a release is about a private claim")
        return self.privacy.claim


def plan(
    queries: Sequence[Query], said: Declarations, rows: int, spending: Spending, prove: Prove | None = None
) -> Plan:
    """The measurements, each with an equal part of what is spent, and the theorem of all of them together.

    Raises InputError where a query does not fit its declarations, KernelError where a proof fails.
    """
    made, together = _proved(queries, said, rows, spending, None if prove is None else _once(prove))
    measurements = tuple(m for m, _ in made)
    samplers = {stem: t for m in measurements for stem, t in sampler_theorems(m.subject).items()}
    # Worked out before anything is charged: whatever stops it costs nothing.
    within = [
        None if q.is_selection else accuracy(noise_of(m), CONFIDENCE)
        for q, m in zip(queries, measurements, strict=True)
    ]
    labels = tuple(labels for _, labels in made)
    found = Plan(tuple(queries), measurements, labels, together, samplers, spending, tuple(within))
    require_about(found)
    return found


Made = list[tuple[Measurement, tuple[str, ...]]]
"""Of each query: its measurement, and what the coordinates of its answer are called."""


def _proved(
    queries: Sequence[Query], said: Declarations, rows: int, spending: Spending, prove: Prove | None
) -> tuple[Made, Theorem]:
    """The measurements with their theorem together: under epsilon and delta by an account, where that needs less noise.

    All parameters are fixed here, before the first draw: an account is right for no others.
    """
    for whole in accounted_totals(spending):
        made = _made(queries, said, rows, spending, whole / len(queries), prove)
        together = accounted([m for m, _ in made], spending)
        if together is not None:
            return made, together
    made = _made(queries, said, rows, spending, spending.divided / len(queries), prove)
    theorems = [theorem(m, 1) if spending.measure == "pure" else _in_rho(theorem(m, 1)) for m, _ in made]
    return made, _converted(rules.compose(*theorems) if len(theorems) > 1 else theorems[0], spending)


def _made(
    queries: Sequence[Query], said: Declarations, rows: int, spending: Spending, part: Fraction, prove: Prove | None
) -> Made:
    """The queries with noise, each for that part of what is shared out; InputError where they read different tables."""
    made = [measurement(q, said, rows, spending.measure, part, prove) for q in queries]
    domains = {str(m.input_domain) for m, _ in made}
    if len(domains) > 1:
        raise InputError(f"queries must read the same tables, got {' and '.join(sorted(domains))}; release them apart")
    return made


def _once(prove: Prove) -> Prove:
    """The same, which asks about each function once."""
    return cache(prove)


def _in_rho(found: Theorem) -> Theorem:
    """The theorem under zCDP: that of a selection is under pure DP."""
    claim = found.claim
    return rules.pure_to_concentrated(found) if isinstance(claim, Private) and claim.measure == "pure" else found


def _converted(found: Theorem, spending: Spending) -> Theorem:
    """The theorem under the measure that is charged."""
    match spending.measure:
        case "approximate":
            numbers = [str(spending.amount), str(spending.delta)]
            return rules.concentrated_to_approximate(found, delta=str(spending.delta), d_out=numbers)
        case "renyi":
            return rules.concentrated_to_renyi(found, order=str(spending.order))
    return found


def require_about(found: Plan) -> None:
    """The theorems are about what will be drawn and charged; KernelError otherwise."""
    claim, subjects = found.claim, [m.subject for m in found.measurements]
    drawn = apply("compose", *subjects) if len(subjects) > 1 else subjects[0]
    first = found.measurements[0]
    about = (claim.subject, claim.domain, claim.metric) == (drawn, first.input_domain, first.input_metric)
    require(about and claim.d_in == number(1) and not claim.given, f"{claim.term} is not about what is released")
    charged = found.spending.loss
    require(claim.measure == charged.operator, f"{claim.term} is not under the measure that is charged")
    reached = all(decide(lost <= spent) for lost, spent in zip(claim.d_out, charged.arguments, strict=True))
    require(reached, f"{found.spending.text} does not cover d_out")
    require(claim.measure != "renyi" or claim.d_out[0] == charged.arguments[0], "the order is not that of the charge")
    stems = {t.operator for s in subjects for t in subterms(s) if t.operator in SCHEMES}
    for stem in stems:
        law = found.samplers[stem].claim
        sampled = isinstance(law, Law) and law.kind == "sampler_law" and law.subject.operator == stem
        require(sampled, f"{stem} has no theorem about its sampler")


def table_of(path: str, queries: Sequence[Query], said: Declarations, markers: Sequence[str], limits: Limits) -> Table:
    """The columns that the queries read, missing cells as None where a policy is declared, or None is wanted."""
    labels, decimals, optional, complete = set[str](), set[str](), set[str](), set[str]()
    for q in queries:
        for column in said.read_by(q):
            is_label = said.holds_labels(column) if q.target else q.reads_labels
            (labels if is_label else decimals).add(column)
            (optional if q.target and said.is_optional(column) else complete).add(column)
    if both := sorted(labels & decimals):
        raise InputError(f"column {both[0]} must hold labels or numbers in every query, got both")
    if both := sorted(optional & complete if said.missing is None else set()):
        raise InputError(
            f"missing must be declared, since column {both[0]} is read with missing cells and without them"
        )
    policy = Missing(frozenset(markers), "drop" if said.missing else None)
    return read_table(
        path, decimals=sorted(decimals), labels=sorted(labels), missing=policy, optional=optional, limits=limits
    )


def records(table: Table) -> tuple[Mapping[str, Any], ...]:
    """The rows as mappings from column to exact number, text or None."""
    columns: dict[str, tuple[Any, ...]] = {**table.decimal_columns, **table.label_columns}
    return tuple({c: cells[i] for c, cells in columns.items()} for i in range(table.size))


@dataclass(frozen=True, slots=True)
class Agreed:
    """What is said of a new budget file, or must be true of one that is there."""

    total: Fraction | None = None
    total_delta: Fraction | None = None
    promise: tuple[Fraction, Fraction] | None = None


def kept_account(budget: Path) -> Account | None:
    """What the budget file says; None where there is none."""
    content = content_of(budget)
    if content is None:
        return None
    try:
        return read_account(content)
    except InputError as error:
        raise InputError(f"the budget file {budget} is malformed: {error}") from None


@contextmanager
def budget_of(
    found: Plan, table: Table, said: Declarations, budget: Path | None, agreed: Agreed
) -> Iterator[Budget | None]:
    """The budget, locked, once it covers this release; None where none is kept.  Raises BudgetExceeded."""
    if budget is None:
        yield None
        return
    spent = found.spending
    terms = terms_of(
        spent, said.neighbours, table.digest, agreed.total, agreed.total_delta, agreed.promise, kept_account(budget)
    )
    with open_budget(
        budget, total=terms.total, neighbours=said.neighbours, data=table.digest, measure=terms.measure,
        delta=terms.delta, order=terms.order, promised=terms.promised,
    ) as opened:  # fmt: skip
        opened.after(spent.amount, charge_text(found), spent.delta)
        yield opened


def sequence_theorem(found: Plan, terms: Account) -> Theorem:
    """|- whatever is released within the budget, each time in view of all answers before, costs no more than it.

    A budget in rho, or at an order, that promises an epsilon at a delta is converted once.
    """
    inputs, metric, limit = found.claim.domain, found.claim.metric, total_loss(terms)
    whole = rules.filtered(domain=str(inputs), near=metric, d_in="1", total=str(limit))
    if terms.promised is None:
        return whole
    numbers = [str(terms.promised), str(terms.delta)]
    if terms.measure == "concentrated":
        return rules.concentrated_to_approximate(whole, delta=str(terms.delta), d_out=numbers)
    return rules.renyi_to_approximate(whole, delta=str(terms.delta), d_out=numbers)


def total_loss(terms: Account) -> Term:
    """The total of a budget as an amount of loss."""
    delta = terms.delta if terms.measure == "approximate" else None
    return Spending(terms.measure, terms.total, delta, terms.order).loss


def charge_text(found: Plan) -> str:
    """What a budget file says that a charge is for."""
    return "; ".join(q.text for q in found.queries)


def require_system_entropy() -> None:
    """Nothing but random bits of the operating system may draw a release: better said before the charge than after."""
    if not Coins().from_system:
        raise InputError("a release must draw from the operating system's entropy")


def answers(found: Plan, table: Table) -> list[dict[str, Any]]:
    """One draw for each query, from the operating system's entropy, with the noise that was added.

    Whoever draws has charged.
    """
    require_system_entropy()
    coins, rows = Coins(), records(table)
    return [
        _answer(q, m, draw(m.subject, rows, coins), labels, within)
        for q, m, labels, within in zip(found.queries, found.measurements, found.labels, found.accuracies, strict=True)
    ]


def noise_of(m: Measurement) -> Term:
    """What draws last: the noise of one number or coordinate, or the selection."""
    noise = m.subject.arguments[1]
    return noise.arguments[0] if noise.operator == "coordinatewise" else noise


def _answer(query: Query, m: Measurement, drawn: Any, labels: Sequence[str], within: Fraction | None) -> dict[str, Any]:
    """The noisy answer of one query, numbers as text; of a selection the candidate."""
    noise = noise_of(m)
    spent = {"concentrated": "rho"}.get(m.measure, "epsilon")
    if query.is_selection:
        chosen = labels[int(drawn)] if labels else str(drawn)
        return {"query": query.text, "answer": chosen, spent: str(m.map(1)), "scale": str(noise.arguments[0])}
    values = dict(zip(labels, map(str, drawn), strict=True)) if isinstance(drawn, tuple) else str(drawn)
    return {
        "query": query.text,
        "answer": values,
        spent: str(m.map(1)),
        "scale": str(noise.arguments[0]),
        "granularity": str(noise.arguments[1]),
        "accuracy": str(within),
    }


def name_of(found: Plan) -> str:
    """A file name for the certificate: the same for the same claim."""
    return f"release-{hashlib.sha256(str(found.claim.term).encode()).hexdigest()[:12]}"


__all__ = [
    "ASSUMPTIONS",
    "CONFIDENCE",
    "Agreed",
    "Plan",
    "answers",
    "budget_of",
    "charge_text",
    "grid",
    "name_of",
    "plan",
    "require_system_entropy",
    "sequence_theorem",
    "table_of",
]
