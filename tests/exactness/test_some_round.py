"""An event in some round, by the joint law: it refutes just where it breaks the claim, and never what is true."""

from fractions import Fraction as F
from itertools import product

import pytest
from mpmath import erfc, exp, mp, mpf, sqrt

import refdp.derivations  # noqa: F401  (it registers what the claims are about)
from refdp.kernel import rules
from refdp.kernel.judgements import KernelError
from refdp.terms.term import number
from tests.exactness.claims import ln_of, private
from tests.exactness.definition import pairs_of, satisfied
from tests.exactness.entering import entered, lookup
from tests.exactness.laws import chances, joint, random_laws, share

pytestmark = pytest.mark.usefixtures("nameless")

INPUTS = (0, 1, 2)
NORMAL = "chain(clipped_vector_sum({norm}, 1, 1/4), coordinatewise({noise}, 1))"


def refutes(claim, **witness):
    try:
        found = rules.likelier_in_some_round(claim=str(claim.term), **witness)
    except KernelError:
        return False
    return found.claim.claim == claim


@pytest.mark.parametrize("measure", ["pure", "approximate"])
def test_an_event_in_some_round_refutes_just_what_it_breaks(measure):
    """Random laws and claims, inputs that are too far apart among them; the joint law of all rounds is the oracle."""
    found = {True: 0, False: 0}
    for chance in chances(f"some round {measure}"):
        laws, k = random_laws(chance, INPUTS, 2, chance.randint(0, 1)), chance.choice([1, 2, 3])
        factor, delta = F(chance.randint(8, 14), 8), F(chance.randint(0, 3), 16)
        losses = [ln_of(factor)] if measure == "pure" else [ln_of(factor), number(delta)]
        claim = private(f"repeated(m(), {k})", "finite(3)", "absolute", 1, measure, losses)
        a, b, y = chance.choice(INPUTS), chance.choice(INPUTS), chance.randint(0, 1)
        with entered(lookup("m", "finite(3)", laws)):
            said = refutes(claim, a=str(a), b=str(b), event=f"tuple_of({y})")
        together = {x: joint([laws[x]] * k) for x in INPUTS}
        p, q = (sum(mass for path, mass in together[x].items() if y in path) for x in (a, b))
        assert said == (abs(a - b) <= 1 and p > factor * q + (0 if measure == "pure" else delta))
        if said:
            assert not satisfied(measure, claim.d_out, pairs_of(together, [(a, b)]))
        found[said] += 1
    assert min(found.values()) > share(50)


def real(x):
    """The number in mpmath's digits."""
    return mpf(F(x).numerator) / F(x).denominator


def discrete_gaussian(sigma, step, reach):
    """The law of discrete Gaussian noise, by its definition."""
    weights = {i * step: exp(-(real(i * step) ** 2) / (2 * real(sigma) ** 2)) for i in range(-reach, reach + 1)}
    whole = sum(weights.values())
    return {z: w / whole for z, w in weights.items()}


def test_tails_of_noise_are_those_of_mpmath_on_every_sample():
    """A table of up to two rows, each in the lot by a coin; the claim is shifted to either side of the truth."""
    mp.dps = 30
    for chance in chances("noisy some round", 1000, slow=4):
        norm, sigma, rate = chance.choice([F(1), F(3, 2)]), F(chance.randint(2, 8), 4), F(chance.randint(1, 4), 4)
        row, k, on_grid = chance.choice([1, -1]) * norm, chance.choice([1, 2, 5]), chance.random() < 0.5
        threshold, epsilon = F(chance.randint(-4, 8), 3), F(chance.randint(0, 2), 2)
        noise = f"discrete_gaussian({sigma}, 1/4)" if on_grid else f"gaussian({sigma})"
        other = chance.choice([(), (norm,)])
        law = discrete_gaussian(sigma, F(1, 4), 80) if on_grid else None

        def tail(t, threshold=threshold, sigma=sigma, law=law):
            if law is None:
                return erfc(real((threshold - t) / sigma) / sqrt(2)) / 2
            return sum((w for z, w in law.items() if t + z >= threshold), mpf(0))

        def some(table, rate=rate, k=k, tail=tail):
            p = mpf(0)
            for kept in product((0, 1), repeat=len(table)):
                weight = F(1)
                for one in kept:
                    weight *= rate if one else 1 - rate
                total = sum((r for r, one in zip(table, kept, strict=True) if one), F(0))
                p += real(weight) * tail(total)
            return 1 - (1 - p) ** k

        tables = (row, *other), other
        excess = some(tables[0]) - exp(real(epsilon)) * some(tables[1])
        delta = F(int(excess * 10**6), 10**6)
        for shift in (-F(1, 10**5), F(1, 10**5)):
            if not 0 <= delta + shift <= 1:
                continue
            step = NORMAL.format(norm=norm, noise=noise)
            claim = private(
                f"repeated(poisson_sampled({rate}, {step}), {k})", "table(vector(reals(), 1))", "symmetric", 1,
                "approximate", [number(epsilon), number(delta + shift)],
            )  # fmt: skip
            a, b = (f"tuple_of({', '.join(f'tuple_of({r})' for r in table)})" for table in tables)
            assert refutes(claim, a=a, b=b, event=f"at_least({threshold})") == (shift < 0)
