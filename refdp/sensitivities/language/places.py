"""Where a state keeps values from row to row: its flags, its names, and the contents of its lists and dicts.

A place that a row changes is laid out in variables; a list to which rows only append keeps what they append apart.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import TypeAlias

from refdp.sensitivities.language.layouts import Layout, Reach, decoded, distinct, encoded, layout, poison, shape, wider
from refdp.sensitivities.language.objects import Entry, Listing, Mapped, Object, Opaque, same_object
from refdp.sensitivities.language.state import State
from refdp.sensitivities.language.values import DEAD, Unbound, Value, identical
from refdp.terms.leaves import FALSE, TRUE
from refdp.terms.term import Term

FLAGS = ("raised", "returned", "answer", "broke")
Place = tuple[str, Hashable]


class CannotKeep(ValueError):
    """Contents that do not fit variables, with the reason."""


@dataclass(frozen=True, slots=True)
class Growing:
    """A list to which rows append."""


@dataclass(frozen=True, slots=True)
class Fixed:
    """A list of a fixed length, or a dict or set: each element with whether its presence may change."""

    example: Listing | Mapped
    keys: tuple[Hashable, ...]
    inner: tuple[tuple[bool, Layout], ...]


@dataclass(frozen=True, slots=True)
class Renewed:
    """A name with a list or a dict that each row makes anew."""

    inner: Layout | Growing | Fixed | Renewed


Plan = Layout | Growing | Fixed | Renewed
Content: TypeAlias = "Value | Object"


def contents(state: State) -> dict[Place, Content]:
    """Every place of a state and what it holds."""
    found: dict[Place, Content] = {("flag", flag): getattr(state, flag) for flag in FLAGS}
    found |= {("name", name): value for name, value in state.names.items()}
    return found | {("heap", address): content for address, content in state.heap.items()}


def store(state: State, place: Place, content: Content) -> None:
    """Puts something into a place."""
    where, key = place
    if where == "flag":
        setattr(state, str(key), content)
    elif where == "name":
        state.names[str(key)] = content  # type: ignore[assignment]
    else:
        state.heap[key] = content  # type: ignore[assignment, index]


def absent(place: Place) -> Content:
    """What a place holds that there is not."""
    return Unbound(str(place[1])) if place[0] == "name" else DEAD


def unchanged(a: Content, b: Content) -> bool:
    """Whether a place plainly holds the same."""
    if isinstance(a, Listing | Mapped) or isinstance(b, Listing | Mapped):
        return isinstance(a, Listing | Mapped) and isinstance(b, Listing | Mapped) and same_object(a, b)
    return identical(a, b)


def plan(before: Content, now: Content, after: Content, old: Plan | None, lasts: Reach) -> Plan:
    """How to keep a place that held `before` before the loop, `now` at the start of a row and `after` at its end."""
    if isinstance(after, Listing) and isinstance(before, Listing) and isinstance(now, Listing):
        return _list_plan(before, now, after, old, lasts)
    if isinstance(after, Mapped) and isinstance(before, Mapped):
        return _mapped_plan(before, after, old, lasts)
    if isinstance(before, Listing | Mapped) or isinstance(after, Listing | Mapped):
        raise CannotKeep("a list that is made anew for each row")
    found = wider(layout(before, lasts), layout(after, lasts))
    return wider(old, found) if isinstance(old, Layout) else found


def _list_plan(before: Listing, now: Listing, after: Listing, old: Plan | None, lasts: Reach) -> Plan:
    """A list keeps its length, or only grows."""
    common = len(now.pieces)
    grows = len(after.pieces) > common and all(a is b for a, b in zip(now.pieces, after.pieces, strict=False))
    if grows or isinstance(old, Growing):
        if after.pieces[:common] != now.pieces or any(not isinstance(p, Entry) for p in after.pieces[common:]):
            raise CannotKeep("a list that grows with the rows and is changed otherwise too")
        for piece in after.pieces[common:]:
            if isinstance(piece, Entry) and (reason := poison(layout(piece.value, lasts))):
                raise CannotKeep(f"a list of what cannot be kept: {reason}")
        return Growing()
    both = [one for one in (before, after) if len(one.pieces) == len(before.pieces)]
    pieces = [[e for e in one.pieces if isinstance(e, Entry) and e.guard is TRUE] for one in both]
    if len(both) < 2 or any(len(found) != len(before.pieces) for found in pieces):
        raise CannotKeep("a list whose length depends on the rows")
    inner = [wider(layout(a.value, lasts), layout(b.value, lasts)) for a, b in zip(*pieces, strict=True)]
    return _fixed(before, tuple(range(len(inner))), [(False, one) for one in inner], old)


def _mapped_plan(before: Mapped, after: Mapped, old: Plan | None, lasts: Reach) -> Plan:
    """Keys that were always there stay there; the presence of others is kept."""
    keys = tuple(dict.fromkeys((*before.items, *after.items)))
    inner = []
    for key in keys:
        (here, value), (there, other) = before.items.get(key, (FALSE, DEAD)), after.items.get(key, (FALSE, DEAD))
        inner.append((not (here is TRUE and there is TRUE), wider(layout(value, lasts), layout(other, lasts))))
    loose = (
        before.loose or after.loose or isinstance(old, Fixed) and isinstance(old.example, Mapped) and old.example.loose
    )
    example = Mapped(before.kind, before.items, before.default, loose or len(keys) > len(before.items), before.frozen)
    return _fixed(example, keys, inner, old)


def _fixed(
    example: Listing | Mapped, keys: tuple[Hashable, ...], inner: list[tuple[bool, Layout]], old: Plan | None
) -> Fixed:
    """The plan that also fits what an earlier plan fitted."""
    found = dict(zip(keys, inner, strict=True))
    for key, (may_lack, one) in zip(old.keys, old.inner, strict=True) if isinstance(old, Fixed) else ():
        lacks, new = found.get(key, (True, Layout(())))
        found[key] = (lacks or may_lack, wider(one, new))
    return Fixed(example, tuple(found), tuple(found.values()))


def same_plan(a: Plan | None, b: Plan) -> bool:
    """Whether two plans keep the same variables."""
    if isinstance(a, Layout) and isinstance(b, Layout):
        return shape(a) == shape(b)
    if isinstance(a, Fixed) and isinstance(b, Fixed):
        shapes = [[(lacks, shape(one)) for lacks, one in plan.inner] for plan in (a, b)]
        return a.keys == b.keys and shapes[0] == shapes[1] and _loose(a) == _loose(b)
    if isinstance(a, Renewed) and isinstance(b, Renewed):
        return same_plan(a.inner, b.inner)
    return isinstance(a, Growing) and isinstance(b, Growing)


def _loose(one: Fixed) -> bool:
    """Whether the order of the keys depends on the rows."""
    return isinstance(one.example, Mapped) and one.example.loose


def decode(one: Plan, name: str, before: Content) -> tuple[Content, tuple[Term, ...]]:
    """What a place holds at the start of a row, and the variables for it."""
    if isinstance(one, Layout):
        return decoded(one, name)
    if isinstance(one, Growing) and isinstance(before, Listing):
        return Listing((Opaque(),), before.frozen), ()
    if not isinstance(one, Fixed):
        raise CannotKeep("a list that is made anew for each row")
    found: list[Term] = []
    kept: list[tuple[Term, Value]] = []
    for label, (lacks, inner) in zip(distinct([_text(k) for k in one.keys]), one.inner, strict=True):
        (guard,), here = decoded_presence(f"{name}.{label}!present") if lacks else ((TRUE,), ())
        value, variables = decoded(inner, f"{name}.{label}")
        found += (*here, *variables)
        kept.append((guard, value))
    if isinstance(one.example, Listing):
        return Listing(tuple(Entry(guard, value) for guard, value in kept), one.example.frozen), tuple(found)
    example = one.example
    items = dict(zip(one.keys, kept, strict=True))
    return Mapped(example.kind, items, example.default, example.loose, example.frozen), tuple(found)


def decoded_presence(name: str) -> tuple[tuple[Term], tuple[Term, ...]]:
    """A variable that says whether a key is there."""
    from refdp.terms.leaves import variable

    found = variable(name, "Bool")
    return (found,), (found,)


def encode(one: Plan, content: Content) -> tuple[Term, ...]:
    """The terms that keep what a place holds."""
    if isinstance(one, Layout):
        return encoded(one, content)  # type: ignore[arg-type]
    found: list[Term] = []
    if isinstance(one, Fixed) and isinstance(content, Listing | Mapped):
        for (lacks, inner), (guard, value) in zip(one.inner, _kept(one.keys, content), strict=True):
            found += ([guard] if lacks else []) + list(encoded(inner, value))
    return tuple(found)


def _kept(keys: tuple[Hashable, ...], content: Listing | Mapped) -> list[tuple[Term, Value]]:
    """Presence and value of each element."""
    if isinstance(content, Mapped):
        return [content.items.get(key, (FALSE, DEAD)) for key in keys]
    return [(piece.guard, piece.value) for piece in content.pieces if isinstance(piece, Entry)]


def _text(key: Hashable) -> str:
    """A key as part of the name of a variable."""
    return "_".join(_text(one) for one in key) if isinstance(key, tuple) else str(key)
