"""Poisson sampling against its definition: the mixture over every sample, for all small tables and their neighbours."""

from fractions import Fraction as F
from itertools import combinations, product
from math import prod

import pytest

from refdp.kernel import rules
from refdp.kernel.judgements import KernelError
from refdp.spec.semantics import law as law_of
from refdp.terms.term import ln, number
from tests.exactness.claims import FACTORS, least_impossible, ln_of, private
from tests.exactness.definition import near, pairs_of, satisfied, worst_excess, worst_ratio
from tests.exactness.entering import entered, exactly, given, lookup
from tests.exactness.laws import chances, random_laws, share, tables

pytestmark = pytest.mark.usefixtures("nameless")

ROWS = tuple(range(2))
TABLES = tables(ROWS, 2)
CLOSE = near(TABLES, "symmetric", 1)


def mixture(laws, table, rate):
    """The law of the mechanism on a sample of the table, by its definition."""
    found = {}
    for kept in product((0, 1), repeat=len(table)):
        weight = prod((rate if one else 1 - rate for one in kept), start=F(1))
        sample = tuple(row for row, one in zip(table, kept, strict=True) if one)
        for y, p in laws[sample].items():
            found[y] = found.get(y, F(0)) + weight * p
    return found


@pytest.mark.parametrize("measure", ["pure", "approximate"])
def test_poisson_sampling_is_never_exceeded_by_the_mixture(measure):
    """Arbitrary laws of tables of at most two rows; rate times epsilon would often be exceeded."""
    sharp = 0
    for chance in chances(f"poisson {measure}"):
        laws = random_laws(chance, TABLES, 2, least_impossible(measure))
        pairs, rate = pairs_of(laws, CLOSE), F(chance.randint(0, 8), 8)
        t = worst_ratio(pairs) if measure == "pure" else chance.choice(FACTORS)
        loss = (ln_of(t),) if measure == "pure" else (ln_of(t), number(worst_excess(pairs, t)))
        premise = given(private("m()", "table(finite(2))", "symmetric", 1, measure, loss))
        claim = rules.poisson_sampled(premise, rate=str(rate)).claim
        assert claim.d_out == (ln_of(1 + rate * (t - 1)), *(number(rate * d.rational) for d in loss[1:]))
        sampled = {x: mixture(laws, x, rate) for x in TABLES}
        with entered(lookup("m", "table(finite(2))", laws)):
            assert all(law_of(claim.subject, exactly(x)) == sampled[x] for x in TABLES[1::2])
        after = pairs_of(sampled, CLOSE)
        assert satisfied(measure, claim.d_out, after)
        if measure == "pure":
            sharp += worst_ratio(after) ** 8 > t ** int(rate * 8)
        else:
            sharp += not satisfied(measure, (claim.d_out[0], number(rate * loss[1].rational * F(2, 3))), after)
    assert sharp > share(50)


def test_poisson_sampling_reaches_its_bound_where_one_row_decides():
    for t, rate in product([F(2), F(5, 2), F(7)], [F(1, 3), F(1, 2), F(1)]):
        laws = {0: {0: F(1, t + 1), 1: F(t, t + 1)}, 1: {0: F(t, t + 1), 1: F(1, t + 1)}}
        sampled = {0: laws[0], 1: {y: (1 - rate) * laws[0][y] + rate * laws[1][y] for y in (0, 1)}}
        premise = given(private("m()", "table(finite(1))", "symmetric", 1, "pure", (ln_of(t),)))
        claim = rules.poisson_sampled(premise, rate=str(rate)).claim
        assert claim.d_out == (ln_of(worst_ratio([(sampled[0], sampled[1]), (sampled[1], sampled[0])])),)


def test_poisson_sampling_would_be_wrong_for_replaced_rows():
    """Nothing is known of the empty table there: where it hides an outcome, a sample of one row costs all epsilon."""
    t, rate = F(2), F(1, 2)
    laws = {x: {0: p, 1: 1 - p} for x, p in {(): F(0), (0,): F(2, 3), (1,): F(1, 3)}.items()}
    pair = [(laws[0,], laws[1,]), (laws[1,], laws[0,])]
    assert worst_ratio(pair) == t
    sampled = {x: mixture(laws, x, rate) for x in laws}
    assert worst_ratio([(sampled[0,], sampled[1,])]) == t > 1 + rate * (t - 1)
    claim = private("m()", "table(finite(2))", "change_one", 1, "pure", (ln_of(t),))
    with pytest.raises(KernelError, match="added to or removed"):
        rules.poisson_sampled(given(claim), rate=str(rate))


def test_poisson_sampling_of_a_negative_epsilon_is_refused():
    """(ln(1/2), 1) holds of any two laws, (ln(3/4), 1/2) does not hold of all at rate 1/2."""
    rate, (p, q) = F(1, 2), ({0: F(1)}, {1: F(1)})
    loss = (ln(F(1, 2)), number(1))
    assert satisfied("approximate", loss, [(p, q), (q, p)])
    assert not satisfied("approximate", (ln(F(3, 4)), number(rate)), [(q, {0: rate, 1: 1 - rate})])
    premise = given(private("m()", "table(finite(2))", "symmetric", 1, "approximate", loss))
    with pytest.raises(KernelError, match="does not hold"):
        rules.poisson_sampled(premise, rate=str(rate))


SIZED = {n: tables(ROWS, n, n) for n in (1, 2, 3, 4)}


def drawn(laws, table, size):
    """The law of the mechanism on a sample of that size, by its definition."""
    samples = list(combinations(table, size))
    found = {}
    for sample in samples:
        for y, p in laws[sample].items():
            found[y] = found.get(y, F(0)) + p / len(samples)
    return found


@pytest.mark.parametrize("measure", ["pure", "approximate"])
def test_fixed_size_sampling_is_never_exceeded_by_the_mixture(measure):
    """Arbitrary laws of samples of one or two rows out of up to four; rate times epsilon would often be exceeded."""
    sharp = 0
    for chance in chances(f"fixed size {measure}"):
        size, n = chance.choice([(1, 1), (1, 2), (1, 3), (1, 4), (2, 2), (2, 3), (2, 4)])
        laws = random_laws(chance, SIZED[size], 2, least_impossible(measure))
        pairs, rate = pairs_of(laws, near(SIZED[size], "change_one", 1)), F(size, n)
        t = worst_ratio(pairs) if measure == "pure" else chance.choice(FACTORS)
        loss = (ln_of(t),) if measure == "pure" else (ln_of(t), number(worst_excess(pairs, t)))
        domain = chance.choice(["table(finite(2))", f"sized_table(finite(2), {size})"])
        premise = given(private("m()", domain, "change_one", 1, measure, loss))
        claim = rules.fixed_size_sampled(premise, sample=str(size), size=str(n)).claim
        assert claim.d_out == (ln_of(1 + rate * (t - 1)), *(number(rate * d.rational) for d in loss[1:]))
        assert (str(claim.domain), claim.metric) == (f"sized_table(finite(2), {n})", "change_one")
        sampled = {x: drawn(laws, x, size) for x in SIZED[n]}
        with entered(lookup("m", domain, laws)):
            assert all(law_of(claim.subject, exactly(x)) == sampled[x] for x in SIZED[n])
        after = pairs_of(sampled, near(SIZED[n], "change_one", 1))
        assert satisfied(measure, claim.d_out, after)
        if measure == "pure":
            sharp += worst_ratio(after) ** n > t**size
        else:
            sharp += not satisfied(measure, (claim.d_out[0], number(rate * loss[1].rational * F(2, 3))), after)
    assert sharp > share(50)


def test_fixed_size_sampling_reaches_its_bound_where_one_row_decides():
    """One row of n rows, of which the mechanism tells whether it is 1."""
    for t, n in product([F(2), F(7)], [1, 2, 5]):
        laws = {(0,): {0: t / (t + 1), 1: 1 / (t + 1)}, (1,): {0: 1 / (t + 1), 1: t / (t + 1)}}
        premise = given(private("m()", "table(finite(2))", "change_one", 1, "pure", (ln_of(t),)))
        claim = rules.fixed_size_sampled(premise, sample="1", size=str(n)).claim
        none, one = (drawn(laws, (0,) * (n - 1) + (last,), 1) for last in (0, 1))
        assert claim.d_out == (ln_of(worst_ratio([(one, none)])),)
