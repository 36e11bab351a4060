"""The outputs that a program has on data of one length, each with the paths that lead to it.

The data are variables, and so are the cut-offs of numbers that are released: probabilities are compiled once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from refdp.programs.events import Datum, Event, Expected, Interval, chance, start
from refdp.programs.execution import Execution, Path
from refdp.programs.probabilities import NotComputed, approximately
from refdp.programs.refuting.estimates import Estimate, NotEstimated, estimate
from refdp.programs.refuting.signs import Part, Sign, Slot, begins, by_outcome, may_be, sign_of
from refdp.programs.syntax import Program
from refdp.terms.leaves import FALSE, is_number, rational, variable
from refdp.terms.operations import at_most, conjunction, equal, subtract
from refdp.terms.term import Term

Cut = tuple[bool, float | None, float | None]
"""Of a slot: whether the number before is subtracted, and the limits."""
OPEN: Cut = (False, None, None)
SECONDS = 2.0
"""How long a probability may take that has no estimate."""
BETWEEN = 1 / 256
"""What is left out between two cells of real numbers."""
Modes = tuple[tuple[bool, bool, bool], ...]
"""Which of these there are."""
Exactly = Callable[[tuple[float, ...], Event], float]
"""The probability of an event for given data, worked out exactly."""


@dataclass(slots=True, eq=False)
class Output:
    """One kind of output; estimates are compiled for each pattern of cut-offs, or else worked out one by one."""

    sign: Sign
    paths: tuple[Path, ...]
    inputs: tuple[Term, ...]
    exactly: Exactly
    estimates: dict[Modes, Estimate | None] = field(default_factory=dict)
    known: dict[tuple[tuple[float, ...], tuple[Cut, ...]], float] = field(default_factory=dict)

    @property
    def slots(self) -> tuple[Slot, ...]:
        """The numbers of the output, in order."""
        return tuple(part for parts in self.sign for part in parts if isinstance(part, Slot))

    def chance(self, data: tuple[float, ...], cuts: tuple[Cut, ...]) -> float:
        """About the probability of the event."""
        modes = tuple((after, low is not None, high is not None) for after, low, high in cuts)
        if modes not in self.estimates:
            self.estimates[modes] = self._compiled(modes)
        estimate = self.estimates[modes]
        if estimate is not None:
            return estimate((*data, *(limit or 0.0 for _, *limits in cuts for limit in limits)))
        if (data, cuts) not in self.known:
            self.known[data, cuts] = self.exactly(data, self.event(cuts))
        return self.known[data, cuts]

    def _compiled(self, modes: Modes) -> Estimate | None:
        """The estimate for a pattern of cut-offs, if there is one."""
        limits = [tuple(variable(f"cut.{k}.{side}", "Real") for side in ("low", "high")) for k in range(len(modes))]
        given = [conjunction(*inside(path, self.sign, modes, limits)) for path in self.paths]
        conditions = [(*path.condition, one) for path, one in zip(self.paths, given, strict=True)]
        try:
            return estimate(self.paths, conditions, (*self.inputs, *(v for pair in limits for v in pair)))
        except (NotComputed, NotEstimated):
            return None

    def event(self, cuts: tuple[Cut, ...]) -> Event:
        """The event."""
        waiting = iter(cuts)
        return tuple(tuple(expected(part, waiting) for part in parts) for parts in self.sign)


@dataclass(slots=True, eq=False)
class EditedOutput(Output):
    """One kind of output on lists of several lengths."""

    by_length: Mapping[int, Output] = field(default_factory=dict)

    def chance(self, data: tuple[float, ...], cuts: tuple[Cut, ...]) -> float:
        """About the probability of the event; 0 where there is no such output of lists of that length."""
        return self.by_length[len(data)].chance(data, cuts) if len(data) in self.by_length else 0.0


@dataclass(frozen=True, slots=True)
class Cell:
    """One kind of output, its one number within limits that do not change."""

    output: Output
    cut: Cut
    slots: tuple[Slot, ...] = ()

    def chance(self, data: tuple[float, ...], cuts: tuple[Cut, ...]) -> float:
        """About its probability."""
        return self.output.chance(data, (*cuts, self.cut))

    def event(self, cuts: tuple[Cut, ...]) -> Event:
        """The event."""
        return self.output.event((*cuts, self.cut))


def cells(output: Output, last: int) -> list[Output | Cell]:
    """The output, or cells of its number from -last to last and beyond; none where it has more numbers."""
    if len(output.slots) != 1:
        return [] if output.slots else [output]
    whole = output.slots[0].whole
    width = 0.0 if whole else 1.0 - BETWEEN
    lowest = -last - 1.0 if whole else -last - BETWEEN
    inner = [(False, float(k), k + width) for k in range(-last, last)]
    return [Cell(output, cut) for cut in ((False, None, lowest), *inner, (False, float(last), None))]


def expected(part: Part, waiting: Iterator[Cut]) -> Expected:
    """A part of an event; a slot takes the next cut-offs."""
    if not isinstance(part, Slot):
        return part
    after, low, high = next(waiting)
    return Interval(None if low is None else Fraction(low), None if high is None else Fraction(high), after)


def inside(path: Path, sign: Sign, modes: Modes, limits: Sequence[tuple[Term, ...]]) -> list[Term]:
    """What else must hold for the output of the path to lie in the event."""
    found: list[Term] = []
    before: Term | None = None
    slots = iter(zip(modes, limits, strict=True))
    for item, part in zip(sum(path.emitted, ()), sum(sign, ()), strict=True):
        if not isinstance(item, Term) or item.sort == "Bool":
            continue
        if isinstance(part, Slot):
            (after, has_low, has_high), (low, high) = next(slots)
            shown = subtract(item, before) if after and before is not None else item
            found += [at_most(low, shown)] * has_low + [at_most(shown, high)] * has_high
        elif isinstance(part, Fraction) and not is_number(item):
            found.append(equal(item, rational(part)))
        before = item
    return found


def _paths_by_sign(
    program: Program,
    parameters: Mapping[str, Term],
    inputs: tuple[Term, ...],
    most_paths: int,
    beginnings: Sequence[Sign],
) -> dict[Sign, list[Path]]:
    """The paths of the program on these data that may be taken, by the kind of their output."""

    def feasible(path: Path) -> bool:
        return FALSE not in path.condition and (not beginnings or begins(sign_of(path), beginnings))

    execution = Execution(element_among(inputs), most_paths=most_paths, feasible=feasible)
    ends = execution.block(program.body, start(program, parameters, len(inputs)))
    found: dict[Sign, list[Path]] = {}
    for path in (one for end, _ in ends if feasible(end) for one in by_outcome(end)):
        found.setdefault(sign_of(path), []).append(path)
    return found


def outputs(
    program: Program,
    parameters: Mapping[str, Term],
    length: int,
    most_paths: int,
    beginnings: Sequence[Sign] = (),
    complete: bool = False,
) -> list[Output]:
    """The kinds of outputs on data of that length which need all of the data, or where it is `complete` all kinds.

    Where there are beginnings only outputs that begin like one of them.  TooManyPaths where there are more.
    """
    inputs = tuple(variable(f"data.{k}", program.data.sort) for k in range(length))
    by_sign = _paths_by_sign(program, parameters, inputs, most_paths, beginnings)

    def exactly(data: tuple[float, ...], event: Event) -> float:
        chosen = tuple(datum(program, x) for x in data)
        return approximately(chance(program, parameters, chosen, event, SECONDS))

    found = []
    for sign, own in by_sign.items():
        if complete or length <= 1 or any(len({index for index, _ in path.looked}) >= length for path in own):
            alike = tuple(path for other, others in by_sign.items() if may_be(other, sign) for path in others)
            found.append(Output(sign, alike, inputs, exactly))
    return found


def edited_outputs(
    program: Program, parameters: Mapping[str, Term], length: int, edits: int, most_paths: int
) -> list[Output]:
    """All kinds of outputs on data of that length, and of as many elements less."""
    found: dict[Sign, dict[int, Output]] = {}
    for count in range(max(0, length - edits), length + 1):
        for one in outputs(program, parameters, count, most_paths, complete=True):
            found.setdefault(one.sign, {})[count] = one
    inputs = tuple(variable(f"data.{k}", program.data.sort) for k in range(length))
    return [EditedOutput(sign, (), inputs, next(iter(of.values())).exactly, by_length=of) for sign, of in found.items()]


def datum(program: Program, value: float) -> Datum:
    """An element of the data; grids are made of dyadic numbers."""
    return value != 0 if program.data.sort == "Bool" else Fraction(value)


def element_among(inputs: tuple[Term, ...]) -> Callable[[Term, Path], Term]:
    """The element at an index."""

    def element(index: Term, _: Path) -> Term:
        place = int(index.rational)
        return inputs[place] if 0 <= place < len(inputs) else at_fault(inputs)

    return element


def at_fault(inputs: tuple[Term, ...]) -> Term:
    """What stands for an element that is not there: the path requires that it is not read."""
    return variable("data.none", inputs[0].sort if inputs else "Real")
