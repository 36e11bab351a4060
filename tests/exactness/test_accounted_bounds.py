"""Accounts of rounds of which bounds are known, finite laws, or how they select, against trees of random choices."""

from collections import Counter
from contextlib import suppress
from fractions import Fraction as F
from itertools import pairwise
from math import exp, inf, log

import pytest

import refdp.mechanisms  # noqa: F401  (importing them registers the selections that rounds are about)
from refdp.accounting.certified import enclosure
from refdp.accounting.curves import OutOfReach
from refdp.accounting.evidence import AT_ZERO, Evidence, evidence_for
from refdp.kernel.judgements import KernelError
from refdp.numerics.arithmetic import Intervals
from refdp.spec.registry import kind_of
from refdp.terms.reading import read
from refdp.terms.term import apply, number
from tests.accounting.small_mechanisms import dominating
from tests.exactness.claims import ln_of
from tests.exactness.definition import near, pairs_of, satisfied, worst_excess, worst_ratio
from tests.exactness.laws import INSTANCES, chances, random_laws, share
from tests.exactness.test_accounted_rounds import (
    CLOSE,
    OUTCOMES,
    RELATIONS,
    TABLES,
    accounted,
    below,
    chosen,
    insist,
    pairs_for,
    worst_of,
)
from tests.exactness.test_accounts import EPSILONS, LITTLE, LITTLE_WORK, excess
from tests.exactness.test_sampling import mixture

LOCAL = ("finite(2)", "discrete")
SUMS, ORDERS = "basic composition and zCDP", "Renyi divergences"
GRID = [1 + F(i, 16) for i in range(33)] + [F(4), F(6), F(9), F(16), F(32), F(64)]
"""Orders between which Renyi divergences are bounded."""
ABOVE = 1 + 1e-9
"""More than floats err by."""


def divergence(p, q, order):
    """The Renyi divergence of that order > 1, or at infinity, a little rounded up; as a float."""
    masses = [(float(a), float(q[y])) for y, a in p.items() if a]
    if order == inf:
        return log(max(a / b for a, b in masses)) * ABOVE
    return log(sum(a**order * b ** (1 - order) for a, b in masses)) / (order - 1) * ABOVE + 1e-12


def least_rho(pairs):
    """At least the least rho of zCDP: a divergence of an order is at most that of a greater one."""
    ends = [*((float(a), float(b)) for a, b in pairwise(GRID)), (float(GRID[-1]), inf)]
    return F(max(divergence(p, q, b) / a for p, q in pairs for a, b in ends)).limit_denominator(10**6) + F(1, 10**6)


def with_zcdp(chance, pairs):
    return apply("concentrated", number(least_rho(pairs)))


def with_renyi(chance, pairs):
    orders = chance.sample([F(3, 2), F(2), F(3), F(5), F(12)], chance.choice([1, 2, 3]))
    bounds = [(a, F(max(divergence(p, q, float(a)) for p, q in pairs)).limit_denominator(10**6) + F(1, 10**6))
              for a in orders]  # fmt: skip
    return apply("all_of", *(apply("renyi", number(a), number(e)) for a, e in bounds))


def with_points(chance, pairs):
    epsilons = chance.sample([F(0), F(1, 4), F(1, 2), F(1), F(3, 2)], chance.choice([1, 2, 3]))
    points = [(e, max(F(0), worst_excess(pairs, F(exp(e)) * (1 - F(1, 10**12))))) for e in epsilons]
    short = [(e, F(-(-d * 10**6 // 1), 10**6)) for e, d in points]
    return apply("all_of", *(apply("approximate", number(e), number(d)) for e, d in short))


def with_range(chance, pairs):
    spans = []
    for p, q in pairs:
        ratios = [a / q[y] for y, a in p.items()]
        spans.append(max(ratios) / min(ratios))
    return apply("bounded_range", ln_of(max(spans)))


def with_laws(chance, pairs):
    found = dominating([tuple(zip(*((a, q[y]) for y, a in p.items()), strict=True)) for p, q in pairs])
    return apply("dominated_by", *(apply("tuple_of", *map(number, law)) for law in zip(*found, strict=True)))


def with_pure(chance, pairs):
    return apply("pure", ln_of(worst_ratio(pairs)))


KNOWN = {"zcdp": with_zcdp, "renyi": with_renyi, "points": with_points, "range": with_range, "laws": with_laws}
ADDED_UP = {"renyi": {ORDERS}, "points": set()}
"""The engines of sums and of an order that have bounds of a kind, where it is not both."""
SHOWN_BY_DIVERGENCES = (with_zcdp, with_renyi)
"""No engine has a bound of these together with points of a curve."""


def families_of(chance, kinds):
    """Families of mechanisms of a bit, one a round, and what is true of all members of each."""
    families, said = [], []
    for kind in kinds:
        family = [random_laws(chance, (0, 1), OUTCOMES) for _ in range(OUTCOMES)]
        families.append(family)
        said.append(kind(chance, [pair for laws in family for pair in pairs_of(laws, CLOSE)]))
    return families, said


@pytest.mark.parametrize("kind", KNOWN)
def test_account_of_what_is_known_by_bounds_is_never_exceeded_and_never_below_the_truth(kind):
    """A thousand trees of two or three rounds, of that kind and of others."""
    shown, mixed, summed = 0, 0, Counter()
    for chance in chances(f"bounds {kind}", slow=3):
        company = [one for one in KNOWN.values() if kind != "points" or one not in SHOWN_BY_DIVERGENCES]
        others = [chance.choice([*company, with_pure]) for _ in range(chance.choice([0, 1, 1, 2]))]
        kinds = [KNOWN[kind], *others]
        chance.shuffle(kinds)
        families, said = families_of(chance, kinds)
        together = pairs_of(below(families, chance, (0, 1)), CLOSE)
        epsilon = chance.choice(EPSILONS)
        told = insist(chance, said, LOCAL, epsilon, excess(together, epsilon), together)
        shown, mixed = shown + told, mixed + (told and len(said) > 1)
        true = excess(together, epsilon)
        for engine, numbers in ((SUMS, {}), (ORDERS, {"order": chance.choice(["3/2", "2", "5", "12"]), "bits": "64"})):
            evidence = Evidence(engine, {f"both {name}": text for name, text in numbers.items()})
            with pytest.raises(KernelError) if true > 0 else suppress(KernelError):
                accounted(said, LOCAL, epsilon, true * (1 - LITTLE), evidence)
            with suppress(OutOfReach):  # what has no such bound
                bound = enclosure(pairs_for(said, LOCAL), "both", epsilon, engine, numbers).upper
                summed[engine] += true <= bound < 1
                assert true <= bound
    assert {engine for engine, times in summed.items() if times} == ADDED_UP.get(kind, {SUMS, ORDERS})
    assert shown > share(INSTANCES // 20, slow=3)
    assert mixed > share(INSTANCES // 50, slow=3)


def test_greatest_losses_add_up_and_no_less_has_a_delta_of_nothing():
    """A thousand trees: at delta 0 what is shown holds, and below the greatest loss of all outcomes nothing is."""
    shown = 0
    for chance in chances("greatest losses"):
        kinds = [
            chance.choice([with_pure, with_range, with_laws, with_points]) for _ in range(chance.choice([1, 2, 3]))
        ]
        families, said = families_of(chance, kinds)
        together = pairs_of(below(families, chance, (0, 1)), CLOSE)
        true = max(divergence(p, q, inf) for p, q in together) / ABOVE
        epsilon = F(true).limit_denominator(1000) * F(chance.choice([11, 12, 15, 20, 30]), 10) + F(1, 1000)
        evidence = evidence_for(pairs_for(said, LOCAL), epsilon, F(0), LITTLE_WORK)
        if evidence is not None:
            shown += 1
            assert satisfied("approximate", accounted(said, LOCAL, epsilon, F(0), evidence).d_out, together)
        for bits in ("64", "2048"):
            with pytest.raises(KernelError):
                accounted(said, LOCAL, F(true * (1 - 1e-9)), F(0), Evidence(AT_ZERO, {"both bits": bits}))
    assert shown > share(INSTANCES // 4)


def test_account_of_laws_in_an_order_is_never_exceeded_and_never_below_the_truth():
    """A thousand pairs of rounds on samples of tables, of which laws with a row more first are dominated."""
    shown, close = 0, RELATIONS["symmetric"]
    for chance in chances("laws in an order"):
        families, said = [], []
        rates = [chance.choice([F(1), F(chance.randint(1, 7), 8)]) for _ in range(2)]
        for rate in rates:
            family = [random_laws(chance, TABLES, OUTCOMES, chance.choice([0, 1])) for _ in range(OUTCOMES)]
            more = [(laws[x], laws[y]) for laws in family for x, y in close if len(x) > len(y)]
            found = dominating([tuple(zip(*((p.get(y, F(0)), q.get(y, F(0))) for y in range(OUTCOMES)), strict=True))
                                for p, q in more])  # fmt: skip
            one = apply("dominated_in_order",
                        *(apply("tuple_of", *map(number, law)) for law in zip(*found, strict=True)))  # fmt: skip
            said.append(one if rate == 1 else apply("poisson_sampled", number(rate), one))
            families.append([{x: mixture(laws, x, rate) for x in TABLES} for laws in family])
        together, epsilon = pairs_of(below(families, chance, TABLES), close), chance.choice(EPSILONS[:4])
        where = ("table(finite(2))", "symmetric")
        shown += insist(chance, said, where, epsilon, excess(together, epsilon), together)
    assert shown > share(INSTANCES // 4)


def test_account_of_parts_in_turn_is_never_exceeded_and_never_below_the_truth():
    """A thousand runs of two to four steps, each on a sample of the zeros or of the ones among at most two rows."""
    shown, close = 0, RELATIONS["symmetric"]
    for chance in chances("parts in turn"):
        measure, rate, steps = (
            chance.choice(["pure", "approximate"]),
            F(chance.randint(1, 8), 8),
            chance.choice([2, 3, 4]),
        )
        (family,), (one,) = chosen(chance, TABLES, [measure], close)
        steps_of = [
            [{x: mixture(laws, tuple(row for row in x if row == i % 2), rate) for x in TABLES} for laws in family]
            for i in range(steps)
        ]
        together, epsilon = pairs_of(below(steps_of, chance, TABLES), close), chance.choice(EPSILONS[:4])
        said = [apply("cyclic_poisson_sampled", number(rate), number(2), number(steps), one)]
        where = ("table(finite(2))", "symmetric")
        shown += insist(chance, said, where, epsilon, excess(together, epsilon), together)
    assert shown > share(INSTANCES // 4)


SELECTIONS = ("exponential", "gumbel_noisy_max", "permute_and_flip", "exponential_noisy_max", "laplace_noisy_max")


def selecting(chance):
    """A selection of one to three candidates: what is said of it, and its laws on two inputs, in floats."""
    stem, scale = chance.choice(SELECTIONS), F(chance.randint(1, 6), 2)
    together = stem in SELECTIONS[:2] and chance.random() < 0.5
    most, candidates = F(chance.randint(1, 4), 2), chance.choice([1, 2, 2, 3])
    scores = [F(chance.randint(0, 4), 2) for _ in range(candidates)]
    if chance.random() < 0.5:  # as far as they may
        moves = [chance.choice([0, most] if together else [-most, most]) for _ in scores]
    else:
        moves = [most * F(chance.randint(0 if together else -4, 4), 4) for _ in scores]
    subject = read(f"{stem}({scale})")
    laws = {}
    for x, at in ((0, scores), (1, [s + m for s, m in zip(scores, moves, strict=True)])):
        law = kind_of(stem).law(subject, at, Intervals(128))
        laws[x] = {y: float(p.lower) for y, p in law.items()}
    return apply("chain", apply("monotone" if together else "linf", number(most)), subject), laws


def test_account_of_selections_is_never_below_what_scores_show():
    """A thousand accounts of one to three selections, of random scores that move."""
    shown = seen = 0
    for chance in chances("selections", slow=2):
        said, laws = zip(*(selecting(chance) for _ in range(chance.choice([1, 1, 2, 3]))), strict=True)
        epsilon = chance.choice(EPSILONS[:4])
        worst = worst_of(laws, [(0, 1), (1, 0)], epsilon)
        shown += insist(chance, list(said), LOCAL, epsilon, max(0.0, worst - 1e-6))
        seen += worst > 1e-3
    assert shown > share(INSTANCES // 4, slow=2)
    assert seen > share(INSTANCES // 4, slow=2)


def test_enumeration_sees_scores_that_move_farther_than_is_said():
    """Scores one of which rises while another falls are no monotone ones, and a selection by noise is no range of d."""
    exceeded, inputs = 0, near((0, 1), "discrete", 1)
    for chance in chances("farther", 200):
        scale, epsilon = F(chance.randint(1, 4), 2), chance.choice(EPSILONS[:2])
        laws = {x: {y: float(p.lower) for y, p in kind_of("exponential").law(
            read(f"exponential({scale})"), at, Intervals(128)).items()}
            for x, at in ((0, [F(0), F(1)]), (1, [F(1), F(0)]))}  # fmt: skip
        worst = worst_of([laws], inputs, epsilon)
        said = [apply("chain", apply("monotone", number(1)), read(f"exponential({scale})"))]
        exceeded += evidence_for(pairs_for(said, LOCAL), epsilon, F(worst) * F(999, 1000), LITTLE_WORK) is not None
    assert exceeded > share(100)
