"""Balls in bins and batches in turn: against every allocation, sample and outcome of small mechanisms, enumerated."""

from fractions import Fraction
from itertools import combinations, product
from math import ceil, prod
from random import Random

import pytest

from refdp.accounting import losses
from refdp.accounting.accounts import Account
from refdp.accounting.allocation import BITS, Ratio, allocated, allocated_noise, normal_ratio, spread
from refdp.accounting.closed_forms.normal import normal_delta
from refdp.accounting.events import BallsInBins, CyclicPoisson, Event, Finite, Gaussian, Laplace, NoTheorem, Poisson
from refdp.accounting.judging.attained import attained
from refdp.accounting.losses import LossError
from refdp.accounting.pairs import compositions, dominating_pairs, turns
from refdp.numerics.elementary import exp_bounds
from refdp.numerics.enclosures import interval, precision
from tests.accounting.small_mechanisms import (
    Mechanism,
    dominating,
    hockey_stick,
    hockey_sticks,
    law,
    laws_of,
    mixture,
    possible_law,
    profile_of_laws,
    ratios,
)
from tests.examples import few

UNITS = 1 << BITS
SHORT = 1 << 40
"""Ratios are whole numbers of its inverse, so that sums over tens of thousands of them need no fractions."""


def ratio_of(p, q, step, cut):
    """The law of p / q under q, on a lattice up to `cut` and, beyond it, where it is."""
    masses = sorted((a / b, int(b * UNITS)) for a, b in zip(p, q, strict=True) if b)
    lattice = [step * k for k in range(ceil(cut / step) + 1)]
    inner = dict(spread([one for one in masses if one[0] <= lattice[-1]], lattice))
    return Ratio(
        step,
        tuple(inner.get(point, 0) for point in lattice),
        tuple(one for one in masses if one[0] > lattice[-1]),
    )


def transcripts(p, q, kernels, taken):
    """The law of all answers if the row takes part in these steps; a kernel by what was seen turns each one over."""
    found = []
    for seen in product(range(len(p)), repeat=kernels.steps):
        mass = Fraction(1)
        for i, y in enumerate(seen):
            base = p if i in taken else q
            mass *= sum(base[z] * kernels(seen[:i])[z][y] for z in range(len(p)))
        found.append(mass)
    return found


class Kernels:
    """For each past a random kernel from the outcomes to themselves, or none at all."""

    def __init__(self, random, steps, turned):
        self.random, self.steps, self.turned, self.known = random, steps, turned, {}

    def __call__(self, past):
        if past not in self.known:
            same = [[Fraction(z == y) for y in range(3)] for z in range(3)]
            self.known[past] = [possible_law(self.random) for _ in range(3)] if self.turned else same
        return self.known[past]


def meant(rows):
    """The mean of laws."""
    return [sum(column) / len(rows) for column in zip(*rows, strict=True)]


def some(p, q):
    """A few places where H_x bends, and some beside."""
    found = ratios(p, q)
    return {*found[:: max(1, len(found) // 5)], Fraction(1), Fraction(9, 8)}


@pytest.mark.parametrize("shard", range(few(4)))
def test_a_row_in_one_of_several_steps_never_costs_more_than_its_pair(shard):
    """1,000 laws of one step, chosen by what was seen or not; coarse lattices and fine ones; some ratios beyond."""
    for seed in range(250 * shard, 250 * shard + 250):
        random = Random(seed)
        steps, cut = random.randrange(1, 4), Fraction(random.choice((2, 4, 16)))
        p, q = law(random), law(random)
        pair = allocated(ratio_of(p, q, Fraction(1, random.choice((1, 3))), cut), steps)
        kernels = Kernels(random, steps, turned=seed % 2 == 0)
        first = meant([transcripts(p, q, kernels, {i}) for i in range(steps)])
        second = transcripts(p, q, kernels, set())
        back = losses.Finite(tuple((b, a) for a, b in pair.outcomes))
        for laws, loss in (((first, second), pair), ((second, first), back)):
            cost, bound = hockey_sticks(*laws), profile_of_laws(loss)
            for x in some(first, second):
                assert cost(x) <= bound(x)


def test_the_pair_is_attained_where_the_ratios_are_on_the_lattice_and_one_step_more_is_too_many():
    exceeded = 0
    for seed in range(60):
        random = Random(seed)
        p, q = ([Fraction(n, 4) for n in row] for row in random.choice((((3, 1), (1, 3)), ((2, 2), (1, 3)))))
        step = Fraction(1, 3)
        steps = random.randrange(1, 4)
        whole, fewer = (allocated(ratio_of(p, q, step, Fraction(4)), n) for n in (steps, steps + 1))
        rows = [
            [prod(p[y] if i == taken else q[y] for i, y in enumerate(seen)) for seen in product((0, 1), repeat=steps)]
            for taken in (*range(steps), None)
        ]
        first, second = meant(rows[:-1]), rows[-1]
        for x in (Fraction(1), Fraction(5, 4)):
            truth = hockey_stick(first, second, x)
            assert truth <= laws_of(whole, x) <= truth + Fraction(1, 50)
            exceeded += truth > laws_of(fewer, x)
    assert exceeded > 50


@pytest.mark.parametrize(("steps", "several"), [(2, 2), (4, 2), (5, 2)])
def test_several_turns_cost_no_more_than_as_many_shorter_runs(steps, several):
    for seed in range(30):
        p, q = ([Fraction(n, 12) for n in row] for row in Random(seed).choice(PAIRS))
        pair = allocated(ratio_of(p, q, Fraction(1, 2), Fraction(8)), steps // several)
        cells = [(Fraction(1), Fraction(1))]
        for _ in range(several):
            cells = [(a * c, b * d) for a, b in cells for c, d in pair.outcomes]
        outcomes = list(product((0, 1), repeat=steps))
        rows = [
            [prod(p[y] if i in taken else q[y] for i, y in enumerate(seen)) for seen in outcomes]
            for taken in combinations(range(steps), several)
        ]
        first, second = meant(rows), [prod(q[y] for y in seen) for seen in outcomes]
        for x in (Fraction(1), Fraction(5, 4), Fraction(2)):
            ahead, behind = zip(*cells, strict=True)
            assert hockey_stick(first, second, x) <= hockey_stick(ahead, behind, x)
            assert hockey_stick(second, first, x) <= hockey_stick(behind, ahead, x)


PAIRS = (((9, 3), (3, 9)), ((6, 6), (3, 9)), ((8, 4), (4, 8)), ((10, 2), (6, 6)))


@pytest.mark.parametrize(("mu_squared", "steps"), [("1/25", 50), ("1", 1), ("1", 20), ("9/4", 10)])
def test_the_ratio_of_noise_is_above_that_of_the_noise_and_near_it(mu_squared, steps):
    """The expected excess of L over y without the row is the profile of Gaussian noise at y."""
    ratio = normal_ratio(Fraction(mu_squared), steps)
    step = int(ratio.step * SHORT)
    assert step == ratio.step * SHORT
    cells = [(step * k, n) for k, n in enumerate(ratio.lattice)] + [(int(g * SHORT), n) for g, n in ratio.beyond]
    assert all(g * SHORT == whole for (g, _), (whole, _) in zip(ratio.beyond, cells[len(ratio.lattice) :], strict=True))
    lost = 1 - Fraction(sum(g * n for g, n in cells), UNITS * SHORT)
    assert 0 <= lost < Fraction(1, 10**15)
    assert 0 <= 1 - Fraction(sum(n for _, n in cells), UNITS) < Fraction(1, 10**15)
    for epsilon in (Fraction(-1), Fraction(0), Fraction(1, 3), Fraction(2)):
        low, high = exp_bounds(epsilon, 200)
        with precision(200):
            from refdp.accounting.balls import ball

            truth = interval(normal_delta(losses.Normal(Fraction(mu_squared)), ball(epsilon), ball(epsilon).exp()), 150)
        below, above = high.denominator, high.numerator * SHORT
        excess = sum(d * n for g, n in cells if (d := g * below - above) > 0)
        found = Fraction(excess, UNITS * SHORT * below) + lost
        assert truth.lower <= found + Fraction(1, 10**30)
        assert found <= truth.upper * Fraction(102, 100) + Fraction(1, 10**4)
        assert low <= high


def test_balls_in_bins_of_noise_cost_no_less_than_what_the_greatest_answer_tells():
    """The event that some answer is above a threshold, by its exact probabilities; and less than one step alone."""
    from math import erfc

    def below(z):
        return 1 - erfc(z / 2**0.5) / 2

    found = (allocated_noise(Fraction(1), steps) for steps in (10, 1))
    pair, one = ([(float(p), float(q)) for p, q in each.outcomes] for each in found)
    for x in (1.0, 1.25, 2.0, 4.0):
        bound, alone = (sum(max(0.0, p - x * q) for p, q in outcomes) for outcomes in (pair, one))
        told = max(
            (1 - below(c - 1) * below(c) ** 9) - x * (1 - below(c) ** 10) for c in (n / 10 for n in range(-20, 60))
        )
        assert 0 < told <= bound < alone


def test_balls_in_bins_are_events_of_gaussian_noise():
    event = Event(Gaussian(2), 3, BallsInBins(10, 2))
    (found,) = [compositions("add_remove", [event])[side].parts for side in ("remove",)]
    assert found == ((allocated_noise(Fraction(1, 4), 5), 6),)
    assert Account("add_remove", (Event(Gaussian(2), 1, BallsInBins(10)),)).delta_bounds(0).bounds.upper < Fraction(
        1, 10
    )
    assert attained("add_remove", [(event, (event,))]) is None
    assert str(event) == "3 x gaussian(sigma=2, sensitivity=1) on 2 of 10 steps, by chance for each row"


@pytest.mark.parametrize("shard", range(few(4)))
def test_batches_in_turn_never_cost_more_than_the_steps_of_one_part(shard):
    """1,000 mechanisms of two or three steps, each chosen by what was seen; the row in either part."""
    for seed in range(250 * shard, 250 * shard + 250):
        random = Random(seed)
        steps, rate, part = random.choice((2, 3)), Fraction(1, 3), random.randrange(2)
        mechanisms, lots = {}, [()] + [(v,) for v in (0, 1)]
        shared = [(random.choice((0, 1)), random.randrange(2)) for _ in range(random.randrange(2))]

        def chosen(past, seed=seed, mechanisms=mechanisms):
            return mechanisms.setdefault(past, Mechanism(hash((seed, past)) % 10**6))

        def run(table, steps=steps, chosen=chosen, rate=rate):
            """(answers, mass) of all answers."""
            found = {(): Fraction(1)}
            for i in range(steps):
                mine = [row for row, place in table if place == i % 2]
                after = {}
                for past, mass in found.items():
                    subsets = [s for n in range(len(mine) + 1) for s in combinations(mine, n)]
                    weights = [rate ** len(s) * (1 - rate) ** (len(mine) - len(s)) for s in subsets]
                    mixed = mixture([(w, chosen(past)(s)) for w, s in zip(weights, subsets, strict=True)])
                    after |= {(*past, y): mass * m for y, m in enumerate(mixed)}
                found = after
            return [found[key] for key in sorted(found)]

        first, second = run([*shared, (2, part)]), run(shared)
        base = Finite(dominating([(m((*t, 2)), m(t)) for m in mechanisms.values() for t in lots]))
        event = Event(base, 1, CyclicPoisson(rate, 2, steps))
        cells = [(Fraction(1), Fraction(1))]
        for _ in range(turns(event)):
            p, q = zip(*base.outcomes, strict=True)
            cells = [(a * (rate * c + (1 - rate) * d), b * d) for a, b in cells for c, d in zip(p, q, strict=True)]
        ahead, behind = zip(*cells, strict=True)
        assert dominating_pairs(event, "add_remove")["remove"] == losses.Sampled(base.loss(), rate, "remove")
        for laws, pair in (((first, second), (ahead, behind)), ((second, first), (behind, ahead))):
            cost, bound = hockey_sticks(*laws), hockey_sticks(*pair)
            for x in (Fraction(1, 2), Fraction(1), Fraction(3, 2), Fraction(3)):
                assert cost(x) <= bound(x)


def test_each_run_in_turn_begins_anew():
    """Two runs of one step each, in two parts: the first part is asked twice, as in one run of three steps."""
    twice = compositions("add_remove", [Event(Gaussian(1), 2, CyclicPoisson("1/2", 2, 1))])
    once = compositions("add_remove", [Event(Gaussian(1), 1, CyclicPoisson("1/2", 2, 3))])
    assert twice == once
    assert once["add"].parts == ((losses.Sampled(losses.Normal(Fraction(1)), Fraction(1, 2), "add"), 2),)
    assert Event(Gaussian(1), 1, CyclicPoisson("1/2", 2, 3)).trusts == {
        "assumption: in which part a row is does not depend on other rows"
    }
    assert turns(Event(Gaussian(1), 1, Poisson("1/2"))) == 1


@pytest.mark.parametrize(
    ("event", "neighbours", "words"),
    [
        (Event(Gaussian(1), 1, BallsInBins(10)), "change_one", "added or removed alone"),
        (Event(Gaussian(1), 1, CyclicPoisson("1/2", 2, 4)), "change_one", "added or removed alone"),
        (Event(Gaussian(1), 1, BallsInBins(10)), "none", "sampled from tables"),
        (Event(Laplace(1), 1, BallsInBins(10)), "add_remove", "for Gaussian noise, and not for laplace"),
    ],
)
def test_what_the_proofs_do_not_cover_is_refused(event, neighbours, words):
    with pytest.raises(NoTheorem, match=words):
        dominating_pairs(event, neighbours)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (lambda: BallsInBins(3, 4), "turns must be at most steps = 3, got 4"),
        (lambda: BallsInBins(0), "steps must be a whole number from 1"),
        (lambda: CyclicPoisson(2, 1, 1), "rate must be at most 1"),
        (lambda: CyclicPoisson(1, 0, 1), "batches must be a whole number from 1"),
        (
            lambda: dominating_pairs(Event(Gaussian("1/4"), 1, BallsInBins(3)), "add_remove"),
            "balls in bins must be at most",
        ),
        (
            lambda: dominating_pairs(Event(Gaussian(1), 1, BallsInBins(10**6)), "add_remove"),
            "steps must be 1 to 100000",
        ),
    ],
)
def test_bad_schemes_get_one_clear_sentence(wrong, sentence):
    with pytest.raises(LossError, match=sentence):
        wrong()
