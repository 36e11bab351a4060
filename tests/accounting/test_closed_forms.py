"""Closed forms against mpmath at 50 digits and more, enumeration, and the anchors."""

from fractions import Fraction
from functools import partial
from itertools import product

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refdp.accounting.closed_forms.engine import ClosedForms
from refdp.accounting.curves import Effort, OutOfReach
from refdp.accounting.losses import (
    Composition,
    Concentrated,
    DiscreteGaussian,
    DiscreteLaplace,
    Finite,
    FixedSize,
    Laplace,
    Normal,
    Response,
    Sampled,
    composition,
    response,
)
from refdp.numerics.exact import exact_real
from tests.accounting import enumeration
from tests.examples import few

ENGINE = ClosedForms()
rates = st.sampled_from([Fraction(1, 100), Fraction(1, 3), Fraction(9, 10)])
small = st.sampled_from([Fraction(1, 10), Fraction(1, 2), Fraction(1), Fraction(3)])
points = st.fractions(-3, 6, max_denominator=50)


def curve(parts, width=Fraction(1, 10**9)):
    return next(ENGINE.curves(composition(parts), Effort(width=width)))


def number(x):
    return mpmath.mpf(x.numerator) / x.denominator


def holds(found, truth, digits=45):
    """The interval holds the truth, which is known to so many digits, and is narrow."""
    error = abs(truth) * mpmath.mpf(10) ** -digits
    assert number(found.lower) - error <= truth <= number(found.upper) + error
    assert 0 <= found.lower <= found.upper <= 1
    assert found.upper - found.lower <= found.upper / 2**60


# Gaussian noise


def normal_truth(mu_squared, epsilon):
    """The integral of the excess of one density over the other: a difference of two tails."""
    mu, e = mpmath.sqrt(number(mu_squared)), number(epsilon)
    tail = [mpmath.erfc((e / mu + sign * mu / 2) / mpmath.sqrt(2)) / 2 for sign in (-1, 1)]
    return tail[0] - mpmath.exp(e) * tail[1]


@settings(max_examples=few(150))
@given(
    mu_squared=st.fractions(Fraction(1, 10**6), 400, max_denominator=10**6).filter(lambda x: x > 0),
    epsilon=st.fractions(-10, 300, max_denominator=100),
    count=st.sampled_from([1, 7, 10**6]),
)
def test_copies_of_gaussian_noise_enclose_the_integral(mu_squared, epsilon, count):
    with mpmath.workdps(100):
        truth = normal_truth(mu_squared * count, epsilon)
        if truth > mpmath.mpf(10) ** -600:
            holds(curve([(Normal(mu_squared), count)]).delta(epsilon), truth)


@pytest.mark.parametrize("exponent", [1, 20, 100, 300])
def test_gaussian_noise_is_resolved_down_to_1e_300(exponent):
    found, wanted = curve([(Normal(Fraction(1)), 1)]), Fraction(1, 10**exponent)
    low, high = Fraction(0), Fraction(40)
    while high - low > Fraction(1, 2**40):
        middle = (low + high) / 2
        low, high = (middle, high) if found.delta(middle).lower > wanted else (low, middle)
    with mpmath.workdps(700):
        holds(found.delta(low), normal_truth(Fraction(1), low))
        assert normal_truth(Fraction(1), low) / number(wanted) == pytest.approx(1, rel=1e-8)


def test_gaussian_noise_that_was_not_merged_is_counted():
    unmerged = next(ENGINE.curves(Composition(((Normal(Fraction(1)), 7),)), Effort()))
    assert unmerged.delta(Fraction(3)) == curve([(Normal(Fraction(7)), 1)]).delta(Fraction(3))


# Copies of a response


def responses_truth(epsilon, lost, count, at):
    e, d, x = number(epsilon), number(lost), mpmath.exp(number(at))
    p, q = 1 / (1 + mpmath.exp(-e)), 1 / (1 + mpmath.exp(e))
    terms = (
        mpmath.binomial(count, j) * max(mpmath.mpf(0), p**j * q ** (count - j) - x * q**j * p ** (count - j))
        for j in range(count + 1)
    )
    return 1 - (1 - d) ** count + (1 - d) ** count * mpmath.fsum(terms)


@settings(max_examples=few(150))
@given(
    epsilon=st.fractions(0, 3, max_denominator=50),
    lost=st.sampled_from([Fraction(0), Fraction(1, 10**200), Fraction(1, 9), Fraction(1)]),
    count=st.integers(1, 60),
    at=st.fractions(-4, 60, max_denominator=12),
)
def test_copies_of_a_response_enclose_the_binomial_sum(epsilon, lost, count, at):
    with mpmath.workdps(300):
        found, truth = curve([(response(epsilon, lost), count)]).delta(at), responses_truth(epsilon, lost, count, at)
        if truth > mpmath.mpf(10) ** -240:
            holds(found, truth)
        else:
            assert found.lower == 0
            assert found.upper < Fraction(1, 10**200)


@pytest.mark.parametrize("at", [0, 5, 100, 310, 410, -2])
def test_a_million_responses_enclose_the_incomplete_beta_function(at):
    """P[J >= j] for J binomial is I_t(j, k - j + 1); here by quadrature around its peak."""
    count, e = 10**6, Fraction(1, 100)
    with mpmath.workdps(60):
        x, p = mpmath.exp(at), 1 / (1 + mpmath.exp(-number(e)))
        first = (at * 100 + count) // 2 + 1
        truth = beta_tail(count, first, p) - x * beta_tail(count, first, 1 - p)
        holds(curve([(response(e), count)]).delta(Fraction(at)), truth, 30)


def beta_tail(count, first, p):
    """P[J >= first]: the integral of t^(first - 1) (1 - t)^(count - first) over 0 < t < p, over that to 1."""
    a, b = mpmath.mpf(first), mpmath.mpf(count - first + 1)
    peak = min(p, (a - 1) / (a + b - 2))
    logarithm = lambda t: (a - 1) * mpmath.log(t) + (b - 1) * mpmath.log1p(-t)  # noqa: E731
    top = logarithm(peak)
    slope = max(mpmath.sqrt((a + b) * 4), abs((a - 1) / peak - (b - 1) / (1 - peak)))
    ends = sorted({min(p, max(mpmath.mpf(0), peak + i * 4 / slope)) for i in range(-40, 41)})
    area = mpmath.quad(lambda t: mpmath.exp(logarithm(t) - top) if 0 < t < 1 else mpmath.mpf(0), ends)
    return area * mpmath.exp(top + mpmath.loggamma(a + b) - mpmath.loggamma(a) - mpmath.loggamma(b))


# Copies of Laplace noise


def laplace_truth(sizes, at):
    """By conditioning on one loss: its atoms at -e and e, its density e^((l - e) / 2) / 4 between."""
    if at >= sum(sizes):
        return mpmath.mpf(0)
    if at <= -sum(sizes):
        return 1 - mpmath.exp(at)
    e, others = sizes[0], sizes[1:]
    if not others:
        return 1 - mpmath.exp((at - e) / 2)
    rest = partial(laplace_truth, others)
    sums = [sum(signed) for signed in product(*((-a, a) for a in others))]
    kinks = {min(e, max(-e, at - s)) for s in sums} | {-e, e}
    inner = mpmath.quad(lambda loss: rest(at - loss) * mpmath.exp((loss - e) / 2) / 4, sorted(kinks))
    return inner + rest(at - e) / 2 + rest(at + e) * mpmath.exp(-e) / 2


@settings(max_examples=few(30))
@given(epsilons=st.lists(small, min_size=1, max_size=2), share=st.fractions(-1, 1, max_denominator=9))
def test_laplace_noise_encloses_the_integral_over_one_loss_after_the_other(epsilons, share):
    with mpmath.workdps(60):
        at = share * sum(epsilons)
        truth = laplace_truth([number(e) for e in epsilons], number(at))
        holds_or_vanishes(curve([(Laplace(e), 1) for e in epsilons]).delta(at), truth)


@pytest.mark.parametrize("at", ["-1/2", "1/7", "5/4"])
@pytest.mark.parametrize("last", ["1/2", "2/3"])
def test_three_laplace_pairs_enclose_the_integral_over_one_loss_after_the_other(last, at):
    with mpmath.workdps(20):
        epsilons = [Fraction(1, 2), Fraction(1, 2), Fraction(last)]
        truth = laplace_truth([number(e) for e in epsilons], number(Fraction(at)))
        holds(curve([(Laplace(e), 1) for e in epsilons]).delta(Fraction(at)), truth, 17)


@settings(max_examples=few(60))
@given(
    laplace=st.tuples(small, st.integers(1, 12)),
    answer=st.tuples(st.fractions(0, 2, max_denominator=6), st.integers(1, 8)),
    lost=st.sampled_from([Fraction(0), Fraction(1, 100)]),
    share=st.fractions(-1, 1, max_denominator=9),
)
def test_responses_among_laplace_noise_enclose_the_mean_over_their_losses(laplace, answer, lost, share):
    (e, k), (r, n) = laplace, answer
    at = share * (e * k + r * n)
    noise = curve([(Laplace(e), k)], Fraction(1, 10**40))
    with mpmath.workdps(60):
        p = 1 / (1 + mpmath.exp(-number(r)))
        finite = mpmath.fsum(
            mpmath.binomial(n, i) * p**i * (1 - p) ** (n - i) * number(noise.delta(at - r * (2 * i - n)).upper)
            for i in range(n + 1)
        )
        kept = (1 - number(lost)) ** n
        holds_or_vanishes(curve([(Laplace(e), k), (response(r, lost), n)]).delta(at), 1 - kept + kept * finite, 30)


def holds_or_vanishes(found, truth, digits=40):
    if truth < mpmath.mpf(10) ** -45:
        assert found.lower == 0
        assert found.upper < Fraction(1, 10**40)
    else:
        holds(found, truth, digits)


def laplaces_truth(epsilon, count, at):
    """The sum of Lemma 2.5 with binomial coefficients multiplied out anew, in rational arithmetic but for e^x."""
    total, e, a = mpmath.mpf(0), number(epsilon), number(at)
    for up in range(count + 1):
        for down in range(count - up + 1):
            total += uniform_part(e, count, up, down, a)
    return total


def uniform_part(e, count, up, down, at):
    """`up` losses e, `down` losses -e, the others uniform under the law with density e^(-l / 2): an alternating sum."""
    others = count - up - down
    ways = mpmath.factorial(count) / mpmath.factorial(up) / mpmath.factorial(down) / mpmath.factorial(others)
    total = mpmath.mpf(0)
    for i in range(others + 1):  # the (n - 1)-fold integral of (y)_+ differences: uniform sums on (-e, e)
        y = e * (up - down) + e * (others - 2 * i) - at
        if y > 0:
            total += (-1) ** i * mpmath.binomial(others, i) * repeated_integral(y, others)
    return ways * (mpmath.exp(-e / 2) / 2) ** count * mpmath.exp(at / 2) * total / mpmath.mpf(2) ** others


def repeated_integral(y, times):
    """2 sinh(y / 2), integrated from 0 so many times: its power series from y^(times + 1) on."""
    return (
        mpmath.nsum(lambda n: 2 * (y / 2) ** (2 * n + 1) / mpmath.factorial(2 * n + 1), [0, 400])
        if times == 0
        else mpmath.fsum(
            2 * mpmath.mpf(2) ** -(2 * n + 1) * y ** (2 * n + 1 + times) / mpmath.factorial(2 * n + 1 + times)
            for n in range(80)
        )
    )


@settings(max_examples=few(8))
@given(epsilon=small, count=st.integers(3, 7), share=st.fractions(0, 1, max_denominator=9))
def test_copies_of_laplace_noise_enclose_the_sum_over_uniform_parts(epsilon, count, share):
    with mpmath.workdps(80):
        at = share * count * epsilon
        holds_or_vanishes(curve([(Laplace(epsilon), count)]).delta(at), laplaces_truth(epsilon, count, at))


@pytest.mark.parametrize(
    ("loss", "count", "truths"),
    [
        (Normal(Fraction(1, 2500)), 1000,
         ["2.921600590427045861688551", "4.424474305283804621207378", "5.870004178542142239433343"]),
        (Laplace(Fraction(1, 20)), 500,
         ["5.473901879664653122956297", "8.023515491212126252620556", "10.444463982197816991446459"]),
        (response("1/10"), 100,
         ["4.774567588107986153285948", "6.891377199770608309400063", "8.664980361991343867874626"]),
    ],
)  # fmt: skip
def test_the_anchored_epsilons_have_the_anchored_deltas(loss, count, truths):
    found = curve([(loss, count)])
    for exponent, truth in zip((6, 12, 20), truths, strict=True):
        delta, around = Fraction(1, 10**exponent), found.delta(Fraction(truth))
        error = (
            Fraction(1, 10**15) if isinstance(loss, Laplace) and exponent == 20 else Fraction(1, 10**20)
        )  # the anchor's
        assert delta * (1 - error) <= around.upper
        assert around.lower <= delta * (1 + error)


# One event alone


bases = st.one_of(
    st.builds(lambda e, d: Response(exact_real(e), d), small, st.sampled_from([Fraction(0), Fraction(1, 7)])),
    st.builds(DiscreteLaplace, small.filter(lambda e: e >= Fraction(1, 2)), st.integers(1, 5)),
    st.sampled_from([
        Finite(((Fraction(1, 2), Fraction(1, 3)), (Fraction(1, 2), Fraction(0)), (Fraction(0), Fraction(2, 3)))),
        Finite(((Fraction(1, 5), Fraction(1, 5)), (Fraction(3, 5), Fraction(1, 5)), (Fraction(1, 5), Fraction(3, 5)))),
        Finite(((Fraction(1), Fraction(1)),)),
    ]),
)  # fmt: skip
events = st.one_of(
    bases,
    st.builds(FixedSize, bases, rates),
    st.builds(Sampled, bases, rates, st.sampled_from(["remove", "add"])),
)


@settings(max_examples=few(400))
@given(loss=events, at=st.one_of(points, st.just(Fraction(0))))
def test_one_event_encloses_the_enumerated_delta(loss, at):
    found, truth = curve([(loss, 1)]).delta(at), enumeration.delta([(loss, 1)], at)
    assert found.lower - enumeration.ERROR <= truth <= found.upper + enumeration.ERROR
    assert found.upper - found.lower <= Fraction(1, 2**60)


ONE_SIDED = Finite(((Fraction(1, 2), Fraction(1, 9)), (Fraction(2, 5), Fraction(8, 9)), (Fraction(1, 10), Fraction(0))))


@pytest.mark.parametrize(
    "at", [Fraction(-2), Fraction(-1, 2), Fraction(-1, 20), Fraction(1, 20), Fraction(1, 2), Fraction(2)]
)
@pytest.mark.parametrize("rate", [Fraction(1, 3), Fraction(9, 10)])
def test_a_pair_unlike_its_reverse_encloses_the_enumerated_delta(rate, at):
    for loss in (Sampled(ONE_SIDED, rate, "remove"), Sampled(ONE_SIDED, rate, "add"), FixedSize(ONE_SIDED, rate)):
        found, truth = curve([(loss, 1)]).delta(at), enumeration.delta([(loss, 1)], at)
        assert found.lower - enumeration.ERROR <= truth <= found.upper + enumeration.ERROR


def densities(loss):
    """(density of P, density of Q, tail of P, tail of Q) at t of a pair of noise, sampled or not."""
    match loss:
        case Normal(mu_squared):
            mu = mpmath.sqrt(number(mu_squared))
            density, tail = mpmath.npdf, lambda t: mpmath.erfc(t / mpmath.sqrt(2)) / 2
        case Laplace(epsilon):
            mu = number(epsilon)
            density = lambda t: mpmath.exp(-abs(t)) / 2  # noqa: E731
            tail = lambda t: mpmath.exp(-t) / 2 if t > 0 else 1 - mpmath.exp(t) / 2  # noqa: E731
        case Sampled(base, rate, direction):
            up, here, down = (densities_around(base, place) for place in (1, 0, -1))
            first, other = {
                "remove": (blend(up, here, rate), here),
                "add": (here, blend(up, here, rate)),
                "replace": (blend(up, here, rate), blend(down, here, rate)),
            }[direction]
            return first[0], other[0], first[1], other[1]
    return (lambda t: density(t - mu)), density, (lambda t: tail(t - mu)), tail


def blend(far, here, rate):
    """(density, tail) of the mixture that is `far` with probability `rate`."""
    return [lambda t, i=i: number(rate) * far[i](t) + number(1 - rate) * here[i](t) for i in (0, 1)]


def densities_around(base, place):
    """(density, tail) of the noise of the base pair, at Q's centre (0), at P's (1), or as far the other way (-1)."""
    p, q, above_p, above_q = densities(base)
    return {1: (p, above_p), 0: (q, above_q), -1: (lambda t: p(-t), lambda t: 1 - above_p(-t))}[place]


def threshold_truth(loss, at):
    """The ratio of densities is monotone: delta is that of a half line, whose end is found by bisection."""
    p, q, above_p, above_q = densities(loss)
    x, rising = mpmath.exp(number(at)), not (isinstance(loss, Sampled) and loss.direction == "add")
    low, high = mpmath.mpf(-80), mpmath.mpf(80)
    for _ in range(140):  # to 160 / 2^140 < 10^-39, which moves the difference of tails by at most 1 + e^6 times that
        middle = (low + high) / 2
        low, high = (middle, high) if (p(middle) > x * q(middle)) != rising else (low, middle)
    if rising:
        return above_p(low) - x * above_q(low)
    return 1 - above_p(low) - x * (1 - above_q(low))


@settings(max_examples=few(200))
@given(
    base=st.one_of(
        st.builds(Normal, st.sampled_from([Fraction(1, 9), Fraction(1), Fraction(7)])), st.builds(Laplace, small)
    ),
    rate=rates,
    direction=st.sampled_from(["remove", "add", "replace"]),
    at=st.one_of(points, st.just(Fraction(0))),
)
def test_one_sampled_event_of_noise_encloses_what_bisection_finds(base, rate, direction, at):
    with mpmath.workdps(60):
        loss = Sampled(base, rate, direction)
        truth, found = max(mpmath.mpf(0), threshold_truth(loss, at)), curve([(loss, 1)]).delta(at)
        error = mpmath.mpf(10) ** -30
        assert number(found.lower) - error <= truth <= number(found.upper) + error
        assert found.upper - found.lower <= Fraction(1, 2**60)


@settings(max_examples=few(60))
@given(base=st.one_of(st.builds(Normal, small), st.builds(Laplace, small)), rate=rates, at=points)
def test_one_sample_of_fixed_size_is_as_defined(base, rate, at):
    """Above e^0 the pair of removal, below it the reverse of that of addition from P's side."""
    found = curve([(FixedSize(base, rate), 1)]).delta(at)
    other = curve([(Sampled(base, rate, "remove" if at >= 0 else "add"), 1)]).delta(at)
    if at >= 0:
        assert found == other
    assert other.lower <= found.upper  # noise: P and Q change places by reflection, so that add is (P, r Q + (1 - r) P)
    assert found.lower <= other.upper


# Refusals


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        ([(Normal(Fraction(1)), 1), (Laplace(Fraction(1)), 1)], "no closed form but for powers"),
        ([(Laplace(Fraction(1)), 1001)], "at most 1000"),
        ([(response("1"), 10**8 + 1)], "at most 100000000"),
        ([(DiscreteLaplace(Fraction(1)), 2)], "2 copies of DiscreteLaplace have no closed form"),
        ([(Sampled(Normal(Fraction(1)), Fraction(1, 2), "add"), 2)], "no closed form"),
        ([(Sampled(DiscreteGaussian(Fraction(1)), Fraction(1, 2), "add"), 1)], "no closed form"),
        ([(Sampled(DiscreteLaplace(Fraction(1)), Fraction(1, 2), "replace"), 1)], "no closed form"),
        ([(FixedSize(DiscreteGaussian(Fraction(1)), Fraction(1, 2)), 1)], "no closed form"),
        ([(Concentrated(Fraction(1)), 1)], "no closed form"),
    ],
)
def test_what_has_no_closed_form_is_refused_with_a_sentence(parts, reason):
    assert reason in ENGINE.why_not(composition(parts))
    with pytest.raises(OutOfReach, match=reason):
        next(ENGINE.curves(composition(parts), Effort()))


def test_widths_follow_the_effort():
    wide, narrow = (curve([(Normal(Fraction(1)), 3)], Fraction(1, 10**n)).delta(Fraction(2)) for n in (3, 40))
    assert narrow.upper - narrow.lower < Fraction(1, 10**40) < wide.upper - wide.lower


@pytest.mark.parametrize(
    "at", [Fraction(0), Fraction(10**9), Fraction(-(10**9)), Fraction(1, 10**300), Fraction(-1, 10**300)]
)
@pytest.mark.parametrize("loss", [Normal(Fraction(1)), Laplace(Fraction(1)), response("1"),
                                  Sampled(Normal(Fraction(1)), Fraction(1, 3), "replace"),
                                  Sampled(Laplace(Fraction(10**5)), Fraction(1, 10**9), "replace")])  # fmt: skip
def test_extreme_epsilons_have_narrow_probabilities(loss, at):
    found = curve([(loss, 1)]).delta(at)
    assert 0 <= found.lower <= found.upper <= 1
    assert found.upper - found.lower <= Fraction(1, 2**60)
