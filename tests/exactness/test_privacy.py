"""Rules that make claims about mechanisms, against their definition: random parameters and laws, exactly."""

from fractions import Fraction as F
from itertools import permutations, product

import pytest
from flint import arb, fmpq

import refdp.derivations  # noqa: F401  (it registers the mechanisms)
from refdp.kernel import rules
from refdp.kernel.judgements import KernelError
from refdp.spec.finite import law_obligations, privacy_obligations
from refdp.spec.registry import kind_of
from refdp.spec.semantics import law as law_of
from refdp.spec.semantics import loss
from refdp.terms.reading import read
from refdp.terms.term import ln, name, number
from tests.claimed import (
    discrete_gaussian,
    discrete_laplace,
    exponential,
    gaussian,
    k_ary_randomised_response,
    laplace,
    permute_and_flip,
    randomised_response,
    truncated_geometric,
)
from tests.exactness.claims import FACTORS, ln_of
from tests.exactness.definition import at_most, near, pairs_of, satisfied, worst_excess, worst_ratio
from tests.exactness.entering import entered
from tests.exactness.enumeration import holds_everywhere, lemma
from tests.exactness.laws import chances, random_laws, share, tabulated
from tests.exactness.powers import Powers


def enumerated(chance):
    """The data of a call of finite_mechanism, without a subject, and the inputs of its domain."""
    size = chance.randint(1, 3)
    bounded = F(chance.choice([1, 2])), F(chance.randint(-1, 1), 2), F(chance.randint(2, 5), 2)
    domain = chance.choice([f"finite({size})", f"finite({size} - 1/2)", "bounded({}, {}, {})".format(*bounded)])
    inputs = range(size) if domain.startswith("finite") else [x for x in range(3) if x % bounded[0] == 0]
    inputs = tuple(x for x in inputs if not domain.startswith("bounded") or bounded[1] <= x <= bounded[2])
    metric, d_in = chance.choice([("discrete", F(1)), ("absolute", F(chance.randint(0, 5), 2))])
    return {"domain": domain, "metric": metric, "d_in": str(d_in)}, inputs


@pytest.mark.parametrize("measure", ["pure", "approximate"])
def test_finite_mechanism_is_the_least_loss(measure):
    """Equality: the greatest ratio, or the greatest hockey-stick divergence, over all neighbours in the domain.

    The domain is all that it contains: finite(5/2) has three members, bounded(2, 1/2, 3) has one.
    """
    infinite = 0
    for chance in chances(f"finite_mechanism {measure}"):
        laws = random_laws(chance, range(3), 3, chance.randint(0, 1))
        data, inputs = enumerated(chance)
        factor = chance.choice(FACTORS)
        pairs = [(laws[a], laws[b]) for a, b in near(inputs, data["metric"], F(data["d_in"]))]
        with entered(tabulated("m", laws)):
            call = data | {"subject": "m()", "measure": measure}
            call |= {} if measure == "pure" else {"factor": str(factor)}
            if not pairs or (measure == "pure" and worst_ratio(pairs) is None):
                infinite += bool(pairs)
                with pytest.raises(KernelError, match=r"possible under only one|would be empty"):
                    rules.finite_mechanism(**call)
                continue
            claim = rules.finite_mechanism(**call).claim
        pure = (ln_of(worst_ratio(pairs)),) if measure == "pure" else None
        assert claim.d_out == (pure or (ln_of(factor), number(worst_excess(pairs, factor))))
        assert (claim.subject, claim.domain, claim.metric, claim.d_in) == (
            read("m()"), read(data["domain"]), data["metric"], number(F(data["d_in"])),
        )  # fmt: skip
    assert (infinite > share(50)) == (measure == "pure")


def test_finite_mechanism_refuses_what_is_no_law():
    """One mass a thousandth too large, or moved below 0."""
    for chance in chances("no law", 100):
        laws = random_laws(chance, range(2), 2)
        x, y = chance.randint(0, 1), chance.randint(0, 1)
        excess = {**laws[x], y: laws[x][y] + F(1, 1000)}
        negative = {y: F(-1, 1000), 1 - y: F(1001, 1000)}
        for wrong in (excess, negative):
            call = {"subject": "m()", "domain": "finite(2)", "metric": "discrete", "d_in": "1"}
            with entered(tabulated("m", {**laws, x: wrong})), pytest.raises(KernelError, match="are not a law"):
                rules.finite_mechanism(**call)


def spoilt(chance, laws, ratio):
    """A kind of these masses, cumulative and ratio, which is right, and one that is wrong by 1/1000 somewhere."""
    size, less = len(laws), F(1, 1000)
    moved = {x: {**law, 0: law[0] - less} for x, law in laws.items()}
    one = {y: -less if y == 0 else (1 + less) / (size - 1) for y in range(size)}
    below_0 = dict.fromkeys(laws, one)
    return tabulated("m", laws, ratio), chance.choice([
        tabulated("m", moved, ratio + 1), tabulated("m", moved, ratio + 1, less), tabulated("m", below_0),
        tabulated("m", laws, ratio, less), tabulated("m", laws, ratio - less),
    ])  # fmt: skip


def test_finite_law_follows_from_its_obligations_alone():
    """Random tables: the obligations hold at every outcome and input of the right one and fail for the wrong one.

    Wrong are: masses that sum to less than 1, also where the cumulative hides it, a mass below 0, a cumulative that
    does not start at 0, and a ratio that is a little too small.
    """
    for chance in chances("finite_law", 250):
        size = 3 if chance.random() < 0.1 else 2
        laws = random_laws(chance, range(size), size)
        ratio = worst_ratio([(laws[a], laws[b]) for a, b in product(range(size), repeat=2)])
        right, wrong = spoilt(chance, laws, ratio)
        with entered(wrong):
            assert not all(holds_everywhere(s, range(size)) for s in privacy_obligations(wrong).values())
        with entered(right):
            needed = privacy_obligations(right)
            assert all(holds_everywhere(s, range(size)) for s in needed.values())
            lemmas = {key: lemma("m", key, s) for key, s in needed.items()}
            claim = rules.finite_law(*lemmas.values(), stem="m").claim
            assert str(claim.term) == f"private(m(), finite({size}), discrete(1), pure({ln(ratio)}))"
            masses = rules.normalised(*(lemmas[key] for key in law_obligations(right)), stem="m").claim
            assert str(masses.term) == "normalised(m())"
            assert all(sum(law_of(read("m()"), F(x)).values()) == 1 for x in range(size))


@pytest.mark.parametrize("family", [randomised_response, k_ary_randomised_response])
def test_finite_law_of_the_package_is_the_least_loss(family):
    """At random parameters within the conditions, all inputs; outside the conditions there is no instance."""
    theorem, outside = family.pure(), 0
    for chance in chances(family.__name__):
        k = 2 if family is randomised_response else chance.randint(2, 5)
        truth = F(chance.randint(1, 40), 40)
        values = {"truth": str(truth)} | ({} if family is randomised_response else {"k": str(k)})
        if not F(1, k) <= truth < 1:
            outside += 1
            with pytest.raises(KernelError, match=r"does not hold|division by zero"):
                rules.instantiate(theorem, values=values)
            continue
        claim = rules.instantiate(theorem, values=values).claim
        laws = {x: {y: truth if x == y else (1 - truth) / (k - 1) for y in range(k)} for x in range(k)}
        assert law_of(claim.subject, F(0)) == laws[0]
        assert claim.d_out == (ln_of(worst_ratio(pairs_of(laws, near(tuple(laws), "discrete", 1)))),)
    assert outside > share(100)


def test_clamped_noise_is_the_least_loss():
    """The whole range, exactly: d_in apart, the masses at the ends have ratio e^(d_in / scale)."""
    theorem, kind = truncated_geometric.pure(), kind_of("truncated_geometric")
    for chance in chances("clamped_noise"):
        powers, step = Powers(chance.randint(2, 5)), F(chance.randint(1, 3), chance.randint(1, 3))
        lower, many, steps = chance.randint(-3, 3), chance.randint(1, 4), chance.randint(0, 3)
        scale, d_in = step / chance.randint(1, 2), step * steps
        given = {"granularity": step, "lower": lower * step, "upper": (lower + many) * step}
        subject = truncated(scale, *given.values())
        inputs = tuple((lower + i) * step for i in range(many + 1))
        laws = {x: kind.law(subject, x, powers) for x in inputs}
        assert all(sum(law.values()) == 1 and min(law.values()) > 0 for law in laws.values())
        assert all(laws[x] == clamped_sum_of_noise(x, inputs, powers.power(-step / scale)) for x in inputs)
        values = {key: str(v) for key, v in given.items()} | {"scale": str(powers.scale(scale)), "d_in": str(d_in)}
        claim = rules.instantiate(theorem, values=values).claim
        worst = worst_ratio(pairs_of(laws, near(inputs, "absolute", d_in)))
        assert claim.d_out == (ln_of(powers.power(d_in / scale)),)
        assert worst == powers.power(min(d_in, many * step) / scale)


def truncated(scale, granularity, lower, upper):
    """The subject."""
    return read(f"truncated_geometric({scale}, {granularity}, {lower}, {upper})")


def clamped_sum_of_noise(x, outcomes, ratio):
    """The definition: noise at k steps with probability (1 - r) / (1 + r) r^|k|, the ends holding what lies beyond."""
    here = outcomes.index(x)
    masses = {y: (1 - ratio) / (1 + ratio) * ratio ** abs(i - here) for i, y in enumerate(outcomes)}
    for end in (0, len(outcomes) - 1):
        masses[outcomes[end]] = ratio ** abs(end - here) / (1 + ratio)
    return masses


def test_weighted_selection_is_never_exceeded():
    """Two or three candidates, scores from 0 to 3; without the factor 2 it would be exceeded."""
    assert_selection(exponential.pure(), "exponential", by_weight)


def test_flip_selection_is_never_exceeded():
    """The law is computed by running through every order of the candidates."""
    assert_selection(permute_and_flip.pure(), "permute_and_flip", by_flips)


def assert_selection(theorem, stem, definition):
    """The claim at random scales against the law by definition, over all scores near to random ones."""
    sharp, kind = 0, kind_of(stem)
    for chance in chances(stem):
        powers, scale = Powers(chance.randint(2, 6)), F(1, chance.randint(1, 2))
        candidates, d_in = chance.choice([2, 2, 3]), chance.choice([1, 1, 2])
        first = tuple(F(chance.randint(0, 3)) for _ in range(candidates))
        second = tuple(s + chance.randint(-d_in, d_in) for s in first)
        subject = read(f"{stem}({scale})")
        laws = [kind.law(subject, scores, powers) for scores in (first, second)]
        weights = [[powers.power((s - max(scores)) / scale) for s in scores] for scores in (first, second)]
        assert [list(law.values()) for law in laws] == [definition(w) for w in weights]
        values = {"scale": str(powers.scale(scale)), "d_in": str(d_in), "candidates": str(candidates)}
        claim = rules.instantiate(theorem, values=values).claim
        assert claim.d_out == (ln_of(powers.power(2 * d_in / scale)),)
        assert satisfied("pure", claim.d_out, [tuple(laws), tuple(laws[::-1])])
        sharp += not satisfied("pure", (ln_of(powers.power(d_in / scale)),), [tuple(laws), tuple(laws[::-1])])
    assert sharp > share(50)


def by_weight(weights):
    """Proportional to the weights."""
    return [w / sum(weights) for w in weights]


def by_flips(weights):
    """The first in a uniform random order whose flip comes up."""
    n, masses = len(weights), [F(0) for _ in weights]
    orders = list(permutations(range(n)))
    for order in orders:
        still = F(1, len(orders))
        for i in order:
            masses[i] += still * weights[i]
            still *= 1 - weights[i]
    return masses


def test_additive_noise_under_pure_dp_is_the_least_loss():
    """On a window of the grid around both inputs: the exact loss at every output, reached at d_in on the grid."""
    theorem, off_grid = discrete_laplace.pure(), 0
    for chance in chances("additive_noise pure"):
        step, scale = F(chance.randint(1, 4), chance.randint(1, 4)), F(chance.randint(1, 9), chance.randint(1, 9))
        d_in = step * F(chance.randint(0, 8), 2)
        claim = instance(theorem, scale=scale, granularity=step, d_in=d_in)
        a = step * chance.randint(-3, 3)
        b = a + step * int(d_in / step) * chance.choice([-1, 1])
        window = [min(a, b) + step * k for k in range(-2, int(abs(a - b) / step) + 3)]
        losses = [loss(claim.subject, y, a, b) for y in window]
        assert losses == [(abs(y - b) - abs(y - a)) / scale for y in window]
        assert claim.d_out == (number(d_in / scale),)
        assert max(losses) == abs(a - b) / scale <= d_in / scale
        off_grid += abs(a - b) < d_in
    assert off_grid > share(100)


def instance(theorem, **values):
    """The claim at these values."""
    return rules.instantiate(theorem, values={key: str(v) for key, v in values.items()}).claim


def test_additive_noise_on_vectors_under_pure_dp_is_the_least_loss():
    """Independent coordinates, inputs at L1 distance d_in: the losses at the best outputs add up to the claim."""
    theorem = discrete_laplace.pure_vector()
    for chance in chances("additive_noise pure vector"):
        step, scale, n = F(1, chance.randint(1, 4)), F(chance.randint(1, 9), chance.randint(1, 9)), chance.randint(1, 4)
        a = [step * chance.randint(-3, 3) for _ in range(n)]
        b = [x + step * chance.randint(-2, 2) for x in a]
        d_in = sum(abs(x - y) for x, y in zip(a, b, strict=True))
        claim = instance(theorem, scale=scale, granularity=step, dimension=n, d_in=d_in)
        one = claim.subject.arguments[0]
        windows = [[min(x, y) + step * k for k in range(-1, 4)] for x, y in zip(a, b, strict=True)]
        worst = sum(max(loss(one, z, x, y) for z in w) for x, y, w in zip(a, b, windows, strict=True))
        assert claim.d_out == (number(worst),)
        assert (claim.metric, claim.subject.arguments[1]) == ("l1", number(n))


def test_additive_noise_under_concentrated_dp_is_the_least_rho():
    """Renyi moments by sums over a window that holds all but 2^-200 of them: at most exp(alpha (alpha - 1) rho), and
    equal for whole orders, where the shifted sum is over the same grid."""
    theorem = discrete_gaussian.concentrated()
    for chance in chances("additive_noise concentrated"):
        step, sigma = F(1, chance.randint(1, 3)), F(chance.randint(2, 6), 4)
        distance = step * chance.randint(0, 2)
        claim = instance(theorem, sigma=sigma, granularity=step, d_in=distance)
        alpha = chance.choice([F(2), F(3), F(5, 4), F(3, 2), F(9, 4)])
        moment = gaussian_moment(alpha, distance, sigma, step)
        limit = (ball(alpha * (alpha - 1) * claim.d_out[0].rational)).exp()
        assert claim.d_out == (number(distance**2 / (2 * sigma**2)),)
        assert not moment > limit
        assert alpha.denominator > 1 or moment.overlaps(limit)
        assert distance == 0 or alpha.denominator > 1 or moment > (ball(alpha * (alpha - 1) * rho_less(claim))).exp()


def rho_less(claim):
    """A thousandth less than what is claimed."""
    return claim.d_out[0].rational * F(999, 1000)


def gaussian_moment(alpha, distance, sigma, step):
    """An enclosure of the sum of p^alpha q^(1 - alpha), p and q centred at `distance` and 0.

    The exponent is that of a Gaussian at alpha * distance; beyond 17 sigma of it, and of 0, each weight is below
    e^(-144) of the peak and falls by more than half from one to the next, so that what is left out is below 2^-200.
    """
    reach = int((17 * sigma + abs(alpha) * distance) / step) + 1
    points = [step * k for k in range(-reach, reach + 1)]
    exponents = [-(alpha * (y - distance) ** 2 + (1 - alpha) * y**2) for y in points]
    top = sum((ball(e / (2 * sigma**2)).exp() for e in exponents), arb(0))
    bottom = sum((ball(-(y**2) / (2 * sigma**2)).exp() for y in points), arb(0))
    return top / bottom * arb(1, 2**-40)


def ball(x):
    """A ball around the rational x."""
    return arb(fmpq(x.numerator, x.denominator))


def test_additive_noise_on_vectors_under_concentrated_dp_is_the_least_rho():
    """Independent coordinates at L2 distance d_in: their rhos add up to the claim."""
    theorem = discrete_gaussian.concentrated_vector()
    for chance in chances("additive_noise concentrated vector"):
        step, sigma = F(1, chance.randint(1, 3)), F(chance.randint(1, 9), chance.randint(1, 9))
        moves = chance.choice([(3, 4), (1, 2, 2), (2, 3, 6), (5,), (0, 1), (1, 1, 1, 1), (6, 8), (8, 9, 12)])
        d_in = next(step * k for k in range(20) if k * k == sum(m * m for m in moves))
        claim = instance(theorem, sigma=sigma, granularity=step, dimension=len(moves), d_in=d_in)
        assert claim.d_out == (number(sum((m * step) ** 2 / (2 * sigma**2) for m in moves)),)
        assert (claim.metric, claim.measure) == ("l2", "concentrated")


def test_additive_noise_on_the_reals_is_the_least_loss():
    """Densities: the loss of Laplace at any output, and the completed square of the Gaussian, identically."""
    pure, concentrated = laplace.pure(), gaussian.concentrated()
    for chance in chances("additive_noise reals"):
        scale, d_in = F(chance.randint(1, 9), chance.randint(1, 9)), F(chance.randint(0, 9), chance.randint(1, 9))
        a, y = F(chance.randint(-9, 9), 4), F(chance.randint(-40, 40), 4)
        b = a + d_in * F(chance.randint(-4, 4), 4)
        claim = instance(pure, scale=scale, d_in=d_in)
        assert (abs(y - b) - abs(y - a)) / scale <= claim.d_out[0].rational == d_in / scale
        rho = instance(concentrated, sigma=scale, d_in=abs(a - b)).d_out[0].rational
        alpha = F(chance.randint(5, 20), 4)
        middle = alpha * a + (1 - alpha) * b
        exponent = -(alpha * (y - a) ** 2 + (1 - alpha) * (y - b) ** 2) / (2 * scale**2)
        assert exponent == alpha * (alpha - 1) * rho - (y - middle) ** 2 / (2 * scale**2)


def test_mechanism_rules_need_every_lemma_in_order():
    """Without a lemma, with one twice, or in another order: refused."""
    for theorem, rule, data in [
        (discrete_laplace.pure(), rules.additive_noise, {"measure": "pure"}),
        (discrete_gaussian.concentrated_vector(), rules.additive_noise, {"measure": "concentrated", "vector": "yes"}),
        (randomised_response.pure(), rules.finite_law, {}),
        (truncated_geometric.pure(), rules.clamped_noise, {}),
        (exponential.pure(), rules.weighted_selection, {}),
        (permute_and_flip.pure(), rules.flip_selection, {}),
    ]:
        stem = theorem.data["stem"]
        lemmas = theorem.premises
        assert rule(*lemmas, stem=stem, **data).claim == theorem.claim
        for i in range(len(lemmas)):
            for wrong in (lemmas[:i] + lemmas[i + 1 :], (*lemmas[: i + 1], *lemmas[i:]), (*lemmas[1:], lemmas[0])):
                if wrong != lemmas:
                    with pytest.raises(KernelError, match="the premises must be the lemmas"):
                        rule(*wrong, stem=stem, **data)


def test_losses_compare_exactly():
    """The comparison that these tests rest on: e^(1/2) lies between 1.6487 and 1.6488, and ln is exact."""
    assert at_most(F(16487, 10000), number(F(1, 2)))
    assert not at_most(F(16488, 10000), number(F(1, 2)))
    assert at_most(F(3), read("ln(3)"))
    assert not at_most(F(3), read("ln(2999/1000)"))
    assert at_most(F(16487, 5000), number(F(1, 2)) + read("ln(2)"))
    with pytest.raises(ValueError, match="not of the form"):
        at_most(F(1), name("epsilon"))
