"""Accounts against their definition: joint laws of random mechanisms, on samples of tables too, and noise moved."""

from dataclasses import replace
from fractions import Fraction as F
from itertools import combinations_with_replacement, product
from math import exp, prod
from random import Random

import pytest

from refdp.accounting.certified import ENCLOSURES, enclosure
from refdp.accounting.evidence import evidence_for
from refdp.kernel import rules
from refdp.kernel.judgements import KernelError
from refdp.kernel.rules.accounts import Pair, part
from refdp.spec.semantics import law as law_of
from refdp.terms.reading import read
from refdp.terms.term import number
from tests.exactness.claims import FACTORS, least_impossible, ln_of, private, stable, tight
from tests.exactness.definition import near, pairs_of, satisfied, worst_excess, worst_ratio
from tests.exactness.entering import entered, exactly, given, lookup
from tests.exactness.laws import joint, random_laws, tables
from tests.exactness.test_sampling import mixture

pytestmark = pytest.mark.usefixtures("nameless", "enclosed_once")

INSTANCES = 1_000
CLOSE = near((0, 1), "absolute", 1)
TABLES = tables(range(2), 2)
EPSILONS = (F(0), F(1, 3), F(1, 2), F(1), F(3, 2), F(2))
LITTLE = F(1, 10**6)
LITTLE_WORK = 0.2
"""For each engine, as it is counted."""


def accounted(premises, epsilon, delta, evidence, noises=None, rates=None, counts=None):
    """The theorem of the rule, with the evidence."""
    blank = [""] * len(premises)
    return rules.account(
        *premises, noises=noises or blank, rates=rates or blank, counts=counts or ["1"] * len(premises),
        epsilon=epsilon, delta=delta, engine=evidence.engine, evidence=dict(evidence.numbers),
    ).claim  # fmt: skip


def pairs_for(premises, noises=None, rates=None, counts=None):
    """The pairs of the premises."""
    columns = [noises or [""] * len(premises), rates or [""] * len(premises), counts or ["1"] * len(premises)]
    return [part(t.claim, *data)[1] for t, *data in zip(premises, *columns, strict=True)]


def excess(pairs, epsilon):
    """Below the least delta of the pairs at epsilon, by very little."""
    return max(worst_excess(pairs, F(exp(epsilon)) * (1 + F(1, 10**12))), F(0))


def truth_is_refused(premises, epsilon, true, evidence, **columns):
    """Whether a delta below the true one is refused."""
    with pytest.raises(KernelError):
        accounted(premises, epsilon, true * (1 - LITTLE), evidence, **columns)
    return True


def edited(chance, evidence):
    """The evidence with one number changed, removed or put twice; or for another engine."""
    numbers = dict(evidence.numbers)
    key = chance.choice(list(numbers))
    way = chance.randrange(5)
    if way == 0:
        return type(evidence)(chance.choice(list(ENCLOSURES)), numbers)
    if way == 1:
        del numbers[key]
    elif way == 2:
        numbers = {}
    else:
        value = F(numbers[key]) * F(chance.choice([1, 2, 3, 7, 20]), chance.choice([1, 2, 3, 9, 50]))
        numbers[key] = str(value if value.denominator > 1 and chance.random() < 0.5 else max(1, int(value)))
    return type(evidence)(evidence.engine, numbers)


def random_parts(chance):
    """Laws of two or three mechanisms of a bit, what is true of them, and how often each is run."""
    laws, losses = [], []
    for _ in range(chance.choice([1, 2, 2, 3])):
        measure = chance.choice(["pure", "approximate"])
        laws.append(random_laws(chance, (0, 1), 3, least_impossible(measure)))
        losses.append((measure, tight(measure, pairs_of(laws[-1], CLOSE), Random(chance.random()))))
    counts = [chance.choice([1, 1, 2, 3]) if len(laws) < 3 else 1 for _ in laws]
    return laws, losses, counts


def test_account_of_random_mechanisms_is_never_exceeded_and_never_below_the_truth():
    """A thousand compositions: what is accepted is satisfied, whatever the evidence; below the truth all is refused."""
    accepted = changed = 0
    for i in range(INSTANCES):
        chance = Random(f"account {i}")
        laws, losses, counts = random_parts(chance)
        premises = [given(private(f"m_{j}()", "finite(2)", "absolute", 1, *loss)) for j, loss in enumerate(losses)]
        columns = {"counts": list(map(str, counts))}
        many = [law for law, count in zip(laws, counts, strict=True) for _ in range(count)]
        together = pairs_of({x: joint([one[x] for one in many]) for x in (0, 1)}, CLOSE)
        epsilon, pairs = chance.choice(EPSILONS), pairs_for(premises, **columns)
        true = excess(together, epsilon)
        delta = min(F(99, 100), true * F(chance.choice([12, 20, 40]), 10) + F(1, 100))
        evidence = evidence_for(pairs, epsilon, delta, LITTLE_WORK)
        if evidence is not None:
            accepted += 1
            claim = accounted(premises, epsilon, delta, evidence, **columns)
            assert satisfied("approximate", claim.d_out, together)
        evidence = evidence or evidence_for(pairs, epsilon, F(999, 1000), LITTLE_WORK)
        assert evidence is None or true == 0 or truth_is_refused(premises, epsilon, true, evidence, **columns)
        if evidence is not None:
            other = edited(chance, evidence)
            assert true == 0 or truth_is_refused(premises, epsilon, true, other, **columns)
            changed += other != evidence
    assert accepted > INSTANCES // 3
    assert changed > INSTANCES // 2


def response(t, d):
    """Masses of the pair that dominates every (ln t, d)-DP pair."""
    right = [d, (1 - d) * t / (1 + t), (1 - d) / (1 + t), F(0)]
    possible = [y for y in range(4) if right[y] or right[3 - y]]
    return {1: {y: right[y] for y in possible}, 0: {y: right[3 - y] for y in possible}}


def test_account_of_responses_is_the_truth():
    """They reach their pairs: a little above the joint delta is proved, a little below it is refused."""
    for i in range(300):
        chance = Random(f"responses {i}")
        parts = [(chance.choice(FACTORS[1:]), F(chance.randint(0, 3), 20)) for _ in range(chance.choice([1, 2, 3]))]
        epsilon = chance.choice(EPSILONS)
        losses = [(ln_of(t), number(d)) for t, d in parts]
        premises = [given(private(f"m_{j}()", "finite(2)", "absolute", 1, "approximate", loss))
                    for j, loss in enumerate(losses)]  # fmt: skip
        together = pairs_of({x: joint([response(t, d)[x] for t, d in parts]) for x in (0, 1)}, CLOSE)
        true, pairs = excess(together, epsilon), pairs_for(premises)
        evidence = evidence_for(pairs, epsilon, true * (1 + LITTLE) + F(1, 10**9), LITTLE_WORK)
        assert evidence is not None, (parts, epsilon)
        accounted(premises, epsilon, true * (1 + LITTLE) + F(1, 10**9), evidence)
        assert true == 0 or evidence_for(pairs, epsilon, true * (1 - LITTLE), LITTLE_WORK) is None
        assert true == 0 or truth_is_refused(premises, epsilon, true, evidence)


def test_account_of_sampled_mechanisms_is_never_exceeded_by_the_mixture():
    """Arbitrary laws of tables of at most two rows, on Poisson samples, once or twice, beside one without a sample."""
    sharp = accepted = 0
    close = near(TABLES, "symmetric", 1)
    for i in range(INSTANCES // 2):
        chance = Random(f"sampled {i}")
        measure, rate = chance.choice(["pure", "approximate"]), F(chance.randint(0, 8), 8)
        laws = random_laws(chance, TABLES, 2, least_impossible(measure))
        pairs = pairs_of(laws, close)
        t = worst_ratio(pairs) if measure == "pure" else chance.choice(FACTORS)
        loss = (ln_of(t),) if measure == "pure" else (ln_of(t), number(worst_excess(pairs, t)))
        premises = [given(private("m()", "table(finite(2))", "symmetric", 1, measure, loss))] * chance.choice([1, 2])
        columns = {"rates": [str(rate), ""][: len(premises)], "counts": [chance.choice("12"), "1"][: len(premises)]}
        sampled = {x: mixture(laws, x, rate) for x in TABLES}
        runs = {x: [sampled[x]] * int(columns["counts"][0]) + [laws[x]] * (len(premises) - 1) for x in TABLES}
        after = pairs_of({x: joint(each) for x, each in runs.items()}, close)
        epsilon = chance.choice(EPSILONS[:4])
        true, known = excess(after, epsilon), pairs_for(premises, **columns)
        delta = min(F(99, 100), true * F(3, 2) + F(1, 100))
        evidence = evidence_for(known, epsilon, delta, LITTLE_WORK)
        if evidence is not None:
            accepted += 1
            claim = accounted(premises, epsilon, delta, evidence, **columns)
            assert satisfied("approximate", claim.d_out, after)
            with entered(lookup("m", "table(finite(2))", laws)):
                told = law_of(claim.subject, exactly(TABLES[i % len(TABLES)]))
                assert sorted(told.values()) == sorted(joint(runs[TABLES[i % len(TABLES)]]).values())
        evidence = evidence or evidence_for(known, epsilon, F(999, 1000), LITTLE_WORK)
        if true > 0 and evidence is not None:
            sharp += truth_is_refused(premises, epsilon, true, evidence, **columns)
    assert accepted > INSTANCES // 8
    assert sharp > INSTANCES // 8


def noise_law(weight, reach):
    """Masses of noise on whole steps, as floats."""
    masses = {k: exp(weight(k)) for k in range(-reach, reach + 1)}
    return {k: mass / sum(masses.values()) for k, mass in masses.items()}


def moved_excess(laws, moves, epsilon):
    """The delta of independent noises, each moved by so many steps, against noise that is not moved."""
    steps = [[(one.get(k - move, 0.0), mass) for k, mass in one.items()] for one, move in zip(laws, moves, strict=True)]
    return sum(
        max(0.0, prod(p for p, _ in point) - exp(epsilon) * prod(q for _, q in point)) for point in product(*steps)
    )


@pytest.mark.parametrize("norm", ["absolute", "l1", "l2"])
def test_account_of_noise_after_a_query_is_never_below_what_the_farthest_inputs_show(norm):
    """Steps of the grid, moves in every direction that the norm allows; where one coordinate moves it is the truth."""
    told = 0
    for i in range(60):
        chance = Random(f"noise {norm} {i}")
        stem = chance.choice(["discrete_laplace", "discrete_gaussian"]) if norm != "l2" else "discrete_gaussian"
        step, dimension = F(1, chance.choice([1, 2, 3])), 1 if norm == "absolute" else chance.choice([1, 2])
        scale = step * F(chance.choice([1, 2, 3]), chance.choice([1, 2]))
        most = chance.choice([1, 2, 3, 4, 5]) if norm == "l2" else chance.choice([1, 2, 3])
        far = f"sqrt({most * step**2})" if norm == "l2" else str(most * step)
        outputs = f"grid({step})" if norm == "absolute" else f"vector(grid({step}), {dimension})"
        noise = f"{stem}({scale}, {step})"
        noise = noise if norm == "absolute" else f"coordinatewise({noise}, {dimension})"
        moved = stable("count(records())", "table(records())", "symmetric", 1, outputs, norm, 1)
        query = given(replace(moved, d_out=(read(far),)))
        s = float(scale / step)
        weight = (lambda k, s=s: -abs(k) / s) if stem == "discrete_laplace" else (lambda k, s=s: -(k**2) / (2 * s * s))
        law = noise_law(weight, 90 if dimension == 1 else 40)
        size = (lambda v: sum(k * k for k in v)) if norm == "l2" else (lambda v: sum(map(abs, v)))
        moves = [v for v in combinations_with_replacement(range(most + 1), dimension) if size(v) <= most]
        epsilon = chance.choice(EPSILONS[:5])
        true = max(moved_excess([law] * dimension, v, epsilon) for v in moves)
        columns = {"noises": [noise]}
        pairs = pairs_for([query], **columns)
        evidence = evidence_for(pairs, epsilon, F(999, 1000), LITTLE_WORK)
        if evidence is None:
            assert true > 0.5, (noise, norm, most, epsilon, true)
            continue
        if true > 1e-9:  # less is an error of floats
            with pytest.raises(KernelError):
                accounted([query], epsilon, F(true) * (1 - LITTLE), evidence, **columns)
        if true < 0.99 and (dimension == 1 or (norm == "l2" and most <= 3)):
            told += 1
            evidence = evidence_for(pairs, epsilon, F(true) * (1 + LITTLE) + F(1, 10**5), LITTLE_WORK)
            assert evidence is not None, (noise, norm, most, epsilon, true)
            accounted([query], epsilon, F(true) * (1 + LITTLE) + F(1, 10**5), evidence, **columns)
    assert told > 10


def test_noise_taken_for_noise_on_the_reals_is_never_below_its_own_account():
    """Lemma 1.27: sums of discrete normal noise, of variances from 1 on, against what the lattice shows from below."""
    for i in range(100):
        chance = Random(f"wide {i}")
        variance, steps = F(chance.randint(4, 400), 4), F(chance.randint(1, 9))
        pairs = [Pair("discrete_gaussian", (variance, steps), chance.choice([1, 2, 5]))]
        epsilon = steps * pairs[0].count / variance + chance.choice(EPSILONS)
        lower = enclosure(pairs, "both", epsilon, "lattice", {"bits": "100"}).lower
        upper = enclosure(pairs, "both", epsilon, "closed forms", {"bits": "128", "wide": "1"}).upper
        assert lower <= upper
        same = enclosure(pairs, "both", epsilon, "lattice", {"bits": "100", "wide": "1000000"})
        assert (same.lower, lower <= same.upper) == (0, True)
