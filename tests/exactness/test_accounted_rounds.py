"""Accounts of rounds against their definition: trees of random choices, samples of tables, and noise on answers."""

from fractions import Fraction as F
from itertools import combinations
from math import exp
from random import Random

import pytest

from refdp.accounting.evidence import evidence_for
from refdp.kernel import rules
from refdp.kernel.judgements import KernelError
from refdp.kernel.rules.accounted_rounds import pair_of_round
from refdp.terms.reading import read
from refdp.terms.term import apply, number
from tests.exactness.claims import least_impossible, tight
from tests.exactness.definition import near, pairs_of, satisfied
from tests.exactness.laws import INSTANCES, chances, random_laws, share, tables
from tests.exactness.test_accounts import EPSILONS, LITTLE, LITTLE_WORK, edited, excess, noise_law
from tests.exactness.test_sampling import mixture

pytestmark = pytest.mark.usefixtures("enclosed_once")

CLOSE = near((0, 1), "discrete", 1)
TABLES = tables(range(2), 2)
RELATIONS = {"symmetric": near(TABLES, "symmetric", 1), "change_one": near(TABLES, "change_one", 1)}
OUTCOMES = 3


def accounted(said, where, epsilon, delta, evidence):
    """The claim of the rule, with the evidence."""
    domain, metric = where
    return rules.account_rounds(
        domain=domain, near=metric, d_in="1", rounds=said, epsilon=epsilon, delta=delta, engine=evidence.engine,
        evidence=dict(evidence.numbers),
    ).claim  # fmt: skip


def pairs_for(said, where):
    """The pairs of the rounds."""
    domain, metric = where
    return [pair_of_round(one, (read(domain), metric, number(1))) for one in said]


def insist(chance, said, where, epsilon, true, together=None):
    """What is shown of the rounds holds of these laws, and less than is true is refused, with other evidence, too."""
    pairs = pairs_for(said, where)
    delta = min(F(99, 100), F(true) * F(chance.choice([12, 20, 40]), 10) + F(1, 100))
    evidence = evidence_for(pairs, epsilon, delta, LITTLE_WORK)
    if shown := evidence is not None:
        claim = accounted(said, where, epsilon, delta, evidence)
        assert together is None or satisfied("approximate", claim.d_out, together)
    evidence = evidence or evidence_for(pairs, epsilon, F(999, 1000), LITTLE_WORK)
    if evidence is not None and true > 1e-9:  # less may be an error of floats
        for one in (evidence, edited(chance, evidence)):
            with pytest.raises(KernelError):
                accounted(said, where, epsilon, F(true) * (1 - LITTLE), one)
    return shown


def below(families, chance, states, path=()):
    """For each state the law of all outcomes; of a family for each round, one is run in view of the outcomes before."""
    if not families:
        return {x: {path: F(1)} for x in states}
    run, found = chance.choice(families[0]), {x: {} for x in states}
    for y in range(OUTCOMES):
        later = below(families[1:], chance, states, (*path, y))
        for x in states:
            found[x] |= {outcomes: run[x].get(y, F(0)) * p for outcomes, p in later[x].items()}
    return found


def chosen(chance, states, measures, close):
    """Families of mechanisms, one a round, of which the tree takes a member each time; what is true of all of them."""
    families, said = [], []
    for measure in measures:
        family = [random_laws(chance, states, OUTCOMES, least_impossible(measure)) for _ in range(OUTCOMES)]
        every = [pair for laws in family for pair in pairs_of(laws, close)]
        families.append(family)
        said.append(apply(measure, *tight(measure, every, Random(chance.random()))))
    return families, said


def test_account_of_rounds_that_are_chosen_is_never_exceeded_and_never_below_the_truth():
    """A thousand trees of two or three rounds, whose mechanisms depend on the outcomes before."""
    shown = deep = 0
    for chance in chances("rounds"):
        measures = [chance.choice(["pure", "approximate"]) for _ in range(chance.choice([2, 2, 3]))]
        families, said = chosen(chance, (0, 1), measures, CLOSE)
        laws = below(families, chance, (0, 1))
        together, epsilon = pairs_of(laws, CLOSE), chance.choice(EPSILONS)
        assert [sum(law.values()) for law in laws.values()] == [1, 1]
        shown += insist(chance, said, ("finite(2)", "discrete"), epsilon, excess(together, epsilon), together)
        deep += len(said) == 3
    assert shown > share(INSTANCES // 4)
    assert deep > share(INSTANCES // 8)


def shuffled_laws(users, truth, ones):
    """The number of ones among shuffled answers, for the two bits of a user, so many of the others holding a one."""
    found = {}
    for bit in (0, 1):
        law = {0: F(1)}
        for rate in [truth] * (ones + bit) + [1 - truth] * (users - ones - bit):
            law = {t: law.get(t, F(0)) * (1 - rate) + law.get(t - 1, F(0)) * rate for t in range(users + 1)}
        found[bit] = law
    return found


def test_account_of_shuffled_rounds_is_never_exceeded_and_never_below_the_truth():
    """A thousand pairs of rounds of shuffled answers, the others' bits being chosen in view of the first outcome."""
    shown = 0
    for chance in chances("shuffled rounds"):
        users, truth = chance.randint(1, 5), F(chance.randint(5, 9), 10)
        first, later = (shuffled_laws(users, truth, chance.randrange(users)) for _ in range(2))
        other = shuffled_laws(users, truth, chance.randrange(users))
        laws = {x: {(a, b): p * (other if a % 2 else later)[x][b] for a, p in first[x].items() for b in other[x]}
                for x in (0, 1)}  # fmt: skip
        said = [apply("repeated", apply("shuffled_response", number(users), number(truth)), number(2))]
        together, epsilon = pairs_of(laws, CLOSE), chance.choice(EPSILONS)
        evidence = evidence_for(pairs_for(said, ("finite(2)", "discrete")), epsilon, F(999, 1000), LITTLE_WORK)
        found = excess(together, epsilon)
        delta = min(F(99, 100), F(found) * F(chance.choice([12, 20, 40]), 10) + F(1, 100))
        tried = evidence_for(pairs_for(said, ("finite(2)", "discrete")), epsilon, delta, LITTLE_WORK)
        if tried is not None:
            shown += 1
            claim = accounted(said, ("finite(2)", "discrete"), epsilon, delta, tried)
            assert satisfied("approximate", claim.d_out, together)
        if evidence is not None and found > 1e-9:
            with pytest.raises(KernelError):
                accounted(said, ("finite(2)", "discrete"), epsilon, F(found) * (1 - LITTLE), evidence)
    assert shown > share(INSTANCES // 4)


def test_account_of_rounds_on_samples_is_never_exceeded_and_never_below_the_truth():
    """A thousand pairs of rounds on samples of tables of at most two rows, the second chosen by the first outcome."""
    shown, close = 0, RELATIONS["symmetric"]
    for chance in chances("rounds on samples"):
        measures = [chance.choice(["pure", "approximate"]) for _ in range(2)]
        families, said = chosen(chance, TABLES, measures, close)
        rates = [F(chance.randint(0, 8), 8), chance.choice([F(1), F(chance.randint(1, 4), 5)])]
        samples = [[{x: mixture(laws, x, q) for x in TABLES} for laws in family]
                   for q, family in zip(rates, families, strict=True)]  # fmt: skip
        together, epsilon = pairs_of(below(samples, chance, TABLES), close), chance.choice(EPSILONS[:4])
        sampled = [apply("poisson_sampled", number(q), one) for q, one in zip(rates, said, strict=True)]
        where = ("table(finite(2))", "symmetric")
        shown += insist(chance, sampled, where, epsilon, excess(together, epsilon), together)
    assert shown > share(INSTANCES // 4)


def drawn(laws, table, size):
    """The law of the mechanism on a sample of so many of the rows, by its definition."""
    samples, found = list(combinations(table, size)), {}
    for sample in samples:
        for y, p in laws[tuple(sorted(sample))].items():
            found[y] = found.get(y, F(0)) + p / len(samples)
    return found


def test_account_of_rounds_on_samples_of_a_fixed_size_is_never_exceeded_and_never_below_the_truth():
    """A thousand pairs of rounds on one to three of three rows, the second chosen by the first outcome."""
    shown, states = 0, tables(range(2), 3, 3)
    close = near(states, "change_one", 1)
    for chance in chances("rounds on samples of a fixed size"):
        sizes = [chance.choice([1, 2]), chance.choice([1, 2, 3])]
        families, said = [], []
        for size in sizes:
            measure, samples = chance.choice(["pure", "approximate"]), tables(range(2), size, size)
            family, losses = chosen(chance, samples, [measure], near(samples, "change_one", 1))
            families.append([{x: drawn(laws, x, size) for x in states} for laws in family[0]])
            said.append(apply("fixed_size_sampled", number(size), *losses))
        together, epsilon = pairs_of(below(families, chance, states), close), chance.choice(EPSILONS[:4])
        where = ("sized_table(finite(2), 3)", "change_one")
        shown += insist(chance, said, where, epsilon, excess(together, epsilon), together)
    assert shown > share(INSTANCES // 4)


def query(chance, most):
    """Answers for tables, as multisets, that a row more moves by at most so many steps."""
    answers = {(): 0}
    for table in TABLES[1:]:
        smaller = [answers[table[:i] + table[i + 1 :]] for i in range(len(table))]
        near_all = range(max(smaller) - most, min(smaller) + most + 1)
        answers[table] = chance.choice(near_all)
    return answers


REACH = 40
"""Beyond so many steps there is no noise to speak of."""


def noisy(chance, of_sums):
    """A round of noise on a query of samples of tables: what is said of it, and its laws, in floats."""
    stem, most = chance.choice(["discrete_laplace", "discrete_gaussian"]), chance.choice([1, 1, 2])
    step, scale = F(1, chance.choice([1, 2, 3])), F(chance.choice([1, 2, 3]), chance.choice([1, 2]))
    s = float(scale)
    law = noise_law((lambda k: -abs(k) / s) if stem == "discrete_laplace" else lambda k: -k * k / (2 * s * s), REACH)
    rate, answers = F(chance.randint(1, 8), 8), query(chance, most)
    if of_sums:  # the worst
        answers = {table: most * sum(1 if row else -1 for row in table) for table in TABLES}
    laws = {t: {y: law.get(y - answers[t], 0.0) for y in range(-REACH, REACH + 1)} for t in TABLES}
    said = apply("chain", apply("l1", number(most * step)), apply(stem, number(scale * step), number(step)))
    sampled = {x: {y: float(p) for y, p in mixture(laws, x, rate).items()} for x in TABLES}
    return apply("poisson_sampled", number(rate), said), sampled


def worst_of(runs, close, epsilon):
    """The greatest delta of independent runs on one table against another, from below but for errors of floats."""
    joint = {x: {(): 1.0} for pair in close for x in pair}
    for laws in runs:
        joint = {x: {(*head, z): p * q for head, p in law.items() for z, q in laws[x].items() if p * q > 1e-12}
                 for x, law in joint.items()}  # fmt: skip
    factor = exp(epsilon)
    return max(sum(max(0.0, p - factor * joint[y].get(z, 0.0) - 1e-12) for z, p in joint[x].items()) for x, y in close)


@pytest.mark.parametrize("metric", ["symmetric", "change_one"])
def test_account_of_noise_on_samples_is_never_below_what_queries_show(metric):
    """A thousand accounts of one or two rounds of noise on samples, of random queries and of sums of rows."""
    shown = seen = 0
    for chance in chances(f"noise on samples {metric}"):
        runs = [noisy(chance, chance.random() < 0.5) for _ in range(chance.choice([1, 1, 2]))]
        said, laws = zip(*runs, strict=True)
        epsilon = chance.choice(EPSILONS[:4])
        worst = worst_of(laws, RELATIONS[metric], epsilon)
        where = ("table(finite(2))", metric)
        shown += insist(chance, said, where, epsilon, max(0.0, worst - 1e-6))
        seen += worst > 1e-3
    assert shown > share(INSTANCES // 8)
    assert seen > share(INSTANCES // 2)


def test_enumeration_sees_a_replaced_row_taken_for_a_row_more():
    """Sums of rows, where a row is replaced: what holds of a row added or removed is exceeded."""
    exceeded = 0
    for i in range(40):
        chance = Random(f"taken for more {i}")
        said, laws = noisy(chance, of_sums=True)
        epsilon = chance.choice(EPSILONS[:3])
        worst = worst_of([laws], RELATIONS["change_one"], epsilon)
        pairs = pairs_for([said], ("table(rows)", "symmetric"))
        exceeded += evidence_for(pairs, epsilon, F(worst) * (1 - LITTLE)) is not None
    assert exceeded > 20
