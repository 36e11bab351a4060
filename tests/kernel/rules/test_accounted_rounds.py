"""Accounts of rounds: what the rule writes, the pair of each form, and every condition without which it is refused."""

import pytest

import refdp.mechanisms  # noqa: F401  (importing them registers the noise that rounds are about)
from refdp.kernel import rules
from refdp.kernel.certificate import certificate, parsed, replay, text_of
from refdp.kernel.judgements import KernelError
from refdp.kernel.rules.accounted_rounds import pair_of_mechanism, pair_of_round
from refdp.kernel.rules.accounts import NOTHING, finite, moved_twice, points, renyi
from refdp.spec.well_formed import require_mechanism
from refdp.terms.reading import read
from refdp.terms.term import TermError, apply, number

ADDED, REPLACED = (read("table(rows)"), "symmetric", number(1)), (read("table(rows)"), "change_one", number(1))
SIZED = (read("sized_table(rows, 9)"), "change_one", number(1))
LOCAL = (read("finite(2)"), "discrete", number(1))
BITS = {"both bits": "64"}
SIDES = {"remove bits": "64", "add bits": "64"}


def account(*rounds, **others):
    words = {"domain": "table(rows)", "near": "symmetric", "d_in": "1", "epsilon": "2", "delta": "1/10",
             "engine": "lattice", "evidence": BITS} | others  # fmt: skip
    return rules.account_rounds(rounds=list(rounds), **words)


def test_the_claim_is_about_every_way_to_choose_and_names_engine_and_arithmetic():
    found = account("repeated(pure(1/2), 2)", "chain(l1(1), discrete_laplace(2, 1))")
    assert str(found.claim.term) == (
        "private(rounds(repeated(pure(1/2), 2), chain(l1(1), discrete_laplace(2, 1))), table(rows), symmetric(1), "
        "approximate(2, 1/10))"
    )
    assert found.trusts == {"Arb", "engine: lattice"}
    local = account("pure(ln(3))", domain="finite(2)", near="discrete", epsilon="1", delta="1/3").claim
    assert (str(local.domain), local.metric, str(local.d_in)) == ("finite(2)", "discrete", "1")
    assert str(rules.instantiate(found, values={"rows": "records()"}).claim.domain) == "table(records())"


@pytest.mark.parametrize(
    ("said", "where", "pair"),
    [
        ("pure(ln(3))", ADDED, "response(ln(3), 0) 1"),
        ("approximate(1, 1/9)", ADDED, "response(1, 1/9) 1"),
        ("gaussian(1/4)", ADDED, "normal(1/4) 1"),
        ("gaussian(0)", ADDED, "response(0, 0) 1"),
        ("chain(l2(3), gaussian(2))", ADDED, "normal(9/4) 1"),
        ("chain(l1(3), gaussian(2))", ADDED, "normal(9/4) 1"),
        ("chain(l1(3), laplace(2))", ADDED, "laplace(3/2) 1"),
        ("chain(l1(0), laplace(2))", ADDED, "response(0, 0) 1"),
        ("chain(l1(3/4), discrete_laplace(2, 1/2))", ADDED, "discrete_laplace(1/4, 1) 1"),
        (
            "chain(l1(1), discrete_gaussian(3, 1/2))",
            (read("finite(4)"), "absolute", number(2)),
            "discrete_gaussian(36, 2) 1",
        ),
        ("repeated(pure(1), 1000000)", ADDED, "response(1, 0) 1000000"),
        ("repeated(poisson_sampled(1/3, pure(1)), 7)", ADDED, "response(1, 0) 7 at 1/3 poisson"),
        ("poisson_sampled(1, pure(1))", ADDED, "response(1, 0) 1"),
        ("poisson_sampled(0, pure(1))", ADDED, "response(0, 0) 1"),
        ("poisson_sampled(1/3, chain(l2(3), gaussian(2)))", REPLACED, "normal(9/4) 1 at 1/3 replaced"),
        ("poisson_sampled(1/3, gaussian(2))", REPLACED, "normal(2) 1 at 1/3 replaced"),
        ("poisson_sampled(1, gaussian(2))", REPLACED, "normal(8) 1"),
        ("poisson_sampled(1, chain(l1(3), laplace(2)))", REPLACED, "laplace(3) 1"),
        ("poisson_sampled(1, chain(l1(1), discrete_laplace(2, 1)))", REPLACED, "discrete_laplace(1/2, 2) 1"),
        ("poisson_sampled(1, chain(l1(2), discrete_gaussian(2, 1)))", REPLACED, "discrete_gaussian(4, 4) 1"),
        ("poisson_sampled(1/3, gaussian(2))", SIZED, "normal(2) 1 at 1/3 replaced"),
        ("fixed_size_sampled(3, gaussian(2))", SIZED, "normal(2) 1 at 1/3 fixed_size"),
        ("repeated(fixed_size_sampled(3, pure(1)), 4)", SIZED, "response(1, 0) 4 at 1/3 fixed_size"),
        ("fixed_size_sampled(9, pure(1))", SIZED, "response(1, 0) 1"),
        ("fixed_size_sampled(9, gaussian(2))", SIZED, "normal(2) 1"),
        ("concentrated(1/8)", ADDED, "concentrated(1/8) 1"),
        ("concentrated(0)", ADDED, "response(0, 0) 1"),
        ("renyi(8, 1)", ADDED, "renyi(8, 1) 1"),
        ("repeated(all_of(renyi(2, 1/9), renyi(3/2, 0)), 4)", ADDED, "renyi(2, 1/9, 3/2, 0) 4"),
        ("all_of(renyi(2, 1))", ADDED, "renyi(2, 1) 1"),
        ("all_of(approximate(0, 1), approximate(2, 0))", LOCAL, "points(0, 1, 2, 0) 1"),
        ("bounded_range(ln(3))", ADDED, "bounded_range(ln(3)) 1"),
        ("bounded_range(0)", ADDED, "response(0, 0) 1"),
        ("poisson_sampled(1/3, bounded_range(2))", ADDED, "response(2, 0) 1 at 1/3 poisson"),
        ("poisson_sampled(1, bounded_range(2))", ADDED, "bounded_range(2) 1"),
        ("poisson_sampled(0, bounded_range(2))", ADDED, "response(0, 0) 1"),
        ("fixed_size_sampled(3, bounded_range(2))", SIZED, "response(2, 0) 1 at 1/3 fixed_size"),
        ("fixed_size_sampled(9, bounded_range(2))", SIZED, "bounded_range(2) 1"),
        ("poisson_sampled(1/3, bounded_range(0))", REPLACED, "response(0, 0) 1 at 1/3 replaced"),
        ("chain(linf(3), exponential(4))", ADDED, "bounded_range(3/2) 1"),
        ("chain(monotone(3), exponential(4))", ADDED, "bounded_range(3/4) 1"),
        ("chain(linf(3), gumbel_noisy_max(4))", REPLACED, "bounded_range(3/2) 1"),
        ("chain(monotone(3), gumbel_noisy_max(4))", LOCAL, "bounded_range(3/4) 1"),
        ("chain(linf(3), permute_and_flip(4))", ADDED, "laplace(3/2) 1"),
        ("chain(linf(3), exponential_noisy_max(4))", ADDED, "laplace(3/2) 1"),
        ("repeated(chain(linf(3), laplace_noisy_max(4)), 5)", ADDED, "laplace(3/2) 5"),
        ("chain(linf(0), laplace_noisy_max(4))", ADDED, "response(0, 0) 1"),
        ("chain(linf(0), exponential(4))", ADDED, "response(0, 0) 1"),
        ("poisson_sampled(1/3, chain(linf(3), permute_and_flip(4)))", ADDED, "laplace(3/2) 1 at 1/3 poisson"),
        ("fixed_size_sampled(3, chain(linf(3), permute_and_flip(4)))", SIZED, "laplace(3/2) 1 at 1/3 fixed_size"),
        ("fixed_size_sampled(3, chain(linf(3), exponential(4)))", SIZED, "response(3/2, 0) 1 at 1/3 fixed_size"),
        ("dominated_by(tuple_of(3/4, 1/4), tuple_of(0, 1))", ADDED, "finite(3/4, 0, 1/4, 1) 1"),
        ("dominated_by(tuple_of(3/4, 1/4), tuple_of(0, 1))", REPLACED, "finite(3/4, 0, 1/4, 1) 1"),
        ("fixed_size_sampled(3, dominated_by(tuple_of(1), tuple_of(1)))", SIZED, "finite(1, 1) 1 at 1/3 fixed_size"),
        ("dominated_in_order(tuple_of(3/4, 1/4), tuple_of(0, 1))", ADDED, "ordered(3/4, 0, 1/4, 1) 1"),
        ("dominated_in_order(tuple_of(3/4, 1/4), tuple_of(0, 1))", LOCAL, "ordered(3/4, 0, 1/4, 1) 1"),
        ("poisson_sampled(1/3, dominated_in_order(tuple_of(1), tuple_of(1)))", ADDED, "ordered(1, 1) 1 at 1/3 poisson"),
        ("cyclic_poisson_sampled(1/3, 5, 20, pure(1))", ADDED, "response(1, 0) 4 at 1/3 poisson"),
        ("cyclic_poisson_sampled(1/3, 5, 21, pure(1))", ADDED, "response(1, 0) 5 at 1/3 poisson"),
        ("cyclic_poisson_sampled(1, 5, 4, gaussian(2))", ADDED, "normal(2) 1"),
        ("cyclic_poisson_sampled(0, 1, 4, gaussian(2))", ADDED, "response(0, 0) 4"),
        ("repeated(cyclic_poisson_sampled(1/3, 5, 21, pure(1)), 3)", ADDED, "response(1, 0) 15 at 1/3 poisson"),
        ("shuffled_response(9, 3/4)", REPLACED, "shuffled_response(9, 3/4) 1"),
        ("shuffled_response(1, 1/2)", SIZED, "shuffled_response(1, 1/2) 1"),
        ("repeated(shuffled(1000000, 1/2 + ln(2)), 3)", LOCAL, "shuffled(1000000, 1/2 + ln(2)) 3"),
        ("poisson_sampled(1, gaussian(0))", REPLACED, "response(0, 0) 1"),
        ("poisson_sampled(0, gaussian(1))", REPLACED, "response(0, 0) 1"),
    ],
)
def test_every_round_has_the_pair_of_what_is_known_of_it(said, where, pair):
    found = pair_of_round(read(said), where)
    sampled = "" if found.rate is None else f" at {found.rate} {found.scheme}"
    assert f"{found.name}({', '.join(map(str, found.numbers))}) {found.count}{sampled}" == pair
    require_mechanism(read(f"rounds({said})"))


def test_samples_are_told_apart_by_a_row_removed_added_or_replaced():
    half = "poisson_sampled(1/2, chain(l1(1), laplace(2)))"
    for near, evidence in (("symmetric", SIDES), ("change_one", {"replace bits": "64"})):
        words = {"near": near, "evidence": evidence, "epsilon": "1/3", "delta": "1/5", "engine": "closed forms"}
        assert account(half, **words).claim.metric == near
        for others in ({"evidence": BITS}, {"evidence": {}}, {"epsilon": "0", "delta": "1/100"}):
            with pytest.raises(KernelError):
                account(half, **words | others)
    drawn = account("fixed_size_sampled(3, chain(l1(1), laplace(2)))", domain="sized_table(rows, 9)", near="change_one",
                    epsilon="1/3", delta="1/9", engine="closed forms", evidence={"replace bits": "64"})  # fmt: skip
    assert str(drawn.claim.domain) == "sized_table(rows, 9)"
    none = account("poisson_sampled(0, pure(1))", epsilon="0", delta="0").claim
    assert list(map(str, none.d_out)) == ["0", "0"]


NINE = {"domain": "sized_table(rows, 9)", "near": "change_one"}
LAPLACE = "chain(l1(1), discrete_laplace(2, 1))"


@pytest.mark.parametrize(
    ("rounds", "words", "reason"),
    [
        ([], {}, "there must be 1 to 10000 rounds, got 0"),
        (["pure(1)"] * 10_001, {}, "there must be 1 to 10000 rounds"),
        (["concentrated(-1/8)"], {}, "rho must be >= 0"),
        (["concentrated(sqrt(2))"], {}, "."),
        (["concentrated(1, 2)"], {}, "is not an amount of privacy loss"),
        (["renyi(1, 1)"], {}, "an order must be > 1"),
        (["renyi(1/2, 1)"], {}, "an order must be > 1"),
        (["renyi(2, -1)"], {}, "its epsilon >= 0"),
        (["renyi(2)"], {}, "is not an amount of privacy loss"),
        (["concentrated(1/8)"], {}, "not found to lie on a lattice"),
        (["all_of()"], {}, "is not an amount of privacy loss"),
        (["all_of(pure(1))"], {}, "must all be under renyi, or under approximate"),
        (["all_of(concentrated(1), concentrated(2))"], {}, "must all be under renyi, or under approximate"),
        (["all_of(renyi(2, 1), approximate(1, 0))"], {}, "must all be under renyi, or under approximate"),
        (["all_of(renyi(2, 1), renyi(1, 1))"], {}, "an order must be > 1"),
        (["all_of(approximate(-1, 0))"], {}, "epsilon must be >= 0 and delta from 0 to 1"),
        (["all_of(approximate(1, 2))"], {}, "epsilon must be >= 0 and delta from 0 to 1"),
        (["all_of(approximate(1, -1))"], {}, "epsilon must be >= 0 and delta from 0 to 1"),
        (["all_of(approximate(ln(2), 0))"], {}, "."),
        (["all_of(all_of(renyi(2, 1)))"], {}, "is not an amount of privacy loss"),
        (["all_of(gaussian(1))"], {}, "is not an amount of privacy loss"),
        (["bounded_range(-1)"], {}, "the length of an interval must be >= 0"),
        (["bounded_range(e)"], {}, "."),
        (["bounded_range(1, 2)"], {}, "is not an amount of privacy loss"),
        (["poisson_sampled(1/2, concentrated(1/8))"], {}, "known by concentrated alone has no bound on samples"),
        (["poisson_sampled(1, concentrated(1/8))"], {}, "known by concentrated alone has no bound on samples"),
        (["poisson_sampled(0, renyi(2, 1))"], {}, "known by renyi alone has no bound on samples"),
        (["poisson_sampled(1/2, all_of(approximate(1, 0)))"], {}, "known by points alone has no bound on samples"),
        (["fixed_size_sampled(3, concentrated(1/8))"], {"domain": "sized_table(rows, 9)", "near": "change_one"},
         "known by concentrated alone has no bound on samples"),
        (["cyclic_poisson_sampled(1/2, 2, 4, concentrated(1/8))"], {}, "known by concentrated alone"),
        (["poisson_sampled(1/2, bounded_range(1))"], {"near": "change_one"}, "must be seen through noise"),
        (["poisson_sampled(1/2, chain(linf(1), permute_and_flip(2)))"], {"near": "change_one"},
         "must be seen through noise"),
        (["poisson_sampled(1, chain(linf(1), laplace_noisy_max(2)))"], {"near": "change_one"},
         "must be seen through noise"),
        (["poisson_sampled(1/2, dominated_by(tuple_of(1/3, 2/3), tuple_of(2/3, 1/3)))"], {"near": "change_one"},
         "must be seen through noise"),
        (["chain(linf(-1), exponential(2))"], {}, "a score must move by >= 0"),
        (["chain(linf(1), exponential(-2))"], {}, "breaks 0 < scale"),
        (["chain(linf(1), exponential(0))"], {}, "breaks 0 < scale"),
        (["chain(linf(1), exponential(s))"], {}, "must be numbers"),
        (["chain(linf(d), exponential(2))"], {}, "."),
        (["chain(l1(1), exponential(2))"], {}, "is not what belongs there"),
        (["chain(l2(1), permute_and_flip(2))"], {}, "is not what belongs there"),
        (["chain(one_coordinate(1), exponential(2))"], {}, "is not an amount of privacy loss"),
        (["chain(linf(1), with_its_value(laplace_noisy_max(2)))"], {}, "."),
        (["chain(linf(1), randomised_response(3/4))"], {}, "is not what belongs there"),
        (["chain(monotone(1), permute_and_flip(2))"], {}, "needs a distance of each score"),
        (["chain(monotone(1), exponential_noisy_max(2))"], {}, "needs a distance of each score"),
        (["chain(monotone(1), laplace_noisy_max(2))"], {}, "needs a distance of each score"),
        (["dominated_by(tuple_of(1/2, 1/2), tuple_of(1))"], {}, "two laws must have as many outcomes"),
        (["dominated_by(tuple_of(), tuple_of())"], {}, "."),
        (["dominated_by(tuple_of(1/2, 1/3), tuple_of(1/2, 1/2))"], {}, "probabilities that sum to 1"),
        (["dominated_by(tuple_of(3/2, -1/2), tuple_of(1/2, 1/2))"], {}, "probabilities that sum to 1"),
        (["dominated_by(tuple_of(p, 1/2), tuple_of(1/2, 1/2))"], {}, "."),
        (["dominated_by(tuple_of(1))"], {}, "is not an amount of privacy loss"),
        (["dominated_by(list_of(1), tuple_of(1))"], {}, "is not a row of"),
        (["dominated_in_order(tuple_of(1), tuple_of(1))"], {"near": "change_one"}, "an order needs one row more"),
        (["dominated_in_order(tuple_of(1), tuple_of(1))"], {"d_in": "2"}, "an order needs one row more"),
        (["dominated_in_order(tuple_of(1), tuple_of(1))"], {"near": "insert_delete"}, "an order needs one row more"),
        (["dominated_in_order(tuple_of(1), tuple_of(1))"], {"domain": "finite(3)", "near": "discrete"},
         "an order needs one row more"),
        (["dominated_in_order(tuple_of(1), tuple_of(1))"], {"domain": "finite(2)", "near": "absolute"},
         "an order needs one row more"),
        (["dominated_in_order(tuple_of(1), tuple_of(1))"], {}, "about remove or add"),
        (["cyclic_poisson_sampled(1/2, 0, 4, pure(1))"], {}, "must be a whole number >= 1"),
        (["cyclic_poisson_sampled(1/2, 2, 0, pure(1))"], {}, "must be a whole number >= 1"),
        (["cyclic_poisson_sampled(1/2, 3/2, 4, pure(1))"], {}, "must be a whole number >= 1"),
        (["cyclic_poisson_sampled(2, 2, 4, pure(1))"], {}, "must be from 0 to 1"),
        (["cyclic_poisson_sampled(1/2, b, 4, pure(1))"], {}, "."),
        (["cyclic_poisson_sampled(1/2, 2, 4, repeated(pure(1), 2))"], {}, "is not an amount of privacy loss"),
        (["cyclic_poisson_sampled(1/2, 1, 1000001, pure(1))"], {}, "a row must be in at most 1000000 steps"),
        (["repeated(cyclic_poisson_sampled(1/2, 1, 1000, pure(1)), 1001)"], {}, "at most 1000000 steps in all"),
        (["cyclic_poisson_sampled(1/2, 2, 4, gaussian(1))"], {"near": "change_one"}, "where a row is added or removed"),
        (["cyclic_poisson_sampled(1/2, 2, 4, gaussian(1))"], {"d_in": "2"}, "a sample must be of tables"),
        (["cyclic_poisson_sampled(1/2, 2, 4, gaussian(1))"], {"domain": "finite(2)", "near": "discrete"},
         "a sample must be of tables"),
        (["loss_tail(1, 0)"], {}, "is not an amount of privacy loss"),
        (["pure()"], {}, "is not an amount of privacy loss"),
        (["pure(1, 1/100)"], {}, "is not an amount of privacy loss"),
        (["approximate(1)"], {}, "is not an amount of privacy loss"),
        (["gaussian(1, 1)"], {}, "is not an amount of privacy loss"),
        (["gaussian(2)", "m()"], {}, "is not an amount of privacy loss"),
        (["pure(e)"], {}, "."),
        (["pure(-1)"], {}, "epsilon must be >= 0"),
        (["approximate(1, 2)"], {}, "delta from 0 to 1"),
        (["gaussian(-1)"], {}, "mu_squared must be >= 0"),
        (["gaussian(sqrt(2))"], {}, "."),
        (["chain(linf(1), discrete_laplace(2, 1))"], {}, "is not what belongs there"),
        (["chain(absolute(1), discrete_laplace(2, 1))"], {}, "is not an amount of privacy loss"),
        (["chain(l1(1), discrete_laplace(2, 1), 1)"], {}, "is not an amount of privacy loss"),
        (["chain(count(records()), discrete_laplace(2, 1))"], {}, "is not an amount of privacy loss"),
        (["chain(l1(-1), discrete_laplace(2, 1))"], {}, "an answer must move by >= 0"),
        (["chain(l1(d), discrete_laplace(2, 1))"], {}, "."),
        (["chain(l2(1), discrete_laplace(2, 1))"], {}, "needs a distance in L1"),
        (["chain(l2(1), discrete_gaussian(2, 1))"], {}, "needs a distance in L1"),
        (["chain(l2(1), laplace(2))"], {}, "needs a distance in L1"),
        (["chain(l1(1), discrete_laplace(s, 1))"], {}, "must be numbers"),
        (["chain(l1(1), discrete_laplace(-2, 1))"], {}, "breaks 0 < scale"),
        (["chain(l1(1), discrete_laplace(2))"], {}, "."),
        (["chain(l1(1), staircase(1, 1/2, 2))"], {}, "."),
        (["chain(l1(1), randomised_response(3/4))"], {}, "is not what belongs there"),
        (["chain(l1(1), coordinatewise(discrete_laplace(2, 1), 2))"], {}, "."),
        (["repeated(pure(1), 0)"], {}, "must be a whole number >= 1"),
        (["repeated(pure(1), 3/2)"], {}, "must be a whole number >= 1"),
        (["repeated(pure(1), k)"], {}, "."),
        (["repeated(pure(1), 1000001)"], {}, "must be repeated 1 to 1000000 times"),
        (["repeated(repeated(pure(1), 2), 2)"], {}, "is not an amount of privacy loss"),
        (["poisson_sampled(1/2, repeated(pure(1), 2))"], {}, "is not an amount of privacy loss"),
        (["poisson_sampled(1/2, poisson_sampled(1/2, pure(1)))"], {}, "is not an amount of privacy loss"),
        (["poisson_sampled(2, pure(1))"], {}, "must be from 0 to 1"),
        (["poisson_sampled(-1/2, pure(1))"], {}, "must be from 0 to 1"),
        (["poisson_sampled(q, pure(1))"], {}, "."),
        (["poisson_sampled(1/2, pure(1))"], {"near": "change_one"}, "must be seen through noise"),
        (["poisson_sampled(1, pure(1))"], {"near": "change_one"}, "must be seen through noise"),
        (["poisson_sampled(1/2, approximate(1, 0))"], {"near": "change_one"}, "must be seen through noise"),
        ([f"poisson_sampled(1/2, {LAPLACE})"], {"d_in": "2"}, "a sample must be of tables"),
        ([f"poisson_sampled(1/2, {LAPLACE})"], {"d_in": "1/2"}, "a sample must be of tables"),
        ([f"poisson_sampled(1/2, {LAPLACE})"], {"near": "change_one", "d_in": "2"}, "a sample must be of tables"),
        ([f"poisson_sampled(1/2, {LAPLACE})"], {"near": "hamming"}, "a sample must be of tables"),
        (["poisson_sampled(1/2, pure(1))"], {"domain": "sized_table(rows, 9)", "near": "change_one"},
         "must be seen through noise"),
        ([f"poisson_sampled(1/2, {LAPLACE})"], {"domain": "sized_table(rows, 9)", "near": "hamming"},
         "a sample must be of tables"),
        (["fixed_size_sampled(3, pure(1))"], {}, "must be of sized tables"),
        (["fixed_size_sampled(3, pure(1))"], {"near": "change_one"}, "must be of sized tables"),
        (["fixed_size_sampled(3, pure(1))"], {"domain": "sized_table(rows, 9)", "near": "hamming"}, "sized tables"),
        (["fixed_size_sampled(3, pure(1))"], NINE | {"d_in": "2"}, "must be of sized tables"),
        (["fixed_size_sampled(3, pure(1))"], NINE | {"d_in": "1/2"}, "must be of sized tables"),
        (["fixed_size_sampled(10, pure(1))"], NINE, "a sample must have at most 9 rows, got 10"),
        (["fixed_size_sampled(1, pure(1))"], NINE | {"domain": "sized_table(rows, 0)"}, "at most 0 rows"),
        (["fixed_size_sampled(0, pure(1))"], NINE, "must be a whole number >= 1"),
        (["fixed_size_sampled(3/2, pure(1))"], NINE, "must be a whole number >= 1"),
        (["fixed_size_sampled(m, pure(1))"], NINE, "."),
        (["fixed_size_sampled(3, repeated(pure(1), 2))"], NINE, "is not an amount of privacy loss"),
        (["fixed_size_sampled(3, poisson_sampled(1/2, pure(1)))"], NINE, "is not an amount of privacy loss"),
        (["fixed_size_sampled(3, pure(1))"], NINE | {"evidence": SIDES}, "about replace"),
        (["pure(1)"], NINE | {"domain": "sized_table(rows, n)"}, "must have no names"),
        (["pure(1)"], NINE | {"domain": "sized_table(grid(g), 9)"}, "must have no names"),
        ([f"poisson_sampled(1/2, {LAPLACE})"], {"domain": "finite(2)", "near": "discrete"}, "must be of tables"),
        (["pure(1)"], {"domain": "sized_table(records(), 4)"}, "no two members"),
        (["shuffled(10, ln(3))"], {"domain": "reals()", "near": "change_one"}, "no two members"),
        (["pure(1)"], {"domain": "vector(reals(), 2)", "near": "change_one"}, "no two members"),
        (["pure(1)"], {"domain": "table(rows)", "near": "l1"}, "no two members"),
        (["pure(1)"], {"domain": "table(rows)", "near": "window_2"}, "no two members"),
        (["pure(1)"], {"domain": "vector(reals(), 2)", "near": "absolute"}, "no two members"),
        (["pure(1)"], {"domain": "grid(1)", "near": "l2"}, "no two members"),
        (["pure(1)"], {"domain": "sized_table(rows, n)", "near": "change_one"}, "must have no names"),
        (["pure(1)"], {"domain": "table(grid(g))"}, "must have no names"),
        (["pure(1)"], {"domain": "table(others)"}, "must have no names"),
        (["pure(1)"], {"domain": "grid(0)", "near": "absolute"}, "must be > 0"),
        (["pure(1)"], {"domain": "records"}, "is not a domain"),
        (["pure(1)"], {"near": "near"}, "metric must be one of"),
        (["pure(1)"], {"d_in": "-1"}, "d_in must be >= 0"),
        (["pure(1)"], {"d_in": "d"}, "."),
        (["pure(1)"], {"epsilon": "-1"}, "epsilon must be >= 0"),
        (["pure(1)"], {"delta": "1"}, "delta >= 0 and < 1"),
        (["pure(1)"], {"delta": "-1/2"}, "delta >= 0 and < 1"),
        (["pure(1)"], {"epsilon": "1/2", "delta": "1/100"}, "the engine shows a delta of about"),
        (["pure(1)"], {"engine": "contours"}, "engine must be one of"),
        (["pure(1)"], {"evidence": {}}, "the numbers"),
        (["pure(1)"], {"evidence": SIDES}, "about both"),
        (["poisson_sampled(1/2, pure(1))"], {"evidence": BITS}, "about remove or add"),
        (["poisson_sampled(1/2, pure(1))"], {"evidence": {"remove bits": "64"}}, "the numbers"),
        ([f"poisson_sampled(1/2, {LAPLACE})"], {"near": "change_one", "evidence": SIDES}, "about replace"),
        (["shuffled_response(9, 3/4)"], {}, "shuffled answers need one row replaced"),
        (["shuffled(9, 1)"], {}, "shuffled answers need one row replaced"),
        (["shuffled(9, 1)"], {"near": "change_one", "d_in": "2"}, "shuffled answers need one row replaced"),
        (["shuffled(9, 1)"], {"near": "change_one", "d_in": "0"}, "shuffled answers need one row replaced"),
        (["shuffled_response(9, 3/4)"], {"domain": "finite(3)", "near": "absolute"}, "need one row replaced"),
        (["shuffled_response(9, 3/4)"], {"domain": "finite(3)", "near": "discrete"}, "need one row replaced"),
        (["shuffled_response(1000001, 3/4)"], NINE, "users must be 1 to 1000000"),
        (["shuffled_response(9, 1/3)"], NINE, "truth must be at least 1/2"),
        (["shuffled_response(9, 1)"], NINE, "truth must be at least 1/2 and at most"),
        (["shuffled_response(9, t)"], NINE, "."),
        (["shuffled(9, -1)"], NINE, "epsilon of an answer must be from 0 to 80"),
        (["shuffled(9, 81)"], NINE, "epsilon of an answer must be from 0 to 80"),
        (["shuffled(9, sqrt(2))"], NINE, "."),
        (["poisson_sampled(1/2, shuffled_response(9, 3/4))"], {"near": "change_one"}, "must be seen through noise"),
        (["fixed_size_sampled(9, shuffled(9, 1))"], NINE, "known by shuffled alone has no bound on samples"),
        (["fixed_size_sampled(3, shuffled_response(9, 3/4))"], NINE, "known by shuffled_response alone has no bound"),
    ],
)  # fmt: skip
def test_what_is_not_as_it_must_be_is_refused(rounds, words, reason):
    with pytest.raises(KernelError, match=reason):
        account(*rounds, **words)


@pytest.mark.parametrize(
    "said",
    ["fixed_size_sampled(0, pure(1))", "fixed_size_sampled(pure(1))", "repeated(pure(1), 0)", "repeated(pure(1))",
     "poisson_sampled(2, pure(1))", "chain(l1('a'), laplace(2))", "chain(linf('a'), exponential(2))", "all_of()",
     "bounded_range()", "bounded_range('1')", "dominated_by(tuple_of(1), tuple_of(2))", "exponential(2)",
     "chain(linf(1), laplace(2))", "cyclic_poisson_sampled(1/2, 2, pure(1))",
     "cyclic_poisson_sampled(1/2, 0, 2, pure(1))",
     "shuffled(0, 1)", "shuffled(3/2, 1)", "shuffled(9)", "shuffled_response(9, 3/4, 1)", "shuffled(9, 'a')",
     "chain(l1(1), count(records()))", "chain(l1(1, 2), laplace(2))", "gaussian()", "laplace(2)", "gaussian('1')",
     "repeated(count(records()), 2)", "poisson_sampled(1/2, count(records()))"],
)  # fmt: skip
def test_a_round_of_which_nothing_is_said_is_no_mechanism(said):
    with pytest.raises(TermError):
        require_mechanism(read(f"rounds({said})"))


SHUFFLED = {"near": "change_one", "engine": "closed forms", "evidence": {"both bits": "128"}}


def test_shuffled_answers_have_the_delta_of_the_worst_number_of_ones_and_no_less():
    """5/27 at epsilon 0 for three users who tell the truth twice of three times, and not the 4/27 of the ends."""
    found = account("shuffled_response(3, 2/3)", epsilon="0", delta=f"{5 * 10**30 + 27}/{27 * 10**30}", **SHUFFLED)
    assert str(found.claim.subject) == "rounds(shuffled_response(3, 2/3))"
    assert found.trusts == {"Arb", "engine: closed forms"}
    again = replay(parsed(text_of(certificate(found, ""))), lambda asked, by: frozenset(by))
    assert again.theorem.claim == found.claim
    for epsilon, delta in (
        ("0", "4/27"),
        ("0", f"{5 * 10**30 - 27}/{27 * 10**30}"),
        ("693147/1000000", "0"),
        ("1/3", "0"),
    ):
        with pytest.raises(KernelError):
            account("shuffled_response(3, 2/3)", epsilon=epsilon, delta=delta, **SHUFFLED)
    words = SHUFFLED | {"engine": "greatest losses", "evidence": {"both bits": "64"}}
    assert account("shuffled_response(1000, 2/3)", epsilon="693148/1000000", delta="0", **words)
    assert account("repeated(shuffled(40, ln(2)), 2)", epsilon="1386296/1000000", delta="0", **words)
    for said, epsilon in (("shuffled_response(1000, 2/3)", "693147/1000000"), ("shuffled(1000, ln(2))", "69/100")):
        with pytest.raises(KernelError):
            account(said, epsilon=epsilon, delta="0", **words)


ORDER = {"both order": "8", "both bits": "128"}
SHOWN = [
    (["repeated(concentrated(1/80), 10)"], "Renyi divergences", ORDER, "2", "1/2000"),
    (["all_of(renyi(8, 1/9), renyi(9, 1))", "pure(1/9)"], "Renyi divergences", ORDER, "1", "1/2000"),
    (["chain(linf(1), exponential(9))", "chain(l2(1), gaussian(9))"], "Renyi divergences", ORDER, "3/2", "1/2000"),
    (["repeated(concentrated(1/80), 10)", "pure(1/9)"], "basic composition and zCDP", {}, "2", "1/50"),
    (["pure(ln(3))", "bounded_range(1/2)", "dominated_by(tuple_of(1/3, 2/3), tuple_of(2/3, 1/3))"], "greatest losses",
     {"both bits": "64"}, "5/2", "0"),
    (["all_of(approximate(1, 0), approximate(0, 1/9))", "chain(l1(1), laplace(4))"], "greatest losses",
     {"both bits": "64"}, "5/4", "0"),
]  # fmt: skip


@pytest.mark.parametrize(("said", "engine", "evidence", "epsilon", "delta"), SHOWN)
def test_bounds_are_added_up_by_the_numbers_of_the_evidence_and_nothing_less_is_shown(
    said, engine, evidence, epsilon, delta
):
    words = {"engine": engine, "evidence": evidence, "epsilon": epsilon, "delta": delta}
    found = account(*said, **words)
    assert found.trusts == {"Arb", f"engine: {engine}"}
    assert list(map(str, found.claim.d_out)) == [epsilon, delta]
    fewer = {"epsilon": str(read(f"{epsilon} * 1/2").rational)}
    for other in (fewer, {"evidence": evidence | {"both more": "1"}}, {"evidence": evidence | {"remove bits": "64"}},
                  {"engine": "loose"}):  # fmt: skip
        with pytest.raises(KernelError):
            account(*said, **words | other)
    for key in evidence:
        rest = {name: value for name, value in evidence.items() if name != key}
        for broken in (rest, {}, *({**evidence, key: value} for value in ("0", "-1", "x", str(2**190), str(2**300)))):
            with pytest.raises(KernelError):
                account(*said, **words | {"evidence": broken})
    with pytest.raises(KernelError):
        account(*said, "concentrated(9)", **words)


@pytest.mark.parametrize("order", ["1", "1/2", "-8", "1000001", "100"])
def test_an_order_is_more_than_1_and_has_a_bound(order):
    words = {"engine": "Renyi divergences", "epsilon": "2", "delta": "1/2000"}
    with pytest.raises(KernelError):
        account("renyi(8, 1/9)", evidence={"both order": order, "both bits": "128"}, **words)
    account("renyi(8, 1/9)", evidence={"both order": "15/2", "both bits": "128"}, **words)


def test_laws_in_an_order_have_two_sides():
    said = "dominated_in_order(tuple_of(1/2, 1/2), tuple_of(1/8, 7/8))"
    words = {"engine": "lattice", "evidence": SIDES, "epsilon": "1/2"}
    for where in ({}, {"domain": "finite(2)", "near": "discrete"}):
        assert account(said, delta="3/10", **words, **where).claim.subject == read(f"rounds({said})")
        with pytest.raises(KernelError, match=r"the engine shows a delta of about 0\.2939"):
            account(said, delta="29/100", **words, **where)
    zero = {"engine": "greatest losses", "evidence": SIDES, "delta": "0"}
    account(said, **zero | {"epsilon": "7/5"})
    with pytest.raises(KernelError, match="the engine shows a delta of about 1 at"):
        account(said, **zero | {"epsilon": "13/10"})  # ln 4
    backwards = "dominated_in_order(tuple_of(1/8, 7/8), tuple_of(1/2, 1/2))"
    with pytest.raises(KernelError, match="the engine shows a delta of about 1 at"):
        account(backwards, **zero | {"epsilon": "13/10"})
    account("dominated_by(tuple_of(1/2, 1/2), tuple_of(1/8, 7/8))", **zero | {"evidence": BITS, "epsilon": "7/5"})


def test_rule_of_sums_takes_no_noise_and_no_samples():
    for said in ("chain(l1(1), laplace(2))", "poisson_sampled(1/2, pure(1))", "repeated(pure(1), 2)", "gaussian(1)"):
        with pytest.raises(KernelError, match="is not an amount of privacy loss"):
            rules.rounds(domain="table(rows)", near="symmetric", d_in="1", losses=[said])


def test_equal_laws_are_those_of_a_loss_of_nothing():
    assert pair_of_round(read("pure(0)"), ADDED) == NOTHING
    account("poisson_sampled(1/2, pure(0))", near="change_one", evidence={"replace bits": "64"}, epsilon="0", delta="0")


def test_what_is_no_noise_is_not_moved_twice():
    with pytest.raises(KernelError, match="a pair response is not that of noise"):
        moved_twice(pair_of_round(read("pure(1)"), ADDED))


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("loss_tail(1, 0)", "a round must be within a loss, noise after l1 or l2, a selection or shuffled"),
        ("chain(linf(1), laplace(2))", "after scores there must be a selection"),
    ],
)
def test_what_is_known_of_no_mechanism_has_no_pair_whoever_asks(said, reason):
    """The rule refuses these by their form, before it asks."""
    with pytest.raises(KernelError, match=reason):
        pair_of_mechanism(read(said), ADDED)


@pytest.mark.parametrize(
    ("known", "reason"),
    [
        (renyi, "there must be an order, and an epsilon of each"),
        (points, "there must be an epsilon, and a delta of each"),
        (lambda: finite(apply("tuple_of"), apply("tuple_of"), ordered=False), "two laws must have as many outcomes"),
        (lambda: pair_of_mechanism(apply("all_of"), ADDED), "must all be under renyi, or under approximate"),
    ],
)
def test_nothing_is_known_by_no_bound_and_no_outcome(known, reason):
    """No loop over bounds stands without the requirement that there is one."""
    with pytest.raises(KernelError, match=reason):
        known()


def test_a_genuine_certificate_replays_and_edited_ones_do_not():
    theorem = account(f"repeated({LAPLACE}, 3)", epsilon="1", delta="3/20")
    found = parsed(text_of(certificate(theorem, "")))
    assert replay(found, lambda asked, by: frozenset(by)).theorem.claim == theorem.claim
    for key, value in (
        ("delta", "1/100"), ("epsilon", "1/2"), ("rounds", [f"repeated({LAPLACE}, 30)"]), ("rounds", []),
        ("rounds", [f"repeated({LAPLACE}, 3)"] * 2), ("rounds", [LAPLACE.replace("(2", "(1")]),
        ("rounds", [f"poisson_sampled(1/2, {LAPLACE})"]), ("domain", "sized_table(rows, 3)"), ("near", "change_one"),
        ("d_in", "2"), ("d_in", "0"), ("engine", "closed forms"), ("engine", ""), ("evidence", {}),
        ("evidence", {"both bits": "2"}), ("evidence", {"add bits": "64"}),
    ):  # fmt: skip
        edited = parsed(text_of(certificate(theorem, "")))
        edited["steps"][-1]["data"][key] = value
        with pytest.raises(KernelError):
            replay(edited, lambda asked, by: frozenset(by))
    for key in theorem.data:
        edited = parsed(text_of(certificate(theorem, "")))
        del edited["steps"][-1]["data"][key]
        with pytest.raises((KernelError, TypeError)):
            replay(edited, lambda asked, by: frozenset(by))
