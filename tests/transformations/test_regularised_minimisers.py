"""regularised_minimisers: coefficients by hand, maps and refusals; definitions by enumeration: tests/exactness."""

import re
from fractions import Fraction as F

import mpmath
import pytest

import refdp
from refdp.kernel import rules
from refdp.kernel.judgements import KernelError
from refdp.spec.minimisers import INFINITE, Losses, Minimiser, Search
from refdp.spec.registry import lookup
from refdp.spec.semantics import value
from refdp.terms.evaluation import evaluate
from refdp.terms.reading import read
from refdp.terms.term import Term, TermError, name, number
from refdp.transformations.prepared_columns import Labels, Numbers


def real(x):
    """A rational number in mpmath."""
    return mpmath.mpf(x.numerator) / x.denominator


def test_huber_minimiser_by_hand():
    """One row 1, far inside the hinge: w = 1 / regularisation; none: 0; a weak ridge: in the rounded part."""
    assert refdp.huber_minimiser(1, 4, "1/2", "1/1000000", 1)(((1,),)) == (F(1, 4),)
    assert refdp.huber_minimiser(1, 4, "1/2", "1/1000000", 1)(()) == (0,)
    (found,) = refdp.huber_minimiser(1, 1, "1/2", "1/1000000", 1)(((1,),))
    assert abs(found - F(3, 4)) <= F(1, 10**6)  # w = 3/2 - w


def test_logistic_minimiser_by_hand():
    """Rows that cancel: 0.  w (1 + e^w) = 1 at 0.4010581375."""
    assert refdp.logistic_minimiser(1, 1, "1/1000000", 1)(((1,), (-1,))) == (0,)
    (found,) = refdp.logistic_minimiser(1, 1, "1/1000000000", 1)(((1,),))
    assert abs(found - F("0.4010581375")) <= F(2, 10**9)


def test_linear_loss_minimisers_by_hand():
    """The example of five rows 1 and one row -1, by mean and by sum."""
    rows = ((F(1),),) * 5
    for table, expected in ((rows, F(10, 3)), ((*rows, (F(-1),)), F(20, 9))):
        found = value(read("linear_loss_average_minimiser(1, 3/10, 1/1000000, 1, 1)"), table)[0]
        assert abs(found - expected) <= F(1, 10**5)
    assert value(read("linear_loss_minimiser(5, 1, 1/1000, 2, 1)"), ((F(6), F(8)),)) == (3, 4)


def test_regularised_minimisers_have_their_maps_and_theorems():
    for neighbours, far in (("add_remove", F(5)), ("change_one", F(10))):
        t = refdp.logistic_minimiser(5, 2, "1/8", 4, neighbours=neighbours)
        assert t.map(1) == (far + F(1, 4)) / 2
        assert t.map(3) == (3 * far + F(1, 4)) / 2
        assert refdp.theorem(t, 1).claim.d_out[0].rational == t.map(1)
        in_l1 = refdp.logistic_minimiser(5, 2, "1/8", 4, neighbours=neighbours, metric="l1")
        assert in_l1.map(1) == 2 * t.map(1)
        assert str(refdp.theorem(in_l1, 1).claim.output_metric) == "l1"


def test_regularised_minimisers_with_noise_have_their_theorem():
    rounded = refdp.logistic_minimiser(1, 2, "1/8", 4) >> refdp.rounded_to("1/64", 4, "l2")
    noisy = rounded >> refdp.discrete_gaussian(3, "1/64", dimension=4)
    claim = refdp.theorem(noisy, 1).claim
    far = F(5, 8) + 2 * F(1, 64)
    assert claim.d_out[0].rational == far**2 / 18 == noisy.map(1)
    assert all((64 * w).denominator == 1 for w in noisy(((1, 0, 0, 0),)))


def test_signed_columns_by_hand():
    sex, mass = Labels("sex", ("f", "m")), Numbers("mass", 0, 100)
    t = refdp.signed_columns(sex, [mass], "1/8", 1)
    found = t(({"sex": "f", "mass": 100}, {"sex": "m", "mass": 0}, {"sex": None, "mass": 100}, {"sex": "x"}, {}))
    assert found == ((-1, -1), (1, -1), (0, 0), (0, 0), (0, 0))
    assert (t.map(1), refdp.theorem(t, 1).trusts) == (1, frozenset({"code: refdp.transformations"}))


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: refdp.logistic_minimiser(0, 1, 1, 1), "norm must be > 0"),
        (lambda: refdp.logistic_minimiser(1, 0, 1, 1), "regularisation must be > 0"),
        (lambda: refdp.logistic_minimiser(1, -1, 1, 1), "regularisation must be > 0"),
        (lambda: refdp.logistic_minimiser(1, 1, 0, 1), "tolerance must be > 0"),
        (lambda: refdp.logistic_minimiser(1, 1, 1, 0), "dimension must be >= 1"),
        (lambda: refdp.logistic_minimiser(1, 1, 1, "3/2"), "dimension must be"),
        (lambda: refdp.logistic_minimiser(1, 1, 1, 1, 0), "granularity must be > 0"),
        (lambda: refdp.logistic_minimiser(1, 0.5, 1, 1), "regularisation"),
        (lambda: refdp.logistic_minimiser(1, 1, 1, 1, metric="linf"), "metric must be l1 or l2, got linf"),
        (lambda: refdp.logistic_minimiser(1, 1, 1, 1, neighbours="rows"), "neighbours must be one of"),
        (lambda: refdp.huber_minimiser(1, 1, 0, 1, 1), "width must be > 0"),
        (lambda: refdp.logistic_minimiser(1, 1, 1, 2)(((1,),)), "vector"),
        (lambda: refdp.signed_columns(Labels("sex", ("f",)), [Numbers("mass", 0, 1)], 1), "two labels"),
        (lambda: refdp.signed_columns(Numbers("sex", 0, 1), [Numbers("mass", 0, 1)], 1), "two labels"),
        (lambda: refdp.signed_columns(Labels("mass", ("f", "m")), [Numbers("mass", 0, 1)], 1), "none of the columns"),
    ],
)
def test_regularised_minimisers_refuse_other_parameters(make, said):
    with pytest.raises(ValueError, match=said):
        make()


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"regularisation": "1/10000000000"}, "regularisation of logistic_minimiser must be at least 2.33e-10 for"),
        ({"norm": 10**6}, "regularisation of logistic_minimiser must be at least 233 for rows of that length, got 2"),
        ({"tolerance": F(1, 10**100)}, "tolerance of logistic_minimiser must have at most 256 binary digits"),
        ({"norm": 10**100}, "norm of logistic_minimiser must have at most 256 binary digits"),
    ],
)
def test_parameters_at_which_no_search_ends_soon_are_refused_without_a_table(given, sentence):
    """A certificate of a line named a ridge of 10^-1000, and kept whoever checked it for minutes."""
    with pytest.raises(ValueError, match=re.escape(sentence)):
        refdp.logistic_minimiser(**({"norm": 1, "regularisation": 2, "tolerance": "1/10", "dimension": 1} | given))


def test_certificate_with_parameters_at_which_no_search_ends_soon_is_refused_at_once():
    claim = (
        f"stable(logistic_minimiser(1, 1/{10**1000}, 1/{10**1000}, 1, 1/8), table(vector(reals(), 1)), symmetric(5),"
        " vector(reals(), 1), l2(1/10))"
    )
    with pytest.raises(KernelError, match="regularisation of logistic_minimiser must have at most 256 binary digits"):
        rules.unstable_pair(claim=claim, a="tuple_of(tuple_of(1), tuple_of(1))", b="tuple_of()")


@pytest.fixture
def few_steps(monkeypatch):
    """A search that does not end soon fails, in place of never ending."""
    taken, step = [], Search.step

    def counted(search, *arguments):
        taken.append(search)
        assert len(taken) < 300
        return step(search, *arguments)

    monkeypatch.setattr(Search, "step", counted)
    return taken


@pytest.mark.parametrize("bits", [4, 8, 12])
@pytest.mark.parametrize("rows", [1, 10, 1000])
def test_margins_that_are_far_out_are_reached_in_few_steps(rows, bits, few_steps):
    """Many short rows pull on a long one, whose margin is up to 40,000."""
    weight, tolerance = F(1, 2**30), F(1, 2**20)
    table = ((F(1),), *(((F(1, 2**bits)),),) * rows)
    (w,) = refdp.logistic_minimiser(1, weight, tolerance, 1, F(1, 2**12))(table)
    with mpmath.workprec(200):
        slopes = [(count, z, 1 / (1 + mpmath.exp(real(w * z)))) for count, z in ((1, F(1)), (rows, F(1, 2**bits)))]
        gradient = real(weight * w) - sum(count * real(z) * p for count, z, p in slopes)
        assert abs(gradient) <= real(tolerance)
    assert few_steps


@pytest.mark.parametrize("margin", [F(5000), F(10**12), F(-5000), F(-(10**12)), F(4097), F(-4097), F(3), F(0)])
def test_slopes_are_bounded_however_far_out(margin):
    kind = lookup("logistic_minimiser", Minimiser)
    losses = Losses(kind.slope, kind.rise, {}, [], F(1), (F(0),))
    lower, upper = Search(losses, 80).slope_bounds(margin)
    with mpmath.workprec(400):
        true = -1 / (1 + mpmath.exp(real(margin))) if abs(margin) < 10**6 else real(F(-int(margin < 0)))
        assert real(lower) <= true <= real(upper)
    assert upper - lower <= F(3, 2**80)


def test_limits_of_formulas_of_what_grows():
    """(1 + 2 p)^2 without end, 3 / that 0; of p - p, 0 p, p^0 and p / 2 nothing is said."""
    for text, limit in (
        ("(1 + 2 * p) ** 2", INFINITE),
        ("3 / (1 + 2 * p) ** 2", 0),
        ("-1 / (1 + p) + 5", 5),
        ("p - 7", INFINITE),
    ):
        assert evaluate(read(text), {"p": INFINITE}) == limit
    for text in ("0 * p", "-1 * p", "p ** 0"):
        with pytest.raises(TermError, match="no limit is known"):
            evaluate(Term("*", (number(0), name("p"))) if text == "0 * p" else read(text), {"p": INFINITE})
    with pytest.raises(TermError, match="no limit is known"):
        evaluate(Term("-", (name("p"), name("p"))), {"p": INFINITE})
    for text in ("-p", "7 - p", "p / 2", "p / p", "abs(p)"):
        with pytest.raises((TermError, TypeError)):
            evaluate(read(text), {"p": INFINITE})


def test_more_than_100_coefficients_are_refused():
    for make in (
        lambda d: refdp.logistic_minimiser(1, 1, "1/1000", d),
        lambda d: refdp.huber_minimiser(1, 1, 1, "1/1000", d),
        lambda d: refdp.rounded_logistic_objective(1, 1, 1, d, 1),
    ):
        make(100)
        for dimension in (101, 2**40):
            with pytest.raises(ValueError, match="must be at most 100, got"):
                make(dimension)
