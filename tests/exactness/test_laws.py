"""Rules that make claims about laws: masses that sum to 1, and samplers that draw from them; exactly."""

from fractions import Fraction as F

import pytest

import refdp.derivations  # noqa: F401  (it registers the mechanisms)
from refdp.kernel import rules
from refdp.kernel.judgements import KernelError
from refdp.sampling.schemes import draw
from refdp.spec.registry import kind_of, values
from refdp.terms.term import apply, number
from tests.claimed import (
    discrete_gaussian,
    discrete_laplace,
    exponential,
    k_ary_randomised_response,
    permute_and_flip,
    randomised_response,
    truncated_geometric,
)
from tests.exactness.branching import law_by_answers
from tests.exactness.laws import chances
from tests.exactness.powers import Powers


def noise(chance):
    """Parameters of additive noise on a grid whose log weights at its points are whole."""
    step = F(chance.randint(1, 3), chance.randint(1, 3))
    return {"scale": step / chance.randint(1, 3), "granularity": step}, step * chance.randint(-2, 2)


def gaussian(chance):
    """Parameters and a base in which every acceptance of the discrete Gaussian is a whole power."""
    step = F(1, chance.randint(1, 2))
    return {"sigma": step * F(chance.randint(1, 3), 2), "granularity": step}, step * chance.randint(-2, 2)


def clamped(chance):
    """Parameters of noise clamped to a few points."""
    found, _ = noise(chance)
    lower, many = chance.randint(-2, 1), chance.randint(1, 3)
    step = found["granularity"]
    x = (lower + chance.randint(0, many)) * step
    return found | {"lower": lower * step, "upper": (lower + many) * step}, x


def response(k):
    """Parameters of randomised response among k values."""

    def parameters(chance):
        many = k or chance.randint(2, 4)
        truth = F(1, many) + (1 - F(1, many)) * F(chance.randint(0, 7), 8)
        return ({} if k else {"k": F(many)}) | {"truth": truth}, F(chance.randint(0, many - 1))

    return parameters


def scores(chance):
    """A scale and two or three scores whose differences are whole multiples of it."""
    scale = F(1, chance.randint(1, 2))
    return {"scale": scale}, tuple(F(chance.randint(0, 3)) for _ in range(chance.randint(1, 3)))


SAMPLERS = {
    "discrete_laplace": (noise, discrete_laplace, 8),
    "discrete_gaussian": (gaussian, discrete_gaussian, 5),
    "truncated_geometric": (clamped, truncated_geometric, 8),
    "randomised_response": (response(2), randomised_response, 2),
    "k_ary_randomised_response": (response(0), k_ary_randomised_response, 2),
    "exponential": (scores, exponential, 8),
    "permute_and_flip": (scores, permute_and_flip, 9),
}


def weights(stem, given, x, powers, outcomes):
    """The law up to a factor, by definition, for the outcomes at hand."""
    match stem:
        case "discrete_laplace":
            return {y: powers.power(-abs(y - x) / given["scale"]) for y in outcomes}
        case "discrete_gaussian":
            return {y: powers.power(-((y - x) ** 2) / (2 * given["sigma"] ** 2)) for y in outcomes}
        case "exponential":
            return {F(i): powers.power((s - max(x)) / given["scale"]) for i, s in enumerate(x)}
        case "randomised_response" | "k_ary_randomised_response":
            k, truth = given.get("k", F(2)), given["truth"]
            return {F(y): truth if y == x else (1 - truth) / (k - 1) for y in range(int(k))}
    return None


def powers_for(chance, given):
    """A whole base; for the discrete Gaussian, whose exponents are multiples of 1/unit, one near e^(1/unit)."""
    if "sigma" not in given:
        return Powers(chance.randint(2, 4))
    halves = 2 * given["sigma"] / given["granularity"]  # the proposal has scale halves // 2 + 1
    unit = int(8 * (halves // 2 + 1) ** 2 * halves**2)
    return Powers(1 + F(1, unit), unit)


@pytest.mark.parametrize("stem", SAMPLERS)
def test_sampler_law_is_the_law_by_definition(stem):
    """Every sequence of a few answers of the primitives: the outcomes found have just the ratios of the law.

    The clamped mechanism heaps on its ends what the noise leaves beyond, of which a part is cut off: bounds there.
    """
    parameters, module, most = SAMPLERS[stem]
    theorem, resolved = module.sampler_law(), []
    for chance in chances(f"sampler {stem}", 40 if stem == "discrete_gaussian" else 170):
        given, x = parameters(chance)
        powers = powers_for(chance, given)
        instance = rules.instantiate(theorem, values={key: str(v) for key, v in given.items()}).claim
        subject = apply(stem, *(number(given[p]) for p in kind_of(stem).parameters))
        assert instance.subject == subject
        assert values(kind_of(stem), subject) == given
        masses, cut = law_by_answers(lambda coins, m=subject, x=x: draw(m, x, coins), powers, most)
        assert sum(masses.values()) + cut == 1
        law = weights(stem, given, x, powers, masses) or kind_of(stem).law(subject, x, powers)
        if stem == "truncated_geometric":
            inside = {y: p for y, p in masses.items() if given["lower"] < y < given["upper"]}
            assert all(masses[y] <= law[y] <= masses[y] + cut for y in law)
            masses, law = inside, {y: law[y] for y in inside}
        one = next(iter(masses), None)
        assert all(masses[y] * law[one] == law[y] * masses[one] for y in masses)
        assert set(masses) == set(law)
        resolved.append(1 - cut)
    assert sum(resolved) / len(resolved) > (F(1, 2) if stem == "discrete_gaussian" else F(9, 10))


def test_sampler_law_rests_on_the_scheme_that_it_draws_from():
    """Noise drawn by rejection, or clamped, is right only if the noise inside it is: its lemma is a premise."""
    own = discrete_laplace.sampler_law().premises[0].claim.digest
    for module in (discrete_gaussian, truncated_geometric):
        theorem = module.sampler_law()
        stem = theorem.data["stem"]
        assert own in [getattr(p.claim, "digest", None) for p in theorem.premises]
        for i in range(len(theorem.premises)):
            with pytest.raises(KernelError, match=r"the premises must (be the lemmas|end in the laws)"):
                rules.sampler_law(*theorem.premises[:i], *theorem.premises[i + 1 :], stem=stem)


def test_normalised_rests_on_every_law_obligation():
    for module in (discrete_laplace, discrete_gaussian, truncated_geometric, randomised_response, permute_and_flip):
        theorem = module.normalised()
        assert theorem.claim.kind == "normalised"
        for i in range(len(theorem.premises)):
            with pytest.raises(KernelError, match="the premises must be the lemmas"):
                rules.normalised(*theorem.premises[:i], *theorem.premises[i + 1 :], stem=theorem.data["stem"])


FINITE = ("truncated_geometric", "exponential", "permute_and_flip", "k_ary_randomised_response")


@pytest.mark.parametrize("stem", FINITE)
def test_normalised_law_sums_to_1(stem):
    """At random parameters and inputs, exactly; and so does the instance of the theorem speak of it."""
    parameters, module, _ = SAMPLERS[stem]
    theorem = module.normalised()
    for chance in chances(f"normalised {stem}"):
        given, x = parameters(chance)
        subject = rules.instantiate(theorem, values={key: str(v) for key, v in given.items()}).claim.subject
        law = kind_of(stem).law(subject, x, Powers(chance.randint(2, 5)))
        assert sum(law.values()) == 1
        assert min(law.values()) >= 0


def test_normalised_noise_has_its_normaliser():
    """The geometric series to the 40th power and what is left: (1 + r) / (1 - r), exactly, for random r."""
    normaliser = kind_of("discrete_laplace").normaliser
    for chance in chances("normaliser"):
        ratio = F(chance.randint(1, 98), 99)
        partial = 1 + 2 * sum((ratio**k for k in range(1, 41)), F(0))
        assert normaliser(ratio) == partial + 2 * ratio**41 / (1 - ratio)
