"""One pass over the table: the body is read once, for any state and any row, and what it changes becomes the state.

Which places change is found by trying: first none, then those that came out changed, until no further ones do.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from refdp.logic.substitution import substitute
from refdp.logic.terms import Term, variable, variables
from refdp.sensitivities.language import renewal
from refdp.sensitivities.language.layouts import distinct, lasting
from refdp.sensitivities.language.objects import Block, Entry, Listing, Mapped, Object, Variable, renamed
from refdp.sensitivities.language.places import (
    CannotKeep,
    Content,
    Growing,
    Place,
    Plan,
    Renewed,
    absent,
    contents,
    decode,
    encode,
    plan,
    same_plan,
    store,
    unchanged,
)
from refdp.sensitivities.language.reader import Body, Reader
from refdp.sensitivities.language.state import State
from refdp.sensitivities.language.values import Poison, Reference, mapped
from refdp.sensitivities.program import ROW

MOST_ROUNDS = 40
NESTED = "the result of a loop over the table within a loop over the table"


def fold(x: Reader, state: State, block: Block, body: Body, node: ast.AST) -> None:
    """Runs the body for the entries of every row: one more pass; afterwards the state holds its final values."""
    plans: dict[Place, Plan] = {}
    done = len(x.passes)
    for _ in range(MOST_ROUNDS):
        forget(x, done)
        token = x.token()
        machine, entries = _instance(x, block, token)
        now, kept = _started(x, state, plans, f"p{token}")
        after = now.copy()
        for entry in entries:
            x.unless_stopped(after, lambda s, e=entry: x.when(s, e.guard, lambda t: body(t, e.value)))  # type: ignore[misc]
        try:
            found = _plans(x, (state, now, after), plans, node)
        except CannotKeep as error:
            raise x.not_a_fold(node, f"this loop over the table keeps {error}") from None
        if found.keys() == plans.keys() and all(same_plan(plans[place], one) for place, one in found.items()):
            _finish(x, state, (now, after), plans, kept, machine, token, node)
            return
        plans = found
    raise x.not_a_fold(node, "the state of this loop has no fixed shape")


def forget(x: Reader, count: int) -> None:
    """Takes back the passes after the first `count`, and what was remembered of them."""
    del x.passes[count:]
    while x.memory and x.memory[-1][0] > count:
        x.memory.pop()


def row_names(x: Reader, token: int) -> dict[Term, Term]:
    """The variables of the record, under a name of their own while the pass is read."""
    record = x.declaration.record
    return dict(zip(record.slots(ROW), record.slots(f"{ROW}!{token}"), strict=True))


def _instance(x: Reader, block: Block, token: int) -> tuple[tuple[Variable, ...], tuple[Entry, ...]]:
    """The entries of the row of this pass, and the state that they are read from."""
    names = row_names(x, token)
    names |= {v.name: variable(f"p{token}!.{v.name.value}", v.name.sort) for v in block.machine}

    def here(term: Term) -> Term:
        return substitute(term, names)

    machine = tuple(Variable(names[v.name], v.start, here(v.step)) for v in block.machine)
    return machine, renamed(block, here)


def _started(
    x: Reader, state: State, plans: dict[Place, Plan], prefix: str
) -> tuple[State, dict[Place, tuple[Term, ...]]]:
    """The state at the start of any row, and the variables of each place."""
    found, kept = state.copy(), {}
    before = contents(state)
    labels = distinct([_name(state, place) for place in plans])
    for (place, one), label in zip(plans.items(), labels, strict=True):
        name = f"{prefix}.{label}"
        first = before.get(place, absent(place))
        if isinstance(one, Renewed):
            content, kept[place] = decode(one.inner, name, renewal.content(state, first))
            if isinstance(content, Listing | Mapped):
                store(found, place, x.new(found, content))
            continue
        content, kept[place] = decode(one, name, first)
        store(found, place, content)
    return found, kept


def _name(state: State, place: Place) -> str:
    """What the variables of a place are called: for a list, the names that lead to it."""
    where, key = place
    if where != "heap":
        return str(key).replace("!", "_") if where == "name" else f"_{key}"
    names = [name for name, value in state.names.items() if isinstance(value, Reference) and value.address == key]
    return f"{names[0].replace('!', '_')}" if len(names) == 1 else f"list{key}"


def _plans(x: Reader, states: tuple[State, State, State], plans: dict[Place, Plan], node: ast.AST) -> dict[Place, Plan]:
    """The places that change, and how to keep them."""
    state, now, after = states
    before, start, end = contents(state), contents(now), contents(after)
    lasts = lasting(frozenset(state.heap))
    found: dict[Place, Plan] = {}
    for place in dict.fromkeys((*plans, *start, *end)):
        if place[0] == "heap" and place not in before:
            continue
        first, one, last = (each.get(place, absent(place)) for each in (before, start, end))
        if place in plans or not unchanged(one, last):
            again = place[0] == "name" and renewal.renewed(
                x, (state, after), (first, last), plans.get(place), lasts, node
            )
            found[place] = again or plan(first, one, last, plans.get(place), lasts)
    return found


def _finish(
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
    found = list(machine)
    for place, one in plans.items():
        values = [before.get(place, absent(place)), end.get(place, absent(place))]
        if isinstance(one, Renewed):
            values = [renewal.content(state, values[0]), renewal.content(after, values[1])]
        firsts, nexts = (encode(one.inner if isinstance(one, Renewed) else one, value) for value in values)
        found += [Variable(v, a, b) for v, a, b in zip(kept[place], firsts, nexts, strict=True)]
    found = [Variable(v.name, v.start, substitute(v.step, back)) for v in found]
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
    for place in plans:
        content = _final(contents(now)[place], growing.get(place), before.get(place))
        if any(v in tainted for v in kept[place]):
            if place[0] != "name":
                raise x.not_a_fold(node, "this loop over the table stands within a loop over the table")
            content = Poison(NESTED)
        elif isinstance(plans[place], Renewed) and isinstance(content, Reference):
            inside = replaced(now.heap[content.address], known)
            store(now, ("heap", content.address), inside)
        store(now, place, replaced(content, known))
    now.facts = state.facts
    state.become(now)


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
