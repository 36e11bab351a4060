"""Noisy maxima against their definition: the integral over the winner's noise, exactly, at random scores."""

from fractions import Fraction as F
from itertools import combinations
from math import prod

from mpmath import mp

import refdp.derivations  # noqa: F401  (it registers the mechanisms)
from refdp.kernel import rules
from refdp.kernel.judgements import KernelError
from refdp.numerics.arithmetic import Intervals
from refdp.spec.registry import kind_of
from refdp.spec.semantics import written
from refdp.terms.reading import read
from refdp.terms.term import number
from tests.claimed import exponential_noisy_max, gumbel_noisy_max, laplace_noisy_max
from tests.exactness.claims import ln_of, private
from tests.exactness.definition import satisfied
from tests.exactness.laws import chances, share
from tests.exactness.powers import Powers


def scores_and_moved(chance, candidates):
    """Scores, a distance, and scores each of which is within it."""
    d_in = chance.choice([1, 1, 2])
    first = tuple(F(chance.randint(0, 3)) for _ in range(candidates))
    return first, tuple(s + chance.randint(-d_in, d_in) for s in first), d_in


def by_integration(scores, scale, powers):
    """P[s_i + E_i beats each s_j + E_j], the product of the 1 - e^-(...) multiplied out and integrated from u - s_i."""
    u = max(scores)
    law = []
    for i, s in enumerate(scores):
        others = [t for j, t in enumerate(scores) if j != i]
        terms = (
            (-1) ** n
            * prod(powers.power((t - s) / scale) for t in chosen)
            * powers.power(-(n + 1) * (u - s) / scale)
            / (n + 1)
            for n in range(len(scores))
            for chosen in combinations(others, n)
        )
        law.append(sum(terms))
    return law


def test_exponential_noisy_max_is_never_exceeded_and_has_the_law_of_permute_and_flip():
    """Two or three candidates, scores from 0 to 3; without the factor 2 it would be exceeded."""
    theorem, sharp = exponential_noisy_max.pure(), 0
    kinds = [kind_of(stem) for stem in ("exponential_noisy_max", "permute_and_flip")]
    for chance in chances("exponential_noisy_max"):
        powers, scale = Powers(chance.randint(2, 6)), F(1, chance.randint(1, 2))
        *pair, d_in = scores_and_moved(chance, chance.choice([2, 2, 3]))
        subject = read(f"exponential_noisy_max({scale})")
        laws = [kinds[0].law(subject, scores, powers) for scores in pair]
        assert [list(law.values()) for law in laws] == [by_integration(scores, scale, powers) for scores in pair]
        assert laws == [kinds[1].law(read(f"permute_and_flip({scale})"), scores, powers) for scores in pair]
        values = {"scale": str(powers.scale(scale)), "d_in": str(d_in), "candidates": str(len(pair[0]))}
        claim = rules.instantiate(theorem, values=values).claim
        assert claim.d_out == (ln_of(powers.power(2 * d_in / scale)),)
        assert satisfied("pure", claim.d_out, [tuple(laws), tuple(laws[::-1])])
        sharp += not satisfied("pure", (ln_of(powers.power(d_in / scale)),), [tuple(laws), tuple(laws[::-1])])
    assert sharp > share(30)


def test_gumbel_noisy_max_is_never_exceeded_and_has_the_law_of_weights():
    theorem, kind = gumbel_noisy_max.pure(), kind_of("gumbel_noisy_max")
    for chance in chances("gumbel_noisy_max"):
        powers, scale = Powers(chance.randint(2, 6)), F(1, chance.randint(1, 2))
        *pair, d_in = scores_and_moved(chance, chance.choice([2, 3]))
        laws = [kind.law(read(f"gumbel_noisy_max({scale})"), scores, powers) for scores in pair]
        weights = [[powers.power((s - max(scores)) / scale) for s in scores] for scores in pair]
        assert [list(law.values()) for law in laws] == [[w / sum(ws) for w in ws] for ws in weights]
        values = {"scale": str(powers.scale(scale)), "d_in": str(d_in), "candidates": str(len(pair[0]))}
        claim = rules.instantiate(theorem, values=values).claim
        assert satisfied("pure", claim.d_out, [tuple(laws), tuple(laws[::-1])])


def test_laplace_noisy_max_is_never_exceeded_and_sums_to_1():
    """By enclosures of 64 binary digits; of two candidates the worse, g behind, wins with e^-g (2 + g) / 4."""
    theorem, kind, arithmetic = laplace_noisy_max.pure(), kind_of("laplace_noisy_max"), Intervals(64)
    nothing, two = arithmetic.number(F(0)), arithmetic.number(F(2))
    for chance in chances("laplace_noisy_max"):
        scale = F(chance.randint(1, 3), chance.randint(1, 2))
        *pair, d_in = scores_and_moved(chance, chance.choice([2, 2, 3]))
        laws = [kind.law(read(f"laplace_noisy_max({scale})"), scores, arithmetic) for scores in pair]
        assert all(1 in sum(law.values(), nothing) for law in laws)
        if len(pair[0]) == 2:
            behind, worse = max(pair[0]) - min(pair[0]), F(pair[0].index(min(pair[0])))
            g = arithmetic.number(behind / scale)
            closed = arithmetic.function("exp", -g) * (two + g) / arithmetic.number(F(4))
            assert 0 in laws[0][worse] - closed
        values = {"scale": str(scale), "d_in": str(d_in), "candidates": str(len(pair[0]))}
        [bound] = rules.instantiate(theorem, values=values).claim.d_out
        factor = arithmetic.function("exp", arithmetic.number(bound.rational))
        for p, q in (laws, laws[::-1]):
            assert all(p[i].lower <= (factor * q[i]).upper for i in p)


def test_laplace_winner_with_its_value_is_refuted_by_just_the_outcomes_whose_density_is_too_great():
    """The density of (i, v) by its definition, below all scores; true claims are refuted by none."""
    found = {True: 0, False: 0}
    for chance in chances("with_its_value"):
        scale, candidates = F(chance.randint(1, 3)), chance.randint(1, 3)
        a, b, d_in = scores_and_moved(chance, candidates)
        i, v, epsilon = chance.randrange(candidates), F(chance.randint(-8, 0), 2), F(chance.randint(0, 6), 2)
        claim = private(
            f"with_its_value(laplace_noisy_max({scale}))", f"vector(reals(), {candidates})", "linf", d_in, "pure",
            (number(epsilon),),
        )  # fmt: skip
        said = refutes(claim, a, b, (F(i), v))
        if v >= min((*a, *b)):
            assert not said
            continue
        loss = mp.log(density(a, i, v, scale) / density(b, i, v, scale))
        assert abs(loss - to_real(epsilon)) < 1e-9 or said == (loss > to_real(epsilon))
        assert not (said and epsilon >= candidates * F(d_in) / scale)
        found[said] += 1
    assert min(found.values()) > share(50)


def to_real(x):
    """A rational in mpmath."""
    return mp.mpf(x.numerator) / x.denominator


def density(scores, i, v, scale):
    """Of the winner i with the value v: the noise of i, and the others below v."""
    units = [to_real((v - s) / scale) for s in scores]
    below = [mp.exp(t) / 2 if t < 0 else 1 - mp.exp(-t) / 2 for t in units]
    return mp.exp(-abs(units[i])) / 2 * mp.fprod(p for j, p in enumerate(below) if j != i)


def refutes(claim, a, b, output):
    """Whether the rule refutes the claim by this output."""
    try:
        found = rules.denser_elsewhere(claim=claim.term, a=written(a), b=written(b), output=written(output))
    except KernelError:
        return False
    return found.claim.claim == claim


def test_exponential_winner_with_its_value_is_refuted_by_just_the_outcomes_that_cannot_be_elsewhere():
    """Whatever epsilon: between the best scores, where only one of the two can have the value."""
    found = {True: 0, False: 0}
    for chance in chances("with its one-sided value", 2000):
        candidates = chance.randint(1, 3)
        a, b, d_in = scores_and_moved(chance, candidates)
        i, v = chance.randrange(candidates), F(chance.randint(0, 7), 2)
        claim = private(
            "with_its_value(exponential_noisy_max(1))", f"vector(reals(), {candidates})", "linf", d_in, "pure",
            (number(F(10**6)),),
        )  # fmt: skip
        said = refutes(claim, a, b, (F(i), v))
        assert said == (max(a) < v < max(b))
        found[said] += 1
    assert min(found.values()) > share(50)
