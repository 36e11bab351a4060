"""Coordinate ascent over data and cut-offs: one element or one cut-off at a time takes the value that is best."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from refdp import work
from refdp.programs.refuting.neighbours import LACKING, Neighbours, Pair
from refdp.programs.refuting.outputs import Cut
from refdp.programs.refuting.signs import Slot

CUTS = tuple(float(k) for k in range(-4, 5))
"""Where numbers that are released are cut off, at first."""
NEARBY, FINE = (-0.5, 0.5, -4.0, 4.0), (-0.125, 0.125)
"""By how much cut-offs are moved later on, and where they must be fine."""
SHIFTS = (-2.0, -1.0, 1.0, 2.0)
MOST_SWEEPS = 12
GAIN = 1e-6
"""Scores that are less apart are equal."""


class OutOfTime(Exception):
    """The time for the search is spent."""


@dataclass(frozen=True, slots=True)
class State:
    """A candidate: both data, element by element, and the cut-offs of the numbers that are released."""

    pairs: tuple[Pair, ...]
    cuts: tuple[Cut, ...] = ()

    @property
    def old(self) -> tuple[float, ...]:
        """The data."""
        return tuple(a for a, _ in self.pairs if a is not LACKING)

    @property
    def new(self) -> tuple[float, ...]:
        """The neighbour."""
        return tuple(b for _, b in self.pairs if b is not LACKING)


Score = tuple[float, float]
"""What is to be great, and what decides between equal ones."""


@dataclass(frozen=True, slots=True)
class Climber:
    """Climbs until no coordinate gains any more, or until a moment of the clock."""

    neighbours: Neighbours
    slots: tuple[Slot, ...]
    deadline: float
    fine: bool = False
    """Whether cut-offs are moved by little: a delta needs the best one."""

    def climb(self, state: State, score: Callable[[State], Score]) -> tuple[State, Score]:
        """The top that is reached from the state."""
        best = score(state)
        for _ in range(MOST_SWEEPS):
            before = best
            for coordinate in range(len(self.slots) + len(state.pairs) + 1):
                for other in self.moves(state, coordinate):
                    found = score(other)
                    if better(found, best):
                        state, best = other, found
                if work.spent() > self.deadline:
                    raise OutOfTime
            if not better(best, before):
                break
        return state, best

    def beginnings(self, state: State, score: Callable[[State], Score]) -> Iterator[State]:
        """The state, and for each number that is linked with the one before it the best cut-off of their difference.

        Noise that both numbers have in common is not in their difference: no climb from elsewhere leads there.
        """
        yield state
        for place, slot in enumerate(self.slots):
            if slot.linked:
                cuts = (one for one in options(slot, state.cuts[place], ()) if one[0])
                yield max(
                    (replace(state, cuts=(*state.cuts[:place], cut, *state.cuts[place + 1 :])) for cut in cuts),
                    key=score,
                )

    def moves(self, state: State, coordinate: int) -> Iterator[State]:
        """The states that differ in one coordinate; cut-offs come first."""
        if coordinate < len(self.slots):
            steps = (*NEARBY, *FINE) if self.fine else NEARBY
            for cut in options(self.slots[coordinate], state.cuts[coordinate], steps):
                yield replace(state, cuts=(*state.cuts[:coordinate], cut, *state.cuts[coordinate + 1 :]))
            return
        place = coordinate - len(self.slots)
        if place == len(state.pairs):
            yield from self.shifts(state)
            return
        for pair in self.neighbours.pairs:
            pairs = (*state.pairs[:place], pair, *state.pairs[place + 1 :])
            if self.neighbours.keeps(pairs):
                yield replace(state, pairs=pairs)

    def shifts(self, state: State) -> Iterator[State]:
        """All data moved together, and with them the cut-offs of numbers."""
        for by in SHIFTS:
            pairs = tuple((a + by, b + by) for a, b in state.pairs)
            if all(pair in self.neighbours.pairs for pair in pairs):
                yield State(pairs, state.cuts)
                if state.cuts:
                    yield State(pairs, tuple(cut if cut[0] else moved(cut, by) for cut in state.cuts))


def moved(cut: Cut, by: float) -> Cut:
    """The cut-offs further on."""
    after, low, high = cut
    return after, None if low is None else low + by, None if high is None else high + by


def better(found: Score, best: Score) -> bool:
    """Whether the first is greater, or the second where the first ones are equal."""
    return found[0] > best[0] + GAIN or (found[0] > best[0] - GAIN and found[1] > best[1] * (1 + GAIN))


def options(slot: Slot, cut: Cut, steps: tuple[float, ...]) -> Iterator[Cut]:
    """Cut-offs to try: half-lines and short intervals on a grid, and some near the present ones."""
    width = 0.0 if slot.whole else 1.0
    for after in (False, True)[: 1 + slot.linked]:
        for c in CUTS:
            yield from ((after, None, c), (after, c, None), (after, c, c + width))
    after, low, high = cut
    for step in (-1.0, 1.0) if slot.whole else steps:
        if low is not None and (high is None or low + step <= high):
            yield after, low + step, high
        if high is not None and (low is None or low <= high + step):
            yield after, low, high + step
        if low is not None and high is not None:
            yield after, low + step, high + step
    if low is not None and high is not None:
        yield after, low, None
        yield after, None, high
