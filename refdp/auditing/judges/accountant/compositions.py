"""What an accountant is asked in a campaign file: compositions, each with the input that the recipe takes for it.

    grid = { sigma = ["1", "2"], count = [1, 100] }             every combination; x = (sigma, count, delta)
    events = [{ mechanism = "gaussian", sigma = "sigma", count = "count" }]
    cases = [{ x = [2.0], events = [...] }, ...]                or each by itself, with its own events

A name of the grid that stands for a value in `events` is replaced by the very number that the recipe is given.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Any

from refdp.accounting.judging.asking import Kind
from refdp.accounting.judging.infima import ConcentratedInfimum
from refdp.accounting.judging.questions import Put, QuestionError, put
from refdp.accounting.judging.truth import truth_of
from refdp.accounting.judging.verdicts import Truth
from refdp.accounting.losses import LossError
from refdp.accounting.numbers import number
from refdp.auditing.judges.single import put as given
from refdp.auditing.judges.task import Fields, TaskError

MOST_CASES = 10_000
"""Most compositions of one target."""
THEOREMS = ("zcdp",)
"""Conversions whose best value can be certified: that of concentrated DP to (epsilon, delta), over all orders."""


@dataclass(frozen=True, slots=True)
class Case:
    """One composition: what the recipe is given for it, and its events, or the rho of a theorem."""

    x: tuple[Any, ...]
    label: str
    events: tuple[Mapping[str, Any], ...] = ()
    rho: Fraction | None = None
    named: Mapping[str, Any] = field(default_factory=dict)
    """The numbers of x by their names in a grid."""

    def truth(self, neighbours: str, width: Fraction, seconds: float, questions: Sequence[Put] = ()) -> Truth:
        """Certified bounds of the composition, or of the theorem's best value; TaskError where refdp has none."""
        if self.rho is not None:
            return ConcentratedInfimum(self.rho)
        try:
            return truth_of(list(self.events), neighbours, width, seconds, questions)
        except (LossError, ValueError) as error:
            raise TaskError(f"events of {self.label or 'the target'}: {error}") from None


def cases_of(fields: Fields, theorem: str | None) -> tuple[Case, ...]:
    """The compositions that the fields `grid` and `events`, or `cases`, describe; TaskError where they do not."""
    if fields.has("cases"):
        listed = fields.of("cases", list, "a list of tables")
        found = [_case(Fields(_table(one, "cases"), f"cases[{i}]."), theorem) for i, one in enumerate(listed)]
    else:
        found = _combinations(fields.table("grid", {}).given, fields, theorem)
    if not 1 <= len(found) <= MOST_CASES:
        raise TaskError(f"there must be 1 to {MOST_CASES} compositions, got {len(found)}")
    return tuple(found)


def _case(fields: Fields, theorem: str | None) -> Case:
    """One of the listed compositions."""
    x = tuple(given(value, f"{fields.where}x") for value in fields.of("x", list, "a list of numbers", []))
    label = fields.text("label", ", ".join(map(str, x)))
    if theorem:
        found = Case(x, label, rho=_rho(fields.any("rho"), {}))
    else:
        found = Case(x, label, tuple(_table(one, "events") for one in fields.of("events", list, "a list of events")))
    fields.done()
    return found


def _combinations(grid: Mapping[str, Any], fields: Fields, theorem: str | None) -> list[Case]:
    """Every combination of the values in the grid."""
    lists = [[given(v, f"grid.{name}") for v in _list(values, f"grid.{name}")] for name, values in grid.items()]
    rho = fields.any("rho") if theorem else None
    events = [] if theorem else [_table(e, "events") for e in fields.of("events", list, "a list of events")]
    found = []
    for x in product(*lists):
        values = dict(zip(grid, x, strict=True))
        label = ", ".join(f"{name} = {value}" for name, value in values.items())
        exactly = {name: value if isinstance(value, int) else Fraction(value) for name, value in values.items()}
        if theorem:
            found.append(Case(x, label, rho=_rho(rho, exactly), named=values))
        else:
            found.append(Case(x, label, tuple(filled(event, exactly) for event in events), named=values))
    return found


def filled(event: Any, values: Mapping[str, Any]) -> Any:
    """The event with the values for their names; a key is never replaced."""
    if isinstance(event, Mapping):
        return {key: one if key in ("mechanism", "scheme") else filled(one, values) for key, one in event.items()}
    if isinstance(event, list):
        return [filled(one, values) for one in event]
    return values.get(event, event) if isinstance(event, str) else event


def _rho(value: Any, values: Mapping[str, Any]) -> Fraction:
    """The rho of a theorem."""
    try:
        rho = number(values.get(value, value) if isinstance(value, str) else value, "rho")
    except LossError as error:
        raise TaskError(str(error)) from None
    if rho <= 0:
        raise TaskError(f"rho must be > 0, got {value}")
    return rho


def _table(value: Any, name: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise TaskError(f"{name} must list tables, got {value!r}")
    return value


def _list(value: Any, name: str) -> list[Any]:
    if not isinstance(value, list) or not value:
        raise TaskError(f"{name} must be a list of at least one number, got {value!r}")
    return value


def questions_of(fields: Fields) -> tuple[Put, ...]:
    """What is asked of each composition: epsilon at `deltas`, or delta at `epsilons`, as the nearest floats."""
    if fields.has("deltas") == fields.has("epsilons"):
        raise TaskError("either deltas or epsilons must be given: a recipe answers one kind of question")
    name: str = "deltas" if fields.has("deltas") else "epsilons"
    kind: Kind = "epsilon" if name == "deltas" else "delta"
    try:
        return tuple(put(_list(fields.any(name), name), kind))
    except QuestionError as error:
        raise TaskError(f"{name}: {error}") from None
