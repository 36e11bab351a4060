"""The laws of what a program releases on the two data of a counterexample, with its event shaded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise, product
from math import inf, log

from refdp.logic.strict_json import Forged
from refdp.programs.certificates.content import content_of, kind_of
from refdp.programs.certificates.events import counterexample_of
from refdp.programs.certificates.words import expected_text
from refdp.programs.closed_terms import bound
from refdp.programs.counterexample import Counterexample, computed
from refdp.programs.events import Datum, Event, Expected, Interval, chance, element_of, setting, start
from refdp.programs.execution import Execution, Path
from refdp.programs.probabilities import Number, approximately, number, probability
from refdp.programs.question import claim_text
from refdp.programs.syntax import Item, Program
from refdp.terms.leaves import FALSE
from refdp.terms.term import Term

CELLS = 8
"""How many intervals are drawn on either side of the event, where it is one of a single number."""
MOST_OUTCOMES = 40
SIGNS = {"True": "\N{DOWN TACK}", "False": "\N{UP TACK}"}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What may be released, and about how likely it is on either of the data."""

    label: str
    old: float
    new: float
    is_in_event: bool

    @property
    def loss(self) -> float:
        """The privacy loss ln(old / new)."""
        return log(self.old / self.new) if self.old > 0 < self.new else inf if self.old > 0 else -inf


@dataclass(frozen=True, slots=True)
class Picture:
    """What is drawn of a counterexample."""

    title: str
    caption: str
    outcomes: tuple[Outcome, ...]
    epsilon: float
    axis: str


def is_counterexample(certificate: str) -> bool:
    """Whether a certificate brings an event.  ValueError where it is no certificate."""
    return kind_of(certificate) == "counterexample"


def picture_of(certificate: str) -> Picture:
    """The picture of a counterexample, from its certificate.  ValueError where it has none."""
    if not is_counterexample(certificate):
        raise Forged("a picture needs the certificate of a counterexample")
    content = content_of(certificate)
    program, claim = content.program, content.claim
    found = computed(program, counterexample_of(content.evidence["counterexample"], program, claim))
    if claim.epsilon is None or len(found.events) != 1:
        raise ValueError("claim must be one about epsilon that one event refutes, to have a picture")
    values = setting(program, found.parameters, len(found.old))
    title = f"{program.name}: {claim_text(claim)}, adjacency {claim.adjacency.name}: REFUTED"
    told = ", ".join(f"{name} = {value}" for name, value in found.parameters.items())
    caption = (
        f"The laws of what is released on {data_text(found.old)} and on {data_text(found.new)}, at {told}; the event "
        "is shaded. Below, the privacy loss of each outcome beside the claimed epsilon."
    )
    epsilon = approximately(bound(claim.epsilon, values))
    return Picture(title, caption, tuple(outcomes(program, found)), epsilon, f"outcome {axis(found.events[0])}")


def outcomes(program: Program, found: Counterexample) -> Iterator[Outcome]:
    """Every outcome that is drawn."""
    (event,) = found.events
    if any(isinstance(part, Interval) for parts in event for part in parts):
        for cell, is_in_event in cells(event):
            old, new = (approximately(chance(program, found.parameters, q, cell)) for q in (found.old, found.new))
            yield Outcome(numbers(cell), old, new, is_in_event)
        return
    laws = [law(program, found, data) for data in (found.old, found.new)]
    if len(laws[0].keys() | laws[1].keys()) > MOST_OUTCOMES:
        raise ValueError(f"at most {MOST_OUTCOMES} outcomes are drawn")
    for output in sorted(laws[0].keys() | laws[1].keys(), key=label):
        old, new = (approximately(one.get(output, number(0))) for one in laws)
        yield Outcome(label(output), old, new, output == event)


def cells(event: Event) -> Iterator[tuple[Event, bool]]:
    """The event cut into neighbouring intervals, or, of several numbers, all ways to lie below, within and above."""
    flat = [part for parts in event for part in parts]
    places = [place for place, part in enumerate(flat) if isinstance(part, Interval)]
    for chosen in product(*(pieces(flat[place], len(places) == 1) for place in places)):
        made = dict(zip(places, chosen, strict=True))
        new = [made[place][0] if place in made else part for place, part in enumerate(flat)]
        yield shaped(new, event), all(is_inside for _, is_inside in chosen)


def pieces(part: Expected, many: bool) -> list[tuple[Interval, bool]]:
    """Neighbouring intervals, each with whether it is part of the event."""
    if not isinstance(part, Interval):
        return []
    ends = [end for end in (part.low, part.high) if end is not None]
    if not ends:
        return [(part, True)]
    width = ends[1] - ends[0] if len(ends) == 2 and ends[1] > ends[0] else Fraction(1)
    edges = [ends[0] + k * width for k in range(-CELLS, CELLS + 1)] if many else sorted({*ends})
    limits: list[Fraction | None] = [None, *edges, None]
    found = [replace(part, low=a, high=b) for a, b in pairwise(limits)]
    return [(one, is_within(one, part)) for one in found]


def is_within(one: Interval, other: Interval) -> bool:
    """Whether an interval lies within another one."""
    above = other.low is None or (one.low is not None and one.low >= other.low)
    return above and (other.high is None or (one.high is not None and one.high <= other.high))


def shaped(flat: list[Expected], like: Event) -> Event:
    """The parts as emissions of the same lengths."""
    rest = iter(flat)
    return tuple(tuple(next(rest) for _ in parts) for parts in like)


def law(program: Program, found: Counterexample, data: tuple[Datum, ...]) -> dict[Event, Number]:
    """The probability of every output.  ValueError where a number varies."""
    execution = Execution(element_of(data, program.data.sort), feasible=lambda path: FALSE not in path.condition)
    laws: dict[Event, Number] = {}
    for path, _ in execution.block(program.body, start(program, found.parameters, len(data))):
        output = released(path)
        laws[output] = laws.get(output, number(0)) + probability(path.condition, path.drawn)
    return laws


def released(path: Path) -> Event:
    """What a path releases."""
    return tuple(tuple(map(value_of, items)) for items in path.emitted)


def value_of(item: Item) -> Expected:
    """A constant that is released."""
    if not isinstance(item, Term):
        return item
    if isinstance(item.value, bool | Fraction):
        return item.value
    raise ValueError("a picture needs outcomes that are finitely many, or one event of numbers")


def label(event: Event) -> str:
    """An outcome in few characters."""
    words = [", ".join(short(part) for part in parts) for parts in event]
    return "".join(words) if all(len(word) == 1 for word in words) else "\n".join(words)


def numbers(event: Event) -> str:
    """The intervals of an outcome."""
    return "\n".join(short(part) for parts in event for part in parts if isinstance(part, Interval))


def axis(event: Event) -> str:
    """What all outcomes share where numbers are drawn, y standing for those."""
    if not any(isinstance(part, Interval) for parts in event for part in parts):
        return ""
    return ", ".join("y" if isinstance(part, Interval) else short(part) for parts in event for part in parts)


def short(part: Expected) -> str:
    """A part of an outcome in few characters."""
    if not isinstance(part, Interval):
        return SIGNS.get(str(part), str(part))
    if part.low is None or part.high is None:
        return (
            expected_text(part)
            .removeprefix("a number ")
            .removeprefix("a rise ")
            .replace("<= ", "≤")
            .replace(">= ", "≥")
        )
    return f"{part.low} to {part.high}"


def data_text(data: tuple[Datum, ...]) -> str:
    """Data in brackets."""
    return f"({', '.join(map(str, data))})"
