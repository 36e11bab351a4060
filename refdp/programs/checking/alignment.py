"""Alignments: how the draws of a second run follow those of the first so that it releases the same.

Variables of the terms here: the state of the first run `NAME.1` and of the second `NAME.2` where a step begins;
`change.K`, what the K-th element that the step reads changes by; public parameters and the counters of loops, which
both runs share; `released.last`, the integer that is released last; `rest.1`, `rest.2`, the greatest of the others.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from refdp.programs.execution import Path
from refdp.programs.steps import Step
from refdp.programs.syntax import Item
from refdp.terms.leaves import is_number, variable
from refdp.terms.term import Term

OUTPUT = variable("released.last", "Int")
REST = (variable("rest.1", "Real"), variable("rest.2", "Real"))
SPENT = variable("budget.spent", "Real")
OTHERS = (variable("others.1", "Real"), variable("others.2", "Real"))
SEEN = variable("others.seen", "Bool")


@dataclass(frozen=True, slots=True)
class Observation:
    """What is seen of a step: where it leads, what it releases but for numbers that vary, and branches that are shown.

    An output, with the branches that are shown, says of every step what its observation is.
    """

    source: int
    target: int
    released: tuple[tuple[str, ...], ...] = ()
    shown: tuple[tuple[int, bool], ...] = ()


@dataclass(frozen=True, slots=True)
class Shift:
    """What is added to a draw of the first run to make that of the second; of a truth value, whether it is flipped."""

    usual: Term
    chosen: Term | None = None
    """Instead of `usual` in the round whose number is released at the end."""


@dataclass(frozen=True, slots=True)
class Group:
    """Draws that are charged at one rate: shifts weighted and added up, times the rate, is their privacy loss."""

    rate: Term
    """In public parameters, such as epsilon / N; or ln(R)."""
    bound: Term
    """The most that the weighted shifts add up to, in public parameters."""


@dataclass(frozen=True, slots=True)
class Others:
    """The greatest value of the rounds of a loop other than the one whose number is released at the end."""

    loop: int
    value: Term
    """In draws, data and public parameters of the round alone."""


@dataclass(frozen=True, slots=True)
class WeightList:
    """A list of weights e^u: the exponents of the second run exceed those of the first by rate times low to high."""

    group: int
    low: Fraction
    high: Fraction


@dataclass(frozen=True, slots=True)
class Alignment:
    """A proof, to be checked, that one relation between data keeps the privacy loss within the claim."""

    shifts: Mapping[tuple[int, Observation], Shift]
    """For each site and each observation of a step that draws there; none means that nothing is added."""
    groups: tuple[Group, ...] = ()
    charges: Mapping[int, tuple[int, Fraction]] = field(default_factory=dict)
    """Site -> its group, and the weight of its shifts there: 1 / scale = weight * rate."""
    lists: Mapping[str, WeightList] = field(default_factory=dict)
    shown: frozenset[int] = frozenset()
    """Branches that the proof shows together with the output, which makes the claim stronger."""
    item: int | None = None
    """Which item of the last release is `released.last`."""
    others: Others | None = None
    invariants: Mapping[int, Term] = field(default_factory=dict)
    """What holds of both runs at the head of each loop."""


def observation(step: Step, shown: frozenset[int]) -> Observation:
    """What is seen of a step."""
    released = tuple(tuple(map(seen, items)) for items in step.path.emitted)
    return Observation(step.source, step.target, released, tuple(b for b in step.path.branches if b[0] in shown))


def seen(item: Item) -> str:
    """A constant, or the sort of what varies."""
    if isinstance(item, Term):
        constant = is_number(item) or item.operator == "truth"
        return str(item.value) if constant else item.sort
    return repr(item)


def items_of(path: Path) -> tuple[Item, ...]:
    """What a path releases last."""
    return path.emitted[-1] if path.emitted else ()
