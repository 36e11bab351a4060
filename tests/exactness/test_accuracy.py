"""Rules about accuracy against the definition: every event's probability by enumeration, at random parameters."""

from fractions import Fraction as F
from itertools import permutations, product
from math import comb

import mpmath
import pytest

import refdp.derivations  # noqa: F401  (it registers the mechanisms)
from refdp.kernel import rules
from refdp.kernel.judgements import Holds, Tail
from refdp.kernel.rules.settle import tail_at
from refdp.kernel.theorem import Theorem
from refdp.numerics.exact import decide
from refdp.proofs.lemmas import choice_falls_short
from refdp.provers.lemmas import lemmas
from refdp.spec import accuracy
from refdp.spec.noise import AdditiveNoise
from refdp.spec.registry import kind_of
from refdp.spec.tails import Tails
from refdp.terms.evaluation import evaluate
from refdp.terms.reading import read
from refdp.terms.term import equal, number
from tests.claimed import (
    discrete_gaussian,
    discrete_laplace,
    exponential,
    gaussian,
    k_ary_randomised_response,
    laplace,
    permute_and_flip,
    randomised_response,
)
from tests.exactness.definition import at_most
from tests.exactness.entering import entered, given, written
from tests.exactness.enumeration import holds_everywhere
from tests.exactness.laws import chances, random_law, share
from tests.exactness.powers import Powers

pytestmark = pytest.mark.usefixtures("nameless")

MANY = 7
"""Grid points on each side of 0 that are summed one by one; what is left is a geometric series, or less than one."""


def at(theorem: Theorem, **values) -> Tail:
    """The instance, its conditions decided."""
    return rules.instantiate(theorem, values={key: str(value) for key, value in values.items()}).claim


def beyond(weight, ratio, event, threshold, step):
    """P[|Z| >= threshold], or >, for weights that are geometric from some point on, exactly; else from above."""
    inside = outside = F(0)
    for j in range(-MANY, MANY + 1):
        far = abs(j) * step >= threshold if event == "at_least" else abs(j) * step > threshold
        inside, outside = (inside, outside + weight(abs(j))) if far else (inside + weight(abs(j)), outside)
    outside += 2 * weight(MANY) * ratio / (1 - ratio)
    return outside / (inside + outside)


def noise_tail(stem, event="at_least", exactly=False):
    """|- how likely the error of the noise is at least, or more than, alpha."""
    needed = lemmas(stem, accuracy.noise_obligations(kind_of(stem), exactly, False))
    return rules.noise_tail(*needed, stem=stem, event=event, exactly="yes" if exactly else "no")


@pytest.mark.parametrize("event", ["at_least", "more_than"])
def test_exact_tail_of_geometric_noise_is_the_sum_of_its_series(event):
    theorem = noise_tail("discrete_laplace", event, exactly=True)
    for chance in chances(f"exact tail {event}"):
        step, many = F(chance.randint(1, 4), chance.randint(1, 3)), chance.randint(1, 3)
        alpha, powers = step * chance.randint(int(event == "at_least"), 5), Powers(chance.randint(2, 5))
        found = at(theorem, scale=step / many, granularity=step, alpha=alpha)
        ratio = powers.power(F(-many))
        assert (found.event, found.threshold, found.bound) == (event, number(alpha), "probability")
        assert evaluate(found.beta, {}, powers) == beyond(lambda j, r=ratio: r**j, ratio, event, alpha, step)


def family(c, d, factor, granularity):
    """Noise with the log weight -(c |z| + d z^2), and `factor` times that for its log tail."""
    weight = f"-({c} * abs(z) + {d} * z ** 2)"
    tail = f"-{factor} * ({c} * alpha + {d} * alpha ** 2)"
    return AdditiveNoise(
        "m", ("granularity",), (read("0 < granularity"),), {"granularity": number(granularity)},
        log_weight=written("log_weight", "z granularity", weight),
        tail_rate=written("tail_rate", "granularity", f"{max(c, d)}"),
        tail_offset=written("tail_offset", "granularity", f"{d}"),
        privacy_maps={},
        tails=Tails(written("log_tail", "alpha granularity", tail)),
    )  # fmt: skip


AXES = {name: range(5) for name in ("alpha", "h")} | {"granularity": range(1, 2)}


@pytest.mark.parametrize("event", ["at_least", "more_than"])
def test_bounded_tail_of_noise_is_never_exceeded_where_its_lemmas_hold(event):
    """Sums of Laplace and Gaussian exponents; a log tail that falls too fast fails its lemma, and is often false."""
    lemma, false = {}, 0
    for chance in chances(f"bounded tail {event}"):
        c, d, factor = chance.randint(0, 2), chance.randint(0, 2), chance.choice([F(1, 2), F(1), F(1), F(2)])
        if c + d == 0:
            continue
        noise, powers = family(c, d, factor, F(1)), Powers(1 + F(1, chance.randint(2, 4)), 8)
        alpha = F(chance.randint(0, 4)) if event == "more_than" else F(chance.randint(0, 8), 2)
        with entered(noise):
            needed = accuracy.noise_obligations(noise, False, False)
            if (c, d, factor) not in lemma:
                lemma[c, d, factor] = all(holds_everywhere(s, range(-3, 4), AXES) for s in needed.values())
            premises = [given(Holds("m", key, s.digest)) for key, s in needed.items()]
            found = at(rules.noise_tail(*premises, stem="m", event=event), granularity=1, alpha=alpha)
        claimed = evaluate(found.beta, {}, powers)

        def weight(j, c=c, d=d, powers=powers):
            return powers.power(-F(c * j + d * j**2))

        true = beyond(weight, weight(MANY + 1) / weight(MANY), event, alpha, F(1)) <= claimed
        assert true or not lemma[c, d, factor]
        false += not true
    assert false > share(50)
    assert lemma == {(c, d, factor): factor <= 1 for c, d, factor in lemma}


def test_tail_of_noise_in_the_package_is_never_exceeded():
    """Discrete Laplace and Gaussian, to reach and to exceed; the exact tail is between the two bounds."""
    reach = {m.STEM: noise_tail(m.STEM) for m in (discrete_laplace, discrete_gaussian)}
    exceed = {m.STEM: noise_tail(m.STEM, "more_than") for m in (discrete_laplace, discrete_gaussian)}
    for chance in chances("noise of the package"):
        stem, k, base = chance.choice(list(reach)), chance.randint(0, 4), chance.randint(2, 4)
        own = {"scale": F(1)} if stem == "discrete_laplace" else {"sigma": F(1)}
        powers = Powers(base, 2)
        degree = 1 if stem == "discrete_laplace" else 2

        def weight(j, powers=powers, degree=degree):
            return powers.power(-F(j) if degree == 1 else -F(j**2, 2))

        for event, theorem in (("at_least", reach[stem]), ("more_than", exceed[stem])):
            found = at(theorem, granularity=1, alpha=k, **own)
            p = beyond(weight, weight(MANY + 1) / weight(MANY), event, F(k), F(1))
            assert p <= evaluate(found.beta, {}, powers)


@pytest.mark.parametrize("stem", ["laplace", "gaussian"])
@mpmath.workdps(20)
def test_tail_of_a_density_is_its_integral(stem):
    """By quadrature in mpmath; the bound is above it, and half of it is not."""
    scale, exact, bound = ("scale", laplace, laplace) if stem == "laplace" else ("sigma", gaussian, gaussian)
    true, above = noise_tail(exact.STEM, exactly=True), noise_tail(bound.STEM)
    for chance in chances(f"density {stem}", 60):
        s, alpha = F(chance.randint(1, 9), chance.randint(1, 4)), F(chance.randint(0, 12), 4)
        weight = kind_of(stem).log_weight

        def density(z, s=s, weight=weight):
            return mpmath.exp(to_mp(weight.term, {"z": z, scale: to_real(s)}))

        far = mpmath.quad(density, [to_real(alpha), to_real(alpha) + 10 * to_real(s), mpmath.inf])
        whole = mpmath.quad(density, [-mpmath.inf, -to_real(s), 0, to_real(s), mpmath.inf])
        p = 2 * far / whole
        assert abs(p - to_mp(at(true, **{scale: s}, alpha=alpha).beta, {})) < mpmath.mpf(10) ** -8
        assert p <= to_mp(at(above, **{scale: s}, alpha=alpha).beta, {}) + mpmath.mpf(10) ** -8


def to_real(x):
    return mpmath.mpf(x.numerator) / x.denominator


def to_mp(t, values):
    """The value of a term in mpmath."""
    from refdp.provers.symbolic.quadrature import value

    return value(t, values)


def flips(scores, powers, scale):
    """The law of permute and flip by its definition: every order, each flip."""
    chosen, orders = dict.fromkeys(range(len(scores)), F(0)), list(permutations(range(len(scores))))
    for order in orders:
        left = F(1, len(orders))
        for i in order:
            q = powers.power((scores[i] - max(scores)) / scale)
            chosen[i] += left * q
            left *= 1 - q
    return chosen


def weighted(scores, powers, scale):
    """The law of the exponential mechanism by its definition."""
    found = [powers.power((s - max(scores)) / scale) for s in scores]
    return {i: w / sum(found) for i, w in enumerate(found)}


@pytest.mark.parametrize(("module", "law"), [(exponential, weighted), (permute_and_flip, flips)])
def test_choice_is_far_below_the_best_no_likelier_than_its_tail(module, law):
    """At most `candidates` times the weight, and inverted; without the number of candidates it is exceeded."""
    plain = rules.selection_tail(*choice_falls_short(module.STEM).premises[:-1], stem=module.STEM)
    inverted, exceeded = module.accuracy(), 0
    for chance in chances(f"choice {module.STEM}"):
        scores = [F(chance.randint(0, 3)) for _ in range(chance.randint(1, 4))]
        scale, powers = F(1, chance.randint(1, 2)), Powers(chance.randint(2, 3))
        masses, short = law(scores, powers, scale), [max(scores) - s for s in scores]
        alpha, beta = F(chance.randint(0, 3)), F(chance.randint(1, 8), 8)
        found = at(plain, scale=scale, alpha=alpha, candidates=len(scores))
        p = sum((masses[i] for i in masses if short[i] >= alpha), F(0))
        assert p <= evaluate(found.beta, {}, powers)
        exceeded += p > evaluate(found.beta, {}, powers) / len(scores)
        there = at(inverted, scale=scale, beta=beta, candidates=len(scores))
        assert (there.beta, str(there.threshold)) == (number(beta), f"{scale} * ln({len(scores) / beta})")
        far = [i for i in masses if powers.power(short[i] / scale) >= len(scores) / beta]  # short >= scale ln(n / beta)
        assert sum((masses[i] for i in far), F(0)) <= beta
    assert exceeded > share(50) or module is permute_and_flip


def test_mistake_has_just_its_probability():
    """Every value of k, by the masses; and by no other probability, a thousandth up or down."""
    theorem = k_ary_randomised_response.accuracy()
    for chance in chances("mistake"):
        k = chance.randint(2, 4)
        truth = F(1, k) + (1 - F(1, k)) * F(chance.randint(0, 9), 10)
        claim, x = at(theorem, k=k, truth=truth), chance.randrange(k)
        assert evaluate(claim.beta, {}) == sum(((1 - truth) / (k - 1) for y in range(k) if y != x), F(0))
        for off in (F(-1, 1000), F(1, 1000)):
            other = tail_at(claim, {}).term
            wrong = str(other).replace(f"probability({claim.beta})", f"probability({claim.beta.rational + off})")
            assert rules.likelier_error(claim=wrong, at=str(x)).claim.claim.beta.rational == 1 - truth + off


def test_estimate_is_far_off_no_likelier_than_hoeffding_says():
    """The binomial tail by every sequence of answers; with 4 n in place of 2 n it is exceeded."""
    theorem, exceeded = randomised_response.accuracy(), 0
    for chance in chances("estimate"):
        truth, n = F(1, 2) + F(chance.randint(1, 9), 20), chance.randint(1, 6)
        bits = [chance.randint(0, 1) for _ in range(n)]
        beta = F(chance.randint(1, 30), 30)
        claim = at(theorem, truth=truth, n=n, beta=beta)
        assert claim.beta == number(beta)
        root = f"sqrt(ln({2 / beta}) / {2 * n})" if beta != 2 else ""
        assert str(claim.threshold) == f"{1 / (2 * truth - 1)} * {root}"
        masses = binomial(bits, truth)
        assert tail_mass(masses, bits, truth, beta, 2) <= beta
        exceeded += tail_mass(masses, bits, truth, beta, 4) > beta
    assert exceeded > share(20)


def binomial(bits, truth):
    """How likely each number of ones among the answers is, by every sequence of answers."""
    found = dict.fromkeys(range(len(bits) + 1), F(0))
    for answers in product((0, 1), repeat=len(bits)):
        p = F(1)
        for x, y in zip(bits, answers, strict=True):
            p *= truth if x == y else 1 - truth
        found[sum(answers)] += p
    return found


def tail_mass(masses, bits, truth, beta, twos):
    """P[|estimate - mean| >= width sqrt(ln(2 / beta) / (twos n))]: where e^(twos n error^2 / width^2) >= 2 / beta."""
    n, total = len(bits), F(0)
    for ones, p in masses.items():
        off = (F(ones, n) - (1 - truth)) / (2 * truth - 1) - F(sum(bits), n)
        if at_most(2 / beta, number(twos * n * off**2 * (2 * truth - 1) ** 2)):
            total += p
    return total


def test_binomial_of_equal_bits_is_the_binomial_law():
    assert binomial([1] * 5, F(3, 4)) == {k: comb(5, k) * F(3, 4) ** k * F(1, 4) ** (5 - k) for k in range(6)}


@pytest.mark.parametrize("exactly", ["yes", "no"])
def test_tail_of_many_is_that_of_the_greatest_of_independent_errors(exactly):
    """Random probabilities of an error, one for each coordinate, all p or at most p; every pattern of errors."""
    for chance in chances(f"many {exactly}"):
        p, n, bound = F(chance.randint(0, 9), 10), chance.randint(1, 4), chance.choice(["probability", "at_most"])
        one = given(Tail(read("m()"), read("grid(1)"), "error", "at_least", number(1), bound, number(p)))
        several = rules.tail_of_many(one, exactly=exactly)
        claim = rules.instantiate(several, values={"dimension": str(n)}).claim
        own = [p if bound == "probability" else p * F(chance.randint(0, 4), 4) for _ in range(n)]
        worst = F(0)
        for wrong in product((True, False), repeat=n):
            joint = F(1)
            for w, q in zip(wrong, own, strict=True):
                joint *= q if w else 1 - q
            worst += joint if any(wrong) else F(0)
        assert claim.bound == (bound if exactly == "yes" else "at_most")
        if claim.bound == "probability":
            assert decide(equal(claim.beta, worst))
        else:
            assert decide(number(worst) <= claim.beta)


def test_restated_threshold_is_the_same_number():
    """At random t > 1, and so at e^epsilon: the constant in truth and that in epsilon agree."""
    theorem = randomised_response.accuracy()
    lemma = randomised_response.accuracy_in_epsilon().premises[1]
    for chance in chances("restated"):
        t = 1 + F(chance.randint(1, 40), chance.randint(1, 9))
        claim = rules.instantiate(theorem, values={"truth": f"{t} / (1 + {t})"}).claim
        width = claim.threshold.arguments[0]
        general = rules.instantiate(theorem, values={"truth": "t / (1 + t)"})
        found = rules.tail_restated(general, lemma, values={"t": "t"})
        assert evaluate(found.claim.threshold.arguments[0], {"t": t}) == evaluate(width, {})


def test_error_of_a_random_law_is_refuted_by_just_its_masses():
    """Claims about random laws, true, tight or false, to reach and to exceed a threshold."""
    from tests.exactness.entering import lookup

    found = {True: 0, False: 0}
    for chance in chances("likelier_error"):
        laws = {x: {F(y): p for y, p in random_law(chance, range(3), 0).items()} for x in range(3)}
        event, threshold = chance.choice(["at_least", "more_than"]), F(chance.randint(0, 5), 2)
        bound, x = chance.choice(["probability", "at_most"]), chance.randrange(3)
        p = sum((q for y, q in laws[x].items() if happens(event, threshold, abs(y - x))), F(0))
        beta = p + chance.choice([F(0), F(0), F(1, 1000), F(-1, 1000), F(1, 3)])
        claim = f"tail(m(), finite(3), error({event}({threshold})), {bound}({beta}))"
        with entered(lookup("m", "finite(3)", {F(x): law for x, law in laws.items()})):
            said = refutes(rules.likelier_error, claim=claim, at=str(x))
        assert said == (p > beta or (bound == "probability" and p != beta))
        found[said] += 1
    assert min(found.values()) > share(100)


def happens(event, threshold, size):
    """Whether an error of that size is the event."""
    return size >= threshold if event == "at_least" else size > threshold


def refutes(rule, *premises, **data):
    """Whether the rule refutes the claim."""
    from refdp.kernel.judgements import KernelError

    try:
        rule(*premises, **data)
    except KernelError:
        return False
    return True


def test_another_probability_refutes_only_what_is_false_and_all_that_is_about_the_same_event():
    """One random law of the size of an error; a theorem about one event, claims about others."""
    found = {True: 0, False: 0}
    for chance in chances("another_probability"):
        masses = random_law(chance, range(4), 0)
        events = [(chance.choice(["at_least", "more_than"]), F(chance.randint(0, 6), 2)) for _ in range(2)]
        if chance.randint(0, 1):
            events[1] = events[0]
        p, other = (sum((q for y, q in masses.items() if happens(*e, y)), F(0)) for e in events)
        bound = chance.choice(["probability", "at_most"])
        beta = max(chance.choice([p, other]) + chance.choice([F(0), F(1, 1000), F(-1, 1000), F(1, 4), F(-1, 4)]), F(0))
        (event, threshold), (another, limit) = events
        theorem = given(Tail(read("m()"), read("grid(1)"), "error", event, number(threshold), "probability", number(p)))
        claim = f"tail(m(), grid(1), error({another}({limit})), {bound}({beta}))"
        said = refutes(rules.another_probability, theorem, claim=claim, at="0")
        false = other > beta or (bound == "probability" and other != beta)
        assert false or not said
        assert said == false or events[0] != events[1]
        found[said] += 1
    assert min(found.values()) > share(100)


def test_noise_is_refuted_by_its_weights_only_where_it_is_likelier():
    """Discrete Laplace with e itself; the exact tail against random numbers near it, by ever more points."""
    exact, found = discrete_laplace.accuracy(), {True: 0, False: 0}
    for chance in chances("likelier_noise"):
        scale, k = F(chance.randint(1, 4), 2), chance.randint(1, 3)
        p = at(exact, scale=scale, granularity=1, alpha=k).beta
        near = F(round(to_mp(p, {}) * 1000), 1000) + chance.choice([F(-1, 100), F(-1, 500), F(1, 500), F(0)])
        claim = f"tail(discrete_laplace({scale}, 1), grid(1), error(at_least({k})), at_most({near}))"
        false = decide(number(near) < p)
        said = refutes(rules.likelier_noise, claim=claim, points=str(chance.choice([2, 12, 25])))
        assert false or not said
        found[said] += 1
    assert min(found.values()) > share(100)
