"""One pass over the table: the body is read once, for any state and any row, and what it changes becomes the state.

Which places change is found by trying: first none, then those that came out changed, until no further ones do.
"""

from __future__ import annotations

import ast

from refdp.sensitivities.language import renewal
from refdp.sensitivities.language.endings import finish, row_names
from refdp.sensitivities.language.layouts import distinct, lasting
from refdp.sensitivities.language.objects import Block, Entry, Listing, Mapped, Variable, renamed
from refdp.sensitivities.language.places import (
    CannotKeep,
    Place,
    Plan,
    Renewed,
    absent,
    contents,
    decode,
    plan,
    same_plan,
    store,
    unchanged,
)
from refdp.sensitivities.language.reader import Body, Reader
from refdp.sensitivities.language.state import State
from refdp.sensitivities.language.values import Reference
from refdp.terms.leaves import variable
from refdp.terms.operations import substitute
from refdp.terms.term import Term

MOST_ROUNDS = 40


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
            finish(x, state, (now, after), plans, kept, machine, token, node)
            return
        plans = found
    raise x.not_a_fold(node, "the state of this loop has no fixed shape")


def forget(x: Reader, count: int) -> None:
    """Takes back the passes after the first `count`, and what was remembered of them."""
    del x.passes[count:]
    while x.memory and x.memory[-1][0] > count:
        x.memory.pop()


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
