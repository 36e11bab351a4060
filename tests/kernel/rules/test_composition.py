"""Composition, partition, groups and post-processing: each side condition refused, each constant the stated one."""

import math
from dataclasses import replace
from fractions import Fraction

import pytest
import sympy

from refdp.kernel import rules
from refdp.kernel.judgements import KernelError
from refdp.kernel.rules.stability import ROW_ASSUMPTION, ROW_CODE
from refdp.numerics.exact import decide
from refdp.terms.reading import read
from refdp.terms.term import exp, number, substitute
from refdp.transformations.columns import CATEGORY_OF
from tests.kinds import believed, gaussian_at_1, noise, noisy_count, registered, response, rowwise, summed

ISLANDS = "category_of('island', list_of('A', 'B'), 2)"


def gaussian_count(sigma="1"):
    """A count with discrete Gaussian noise: symmetric(1) |-> concentrated(1 / (2 sigma^2))."""
    counted = rules.instantiate(summed("count"), values={"rows": "records()", "d_in": "1"})
    values = {"sigma": sigma, "granularity": "1", "d_in": "1"}
    return rules.chain(counted, rules.instantiate(noise("discrete_gaussian", "concentrated"), values=values))


def test_compose_adds_up_losses_and_conditions():
    second = rules.instantiate(noise(), values={"scale": "t"})
    claim = rules.compose(noise(), second).claim
    assert str(claim.subject) == "compose(discrete_laplace(scale, granularity), discrete_laplace(t, granularity))"
    assert str(claim.d_out[0]) == "d_in / scale + d_in / t"
    assert [str(c) for c in claim.given] == ["0 < scale", "0 < granularity", "0 <= d_in", "0 < t"]


def test_compose_of_each_measure_adds_up_in_every_column():
    assert [str(t) for t in rules.compose(response(), response(), response()).claim.d_out] == ["ln(27)"]
    two = response("approximate", "2")
    assert [str(t) for t in rules.compose(two, two).claim.d_out] == ["ln(4)", "1/2"]
    assert [str(t) for t in rules.compose(gaussian_at_1(), gaussian_at_1()).claim.d_out] == ["1/4"]
    renyi = rules.concentrated_to_renyi(gaussian_at_1(), order="10")
    assert [str(t) for t in rules.compose(renyi, renyi).claim.d_out] == ["10", "5/2"]
    assert [str(t) for t in rules.compose(response()).claim.d_out] == ["ln(3)"]


def test_compose_of_nothing_is_refused():
    with pytest.raises(KernelError, match="compose takes private claims"):
        rules.compose()


def test_compose_of_what_is_no_private_claim_is_refused():
    for other in (summed("count"), believed("composition.weaken")):
        with pytest.raises(KernelError, match="compose takes private claims"):
            rules.compose(response(), other)


def test_compose_of_renyi_losses_at_different_orders_is_refused():
    ten, twenty = (rules.concentrated_to_renyi(gaussian_at_1(), order=o) for o in ("10", "20"))
    with pytest.raises(KernelError, match="the orders of a composition"):
        rules.compose(ten, twenty)


def other_shapes():
    """A claim, and one that differs from it in domain, metric, d_in and measure in turn."""
    yield noisy_count(), noisy_count(rows="grid(1)"), "domain"
    by_distance = rules.finite_mechanism(
        subject="randomised_response(3/4)", domain="finite(2)", metric="absolute", d_in="1"
    )
    yield response(), by_distance, "metric"
    yield noisy_count(), noisy_count(d_in="2"), "d_in"
    yield noisy_count(), rules.pure_to_approximate(noisy_count()), "measure"
    yield noise(), rules.instantiate(noise(), values={"d_in": "d_out"}), "open d_in"
    yield noise(), rules.instantiate(noise(), values={"granularity": "1"}), "open domain"


def test_compose_says_in_which_part_claims_differ():
    with pytest.raises(KernelError, match="cannot compose: one d_in is 1, another 2"):
        rules.compose(noisy_count(), noisy_count(d_in="2"))


@pytest.mark.parametrize(("one", "other", "what"), [*other_shapes()], ids=lambda x: x if isinstance(x, str) else "")
def test_compose_of_claims_that_differ_in_domain_metric_distance_or_measure_is_refused(one, other, what):
    for pair in ((one, other), (other, one)):
        with pytest.raises(KernelError, match="cannot compose"):
            rules.compose(*pair)


def test_compose_failures_multiplies_what_does_not_fail():
    half = response("approximate", "2")
    assert [str(t) for t in rules.compose_failures(half, half).claim.d_out] == ["ln(4)", "7/16"]
    assert [str(t) for t in rules.compose_failures(half, half, half).claim.d_out] == ["ln(8)", "37/64"]
    assert rules.compose_failures(half).claim.d_out == half.claim.d_out
    family = rules.compose_failures(*[rules.concentrated_to_approximate(noise("gaussian", "concentrated"))] * 2).claim
    assert str(family.d_out[1]) == "1 - (1 - delta) * (1 - delta)"
    assert str(family.given[-1]) == "delta <= 1"


def test_compose_failures_of_a_delta_above_1_is_refused():
    """Two of them would come out smaller than one: 1 - (1 - 2) (1 - 1/4) = 7/4."""
    loose = rules.weaken(response("approximate", "2"), d_out=["ln(2)", "2"])
    with pytest.raises(KernelError, match="does not hold"):
        rules.compose_failures(loose, response("approximate", "2"))


def test_compose_failures_of_other_or_different_claims_is_refused():
    with pytest.raises(KernelError, match="compose_failures takes private claims"):
        rules.compose_failures()
    with pytest.raises(KernelError, match="compose_failures takes private claims"):
        rules.compose_failures(summed("count"))
    with pytest.raises(KernelError, match="cannot compose"):
        rules.compose_failures(response("approximate", "2"), response())
    for theorem in (response(), gaussian_count(), response("loss_tail", "2")):
        with pytest.raises(KernelError, match="expected claims under approximate DP"):
            rules.compose_failures(theorem, theorem)


def test_parallel_costs_the_greatest_under_add_remove_and_twice_that_under_change_one():
    parts = (noisy_count("3"), noisy_count("2"))
    added = rules.parallel(*parts, partition=ISLANDS, neighbours="add_remove")
    assert (added.claim.metric, str(added.claim.d_in), str(added.claim.d_out[0])) == ("symmetric", "1", "1/2")
    replaced = rules.parallel(*parts, partition=ISLANDS, neighbours="change_one")
    assert (replaced.claim.metric, str(replaced.claim.d_in), str(replaced.claim.d_out[0])) == ("change_one", "1", "1")
    assert added.trusts == replaced.trusts == {ROW_CODE, "a test"}


def test_parallel_takes_the_greatest_in_every_column():
    loose = [rules.weaken(rules.pure_to_approximate(noisy_count(s)), d_out=b) for s, b in (("1", ["1", "1/10"]),
             ("2", ["1/2", "1/5"]))]  # fmt: skip
    found = rules.parallel(*loose, partition=ISLANDS, neighbours="add_remove").claim
    assert [str(t) for t in found.d_out] == ["1", "1/5"]
    rhos = rules.parallel(gaussian_count(), gaussian_count("2"), partition=ISLANDS, neighbours="add_remove").claim
    assert [str(t) for t in rhos.d_out] == ["1/2"]


def test_parallel_of_nothing_is_refused():
    with pytest.raises(KernelError, match="parallel takes private claims"):
        rules.parallel(partition=ISLANDS, neighbours="add_remove")


def test_parallel_of_what_is_no_private_claim_is_refused():
    counted = rules.instantiate(summed("count"), values={"rows": "records()", "d_in": "1"})
    with pytest.raises(KernelError, match="parallel takes private claims"):
        rules.parallel(noisy_count(), counted, partition=ISLANDS, neighbours="add_remove")


def test_parallel_at_more_than_one_edit_is_refused():
    for first, second in ((noisy_count(d_in="2"),) * 2, (noisy_count(), noisy_count(d_in="2"))):
        with pytest.raises(KernelError, match="is not a part of"):
            rules.parallel(first, second, partition=ISLANDS, neighbours="add_remove")


def test_parallel_of_replaced_rows_is_refused():
    """The parts are claims under add / remove: a row that changes its category changes the sizes of two parts."""
    counted = rules.instantiate(summed("count", "change_one"), values={"rows": "records()", "d_in": "1"})
    unmoved = rules.chain(counted, rules.instantiate(noise(), values={"scale": "1", "granularity": "1", "d_in": "0"}))
    for neighbours in ("add_remove", "change_one"):
        with pytest.raises(KernelError, match="is not a part of"):
            rules.parallel(unmoved, unmoved, partition=ISLANDS, neighbours=neighbours)


def test_parallel_of_parts_on_other_tables_or_under_other_measures_is_refused():
    for other in (noisy_count(rows="grid(1)"), rules.pure_to_approximate(noisy_count())):
        with pytest.raises(KernelError, match="is not a part of"):
            rules.parallel(noisy_count(), other, partition=ISLANDS, neighbours="add_remove")


def open_count(scale):
    """A noisy count whose scale is a name."""
    counted = rules.instantiate(summed("count"), values={"rows": "records()", "d_in": "1"})
    return rules.chain(counted, rules.instantiate(noise(), values={"granularity": "1", "d_in": "1", "scale": scale}))


def test_parallel_of_open_losses_is_their_maximum_under_all_conditions():
    parts = [open_count("s"), open_count("t"), noisy_count()]
    partition = "category_of('island', list_of('A', 'B', 'C'), 3)"
    claim = rules.parallel(*parts, partition=partition, neighbours="add_remove").claim
    assert str(claim.d_out[0]) == "max(max(1 / s, 1 / t), 1)"
    assert [str(c) for c in claim.given] == ["0 < s", "0 < t"]
    twice = rules.parallel(*parts[:1], parts[0], partition=ISLANDS, neighbours="change_one").claim
    assert str(twice.d_out[0]) == "1 / s + 1 / s"


@pytest.mark.parametrize(("s", "t"), [("1", "2"), ("2", "1"), ("3", "3"), ("1/7", "5")])
def test_parallel_of_open_losses_at_numbers_is_that_of_closed_ones(s, t):
    for neighbours in ("add_remove", "change_one"):
        opened = rules.parallel(open_count("s"), open_count("t"), partition=ISLANDS, neighbours=neighbours)
        closed = rules.parallel(noisy_count(s), noisy_count(t), partition=ISLANDS, neighbours=neighbours)
        assert rules.instantiate(opened, values={"s": s, "t": t}).claim == closed.claim


def test_parallel_of_tables_of_open_rows_is_refused():
    counted = rules.instantiate(summed("count"), values={"d_in": "1"})
    opened = rules.chain(counted, rules.instantiate(noise(), values={"granularity": "1", "d_in": "1", "scale": "1"}))
    with pytest.raises(KernelError, match="the parts must be closed"):
        rules.parallel(opened, opened, partition=ISLANDS, neighbours="add_remove")
    with pytest.raises(KernelError, match="is not a part of"):
        rules.parallel(noisy_count(), opened, partition=ISLANDS, neighbours="add_remove")


def test_parallel_of_sized_tables_and_of_no_tables_is_refused():
    with pytest.raises(KernelError, match="unsized tables"):
        rules.parallel(response(), response(), partition=ISLANDS, neighbours="add_remove")
    values = {"lower": "0", "upper": "1", "size": "4", "granularity": "1", "d_in": "1"}
    averaged = rules.instantiate(summed("mean", "change_one"), values=values)
    private = rules.chain(
        averaged, rules.instantiate(noise(), values={"scale": "1", "granularity": "1/4", "d_in": "1/4"})
    )
    with pytest.raises(KernelError, match="unsized tables"):
        rules.parallel(private, private, partition=ISLANDS, neighbours="change_one")


def test_parallel_under_renyi_is_of_one_order():
    two, three = (rules.concentrated_to_renyi(gaussian_count(), order=n) for n in ("2", "3"))
    found = rules.parallel(two, two, partition=ISLANDS, neighbours="add_remove").claim
    assert found.d_out == two.claim.d_out
    with pytest.raises(KernelError, match="orders of parts under Renyi DP must be the same"):
        rules.parallel(two, three, partition=ISLANDS, neighbours="add_remove")


def test_parallel_under_loss_tail_is_refused():
    tail = rules.pure_to_loss_tail(noisy_count())
    with pytest.raises(KernelError, match="stated for pure, approximate, concentrated"):
        rules.parallel(tail, tail, partition=ISLANDS, neighbours="add_remove")


def test_parallel_under_change_one_for_other_measures_is_refused():
    for part in (rules.pure_to_approximate(noisy_count()), gaussian_count()):
        with pytest.raises(KernelError, match="under change_one parallel composition is stated for pure DP"):
            rules.parallel(part, part, partition=ISLANDS, neighbours="change_one")


@pytest.mark.parametrize("neighbours", ["hamming", "symmetric", ""])
def test_parallel_under_an_unknown_relation_is_refused(neighbours):
    with pytest.raises(KernelError, match="neighbours must be add_remove or change_one"):
        rules.parallel(noisy_count(), noisy_count(), partition=ISLANDS, neighbours=neighbours)


@pytest.mark.parametrize(
    ("partition", "sentence"),
    [
        ("category_of('island', list_of('A', 'B', 'C'), 3)", "does not split rows into 2 parts"),
        ("category_of('island', list_of('A'), 1)", "does not split rows into 2 parts"),
        ("category_of('island', list_of('A', 'B', 'C'), 2)", "breaks"),
        ("category_of('island', list_of('A', 'B'))", "is not category_of"),
        ("category_of(island, list_of('A', 'B'), 2)", "must be closed"),
        ("category_of('island', labels, 2)", "must be closed"),
        ("column('age', 1)", "does not split rows"),
        ("binary_code(list_of('a'), 1)", "does not split rows"),
        ("drop_missing('age')", "does not split rows"),
        ("filter_rows('f', records())", "does not split rows"),
        ("clamp(0, 1, 1)", "does not read rows"),
        ("map_rows('f', records(), category(2))", "does not split rows"),
        ("count(records())", "is not a registered RowFunction"),
        ("mine('island', 2)", "is not a registered RowFunction"),
        ("'A'", "is not a registered RowFunction"),
        ("lambda row: 0", "not a term"),
    ],
)
def test_parallel_by_what_is_no_public_partition_is_refused(partition, sentence):
    with pytest.raises(KernelError, match=sentence):
        rules.parallel(noisy_count(), noisy_count(), partition=partition, neighbours="add_remove")


def test_parallel_by_a_partition_of_other_rows_is_refused():
    parts = (noisy_count(rows="grid(1)"),) * 2
    with pytest.raises(KernelError, match="does not read rows of grid"):
        rules.parallel(*parts, partition=ISLANDS, neighbours="add_remove")


@pytest.mark.parametrize("change", [{"keeps_rows": False}, {"is_user_code": True}])
def test_parallel_by_a_filter_or_a_users_function_is_refused(change):
    partition = ISLANDS.replace("category_of", "wrong_category")
    with (
        registered(replace(CATEGORY_OF, stem="wrong_category", **change)),
        pytest.raises(KernelError, match="does not split rows into 2 parts"),
    ):
        rules.parallel(noisy_count(), noisy_count(), partition=partition, neighbours="add_remove")


def test_group_costs_k_times_under_pure_and_the_sum_of_powers_in_delta():
    pure = rules.group(noisy_count("2"), k="3").claim
    assert (str(pure.d_in), str(pure.d_out[0])) == ("3", "3/2")
    loose = rules.weaken(rules.pure_to_approximate(noisy_count()), d_out=["ln(2)+1/2", "1/100"])
    approximate = rules.group(loose, k="3", d_out=["3 * ln(2) + 3/2", "0.153"]).claim
    e = number(1) / 2 + read("ln(2)")
    assert decide((1 + exp(e) + exp(2 * e)) / 100 <= approximate.d_out[1])
    assert [str(t) for t in rules.group(noisy_count(), k="1").claim.d_out] == ["1"]


@pytest.mark.parametrize("k", range(1, 8))
def test_group_of_any_size_at_a_number_is_the_group_of_that_size(k):
    """Of each measure: the losses are the same numbers, the sum of powers too."""
    two = rules.weaken(rules.pure_to_approximate(noisy_count("2")), d_out=["1/2", "1/1000"])
    for one in (noisy_count(), gaussian_count(), two):
        anyone, this = rules.group(one, k="k").claim, rules.group(one, k=str(k), **loose(one, k)).claim
        at_k = [substitute(t, {"k": number(Fraction(k))}) for t in anyone.d_out]
        assert all(decide(x <= y) for x, y in zip(at_k, this.d_out, strict=True))
        assert decide(at_k[0] >= this.d_out[0])
        if one is two:
            exact = this.d_out[1].rational
            assert exact - Fraction(1, 10**6) < Fraction(float_of(at_k[1])) <= exact
        assert (str(anyone.d_in), [str(c) for c in anyone.given]) == ("k", ["integer(k)", "1 <= k"])


def loose(one, k):
    """Bounds of a group's losses, where its delta is irrational: to seven digits."""
    if one.claim.measure != "approximate":
        return {}
    delta = sum(math.exp(i / 2) for i in range(k)) / 1000
    return {"d_out": [str(Fraction(k, 2)), str(Fraction(math.ceil(delta * 10**7 + 1), 10**7))]}


def float_of(t):
    """A closed term, about."""
    return float(sympy.sympify(str(t)))


def test_group_of_any_size_of_open_losses_needs_a_positive_epsilon_for_its_delta():
    claim = rules.group(rules.pure_to_approximate(open_count("s")), k="k").claim
    assert [str(c) for c in claim.given] == ["0 < s", "integer(k)", "1 <= k", "0 < 1 / s"]
    assert str(claim.d_out[1]) == "0 * ((exp(k * (1 / s)) - 1) / (exp(1 / s) - 1))"


def test_group_of_any_size_is_refused_where_its_name_has_a_meaning_or_its_measure_has_no_group():
    with pytest.raises(KernelError, match="k has a meaning already in"):
        rules.group(open_count("k"), k="k")
    with pytest.raises(KernelError, match="group privacy is stated for"):
        rules.group(rules.concentrated_to_renyi(gaussian_count(), order="10"), k="k")
    for k in ("pi", "k k", "k*2", "K", "n", "-k"):
        with pytest.raises(KernelError, match="k must be"):
            rules.group(noisy_count(), k=k)
    two_edits = rules.group(noisy_count(), k="2")
    assert str(rules.group(two_edits, k="k").claim.d_in) == "k * 2"


def test_group_of_which_delta_is_too_small_is_refused():
    """delta (1 + 2 + 4) at epsilon = ln 2 is 7/1000 exactly."""
    loose = rules.weaken(rules.pure_to_approximate(noisy_count("2")), d_out=["ln(2)", "1/1000"])
    assert [str(t) for t in rules.group(loose, k="3").claim.d_out] == ["ln(8)", "7/1000"]
    for bounds in (["ln(8)", "0.006999"], ["ln(7)", "0.007"]):
        with pytest.raises(KernelError, match="not an upper bound"):
            rules.group(loose, k="3", d_out=bounds)


def test_group_of_what_is_no_private_claim_is_refused():
    for other in (summed("count"), believed("composition.weaken")):
        with pytest.raises(KernelError, match="group takes a private claim"):
            rules.group(other, k="2")


def test_group_where_distances_are_no_paths_is_refused():
    """Between two numbers 2 apart there may be no third; between two bits there is none."""
    for theorem in (response(), rules.instantiate(noise(), values={"scale": "1", "granularity": "1", "d_in": "1"})):
        with pytest.raises(KernelError, match="not known to be geodesic"):
            rules.group(theorem, k="2")


@pytest.mark.parametrize("k", ["0", "-1", "1/2", "1001", "1e9", "x", "2.5", "", "inf"])
def test_group_of_no_whole_number_of_edits_is_refused(k):
    with pytest.raises(KernelError, match="k must be"):
        rules.group(noisy_count(), k=k)


def test_group_of_a_part_of_an_edit_is_refused():
    """Within distance 1/2 lies no other table, so a loss at 1/2 says nothing about 1."""
    half = rules.weaken(noisy_count(), d_out=["1"], d_in="1/2")
    with pytest.raises(KernelError, match="d_in must be an integer"):
        rules.group(half, k="2")
    counted = rules.chain(
        rules.instantiate(summed("count"), values={"rows": "records()"}),
        rules.instantiate(noise(), values={"scale": "1", "granularity": "1", "d_in": "d_in * 1"}),
    )
    with pytest.raises(KernelError, match="d_in must be an integer"):
        rules.group(counted, k="2")


def test_group_under_concentrated_costs_the_square_of_its_size():
    rho = gaussian_count().claim.d_out[0].rational
    assert rules.group(gaussian_count(), k="3").claim.d_out == (number(9 * rho),)
    with pytest.raises(KernelError, match="not an upper bound"):
        rules.group(gaussian_count(), k="3", d_out=[str(3 * rho)])


def test_group_under_renyi_is_refused():
    with pytest.raises(KernelError, match="group privacy is stated for pure, approximate, concentrated, gaussian DP"):
        rules.group(rules.concentrated_to_renyi(gaussian_count(), order="2"), k="2")


def test_group_of_two_under_renyi_halves_the_order():
    renyi = rules.concentrated_to_renyi(gaussian_count(), order="8")
    e = renyi.claim.d_out[1].rational
    assert [t.rational for t in rules.group_renyi(renyi).claim.d_out] == [4, e * Fraction(15, 7)]
    with pytest.raises(KernelError, match="not an upper bound"):
        rules.group_renyi(renyi, d_out=["4", str(e * 2)])
    family = rules.group_renyi(rules.concentrated_to_renyi(gaussian_count())).claim
    assert str(family.given[-1]) == "2 < order"


def test_group_of_two_under_renyi_at_an_order_of_at_most_2_or_of_another_measure_is_refused():
    for order in ("2", "3/2"):
        with pytest.raises(KernelError, match="does not hold"):
            rules.group_renyi(rules.concentrated_to_renyi(gaussian_count(), order=order))
    for other in (noisy_count(), gaussian_count(), summed("count")):
        with pytest.raises(KernelError, match="takes a private claim under renyi"):
            rules.group_renyi(other)
    off_tables = rules.concentrated_to_renyi(gaussian_at_1(), order="4")
    with pytest.raises(KernelError, match="not known to be geodesic"):
        rules.group_renyi(off_tables)
    half = rules.weaken(rules.concentrated_to_renyi(gaussian_count(), order="4"), d_out=["4", "9"], d_in="1/2")
    with pytest.raises(KernelError, match="d_in must be an integer"):
        rules.group_renyi(half)


def test_replaced_rows_are_half_as_many_as_edits():
    found = rules.replaced_rows(rules.group(noisy_count(), k="2")).claim
    assert (found.metric, str(found.d_in), str(found.d_out[0])) == ("change_one", "1", "2")
    assert found.subject == noisy_count().claim.subject
    assert str(rules.replaced_rows(noisy_count()).claim.d_in) == "1/2"


def test_replaced_rows_of_anything_but_edits_of_a_table_are_refused():
    counted = rules.instantiate(summed("count"), values={"rows": "records()", "d_in": "1"})
    with pytest.raises(KernelError, match="replaced_rows takes a private claim"):
        rules.replaced_rows(counted)
    replaced = rules.replaced_rows(noisy_count())
    for theorem in (replaced, noise(), response()):
        with pytest.raises(KernelError, match="expected rows added to or removed from a table"):
            rules.replaced_rows(theorem)


def test_post_process_keeps_the_loss_and_names_whose_code_is_trusted():
    found = rules.post_process(noisy_count(), function="clamp_output(0, 10)")
    assert str(found.claim.subject) == (
        "post_process(clamp_output(0, 10), chain(count(records()), discrete_laplace(1, 1)))"
    )
    assert found.claim.d_out == noisy_count().claim.d_out
    assert found.trusts == {ROW_CODE, "a test"}


def test_post_process_by_a_users_function_names_the_assumption():
    found = rules.post_process(noisy_count(), function="user_function('round')")
    assert found.trusts == {"assumption: 'round' reads only its argument", "a test"}


def test_post_process_by_a_users_function_escapes_what_could_hide_the_assumption():
    name = "user_function('\\x1b[2K\\n[conceal]')"
    found = rules.post_process(noisy_count(), function=name)
    assert all(t.isprintable() for t in found.trusts)


@pytest.mark.parametrize("f", ["user_function()", "user_function('a', 'b')", "user_function(x)", "user_function(1)"])
def test_post_process_by_a_function_without_a_name_is_refused(f):
    with pytest.raises(KernelError, match="user_function takes one name"):
        rules.post_process(noisy_count(), function=f)


@pytest.mark.parametrize(
    ("f", "sentence"),
    [
        ("clamp_output(1, 0)", "breaks"),
        ("clamp_output(0)", "is not clamp_output"),
        ("clamp_output(lower, 1)", "has no value"),
        ("multiply_output(x)", "has no value"),
        ("multiply_output(sqrt(2))", "is not a rational number"),
        ("clamp(0, 1, 1)", "is not a registered PostFunction"),
        ("count(records())", "is not a registered PostFunction"),
        ("mine(1)", "is not a registered PostFunction"),
        ("lambda x: data", "not a term"),
    ],
)
def test_post_process_by_what_is_no_function_of_an_output_is_refused(f, sentence):
    with pytest.raises(KernelError, match=sentence):
        rules.post_process(noisy_count(), function=f)


def test_post_process_of_what_is_no_private_claim_is_refused():
    for other in (summed("count"), believed("composition.weaken")):
        with pytest.raises(KernelError, match="post_process takes a private claim"):
            rules.post_process(other, function="clamp_output(0, 1)")


def test_composed_claims_trust_the_union_of_their_parts():
    mapped = rules.instantiate(
        rowwise("map_rows"), values={"function": "'f'", "input_rows": "records()", "output_rows": "records()",
                                     "d_in": "1"},
    )  # fmt: skip
    both = rules.compose(rules.chain(mapped, noisy_count()), noisy_count())
    assert both.trusts == {ROW_ASSUMPTION, "a test"}
