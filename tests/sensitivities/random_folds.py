"""Small random programs, and how far each moves on all tables of a few rows, by running it."""

import random
from fractions import Fraction
from itertools import permutations, product

from refdp.sensitivities.program import Pass, Program
from refdp.sensitivities.records import Category, Number
from refdp.terms.exact_values import evaluate
from refdp.terms.leaves import FALSE, TRUE, ZERO, integer, rational, variable, variables
from refdp.terms.operations import (
    absolute,
    add,
    at_most,
    choice,
    conjunction,
    disjunction,
    equal,
    floor,
    larger,
    less,
    multiply,
    negation,
    real,
    smaller,
    subtract,
)

RECORDS = (Category(("a", "b", "c")), Number(integer(-1), integer(1), True), Number(integer(0), integer(2), True))
VALUES = ((0, 1, 2), (-1, 0, 1), (0, 1, 2))
INFINITE = None


def random_program(seed):
    """A program of one or two passes over integer, real and truth states, and the values its records have."""
    rng = random.Random(seed)
    which = rng.randrange(3)
    record, values = RECORDS[which], VALUES[which]
    (x,) = record.slots("row")
    passes, seen = [], []
    for number in range(rng.choice((1, 1, 1, 2))):
        sorts = [rng.choice(("Int", "Int", "Real", "Bool")) for _ in range(rng.randint(1, 3 - number))]
        state = [variable(f"s{number}.{i}", sort) for i, sort in enumerate(sorts)]
        start = [term(rng, s.sort, seen, 1) for s in state]
        step = [telling_step(rng, s, [*seen, *state, x]) for s in state]
        passes.append(Pass(tuple(state), tuple(start), tuple(step)))
        seen += state
    numbers = [s for s in seen if s.sort != "Bool"]
    raised = ZERO
    if numbers and rng.random() < 0.1:
        raised = choice(less(integer(2), rng.choice(numbers)), integer(1), ZERO)
    return Program(f"random {seed}", record, (), tuple(passes), tuple(seen), exception=raised), values


def telling_step(rng, state, known):
    """A step that reads the row."""
    while known[-1] not in variables(one := next_state(rng, state, known)):
        pass
    return one


def next_state(rng, state, known):
    """A step of the shapes that folds have: counting, adding, best so far, saturating, overwriting."""
    if state.sort == "Bool":
        return term(rng, "Bool", known, 2)
    one = term(rng, state.sort, known[-1:], 1)
    shape = rng.randrange(7)
    if shape == 0:
        return add(state, one)
    if shape == 1:
        return choice(term(rng, "Bool", known, 1), add(state, one), state)
    if shape == 2:
        return rng.choice((larger, smaller))(state, one)
    if shape == 3:
        return smaller(integer(3), larger(integer(-2), add(state, one)))
    if shape == 4:
        return choice(term(rng, "Bool", known, 1), one, state)
    if shape == 5 and state.sort == "Real":
        return multiply(rational(Fraction(1, 2)), add(state, one))
    return term(rng, state.sort, known, 2)


def term(rng, sort, known, depth):
    """A random term of a sort."""
    if sort == "Real":
        return real(term(rng, "Int", [k for k in known if k.sort != "Real"], depth))
    fitting = [k for k in known if k.sort == sort]
    if depth == 0 or rng.random() < 0.2:
        return rng.choice([*fitting, *fitting, *((TRUE, FALSE) if sort == "Bool" else map(integer, (-1, 0, 1, 2)))])
    below = lambda kind: term(rng, kind, known, depth - 1)  # noqa: E731
    if sort == "Bool":
        shape = rng.randrange(5)
        if shape == 0:
            return negation(below("Bool"))
        if shape == 1:
            return rng.choice((conjunction, disjunction))(below("Bool"), below("Bool"))
        return rng.choice((less, at_most, equal))(below("Int"), below("Int"))
    shape = rng.randrange(6)
    if shape == 0:
        return choice(below("Bool"), below("Int"), below("Int"))
    if shape == 1:
        return absolute(below("Int"))
    if shape == 2:
        return floor(multiply(rational(Fraction(1, 2)), below("Int")))
    return rng.choice((add, subtract, larger, smaller))(below("Int"), below("Int"))


class Runner:
    """Runs a program on tables of plain integers; steps are remembered."""

    def __init__(self, program):
        self.program, self.known = program, {}
        (self.x,) = program.record.slots("row")

    def outcome(self, rows):
        found = {}
        for index, one in enumerate(self.program.passes):
            state = self.values(("start", index), one.start, found, ())
            for row in rows:
                state = self.values(
                    ("step", index), one.step, {**found, **dict(zip(one.state, state, strict=True))}, (row,)
                )
            found |= zip(one.state, state, strict=True)
        return self.values(("out",), (self.program.exception, *self.program.output), found, ())

    def values(self, what, terms, found, row):
        key = (what, tuple(found.values()), row)
        if key not in self.known:
            given = {**found, **({self.x: Fraction(row[0])} if row else {})}
            self.known[key] = tuple(evaluate(t, given) for t in terms)
        return self.known[key]


def furthest(program, values, neighbours, tables, rows):
    """The largest L1 distance between answers on neighbours of at most `rows` rows; INFINITE where one raises."""
    runner, most = Runner(program), Fraction(0)
    for n in range(rows + 1):
        for table in product(values, repeat=n):
            for other in neighbouring(table, values, neighbours):
                for either in set(permutations(other)) if tables == "multisets" else (other,):
                    (raised, *first), (raised_too, *second) = runner.outcome(table), runner.outcome(either)
                    if raised != raised_too:
                        return INFINITE
                    if not raised:
                        most = max(
                            most, sum((abs(Fraction(a) - Fraction(b)) for a, b in zip(first, second, strict=True)))
                        )
    return most


def neighbouring(table, values, neighbours):
    """The tables with one row removed, or one row changed."""
    for place in range(len(table)):
        if neighbours == "add_remove":
            yield table[:place] + table[place + 1 :]
        else:
            yield from ((*table[:place], v, *table[place + 1 :]) for v in values if v != table[place])
