"""The basic rules against the definition: no weaker claim that is not weaker, no instance outside the conditions."""

from fractions import Fraction as F

import pytest

import refdp.derivations  # noqa: F401  (it registers what the theorems are about)
from refdp.kernel import rules
from refdp.kernel.judgements import KernelError
from refdp.numerics.exact import ExactReal, exact_real, upper_bound
from refdp.terms.evaluation import truth
from refdp.terms.reading import read
from refdp.terms.term import name, number
from tests.claimed import discrete_gaussian, discrete_laplace, histogram, k_ary_randomised_response, truncated_geometric
from tests.exactness.claims import MEASURES, least_impossible, private, tight
from tests.exactness.definition import near, pairs_of, satisfied
from tests.exactness.entering import given
from tests.exactness.laws import chances, random_laws, share

pytestmark = pytest.mark.usefixtures("nameless")

INPUTS = tuple(range(3))


def moved(chance, loss):
    """The loss, or a little more or less: a rational number is added; and whether it is no smaller."""
    by = F(chance.choice([-1, 0, 0, 1, 2]), chance.choice([10, 1000, 10**6]))
    return exact_real(str(loss)) + by, by >= 0


@pytest.mark.parametrize("measure", MEASURES)
def test_weaken_makes_true_claims_and_only_weaker_ones(measure):
    """d_out raised or lowered by little, d_in lowered or raised; a Renyi order stays."""
    made = 0
    for chance in chances(f"weaken {measure}"):
        laws = random_laws(chance, INPUTS, 2, least_impossible(measure))
        loss = tight(measure, pairs_of(laws, near(INPUTS, "absolute", 1)), chance)
        premise = given(private("m()", "finite(3)", "absolute", 1, measure, loss))
        bounds, weaker = zip(*(moved(chance, t) for t in loss), strict=True)
        d_in = F(chance.choice([0, 1, 1, 1, 2]), chance.choice([1, 1, 2]))
        kept = measure != "renyi" or bounds[0] == loss[0].rational
        if not (all(weaker) and d_in <= 1 and kept):
            with pytest.raises(KernelError, match=r"cannot|the order is"):
                rules.weaken(premise, d_out=[str(b) for b in bounds], d_in=str(d_in))
            continue
        claim = rules.weaken(premise, d_out=[str(b) for b in bounds], d_in=str(d_in)).claim
        assert [exact_real(str(t)) for t in claim.d_out] == list(bounds)
        assert satisfied(measure, claim.d_out, pairs_of(laws, near(INPUTS, "absolute", d_in)))
        made += 1
    assert made > share(150)


FAMILIES = {
    "k_ary_randomised_response": (k_ary_randomised_response.pure, {"k": "natural", "truth": "part"}),
    "discrete_laplace": (discrete_laplace.pure, {"scale": "any", "granularity": "any", "d_in": "any"}),
    "discrete_gaussian": (discrete_gaussian.concentrated, {"sigma": "any", "granularity": "any", "d_in": "any"}),
    "truncated_geometric": (
        truncated_geometric.pure,
        {"scale": "any", "granularity": "step", "lower": "end", "upper": "end", "d_in": "any"},
    ),
    "histogram": (histogram.change_one_l1, {"dimension": "natural", "d_in": "any"}),
}


def some(chance, kind):
    """A random number, one in four of them of the wrong sort."""
    if kind == "part":
        return F(chance.randint(-1, 9), 8)
    fitting = chance.random() < 0.75
    if kind == "step":
        return F(1, chance.randint(1, 2)) if fitting else F(chance.randint(-1, 2))
    if kind == "end":
        return F(chance.randint(-3, 3)) if fitting else F(chance.randint(-3, 3), 2)
    if kind == "natural":
        return F(chance.randint(1, 5)) if fitting else F(chance.randint(-2, 9), 2)
    return F(chance.randint(1, 6), chance.randint(1, 2)) if fitting else F(chance.randint(-2, 2), chance.randint(1, 3))


@pytest.mark.parametrize("stem", FAMILIES)
def test_instantiate_makes_just_the_instances_that_the_conditions_allow(stem):
    """The conditions are decided here by themselves; the map is evaluated by itself; a smaller d_out is refused."""
    family, parameters = FAMILIES[stem]
    theorem, made = family(), 0
    for chance in chances(f"instantiate {stem}", 400):
        values = {p: some(chance, kind) for p, kind in parameters.items()}
        allowed = all(satisfies(c, values) for c in theorem.claim.given)
        words = {p: str(v) for p, v in values.items()}
        if not allowed:
            with pytest.raises(KernelError):
                rules.instantiate(theorem, values=words)
            continue
        claim, made = rules.instantiate(theorem, values=words).claim, made + 1
        assert claim.given == ()
        loss = exact_real(str(claim.d_out[0]))
        assert loss == expected(stem, values)
        with pytest.raises(KernelError, match="not an upper bound"):
            rules.instantiate(theorem, values=words, d_out=[str(loss + F(-1, 1000))])
        higher = rules.instantiate(theorem, values=words, d_out=[str(loss + F(1, 1000))]).claim
        assert exact_real(str(higher.d_out[0])) == loss + F(1, 1000)
    assert share(40) < made < 360


def satisfies(condition, values):
    """Whether a condition holds of the values, by its definition."""
    if condition.operator == "multiple":
        a, b = (values[str(t.value)] for t in condition.arguments)
        return b != 0 and (a / b).denominator == 1
    return truth(condition, values)


def expected(stem, values):
    """The loss as it is written in the books."""
    match stem:
        case "k_ary_randomised_response":
            return ExactReal(argument=values["truth"] * (values["k"] - 1) / (1 - values["truth"]))
        case "discrete_gaussian":
            return values["d_in"] ** 2 / (2 * values["sigma"] ** 2)
        case "histogram":
            return 2 * values["d_in"]
    return values["d_in"] / values["scale"]


def test_instantiate_of_some_names_keeps_the_conditions_on_the_others():
    for chance in chances("instantiate in steps"):
        theorem = discrete_laplace.pure()
        values = {"scale": some(chance, "any"), "d_in": some(chance, "any"), "granularity": some(chance, "any")}
        order = list(values)
        chance.shuffle(order)
        allowed = values["scale"] > 0 and values["granularity"] > 0 and values["d_in"] >= 0
        try:
            for key in order:
                theorem = rules.instantiate(theorem, values={key: str(values[key])})
        except KernelError:
            assert not allowed
        else:
            assert allowed
            assert theorem.claim.d_out == (number(values["d_in"] / values["scale"]),)
            assert theorem.claim.given == ()


def test_instantiate_rounds_an_irrational_loss_up_only():
    """In L2 a replaced row moves a histogram by sqrt(2): 1.41421356237 is refused, 1.41421356238 accepted."""
    theorem = histogram.change_one_l2()
    for k in range(1, 200):
        values = {"dimension": "2", "d_in": str(k)}
        least = upper_bound(k * read("sqrt(2)"), 12)
        assert rules.instantiate(theorem, values=values, d_out=[str(least)]).claim.d_out == (number(least),)
        with pytest.raises(KernelError, match="not an upper bound"):
            rules.instantiate(theorem, values=values, d_out=[str(least - F(k, 10**10))])
        with pytest.raises(KernelError, match="irrational"):
            rules.instantiate(theorem, values=values)


@pytest.mark.parametrize("key", ["sigma", "x", "discrete_laplace"])
def test_instantiate_of_a_name_that_does_not_occur_is_refused(key):
    with pytest.raises(KernelError, match="does not occur"):
        rules.instantiate(discrete_laplace.pure(), values={key: "1"})


def test_instantiate_may_name_the_same_thing_twice():
    """scale and d_in become one name: the loss is then 1 for each of its values."""
    theorem = rules.instantiate(discrete_laplace.pure(), values={"scale": "s", "d_in": "s"})
    assert theorem.claim.d_out == (name("s") / name("s"),)
    assert rules.instantiate(theorem, values={"s": "7"}).claim.d_out == (number(1),)
    with pytest.raises(KernelError, match=r"does not hold|division by zero"):
        rules.instantiate(theorem, values={"s": "0"})
