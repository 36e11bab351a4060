"""Laplace's and Student's noise scaled to a bound, against their definitions: random pairs, events and outputs.

The hockey-stick divergence of two Laplace laws is added up between the points where the ratio crosses, piece by piece,
from the distribution functions alone; the ratio of two of Student's densities is worked out at 50 digits.
"""

from fractions import Fraction as F
from itertools import pairwise

import pytest

import refdp.derivations  # noqa: F401  (it registers the mechanisms)
from refdp.kernel import rules
from refdp.kernel.judgements import KernelError
from refdp.mechanisms.scaled_cauchy import SCALED_CAUCHY
from refdp.mechanisms.scaled_laplace import SCALED_LAPLACE
from refdp.mechanisms.scaled_student import SCALED_STUDENT
from refdp.numerics.enclosures import enclose
from refdp.spec import bound_laws, bound_noise
from refdp.spec.bound_laws import probability_beyond
from refdp.spec.distances import metric
from refdp.spec.semantics import written
from refdp.terms.term import apply, name, number, substitute
from tests.exactness.laws import chances, share
from tests.mechanisms.checks import MP, real

SLACK = MP.mpf(10) ** -30


def decimal(t, **values):
    """The term at these numbers, at the 50 digits of MP."""
    found = enclose(substitute(t, {key: number(v) for key, v in values.items()}), {}, 192)
    assert found.upper - found.lower < F(1, 10**40)
    return real(found.lower)


def pair_within(chance, growth):
    """Two inputs within growth, often as far apart as that allows, in either order."""
    bound = F(chance.randint(1, 6), chance.randint(1, 4))
    factor = chance.choice([F(1), growth, growth, 1 + (growth - 1) * F(chance.randint(0, 8), 8)])
    move = chance.choice([F(1), F(-1), F(chance.randint(-8, 8), 8)])
    value = F(chance.randint(-3, 3))
    found = [(value, bound), (value + move * bound, bound * factor)]
    assert metric("smooth").within(*found, growth)
    return found if chance.random() < F(1, 2) else found[::-1]


def laplace_below(y, pair, scale):
    """P[value + scale bound Z < y]."""
    z = (real(y) - real(pair[0])) / real(scale * pair[1])
    return MP.exp(z) / 2 if z < 0 else 1 - MP.exp(-z) / 2


def laplace_log_ratio(y, a, b, scale):
    """ln of the density under a over that under b."""
    (v, s), (w, t) = ((real(u) for u in (pair[0], scale * pair[1])) for pair in (a, b))
    return MP.log(t / s) - abs(y - v) / s + abs(y - w) / t


def hockey_stick(a, b, scale, epsilon):
    """The greatest P(E) - e^epsilon Q(E): between the two values, and beyond them, the log ratio is linear.

    On each piece it is above epsilon on an interval, whose end is found from its values at two points of the piece.
    """
    low, high = sorted((real(a[0]), real(b[0])))
    total, factor = MP.mpf(0), MP.exp(real(epsilon))

    def excess(left, right):
        p, q = (laplace_below_real(right, x, scale) - laplace_below_real(left, x, scale) for x in (a, b))
        return max(p - factor * q, MP.mpf(0))

    far = 10**6
    for left, right in ((low - far, low), (low, high), (high, high + far)):
        if left == right:
            continue
        at_left, at_right = (laplace_log_ratio(y, a, b, scale) - real(epsilon) for y in (left, right))
        ends = [left, right]
        if at_left * at_right < 0:
            ends.insert(1, left + (right - left) * at_left / (at_left - at_right))
        total += sum((excess(*piece) for piece in pairwise(ends)), MP.mpf(0))
    return total


def laplace_below_real(y, pair, scale):
    """The same at a number of MP."""
    z = (y - real(pair[0])) / real(scale * pair[1])
    return MP.exp(z) / 2 if z < 0 else 1 - MP.exp(-z) / 2


def laplace_case(chance):
    """growth, scale and epsilon that meet the conditions of the rule, and a pair within growth."""
    while True:
        growth, scale = 1 + F(chance.randint(1, 16), 8), F(chance.randint(1, 16), 4)
        epsilon = 1 / scale + F(chance.randint(0, 12), 8)
        if MP.log(real(growth)) + 1 / real(scale * growth) <= real(epsilon):
            return growth, scale, epsilon, *pair_within(chance, growth)


def delta_of(growth, scale, epsilon):
    """The delta that is claimed."""
    (_, delta) = rules.laplace_bound_noise(stem="scaled_laplace").claim.d_out
    return decimal(delta, d_in=growth, scale=scale, epsilon=epsilon)


def test_no_event_has_more_than_the_delta_of_laplace_noise_and_some_come_near():
    near = 0
    for chance in chances("scaled laplace"):
        growth, scale, epsilon, a, b = laplace_case(chance)
        delta, found = delta_of(growth, scale, epsilon), hockey_stick(a, b, scale, epsilon)
        assert found <= delta + SLACK
        near += found >= delta * 99 / 100
    assert near > share(100)


def test_the_delta_of_laplace_noise_is_reached_by_the_farthest_pair():
    for chance in chances("scaled laplace is sharp", 200):
        growth, scale, epsilon, *_ = laplace_case(chance)
        found = hockey_stick((F(1), growth), (F(0), F(1)), scale, epsilon)
        assert abs(found - delta_of(growth, scale, epsilon)) < SLACK


def test_random_events_of_two_half_lines_are_within_the_delta():
    for chance in chances("half lines of scaled laplace", 300):
        growth, scale, epsilon, a, b = laplace_case(chance)
        low = F(chance.randint(-80, 20), 4)
        ends = low, low + F(chance.randint(0, 160), 4)
        p, q = (decimal(probability_beyond(apply("scaled_laplace", number(scale)), x, ends)) for x in (a, b))
        by_hand = laplace_below(ends[0], a, scale) + 1 - laplace_below(ends[1], a, scale)
        assert abs(p - by_hand) < SLACK
        assert p <= MP.exp(real(epsilon)) * q + delta_of(growth, scale, epsilon) + SLACK


def test_far_events_refute_just_the_claims_that_they_break():
    found = {True: 0, False: 0}
    for chance in chances("far events"):
        growth, scale, epsilon, a, b = laplace_case(chance)
        delta = F(chance.randint(0, 10), 200)
        low = F(chance.randint(-60, 0), 4)
        ends = low, low + F(chance.randint(0, 120), 4)
        claim = (
            f"private(scaled_laplace({scale}), record(field(0, reals()), field(1, above(reals(), 0))), "
            f"smooth({growth}), approximate({epsilon / 2}, {delta}))"
        )
        p, q = (1 - laplace_below(ends[1], x, scale) + laplace_below(ends[0], x, scale) for x in (a, b))
        texts = {"a": written(a), "b": written(b), "below": written(ends[0]), "above": written(ends[1])}
        try:
            said = str(rules.likelier_far_out(claim=claim, **texts).claim.claim.term) == claim
        except KernelError:
            said = False
        assert said == (p > MP.exp(real(epsilon / 2)) * q + real(delta))
        found[said] += 1
    assert min(found.values()) > share(30)


def student_log_density(y, pair, scale, degrees):
    """ln of the density, up to a constant."""
    width = real(scale * pair[1])
    z = (y - real(pair[0])) / width
    return -MP.log(width) - (real(degrees) + 1) / 2 * MP.log(1 + z**2 / real(degrees))


def student_case(chance):
    """growth, scale, degrees, and a pair within growth."""
    growth, scale = 1 + F(chance.randint(0, 16), 8), F(chance.randint(1, 16), 4)
    degrees = chance.choice([F(1), F(2), F(3), F(5), F(30), 1 + F(chance.randint(0, 40), 8)])
    return growth, scale, degrees, *pair_within(chance, growth)


def loss_of(growth, scale, degrees, linear="no"):
    """The loss that is claimed."""
    (loss,) = rules.student_bound_noise(stem="scaled_student", linear=linear).claim.d_out
    return decimal(loss, d_in=growth, scale=scale, degrees=degrees)


def worst_outputs(a, b, scale, degrees):
    """The outputs at which the derivative of the log ratio is 0, in units of the first width and from its value.

    With c the ratio of the widths and h the shift over sqrt(degrees): h x^2 - (c^2 + h^2 - 1) x - h = 0 for Cauchy's
    ratio, of which Student's is a power; where h = 0 they are x = 0 and x far out.
    """
    c, h = real(b[1] / a[1]), real((b[0] - a[0]) / (scale * a[1])) / MP.sqrt(real(degrees))
    if h == 0:
        return [MP.mpf(0), MP.mpf(10) ** 25]
    middle = c**2 + h**2 - 1
    root = MP.sqrt(middle**2 + 4 * h**2)
    return [(middle + side * root) / (2 * h) for side in (1, -1)]


def test_no_ratio_of_students_densities_is_more_than_the_map_and_some_come_near():
    near = 0
    for chance in chances("scaled student"):
        growth, scale, degrees, a, b = student_case(chance)
        unit = real(scale * a[1]) * MP.sqrt(real(degrees))
        outputs = [real(a[0]) + x * unit for x in worst_outputs(a, b, scale, degrees)]
        outputs += [real(a[0] + F(chance.randint(-60, 60), 8) * scale * a[1])]
        losses = [abs(student_log_density(y, a, scale, degrees) - student_log_density(y, b, scale, degrees))
                  for y in outputs]  # fmt: skip
        exact = loss_of(growth, scale, degrees)
        assert max(losses) <= exact + SLACK
        assert exact <= loss_of(growth, scale, degrees, "yes") + SLACK
        near += max(losses) >= exact * 99 / 100
    assert near > share(100)


def test_the_map_of_students_noise_is_reached_by_the_farthest_pairs():
    for chance in chances("scaled student is sharp", 200):
        growth, scale, degrees, *_ = student_case(chance)
        found = []
        for a, b in (((F(0), F(1)), (F(1), factor)) for factor in (F(1), growth)):
            unit = real(scale * a[1]) * MP.sqrt(real(degrees))
            for x in worst_outputs(a, b, scale, degrees):
                one, other = (student_log_density(x * unit, pair, scale, degrees) for pair in (a, b))
                found.append(abs(one - other))
        assert abs(max(found) - loss_of(growth, scale, degrees)) < SLACK


def test_students_noise_of_one_degree_is_cauchys():
    for chance in chances("student of one degree", 100):
        growth, scale, *_ = student_case(chance)
        cauchy = decimal(bound_noise.privacy_loss(SCALED_CAUCHY, name("d_in")), d_in=growth, scale=scale)
        assert abs(loss_of(growth, scale, F(1)) - cauchy) < SLACK


def test_the_published_bound_of_students_noise_is_no_less():
    """(degrees + 1) ln growth + (degrees + 1) / (2 sqrt(degrees) scale), which linear undercuts by ln growth."""
    for chance in chances("published student", 100):
        growth, scale, degrees, *_ = student_case(chance)
        d = real(degrees)
        published = (d + 1) * MP.log(real(growth)) + (d + 1) / (2 * MP.sqrt(d) * real(scale))
        assert abs(published - MP.log(real(growth)) - loss_of(growth, scale, degrees, "yes")) < SLACK


def test_densities_of_students_noise_refute_just_what_they_break():
    found = {True: 0, False: 0}
    for chance in chances("denser student"):
        growth, scale, degrees, a, b = student_case(chance)
        y, most = a[0] + F(chance.randint(-60, 60), 8) * scale * a[1], F(chance.randint(1, 24), 16)
        claim = (
            f"private(scaled_student({scale}, {degrees}), record(field(0, reals()), field(1, above(reals(), 0))), "
            f"smooth({growth}), pure({most}))"
        )
        try:
            said = bool(rules.denser_elsewhere(claim=claim, a=written(a), b=written(b), output=written(y)))
        except KernelError:
            said = False
        one, other = (student_log_density(real(y), x, scale, degrees) for x in (a, b))
        assert said == (one - other > real(most))
        found[said] += 1
    assert min(found.values()) > share(30)


@pytest.mark.parametrize("kind", [SCALED_LAPLACE, SCALED_STUDENT])
def test_the_maps_are_of_their_own_family(kind):
    assert {kind.stem: kind.family} in ({"scaled_laplace": "laplace"}, {"scaled_student": "student"})
    assert bound_laws.require_family(kind, kind.family) is None
