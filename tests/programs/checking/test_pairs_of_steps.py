"""What is demanded of two runs that go by two steps, held against what their outputs, data and draws are.

Conditions are evaluated, by no solver.
"""

from collections.abc import Iterator
from fractions import Fraction as F
from itertools import product

import pytest

from refdp.programs.checking.alignment import (
    OTHERS,
    OUTPUT,
    REST,
    SEEN,
    SPENT,
    Alignment,
    Group,
    Others,
    Shift,
    WeightList,
    observation,
)
from refdp.programs.checking.conditions import Product, alike
from refdp.programs.checking.public import Refused, public
from refdp.programs.checking.ties import is_slanted
from refdp.programs.language.reading import programs_in
from refdp.programs.steps import Step, stepwise
from refdp.terms.exact_values import evaluate
from refdp.terms.leaves import FALSE, TRUE, rational, variable, variables
from refdp.terms.operations import add, multiply, subtract
from refdp.terms.term import Term

HEADER = """
from refdp.programs import ALL, L1, ONE, choice, claim, each, exp, laplace

def any_two(x, y):
    return True
"""


def real(name: str) -> Term:
    return variable(name, "Real")


def read(text: str, alignment: Alignment | None = None) -> Product:
    """The two runs of a program, aligned."""
    (program,) = programs_in(HEADER + text, "file.py")
    (claim,), steps = program.claims, stepwise(program)
    counters = [variable(loop.counter, "Int") for loop in steps.loops]
    (relation,) = claim.adjacency.parts
    return Product(steps, relation, alignment or Alignment({}), public(program, claim, counters))


def pairs(runs: Product) -> Iterator[tuple[Step, Step]]:
    """Every two steps that begin at the same place."""
    steps = runs.stepwise.steps
    return ((a, b) for a, b in product(steps, repeat=2) if a.source == b.source)


TWO_LOOPS = """
@claim(epsilon="0", adjacency=ALL)
def program(q):
    for x in q:
        yield 0
    for y in q:
        yield 1
"""


def test_the_counter_of_a_loop_is_the_one_that_its_rounds_count_up() -> None:
    runs = read(TWO_LOOPS)
    rounds = [step for step in runs.stepwise.steps if step.is_round]
    assert {step.source for step in rounds} == {1, 2}
    for step in rounds:
        counter = runs.counter(step.source)
        assert evaluate(step.updates[str(counter.value)], {counter: 7}) == 8


ONE_ANSWER = """
@claim(epsilon="0", adjacency=ALL)
def program(q: list[int]):
    s = 0
    for x in q:
        s = s + x
    if s > 0:
        return s
    return s + 5
"""


def test_two_runs_release_the_same_whichever_branches_they_take() -> None:
    """A sum s > 0 is the answer, any other is released as s + 5: 3 may not be taken for -2 + 5, nor -2 for 3 + 5."""
    runs = read(ONE_ANSWER, Alignment({}, invariants={1: FALSE}))
    first, second = variable("s.1", "Int"), variable("s.2", "Int")
    ending = [(a, b) for a, b in pairs(runs) if a.source == 1 and not a.is_round and not b.is_round]
    assert len(ending) == 4
    met = set()
    for a, b in ending:
        (released,) = (one.conclusion for one in runs.pair("", a, b) if one.name == ", released")
        answers = [{i for items in step.path.emitted for i in items} for step in (a, b)]
        added = [5 if evaluate(next(iter(one)), {variable("s", "Int"): 0}) == 5 else 0 for one in answers]
        for s, t in product(range(-6, 7), repeat=2):
            assert evaluate(released, {first: s, second: t}) == (s + added[0] == t + added[1])
        met.add(tuple(added))
    assert met == set(product((0, 5), repeat=2))


TWO_LISTS = """
@claim(epsilon="epsilon", adjacency=ALL)
def program(q: list[float], epsilon):
    liked, disliked = [], []
    for x in q:
        if x > 0:
            liked.append(exp(epsilon * x))
        else:
            disliked.append(exp(epsilon * x))
    yield choice(liked)
    yield choice(disliked)
"""


def test_weights_that_are_appended_to_different_lists_are_not_alike() -> None:
    """Where both are taken, nothing but a contradiction will do: the lists would differ in length, and in every law."""
    lists = {name: WeightList(0, F(-1), F(1)) for name in ("liked", "disliked")}
    runs = read(TWO_LISTS, Alignment({}, (Group(real("epsilon"), rational(4)),), {}, lists, invariants={1: FALSE}))
    rounds = [(a, b) for a, b in pairs(runs) if a.is_round and b.is_round]
    appended = {(a.path.appended[0][0], b.path.appended[0][0]): (a, b) for a, b in rounds}
    assert len(appended) == 4
    for (one, other), (a, b) in appended.items():
        assert alike(a, b, frozenset()) == (one == other)
        unlike = [c.conclusion for c in runs.pair("", a, b) if c.name == ", not seen alike"]
        assert unlike == ([] if one == other else [FALSE])


NOISY_MAX = """
@claim(epsilon="epsilon", adjacency=ALL)
def noisy_max(q, epsilon):
    best, place = None, None
    for i, x in enumerate(q):
        noisy = x + laplace(2 / epsilon)
        if best is None or noisy > best:
            best, place = noisy, i
    return place
"""


@pytest.mark.parametrize("chosen", range(4))
def test_the_greatest_of_the_others_is_that_of_all_rounds_but_the_chosen_one(chosen: int) -> None:
    site, data = real("draw.1"), real("data.0")
    runs = read(NOISY_MAX, Alignment({}, item=0, others=Others(1, data)))
    (entering,) = (s for s in runs.stepwise.steps if s.source == 0 and s.target == 1)
    rounds = [s for s in runs.stepwise.steps if s.is_round]
    for values in product((F(-2), F(1, 2), F(3)), repeat=4):
        neighbours = [v + F((-1) ** k, 4) for k, v in enumerate(values)]
        state = {v: evaluate(term, {}) for v, term in runs.others_after(entering).items()}
        for k, (mine, theirs) in enumerate(zip(values, neighbours, strict=True)):
            counter = runs.counter(1)
            at = {**state, data: mine, real("other.0"): theirs, site: F(0), counter: F(k), OUTPUT: F(chosen)}
            state = {v: evaluate(term, at) for v, term in runs.others_after(rounds[0]).items()}
        for ghost, all_values in zip(OTHERS, (values, neighbours), strict=True):
            assert state[ghost] == max(v for k, v in enumerate(all_values) if k != chosen)
        assert state[SEEN] is True


READ_TWICE = """
@claim(epsilon="epsilon", adjacency={relation})
def program(q, epsilon):
    return {read} + laplace(1 / epsilon)
"""


def single(relation: str, read_as: str) -> tuple[Product, Step]:
    """Two runs without a loop."""
    runs = read(READ_TWICE.format(relation=relation, read=read_as))
    steps = [step for step in runs.stepwise.steps if step.path.looked]
    return runs, steps[-1]


@pytest.mark.parametrize("relation", ["ONE", "L1"])
def test_an_element_that_is_read_twice_takes_no_more_of_the_budget_than_it_may_change(relation: str) -> None:
    """Each reading keeps to the budget by itself: a pair of data that differ by all of it once remains possible."""
    runs, step = single(relation, "q[0] + q[0]")
    facts, spent = runs.neighbours.related(step, step)
    assert spent == SPENT
    for change in (F(0), F(1, 2), F(1), F(3, 2)):
        at: dict[Term, F] = {SPENT: F(0)}
        for k in range(len(step.path.looked)):
            at |= {real(f"data.{k}"): F(2), real(f"other.{k}"): F(2) + change}
        assert len(step.path.looked) == 2
        assert all(evaluate(fact, at) for fact in facts) == (change <= 1)


def test_no_reading_of_an_element_changes_by_more_than_the_budget_though_it_was_read_before() -> None:
    """|x - x'| <= 1 in total: an element that is read again may not have changed by 3/2."""
    runs, step = single("each(any_two, total=1)", "q[0] + q[0]")
    facts, _ = runs.neighbours.related(step, step)
    at = {real(f"{name}.{k}"): F(0) for name in ("data", "other") for k in (0, 1)} | {SPENT: F(0)}
    assert all(evaluate(fact, at) for fact in facts)
    for k in (0, 1):
        assert not all(evaluate(fact, at | {real(f"other.{k}"): F(3, 2)}) for fact in facts)


def test_two_elements_that_are_read_once_share_the_budget() -> None:
    runs, step = single("L1", "q[0] + q[1]")
    facts, spent = runs.neighbours.related(step, step)
    for first, second in product((F(0), F(1, 2), F(1)), repeat=2):
        at = {real("data.0"): F(0), real("other.0"): first, real("data.1"): F(0), real("other.1"): -second, SPENT: F(0)}
        assert all(evaluate(fact, at) for fact in facts) == (first + second <= 1)
        assert evaluate(spent, at) == first + second


def test_two_runs_that_read_different_elements_are_refused() -> None:
    """The element of one and that of the other would be taken for neighbours."""
    runs = read("""
@claim(epsilon="epsilon", adjacency=ALL)
def program(q, epsilon, k: int):
    if k > 0:
        return q[0] + laplace(1 / epsilon)
    return q[1] + laplace(1 / epsilon)
""")
    by_place = {step.path.looked[0][0].value: step for step in runs.stepwise.steps if step.path.looked}
    assert set(by_place) == {0, 1}
    with pytest.raises(Refused, match="the same elements"):
        runs.neighbours.related(by_place[0], by_place[1])
    for one in by_place.values():
        runs.neighbours.related(one, one)


OF_A_LOOP = Others(1, real("data.0"))


@pytest.mark.parametrize("others", [Others(2, real("data.0")), Others(0, real("data.0")), Others(1, TRUE)])
def test_the_others_are_real_numbers_of_a_loop(others: Others) -> None:
    read(NOISY_MAX, Alignment({}, item=0, others=OF_A_LOOP, invariants={1: TRUE})).insist_on_form()
    with pytest.raises(Refused, match="the others must be numbers of a loop"):
        read(NOISY_MAX, Alignment({}, item=0, others=others, invariants={1: TRUE})).insist_on_form()


SOMETIMES = """
@claim(epsilon="epsilon", adjacency=ALL)
def program(q, epsilon):
    last = 0
    for x in q:
        if x > 0:
            last = laplace(1 / epsilon)
    return last
"""


def test_rounds_seen_alike_draw_alike_only_where_a_shift_depends_on_the_others() -> None:
    read(SOMETIMES, Alignment({}, invariants={1: TRUE})).insist_on_order()
    read(NOISY_MAX, Alignment({}, item=0, others=OF_A_LOOP, invariants={1: TRUE})).insist_on_order()
    with pytest.raises(Refused, match="must draw alike"):
        read(SOMETIMES, Alignment({}, item=0, others=OF_A_LOOP, invariants={1: TRUE})).insist_on_order()


def test_only_the_chosen_round_of_their_loop_is_shifted_by_the_greatest_of_the_others() -> None:
    """Which round that is, is known beforehand; in the others the greatest is yet to come."""
    rest, zero = REST[0], rational(0)
    known = [read(NOISY_MAX, Alignment({}, item=0, others=others)) for others in (OF_A_LOOP, None)]
    step = next(s for s in known[0].stepwise.steps if s.is_round)
    (draw,) = step.path.drawn
    place = (draw.site, observation(step, frozenset()))
    for shift, others, is_allowed in (
        (Shift(zero, rest), OF_A_LOOP, True),
        (Shift(rest, zero), OF_A_LOOP, False),
        (Shift(zero, rest), None, False),
    ):
        runs = read(NOISY_MAX, Alignment({place: shift}, item=0, others=others))
        if not is_allowed:
            with pytest.raises(Refused, match="must speak of data and of earlier draws alone"):
                runs.shift(draw, step)
            continue
        found, counter = runs.shift(draw, step), runs.counter(1)
        for chosen in range(3):
            assert evaluate(found, {counter: 1, OUTPUT: chosen, rest: F(7)}) == (7 if chosen == 1 else 0)


def test_a_draw_is_slanted_where_the_rest_does_not_depend_on_it() -> None:
    """Only then does the comparison hit equality with probability 0, whatever the rest is."""
    v, w = real("draw.1"), real("data.0")
    for term in (v, add(v, w), subtract(w, multiply(rational(3), v)), add(v, multiply(w, w))):
        assert is_slanted(term, v)
    for term in (w, rational(1), multiply(v, w), add(v, multiply(v, w)), add(v, multiply(v, v)), subtract(v, v)):
        assert not is_slanted(term, v)


def test_rounds_of_another_loop_leave_the_greatest_of_the_others_as_it_is() -> None:
    runs = read(TWO_LOOPS, Alignment({}, item=0, others=Others(2, rational(3))))
    for step in runs.stepwise.steps:
        kept = {v: v for v in (SEEN, *OTHERS)}
        changes = step.target == 2 != step.source or (step.source == 2 and step.is_round)
        assert (runs.others_after(step) == kept) == (not changes)
    assert {s.source for s in runs.stepwise.steps if s.is_round} == {1, 2}


TWO_ANSWERS = """
@claim(epsilon="0", adjacency=ALL)
def program(q: list[int]):
    s, t = 0, 0
    for x in q:
        s = s + x
        t = t - x
    if s > 0:
        return s
    return t
"""


def test_each_run_is_spoken_of_by_its_own_variables() -> None:
    """The second run may read what the first one does not."""
    runs = read(TWO_ANSWERS, Alignment({}, invariants={1: FALSE}))
    ending = [step for step in runs.stepwise.steps if step.source == 1 and not step.is_round]
    met = set()
    for a, b in product(ending, repeat=2):
        (released,) = (one.conclusion for one in runs.pair("", a, b) if one.name == ", released")
        names = [next(iter(step.path.emitted[0])).value for step in (a, b)]
        first, second = (variable(f"{name}.{run}", "Int") for name, run in zip(names, (1, 2), strict=True))
        assert evaluate(released, {first: 3, second: 3})
        assert not evaluate(released, {first: 3, second: 4})
        met.add(tuple(names))
    assert met == set(product("st", repeat=2))


def test_what_is_foretold_of_the_others_is_their_greatest_or_0_where_there_are_none() -> None:
    runs = read(NOISY_MAX, Alignment({}, item=0, others=OF_A_LOOP, invariants={1: TRUE}))
    (leaving,) = (
        s for s in runs.stepwise.steps if s.source == 1 and not s.is_round and isinstance(s.path.emitted[0][0], Term)
    )
    renaming = runs.renaming(leaving, leaving, 1)
    place, *rests = list(runs.foretold(leaving, renaming, runs.others_after(leaving)))
    (said,) = set(variables(place)) - {OUTPUT}
    assert [evaluate(place, {OUTPUT: 2, said: k}) for k in (1, 2)] == [False, True]
    for fact, rest, greatest in zip(rests, REST, OTHERS, strict=True):
        for seen, value in product((False, True), (F(0), F(5), F(7))):
            assert evaluate(fact, {SEEN: seen, greatest: F(7), rest: value}) == (value == (7 if seen else 0))
