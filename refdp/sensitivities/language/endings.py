"""The end of a pass over the rows: the variables of the state, each with its start and its step, are written down."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from refdp.sensitivities.language import renewal
from refdp.sensitivities.language.objects import Block, Entry, Listing, Mapped, Object, Variable, renamed
from refdp.sensitivities.language.places import Content, Growing, Place, Plan, Renewed, absent, contents, encode, store
from refdp.sensitivities.language.reader import Reader
from refdp.sensitivities.language.state import State
from refdp.sensitivities.language.values import Poison, Reference, mapped
from refdp.sensitivities.program import ROW
from refdp.terms.leaves import variable, variables
from refdp.terms.operations import substitute
from refdp.terms.term import Term

NESTED = "the result of a loop over the table within a loop over the table"
"""Why a value is not known."""


def row_names(x: Reader, token: int) -> dict[Term, Term]:
    """The variables of the record, under a name of their own while the pass is read."""
    record = x.declaration.record
    return dict(zip(record.slots(ROW), record.slots(f"{ROW}!{token}"), strict=True))


def finish(
    x: Reader,
    state: State,
    ends: tuple[State, State],
    plans: dict[Place, Plan],
    kept: dict[Place, tuple[Term, ...]],
    machine: tuple[Variable, ...],
    token: int,
    node: ast.AST,
) -> None:
    """Writes the pass down and leaves the state with its final values."""
    now, after = ends
    before, end = contents(state), contents(after)
    back = {there: here for here, there in row_names(x, token).items()}
    found = [
        Variable(v.name, v.start, substitute(v.step, back)) for v in (*machine, *_moved(state, after, plans, kept))
    ]
    if len({v.name.value for v in found}) < len(found):
        raise x.not_a_fold(node, "two parts of the state of this loop have one name; give them other names")
    tainted = _tainted(x, found)
    known = {**_remembered(x, found, tainted)}
    growing = {
        place: _block(x, end[place], found, back, tainted, node)
        for place, one in plans.items()
        if isinstance(one, Growing)
    }
    x.passes.append(tuple(v for v in found if v.name not in tainted and v.name not in known))
    _remember(x, found, tainted, known)
    nested = {place for place in plans if any(v in tainted for v in kept[place])}
    if any(place[0] != "name" for place in nested):
        raise x.not_a_fold(node, "this loop over the table stands within a loop over the table")
    for place, one in plans.items():
        content = _final(contents(now)[place], growing.get(place), before.get(place))
        _store_final(now, place, Poison(NESTED) if place in nested else content, one, known)
    now.facts = state.facts
    state.become(now)


def _moved(
    state: State, after: State, plans: dict[Place, Plan], kept: dict[Place, tuple[Term, ...]]
) -> Iterator[Variable]:
    """The variables of each place: what is there before the pass, and after one round."""
    before, end = contents(state), contents(after)
    for place, one in plans.items():
        values = [before.get(place, absent(place)), end.get(place, absent(place))]
        if isinstance(one, Renewed):
            values = [renewal.content(state, values[0]), renewal.content(after, values[1])]
        firsts, nexts = (encode(one.inner if isinstance(one, Renewed) else one, value) for value in values)
        yield from (Variable(v, a, b) for v, a, b in zip(kept[place], firsts, nexts, strict=True))


def replaced(content: Content, known: dict[Term, Term]) -> Content:
    """What a place holds with some variables replaced."""
    if not known:
        return content

    def other(term: Term) -> Term:
        return substitute(term, known)

    if isinstance(content, Listing):
        pieces = tuple(
            Entry(other(p.guard), mapped(p.value, other)) if isinstance(p, Entry) else p for p in content.pieces
        )
        return Listing(pieces, content.frozen)
    if isinstance(content, Mapped):
        items = {key: (other(guard), mapped(value, other)) for key, (guard, value) in content.items.items()}
        return Mapped(content.kind, items, content.default, content.loose, content.frozen)
    return mapped(content, other)


def _final(content: Content, block: Block | None, before: Content) -> Content:
    """What a place holds after the pass: a list that grew holds what each row appended."""
    if block is None or not isinstance(before, Listing):
        return content
    return Listing((*before.pieces, block), before.frozen)


def _store_final(now: State, place: Place, content: Content, plan: Plan, known: dict[Term, Term]) -> None:
    """Leaves the content at the place; what a place refers to, at its address."""
    if isinstance(plan, Renewed) and isinstance(content, Reference):
        store(now, ("heap", content.address), replaced(now.heap[content.address], known))
    store(now, place, replaced(content, known))


def _tainted(x: Reader, found: Iterable[Variable]) -> set[Term]:
    """Variables that depend on the row or the state of a pass around this one."""
    wanted = list(found)
    row = set(x.declaration.record.slots(ROW))
    allowed = {*x.declaration.parameters, *(v.name for one in x.passes for v in one)}
    own = {v.name for v in wanted}
    bad: set[Term] = set()
    while True:
        inside = allowed | row | own - bad
        more = {v.name for v in wanted if v.name not in bad and not _fits(v, allowed, inside)}
        if not more:
            return bad
        bad |= more


def _fits(one: Variable, outside: set[Term], inside: set[Term]) -> bool:
    """Whether the first and the next value of a variable use only what they may."""
    return outside.issuperset(variables(one.start)) and inside.issuperset(variables(one.step))


def _block(
    x: Reader,
    content: Content | Object,
    found: list[Variable],
    back: dict[Term, Term],
    tainted: set[Term],
    node: ast.AST,
) -> Block:
    """What each row appended, with as much of the state as it reads, under names of its own."""
    pieces = content.pieces if isinstance(content, Listing) else ()
    entries = tuple(piece for piece in pieces if isinstance(piece, Entry))
    steps = {v.name: v for v in found}
    wanted: dict[Term, None] = {}
    fresh = fresh_terms = [substitute(t, back) for one in entries for t in _terms(one)]
    while fresh:
        reached = [v for v in variables(*fresh) if v in steps and v not in wanted]
        wanted |= dict.fromkeys(reached)
        fresh = [steps[v].step for v in reached]
    token = x.token()
    names = {v: variable(f"m{token}.{v.value}", v.sort) for v in wanted}
    inside = {*wanted, *x.declaration.record.slots(ROW), *x.declaration.parameters}
    inside |= {v.name for one in x.passes for v in one}
    if any(v in tainted or v not in inside for t in fresh_terms for v in variables(t)):
        raise x.not_a_fold(node, NESTED)

    def other(term: Term) -> Term:
        return substitute(substitute(term, back), names)

    machine = tuple(Variable(names[v], steps[v].start, substitute(steps[v].step, names)) for v in wanted)
    return Block(renamed(Block(entries), other), machine)


def _terms(entry: Entry) -> list[Term]:
    """Every term in an entry."""
    found = [entry.guard]

    def keep(term: Term) -> Term:
        found.append(term)
        return term

    mapped(entry.value, keep)
    return found


def _key(one: Variable) -> object:
    """What two variables have in common that always have the same value: start and step, up to the name."""
    return one.name.sort, one.start, substitute(one.step, {one.name: variable("!", one.name.sort)})


def _remembered(x: Reader, found: list[Variable], tainted: set[Term]) -> dict[Term, Term]:
    """Variables that only repeat one of an earlier pass, and that one."""
    own = {v.name for v in found}
    known: dict[Term, Term] = {}
    for one in found:
        if one.name not in tainted and not (set(variables(one.step)) & own - {one.name}):
            earlier = [name for _, key, name in x.memory if key == _key(one)]
            if earlier:
                known[one.name] = earlier[0]
    others = set(variables(*(v.step for v in found if v.name not in known)))
    return {name: old for name, old in known.items() if name not in others}


def _remember(x: Reader, found: list[Variable], tainted: set[Term], known: dict[Term, Term]) -> None:
    """Variables that depend on no other of their pass, for later passes."""
    own = {v.name for v in found}
    for one in found:
        if one.name not in tainted and one.name not in known and not (set(variables(one.step)) & own - {one.name}):
            x.memory.append((len(x.passes), _key(one), one.name))
