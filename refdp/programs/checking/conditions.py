"""The conditions under which an alignment proves a claim for all data of every length.

The first run goes by a step a, the second by a step b on neighbouring data, each of its draws being that of the first
and a shift that depends on what is seen of a, on the data and on what was drawn before.  For every a and b from the
same location, with I what is invariant there:

    I, a is taken, b is taken  =>  the same is released, and I' holds where they lead to, with the charges added;
                                   or, where a and b are not seen alike, a contradiction

and the charges are within their bounds at the end, and wherever a loop without a limit goes round: it may not end.
Why all this suffices is proved in docs/program_proofs.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from refdp.programs.adjacency import Relation
from refdp.programs.checking.alignment import OTHERS, OUTPUT, REST, SEEN, SPENT, Alignment, observation
from refdp.programs.checking.charges import Followed, followed, insist_on_group, possible
from refdp.programs.checking.neighbours import Neighbours, other
from refdp.programs.checking.public import UNKNOWN, Public, Refused
from refdp.programs.checking.ties import untied
from refdp.programs.execution import Drawn
from refdp.programs.steps import END, START, Step, Stepwise
from refdp.terms.leaves import FALSE, ZERO, integer, parts, rational, variable, variables
from refdp.terms.operations import (
    add,
    at_most,
    choice,
    conjunction,
    disjunction,
    equal,
    larger,
    multiply,
    negation,
    substitute,
    subtract,
    total,
)
from refdp.terms.term import Term

CONSTANT = frozenset({"number", "truth"})
DRAW, DATA = re.compile(r"draw\.\d+"), re.compile(r"data\.\d+(\.present)?")
Renaming = Mapping[Term, Term]


@dataclass(frozen=True, slots=True)
class Condition:
    """The hypotheses imply the conclusion, for all values of the variables."""

    name: str
    hypotheses: tuple[Term, ...]
    conclusion: Term


@dataclass(frozen=True, slots=True)
class Product:
    """Two runs of a program on data that a relation makes neighbours, aligned."""

    stepwise: Stepwise
    relation: Relation
    alignment: Alignment
    public: Public

    def state(self, location: int) -> tuple[Term, ...]:
        """What an invariant at the head of a loop may speak of: what is fixed, both runs, charges, the budget spent."""
        names = [variable(n, s) for n, s in self.stepwise.states[location].items()]
        runs = [run(v, r) for v in names if v not in self.public.counters for r in (1, 2)]
        prophecy = () if self.alignment.item is None else (OUTPUT,)
        ghosts = (*REST, *OTHERS, SEEN) if self.alignment.others else ()
        spent = () if self.neighbours.budget is None else (SPENT,)
        return (*self.public.parameters, *prophecy, self.counter(location), *runs, *self.costs, *spent, *ghosts)

    def counter(self, location: int) -> Term:
        """How often the loop at the location went round."""
        return variable(self.stepwise.loops[location - 1].counter, "Int")

    @property
    def costs(self) -> tuple[Term, ...]:
        """The weighted shifts of each group, added up."""
        return tuple(variable(f"cost.{g}", "Real") for g in range(len(self.alignment.groups)))

    @property
    def neighbours(self) -> Neighbours:
        """The data that both runs read."""
        return Neighbours(self.relation, self.public, tuple(loop.element is not None for loop in self.stepwise.loops))

    def conditions(self) -> Iterator[Condition]:
        """Everything that is to be proved of two runs.  Refused where the alignment is not well formed."""
        self.insist_on_form()
        self.insist_on_order()
        for i, a in enumerate(self.stepwise.steps):
            for j, b in enumerate(self.stepwise.steps):
                if a.source == b.source:
                    yield from self.pair(f"steps {i} and {j}", a, b)

    def insist_on_form(self) -> None:
        """Refused where the alignment speaks of what the program has not, or leaves out what another part needs."""
        one, places = self.alignment, range(1, len(self.stepwise.loops) + 1)
        drawn = {(d.site, observation(s, one.shown)) for s in self.stepwise.steps for d in s.path.drawn}
        lists = {d.weights for s in self.stepwise.steps for d in s.path.drawn if d.weights is not None}
        if not one.shifts.keys() <= drawn:
            raise Refused("a shift must be of a draw of a step that is seen so")
        if not one.charges.keys() <= {site for site, _ in drawn}:
            raise Refused("a charge must be of a draw")
        if not one.lists.keys() <= lists:
            raise Refused("a list that is charged must be chosen from")
        for group in (*(g for g, _ in one.charges.values()), *(spread.group for spread in one.lists.values())):
            insist_on_group(group, one)
        if one.item is None and (one.others is not None or any(s.chosen is not None for s in one.shifts.values())):
            raise Refused("what depends on the round that is released must say which item that is")
        if one.others is not None and self.relation.edit is not None:
            raise Refused("the others must be of rounds that both runs have")
        if one.item is not None and one.item < 0:
            raise Refused(f"an item must be counted from 0, got {one.item}")
        if one.others is not None and (one.others.loop not in places or one.others.value.sort != "Real"):
            raise Refused("the others must be numbers of a loop")
        if any(place not in one.invariants or one.invariants[place].sort != "Bool" for place in places):
            raise Refused("each loop must have an invariant, a statement")
        if not one.invariants.keys() <= set(places):
            raise Refused("an invariant must be of a loop")

    def insist_on_order(self) -> None:
        """Refused where what is drawn in a round of the others may depend on the draw that is shifted by them."""
        rounds = [s for s in self.stepwise.steps if self.alignment.others and s.is_round]
        sites = {(observation(s, self.alignment.shown), frozenset(d.site for d in s.path.drawn)) for s in rounds}
        if len(sites) > len({seen for seen, _ in sites}):
            raise Refused("rounds that are seen alike must draw alike where a shift depends on the others")

    def pair(self, name: str, a: Step, b: Step) -> Iterator[Condition]:
        """What is to be proved where the first run goes by a and the second by b."""
        first, second = self.renaming(a, a, 1), self.renaming(b, a, 2)
        related, spent = self.neighbours.related(a, b)
        facts = [*self.before(a.source), *related]
        facts += [possible(d, d.variable, self.public) for d in (*a.path.drawn, *b.path.drawn)]
        yield from self.unraised(f"{name}, run 1", a, first, facts)
        facts += [self.said(c, first) for c in (*a.path.condition, *untied(a))]
        yield from self.unraised(f"{name}, run 2", b, second, facts)
        facts += [self.said(c, second) for c in b.path.condition]
        after = self.after(a, b, first, second, spent)
        known = (*facts, *self.foretold(a, first, after), *self.public.known())
        for d in a.path.drawn:
            yield Condition(f"{name}, a possible draw", known, possible(d, self.followed(d, a).second, self.public))
        if not alike(a, b, self.alignment.shown):
            yield Condition(f"{name}, not seen alike", known, FALSE)
            return
        for x, y in zip(flat(a), flat(b), strict=True):
            yield Condition(f"{name}, released", known, equal(self.said(x, first), self.said(y, second)))
        for (weights, u), (_, v) in zip(a.path.appended, b.path.appended, strict=True):
            exponents = self.said(exponent(u), first), self.said(exponent(v), second)
            yield Condition(f"{name}, a weight", known, self.weighted(weights, *exponents))
        if a.target != END:
            yield Condition(f"{name}, invariant", known, substitute(self.alignment.invariants[a.target], after))
        if a.target != END and self.stepwise.loops[a.target - 1].limit is not None:
            return
        for cost, group in zip(self.costs, self.alignment.groups, strict=True):
            yield Condition(f"{name}, charges", known, at_most(after[cost], self.public.exact(group.bound)))

    def said(self, term: Term, renaming: Renaming) -> Term:
        """A term of a step as that of a run."""
        return substitute(self.public(term), renaming)

    def renaming(self, one: Step, leader: Step, which: int) -> Renaming:
        """The variables of a step as those of a run; the draws of the second follow those of the leader."""
        leading = {d.variable: d for d in leader.path.drawn}
        found: dict[Term, Term] = {}
        for term in variables(*spoken(one)):
            if DRAW.fullmatch(str(term.value)):
                found[term] = self.followed(leading[term], leader).second if which == 2 and term in leading else term
            elif DATA.fullmatch(str(term.value)):
                found[term] = term if which == 1 else other(term)
            elif not self.public.is_public(term) and term not in self.public.given:
                found[term] = run(term, which)
        return found

    def followed(self, draw: Drawn, leader: Step) -> Followed:
        """The draw of the second run that follows a draw of the leader, with its charge."""
        return followed(draw, self.shift(draw, leader), self.alignment)

    def shift(self, draw: Drawn, leader: Step) -> Term:
        """What is added to a draw.  Refused where it depends on what is drawn then or later."""
        found = self.alignment.shifts.get((draw.site, observation(leader, self.alignment.shown)))
        if found is None:
            return FALSE if draw.family == "bernoulli" else ZERO
        data = [v for _, v in leader.path.looked]
        changes = {
            variable(f"change.{k}", v.sort): subtract(other(v), v) for k, v in enumerate(data) if v.sort != "Bool"
        }
        output = {OUTPUT} if self.alignment.item is not None else set()
        scope = {*self.public.parameters, *self.public.counters, *data, *map(other, data), *changes, *output}
        state = [variable(n, s) for n, s in self.stepwise.states[leader.source].items()]
        earlier = {run(v, r) for v in state for r in (1, 2)}
        others = self.alignment.others
        insist(found.usual, scope if others and leader.source == others.loop else scope | earlier)
        if found.chosen is None or not leader.is_round or not output:
            return substitute(found.usual, changes)
        insist(found.chosen, scope | earlier | (set(REST) if others and leader.source == others.loop else set()))
        chosen = equal(self.counter(leader.source), OUTPUT)
        return substitute(choice(chosen, found.chosen, found.usual), changes)

    def before(self, location: int) -> Iterator[Term]:
        """What is known where a step begins."""
        if location != START:
            insist(self.alignment.invariants[location], set(self.state(location)))
            yield self.alignment.invariants[location]
            return
        for one in (*self.costs, *(() if self.neighbours.budget is None else (SPENT,))):
            yield equal(one, rational(0))

    def after(self, a: Step, b: Step, first: Renaming, second: Renaming, spent: Term) -> Renaming:
        """The state at the target, in terms of that at the source."""
        found = {run(v, 1): self.said(a.updates[n], first) for n, v in self.kept(a)}
        found |= {run(v, 2): self.said(b.updates[n], second) for n, v in self.kept(b)}
        if a.target != END:
            found[self.counter(a.target)] = self.said(a.updates[str(self.counter(a.target).value)], first)
        charges = [one.charge for one in (self.followed(d, a) for d in a.path.drawn) if one.charge is not None]
        for g, cost in enumerate(self.costs):
            found[cost] = add(cost, total(charge for group, charge in charges if group == g))
        found[SPENT] = spent if a.target == a.source else rational(0)
        return found | self.others_after(a)

    def kept(self, one: Step) -> Iterator[tuple[str, Term]]:
        """The state at the target but for its counter."""
        for name, sort in self.stepwise.states[one.target].items():
            if variable(name, sort) not in self.public.counters:
                yield name, variable(name, sort)

    def others_after(self, a: Step) -> dict[Term, Term]:
        """The greatest value of the others after a step."""
        others = self.alignment.others
        if others is None:
            return {}
        if a.target == others.loop != a.source:
            return {SEEN: FALSE, OTHERS[0]: rational(0), OTHERS[1]: rational(0)}
        if a.source != others.loop or not a.is_round:
            return {v: v for v in (SEEN, *OTHERS)}
        data, draws = [v for _, v in a.path.looked], {d.variable: self.followed(d, a).second for d in a.path.drawn}
        insist(others.value, {*self.public.parameters, *self.public.counters, *data, *draws})
        values = others.value, substitute(others.value, {v: other(v) for v in data} | draws)
        chosen = equal(self.counter(a.source), OUTPUT)
        grown = (choice(SEEN, larger(m, v), v) for m, v in zip(OTHERS, map(self.public, values), strict=True))
        kept = {m: choice(chosen, m, v) for m, v in zip(OTHERS, grown, strict=True)}
        return {SEEN: disjunction(SEEN, negation(chosen)), **kept}

    def foretold(self, a: Step, first: Renaming, after: Renaming) -> Iterator[Term]:
        """That what the shifts know beforehand is what comes out."""
        if a.target != END or self.alignment.item is None:
            return
        items = a.path.emitted[-1] if a.path.emitted else ()
        item = items[self.alignment.item] if self.alignment.item < len(items) else None
        yield equal(OUTPUT, self.said(item, first) if isinstance(item, Term) and item.sort == "Int" else integer(-1))
        if self.alignment.others:
            for rest, greatest in zip(REST, OTHERS, strict=True):
                yield equal(rest, choice(after[SEEN], after[greatest], rational(0)))

    def weighted(self, weights: str, u: Term, v: Term) -> Term:
        """The exponent of the second run exceeds that of the first by rate times low to high."""
        spread = self.alignment.lists[weights]
        rate, grown = self.public.exact(self.alignment.groups[spread.group].rate), subtract(v, u)
        low, high = (multiply(rational(limit), rate) for limit in (spread.low, spread.high))
        return conjunction(at_most(low, grown), at_most(grown, high))

    def unraised(self, name: str, one: Step, renaming: Renaming, facts: list[Term]) -> Iterator[Condition]:
        """That a step raises no exception."""
        for needed, complaint in one.path.required:
            earlier = one.path.condition[: one.path.condition.index(needed)]
            known = (*facts, *(self.said(c, renaming) for c in earlier))
            if set(variables(needed)) <= set(self.public.parameters) | set(self.public.given):
                # Of a public scale more is known than that it is the same in both runs.
                goal = self.public.exact(needed)
                known = (*known, *(at_most(ZERO, counter) for counter in self.public.counters))
            else:
                goal = self.said(needed, renaming)
            yield Condition(f"{name}, {complaint}", (*known, *self.public.known()), goal)


def run(state: Term, which: int) -> Term:
    """A variable of the state as that of a run."""
    return variable(f"{state.value}.{which}", state.sort)


def insist(term: Term, scope: set[Term]) -> None:
    """Refused where a shift speaks of anything but what is known before the draw, or of what solvers do not know."""
    if not UNKNOWN.isdisjoint(part.operator for part in parts(term)):
        raise Refused(f"{term} must be made of what solvers know")
    if strangers := set(variables(term)) - scope:
        raise Refused(f"{term} must speak of data and of earlier draws alone, got {', '.join(map(str, strangers))}")


def spoken(one: Step) -> Iterator[Term]:
    """Every term of a step."""
    yield from (*one.path.condition, *one.updates.values(), *flat(one))
    yield from (value for _, value in one.path.appended)


def flat(one: Step) -> list[Term]:
    """The numbers that a step releases, those that never vary left out: they are seen."""
    return [i for items in one.path.emitted for i in items if isinstance(i, Term) and i.operator not in CONSTANT]


def alike(a: Step, b: Step, shown: frozenset[int]) -> bool:
    """Whether the same is seen of two steps, and weights are appended to the same lists."""
    lists = ([name for name, _ in one.path.appended] for one in (a, b))
    return observation(a, shown) == observation(b, shown) and len({tuple(names) for names in lists}) == 1


def exponent(weight: Term) -> Term:
    """u of a weight e^u.  Refused where it is no exponential."""
    if weight.operator != "exp":
        raise Refused(f"a weight must be exp(...), got {weight}")
    return weight.arguments[0]
