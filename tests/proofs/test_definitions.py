"""The counterexamples of composition and definitions refute what is false, and nothing that is just true."""

from collections.abc import Callable
from fractions import Fraction as F

import pytest

from refdp.kernel.judgements import KernelError
from refdp.numerics.exact import decide
from refdp.proofs.lemmas import false_at
from refdp.provers.counterexamples import violates
from refdp.provers.witnesses import NoWitness, refuted_by_event, refuted_by_output
from refdp.spec.distances import hockey_stick, loss_tail
from refdp.spec.semantics import law
from refdp.statements.composition import CLOSURE, COMPOSITION, CONVERSION, FALSE, SAMPLING, SEQUENTIAL
from refdp.statements.definitions import DEFINITIONS
from refdp.terms.evaluation import truth
from refdp.terms.reading import read
from refdp.terms.term import exp, ln, sqrt
from tests.claimed import composition
from tests.exactness.laws import chances, share

NARROW = "listed(tuple_of(tuple_of(1/10, 2/5, 1/2), tuple_of(0, 1/5, 4/5)))"
NEARLY_ALWAYS = "randomised_response(99001/100000)"
BARELY = "randomised_response(68/93)"
STEPS = "listed(tuple_of(tuple_of(3/10, 7/10), tuple_of(1/10, 9/10), tuple_of(0, 1)))"
ONE_IN_A_HUNDRED = (
    "listed(tuple_of(tuple_of(99/100, 1/100, 0, 0), tuple_of(99/100, 0, 1/100, 0), tuple_of(99/100, 0, 0, 1/100)))"
)
PUBLISHER = "listed(tuple_of(tuple_of(9/10, 1/10, 0), tuple_of(9/10, 0, 1/10)))"
TIGHT = [
    f"private({NARROW}, finite(2), discrete(1), loss_tail(ln(2), 1/10))",
    f"private(post_process(clamp_output(1, 2), {NARROW}), finite(2), discrete(1), loss_tail(ln(2), 1/2))",
    f"private(post_process(clamp_output(1, 2), {NARROW}), finite(2), discrete(1), loss_tail(ln(5/2), 0))",
    f"private({NEARLY_ALWAYS}, finite(2), discrete(1), loss_tail(ln(99), 99001/100000))",
    f"private({NEARLY_ALWAYS}, finite(2), discrete(1), approximate(ln(99), 1/1000))",
    f"private({ONE_IN_A_HUNDRED}, finite(3), discrete(1), approximate(0, 1/100))",
    f"private({BARELY}, finite(2), discrete(1), pure(ln(68/25)))",
    f"private({STEPS}, finite(3), absolute(2), approximate(ln(4), 3/10))",
    f"private(compose({PUBLISHER}, {PUBLISHER}), finite(2), discrete(1), approximate(0, 19/100))",
    "private(randomised_response(3/4), finite(2), discrete(1), ratio(ln(2), 1))",
]


@pytest.mark.parametrize("claim", TIGHT)
def test_a_claim_that_is_just_true_is_not_refuted(claim):
    with pytest.raises(NoWitness):
        refuted_by_event(claim, {}, map(F, range(3)))


def test_the_printed_ratio_of_discrete_gaussian_noise_is_refuted_only_far_enough_out():
    """At sigma = 10 the loss at -y is (2 y + 1) / 200; e + 1/10 = e^1.036..."""
    claim = "private(discrete_gaussian(10, 1), grid(1), absolute(1), ratio(1, 1/10))"
    with pytest.raises(NoWitness):
        refuted_by_output(claim, {}, map(F, range(2)), [F(-103)])
    assert refuted_by_output(claim, {}, map(F, range(2)), [F(-104)])


def test_the_mechanisms_of_the_pages_are_what_they_are_said_to_be():
    narrow = [law(read(NARROW), F(x)) for x in range(2)]
    assert loss_tail(*narrow, F(2)) == F(1, 10) > loss_tail(*narrow[::-1], F(2))
    steps = [law(read(STEPS), F(x)) for x in range(3)]
    assert hockey_stick(steps[0], steps[2], F(4)) == hockey_stick(steps[0], steps[1], F(2)) * (1 + 2)
    always = law(read(NEARLY_ALWAYS), F(0))
    assert max(always.values()) > F(99, 100)


def test_advanced_composition_is_below_what_basic_composition_gives():
    exact = read("1000") * (read("1/100") ** 2) / 2 + read("1/100") * sqrt(2 * read("1000") * ln(1_000_000))
    assert decide(exact <= read("1713/1000"))
    assert not decide(exact <= read("1712/1000"))
    rooted = 6 * ln(2) ** 2 / 2 + ln(2) * sqrt(2 * ln(100))
    assert decide(rooted <= read("709/200"))
    assert decide(exp(read("709/200")) < exp(6 * ln(2)))
    assert composition.advanced_thousand().claim.d_out[0] == read("1713/1000")


EQUATIONS: dict[str, Callable[[dict[str, F]], None]] = {
    "c": lambda v: v.update(c=(v["t"] - v["s"]) / (v["t"] ** 2 - 1)),
    "z": lambda v: v.update(z=v["x"] * (v["order"] - 1) / v["order"]),
    "rho": lambda v: v.update(l=v["s"] ** 2 * v["rho"]) if "s" in v else None,
}
"""How values that a hypothesis ties to the others are worked out."""
TRUE = SEQUENTIAL | CLOSURE | CONVERSION | SAMPLING


def points(key: str, variables: tuple[str, ...], count: int):
    """Random values, small and simple so that hypotheses often hold."""
    for chance in chances(key, count):
        found = {v: F(chance.randint(0, 8), chance.choice([1, 2, 4, 8])) for v in variables}
        for name, solve in EQUATIONS.items():
            if name in found and found.get("t") != 1 and found.get("order") != 0:
                solve(found)
        yield found


@pytest.mark.parametrize("key", [k for k in TRUE if k != "advanced_form"])
def test_a_true_inequality_is_violated_nowhere(key):
    statement, met = TRUE[key], 0
    for values in points(key, statement.variables, 3000):
        met += all(truth(c, values) for c in statement.given)
        assert not violates(statement, values), values
    assert met >= max(1, share(10))


@pytest.mark.parametrize("key", FALSE)
def test_a_false_inequality_holds_where_nothing_is_lost(key):
    """At one choice of values each is true: a refutation must bring values that break it."""
    ones = {v: "0" if v in ("epsilon", "e_1", "e_2", "d_1", "d_2") else "1" for v in FALSE[key].variables}
    with pytest.raises(KernelError, match="holds at the values"):
        false_at(f"composition.{key}", **ones)


def test_singletons_rectangles_and_tails_are_refuted_by_laws_alone():
    """Values that are no laws, or that break a hypothesis, refute nothing."""
    quarters = {f"q_{i}": "1/4" for i in "1234"}
    halves = {"p_1": "1/2", "p_2": "1/2", "p_3": "0", "p_4": "0"}
    good = {**halves, **quarters, "t": "1", "d": "1/4"}
    assert false_at("definitions.singletons_suffice", **good)
    for change in ({"p_1": "3/4"}, {"d": "1/8"}, {"t": "1/2"}, {"q_1": "1/2"}):
        with pytest.raises(KernelError, match="does not hold"):
            false_at("definitions.singletons_suffice", **good | change)
    with pytest.raises(KernelError, match="holds at the values"):
        false_at("definitions.singletons_suffice", **good | {"d": "1/2"})


def test_statements_are_registered_under_their_stems():
    assert set(COMPOSITION.statements) == set(TRUE) | set(FALSE)
    assert {"tail_is_the_delta", "rectangles_suffice"} <= set(DEFINITIONS.statements)
