"""What is demanded of draws, charges and claims, held against its definition at random numbers.

Statements about public parameters are evaluated, by no solver, and must be true just where the definition says so.
"""

import math
from dataclasses import replace
from fractions import Fraction as F
from itertools import product
from math import inf
from random import Random
from typing import Any

import pytest

from refdp import work
from refdp.programs.adjacency import ALL, L1, L2, MONO, NEW, OLD, ONE, Adjacency, Relation
from refdp.programs.checking.alignment import Alignment, Group, WeightList
from refdp.programs.checking.charges import drawable, followed, is_nothing, possible, rated
from refdp.programs.checking.conditions import Condition
from refdp.programs.checking.neighbours import Neighbours
from refdp.programs.checking.proof import (
    charged,
    decided,
    demanded,
    has_values,
    insist_on_sense,
    moved,
    proves,
    settled,
    within,
)
from refdp.programs.checking.public import Public, Refused, public
from refdp.programs.execution import Drawn
from refdp.programs.language.reading import programs_in
from refdp.programs.steps import stepwise
from refdp.programs.syntax import Claim
from refdp.terms.exact_values import evaluate
from refdp.terms.leaves import FALSE, TRUE, integer, make, rational, variable, variables
from refdp.terms.operations import at_most, equal, multiply, subtract, total
from refdp.terms.term import Term

PROGRAM = """
from refdp.programs import ALL, claim, laplace

@claim(epsilon="epsilon", adjacency=ALL)
def program(x, epsilon, a, b, c, i: int, j: int):
    return x + laplace(1 / epsilon)
"""
(ASKED,) = programs_in(PROGRAM, "file.py")
A, B, C = (variable(name, "Real") for name in "abc")
FIRST, LAST = (variable(name, "Int") for name in "ij")
HALVES = [F(k, 2) for k in range(-4, 7)]
SORTS = {"bernoulli": "Bool", "discrete_laplace": "Int", "uniform": "Int", "choice": "Int"}


@pytest.fixture
def shared() -> Public:
    return public(ASKED, ASKED.claims[0], ())


def drawn(family: Any, *parameters: Term, weights: str | None = None) -> Drawn:
    return Drawn(1, family, parameters, variable("draw.1", SORTS.get(family, "Real")), weights)


def true(statements: Any, **values: Any) -> bool:
    """Whether all of the statements are true at these numbers."""
    sorts = {name: "Int" if name in "ij" else "Real" for name in values}
    at = {variable(name.replace("_", "."), sorts[name]): value for name, value in values.items()}
    found = [evaluate(one, at) for one in statements]
    assert found
    return all(found)


def test_a_probability_lies_between_0_and_1(shared: Public) -> None:
    demanded = list(drawable(drawn("bernoulli", A), shared))
    for p in HALVES:
        assert true(demanded, a=p) == (0 <= p <= 1)


def test_the_limits_of_a_uniform_draw_are_in_order(shared: Public) -> None:
    demanded = list(drawable(drawn("uniform", FIRST, LAST), shared))
    for low, high in product(range(-2, 3), repeat=2):
        assert true(demanded, i=low, j=high) == (low <= high)
    for ends in ((A, LAST), (FIRST, A)):
        with pytest.raises(Refused, match="between integers"):
            list(drawable(drawn("uniform", *ends), shared))


def test_weights_are_not_negative_and_one_is_positive(shared: Public) -> None:
    demanded = list(drawable(drawn("choice", A, B, C), shared))
    for weights in product((F(-1), F(0), F(1, 2)), repeat=3):
        assert true(demanded, **dict(zip("abc", weights, strict=True))) == (min(weights) >= 0 < sum(weights))
    assert list(drawable(drawn("choice", weights="list"), shared)) == []


@pytest.mark.parametrize("family", ["laplace", "discrete_laplace", "exponential", "gaussian"])
def test_a_scale_is_positive(shared: Public, family: str) -> None:
    demanded = list(drawable(drawn(family, A), shared))
    for scale in HALVES:
        assert true(demanded, a=scale) == (scale > 0)


def test_what_can_be_drawn_is_what_the_family_allows(shared: Public) -> None:
    v, k = variable("v", "Real"), FIRST
    for value in HALVES:
        assert true([possible(drawn("exponential", A), v, shared)], v=value) == (value >= 0)
        assert true([possible(drawn("laplace", A), v, shared)], v=value)
    for low, high, value in product(range(-1, 3), repeat=3):
        said = possible(drawn("uniform", integer(low), integer(high)), k, shared)
        assert true([said], i=value) == (low <= value <= high)
        assert true([possible(drawn("choice", A, B), k, shared)], i=value) == (0 <= value < 2)
        assert true([possible(drawn("choice", weights="list"), k, shared)], i=value) == (value >= 0)


@pytest.mark.parametrize("family", ["laplace", "discrete_laplace", "exponential"])
def test_a_charge_is_the_loss_where_weight_times_rate_is_1_over_the_scale(shared: Public, family: str) -> None:
    for weight in (F(1), F(1, 2), F(3)):
        demanded = list(rated(drawn(family, A), Group(B, C), weight, shared))
        for scale, rate in product(HALVES, repeat=2):
            assert true(demanded, a=scale, b=rate) == (weight * rate * scale == 1)


def test_a_flip_is_charged_the_greatest_odds(shared: Public) -> None:
    """max(p / (1 - p), (1 - p) / p) is at most R, the rate being ln(R)."""
    demanded = list(rated(drawn("bernoulli", A), Group(make("ln", "Real", B), C), F(1), shared))
    for p, odds in product([F(k, 8) for k in range(-2, 11)], [F(k, 3) for k in range(12)]):
        greatest = max(p / (1 - p), (1 - p) / p) if 0 < p < 1 else inf
        assert true(demanded, a=p, b=odds) == (greatest <= odds)


def test_what_cannot_be_charged_so_is_refused(shared: Public) -> None:
    for family in ("gaussian", "choice", "uniform"):
        with pytest.raises(Refused, match="cannot be charged"):
            list(rated(drawn(family, A), Group(B, C), F(1), shared))
    for family, weight in (("laplace", F(0)), ("laplace", F(-1)), ("bernoulli", F(2)), ("bernoulli", F(1, 2))):
        with pytest.raises(Refused, match="a weight must be"):
            list(rated(drawn(family, A), Group(B, C), weight, shared))


GROUPS = (Group(A, B), Group(B, C))


@pytest.mark.parametrize(
    ("family", "sort"), [("laplace", "Real"), ("discrete_laplace", "Int"), ("exponential", "Real")]
)
@pytest.mark.parametrize("weight", [F(1), F(3, 2)])
def test_a_shifted_draw_is_the_sum_and_costs_the_weighted_distance(family: str, sort: Any, weight: F) -> None:
    shift, one = variable("a" if sort == "Real" else "i", sort), drawn(family, C)
    found = followed(one, shift, Alignment({}, GROUPS, {1: (1, weight)}))
    assert found.charge is not None
    assert found.charge[0] == 1
    for moved_by, value in product((-2, -1, 0, 1, 3), repeat=2):
        at = {shift: moved_by, one.variable: value}
        assert evaluate(found.second, at) == value + moved_by
        size = moved_by if family == "exponential" else abs(moved_by)
        assert evaluate(found.charge[1], at) == weight * size


def test_a_flipped_draw_is_the_other_and_costs_its_weight_where_it_is_flipped() -> None:
    flip, one = variable("flip", "Bool"), drawn("bernoulli", A)
    found = followed(one, flip, Alignment({}, GROUPS, {1: (0, F(1))}))
    assert found.charge is not None
    for is_flipped, value in product((False, True), repeat=2):
        at = {flip: is_flipped, one.variable: value}
        assert evaluate(found.second, at) == (value != is_flipped)
        assert evaluate(found.charge[1], at) == int(is_flipped)


def test_a_uniform_draw_is_shifted_freely_by_integers_and_others_not_at_all() -> None:
    found = followed(drawn("uniform", FIRST, LAST), integer(2), Alignment({}))
    assert found.charge is None
    assert evaluate(found.second, {variable("draw.1", "Int"): 5}) == 7
    for family, shift in (("uniform", rational(1)), ("laplace", integer(1)), ("discrete_laplace", rational(1)),
                          ("bernoulli", integer(1)), ("gaussian", rational(1)), ("choice", integer(1))):  # fmt: skip
        with pytest.raises(Refused, match=r"cannot be shifted|must be flipped"):
            followed(drawn(family, FIRST, LAST), shift, Alignment({}, GROUPS, {1: (0, F(1))}))


def test_no_shift_is_the_same_draw() -> None:
    for family, shift in (("laplace", rational(0)), ("discrete_laplace", integer(0)), ("bernoulli", FALSE)):
        assert is_nothing(shift)
        found = followed(drawn(family, A), shift, Alignment({}))
        assert (found.second, found.charge) == (drawn(family).variable, None)
    for shift in (rational(1), integer(-1), TRUE, A):
        assert not is_nothing(shift)


def test_a_choice_from_a_list_costs_how_far_apart_its_exponents_grow() -> None:
    chosen = drawn("choice", weights="list")
    for low, high in product((F(-1), F(0), F(2)), repeat=2):
        alignment = Alignment({}, GROUPS, {}, {"list": WeightList(1, low, high)})
        if low > high:
            with pytest.raises(Refused, match="weights must grow"):
                followed(chosen, integer(0), alignment)
        else:
            found = followed(chosen, integer(0), alignment)
            assert found.charge is not None
            assert (found.charge[0], evaluate(found.charge[1], {})) == (1, high - low)
            assert found.second == chosen.variable


@pytest.mark.parametrize("one_direction", [False, True])
def test_a_loss_is_within_a_claim_of_epsilon_or_of_rho(one_direction: bool) -> None:
    """A pure loss L is L^2 / 2 concentrated; L where neighbours are so one way only."""
    adjacency = Adjacency("mine", ALL.parts, one_direction)
    for lost, limit in product([F(k, 4) for k in range(9)], repeat=2):
        assert true([within(A, Claim(adjacency, epsilon=B))], a=lost, b=limit) == (lost <= limit)
        most = limit >= lost if one_direction else limit >= lost * lost / 2
        assert true([within(A, Claim(adjacency, rho=B))], a=lost, b=limit) == most
        assert true([within(A, Claim(adjacency))], a=lost) == (lost <= 0)


RELATIONS = {
    "ALL": ALL.parts[0],
    "ONE": ONE.parts[0],
    "none": Relation(ALL.parts[0].related, changed=0),
    "two": Relation(ALL.parts[0].related, changed=2),
    "L1": L1.parts[0],
    "half": Relation(ALL.parts[0].related, total=F(1, 2)),
    "L2": L2.parts[0],
    "no squares": Relation(ALL.parts[0].related, squares=F(0)),
    "upwards": MONO.parts[0],
    "equal": Relation(equal(OLD, NEW)),
}


@pytest.mark.parametrize("name", RELATIONS)
def test_an_element_is_moved_where_it_is_another_that_the_budgets_allow(name: str) -> None:
    relation = RELATIONS[name]
    statements = list(moved(relation, "Real"))
    for old, new in product([F(k, 4) for k in range(-4, 5)], repeat=2):
        change = abs(new - old)
        allowed = 0 < change <= 1 and (name != "upwards" or new > old) and name != "equal"
        allowed &= name not in ("none", "no squares") and (name != "half" or change <= F(1, 2))
        assert true(statements, data_0=old, other_0=new) == allowed


@pytest.mark.parametrize("name", ["ONE", "two", "L1", "half", "none"])
def test_an_element_takes_1_of_a_number_of_changes_and_its_distance_of_a_total(shared: Public, name: str) -> None:
    both = Neighbours(RELATIONS[name], shared, (True,))
    assert both.budget == {"ONE": 1, "two": 2, "L1": 1, "half": F(1, 2), "none": 0}[name]
    data = variable("data.0", "Real")
    for old, new in product(HALVES, repeat=2):
        taken = evaluate(both.change(data), {data: old, variable("other.0", "Real"): new})
        assert taken == (abs(new - old) if name in ("L1", "half") else int(new != old))
    for free in ("ALL", "L2"):
        assert Neighbours(RELATIONS[free], shared, ()).budget is None


def test_a_claim_has_values_where_every_parameter_is_given() -> None:
    (claim,) = ASKED.claims
    given = {name: rational(1) for name in ASKED.parameters}
    assert has_values(ASKED, Claim(claim.adjacency, claim.epsilon, given=given))
    for name in given:
        assert not has_values(
            ASKED, Claim(claim.adjacency, claim.epsilon, given={k: v for k, v in given.items() if k != name})
        )


def test_public_terms_are_kept_exactly_and_named_where_solvers_do_not_know_them(shared: Public) -> None:
    random = Random("public")
    together, shown = make("*", "Real", A, B), make("exp", "Real", A)
    for _ in range(20):
        a, b = (F(random.randint(-9, 9), 3) for _ in range(2))
        assert evaluate(shared.exact(together), {A: a, B: b}) == a * b
    named = shared(subtract(shown, C))
    assert evaluate(named, {shared.named[shown]: F(7), C: F(2)}) == 5
    with pytest.raises(Refused, match="public"):
        shared(make("exp", "Real", variable("data.0", "Real")))
    with pytest.raises(Refused, match="public"):
        shared.exact(variable("draw.1", "Real"))


def test_what_is_known_is_that_lengths_are_not_negative_and_exponentials_above_their_tangent(shared: Public) -> None:
    length, shown = variable("n", "Int"), make("exp", "Real", A)
    for n in (-2, -1, 0, 1, 5):
        assert all(evaluate(one, {length: n, **{variable(v, "Real"): F(1) for v in ("epsilon", *"abc")}})
                   for one in shared.known()) == (n >= 0)  # fmt: skip
    shared(shown)
    name = shared.named[shown]
    for x, power in product(HALVES, repeat=2):
        at = {length: 3, A: x, name: power, variable("epsilon", "Real"): F(1)}
        assert all(evaluate(one, at) for one in shared.known()) == (power > 0 and power >= 1 + x)


LIST = """
from refdp.programs import ONE, claim, laplace

@claim(epsilon="n * epsilon - epsilon", adjacency=ONE)
def program(q, epsilon):
    s = 0
    for x in q:
        s = s + x
    return s + laplace(1 / epsilon)
"""


def test_a_claim_about_lists_holds_of_the_empty_one_too_and_its_charges_of_the_others() -> None:
    """Lists without elements lose nothing, but a claim may be negative there."""
    (program,) = programs_in(LIST, "file.py")
    (claim,) = program.claims
    steps, known = stepwise(program), public(program, claim, ())
    epsilon, length = variable("epsilon", "Real"), variable("n", "Int")
    alignment = Alignment({}, (Group(epsilon, rational(1)),), {1: (0, F(1))})
    demanded = [one for one in charged(steps, claim, alignment, known) if one.name == "the claim"]
    for n, rate in product(range(5), (F(1, 2), F(1))):
        asked = {length: n, epsilon: rate}
        said = [evaluate(one.conclusion, asked) for one in demanded if all(evaluate(h, asked) for h in one.hypotheses)]
        assert said
        assert all(said) == (n * rate - rate >= (rate if n else 0))


def test_a_claim_about_one_number_is_demanded_whatever_n_may_be(shared: Public) -> None:
    alignment = Alignment({}, (Group(variable("epsilon", "Real"), rational(1)),), {1: (0, F(1))})
    demanded = [one for one in charged(stepwise(ASKED), ASKED.claims[0], alignment, shared) if one.name == "the claim"]
    assert len(demanded) == 1
    for hypothesis in demanded[0].hypotheses:
        assert evaluate(
            hypothesis, {variable("n", "Int"): 0, **{variable(v, "Real"): F(1) for v in ("epsilon", *"abc")}}
        )


def test_statements_without_variables_are_decided_or_not_taken_for_true() -> None:
    two, three = (make("ln", "Real", rational(k)) for k in (2, 3))
    assert decided(at_most(two, three))
    assert not decided(at_most(three, two))
    assert not decided(at_most(make("exp", "Real", rational(2**40)), make("exp", "Real", rational(2**40 + 1))))


@pytest.mark.parametrize("many", [2, 20, 300])
def test_a_statement_is_decided_however_long_it_is(many: int) -> None:
    """What is printed for readers is cut at 2,000 characters; no verdict hangs on it."""
    parts = [multiply(rational(F(1, k)), make("exp", "Real", rational(F(1, k)))) for k in range(2, many + 2)]
    about = F(sum(math.exp(1 / k) / k for k in range(2, many + 2)))
    assert len(str(total(parts))) > 2_000 - 1 or many < 300
    assert decided(at_most(total(parts), rational(about + F(1, 10**9))))
    assert not decided(at_most(total(parts), rational(about - F(1, 10**9))))


def test_a_statement_is_settled_where_it_speaks_of_no_parameter_that_is_not_given(shared: Public) -> None:
    two, three = (make("ln", "Real", rational(k)) for k in (2, 3))
    assert settled(at_most(two, three), shared) == TRUE
    assert settled(at_most(three, two), shared) == FALSE
    assert settled(at_most(A, two), shared) == at_most(A, two)
    given = public(ASKED, Claim(ALL, epsilon=A, given={"a": rational(1)}), ())
    assert settled(at_most(A, two), given) == FALSE
    assert settled(at_most(two, A), given) == TRUE


@pytest.mark.parametrize("group", [-1, 1, 7])
def test_what_is_charged_to_no_group_is_refused_before_it_is_compared(shared: Public, group: int) -> None:
    alignment = Alignment({}, (Group(variable("epsilon", "Real"), rational(1)),), {1: (group, F(1))})
    with pytest.raises(Refused, match="one of the groups"):
        list(charged(stepwise(ASKED), ASKED.claims[0], alignment, shared))


def test_a_claim_says_epsilon_with_or_without_delta_or_rho() -> None:
    for words, is_one in (
        ({"epsilon": A}, True), ({"rho": A}, True), ({"epsilon": A, "delta": B}, True), ({}, False),
        ({"delta": B}, False), ({"rho": A, "delta": B}, False), ({"epsilon": A, "rho": B}, False),
        ({"epsilon": A, "rho": B, "delta": C}, False),
    ):  # fmt: skip
        claim = Claim(ALL, **words)
        if is_one:
            insist_on_sense(ASKED, claim, 5.0)
        else:
            with pytest.raises(Refused, match="a claim must say epsilon, or epsilon and delta, or rho"):
                insist_on_sense(ASKED, claim, 5.0)


def test_no_solver_proves_anything_after_the_end() -> None:
    one = Condition("what is true", (), at_most(integer(1), integer(1)))
    assert all(proves("z3", one, work.spent() + seconds) for seconds in (0.9, 10))
    for late in (0, 1, 100):
        assert not proves("z3", one, work.spent() - late)


def test_a_delta_is_demanded_not_to_be_negative_wherever_the_claim_is_made(shared: Public) -> None:
    alignment = Alignment({}, (Group(variable("epsilon", "Real"), rational(1)),), {1: (0, F(1))})
    claim = Claim(ALL, epsilon=variable("epsilon", "Real"), delta=subtract(A, B))
    found = [one for one in charged(stepwise(ASKED), claim, alignment, shared) if one.name == "delta is not negative"]
    assert len(found) == 1
    at = {variable("n", "Int"): 0, variable("epsilon", "Real"): F(1), C: F(1), FIRST: 0, LAST: 0}
    for a, b in product(HALVES, repeat=2):
        asked = at | {A: a, B: b}
        assert all(evaluate(one, asked) for one in found[0].hypotheses)
        assert evaluate(found[0].conclusion, asked) == (a - b >= 0)


def test_a_variable_that_is_called_as_one_of_the_conditions_is_refused() -> None:
    """The reader renames them; a program that was made otherwise may have them."""
    (program,) = programs_in(LIST, "file.py")
    steps, (claim,) = stepwise(program), program.claims
    for name in ("draw.1", "data.0", "other.0", "others.1", "public.0", "cost.0", "rest.2", "change", "s.1", "x.seen"):
        strange = replace(steps, states={**steps.states, 1: {**steps.states[1], name: "Real"}})
        with pytest.raises(Refused, match=f"must not be named {name}"):
            next(demanded(strange, claim, [Alignment({})]))
    for name in ("draws", "costly.0", "x.3"):
        other = replace(steps, states={**steps.states, 1: {**steps.states[1], name: "Real"}})
        with pytest.raises(Refused, match="each loop must have an invariant"):
            next(demanded(other, claim, [Alignment({})]))


def test_a_power_of_e_is_a_variable_of_which_its_tangent_is_known(shared: Public) -> None:
    """The same one wherever the same power stands: solvers do not know exp."""
    for read in (shared.exact, shared):
        found = read(subtract(make("exp", "Real", A), B))
        (name,) = set(variables(found)) - {B}
        assert name.operator == "name"
        assert name != A
        assert read(make("exp", "Real", A)) == name
        assert evaluate(found, {name: F(5), B: F(2)}) == 3
        known = {one for one in shared.known() if name in variables(one)}
        assert [all(evaluate(one, {A: F(1), name: power}) for one in known) for power in (F(3), F(1), F(-1))] == [
            True, False, False
        ]  # fmt: skip


def test_a_claim_about_lists_holds_of_those_with_elements_if_it_grows_with_them() -> None:
    """n epsilon is nothing for the empty list, of which nothing is lost."""
    (program,) = programs_in(LIST.replace("n * epsilon - epsilon", "n * epsilon"), "file.py")
    (claim,), steps = program.claims, stepwise(program)
    alignment = Alignment({}, (Group(variable("epsilon", "Real"), rational(1)),), {1: (0, F(1))})
    demanded = [one for one in charged(steps, claim, alignment, public(program, claim, ())) if one.name == "the claim"]
    for n in range(4):
        asked = {variable("n", "Int"): n, variable("epsilon", "Real"): F(1, 2)}
        said = [evaluate(one.conclusion, asked) for one in demanded if all(evaluate(h, asked) for h in one.hypotheses)]
        assert said
        assert all(said)


def test_no_rate_is_negative(shared: Public) -> None:
    """Else a shift would pay instead of cost: ln(R) is at least 0 where R is at least 1."""
    for rate, least in ((A, 0), (make("ln", "Real", A), 1)):
        alignment = Alignment({}, (Group(rate, rational(1)),))
        (demanded,) = (
            one for one in charged(stepwise(ASKED), ASKED.claims[0], alignment, shared) if one.name == "a rate"
        )
        for value in HALVES:
            assert evaluate(demanded.conclusion, {A: value}) == (value >= least)
