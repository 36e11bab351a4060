"""oracle, instantiate, weaken and chain: each does what its line says and refuses whatever breaks a side condition."""

import pytest

from refdp.kernel import rules
from refdp.kernel.judgements import Holds, KernelError
from refdp.kernel.rules.logic import obligation
from refdp.spec.obligations import obligations
from tests.kinds import believed, gaussian_at_1, mechanism, noise, noisy_count, response, rowwise, sampler, summed

WEAKEN = "composition.weaken"


def test_obligation_is_the_statement_of_the_package():
    assert obligation(WEAKEN) == obligations("composition")["weaken"]


@pytest.mark.parametrize("identifier", ["composition.nothing", "composition", "composition.", "count."])
def test_obligation_that_does_not_exist_is_refused(identifier):
    with pytest.raises(KernelError, match="has no obligation"):
        obligation(identifier)


def test_oracle_concludes_that_the_obligation_holds_and_names_who_vouches():
    theorem = believed(WEAKEN)
    assert theorem.claim == Holds("composition", "weaken", obligation(WEAKEN).digest)
    assert theorem.trusts == {"a test"}


@pytest.mark.parametrize("digest", ["", "0" * 64, obligation("composition.group").digest])
def test_oracle_with_another_digest_is_refused(digest):
    with pytest.raises(KernelError, match="have changed since the certificate"):
        rules.oracle(obligation=WEAKEN, digest=digest, by=["z3"])


@pytest.mark.parametrize("by", [[], [""], ["z3", ""], ["z3", "z3"], ["z3", "cvc5"]])
def test_oracle_without_names_each_once_and_in_order_is_refused(by):
    with pytest.raises(KernelError, match="must be named"):
        rules.oracle(obligation=WEAKEN, digest=obligation(WEAKEN).digest, by=by)


@pytest.mark.parametrize("identifier", ["nothing.weaken", "composition.nothing", "", ".", "clamp_output.anything"])
def test_oracle_about_an_unknown_obligation_is_refused(identifier):
    with pytest.raises(KernelError, match=r"is not registered|has no obligation"):
        rules.oracle(obligation=identifier, digest="0" * 64, by=["z3"])


def test_oracle_with_a_premise_is_refused():
    with pytest.raises(KernelError):
        rules.oracle(believed(WEAKEN), obligation=WEAKEN, digest=obligation(WEAKEN).digest, by=["z3"])


def test_instantiate_replaces_names_everywhere_and_drops_what_holds():
    theorem = rules.instantiate(noise(), values={"scale": "2 * s", "granularity": "1/10"})
    assert str(theorem.claim.term) == (
        "private(discrete_laplace(2 * s, 1/10), grid(1/10), absolute(d_in), pure(d_in / (2 * s)), 0 < 2 * s, 0 <= d_in)"
    )


def test_instantiate_of_a_stable_claim_replaces_both_domains():
    values = {"lower": "0", "upper": "5", "granularity": "1/2", "d_in": "3"}
    theorem = rules.instantiate(summed("clamped_sum"), values=values)
    assert str(theorem.claim.term) == (
        "stable(clamped_sum(0, 5, 1/2), table(grid(1/2)), symmetric(3), grid(1/2), absolute(15))"
    )


def test_instantiate_of_a_law_replaces_its_parameters():
    law = sampler("discrete_laplace")
    assert str(rules.instantiate(law, values={"scale": "3"}).claim.term) == (
        "sampler_law(discrete_laplace(3, granularity), 0 < granularity)"
    )
    assert str(rules.instantiate(law, values={}).claim.term) == str(law.claim.term)


@pytest.mark.parametrize("values", [{"scale": "0"}, {"scale": "-1"}, {"granularity": "0"}, {"scale": "1 - 1"}])
def test_instantiate_of_a_law_against_its_conditions_is_refused(values):
    law = sampler("discrete_laplace")
    with pytest.raises(KernelError, match="does not hold"):
        rules.instantiate(law, values=values)


def test_instantiate_of_a_law_with_a_loss_is_refused():
    law = sampler("discrete_laplace")
    with pytest.raises(KernelError, match="sampler_law has no d_out"):
        rules.instantiate(law, values={"scale": "1"}, d_out=["1"])


@pytest.mark.parametrize(
    "values",
    [
        {"scale": "0"},
        {"scale": "-1"},
        {"granularity": "0"},
        {"d_in": "-1"},
        {"scale": "ln(1)"},
        {"scale": "1 - exp(0)"},
    ],
)
def test_instantiate_against_a_condition_is_refused(values):
    with pytest.raises(KernelError, match="does not hold"):
        rules.instantiate(noise(), values=values)


@pytest.mark.parametrize("value", ["records()", "'1'", "foo(1)", "1 < 2", "ln(-1)", "1 / 0", "list_of(1)"])
def test_instantiate_with_what_is_no_number_is_refused(value):
    with pytest.raises(KernelError):
        rules.instantiate(noise(), values={"scale": value})


@pytest.mark.parametrize(
    "value", ["0.5", "1e3", "x.real", "x[0]", "lambda: 1", "f'{x}'", "__import__('os')()", "", "("]
)
def test_instantiate_with_what_is_no_term_is_refused(value):
    with pytest.raises(KernelError):
        rules.instantiate(noise(), values={"d_in": value})


@pytest.mark.parametrize("values", [{"epsilon": "1"}, {"discrete_laplace": "laplace"}, {"": "1"}, {"absolute": "l1"}])
def test_instantiate_of_a_name_that_does_not_occur_is_refused(values):
    with pytest.raises(KernelError, match="does not occur"):
        rules.instantiate(noise(), values=values)


def test_instantiate_rounds_an_irrational_loss_up_only():
    family = summed("histogram", "change_one", "l2")
    values = {"dimension": "3", "d_in": "1"}
    assert str(rules.instantiate(family, values=values, d_out=["1.415"]).claim.d_out[0]) == "283/200"
    with pytest.raises(KernelError, match="not an upper bound"):
        rules.instantiate(family, values=values, d_out=["1.414"])
    with pytest.raises(KernelError, match="give a rational upper bound"):
        rules.instantiate(family, values=values)


def test_instantiate_of_a_lemma_is_refused():
    with pytest.raises(KernelError, match="expected a private or stable claim"):
        rules.instantiate(believed(WEAKEN), values={})


def test_weaken_raises_the_loss_and_lowers_the_distance():
    theorem = rules.weaken(noisy_count(), d_out=["1 + ln(2)"], d_in="1/2")
    assert (str(theorem.claim.d_in), str(theorem.claim.d_out[0])) == ("1/2", "1 + ln(2)")
    stable = rules.instantiate(summed("count"), values={"rows": "records()", "d_in": "1"})
    assert str(rules.weaken(stable, d_out=["2"]).claim.d_out[0]) == "2"


@pytest.mark.parametrize("d_out", ["99/100", "0", "-1", "ln(2)", "0.999999999999999999999"])
def test_weaken_to_a_smaller_loss_is_refused(d_out):
    with pytest.raises(KernelError, match="cannot strengthen d_out"):
        rules.weaken(noisy_count(), d_out=[d_out])


@pytest.mark.parametrize("d_in", ["2", "1.000000000001", "ln(3)"])
def test_weaken_to_a_larger_distance_is_refused(d_in):
    with pytest.raises(KernelError, match="cannot widen d_in"):
        rules.weaken(noisy_count(), d_out=["9"], d_in=d_in)


@pytest.mark.parametrize("d_out", [[], ["1", "0"]])
def test_weaken_with_another_number_of_losses_is_refused(d_out):
    with pytest.raises(KernelError, match="d_out must be 1 numbers"):
        rules.weaken(noisy_count(), d_out=d_out)


def test_weaken_of_either_part_of_an_approximate_loss_is_refused():
    approximate = response("approximate", "2")
    assert str(rules.weaken(approximate, d_out=["ln(3)", "1/2"]).claim.d_out[1]) == "1/2"
    for smaller in (["ln(3)", "0"], ["0", "1/2"]):
        with pytest.raises(KernelError, match="cannot strengthen"):
            rules.weaken(approximate, d_out=smaller)


def test_weaken_of_a_renyi_order_is_refused():
    renyi = rules.concentrated_to_renyi(gaussian_at_1(), order="10")
    assert str(rules.weaken(renyi, d_out=["10", "2"]).claim.d_out[1]) == "2"
    with pytest.raises(KernelError, match="the order is 10 and cannot become 20"):
        rules.weaken(renyi, d_out=["20", "2"])
    with pytest.raises(KernelError, match="cannot strengthen"):
        rules.weaken(renyi, d_out=["5", "2"])


def test_weaken_of_an_open_claim_is_refused():
    with pytest.raises(KernelError, match="has no value"):
        rules.weaken(noise(), d_out=["1"])


@pytest.mark.parametrize("d_out", ["x", "1 < 2", "inf", "0.5f", ""])
def test_weaken_to_what_is_no_number_is_refused(d_out):
    with pytest.raises(KernelError, match="must be"):
        rules.weaken(noisy_count(), d_out=[d_out])


def test_weaken_of_a_lemma_is_refused():
    with pytest.raises(KernelError, match="expected a private or stable claim"):
        rules.weaken(believed(WEAKEN), d_out=["1"])


def test_chain_of_a_transformation_and_a_mechanism():
    assert str(noisy_count().claim.term) == (
        "private(chain(count(records()), discrete_laplace(1, 1)), table(records()), symmetric(1), pure(1))"
    )


def test_chain_of_two_transformations():
    clamped = rules.instantiate(rowwise("clamp"), values={"lower": "0", "upper": "5", "granularity": "1", "d_in": "2"})
    counted = rules.instantiate(summed("count"), values={"rows": "grid(1)", "d_in": "2"})
    assert str(rules.chain(clamped, counted).claim.term) == (
        "stable(chain(clamp(0, 5, 1), count(grid(1))), table(grid(1)), symmetric(2), grid(1), absolute(2))"
    )


def test_chain_reaches_a_larger_distance_that_is_covered():
    counted = rules.instantiate(summed("count"), values={"rows": "records()", "d_in": "1"})
    wide = rules.instantiate(noise(), values={"scale": "1", "granularity": "1", "d_in": "5"})
    assert str(rules.chain(counted, wide).claim.d_out[0]) == "5"


def test_chain_keeps_the_conditions_of_both():
    counted = summed("count")
    reached = rules.instantiate(noise(), values={"granularity": "1", "d_in": "d_in * 1"})
    given = rules.chain(counted, reached).claim.given
    assert [str(c) for c in given] == ["0 <= d_in", "0 < scale", "0 <= d_in * 1"]


def at(values, family=noise):
    return rules.instantiate(family(), values=values)


def test_chain_that_does_not_reach_far_enough_is_refused():
    counted = rules.instantiate(summed("count"), values={"rows": "records()", "d_in": "3"})
    with pytest.raises(KernelError, match="d_in 2 does not cover 3"):
        rules.chain(counted, at({"scale": "1", "granularity": "1", "d_in": "2"}))


def test_chain_of_open_distances_that_are_not_the_same_is_refused():
    """Also where one of them is closed: nothing says how they compare."""
    counted = rules.instantiate(summed("count"), values={"rows": "records()"})
    for d_in in ("d_in", "2 * d_in", "5"):
        with pytest.raises(KernelError, match="does not cover"):
            rules.chain(counted, at({"granularity": "1", "d_in": d_in}))
    closed = rules.instantiate(summed("count"), values={"rows": "records()", "d_in": "1"})
    with pytest.raises(KernelError, match="does not cover"):
        rules.chain(closed, at({"granularity": "1"}))


def test_chain_into_another_domain_is_refused():
    counted = rules.instantiate(summed("count"), values={"rows": "records()", "d_in": "1"})
    for step in ("2", "1/2"):
        with pytest.raises(KernelError, match="does not lie in the input domain"):
            rules.chain(counted, at({"scale": "1", "granularity": step, "d_in": "1"}))
    values = {"scale": "1", "granularity": "1", "lower": "0", "upper": "5", "d_in": "1"}
    truncated = rules.instantiate(mechanism("truncated_geometric"), values=values)
    with pytest.raises(KernelError, match="does not lie in the input domain"):
        rules.chain(counted, truncated)


def test_chain_into_another_metric_is_refused():
    counts = rules.instantiate(summed("histogram", "add_remove", "l2"), values={"dimension": "3", "d_in": "1"})
    pure = rules.instantiate(
        noise(vector="yes"), values={"scale": "1", "granularity": "1", "dimension": "3", "d_in": "1"}
    )
    with pytest.raises(KernelError, match="the output metric l2 is not the input metric l1"):
        rules.chain(counts, pure)


def test_chain_that_starts_with_no_transformation_is_refused():
    for first in (noisy_count(), believed(WEAKEN)):
        with pytest.raises(KernelError, match="the first of a chain must be stable"):
            rules.chain(first, noisy_count())


def test_chain_that_ends_with_no_relation_is_refused():
    counted = rules.instantiate(summed("count"), values={"rows": "records()", "d_in": "1"})
    with pytest.raises(KernelError, match="expected a private or stable claim"):
        rules.chain(counted, believed(WEAKEN))
