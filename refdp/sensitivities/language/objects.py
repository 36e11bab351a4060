"""The contents of lists, dicts and sets: what may be in them, under which condition, and per row of the table."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from itertools import zip_longest

from refdp.sensitivities.language.values import DEAD, Closure, Named, Unbound, Value, identical, join, mapped
from refdp.terms.leaves import FALSE, TRUE
from refdp.terms.operations import choice, conjunction, negation
from refdp.terms.term import Term


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """An element that is there where the guard holds."""

    guard: Term
    value: Value


@dataclass(frozen=True, slots=True)
class Variable:
    """A state variable with its first and its next value."""

    name: Term
    start: Term
    step: Term


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """For each row of the table, in order, these entries; they may read a state that is kept on the way."""

    entries: tuple[Entry, ...]
    machine: tuple[Variable, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Opaque:
    """The elements of earlier rows, while a list grows with the rows."""


Piece = Entry | Block | Opaque


@dataclass(frozen=True, slots=True, eq=False)
class Listing:
    """A list: its pieces in order."""

    pieces: tuple[Piece, ...]
    frozen: str = ""
    """Why it may not be changed."""
    cut: tuple[tuple[Piece, ...], int, int] | None = None
    """Of a slice of a table: the pieces of the whole, and how many elements were left out at each end."""


Present = tuple[Term, Value]
Default = Named | Closure | None


@dataclass(frozen=True, slots=True, eq=False)
class Mapped:
    """A dict or a set with keys that are known beforehand, each with its presence and its value."""

    kind: str
    """dict, Counter, defaultdict or set."""
    items: Mapping[Hashable, Present]
    default: Default = None
    loose: bool = False
    """Whether the order of the keys, or how an equal key is spelt, depends on the rows."""
    frozen: str = ""


Object = Listing | Mapped


def merged(condition: Term, yes: Object, no: Object) -> Object:
    """The contents that are `yes` where the condition holds, else `no`."""
    if yes is no:
        return yes
    if isinstance(yes, Listing) and isinstance(no, Listing):
        return Listing(_pieces(condition, yes.pieces, no.pieces), yes.frozen)
    if isinstance(yes, Mapped) and isinstance(no, Mapped):
        return _mapped(condition, yes, no)
    raise TypeError("an address holds objects of two kinds")


def _pieces(condition: Term, yes: tuple[Piece, ...], no: tuple[Piece, ...]) -> tuple[Piece, ...]:
    """Common pieces once, then what differs: place by place, or one after the other where rows come in."""
    common = 0
    while common < min(len(yes), len(no)) and yes[common] is no[common]:
        common += 1
    first, second = yes[common:], no[common:]
    if any(not isinstance(one, Entry) for one in (*first, *second)):
        return (*yes[:common], *under(condition, first), *under(negation(condition), second))
    absent = Entry(FALSE, DEAD)
    joined = [
        Entry(choice(condition, a.guard, b.guard), join(condition, a.value, b.value))
        for a, b in zip_longest(first, second, fillvalue=absent)
        if isinstance(a, Entry) and isinstance(b, Entry)
    ]
    return (*yes[:common], *joined)


def under(condition: Term, pieces: tuple[Piece, ...]) -> tuple[Piece, ...]:
    """The pieces where the condition holds, else nothing."""
    found: list[Piece] = []
    for one in pieces:
        if isinstance(one, Entry):
            found.append(Entry(conjunction(condition, one.guard), one.value))
        elif isinstance(one, Block):
            entries = tuple(Entry(conjunction(condition, e.guard), e.value) for e in one.entries)
            found.append(Block(entries, one.machine))
        elif condition is not TRUE:
            raise TypeError("a list that grows with the rows is emptied")
    return tuple(found)


def _mapped(condition: Term, yes: Mapped, no: Mapped) -> Mapped:
    """Keys of either side; their order is known where one side only has further keys at its end."""
    keys, others = list(yes.items), list(no.items)
    shorter = min(len(keys), len(others))
    spelt, otherwise = (list(map(repr, some[:shorter])) for some in (keys, others))  # 1 is True, but not as a label
    loose = yes.loose or no.loose or spelt != otherwise
    items = {}
    for key in dict.fromkeys((*keys, *others)):
        here, value = yes.items.get(key, (FALSE, DEAD))
        there, other = no.items.get(key, (FALSE, DEAD))
        items[key] = (choice(condition, here, there), join(condition, value, other))
    return Mapped(yes.kind, items, yes.default, loose, yes.frozen)


def same_object(a: Object, b: Object) -> bool:
    """Whether two contents are plainly the same."""
    if a is b:
        return True
    if isinstance(a, Listing) and isinstance(b, Listing):
        return len(a.pieces) == len(b.pieces) and all(
            p is q
            or isinstance(p, Entry)
            and isinstance(q, Entry)
            and p.guard is q.guard
            and identical(p.value, q.value)
            for p, q in zip(a.pieces, b.pieces, strict=True)
        )
    if isinstance(a, Mapped) and isinstance(b, Mapped):
        return (
            list(a.items) == list(b.items)
            and a.loose == b.loose
            and all(
                p is q and identical(v, w) for (p, v), (q, w) in zip(a.items.values(), b.items.values(), strict=True)
            )
        )
    return False


def renamed(block: Block, function: Callable[[Term], Term]) -> tuple[Entry, ...]:
    """The entries of a block with every term replaced."""
    return tuple(Entry(function(one.guard), mapped(one.value, function)) for one in block.entries)


def absent(name: str) -> Value:
    """The value of a name that one branch did not bind."""
    return Unbound(name)
