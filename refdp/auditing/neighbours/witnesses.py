"""Witnesses: both inputs, both outputs, the claim and the target, as JSON without loss, and how they are run again."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from refdp.auditing.neighbours.distances import Distance, apart, key, outcomes_apart
from refdp.auditing.neighbours.spaces import SHAPES, Rows, as_input, measured
from refdp.auditing.targets import Adapted, Outcome, Session
from refdp.auditing.targets.outcomes import as_json, from_json
from refdp.auditing.targets.target import limits_from_json
from refdp.auditing.targets.workers import wire

FORMAT = "refdp-stability-witness/1"


@dataclass(frozen=True, slots=True)
class Witness:
    """Two inputs within d_in under `input_metric` whose outputs are further apart than `bound` under `output`."""

    target: Adapted
    operation: str
    shape: str
    input_metric: str
    d_in: Fraction
    output: str
    bound: Fraction
    from_map: bool
    """Whether the bound is what the library's own map gives, rather than the user's word."""
    rows: tuple[Rows, Rows]
    outcomes: tuple[Outcome, Outcome]
    about: Mapping[str, Any]
    """Library, version and target, as the worker told them."""

    @property
    def distance(self) -> Distance:
        """How far the outputs are apart."""
        return outcomes_apart(self.output, *self.outcomes)

    @property
    def inputs(self) -> tuple[Any, Any]:
        """What the target was given."""
        width = max((len(row) for rows in self.rows for row in rows), default=0) if self.shape == "columns" else 0
        return as_input(self.shape, self.rows[0], width), as_input(self.shape, self.rows[1], width)

    def as_json(self) -> dict[str, Any]:
        """The witness as JSON; numbers are text."""
        return {
            "format": FORMAT,
            "target": self.target.as_json(),
            "operation": self.operation,
            "shape": self.shape,
            "claim": {
                "input_metric": self.input_metric, "d_in": str(self.d_in), "output": self.output,
                "bound": str(self.bound), "from": "map" if self.from_map else "user",
            },
            "rows": [wire.encoded(list(rows)) for rows in self.rows],
            "outcomes": [as_json(outcome) for outcome in self.outcomes],
            "distance": str(self.distance),
            "about": wire.encoded(dict(self.about)),
            "replay": "python -m refdp.auditing.neighbours.replaying WITNESS.json --python INTERPRETER",
        }  # fmt: skip


def witness(data: Mapping[str, Any], python: str = sys.executable) -> Witness:
    """The witness that the JSON stands for, its target in the given interpreter; ValueError if it is none."""
    if data.get("format") != FORMAT:
        raise ValueError(f"format must be {FORMAT}, got {data.get('format')}")
    try:
        return _read(data, python)
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"a witness must have what the format {FORMAT} asks for: {error}") from None


def _read(data: Mapping[str, Any], python: str) -> Witness:
    """The witness, or an error of its ill-formed data."""
    target, claim = data["target"], data["claim"]
    if data["shape"] not in SHAPES:
        raise ValueError(f"shape must be one of {', '.join(SHAPES)}, got {data['shape']}")
    first, second = (tuple(wire.decoded(rows)) for rows in data["rows"])
    before, after = (from_json(outcome) for outcome in data["outcomes"])
    adapted = Adapted(target["family"], wire.decoded(target["spec"]), python, limits_from_json(target["limits"]))
    return Witness(
        adapted, data["operation"], data["shape"], claim["input_metric"], Fraction(claim["d_in"]), claim["output"],
        Fraction(claim["bound"]), claim["from"] == "map", (first, second), (before, after), wire.decoded(data["about"]),
    )  # fmt: skip


def confirmed(found: Witness, times: int = 2) -> str:
    """An empty text if the witness refutes its claim in so many fresh processes; else what was different."""
    if apart(found.input_metric, *(measured(found.input_metric, rows) for rows in found.rows)).exceeds(found.d_in):
        return f"the inputs are not within {found.d_in} under {found.input_metric}"
    for _ in range(times):
        with Session(found.target) as session:
            if why := _once(found, session):
                return why
    return ""


def _once(found: Witness, session: Session) -> str:
    """What is different in this process, if anything is."""
    bound = claimed(session, found.d_in) if found.from_map else found.bound
    if bound != found.bound:
        return f"the library's map now gives {bound}"
    u, v = found.inputs
    # In both orders: what depends on earlier calls gives itself away.
    first, second, third, fourth = (session.ask(found.operation, x) for x in (u, v, v, u))
    again = (first, second)
    if any(_same(pair) != _same(found.outcomes) for pair in (again, (fourth, third))):
        return "the outputs differ from run to run, so this is no deterministic function"
    return "" if outcomes_apart(found.output, *again).exceeds(found.bound) else f"the outputs are within {bound}"


def _same(outcomes: tuple[Outcome, Outcome]) -> object:
    """What is equal for the same outcomes; what an exception says may differ."""
    return [(outcome.kind, key(outcome.value)) for outcome in outcomes]


def claimed(session: Session, d_in: Fraction) -> Fraction | str:
    """What the library's own map gives for d_in, exactly; a sentence where it gives no finite number."""
    for value in askable(d_in):
        outcome = session.ask("map", value)
        if isinstance(outcome.value, (int, float, Fraction)) and outcome.value - outcome.value == 0:
            return Fraction(outcome.value)
    return f"the library's map gives no finite number for d_in = {d_in}: {outcome}"


def askable(d_in: Fraction) -> list[int | float]:
    """The distance as a map takes it: as an int where it is whole, and the least float that is not below it.

    What a map says of a lesser float would be said of fewer inputs than those that are compared.
    """
    try:
        near = float(d_in)
    except OverflowError:
        near = math.inf
    above = near if near >= d_in else math.nextafter(near, math.inf)
    return [int(d_in), above] if d_in.denominator == 1 else [above]
