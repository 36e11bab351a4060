"""Measurements made of others: their maps are what is proved of them, they run, and what does not fit is refused."""

from collections import Counter
from fractions import Fraction as F
from itertools import product

import pytest

import refdp
from refdp import clamp_output, compose, count, discrete_gaussian, discrete_laplace, multiply_output, sampled
from refdp.numerics.arithmetic import Intervals
from refdp.numerics.exact import decide
from refdp.pipeline import PipelineError
from refdp.sampling.tree import Tape
from refdp.spec.semantics import law
from refdp.terms.reading import read
from refdp.terms.term import exp, number

NEARLY = F(10**9 + 1, 10**9)
ARITHMETIC = Intervals(64)
REPLACED = count("records()", "change_one")
LAPLACE = count() >> discrete_laplace(2)
GAUSSIAN = count() >> discrete_gaussian(4)


def losses(m, d_in=1):
    """What is proved at a distance; the map says the same, with irrational numbers rounded up in other places."""
    found = refdp.theorem(m, d_in).claim
    assert (found.subject, found.measure) == (m.subject, m.measure)
    told = m.map(d_in)
    for proved, said in zip(found.d_out, told if isinstance(told, tuple) else (told,), strict=True):
        assert decide(number(said) <= proved * number(NEARLY))
        assert decide(proved <= number(said) * number(NEARLY))
    return found.d_out


def test_composition_adds_losses_up_and_draws_each_part():
    both = compose([LAPLACE, count() >> discrete_laplace(4)])
    assert losses(both) == (number(F(3, 4)),)
    assert losses(both, 2) == (number(F(3, 2)),)
    assert len(both([{}, {}])) == 2
    assert losses(compose([GAUSSIAN, LAPLACE.to_concentrated()])) == (number(F(1, 32) + F(1, 8)),)


def test_conversions_are_those_of_the_rules():
    assert losses(LAPLACE.to_concentrated()) == (number(F(1, 8)),)
    assert losses(LAPLACE.to_approximate()) == (number(F(1, 2)), number(0))
    assert losses(GAUSSIAN.to_renyi(8)) == (number(8), number(F(1, 4)))
    epsilon, delta = losses(GAUSSIAN.to_approximate("1/1000"))
    assert delta == number(F(1, 1000))
    assert decide(read("1/32 + 2 * sqrt(ln(1000) / 32)") <= epsilon)
    assert decide(epsilon <= read("1/32 + 2 * sqrt(ln(1000) / 32) + 1 / 10 ** 9"))
    through, _ = losses(GAUSSIAN.to_renyi(15).to_approximate("1/1000"))
    assert decide(read("15/32 + ln(1000) / 14") <= through)


def test_sample_costs_less_for_one_row_and_as_a_group_for_several():
    found = sampled("1/10") >> LAPLACE
    [one] = losses(found)
    assert decide(read("ln(1 + (exp(1/2) - 1) / 10)") <= one)
    assert decide(one <= number(F(63, 1000)))
    [three] = losses(found, 3)
    assert three == number(3 * one.rational)
    approximate = sampled("1/10") >> GAUSSIAN.to_approximate("1/1000")
    assert losses(approximate)[1] == number(F(1, 10_000))
    with pytest.raises(PipelineError, match=r"d_in must be 1, where the map of .* is stated, got 2"):
        approximate.map(2)
    with pytest.raises(PipelineError, match="d_in must be 1"):
        approximate.check(2, (1, 1))


def test_loss_on_a_sample_is_that_of_its_exact_law():
    """Randomised response on whether a sample of the rows is empty: every pair of tables of up to three rows."""
    mechanism = refdp.histogram(2, norm="linf") >> refdp.exponential(2)
    on_sample = refdp.theorem(sampled("1/3") >> mechanism, 1).claim
    rows = [tuple(map(F, t)) for n in range(4) for t in product((0, 1), repeat=n)]
    worst = F(1)
    for u in rows:
        for v in (u[:i] + u[i + 1 :] for i in range(len(u))):
            worst = max(worst, *(ratio(on_sample.subject, a, b) for a, b in ((u, v), (v, u))))
    assert decide(number(worst) <= exp(on_sample.d_out[0]))
    assert worst > 1


def ratio(subject, u, v):
    """A rational upper bound of the greatest ratio of the laws."""
    p, q = (law(subject, x, ARITHMETIC) for x in (u, v))
    return max(F(p[y].upper) / F(q[y].lower) for y in p)


def test_sample_has_each_row_with_its_rate():
    """All flips of a sample of two rows with rate 1/2: each of the four samples has probability 1/4."""
    found = sampled("1/2") >> (refdp.count("grid(1)") >> discrete_laplace("1/1000000000"))
    seen = Counter()
    for bits in product((0, 1), repeat=2):
        tape = Tape([*bits, *[1] * 4000])
        seen[found.invoke((1, 2), bits=tape)] += 1
    assert seen == {0: 1, 1: 2, 2: 1}


def test_function_of_an_output_costs_nothing_and_is_applied():
    clamped = LAPLACE >> clamp_output(3, 4)
    assert losses(clamped) == (number(F(1, 2)),)
    assert clamped([{}] * 50) == 4
    assert (LAPLACE >> multiply_output(0))([{}]) == 0
    twice = clamped >> multiply_output("1/2")
    assert twice([{}] * 50) == 2
    assert losses(twice.to_concentrated()) == (number(F(1, 8)),)


def test_transformation_before_what_was_combined_keeps_its_proof():
    numbers = refdp.column("age") >> refdp.clamped_sum(0, 10)
    noise = compose([discrete_gaussian(20), discrete_gaussian(40)]).to_approximate("1/100")
    found = numbers >> noise
    assert losses(found)[1] == number(F(1, 100))
    assert len(found([{"age": 5}])) == 2


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda: compose([]), "measurements must be one or several"),
        (lambda: compose([count()]), "measurements must be one or several"),
        (lambda: compose([LAPLACE, GAUSSIAN]), "cannot compose: one measure is pure, another concentrated"),
        (lambda: compose([LAPLACE, refdp.clamped_sum(0, 1) >> discrete_laplace(1)]), "one input domain is"),
        (lambda: compose([LAPLACE, refdp.count("records()", "change_one") >> discrete_laplace(1)]), "input metric is"),
        (lambda: compose([GAUSSIAN.to_renyi(2), GAUSSIAN.to_renyi(3)]), "the orders of a composition"),
        (lambda: sampled("3/2"), "rate must be from 0 to 1"),
        (lambda: sampled(0.5), "rate must be exact|rate"),
        (lambda: sampled("1/2") >> count(), "what reads a sample must be a measurement"),
        (lambda: sampled("1/2") >> GAUSSIAN, "sampling is stated for pure and approximate DP"),
        (lambda: sampled("1/2") >> discrete_laplace(1), "a sample must be of tables with rows added or removed"),
        (lambda: sampled("1/2") >> (REPLACED >> discrete_laplace(1)), "a sample must be of"),
        (lambda: LAPLACE >> count(), "what follows a measurement must be a function of its output"),
        (lambda: LAPLACE >> (lambda y: y), "what follows a measurement must be a function of its output"),
        (lambda: clamp_output(1, 0), "lower must be <= upper"),
        (lambda: LAPLACE.to_approximate("1/2"), "delta must be 0 where pure DP becomes approximate"),
        (lambda: GAUSSIAN.to_approximate(), "delta must be > 0 and < 1"),
        (lambda: GAUSSIAN.to_approximate(1), "delta must be > 0 and < 1"),
        (lambda: GAUSSIAN.to_concentrated(), "the measure must be pure to become concentrated"),
        (lambda: LAPLACE.to_renyi(2), "the measure must be concentrated to become renyi"),
        (lambda: GAUSSIAN.to_renyi(1), "order must be > 1"),
        (lambda: GAUSSIAN.to_approximate("1/2").to_approximate("1/2"), "the measure must be pure, concentrated or"),
    ],
)  # fmt: skip
def test_parts_that_do_not_fit_are_refused(make, reason):
    with pytest.raises(ValueError, match=reason):
        make()
