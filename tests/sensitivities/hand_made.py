"""Programs made by hand: what a reader of Python would make of the functions named in their comments."""

from fractions import Fraction

from refdp.sensitivities.program import Pass, Program
from refdp.sensitivities.records import Category, Number
from refdp.terms.leaves import FALSE, TRUE, ZERO, integer, rational, variable
from refdp.terms.operations import (
    absolute,
    add,
    at_most,
    choice,
    conjunction,
    divide,
    equal,
    larger,
    less,
    multiply,
    negation,
    smaller,
    subtract,
)

L, U = variable("L", "Real"), variable("U", "Real")
WIDTH, SIZE_OF = subtract(U, L), larger(absolute(L), absolute(U))
UNIT = Number(rational(0), rational(1))
BOUNDED = Number(L, U)
ANY = Number()
COLOURS = Category(("red", "green", "blue"))
(X,) = ANY.slots("row")
(C,) = COLOURS.slots("row")


def var(name, sort="Real"):
    return variable(name, sort)


def half(term):
    return multiply(rational(Fraction(1, 2)), term)


def program(record, states, output, parameters=(L, U), assumption=None, exception=ZERO):
    """A program of one pass; `states` maps each state variable to (start, step)."""
    known = (at_most(L, U) if parameters else TRUE) if assumption is None else assumption
    start, step = zip(*states.values(), strict=True) if states else ((), ())
    one = Pass(tuple(states), tuple(start), tuple(step))
    return Program("f", record, parameters, (one,), tuple(output), exception=exception, assumption=known)


def clamped(x):
    return larger(L, smaller(U, x))


def clamp_sum():
    """total += min(max(x, L), U)"""
    s = var("total")
    return program(ANY, {s: (rational(0), add(s, clamped(X)))}, [s])


def late_clamp():
    """the clamp after the sum"""
    s = var("total")
    return program(ANY, {s: (rational(0), add(s, X))}, [clamped(s)])


def count():
    """count += 1"""
    c = var("count", "Int")
    return program(ANY, {c: (ZERO, add(c, integer(1)))}, [c], ())


def count_above():
    """if x > L: count += 1"""
    c = var("count", "Int")
    return program(ANY, {c: (ZERO, add(c, choice(less(L, X), integer(1), ZERO)))}, [c])


def histogram(colours=COLOURS):
    """counts[colour] += 1"""
    (c,) = colours.slots("row")
    bins = [var(f"count.{i}", "Int") for i in range(len(colours.labels))]
    states = {b: (ZERO, add(b, choice(equal(c, integer(i)), integer(1), ZERO))) for i, b in enumerate(bins)}
    return program(colours, states, bins, ())


def saturated_count():
    """if count < 10: count += 1"""
    c = var("count", "Int")
    return program(ANY, {c: (ZERO, add(c, choice(less(c, integer(10)), integer(1), ZERO)))}, [c], ())


def running_max():
    """best = max(best, clamp(x)), from L"""
    m = var("best")
    return program(ANY, {m: (L, larger(m, clamped(X)))}, [m])


def max_gap():
    """gap = max(gap, abs(x - last)); last = x"""
    gap, last, seen = var("gap"), var("last"), var("seen", "Bool")
    step = choice(seen, larger(gap, absolute(subtract(X, last))), gap)
    return program(BOUNDED, {gap: (rational(0), step), last: (rational(0), X), seen: (FALSE, TRUE)}, [gap])


def moving_average():
    """average = average / 2 + x / 2, from L"""
    a = var("average")
    return program(BOUNDED, {a: (L, add(half(a), half(X)))}, [a])


def run_count():
    """if colour != last: runs += 1"""
    runs, last = var("runs", "Int"), var("last", "Int")
    step = add(runs, choice(equal(C, last), ZERO, integer(1)))
    return program(COLOURS, {runs: (ZERO, step), last: (integer(-1), C)}, [runs], ())


def first_two_sum():
    """if seen < 2: total += x; seen += 1"""
    s, seen = var("total"), var("seen", "Int")
    early = less(seen, integer(2))
    states = {s: (rational(0), choice(early, add(s, X), s)), seen: (ZERO, choice(early, add(seen, integer(1)), seen))}
    return program(BOUNDED, states, [s])


def greedy_budget():
    """if spent + x <= 10: spent += x; taken += 1"""
    spent, taken = var("spent"), var("taken", "Int")
    fits = at_most(add(spent, X), rational(10))
    states = {spent: (rational(0), choice(fits, add(spent, X), spent)), taken: (ZERO, add(taken, fits))}
    return program(Number(rational(1), rational(2)), states, [taken], ())


def mean_of_ten():
    """total / 10"""
    s = var("total")
    return program(BOUNDED, {s: (rational(0), add(s, X))}, [multiply(rational(Fraction(1, 10)), s)])


def has_any():
    """found = found or x > L"""
    f = var("found", "Bool")
    return program(ANY, {f: (FALSE, choice(f, TRUE, less(L, X)))}, [f])


def parity():
    """odd = not odd"""
    odd = var("odd", "Bool")
    return program(ANY, {odd: (FALSE, negation(odd))}, [odd], ())


def fragile_mean():
    """total / count: ZeroDivisionError for no rows"""
    s, c = var("total"), var("count", "Int")
    states = {s: (rational(0), add(s, X)), c: (ZERO, add(c, integer(1)))}
    empty = equal(c, ZERO)
    output = choice(empty, rational(0), divide(s, c))
    return program(UNIT, states, [output], (), exception=choice(empty, integer(1), ZERO))


def strict_sum():
    """raise ValueError where x < 0, else total += x"""
    s, bad = var("total"), var("bad", "Int")
    fails = less(X, rational(0))
    states = {
        s: (rational(0), choice(conjunction(equal(bad, ZERO), negation(fails)), add(s, X), s)),
        bad: (ZERO, choice(equal(bad, ZERO), choice(fails, integer(4), ZERO), bad)),
    }
    return program(Number(rational(-1), rational(1)), states, [s], (), exception=bad)


def above_the_average():
    """average = sum / 10; how many are above it: two passes"""
    s, c = var("total"), var("above", "Int")
    passes = (
        Pass((s,), (rational(0),), (add(s, X),)),
        Pass((c,), (ZERO,), (add(c, choice(less(multiply(rational(Fraction(1, 10)), s), X), integer(1), ZERO)),)),
    )
    return Program("f", UNIT, (), passes, (c,))


def sum_twice():
    """the sum, then the sum again: two passes"""
    s, r = var("total"), var("again")
    passes = (Pass((s,), (rational(0),), (add(s, X),)), Pass((r,), (rational(0),), (add(r, X),)))
    return Program("f", UNIT, (), passes, (s, r))
