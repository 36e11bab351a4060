"""No sequence of rules makes a false theorem: random derivations, each conclusion held against its definition."""

from collections import Counter
from fractions import Fraction as F

import pytest

import refdp.derivations  # noqa: F401  (it registers the functions of outputs)
from refdp.kernel import rules
from refdp.kernel.judgements import KernelError
from refdp.spec.domains import members
from refdp.spec.semantics import law as law_of
from refdp.spec.semantics import written
from refdp.terms.term import apply, number
from tests.exactness.claims import least_impossible, private, stable, tight
from tests.exactness.definition import is_true, near, pairs_of
from tests.exactness.entering import entered, exactly, given, lookup, row_map
from tests.exactness.laws import chances, random_laws, share, tables
from tests.exactness.workshop import MOVES, Workshop

TABLES, GRID = tables(range(2), 2), tuple(range(-2, 4))
STEPS = 70


def inputs_of(domain):
    """Members of the domain: all of a finite one, small tables, a window of the grid."""
    if domain.operator == "table":
        return TABLES
    return GRID if domain.operator == "grid" else tuple(map(int, members(domain)))


def rows_in(table):
    """The number of rows."""
    return len(table)


def clamped_to_3(x):
    """The state of a number on the grid."""
    return max(-2, min(int(x), 3))


def mechanisms(chance):
    """Arbitrary mechanisms: two of a number below 3, two of the number of rows, one of a number on the grid; and what
    is true of them, some of it with a delta."""
    below, counts, grid = (random_laws(chance, states, 2) for states in (range(6), range(6), GRID))
    split = {"m_0": (range(3), 0), "m_1": (range(3), 3)}
    kinds, claims = [], []
    for stem, (states, start) in split.items():
        laws = {x: below[start + x] for x in states}
        kinds.append(lookup(stem, "finite(3)", laws))
        measure = chance.choice(["pure", "approximate", "renyi"])
        loss = tight(measure, pairs_of(laws, near(tuple(states), "absolute", 1)), chance)
        claims.append(private(f"{stem}()", "finite(3)", "absolute", 1, measure, loss))
    for stem, start in (("n_0", 0), ("n_1", 3)):
        laws = {n: counts[start + n] for n in range(3)}
        kinds.append(lookup(stem, "table(finite(2))", laws, rows_in))
        measure = chance.choice(["pure", "pure", "approximate"])
        loss = tight(measure, pairs_of(laws, [(0, 1), (1, 0), (1, 2), (2, 1)]), chance)
        claims.append(private(f"{stem}()", "table(finite(2))", "symmetric", 1, measure, loss))
    kinds.append(lookup("g", "grid(1)", grid, clamped_to_3))
    loss = tight("pure", pairs_of(grid, near(GRID, "absolute", 1)), chance)
    claims.append(private("g()", "grid(1)", "absolute", 1, "pure", loss))
    return kinds, claims


def test_derived_theorems_are_true():
    """Thousands of rules tried on what was derived before, with data around what is just right; the neighbours are
    tables of at most two rows, numbers below 3, and a window of the grid."""
    made, refused = Counter(), Counter()
    for chance in chances("derivations", 90):
        kinds, claims = mechanisms(chance)
        part = row_map("part_of", "finite(2)", "category(2)", {r: chance.randint(-1, 1) for r in range(2)})
        same = row_map("same", "finite(2)", "finite(2)", {r: chance.randint(0, 1) for r in range(2)})
        first = [stable("same()", "table(finite(2))", m, d, "table(finite(2))", m, d)
                 for m in ("symmetric", "change_one") for d in (1, 2)]  # fmt: skip
        with entered(*kinds, part, same):
            shop = Workshop(chance, list(map(given, claims)), list(map(given, first)), "part_of()")
            for _ in range(STEPS):
                found = shop.step()
                if found is not None:
                    assert_true(found.claim, chance)
        made, refused = made + shop.made, refused + shop.refused
    assert set(made) == set(MOVES) or not __debug__  # under -O so few derivations may lack some move
    assert sum(made.values()) > share(1500)
    assert sum(refused.values()) > share(1000)


def assert_true(claim, chance):
    """The claim holds by its definition on all inputs at hand, and no random event refutes it."""
    inputs = inputs_of(claim.domain)
    laws = {x: law_of(claim.subject, exactly(x)) for x in inputs}
    if claim.measure != "renyi" or claim.d_out[0].rational.denominator == 1:
        assert is_true(claim, laws.__getitem__, inputs), claim.term
    if claim.measure not in ("pure", "approximate", "loss_tail", "ratio"):
        return
    a, b = chance.choice(near(inputs, claim.metric, claim.d_in.rational) or [(inputs[0], inputs[0])])
    event = chance.sample(list(laws[a]), chance.randint(1, len(laws[a])))
    words = {"a": written(exactly(a)), "b": written(exactly(b)), "event": apply("tuple_of", *map(outcome, event))}
    with pytest.raises(KernelError):
        rules.unlikely_elsewhere(claim=claim.term, **words)


def outcome(y):
    """The outcome as a term."""
    return apply("tuple_of", *map(outcome, y)) if isinstance(y, tuple) else written(F(y))


@pytest.mark.parametrize("measure", ["pure", "approximate"])
def test_a_claim_a_thousandth_below_the_least_is_derived_in_no_way(measure):
    """Every rule that keeps the subject, with the false loss as its bound: refused; enumeration says the true one."""
    for chance in chances(f"false {measure}", 150):
        laws = random_laws(chance, range(3), 3, least_impossible(measure))
        loss = tight(measure, pairs_of(laws, near((0, 1, 2), "absolute", 1)), chance)
        least = [*map(str, loss[:-1]), str(loss[-1] + number(F(-1, 1000)))]
        with entered(lookup("m", "finite(3)", laws)):
            words = {"subject": "m()", "domain": "finite(3)", "metric": "absolute", "d_in": "1", "measure": measure}
            factor = {} if measure == "pure" else {"factor": str(loss[0].arguments[0]) if loss[0].arguments else "1"}
            true = rules.finite_mechanism(**words, **factor)
            assert true.claim.d_out == loss
            attempts = [
                lambda t=true, d=least: rules.weaken(t, d_out=d),
                lambda t=true, d=least: rules.weaken(t, d_out=d, d_in="1"),
                lambda t=true, d=least: rules.weaken(t, d_out=d, d_in="999/1000"),
                lambda t=true, d=least: rules.instantiate(t, values={}, d_out=d),
                lambda t=true, d=least: rules.group(t, k="1", d_out=d),
            ]
            for attempt in attempts:
                with pytest.raises(KernelError):
                    attempt()
            for shape in (rules.compose(true), rules.post_process(true, function="clamp_output(0, 9)")):
                assert shape.claim.d_out == loss
                with pytest.raises(KernelError):
                    rules.weaken(shape, d_out=least)
