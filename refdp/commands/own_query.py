"""`refdp.query`: a function of one's own as a transformation, proved, to be chained with a mechanism."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import ceil
from pathlib import Path
from typing import cast

from refdp.commands.second_judging import judged_again
from refdp.commands.sensitivity import record_of
from refdp.commands.values import by_name, written
from refdp.derivations import keep_query
from refdp.kernel import rules
from refdp.kernel.judgements import Stable
from refdp.kernel.rules.engines import Query
from refdp.kernel.sources import bring
from refdp.kernel.theorem import Theorem
from refdp.logic.internal_errors import KEY
from refdp.numerics.exact import exact, upper_bound
from refdp.pipeline import PipelineError, Transformation
from refdp.second_judge.queries import public_size
from refdp.sensitivities.judgement import Judgement, answer_text, row_text
from refdp.sensitivities.judging import judge
from refdp.sensitivities.pair import Pair
from refdp.sensitivities.question import SIZE
from refdp.sensitivities.records import Fields, Missing, Number
from refdp.sensitivities.request import Request
from refdp.sensitivities.row_domains import domain_of
from refdp.sensitivities.search.total_runs import single_invariants
from refdp.sensitivities.theorems import RAISES, asked, case_of, program_of, run_of
from refdp.spec.queries import Plain, load, query_subject
from refdp.terms.leaves import TRUE, ZERO, integer, is_number
from refdp.terms.operations import substitute
from refdp.terms.smtlib import written as smtlib
from refdp.terms.term import Term, sqrt
from refdp.terms.term import number as closed
from refdp.terms.term import substitute as put
from refdp.transformations import rounded_to

FAR = integer(10**30)
"""Further than any answers move: of smaller tables only the reading is compared."""
LABELS: dict[Term, tuple[str, ...]] = {}
"""Query -> what the coordinates of its answers are called."""


def query(
    target: str | Path,
    neighbours: str,
    *,
    bounds: tuple[object, object] | None = None,
    records: str | None = None,
    column: Mapping[str, str] | None = None,
    claim: object = None,
    norm: str = "L1",
    size: object = None,
    granularity: object = None,
    set: Mapping[str, object] | None = None,  # noqa: A002
    timeout: float = 60.0,
    run: bool = True,
) -> Transformation:
    """FILE.py:FUNCTION as a transformation of tables: how far it moves is proved, and so are its answers' grid and end.

    Rows are declared as for `refdp sensitivity`: numbers within `bounds`, of the kind `records`, or with a `column` of
    some kind each.  `claim` is the bound of one edit; without it the least that is proved is taken.  `size`, under
    change_one, is the public number of rows.  With a `granularity` real answers are rounded to that grid.  The text is
    read, never run, but for the second judge's look in a limited process, which `run=False` leaves out.

    Raises PipelineError where the function moves further, where nothing is proved, where it may raise, or where rows
    have no such declaration; ValueError for other bad input, Unsupported for Python that is not read.
    """
    step = None if granularity is None else positive(granularity, "granularity")
    made, _ = proved_query(
        str(target), neighbours, record_of(bounds, records, column), None if claim is None else written(claim, "claim"),
        norm, None if size is None else whole_size(size, neighbours), by_name(set, "set"), timeout, run,
        None if step is None else lambda bound: step,
    )  # fmt: skip
    return made


def proved_query(
    target: str,
    neighbours: str,
    record: str | Mapping[str, str] | Sequence[str],
    claim: str | None,
    norm: str,
    size: int | None,
    fixed: Mapping[str, str],
    timeout: float,
    run: bool,
    step_for: Callable[[Fraction], Fraction] | None,
) -> tuple[Transformation, tuple[str, ...]]:
    """The function as a transformation, and what its coordinates are called; `step_for` a bound real answers are given.

    Raises PipelineError where nothing is proved.
    """
    asked_for = Request(
        target=target, record=record, neighbours=neighbours, claim=claim, norm=norm, tables="multisets", values=fixed,
        assume=None if size is None else f"n == {size}",
    )  # fmt: skip
    found = proved(asked_for, timeout, run)
    for width in widths(found, size) if claim is None else ():
        closer = judge(replace(asked_for, claim=str(width)), timeout)
        if closer.verdict == "PROVED":
            found = proved(replace(asked_for, claim=str(width)), timeout, run)
            break
    bound = bound_of(found, size)
    step = None if step_for is None else step_for(upper_bound(bound))
    theorem = first_proof(found, size, step, timeout)
    if step is not None and is_real(stable(theorem)) and not fits(stable(theorem), step):
        further = replace(asked_for, claim=str(ceil(upper_bound(bound) / step) * step))
        theorem = first_proof(proved(further, timeout, run), size, step, timeout)
    keep_query(theorem)
    claimed = stable(theorem)
    made = Transformation(
        claimed.subject, claimed.domain, claimed.metric, claimed.output_domain, claimed.output_metric, claimed.d_out[0]
    )
    labels = labels_of(claimed)
    return (made >> rounding(claimed, step) if step is not None and is_real(claimed) else made), labels


def proved(asked: Request, timeout: float, run: bool) -> Judgement:
    """The proof of the request that the second judge does not contradict; PipelineError where there is none."""
    found = judge(asked, timeout)
    if found.pair is not None and found.verdict == "REFUTED":
        raise PipelineError(f"{found.function} {refuted(found.pair, asked.claim is not None)}")
    if found.verdict != "PROVED":
        raise PipelineError(f"nothing is proved of {found.function}: {found.reason}")
    for one in looks(found):
        again = judged_again([one], run)
        if "verdict" in again:
            raise PipelineError(f"nothing is proved of {found.function}: {again.get(KEY) or again.get('reason')}")
    return found


def refuted(pair: Pair, is_claimed: bool) -> str:
    """What the function does on two tables, for which it is refused: it raises on one of them, or moves too far."""
    tables = [f"[{', '.join(map(row_text, table))}]" for table in (pair.first, pair.second)]
    for table, outcome in zip(tables, pair.outcomes, strict=True):
        if outcome.exception:
            return f"raises {outcome.exception} on {table}; it must answer on every table of its domain"
    far, answers = "claimed" if is_claimed else "any bound", " and ".join(map(answer_text, pair.outcomes))
    return f"moves further than {far}: on {' and '.join(tables)} it answers {answers}"


def widths(found: Judgement, size: int | None) -> Iterator[Fraction]:
    """Bounds that a mean of a public number of rows has, below the one that was found: a range over that number."""
    if size is None:
        return
    kind, least = found.declaration.record, upper_bound(bound_of(found, size))
    cells = [inner for _, inner in kind.kinds] if isinstance(kind, Fields) else [kind]
    numbers = [cell.kind if isinstance(cell, Missing) else cell for cell in cells]
    ends = [(one.lower, one.upper) for one in numbers if isinstance(one, Number)]
    known = [high.rational - low.rational for low, high in ends if low is not None and high is not None]
    yield from sorted({width / size for width in known if 0 < width / size < least})


def looks(found: Judgement) -> Iterator[Judgement]:
    """What the second judge looks at: the proof; of tables of a public size also how the text is read of smaller ones.

    Tables of more rows than it draws it does not look at.
    """
    assumption = found.declaration.assumption
    if assumption is TRUE or public_size(assumption) is not None:
        yield found
    if assumption is not TRUE:
        yield replace(found, bound=FAR, declaration=replace(found.declaration, assumption=TRUE))


def first_proof(found: Judgement, size: int | None, step: Fraction | None, timeout: float) -> Theorem:
    """The theorem with the coarsest grid of answers that is proved, the reals where none is.

    PipelineError where not even that is: then the function may raise.
    """
    brought = found.evidence or {}
    steps = [Fraction(1), *([] if size is None else [Fraction(1, size)]), *([] if step is None else [step]), None]
    data = {
        "source": bring(found.source.text),
        "function": found.function,
        "rows": str(domain_of(found.declaration.record)),
        "arguments": str(
            query_subject("f", "", closed(0), cast(Mapping[str, Plain], found.declaration.values)).arguments[3]
        ),
        "neighbours": found.request.neighbours,
        "tables": "multisets",
        "size": "" if size is None else str(size),
        "norm": found.request.norm,
        "bound": str(bound_of(found, size)),
    }
    reason = ""
    for one in dict.fromkeys(steps):
        evidence = {**brought, "total": list[str]()}
        data |= {"step": "" if one is None else str(one), "evidence": json.dumps(evidence)}
        for total in single_invariants(case_of(Query.of(data)).question.program):
            data["evidence"] = json.dumps(evidence | {"total": list(map(smtlib, total))})
            said = asked(Query.of(data), None, timeout)
            if said.verdict == "PROVED":
                load_query(Query.of(data), data["source"])
                return rules.runs_stay_related(**data, by=sorted(said.trusts))
            reason = said.reason
    if reason.startswith(RAISES):
        reason = f"it may raise an exception on some table of its domain, and a release must not ({reason})"
    raise PipelineError(f"nothing is proved of {found.function}: {reason}")


def labels_of(claim: Stable) -> tuple[str, ...]:
    """What the coordinates of the answers are called; nothing for one number."""
    return LABELS.get(claim.subject, ())


def load_query(claim: Query, digest: str) -> None:
    """The subject of the claim runs what was read."""
    subject, program = query_subject(claim.function, digest, claim.rows, claim.arguments), program_of(claim)
    LABELS[subject] = program.labels
    load(subject, run_of(program))


def bound_of(found: Judgement, size: int | None) -> Term:
    """The bound of one edit as a closed number; PipelineError where it depends on more than the public size."""
    bound = ZERO if found.bound is None else found.bound
    bound = bound if size is None else substitute(bound, {SIZE: integer(size)})
    inner = bound.arguments[0] if bound.operator == "sqrt" else bound
    if not is_number(inner):
        raise PipelineError(
            f"the bound must be a number, got {bound}; say the public number of rows, size, if it has one"
        )
    return closed(inner.rational) if inner is bound else sqrt(closed(inner.rational))


def stable(theorem: Theorem) -> Stable:
    """The claim of a theorem about a transformation."""
    if not isinstance(theorem.claim, Stable):
        raise TypeError(f"{theorem} is not about a transformation")
    return theorem.claim


def is_real(claim: Stable) -> bool:
    """Whether the answers are on no grid that is known."""
    outputs = claim.output_domain.arguments[0] if claim.output_domain.operator == "vector" else claim.output_domain
    return outputs.operator == "reals"


def fits(claim: Stable, step: Fraction) -> bool:
    """Whether answers that far apart stay so when they are rounded: a vector in L1 may move further in any case."""
    if claim.output_metric == "l1":
        return True
    moved = put(claim.d_out[0], {"d_in": closed(1)})
    return moved.operator == "number" and (moved.rational / step).denominator == 1


def rounding(claim: Stable, step: Fraction) -> Transformation:
    """The transformation that rounds the answers."""
    if claim.output_domain.operator != "vector":
        return rounded_to(step)
    return rounded_to(step, claim.output_domain.arguments[1].rational, claim.output_metric)


def whole_size(size: object, neighbours: str) -> int:
    """The public number of rows; PipelineError unless it is whole, at least 1, and neighbours have the same."""
    if neighbours != "change_one":
        raise PipelineError(f"neighbours must be change_one where size is given, got {neighbours}")
    n = exact(size, "size")
    if n.denominator != 1 or n < 1:
        raise PipelineError(f"size must be a whole number >= 1, got {n}")
    return int(n)


def positive(value: object, parameter: str) -> Fraction:
    """An exact number > 0."""
    found = exact(value, parameter)
    if found <= 0:
        raise PipelineError(f"{parameter} must be > 0, got {found}")
    return found
