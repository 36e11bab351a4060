"""Sequences of rounds cost the sum of their losses, whoever chooses them in view of what came before; and no less."""

import random
from fractions import Fraction as F
from functools import cache

import pytest

from refdp.kernel import rules
from refdp.kernel.certificate import certificate, parsed, replay, text_of
from refdp.kernel.judgements import KernelError, Private
from refdp.proofs.lines import proved
from refdp.spec.distances import greatest_ratio, hockey_stick, renyi_moment
from refdp.terms.reading import read
from refdp.terms.term import TermError
from tests.exactness.entering import given

TABLES = {"domain": "table(records())", "near": "symmetric", "d_in": "1"}
INSTANCES = 1_000
FACTORS = (F(1), F(4, 3), F(3, 2), F(2), F(3))
"""e^epsilon of the losses that rounds are given."""


def rounds(*losses, **others):
    return rules.rounds(**{**TABLES, **others}, losses=list(losses)).claim


def filtered(total, **others):
    return rules.filtered(**{**TABLES, **others}, total=total).claim


@pytest.mark.parametrize(
    ("losses", "together"),
    [
        (["pure(1/3)", "pure(1/6)"], "pure(1/2)"),
        (["pure(ln(2))"] * 3, "pure(ln(8))"),
        (["approximate(1/2, 1/100)", "approximate(0, 0)"], "approximate(1/2, 1/100)"),
        (["concentrated(1/8)"] * 100, "concentrated(25/2)"),
        (["renyi(8, 1/10)", "renyi(8, 1/5)"], "renyi(8, 3/10)"),
    ],
)
def test_rounds_cost_the_sum_of_their_losses(losses, together):
    claim = rounds(*losses)
    assert str(claim.term).startswith(f"private(rounds({', '.join(losses)}), table(records()), symmetric(1), ")
    assert (claim.measure, claim.d_out) == (read(together).operator, read(together).arguments)
    assert (claim.given, claim.metric, str(claim.d_in)) == ((), "symmetric", "1")


def test_filter_costs_its_budget_under_every_measure_that_adds_up():
    for total in ("pure(1)", "approximate(1, 1/1000)", "concentrated(1/8)", "renyi(5/2, 1)"):
        claim = filtered(total)
        assert str(claim.term) == f"private(filtered({total}), table(records()), symmetric(1), {total})"
    near = {"domain": "sized_table(records(), 10)", "near": "change_one", "d_in": "2"}
    assert str(filtered("pure(1)", **near).term).endswith("sized_table(records(), 10), change_one(2), pure(1))")


def test_losses_that_are_left_open_bring_their_conditions():
    claim = filtered("renyi(order, epsilon)", domain="table(rows)", d_in="d")
    assert [str(c) for c in claim.given] == ["0 <= d", "1 < order", "0 <= epsilon"]
    whole = rules.rounds(domain="table(rows)", near="symmetric", d_in="d", losses=["pure(a)", "pure(1/2)"])
    assert [str(c) for c in whole.claim.given] == ["0 <= d", "0 <= a"]
    assert str(rules.instantiate(whole, values={"a": "1/2", "d": "2"}).claim.d_out[0]) == "1"
    with pytest.raises(KernelError, match="the condition 0 <= -1 does not hold"):
        rules.instantiate(whole, values={"a": "-1"})


def test_sequence_of_a_hundred_rounds_has_a_certificate_that_replays():
    theorem = rules.rounds(**TABLES, losses=[f"pure(1/{100 + i})" for i in range(100)])
    found = parsed(text_of(certificate(theorem, "")))
    again = replay(found, lambda statement, by: frozenset({"nobody"}))
    assert again.theorem.claim == theorem.claim
    assert again.trusts == frozenset()


@pytest.mark.parametrize(
    ("losses", "reason"),
    [
        ([], "there must be 1 to 10000 rounds, got 0"),
        (["pure(1)", "concentrated(1)"], "all rounds must be under one measure"),
        (["renyi(2, 1)", "renyi(3, 1)"], "all rounds must be at one order"),
        (["renyi(1, 1)"], "the condition 1 < 1 does not hold"),
        (["renyi(2, -1)"], "the condition 0 <= -1 does not hold"),
        (["pure(-1)"], "the condition 0 <= -1 does not hold"),
        (["approximate(1, -1/2)"], "the condition 0 <= -1/2 does not hold"),
        (["pure(1, 2)"], "is not an amount of privacy loss"),
        (["gaussian(1)"], "is not an amount of privacy loss"),
        (["loss_tail(1, 0)"], "is not an amount of privacy loss"),
        (["ratio(1, 0)"], "is not an amount of privacy loss"),
        (["curve(1)"], "is not an amount of privacy loss"),
        (["pure('1')"], "is not a number"),
    ],
)
def test_rounds_of_losses_that_do_not_add_up_are_refused(losses, reason):
    with pytest.raises(KernelError, match=reason):
        rounds(*losses)
    for loss in losses[:1] if len(losses) == 1 else ():
        with pytest.raises(KernelError, match=reason):
            filtered(loss)


@pytest.mark.parametrize(
    ("others", "reason"),
    [
        ({"domain": "sized_table(records(), 3)"}, "no two members"),
        ({"domain": "vector(reals(), 2)"}, "no two members"),
        ({"domain": "reals()"}, "no two members"),
        ({"near": "absolute"}, "no two members"),
        ({"near": "apart_2_2"}, "no two members"),
        ({"domain": "records"}, "is not a domain"),
        ({"near": "near"}, "metric must be one of"),
        ({"d_in": "-1"}, "the condition 0 <= -1 does not hold"),
        ({"d_in": "table(records())"}, "has no numerical value"),
    ],
)
def test_sequence_on_what_has_no_neighbours_is_refused(others, reason):
    with pytest.raises(KernelError, match=reason):
        rounds("pure(1)", **others)
    with pytest.raises(KernelError, match=reason):
        filtered("pure(1)", **others)


def mechanism(measure="concentrated(1/8)", domain="table(vector(reals(), 2))", near="symmetric(1)"):
    """A claim about some mechanism that is taken as given."""
    close, far = read(near), read(measure)
    subject = read("randomised_response(1)")
    return given(Private(subject, read(domain), close.operator, close.arguments[0], far.operator, far.arguments))


def mapped(m, k="100", domain="table(rows)", **others):
    return rules.mapped_rounds(m, domain=domain, k=k, **others).claim


@pytest.mark.parametrize(
    ("one", "together"),
    [
        ("pure(ln(2))", "pure(ln(8))"),
        ("approximate(1/2, 1/100)", "approximate(3/2, 3/100)"),
        ("concentrated(1/8)", "concentrated(3/8)"),
        ("renyi(5/2, 1/10)", "renyi(5/2, 3/10)"),
    ],
)
@pytest.mark.parametrize("near", ["symmetric(1)", "symmetric(3)", "change_one(1)"])
def test_mapped_rounds_cost_k_times_the_loss_on_tables_of_any_rows(one, together, near):
    claim = mapped(mechanism(one, near=near), k="3")
    assert str(claim.term) == f"private(mapped_rounds(randomised_response(1), 3), table(rows), {near}, {together})"
    sized = mapped(mechanism(one, "sized_table(finite(2), 4)", near), k="3", domain="sized_table(rows, 4)")
    assert str(sized.domain) == "sized_table(rows, 4)"


def test_mapped_rounds_of_any_number_have_their_conditions():
    claim = mapped(mechanism(), k="k")
    assert [str(c) for c in claim.given] == ["integer(k)", "1 <= k"]
    assert str(rules.instantiate(given(claim), values={"k": "4"}).claim.d_out[0]) == "1/2"


@pytest.mark.parametrize(
    ("m", "others", "reason"),
    [
        (mechanism("gaussian(1)"), {}, "losses under gaussian are not known to add up along a sequence"),
        (mechanism("loss_tail(1, 0)"), {}, "losses under loss_tail are not known"),
        (mechanism("ratio(1, 0)"), {}, "losses under ratio are not known"),
        (mechanism(domain="finite(2)", near="discrete(1)"), {}, "expected a table and its rows"),
        (mechanism(domain="vector(reals(), 2)", near="l2(1)"), {}, "expected a table and its rows"),
        (mechanism(near="insert_delete(1)"), {}, "expected a table and its rows"),
        (mechanism(near="hamming(1)"), {}, "expected a table and its rows"),
        (mechanism(), {"domain": "sized_table(rows, 3)"}, "expected a domain of tables as table"),
        (mechanism(), {"domain": "vector(reals(), 2)"}, "expected a domain of tables as table"),
        (mechanism(), {"domain": "rows"}, "is not a domain"),
        (mechanism(domain="sized_table(finite(2), 4)", near="change_one(1)"), {}, "expected a domain of tables"),
        (
            mechanism(domain="sized_table(finite(2), 4)", near="change_one(1)"),
            {"domain": "sized_table(rows, 5)"},
            "expected a domain of tables",
        ),
        (mechanism(), {"k": "0"}, "1 <= 0"),
        (mechanism(), {"k": "3/2"}, "integer"),
        (mechanism(), {"k": "-1"}, "1 <= -1"),
        (mechanism(), {"d_out": ["1"]}, "1 is not an upper bound of"),
    ],
)
def test_mapped_rounds_of_another_claim_are_refused(m, others, reason):
    with pytest.raises((KernelError, TermError), match=reason):
        mapped(m, **others)


def test_mapped_rounds_take_a_private_claim():
    with pytest.raises(KernelError, match="mapped_rounds takes a private claim"):
        mapped(proved("count.add_remove"))


def law(rng):
    """A law on three outcomes."""
    weights = [rng.randint(1, 5) for _ in range(3)]
    return {y: F(w, sum(weights)) for y, w in enumerate(weights)}


class Tree:
    """Rounds that are chosen in view of outcomes: each node's pair of laws has a loss that what is left covers."""

    def __init__(self, rng, measure):
        self.rng, self.measure, self.joint = rng, measure, ({}, {})

    def lost(self, one, other):
        """The least loss of a pair of laws, at a random epsilon where there is a choice."""
        if self.measure == "pure":
            return (max(greatest_ratio(one, other), greatest_ratio(other, one)),)
        if self.measure == "renyi":
            return (max(renyi_moment(one, other, 2), renyi_moment(other, one, 2)),)
        factor = self.rng.choice(FACTORS)
        return factor, max(hockey_stick(one, other, factor), hockey_stick(other, one, factor))

    def grow(self, left, depth, path=(), mass=(F(1), F(1)), beyond=False):
        """Put the law of all outcomes below a node into `joint`; with `beyond` the budget is not looked at."""
        for _ in range(6 if depth else 0):
            pair = law(self.rng), law(self.rng)
            factor, *failures = self.lost(*pair)
            if beyond or (factor <= left[0] and all(d <= rest for d, rest in zip(failures, left[1:], strict=True))):
                rest = (left[0] / factor, *(r - d for r, d in zip(left[1:], failures, strict=True)))
                for y in pair[0]:
                    masses = tuple(m * one[y] for m, one in zip(mass, pair, strict=True))
                    self.grow(rest, depth - 1, (*path, y), masses, beyond)
                return
        for joint, m in zip(self.joint, mass, strict=True):
            joint[path] = m

    def is_within(self, total):
        """Whether the laws of all outcomes are within what the theorem says, exactly."""
        (one, other), claim = self.joint, known(total)
        losses = claim.d_out[1:] if self.measure == "renyi" else claim.d_out
        assert losses[0].operator == "ln"
        factor = losses[0].arguments[0].rational
        if self.measure == "pure":
            return max(greatest_ratio(one, other), greatest_ratio(other, one)) <= factor
        if self.measure == "renyi":
            return max(renyi_moment(one, other, 2), renyi_moment(other, one, 2)) <= factor
        return max(hockey_stick(one, other, factor), hockey_stick(other, one, factor)) <= losses[1].rational


@cache
def known(total):
    return filtered(total)


def budget(rng, measure):
    """What may be spent, as factors e^epsilon with a delta, and as the term that the rule takes."""
    factor, delta = rng.choice((F(3, 2), F(2), F(3), F(5))), F(rng.randint(1, 30), 60)
    if measure == "approximate":
        return (factor, delta), f"approximate(ln({factor}), {delta})"
    return (factor,), f"pure(ln({factor}))" if measure == "pure" else f"renyi(2, ln({factor}))"


@pytest.mark.parametrize("measure", ["pure", "approximate", "renyi"])
def test_filter_holds_of_every_way_to_choose_against_enumeration(measure):
    """Each tree draws two or three rounds, mechanism and loss chosen by the outcomes before; 1,000 for each measure."""
    deep = 0
    for seed in range(INSTANCES):
        rng = random.Random(f"{measure} {seed}")
        left, total = budget(rng, measure)
        tree = Tree(rng, measure)
        tree.grow(left, 3)
        assert sum(tree.joint[0].values()) == sum(tree.joint[1].values()) == 1
        assert tree.is_within(total), seed
        deep += max(map(len, tree.joint[0])) >= 2
    assert deep >= INSTANCES // 4


@pytest.mark.parametrize("measure", ["pure", "approximate", "renyi"])
def test_enumeration_sees_a_filter_that_does_not_look_at_what_was_spent(measure):
    exceeded = 0
    for seed in range(60):
        rng = random.Random(f"{measure} beyond {seed}")
        left, total = budget(rng, measure)
        tree = Tree(rng, measure)
        tree.grow(left, 3, beyond=True)
        exceeded += not tree.is_within(total)
    assert exceeded >= 20


def test_sum_is_attained_by_responses_that_all_tell_the_same():
    """Two responses of ratio 2 and one of 3/2 have a ratio of 6: a smaller sum would be false."""
    joint = ({(): F(1)}, {(): F(1)})
    for factor in (F(2), F(2), F(3, 2)):
        truth = factor / (1 + factor)
        pair = ({0: truth, 1: 1 - truth}, {0: 1 - truth, 1: truth})
        joint = tuple(
            {(*path, y): m * q for path, m in one.items() for y, q in law.items()}
            for one, law in zip(joint, pair, strict=True)
        )
    assert greatest_ratio(*joint) == 6
    assert str(rounds("pure(ln(2))", "pure(ln(2))", "pure(ln(3/2))").d_out[0]) == "ln(6)"
