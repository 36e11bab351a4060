"""A claim about an error is refuted by exact masses, by weights or by an exact tail; a true and tight one is not."""

import pytest

from refdp.kernel import rules
from refdp.kernel.judgements import KernelError
from refdp.kernel.reading import claimed, tail
from refdp.kernel.rules.inaccuracy import contains_event
from refdp.spec import accuracy
from refdp.spec.errors import ERRORS
from refdp.spec.registry import kind_of
from refdp.terms.reading import read
from refdp.terms.term import TermError
from tests.kinds import lemmas, mechanism

RESPONSE = "tail(k_ary_randomised_response(3, 3/4), finite(3), mistake(at_least(1)), {})"
MEAN = "tail(estimate(randomised_response(3/4), 2), vector(finite(2), 2), mean_error({}), {})"
CHOICE = "tail(exponential(1), vector(reals(), 4), shortfall({}), {})"
GRID = "tail(discrete_laplace(1, 1), grid(1), error({}), {})"
BELL = "tail(discrete_gaussian(1/2, 1), grid(1), error({}), {})"
LINE = "tail(laplace(2), reals(), error({}), {})"
SCORES = "tuple_of(1, 0, 0, 0)"


def exact(event="at_least", stem="laplace", inverted="no", **values):
    needed = accuracy.noise_obligations(kind_of(stem), True, inverted == "yes")
    general = rules.noise_tail(*lemmas(stem, needed), stem=stem, event=event, exactly="yes", inverted=inverted)
    return rules.instantiate(general, values=values)


AT_LN_2 = {"inverted": "yes", "scale": "2", "beta": "1/2"}
"""|- P[|Z| >= 2 ln(2)] = 1/2."""


@pytest.mark.parametrize(
    ("claim", "at"),
    [
        (RESPONSE.format("at_most(249/1000)"), "0"),
        (RESPONSE.format("probability(249/1000)"), "1"),
        (RESPONSE.format("probability(251/1000)"), "2"),
        (MEAN.format("at_least(3/2)", "at_most(1/17)"), "tuple_of(1, 1)"),
        (MEAN.format("at_least(sqrt(9/4))", "at_most(1/17)"), "tuple_of(1, 1)"),
        (MEAN.format("more_than(3/2)", "probability(1/1000)"), "tuple_of(1, 1)"),
        (CHOICE.format("at_least(1)", "at_most(524/1000)"), SCORES),
        (CHOICE.format("at_least(1)", "probability(525/1000)"), SCORES),
        (CHOICE.format("more_than(1)", "probability(1/1000)"), SCORES),
        (CHOICE.format("at_least(ln(2))", "at_most(exp(-1))"), SCORES),
    ],
)
def test_likelier_error_refutes(claim, at):
    theorem = rules.likelier_error(claim=claim, at=at)
    assert str(theorem.claim.term) == f"refuted({read(claim)})"
    assert theorem.trusts == frozenset()


@pytest.mark.parametrize(
    ("claim", "at", "why"),
    [
        (RESPONSE.format("at_most(1/4)"), "0", "does not break"),
        (RESPONSE.format("probability(1/4)"), "0", "does not break"),
        (RESPONSE.format("at_most(1/5)"), "3", "must be a member of"),
        (MEAN.format("at_least(5/2)", "at_most(1/16)"), "tuple_of(1, 1)", "does not break"),
        (MEAN.format("more_than(3/2)", "probability(0)"), "tuple_of(1, 1)", "does not break"),
        (MEAN.format("at_least(5/2)", "at_most(0)"), "tuple_of(1)", "must be a member of"),
        (CHOICE.format("at_least(1)", "at_most(525/1000)"), SCORES, "does not break"),
        (CHOICE.format("at_least(1)", "probability(3 * exp(-1) / (1 + 3 * exp(-1)))"), SCORES, "could not be told"),
        (CHOICE.format("more_than(1)", "probability(0)"), SCORES, "does not break"),
        (CHOICE.format("at_least(1)", "at_most(1/2)"), "tuple_of(1, 0, 0)", "must be a member of"),
        (GRID.format("at_least(1)", "at_most(1/2)"), "0", "has no finite law"),
        (RESPONSE.replace("finite(3)", "grid(1)").format("at_most(1/5)"), "7", "not in the domain"),
        ("tail(k_ary_randomised_response(3, truth), finite(3), mistake(at_least(1)), at_most(0))", "0", "closed"),
        ("tail(randomised_response(3/4), finite(2), mistake(at_least(1)), at_most(0), 0 < 1)", "0", "closed"),
    ],
)
def test_likelier_error_is_refused(claim, at, why):
    with pytest.raises(KernelError, match=why):
        rules.likelier_error(claim=claim, at=at)


def test_likelier_error_of_masses_that_are_no_law_is_refused():
    """Outside its conditions a mechanism has no law: of k = 2 values with truth 2 one has the mass -1."""
    claim = "tail(k_ary_randomised_response(2, 2), finite(2), mistake(at_least(1)), at_most(0))"
    with pytest.raises(KernelError, match="breaks truth < 1"):
        rules.likelier_error(claim=claim, at="0")


@pytest.mark.parametrize(
    ("claim", "points"),
    [
        (GRID.format("at_least(ln(2))", "probability(1/2)"), 4),
        (GRID.format("at_least(1)", "at_most(537/1000)"), 30),
        (GRID.format("more_than(1)", "at_most(197/1000)"), 30),
        (GRID.format("more_than(1/2)", "at_most(537/1000)"), 30),
        (GRID.format("at_least(0)", "at_most(999/1000)"), 1),
        (BELL.format("at_least(1)", "at_most(exp(-2))"), 1),
        ("tail(discrete_laplace(1, 1/2), grid(1/2), error(at_least(3/2)), at_most(277/1000))", 40),
    ],
)
def test_likelier_noise_refutes(claim, points):
    theorem = rules.likelier_noise(claim=claim, points=str(points))
    assert str(theorem.claim.term) == f"refuted({read(claim)})"
    assert theorem.trusts == frozenset()


@pytest.mark.parametrize(
    ("claim", "points", "why"),
    [
        (GRID.format("at_least(1)", "at_most(2 * exp(-1) / (1 + exp(-1)))"), "50", "do not break"),
        (GRID.format("at_least(1)", "at_most(538/1000)"), "50", "do not break"),
        (GRID.format("more_than(1)", "at_most(exp(-1))"), "50", "do not break"),
        (GRID.format("at_least(1)", "at_most(537/1000)"), "1", "do not break"),
        (GRID.format("at_least(0)", "probability(1)"), "9", "do not break"),
        (BELL.format("more_than(0)", "at_most(1)"), "9", "do not break"),
        (GRID.format("at_least(1)", "at_most(1/2)"), "0", "points must be 1 to 1000, got 0"),
        (GRID.format("at_least(1)", "at_most(1/2)"), "1001", "points must be 1 to 1000, got 1001"),
        (GRID.format("at_least(1)", "at_most(1/2)"), "3/2", "points must be 1 to 1000, got 3/2"),
        (GRID.format("at_least(2000)", "at_most(0)"), "1", "there are more than 1000 points on each side"),
        (GRID.replace("error", "mean_error").format("at_least(1)", "at_most(1/2)"), "9", "expected the error of noise"),
        (GRID.replace("grid(1)", "grid(2)").format("at_least(1)", "at_most(1/2)"), "9", "the domain must be"),
        (GRID.replace("grid(1)", "reals()").format("at_least(1)", "at_most(1/2)"), "9", "the domain must be"),
        (LINE.format("at_least(1)", "at_most(1/2)"), "9", "expected the error of noise on a grid"),
        (RESPONSE.format("at_most(0)"), "9", "is not a registered AdditiveNoise"),
        (GRID.replace("laplace(1, 1)", "laplace(0, 1)").format("at_least(1)", "at_most(1/2)"), "9", "breaks 0 < scale"),
    ],
)
def test_likelier_noise_is_refused(claim, points, why):
    with pytest.raises(KernelError, match=why):
        rules.likelier_noise(claim=claim, points=points)


@pytest.mark.parametrize(
    "claim",
    [
        LINE.format("at_least(2 * ln(2))", "at_most(499/1000)"),
        LINE.format("at_least(2 * ln(2))", "probability(499/1000)"),
        LINE.format("at_least(2 * ln(2))", "probability(501/1000)"),
        LINE.format("at_least(1)", "at_most(1/2 - 1/1000)"),
        LINE.format("more_than(1)", "at_most(499/1000)"),
        LINE.format("at_least(2)", "probability(501/1000)"),
        LINE.format("more_than(2 * ln(2))", "probability(501/1000)"),
    ],
)
def test_another_probability_refutes(claim):
    theorem = rules.another_probability(exact(**AT_LN_2), claim=claim, at="0")
    assert str(theorem.claim.term) == f"refuted({read(claim)})"


@pytest.mark.parametrize(
    ("claim", "why"),
    [
        (LINE.format("at_least(2 * ln(2))", "at_most(1/2)"), "does not contradict"),
        (LINE.format("at_least(2 * ln(2))", "probability(1/2)"), "does not contradict"),
        (LINE.format("at_least(2 * ln(2))", "at_most(501/1000)"), "does not contradict"),
        (LINE.format("at_least(2)", "at_most(499/1000)"), "does not contradict"),
        (LINE.format("at_least(2)", "probability(499/1000)"), "does not contradict"),
        (LINE.format("at_least(1)", "probability(501/1000)"), "does not contradict"),
        (LINE.format("more_than(2 * ln(2))", "at_most(499/1000)"), "does not contradict"),
        (LINE.replace("laplace(2)", "laplace(3)").format("at_least(1)", "at_most(0)"), "about something else"),
        (LINE.replace("error", "mistake").format("at_least(1)", "at_most(0)"), "about something else"),
        (LINE.replace("reals()", "grid(1)").format("at_least(1)", "at_most(0)"), "about something else"),
        (LINE.replace("reals()", "vector(reals(), 2)").format("at_least(1)", "at_most(0)"), "must be a member"),
        (LINE.format("at_least(alpha)", "at_most(0)"), "closed"),
    ],
)
def test_another_probability_is_refused(claim, why):
    with pytest.raises(KernelError, match=why):
        rules.another_probability(exact(**AT_LN_2), claim=claim, at="0")


@pytest.mark.parametrize(
    ("theorem", "why"),
    [
        (mechanism("randomised_response"), "expected an exact tail"),
        (rules.tail_of_many(exact(**AT_LN_2)), "expected an exact tail"),
        (exact(inverted="yes", scale="2"), "expected a closed tail"),
        (exact(scale="2", alpha="x"), "expected a closed tail"),
    ],
)
def test_another_probability_needs_a_closed_exact_tail(theorem, why):
    with pytest.raises(KernelError, match=why):
        rules.another_probability(theorem, claim=LINE.format("at_least(1)", "at_most(0)"), at="0")


def test_a_tail_of_many_whose_condition_is_false_has_no_instance():
    """At alpha = 0 every draw has the error, and (1 - p)^n is no power of a positive number."""
    many = rules.tail_of_many(exact(scale="2", alpha="0"), exactly="yes")
    assert str(many.claim.given[-1]) == "exp(0) < 1"
    with pytest.raises(KernelError, match=r"the condition exp\(0\) < 1 does not hold"):
        rules.instantiate(many, values={"dimension": "2"})


@pytest.mark.parametrize(
    ("outer", "inner", "contained"),
    [
        ("at_least(1)", "at_least(1)", True),
        ("at_least(1)", "more_than(1)", True),
        ("more_than(1)", "more_than(1)", True),
        ("more_than(1)", "at_least(1)", False),
        ("more_than(1)", "at_least(2)", True),
        ("at_least(2)", "more_than(1)", False),
    ],
)
def test_event_contains_another_just_if_every_error_of_it_is_one(outer, inner, contained):
    events = [tail(read(LINE.format(event, "at_most(1)"))) for event in (outer, inner)]
    assert contains_event(*events) == contained


GENERAL = "tail(laplace(scale), reals(), error(at_least(alpha)), at_most(beta), 0 < scale, 0 <= alpha, beta < 1/2)"
INSTANCE = {"scale": "2", "alpha": "1", "beta": "1/4"}


def refuted():
    return rules.another_probability(exact(**AT_LN_2), claim=LINE.format("at_least(1)", "at_most(1/4)"), at="0")


def test_false_instance_of_a_tail_refutes_it():
    found = rules.false_instance(refuted(), claim=GENERAL, values=INSTANCE)
    assert str(found.claim.term) == f"refuted({read(GENERAL)})"


@pytest.mark.parametrize(
    ("claim", "values", "why"),
    [
        (GENERAL, INSTANCE | {"beta": "1/2"}, "the condition 1/2 < 1/2 does not hold"),
        (GENERAL, INSTANCE | {"beta": "1/8"}, "is no instance of"),
        (GENERAL, INSTANCE | {"alpha": "1/2"}, "is no instance of"),
        (GENERAL, INSTANCE | {"n": "1"}, "does not occur"),
        (GENERAL, {"scale": "2", "alpha": "1"}, "leave a name"),
        (GENERAL.replace("at_most", "probability"), INSTANCE, "is no instance of"),
        (GENERAL.replace("at_least", "more_than"), INSTANCE, "is no instance of"),
        ("private(laplace(scale), reals(), absolute(1), pure(beta))", {"scale": "2", "beta": "1"}, "is no instance of"),
    ],
)
def test_false_instance_of_a_tail_is_refused(claim, values, why):
    with pytest.raises(KernelError, match=why):
        rules.false_instance(refuted(), claim=claim, values=values)


def test_false_instance_of_a_tail_needs_a_refuted_tail():
    claim = "private(randomised_response(3/4), finite(2), discrete(1), pure(1))"
    other = rules.unlikely_elsewhere(claim=claim, a="0", b="1", event="tuple_of(0)")
    with pytest.raises(KernelError, match="is no instance of"):
        rules.false_instance(other, claim=GENERAL, values=INSTANCE)


@pytest.mark.parametrize(
    "text",
    [
        "tail(m(), grid(1), error(at_least(1)), at_most(1/2))",
        "tail(m(x), vector(reals(), n), shortfall(more_than(a + 1)), probability(exp(-a)), 0 < a, integer(n))",
    ],
)
def test_tail_read_is_the_tail_written(text):
    assert str(tail(read(text)).term) == text
    assert claimed(read(text)) == tail(read(text))


@pytest.mark.parametrize(
    "text",
    [
        "tail(m(), grid(1), error(at_least(1)))",
        "tail(m(), grid(1), error(at_most(1)), at_most(1))",
        "tail(m(), grid(1), error(at_least(1)), at_least(1))",
        "tail(m(), grid(1), error(at_least(1, 2)), at_most(1))",
        "tail(m(), grid(1), error(at_least(1)), at_most(1, 2))",
        "tail(m(), grid(1), error(at_least(1), 2), at_most(1))",
        "private(m(), grid(1), absolute(1), pure(1))",
    ],
)
def test_tail_of_another_shape_is_refused(text):
    with pytest.raises(KernelError, match="not a claim about an error"):
        tail(read(text))


def test_tail_of_an_error_or_on_a_domain_that_is_not_registered_is_refused():
    with pytest.raises(TermError, match=f"error must be one of {', '.join(ERRORS)}, got mine"):
        tail(read("tail(m(), grid(1), mine(at_least(1)), at_most(1))"))
    with pytest.raises(KernelError, match="x is not a domain"):
        tail(read("tail(m(), x, error(at_least(1)), at_most(1))"))
