"""The witness of a refutation, worked out by hand: inputs, event, both values, and the inequality that fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from typing import Any

from refdp.commands.witness import plain, steps
from refdp.kernel.judgements import Holds, Private, Refuted, Stable
from refdp.kernel.reading import relation
from refdp.kernel.rules.logic import obligation
from refdp.kernel.rules.settle import holds
from refdp.kernel.theorem import Theorem
from refdp.numerics.intervals import Interval, Intervals
from refdp.numerics.masses import mass, masses
from refdp.report.decimals import BITS, shown
from refdp.spec import metrics, registry
from refdp.spec.evaluation import evaluate
from refdp.spec.rows import RowSum
from refdp.spec.semantics import data, has_loss, loss, value, written
from refdp.spec.terms import Term, TermError, exp, number, read, substitute

DASH = "\N{EM DASH}"
Row = tuple[str, Interval | Fraction | Term]
"""A line of a table: what it is, and its value."""


def worked(theorem: Theorem) -> Iterator[str]:
    """The lines of Markdown that show why the claim is false; none for a proof."""
    found = list(steps(theorem))
    values = next((s.data["values"] for s in found if s.rule == "false_instance"), None)
    if values:
        yield f"Take {', '.join(f'`{key} = {v}`' for key, v in values.items())}."
        yield ""
    if isinstance(theorem.claim, Refuted):
        for step in found:
            if not step.premises or step.rule in WORKINGS:
                yield from WORKINGS.get(step.rule, _other)(step)


def _unlikely(step: Theorem) -> Iterator[str]:
    """Two inputs and an event whose probabilities are too far apart."""
    claim, x, y, event = _private(step)
    yield from _neighbours(step, claim.metric, claim.d_in)
    outcomes = ", ".join(map(plain, read(step.data["event"]).arguments))
    yield f"- the event `E = {{{outcomes}}}`"
    yield ""
    if has_loss(claim.subject):
        yield from _by_loss(claim, x, y, event[0])
    else:
        yield from _by_probability(claim, x, y, event)


def _private(step: Theorem) -> tuple[Private, Any, Any, tuple[Any, ...]]:
    """The closed claim that the step refutes, both inputs and the event."""
    claim = relation(read(step.data["claim"]))
    if not isinstance(claim, Private):
        raise ValueError(f"claim must be about privacy, got {claim.term}")
    return claim, data(read(step.data["a"])), data(read(step.data["b"])), data(read(step.data["event"]))


def _by_probability(claim: Private, x: Any, y: Any, event: tuple[Any, ...]) -> Iterator[str]:
    """The probability of the event under both inputs, and what the claim allows."""
    p, q = (probability(claim.subject, z, event) for z in (x, y))
    epsilon, delta = claim.d_out[0], (*claim.d_out, number(0))[1]
    allowed = _allowed(epsilon, delta, q)
    beyond = " + delta" if len(claim.d_out) > 1 else ""
    more = [("`delta`", delta)] if beyond else []
    limit = f"`e^epsilon P[M(x') in E]{beyond}`"
    rows: list[Row] = [("`P[M(x) in E]`", p), ("`P[M(x') in E]`", q), ("`epsilon`", epsilon), *more, (limit, allowed)]
    yield from table(rows)
    yield from ("", f"The claim says that the first is at most the last; it is more: {_than(p, allowed)}.", "")


def _than(p: Interval | Fraction, q: Interval | Fraction | Term) -> str:
    """The inequality that shows the claim to be false, in numbers."""
    return " > ".join(f"`{exact or decimal}`" for exact, decimal in (shown(p), shown(q)))


def probability(subject: Term, x: Any, event: tuple[Any, ...]) -> Interval:
    """P[M(x) in event] for a mechanism with finitely many outcomes."""
    found = masses(subject, x, BITS)
    zero = Interval(Fraction(0), Fraction(0))
    return sum((found.get(y, zero) for y in event), zero)


def _allowed(epsilon: Term, delta: Term, q: Interval) -> Interval | Term:
    """e^epsilon q + delta, as a term where q is exact."""
    if q.lower == q.upper:
        return exp(epsilon) * number(q.lower) + delta
    arithmetic = Intervals(BITS)
    factor: Interval = arithmetic.function("exp", evaluate(epsilon, {}, arithmetic))
    more: Interval = evaluate(delta, {}, arithmetic)
    return factor * q + more


def _by_loss(claim: Private, x: Any, y: Any, output: Any) -> Iterator[str]:
    """The loss of one output of additive noise, exactly; its probabilities where they can be enclosed."""
    rows: list[Row] = []
    with suppress(TermError):
        rows = [(f"`P[M({z}) in E]`", mass(claim.subject, output, v, BITS)) for z, v in (("x", x), ("x'", y))]
    lost = loss(claim.subject, output, x, y)
    rows += [("`ln(P[M(x) in E] / P[M(x') in E])`", lost), ("`epsilon`", claim.d_out[0])]
    yield from table(rows)
    yield from ("", f"The claim says that the logarithm is at most epsilon; it is more: {_than(lost, claim.d_out[0])}.")
    yield from ("", "(The normaliser is the same under both inputs, so the logarithm is exact.)", "")


def _unstable(step: Theorem) -> Iterator[str]:
    """Two inputs whose images are too far apart."""
    claim = relation(read(step.data["claim"]))
    if not isinstance(claim, Stable):
        raise ValueError(f"claim must be about stability, got {claim.term}")
    yield from _neighbours(step, claim.metric, claim.d_in)
    u, v = images = [value(claim.subject, data(read(step.data[key]))) for key in ("a", "b")]
    yield from (f"- `T({z}) = {plain(written(w))}`" for z, w in zip(("x", "x'"), images, strict=True))
    yield ""
    apart, limit = DISTANCES.get(claim.output_metric), claim.d_out[0]
    if apart is not None:
        far = apart(u, v)
        yield from table([(f"distance of `T(x)` and `T(x')` ({claim.output_metric})", far), ("claimed bound", limit)])
        yield from ("", f"The claim says that the first is at most the second; it is more: {_than(far, limit)}.", "")
    else:
        yield from (f"They are more than `{limit}` apart under {claim.output_metric}.", "")


DISTANCES: Mapping[str, Callable[[Any, Any], Any]] = {
    "absolute": lambda u, v: abs(Fraction(u) - v),
    "l1": metrics.l1_distance,
    "linf": metrics.linf_distance,
    "symmetric": metrics.symmetric_distance,
}
"""Metric -> the exact distance, where it is a rational."""


def _neighbours(step: Theorem, metric: str, d_in: Term) -> Iterator[str]:
    """The two inputs."""
    x, y = (plain(read(step.data[key])) for key in ("a", "b"))
    yield f"- inputs `x = {x}` and `x' = {y}`, within `{metric}({d_in})`"


def _false(step: Theorem) -> Iterator[str]:
    """Values at which what is given holds and what is to be shown does not."""
    name, values = step.data["obligation"], {key: read(v) for key, v in step.data["values"].items()}
    statement = obligation(name)
    yield from (f"Take {', '.join(f'`{key} = {v}`' for key, v in values.items())}.", "")
    conclusion = statement.conclusion
    parts = conclusion.arguments if conclusion.operator == "all_of" else (conclusion,)
    for word, conditions in (("given", statement.given), ("to be shown", parts)):
        for c in conditions:
            closed = substitute(c, values)
            yield f"- {word}: `{c}`, {'which holds' if holds(closed) else '**which fails**'}: {_compared(closed)}"
    yield ""


def _compared(c: Term) -> str:
    """A closed comparison with both sides in decimals."""
    if len(c.arguments) != 2:
        return f"`{c}`"
    sides = [(str(a), shown(a)[1]) for a in c.arguments]
    left, right = (decimal or f"`{text}`" for text, decimal in sides)
    return f"the left side is {left}, the right side is {right}"


def _unbounded(step: Theorem) -> Iterator[str]:
    """A row beyond any bound, for some bounds."""
    kind = registry.lookup(step.data["stem"], RowSum)
    row = kind.unbounded_row
    if row is None:
        raise ValueError(f"{kind.stem} must have a row beyond every bound, got none")
    yield f"Whatever bound anyone claims, adding the one row `{row.term}` moves the sum by more."
    yield from ("", "| bound | row that is added | moves the sum by |", "|---|---|---|")
    for bound in (0, 1, 1000, 10**6):
        at = {key: evaluate(v, {}) for key, v in kind.example.items()} | {"bound": Fraction(bound)}
        r = Fraction(evaluate(row.term, at))
        yield f"| {bound} | {r} | {abs(Fraction(evaluate(kind.contribution.term, at | {'row': r})))} |"
    yield from ("", f"(with {', '.join(f'{key} = {v}' for key, v in kind.example.items())})", "")


def _other(step: Theorem) -> Iterator[str]:
    """What the step of any other rule was given; nothing for a lemma, which has its own place on the page."""
    if not isinstance(step.claim, Holds):
        yield f"By the rule `{step.rule}`, with:"
        yield ""
        for key, v in step.data.items():
            parts = [f"{k} = {x}" for k, x in v.items()] if isinstance(v, Mapping) else [v] if isinstance(v, str) else v
            yield f"- {key}: `{', '.join(parts)}`"
        yield ""


WORKINGS: Mapping[str, Callable[[Theorem], Iterator[str]]] = {
    "unlikely_elsewhere": _unlikely,
    "unstable_pair": _unstable,
    "false_statement": _false,
    "row_exceeds_every_bound": _unbounded,
}
"""Rule of refutation -> how its witness is worked out."""


def table(rows: list[Row]) -> Iterator[str]:
    """Numbers, exact and in decimals."""
    yield from ("| | exact | decimals |", "|---|---|---|")
    for what, number_shown in rows:
        exact, decimal = shown(number_shown)
        yield f"| {what} | {f'`{exact}`' if exact else DASH} | {decimal} |"
