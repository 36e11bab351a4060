"""Rules about densities against their definition: random parameters, inputs and outputs, exactly."""

from fractions import Fraction as F

import refdp.derivations  # noqa: F401  (it registers the mechanisms)
from refdp.kernel import rules
from refdp.kernel.judgements import KernelError
from refdp.mechanisms.laplace import LAPLACE_WITHOUT_HALF
from refdp.numerics.enclosures import enclose
from refdp.proofs.lemmas import loss_is_unbounded
from refdp.provers.lemmas import lemma
from refdp.spec.distances import renyi_moment
from refdp.spec.registry import evaluated, kind_of
from refdp.spec.semantics import written as data_of
from refdp.terms.reading import read
from refdp.terms.term import ln, number
from tests.claimed import gaussian, k_ary_randomised_response, laplace, randomised_response, staircase
from tests.exactness.claims import private
from tests.exactness.entering import entered, written
from tests.exactness.laws import chances, share


def refutes(claim, a, b, output):
    """Whether the rule refutes the claim by this output."""
    try:
        found = rules.denser_elsewhere(claim=claim.term, a=data_of(a), b=data_of(b), output=data_of(output))
    except KernelError:
        return False
    return found.claim.claim == claim


def laplace_loss(scale, y, a, b):
    """ln of the ratio of the densities."""
    return (abs(y - b) - abs(y - a)) / scale


def gaussian_loss(sigma, y, a, b):
    """ln of the ratio of the densities."""
    return ((y - b) ** 2 - (y - a) ** 2) / (2 * sigma**2)


def test_noise_on_the_reals_is_refuted_by_just_the_outputs_whose_loss_is_too_large():
    found = {True: 0, False: 0}
    for chance in chances("denser noise"):
        stem, loss = chance.choice([("laplace", laplace_loss), ("gaussian", gaussian_loss)])
        scale, d_in = F(chance.randint(1, 4), chance.randint(1, 2)), F(chance.randint(1, 4), 2)
        a, b, y = (F(chance.randint(-4, 4), 2) for _ in range(3))
        epsilon = F(chance.randint(0, 4), 4)
        claim = private(f"{stem}({scale})", "reals()", "absolute", d_in, "pure", (number(epsilon),))
        said = refutes(claim, a, b, y)
        assert said == (abs(a - b) <= d_in and loss(scale, y, a, b) > epsilon)
        found[said] += 1
        loose = private(
            f"{stem}({scale})", "reals()", "absolute", d_in, "approximate", (number(epsilon), number(F(1, 9)))
        )
        assert not refutes(loose, a, b, y)
    assert min(found.values()) > share(50)


def test_noise_on_two_coordinates_is_refuted_by_just_the_outputs_whose_losses_add_up_to_too_much():
    """Under L1 and L2, on the reals and on a grid; a claim that is true under L1 never."""
    found = {True: 0, False: 0}
    for chance in chances("denser vectors"):
        scale, d_in, metric = F(chance.randint(1, 3)), chance.randint(1, 5), chance.choice(["l1", "l2"])
        a, b, other = (tuple(F(chance.randint(-2, 2)) for _ in range(2)) for _ in range(3))
        y = chance.choice([a, a, other])
        epsilon = F(d_in) / scale * chance.choice([1, 1, F(3, 4)])
        near = sum(abs(u - v) for u, v in zip(a, b, strict=True)) <= d_in
        if metric == "l2":
            near = sum((u - v) ** 2 for u, v in zip(a, b, strict=True)) <= d_in**2
        total = sum(laplace_loss(scale, *point) for point in zip(y, a, b, strict=True))
        expected = near and total > epsilon
        reals = private(
            f"coordinatewise(laplace({scale}), 2)", "vector(reals(), 2)", metric, d_in, "pure", (number(epsilon),)
        )
        assert refutes(reals, a, b, y) == expected
        grid = private(
            f"coordinatewise(discrete_laplace({scale}, 1), 2)",
            "vector(grid(1), 2)",
            metric,
            d_in,
            "pure",
            (number(epsilon),),
        )
        assert refutes_by_event(grid, a, b, y) == expected
        assert not (expected and metric == "l1" and epsilon == F(d_in) / scale)
        found[expected] += 1
    assert min(found.values()) > share(20)


def refutes_by_event(claim, a, b, outcome):
    """Whether the rule refutes the claim by this outcome on the grid."""
    try:
        rules.unlikely_elsewhere(claim=claim.term, a=data_of(a), b=data_of(b), event=data_of((outcome,)))
    except KernelError:
        return False
    return True


def height(z, sensitivity, gamma):
    """The steps that lie between 0 and |z|, counted one by one; None at a jump."""
    far, steps = abs(z), 0
    while far >= sensitivity:
        far, steps = far - sensitivity, steps + 1
    if far in (0, gamma * sensitivity):
        return None
    return steps + int(far > gamma * sensitivity)


def test_level_noise_is_refuted_by_just_the_outputs_whose_loss_is_too_large():
    """Never one sensitivity apart at epsilon, often beyond, and never at a jump."""
    theorem, found = staircase.pure(), {True: 0, False: 0}
    for chance in chances("level_noise"):
        epsilon, sensitivity, gamma = F(chance.randint(1, 4), 2), F(chance.randint(1, 3), 2), F(chance.randint(1, 3), 4)
        values = {"epsilon": epsilon, "sensitivity": sensitivity, "gamma": gamma}
        closed = rules.instantiate(theorem, values={key: str(v) for key, v in values.items()}).claim
        assert closed.d_out == (number(epsilon),)
        d_in = sensitivity * chance.choice([1, 1, F(3, 2), 2])
        claim = private(str(closed.subject), "reals()", "absolute", d_in, "pure", (number(epsilon),))
        a = F(chance.randint(-24, 24), 8)
        b, y = a + d_in * chance.choice([1, 1, F(1, 2), -1]), a + F(chance.randint(-12, 4), 8)
        places = [height(y - x, sensitivity, gamma) for x in (a, b)]
        broken = None not in places and (places[1] - places[0]) * epsilon > epsilon and abs(a - b) <= d_in
        assert refutes(claim, a, b, y) == broken
        assert not (broken and abs(a - b) <= sensitivity)
        found[broken] += 1
    assert min(found.values()) > share(10)


def test_unbounded_loss_is_reached_at_the_witness_and_below_it():
    """At random parameters, distances and bounds, by the exact loss; on a grid at its points."""
    for stem in ("gaussian", "discrete_gaussian"):
        assert loss_is_unbounded(stem).claim.subject.operator == stem
        kind = kind_of(stem)
        for chance in chances(f"unbounded_loss {stem}", 500):
            sigma, step = F(chance.randint(1, 9), chance.randint(1, 3)), F(1, chance.randint(1, 4))
            d_in, bound = step * chance.randint(1, 6), F(chance.randint(0, 1000), chance.randint(1, 7))
            values = {"sigma": sigma} | ({"granularity": step} if kind.on_grid else {})
            subject = read(f"{stem}({', '.join(map(str, values.values()))})")
            far = evaluated(kind.far_output, {**values, "bound": bound, "d_in": d_in})
            first = far // step * step if kind.on_grid else far
            a = step * chance.randint(-5, 5)
            for below in (0, 1, 7, 1000):
                y = a + first - below * step
                assert kind.loss(subject, y, a, a + d_in) > bound
                assert kind.loss(subject, y, a, a + d_in) == gaussian_loss(sigma, y, a, a + d_in)


def test_wrong_normaliser_refutes_just_what_does_not_integrate_to_1():
    found, premise = {True: 0, False: 0}, lemma("laplace.integral_is_the_normaliser")
    for chance in chances("wrong_normaliser"):
        slope, more, scale = chance.randint(0, 3), chance.randint(-2, 2), F(chance.randint(1, 4), 2)
        stated = written("n", "scale", f"{slope} * scale + {more}")
        kind = LAPLACE_WITHOUT_HALF.__class__(
            "stated",
            ("scale",),
            LAPLACE_WITHOUT_HALF.conditions,
            {"scale": number(1)},
            LAPLACE_WITHOUT_HALF.log_weight,
            stated,
        )
        claimed = slope * scale + more
        with entered(kind):
            try:
                rules.wrong_normaliser(premise, stem="stated", of="laplace", values={"scale": str(scale)})
            except KernelError:
                assert claimed in (0, 2 * scale)
            else:
                assert claimed not in (0, 2 * scale)
        found[claimed in (0, 2 * scale)] += 1
    assert min(found.values()) > share(50)


def test_renyi_divergence_of_finite_laws_is_that_of_their_masses():
    """Whole orders, rational masses: e^((order - 1) D) is the exact moment, between any two different inputs."""
    families = {2: randomised_response, 3: k_ary_randomised_response}
    theorems = {size: (family.renyi_exact(), family.renyi_tight()) for size, family in families.items()}
    for chance in chances("renyi finite"):
        k, order = chance.randint(2, 5), chance.randint(2, 4)
        truth = F(1, k) + (1 - F(1, k)) * F(chance.randint(0, 9), 10)
        values = {"truth": str(truth), "order": str(order)} | ({} if k == 2 else {"k": str(k)})
        exact, bound = theorems[min(k, 3)]
        said = rules.instantiate(exact, values=values).claim.said[1].arguments[1]
        laws = [{y: truth if y == x else (1 - truth) / (k - 1) for y in range(k)} for x in chance.sample(range(k), 2)]
        moment = renyi_moment(*laws, order)
        found = enclose(said - ln(number(moment)) / (order - 1), {}, 64)
        assert found.lower <= 0 <= found.upper
        assert found.upper - found.lower < F(1, 2**40)
        if chance.random() < 0.8:
            continue
        limit = str(enclose(said, {}, 64).upper)
        assert rules.instantiate(bound, values=values, d_out=[str(order), limit]).claim.measure == "renyi"


def test_renyi_divergence_of_laplace_noise_grows_and_is_below_its_line():
    """Within its map: 0 at distance 0, never more than zCDP's order L^2 / 2, nor than the pure epsilon L."""
    theorem = laplace.renyi_exact()
    for chance in chances("renyi laplace"):
        scale, order = F(chance.randint(1, 4)), 1 + F(chance.randint(1, 20), chance.randint(1, 4))
        distances = sorted(F(chance.randint(0, 12), 4) for _ in range(2))
        near, far = (at(theorem, scale=scale, order=order, d_in=d) for d in distances)
        loss = distances[1] / scale
        assert near.lower <= far.upper
        assert far.lower <= min(loss, order * loss**2 / 2)
        assert distances[0] > 0 or near.lower <= 0 <= near.upper


def at(theorem, **values):
    """The divergence at these values, enclosed."""
    closed = rules.instantiate(theorem, values={key: str(v) for key, v in values.items()})
    return enclose(closed.claim.said[1].arguments[1], {}, 64)


def test_renyi_exceeded_refutes_just_the_claims_below_the_divergence():
    theorem, found = gaussian.renyi_exact(), {True: 0, False: 0}
    for chance in chances("renyi_exceeded"):
        sigma, d_in, order = F(chance.randint(1, 3)), F(chance.randint(0, 4), 2), 1 + F(chance.randint(1, 6), 2)
        exact = order * d_in**2 / (2 * sigma**2)
        claimed = exact + F(chance.choice([-1, -1, 0, 1]), 1000)
        closed = rules.instantiate(theorem, values={"sigma": str(sigma), "d_in": str(d_in), "order": str(order)})
        claim = private(f"gaussian({sigma})", "reals()", "absolute", d_in, "renyi", (number(order), number(claimed)))
        try:
            rules.renyi_exceeded(closed, claim=claim.term)
        except KernelError:
            assert claimed >= exact
        else:
            assert claimed < exact
        found[claimed < exact] += 1
    assert min(found.values()) > share(100)
