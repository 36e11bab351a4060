"""What the obligations of a loop promise is so, by exact enumeration; and no loop passes with one thing wrong."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction as F
from random import Random

import pytest

from refdp.provers.oracles import run
from refdp.sampling.coins import Coins
from refdp.sampling.tree import law_of
from refdp.spec.loops import Branch, Case, Loop, loop_obligations
from refdp.spec.primitives import BERNOULLI, DIGITS, HALF, ONE, SIZES, n, p, primitive_obligations, rest, size
from refdp.terms.evaluation import evaluate, truth
from refdp.terms.reading import read
from refdp.terms.term import Term, TermError, equal, indicator, name, number
from tests.examples import few

LOOPS = few(1000)
state = name("state")
Point = Mapping[str, F]


def case_at(loop: Loop, point: Point) -> Case:
    """The first case whose conditions hold."""
    return next(c for c in loop.cases if all(truth(w, point) for w in c.when))


def enumerated(loop: Loop, parameters: Point, steps: int, flips: bool = False) -> tuple[F, F]:
    """The probability of the event, and of being in the loop still, after so many steps or flips, by the definition.

    With `flips`, a case of branches of probability 1/2 takes a flip before it branches, any other when it goes on.
    """
    states = Counter({tuple(evaluate(t, parameters) for t in loop.start.values()): F(1)})
    event, still = F(0), F(0)
    for left in range(steps, -1, -1):
        following = Counter[tuple[F, ...]]()
        for values, mass in states.items():
            point = {**parameters, **dict(zip(loop.start, values, strict=True))}
            branches = case_at(loop, point).branches
            if left == 0 and (not flips or HALF in [b.probability for b in branches]):
                still += mass
                continue
            for b in branches:
                now = mass * evaluate(b.probability, point)
                if b.goes is None:
                    event += now * evaluate(b.pays, point)
                else:
                    following[tuple(evaluate(t, point) for t in b.goes.values())] += now
        states = following if left else Counter()
        still += sum(following.values(), F(0)) if left == 0 else 0
    return event, still


@pytest.mark.parametrize("probability", [F(0), F(1), F(1, 2), F(1, 3), F(3, 8), F(999, 1000)])
def test_bernoulli_takes_the_steps_of_its_loop_flip_by_flip(probability):
    for depth in range(10):
        law = law_of(lambda bits: Coins(bits).bernoulli(probability), depth)
        event, still = enumerated(DIGITS, {"p": probability}, depth, flips=True)
        assert (law.lower(True), law.unresolved) == (event, still)


@pytest.mark.parametrize("many", [1, 2, 3, 5, 8, 11])
def test_uniform_takes_the_steps_of_its_loop_flip_by_flip(many):
    """Each value below n is as likely after each number of flips: what the loop says of any one of them."""
    for depth in range(10):
        law = law_of(lambda bits: Coins(bits).uniform(many), depth)
        event, still = enumerated(SIZES, {"n": F(many)}, depth, flips=True)
        assert {law.lower(k) for k in range(many)} == {event}
        assert law.unresolved == still


def solved(rows: list[list[F]], right: list[F]) -> list[F]:
    """x with x_i = right_i + sum of rows_ij x_j, by elimination."""
    many = len(right)
    table = [[F(i == j) - rows[i][j] for j in range(many)] + [right[i]] for i in range(many)]
    for i in range(many):
        pivot = next(k for k in range(i, many) if table[k][i])
        table[i], table[pivot] = table[pivot], table[i]
        table[i] = [x / table[i][i] for x in table[i]]
        for k in range(many):
            if k != i:
                table[k] = [x - table[k][i] * y for x, y in zip(table[k], table[i], strict=True)]
    return [row[-1] for row in table]


def listed(values: list[F]) -> Term:
    """The i-th value in the state i."""
    return sum((number(v) * indicator(equal(state, number(i))) for i, v in enumerate(values)), number(0))


def random_loop(chance: Random) -> Loop:
    """A loop over a few states, with its true value and steps."""
    many = chance.randint(1, 3)
    cases, rows, pays = [], [], []
    for i in range(many):
        weights = [chance.randint(0, 3) for _ in range(many)] + [chance.randint(1, 3)]
        shares, paid = [F(w, sum(weights)) for w in weights], F(chance.randint(0, 4), 4)
        going = tuple(Branch(number(q), {"state": number(j)}) for j, q in enumerate(shares[:-1]) if q)
        cases.append(Case((equal(state, number(i)),), (*going, Branch(number(shares[-1]), pays=number(paid)))))
        rows.append(shares[:-1])
        pays.append(shares[-1] * paid)
    value, steps = solved(rows, pays), solved(rows, [F(1)] * many)
    within = (0 <= state, state <= many - 1)
    start = {"state": number(chance.randrange(many))}
    law = number(value[int(start["state"].rational)])
    return Loop((), within, start, tuple(cases), listed(value), law, listed(steps), frozenset({"state"}))


def failing(loop: Loop) -> set[str]:
    """The obligations that fail at some state."""
    points = [{"state": F(i)} for i in range(-1, 4)]
    return {
        key.partition(".")[0]
        for key, s in loop_obligations(loop).items()
        if not all(truth(s.conclusion, x) for x in points if all(truth(g, x) for g in s.given))
    }


def test_loops_that_meet_the_obligations_have_the_law():
    """The event's probability after so many steps misses the value by at most what is in the loop still."""
    for i in range(LOOPS):
        loop = random_loop(Random(i))
        assert failing(loop) == set()
        event, still = enumerated(loop, {}, 5)
        assert event <= evaluate(loop.law, {}) <= event + still
        start = {"state": loop.start["state"].rational}
        assert still * 6 <= evaluate(loop.steps, start)  # Markov: 6 steps or more with probability at most steps / 6


def wrong_loops(loop: Loop, chance: Random) -> dict[str, Loop]:
    """The loop with one thing wrong -> the obligation that must fail."""
    many = len(loop.cases)
    i = chance.randrange(many)
    here, c = indicator(equal(state, number(i))), loop.cases[i]

    def with_case(branches: tuple[Branch, ...]) -> Loop:
        return replace(loop, cases=(*loop.cases[:i], Case(c.when, branches), *loop.cases[i + 1 :]))

    stop = c.branches[-1]
    return {
        "start_has_the_law": replace(loop, law=loop.law + number(F(1, 9))),
        "value_is_kept": replace(loop, value=loop.value + number(F(1, 9)) * here),
        "value_is_a_probability": replace(loop, value=loop.value + 2 * here),
        "steps_are_counted": replace(loop, steps=loop.steps - number(F(1, 9)) * here),
        "one_case_holds": replace(loop, cases=(*loop.cases, loop.cases[i])),
        "branches_are_a_law": with_case((*c.branches[:-1], replace(stop, probability=stop.probability / 2))),
        "state_is_confined": with_case((Branch(ONE, {"state": number(many)}),)),
    }


@pytest.mark.parametrize("obligation", [key.partition(".")[0] for key in loop_obligations(random_loop(Random(2)))])
def test_loops_with_one_thing_wrong_fail_an_obligation(obligation):
    for i in range(few(60)):
        chance = Random(f"{obligation} {i}")
        assert obligation in failing(wrong_loops(random_loop(chance), chance)[obligation])


def test_a_loop_without_a_case_for_a_state_fails_an_obligation():
    loops = [loop for loop in map(random_loop, map(Random, range(20))) if len(loop.cases) > 1]
    assert loops
    assert all("one_case_holds" in failing(replace(loop, cases=loop.cases[:-1])) for loop in loops)


NOW, ALL = Case((0 < rest, 2 * rest < 1), (Branch(HALF, {"rest": 2 * rest}), Branch(HALF))), DIGITS.cases
NEAR = {
    "the other answer": (replace(DIGITS, law=1 - p), "start_has_the_law"),
    "a digit that is both": (
        replace(DIGITS, cases=(ALL[0], replace(NOW, when=(0 < rest, 2 * rest <= 1)), *ALL[2:])),
        "one_case_holds",
    ),
    "a biased flip": (
        replace(DIGITS, cases=(ALL[0], replace(NOW, branches=(replace(NOW.branches[0], probability=ONE / 3),
                                                              Branch(ONE * 2 / 3))), *ALL[2:])),
        "value_is_kept.2",
    ),
    "the digit is not taken off": (
        replace(DIGITS, cases=(*ALL[:2], Case(ALL[2].when, (Branch(HALF, {"rest": 2 * rest}), ALL[2].branches[1])),
                               ALL[3])),
        "state_is_confined.3",
    ),
    "U <= p": (replace(DIGITS, cases=(Case(ALL[0].when, (Branch(ONE, pays=ONE),)), *ALL[1:])), "value_is_kept.1"),
    "fewer steps than it takes": (replace(DIGITS, steps=number(2) - number(F(1, 100))), "steps_are_counted.2"),
    "modulo n": (
        replace(SIZES, cases=(*SIZES.cases[:2], Case((n < size,), (Branch(ONE, pays=1 / size),)))), "value_is_kept.3",
    ),
    "what is left counts for n more": (
        replace(SIZES, cases=(*SIZES.cases[:2], Case((n < size,), (SIZES.cases[2].branches[0],
                              Branch((size - n) / size, {"size": 2 * size - n}))))),
        "state_is_confined.3",
    ),
    "one value more": (replace(SIZES, law=1 / (n + 1)), "start_has_the_law"),
}  # fmt: skip


@pytest.mark.parametrize("what", NEAR)
def test_primitives_that_are_nearly_right_are_disproved(what):
    loop, key = NEAR[what]
    assert run("z3", loop_obligations(loop)[key]).verdict == "disproved"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"law": rest}, "rest must not read the state"),
        ({"start": {"rest": rest}}, "rest must not read the state"),
        ({"given": (0 <= rest,)}, "0 <= rest must not read the state"),
        ({"cases": (Case((), (Branch(ONE, {}),)),)}, "a branch must go to a whole state of rest"),
        ({"cases": (Case((), (Branch(ONE, {"p": rest}),)),)}, "a branch must go to a whole state of rest"),
        ({"integers": frozenset({"rest"})}, "rest is an integer and must not become p"),
        ({"integers": frozenset({"rest", "p"}), "cases": (Case((), (Branch(ONE, {"rest": rest / 2}),)),)},
         "rest is an integer and must not become rest / 2"),
    ],
)  # fmt: skip
def test_a_loop_whose_state_is_not_its_own_is_refused(change, said):
    with pytest.raises(TermError, match=said):
        replace(DIGITS, **change)


def test_a_primitive_whose_loop_assumes_more_than_its_conditions_is_refused():
    with pytest.raises(TermError, match="bernoulli must have the condition p <= 1"):
        replace(BERNOULLI, conditions=(read("0 <= p"),))
    with pytest.raises(TermError, match=r"bernoulli must have the condition integer\(n\)"):
        replace(BERNOULLI, parameters=("n",), conditions=(read("1 <= n"),), loop=SIZES)


def test_a_primitive_without_a_loop_has_its_statements_alone():
    assert primitive_obligations(replace(BERNOULLI, loop=None)) == {}
    assert list(primitive_obligations(BERNOULLI)) == list(loop_obligations(DIGITS))
