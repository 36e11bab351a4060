"""One run of a program on random draws, and one on the neighbour with the draws shifted as an alignment says.

A run is a sequence of steps between the heads of its loops (docs/program_proofs.md, sections 2 to 4), which the text,
rewritten, tells of itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from types import CodeType, FrameType
from typing import Any

from refdp.second_judge.drawing import LONGEST_CHOICE, MOST_DRAWS, Place, possible
from refdp.second_judge.exact_numbers import Exact, Unclear

START, END = 0, -1


@dataclass(slots=True)
class Step:
    """What happened from one location to the next."""

    source: int
    counter: int = 0
    state: Mapping[str, Any] = field(default_factory=dict)
    is_round: bool = False
    """Whether it is a round of a loop, and not what follows its end."""
    reads: list[int] = field(default_factory=list)
    draws: list[tuple[Place, str, tuple[Any, ...], Any]] = field(default_factory=list)
    released: list[tuple[Any, ...]] = field(default_factory=list)


class Deviates(BaseException):
    """The second run goes another way than the first."""

    raised: Deviates | None = None

    def __init__(self, why: str) -> None:
        super().__init__(why)
        Deviates.raised = self


class Run:
    """One run of a program, as it tells of itself."""

    def __init__(
        self,
        decided: Callable[[Run, str, tuple[Any, ...], Place], Any],
        labels: Mapping[int, str],
        nulls: Nulls | None = None,
    ) -> None:
        self.decided, self.labels, self.nulls = decided, labels, nulls
        self.steps, self.rounds, self.ended = [Step(START)], dict[int, int](), set[int]()
        self.lists: dict[str, list[Any]] = {name: [] for name in labels.values()}
        self.pending: list[int] = []
        self.code: CodeType | None = None
        self.count = 0

    def drawn(self, family: str, parameters: tuple[Any, ...], place: Place) -> Any:
        """The value of a draw."""
        self.count += 1
        if self.count > MOST_DRAWS:
            raise Unclear("a run makes too many draws")
        self.flush()
        value = self.decided(self, family, parameters, place)
        self.steps[-1].draws.append((place, family, parameters, value))
        return value

    def read(self, place: int) -> None:
        """An element of the data is read."""
        self.pending.append(place)

    def flush(self) -> None:
        """What was read belongs to the step that goes on."""
        self.steps[-1].reads += self.pending
        self.pending.clear()

    def head(self, loop: int, frame: FrameType) -> None:
        """A round of a loop begins: what was read last is its own element."""
        element, self.pending = self.pending[-1:], self.pending[:-1]
        self.flush()
        self.pass_nulls(loop, frame)
        counter = self.rounds.get(loop, 0)
        self.rounds[loop] = counter + 1
        self.steps.append(Step(loop, counter, self.state(frame), is_round=True))
        self.pending = element
        self.flush()

    def pass_nulls(self, loop: int, frame: FrameType, to_the_end: bool = False) -> None:
        """Rounds of the proof that this run lacks: the other has an element there, or this one has left the loop."""
        while self.nulls is not None and self.nulls.are_next(loop, self.rounds.get(loop, 0), to_the_end):
            counter = self.rounds.get(loop, 0)
            self.rounds[loop] = counter + 1
            self.steps.append(Step(loop, counter, self.state(frame), is_round=True))

    def done(self, loop: int, frame: FrameType) -> None:
        """A loop is at its end."""
        self.flush()
        self.pass_nulls(loop, frame, to_the_end=True)
        self.ended.add(loop)
        self.steps.append(Step(loop, self.rounds.get(loop, 0), self.state(frame)))

    def left(self, loop: int, frame: FrameType) -> None:
        """What comes after a loop begins; where the loop was left by break, the proof goes on to its end first."""
        if self.nulls is not None and loop in self.nulls.loops and loop not in self.ended:
            self.done(loop, frame)

    def item(self, loop: int, value: Any) -> None:
        """A comprehension makes a value."""
        self.lists[self.labels[loop]].append(value)

    def release(self, items: tuple[Any, ...]) -> None:
        """Something is released."""
        self.flush()
        self.steps[-1].released.append(items)

    def state(self, frame: FrameType | None) -> Mapping[str, Any]:
        """The variables of the function."""
        while frame is not None and frame.f_code is not self.code:
            frame = frame.f_back
        found = {} if frame is None else dict(frame.f_locals)
        known = {name: value for name, value in found.items() if value is None or isinstance(value, int | Fraction)}
        told = {f"{name}.known": value is not None for name, value in known.items()}
        lists = {name: list(value) for name, value in found.items() if isinstance(value, list)}
        made = {name: list(values) for name, values in self.lists.items()}
        return known | told | made | lists

    def target(self, place: int) -> int:
        """Where the step of that place leads."""
        return self.steps[place + 1].source if place + 1 < len(self.steps) else END


@dataclass(frozen=True, slots=True)
class Nulls:
    """Which rounds of the loops over the data a run lacks, as the other list has an element there."""

    places: frozenset[int]
    loops: frozenset[int]
    """The loops over the data."""
    length: int
    """How many rounds each of them has in the proof."""

    def are_next(self, loop: int, counter: int, to_the_end: bool) -> bool:
        """Whether the next round of a loop is one of those; or any, if there is one."""
        return loop in self.loops and (counter < self.length if to_the_end else counter in self.places)


def apart(first: Sequence[Any], second: Sequence[Any]) -> tuple[int, frozenset[int], frozenset[int]]:
    """The length of both lists with nulls, and where each has one: as many elements as may be are in both."""
    common = [[0] * (len(second) + 1) for _ in range(len(first) + 1)]
    for i in reversed(range(len(first))):
        for j in reversed(range(len(second))):
            both = 1 + common[i + 1][j + 1] if first[i] == second[j] else 0
            common[i][j] = max(both, common[i + 1][j], common[i][j + 1])
    i = j = place = 0
    lacking: tuple[set[int], set[int]] = (set(), set())
    while i < len(first) or j < len(second):
        here = common[i][j]
        if i < len(first) and j < len(second) and first[i] == second[j] and here == 1 + common[i + 1][j + 1]:
            i, j = i + 1, j + 1
        elif i < len(first) and here == common[i + 1][j]:
            lacking[1].add(place)
            i += 1
        else:
            lacking[0].add(place)
            j += 1
        place += 1
    return place, frozenset(lacking[0]), frozenset(lacking[1])


class Data(list[Any]):
    """The data, which tell what of them is read."""

    def __init__(self, values: Sequence[Any], read: Callable[[int], None]) -> None:
        super().__init__(values)
        self._read = read

    def __iter__(self) -> Iterator[Any]:
        for place in range(len(self)):
            self._read(place)
            yield super().__getitem__(place)

    def __getitem__(self, place: Any) -> Any:
        found = super().__getitem__(place)
        if isinstance(place, int):
            self._read(place % len(self))
        return found


FOLDS: Mapping[str, Callable[[list[Any]], Any]] = {
    "len": len,
    "sum": lambda values: sum(values),
    "max": lambda values: max(values, default=0),
    "min": lambda values: min(values, default=0),
    "argmax": lambda values: values.index(max(values)) if values else 0,
    "argmin": lambda values: values.index(min(values)) if values else 0,
    "any": any,
    "all": all,
}
"""What is known of a list in a step, by the name of the part."""


class Alignment:
    """What the second run adds to each draw."""

    def __init__(self, given: Mapping[str, Any], sites: Mapping[Place, int]) -> None:
        self.shifts: dict[tuple[int, int, int], list[Mapping[str, Any]]] = {}
        for one in given["shifts"]:
            self.shifts.setdefault((one["site"], one["source"], one["target"]), []).append(one)
        self.item, self.others, self.sites = given["item"], given["others"], sites
        self.edits: Mapping[str, Any] | None = given["edits"]
        """Where elements are added or removed: the loops over the data, and what the number of elements is called."""

    def site(self, place: Place) -> int:
        """The number of the place of a draw."""
        if place not in self.sites:
            raise Unclear("a draw whose place in the alignment is not known")
        return self.sites[place]

    def place_in_proof(self, site: int, run: Run, at: int) -> int:
        """The step in which the proof makes a draw of the step of that place: a later one where it moved the draw.

        A draw that is read only after a loop may stand after it in the proof, in the step that leaves the loop, and its
        shift speaks of what is known there.
        """
        sources = {source for one, source, _ in self.shifts if one == site}
        steps = run.steps
        if not sources or steps[at].source in sources:
            return at
        leaving = (k for k in range(at + 1, len(steps)) if steps[k].source in sources - {run.target(k)})
        return next(leaving, at)

    def found(self, site: int, step: Step, target: int) -> Mapping[str, Any] | None:
        """The shift of a site in a step that is seen so."""
        for one in self.shifts.get((site, step.source, target), []):
            if one["shown"]:
                raise Unclear("an alignment that shows branches")
            if alike(one["released"], step.released):
                return one
        return None


def alike(told: Sequence[Sequence[str]], released: Sequence[tuple[Any, ...]]) -> bool:
    """Whether what is released is as it is said to be seen."""
    if list(map(len, told)) != list(map(len, released)):
        return False
    return all(fits(text, value) for a, b in zip(told, released, strict=True) for text, value in zip(a, b, strict=True))


def fits(text: str, value: Any) -> bool:
    """Whether a value is seen as this: a truth value, a text and None as themselves, a number by its sort or value.

    An infinity is seen as the text of it, which no program may release otherwise.
    """
    if isinstance(value, float):
        return text == repr(str(value))
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return text == repr(value)
    if text in ("Real", "Int"):
        return isinstance(value, int | Fraction)
    try:
        return isinstance(value, int | Fraction) and Fraction(text) == value
    except ValueError:
        return False


class Pair:
    """Two runs of one program."""

    def __init__(
        self,
        alignment: Alignment,
        data: tuple[Any, Any],
        words: Mapping[str, Any],
        random: Random,
        labels: Mapping[int, str],
    ) -> None:
        self.is_list = isinstance(data[0], list)
        self.first: list[Any] = data[0] if self.is_list else [data[0]]
        self.second: list[Any] = data[1] if self.is_list else [data[1]]
        self.alignment, self.random, self.labels = alignment, random, labels
        self.nulls: tuple[Nulls | None, Nulls | None] = (None, None)
        length = len(self.first)
        if alignment.edits is not None:
            length, *lacking = apart(self.first, self.second)
            over = frozenset(alignment.edits["loops"])
            self.nulls = Nulls(lacking[0], over, length), Nulls(lacking[1], over, length)
        self.public = {**words, "n": length}
        self.one = Run(self.anything, labels, self.nulls[0])
        self.later: dict[tuple[int, Place], Any] = {}
        """The shifts of draws that the proof makes in a later step, as far as they are known."""
        self.begin_second()

    def begin_second(self) -> None:
        """Nothing of the second run has happened."""
        self.two = Run(self.shifted, self.labels, self.nulls[1])
        self.pairs: list[tuple[str, tuple[Any, ...], Any, tuple[Any, ...], Any]] = []
        self.rests: tuple[Any, Any] | None = None
        self.taken: set[tuple[int, Place]] = set()
        self.waiting: dict[tuple[int, Place], int] = {}
        """Draws that were not shifted yet, each with the step in which the proof makes it."""

    def begins_again(self) -> bool:
        """Whether the second run is to be made once more, as it shows what the shift is of a draw that it made before.

        Nothing up to there reads the draw, so that both runs are the same up to there.
        """
        if not self.waiting:
            return False
        for (at, place), where in self.waiting.items():
            found = self.alignment.found(self.alignment.site(place), self.one.steps[where], self.one.target(where))
            self.later[at, place] = 0 if found is None else self.value(found, where)
        self.begin_second()
        return True

    def draws(self) -> list[Any] | None:
        """Every draw of the first run and what it becomes, read or not; None where the runs lead elsewhere."""
        if [one.source for one in self.one.steps] != [one.source for one in self.two.steps]:
            return None
        for at, step in enumerate(self.one.steps):
            for place, family, before, value in step.draws:
                if (at, place) not in self.taken:
                    self.paired(at, place, family, before, value, before)
        return [[family, list(a), v, list(b), w] for family, a, v, b, w in self.pairs]

    def anything(self, run: Run, family: str, parameters: tuple[Any, ...], place: Place) -> Any:
        """A random value, far out now and then; never on a tie."""
        random = self.random
        if family in ("bernoulli", "choice"):
            return random.choice(
                [value for value, chance in possible(family, parameters, LONGEST_CHOICE) if chance > 0]
            )
        if family == "uniform":
            return random.randint(int(parameters[0]), int(parameters[1]))
        size = Fraction(random.choice((1, 2, 5, 20, 60)))
        if family == "discrete_laplace":
            return random.randint(-int(size), int(size))
        if random.random() < 0.3:  # of the size of the scale, which may be far from 1
            size *= parameters[0]
        value = size * Fraction(random.randint(-(10**9), 10**9), 10**9 + 7)
        return Exact(abs(value) if family == "exponential" else value)

    def shifted(self, run: Run, family: str, parameters: tuple[Any, ...], place: Place) -> Any:
        """The first run's value, and what the alignment adds: worked out before the value is looked at.

        What the first run does not draw in its step of that number is on the tape as it was: any value.
        """
        at = len(run.steps) - 1
        if at >= len(self.one.steps) or self.one.steps[at].source != run.steps[at].source:
            raise Deviates("the second run leads elsewhere than the first")
        for where, other_family, before, value in self.one.steps[at].draws:
            if where == place and other_family == family and (at, place) not in self.taken:
                return self.paired(at, place, family, before, value, parameters)
        return self.anything(run, family, parameters, place)

    def paired(
        self, at: int, place: Place, family: str, before: tuple[Any, ...], value: Any, after: tuple[Any, ...]
    ) -> Any:
        """The value of the second run for one of the first, which is kept with it."""
        self.taken.add((at, place))
        site = self.alignment.site(place)
        where = self.alignment.place_in_proof(site, self.one, at)
        if where != at:
            if (at, place) not in self.later:
                self.waiting[at, place] = where
            moved = self.moved(family, value, self.later.get((at, place), 0))
        else:
            found = self.alignment.found(site, self.one.steps[at], self.one.target(at))
            moved = value if found is None else self.moved(family, value, self.value(found, at))
        self.pairs.append((family, before, value, after, moved))
        return moved

    def moved(self, family: str, value: Any, shift: Any) -> Any:
        """The value with its shift."""
        if family == "bernoulli":
            return value != bool(shift)
        if family in ("discrete_laplace", "uniform", "choice"):
            if Fraction(shift).denominator != 1:
                raise Deviates("an integer is shifted by what is none")
            return int(value + shift)
        return Exact(value + shift)

    def value(self, found: Mapping[str, Any], at: int) -> Any:
        """The value of a shift in the step of that place."""
        chosen = found["chosen"] is not None and self.is_chosen(at)
        if self.is_other_round(at):
            return self.stateless(found["usual"], at)
        return evaluated(found["chosen"] if chosen else found["usual"], lambda name: self.variable(name, at))

    def is_other_round(self, at: int) -> bool:
        """Whether its draws decide the greatest values, so that its shifts come before the state of both runs."""
        step = self.one.steps[at]
        is_round = bool(self.alignment.others) and step.is_round and step.source == self.alignment.others["loop"]
        return is_round and not self.is_chosen(at)

    def last(self) -> int:
        """The integer that is released at the end; -1 where there is none."""
        released = [items for step in self.one.steps for items in step.released]
        item = self.alignment.item
        if item is None or not released or item >= len(released[-1]):
            return -1
        value = released[-1][item]
        return int(value) if isinstance(value, int) and not isinstance(value, bool) else -1

    def is_chosen(self, at: int) -> bool:
        """Whether it is the round whose number is released at the end."""
        return self.one.steps[at].counter == self.last()

    def variable(self, name: str, at: int) -> Any:
        """What a variable of a shift stands for."""
        step = self.one.steps[at]
        if name in self.public:
            return self.public[name]
        if name == "released.last":
            return self.last()
        if name in ("rest.1", "rest.2"):
            self.require_rounds_before(at)
            return self.rest()[int(name[-1]) - 1]
        if name.startswith("draw."):
            raise Deviates("a shift speaks of a draw of its own step")
        size = None if self.alignment.edits is None else self.alignment.edits["size"]
        if size is not None and name == f"{size}.loop":
            raise Unclear("a shift by the rounds in which elements are counted")
        if name.endswith(".loop"):
            return step.counter
        head, _, tail = name.rpartition(".")
        if size is not None and head == size and tail in ("1", "2"):
            return len(self.first if tail == "1" else self.second)
        if head in ("data", "other", "change") and tail.isdecimal():
            reads = step.reads if self.is_list else [0]
            if int(tail) >= len(reads):
                raise Unclear(f"{name}, which is not read")
            if self.alignment.edits is not None:  # what both have is the same
                return 0 if head == "change" else self.first[reads[int(tail)]]
            old, new = (data[reads[int(tail)]] for data in (self.first, self.second))
            return {"data": old, "other": new}[head] if head != "change" else new - old
        head = head.removeprefix("own.")
        state = {"1": step.state, "2": self.two.steps[at].state if at < len(self.two.steps) else {}}.get(tail, {})
        values, fold = state.get(head.rpartition(".")[0]), head.rpartition(".")[2]
        if isinstance(values, list) and fold in FOLDS:
            return FOLDS[fold](values)
        if head not in state:
            raise Unclear(f"{name}, which is no variable of the text")
        return 0 if state[head] is None else state[head]

    def require_rounds_before(self, at: int) -> None:
        """Deviates where the greatest values are those of draws that come later than the step of that place."""
        loops = [step.source for step in self.one.steps[: at + 1]]
        if not self.alignment.others or self.alignment.others["loop"] not in loops:
            raise Deviates("a shift speaks of draws that come later")

    def rest(self) -> tuple[Any, Any]:
        """The greatest values of the other rounds, in both runs; 0 where there are none."""
        if self.rests is None:
            values: tuple[list[Any], list[Any]] = ([], [])
            for at, step in enumerate(self.one.steps):
                if step.draws and self.is_other_round(at):
                    for kept, value in zip(values, self.others(at, step), strict=True):
                        kept.append(value)
            self.rests = (max(values[0], default=0), max(values[1], default=0))
        return self.rests

    def others(self, at: int, step: Step) -> tuple[Any, Any]:
        """The value of one other round, in both runs; its shifts speak of no state."""
        drawn, shifted = {}, {}
        for place, family, _, value in step.draws:
            site = self.alignment.site(place)
            found = self.alignment.found(site, step, self.one.target(at))
            drawn[f"draw.{site}"] = value
            moved = value if found is None else self.moved(family, value, self.stateless(found["usual"], at))
            shifted[f"draw.{site}"] = moved

        def second(name: str) -> Any:
            head, _, tail = name.rpartition(".")
            return shifted[name] if name in shifted else self.variable(f"other.{tail}" if head == "data" else name, at)

        term = self.alignment.others["value"]
        return evaluated(term, lambda name: drawn[name] if name in drawn else self.variable(name, at)), evaluated(
            term, second
        )

    def stateless(self, term: Any, at: int) -> Any:
        """A shift that speaks of no state."""

        def known(name: str) -> Any:
            head = name.rpartition(".")[0]
            if name in self.public or head in ("data", "other", "change") or name.endswith(("loop", "last")):
                return self.variable(name, at)
            raise Deviates("a shift of another round speaks of the state")

        return evaluated(term, known)


def evaluated(term: Sequence[Any], variable: Callable[[str], Any]) -> Any:
    """The value of a term: a list of parts, of which the last is the term; each names its arguments by their place.

    A part that is not needed is not worked out.
    """
    known: dict[int, Any] = {}

    def value(place: int) -> Any:
        if place not in known:
            known[place] = _worked_out(term[place])
        return known[place]

    def _worked_out(part: Sequence[Any]) -> Any:
        operator, *inner = part
        if operator == "name":
            return variable(inner[0])
        if operator == "value":
            return inner[0] if isinstance(inner[0], bool) else Fraction(inner[0])
        if operator == "ite":
            return value(inner[1] if value(inner[0]) else inner[2])
        if operator == "all_of":
            return all(map(value, inner))
        if operator == "any_of":
            return any(map(value, inner))
        if operator not in OPERATORS:
            raise Unclear(f"the operator {operator} in a shift")
        return OPERATORS[operator](*map(value, inner))

    return value(len(term) - 1)


OPERATORS: Mapping[str, Callable[..., Any]] = {
    "+": lambda a, b: a + b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: Fraction(a) / b,
    "floor": lambda a: Fraction(a // 1),
    "real": lambda a: a,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    "==": lambda a, b: a == b,
    "not": lambda a: not a,
}
