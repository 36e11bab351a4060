"""Laws that every accountant obeys whatever it computes; each one that is broken comes with two answers to compare.

An answer cannot be judged by a law alone: if epsilon falls where the loss grows, the smaller or the greater of the
two answers may be the wrong one.  Equalities allow a stated tolerance, since bounds of equal truths may differ:
breaking one is not unsound by itself.  Orders and signs allow none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from itertools import chain, pairwise, product
from typing import Any

from refdp.accounting.judging.asking import TIMEOUT, Asked, Events, Failure, Late, Protocolled, ask, asked, counted
from refdp.accounting.judging.readings import INFINITE, Extended, apart, decimal
from refdp.accounting.judging.variants import louder, nested, written
from refdp.accounting.judging.verdicts import Truth

TOLERANCE = Fraction(1, 1000)
"""Share by which answers to the same question, put in different words, may differ."""
REPEATED = (2, 5)
"""How often an event is repeated one by one."""


@dataclass(frozen=True, slots=True)
class Said:
    """A composition, what was asked, and the answer."""

    events: str
    delta: Fraction
    answer: Extended

    def __str__(self) -> str:
        return f"epsilon({decimal(self.delta)}) = {decimal(self.answer)} for {self.events}"

    def as_json(self) -> dict[str, str]:
        """The same as an object of JSON; numbers as text."""
        return {"events": self.events, "delta": decimal(self.delta), "epsilon": decimal(self.answer)}


@dataclass(frozen=True, slots=True)
class Broken:
    """Two answers that cannot both be as the law says; `equality`: they differ, and neither need be unsound."""

    law: str
    first: Said
    second: Said | None
    equality: bool

    def __str__(self) -> str:
        answers = "; but ".join(str(said) for said in (self.first, self.second) if said is not None)
        return f"BROKEN {self.law}: {answers}{' (an equality: not by itself unsound)' if self.equality else ''}"

    def as_json(self) -> dict[str, Any]:
        """The same as an object of JSON; numbers as text."""
        answers = [said.as_json() for said in (self.first, self.second) if said is not None]
        return {"law": self.law, "counterexample": answers, "equality": self.equality}


@dataclass(slots=True)
class _Laws:
    """One accountant, the questions put to it, and what it said."""

    foreign: Asked
    deltas: Sequence[float]
    timeout: float
    tolerance: Fraction
    heard: dict[tuple[str, float], Extended | None] = field(default_factory=dict)
    late: bool = False
    """It did not come back from a question: nothing more is asked."""

    def say(self, events: Events, delta: float) -> Said | None:
        """Its upper bound; None where it gives none (that is for the audit to tell)."""
        key = repr(list(events)), delta
        if key not in self.heard:
            said = Late("") if self.late else ask(self.foreign, events, "epsilon", delta, self.timeout).said
            self.late = isinstance(said, Late)
            self.heard[key] = None if isinstance(said, Failure) else said.upper
        upper = self.heard[key]
        return None if upper is None else Said(", ".join(map(written, events)), Fraction(delta), upper)

    def equal(self, law: str, forms: Iterable[tuple[Events, Events]]) -> Iterator[Broken]:
        """The first two forms of one composition with answers that differ by more than the tolerance."""
        for (one, other), delta in product(forms, self.deltas):
            a, b = self.say(one, delta), self.say(other, delta)
            if a and b and apart(a.answer, b.answer, self.tolerance):
                yield Broken(law, a, b, equality=True)
                return

    def ordered(self, law: str, forms: Iterable[tuple[Events, Events]]) -> Iterator[Broken]:
        """The first composition whose answer exceeds that of one which loses at least as much."""
        for (less, more), delta in product(forms, self.deltas):
            a, b = self.say(less, delta), self.say(more, delta)
            if a and b and a.answer > b.answer:
                yield Broken(law, a, b, equality=False)
                return

    def falling(self, events: Events) -> Iterator[Broken]:
        """The first two deltas of which the greater one has the greater epsilon."""
        for small, great in pairwise(sorted(self.deltas)):
            a, b = self.say(events, small), self.say(events, great)
            if a and b and a.answer < b.answer:
                yield Broken("epsilon falls as delta grows", a, b, equality=False)
                return

    def signs(self, events: Events, truth: Truth | None) -> Iterator[Broken]:
        """Answers below 0, and infinite ones where the truth is finite."""
        said = [each for delta in self.deltas if (each := self.say(events, delta))]
        yield from (Broken("epsilon is at least 0", each, None, equality=False) for each in said if each.answer < 0)
        for each in said if truth else ():
            if each.answer == INFINITE and truth and truth.bounds("epsilon", each.delta)[1] < INFINITE:
                law = "epsilon is finite where delta exceeds the mass of infinite loss"
                yield Broken(law, each, None, equality=False)


def broken_laws(
    foreign: Any,
    events: Events,
    deltas: Iterable[float],
    *,
    timeout: float = TIMEOUT,
    tolerance: Fraction = TOLERANCE,
    truth: Truth | None = None,
) -> list[Broken]:
    """Laws that the accountant breaks on the events, on each of them alone, or on variants of them; smallest first.

    Each law is tried on single events before it is tried on the whole composition, and told once.
    """
    who = asked(foreign)
    laws = _Laws(who, list(deltas), timeout, tolerance)
    pairs = isinstance(who, Protocolled) or any(counted(item)[1] is not None for item in events)
    singles = [[item] for i, item in enumerate(events) if item not in events[:i]]
    small_first = singles if len(events) == 1 else [*singles, list(events)]
    more = [(tried, form) for tried in small_first for form in _more(tried)]
    return [
        *laws.equal("count = loop = nested composition", chain.from_iterable(map(partial(_repeated, pairs), singles))),
        *laws.equal("the order of events does not matter", _reordered(events)),
        *laws.ordered("one event more loses no less", ((tried, [*tried, tried[0]]) for tried in small_first)),
        *laws.ordered("epsilon grows with every parameter of loss", more),
        *laws.falling(small_first[0]),
        *laws.signs(list(events), truth),
    ]


def _repeated(pairs: bool, events: Events) -> Iterator[tuple[Events, Events]]:
    """An event that is repeated one by one, beside the other ways to write the same."""
    event = counted(events[0])[0]
    for count in REPEATED:
        loop = [event] * count
        if pairs:
            yield loop, [(event, count)]
        yield from ((loop, [form]) for form in nested(event, count))


def _reordered(events: Events) -> Iterator[tuple[Events, Events]]:
    """The events, and the same in other orders."""
    given = list(events)
    yield from ((given, other) for other in (given[::-1], [*given[1:], *given[:1]]) if other != given)


def _more(events: Events) -> Iterator[Events]:
    """Compositions in which one parameter of one event loses more."""
    for i, item in enumerate(events):
        event, count = counted(item)
        changes = [other for _, other in louder(event)]
        items = changes if count is None else [*((other, count) for other in changes), (event, 2 * count)]
        yield from ([*events[:i], other, *events[i + 1 :]] for other in items)
