"""rounded_logistic_objective: its draws against mpmath and against their law, its map, and what is refused."""

import random
from dataclasses import replace
from fractions import Fraction as F

import mpmath
import pytest

import refdp
from refdp.derivations import sampler_theorems
from refdp.kernel.judgements import KernelError
from refdp.mechanisms.rounded_logistic_objective import ROUNDED_LOGISTIC_OBJECTIVE
from refdp.pipeline import PipelineError
from refdp.sampling import perturbed_minimum
from refdp.sampling.coins import Coins
from refdp.sampling.perturbed_minimum import Normal, RandomTerm, kept_place, rounded_minimum
from refdp.sampling.schemes import SCHEMES
from refdp.sampling.tree import law_of
from refdp.spec.densities import log_ratio
from refdp.spec.minimisers import Minimiser
from refdp.spec.registry import lookup
from refdp.spec.samplers import MinimumOfDigits, sampler_obligations
from refdp.terms.reading import read
from refdp.terms.term import TermError
from tests.exactness.entering import entered, written
from tests.exactness.variants import verdict
from tests.mechanisms.checks import MP, real

TABLES = [(), ((F(1), F(1, 2)),), ((F(1), F(-1, 4)), (F(-1, 2), F(1)), (F(3), F(3)), (F(1), F(-1, 4)))]
"""The third has a row that is clipped, and one twice."""


def flips(seed):
    """Flips that are the same in each test run."""
    chance = random.Random(seed)
    return Coins(lambda: chance.getrandbits(1))


def values(dimension, **others):
    """Exact parameters."""
    found = {"norm": 2, "regularisation": 1, "rate": F(1, 2), "granularity": F(1, 8), "step": F(1, 64)} | others
    return {key: F(value) for key, value in {**found, "dimension": dimension}.items()}


def cut(table, dimension):
    """The first coordinates of each row."""
    return tuple((*row, *row)[:dimension] for row in table)


def clipped(row, known):
    """The row scaled down to the norm and rounded towards zero, by square roots of mpmath."""
    length = MP.sqrt(sum(real(c) ** 2 for c in row))
    factor = min(MP.mpf(1), real(known["norm"]) / length) if length else MP.mpf(1)
    unit = real(known["granularity"])
    return [unit * int(real(c) * factor / unit) for c in row]


def gradient(w, table, known):
    """That of the losses and the ridge at w."""
    found = [real(known["regularisation"]) * c for c in w]
    for z in (clipped(row, known) for row in table):
        slope = -1 / (1 + MP.exp(sum(a * b for a, b in zip(w, z, strict=True))))
        found = [g + slope * c for g, c in zip(found, z, strict=True)]
    return found


@pytest.mark.parametrize("dimension", [1, 2, 3])
def test_draws_are_the_minimum_for_the_same_flips_rounded(dimension):
    """The random term of the same flips to 150 digits more, and the root of the gradient by mpmath."""
    for seed in range(20):
        known = values(dimension, rate=F(1 + seed % 4, 4), regularisation=F(1 + seed % 3, 2))
        table = cut(TABLES[seed % 3], dimension)
        found = rounded_minimum(ROUNDED_LOGISTIC_OBJECTIVE, known, table, flips(f"{seed} {dimension}"))
        term = RandomTerm(dimension, known["rate"], flips(f"{seed} {dimension}"))
        while term.digits < 150:
            term.reveal()
        length = sum(real(one.ends()[0]) for one in term.lengths) / real(known["rate"])
        along = [one.sign * real(one.ends()[0]) for one in term.normals]
        norm = MP.sqrt(sum(c * c for c in along))
        b = [length * c / norm for c in along]
        w = [real(c) for c in found]
        for _ in range(8):  # Newton's method, from the draw
            found_at = [g + t for g, t in zip(gradient(w, table, known), b, strict=True)]
            tiny = MP.mpf(2) ** -60
            columns = [
                [
                    (x - y) / tiny
                    for x, y in zip(
                        gradient([c + (tiny if i == j else 0) for j, c in enumerate(w)], table, known),
                        gradient(w, table, known),
                        strict=True,
                    )
                ]
                for i in range(dimension)
            ]
            step = mpmath.lu_solve(MP.matrix(columns).T, MP.matrix(found_at))
            w = [c - s for c, s in zip(w, step, strict=True)]
        assert max(abs(g + t) for g, t in zip(gradient(w, table, known), b, strict=True)) < MP.mpf(2) ** -100
        assert found == tuple(F(int(MP.floor(c * 64 + MP.mpf(1) / 2)), 64) for c in w)


@pytest.mark.parametrize("rate", [F(1, 10**6), F(2**27)])
def test_coefficients_far_out_are_drawn(rate):
    """A random term that is a million times longer than the ridge pulls, and rows that pull as far: both end."""
    known = values(1, norm=1, regularisation=F(1, 1000), rate=rate, granularity=F(1, 2**12))
    table = ((F(1),), *((F(1, 2**12),),) * 10)
    for seed in range(5):
        (w,) = rounded_minimum(ROUNDED_LOGISTIC_OBJECTIVE, known, table, flips(seed))
        (length,) = (term := RandomTerm(1, rate, flips(seed))).lengths
        while length.size < 2**80:
            term.reveal()
        b = term.normals[0].sign * real(length.ends()[0]) / real(rate)
        low, high = (gradient([real(w) + side * MP.mpf(1) / 128], table, known)[0] + b for side in (-1, 1))
        assert low <= MP.mpf(2) ** -30
        assert high >= -(MP.mpf(2) ** -30)


def test_digits_that_do_not_tell_are_followed_by_more(monkeypatch):
    """The same flips give the same coefficients, however near the minimum is looked for at first."""
    rounds = []
    within = RandomTerm.within
    monkeypatch.setattr(RandomTerm, "within", lambda term, radius: (rounds.append(radius), within(term, radius))[1])
    for seed in range(40):
        found = set()
        for finer in (2, 2**16, 2**50):
            monkeypatch.setattr(perturbed_minimum, "FINER", finer)
            table = cut(TABLES[seed % 3], 2)
            found.add(rounded_minimum(ROUNDED_LOGISTIC_OBJECTIVE, values(2), table, flips(seed)))
        assert len(found) == 1
    assert len(rounds) > 160


def test_the_minimum_is_known_to_a_65536th_of_the_step_at_first(monkeypatch):
    asked, within = [], RandomTerm.within
    monkeypatch.setattr(RandomTerm, "within", lambda term, radius: (asked.append(radius), within(term, radius))[1])
    known = values(2)
    rounded_minimum(ROUNDED_LOGISTIC_OBJECTIVE, known, cut(TABLES[0], 2), flips(0))
    assert asked[0] == known["step"] * known["regularisation"] / 65536


def test_normal_variables_have_their_law():
    """The walked paths of one attempt: k and the first digit of U at most as likely as they should be, or kept less."""
    found = law_of(lambda bits: told(kept_place(Coins(bits))), 16)
    missing, kept = real(found.unresolved), (1 - MP.exp(-MP.mpf(1) / 2)) * MP.sqrt(MP.pi / 2)
    assert missing < 0.15
    assert real(found.masses[None]) <= 1 - kept <= real(found.masses[None]) + missing
    for half, p in found.masses.items():
        if half is not None:
            low, high = (MP.mpf(end) / 2 for end in (half, half + 1))
            mass = kept * (MP.erf(high / MP.sqrt(2)) - MP.erf(low / MP.sqrt(2)))
            assert real(p) <= mass <= real(p) + missing
    assert len(found.masses) > 4


def told(found):
    """In which half of a whole number |N| lies."""
    if found is None:
        return None
    k, digits, size = found
    return 2 * k + (digits >> size - 1)


def share_below(found, cdf):
    """By how much the shares of numbers below each differ from their distribution function at most."""
    ordered, n = sorted(found), len(found)
    return max(max(abs(cdf(x) - MP.mpf(i + side) / n) for side in (0, 1)) for i, x in enumerate(ordered))


def test_random_terms_have_their_length_and_direction_statistically():
    """Of 1,000 draws in the plane, length and angle, and of normal variables.

    By the inequality of Dvoretzky, Kiefer and Wolfowitz one of the three distances is above .107 but once in 10^9:
    6 exp(-2 * 1,000 * .107^2) < 10^-9.
    """
    lengths, angles, normals = [], [], []
    coins = Coins()
    for _ in range(1000):
        x, y = RandomTerm(2, F(3), coins).within(F(1, 2**20))[0]
        lengths.append(MP.sqrt(real(x) ** 2 + real(y) ** 2) * 3)
        angles.append((MP.atan2(real(y), real(x)) / MP.pi + 1) / 2)
        one = Normal(coins)
        while one.size < 20:
            one.reveal()
        normals.append(one.sign * real(one.ends()[0]))
    assert share_below(lengths, lambda r: 1 - MP.exp(-r) * (1 + r)) < 0.107
    assert share_below(angles, lambda a: a) < 0.107
    assert share_below(normals, MP.ncdf) < 0.107


@pytest.mark.parametrize("table", [(), ((F(1),),), ((F(1),), (F(-1, 2),), (F(3, 4),))])
def test_rounded_logistic_objective_has_its_law_statistically(table):
    """In one dimension w is at most c if b >= -(the gradient at c): 400 draws at three places each.

    By Hoeffding's inequality one of the 9 shares is .172 off but once in 10^9: 18 exp(-2 * 400 * .172^2) < 10^-9.
    """
    draw = refdp.rounded_logistic_objective(1, "1/2", 1, 1, "1/1024", "1/8")
    found = [draw(table)[0] for _ in range(400)]
    for c in (F(-2), F(1, 2), F(3)):
        end = real(c) - MP.mpf(1) / 2048  # whose draws are rounded up to c
        (g,) = gradient([end], table, values(1, norm=1, regularisation=F(1, 2)))
        expected = MP.exp(g) / 2 if g < 0 else 1 - MP.exp(-g) / 2
        assert abs(real(F(sum(w < c for w in found), 400)) - expected) < 0.172


def test_rounded_logistic_objective_has_its_theorem():
    m = refdp.rounded_logistic_objective(1, 10, "1/2", 2, "1/8")
    claim = refdp.theorem(m, 1).claim
    assert (claim.measure, claim.d_out) == ("pure", (read("1/2 + ln(41/40)"),))
    assert m.check(1, "53/100")
    assert not m.check(1, "52/100")
    assert not refdp.rounded_logistic_objective(1, 10, "1/2", 2, "1/8", neighbours="change_one").check(1, 1)
    assert refdp.theorem(m, 3).claim.d_out == (read("3/2 + ln(68921/64000)"),)
    (sampler,) = sampler_theorems(m.subject).values()
    assert sampler.trusts == {"code: refdp.sampling"}


def test_rounded_logistic_objective_has_no_density_and_the_other_no_sampler():
    with pytest.raises(TermError, match="has no density"):
        log_ratio(read("rounded_logistic_objective(1, 1, 1, 1, 1, 1)"), (F(0),), (), ())
    with pytest.raises(TermError, match="has no sampler"):
        sampler_obligations("logistic_objective")
    kind = replace(
        ROUNDED_LOGISTIC_OBJECTIVE,
        stem="m",
        parameters=ROUNDED_LOGISTIC_OBJECTIVE.parameters[:-1],
        conditions=ROUNDED_LOGISTIC_OBJECTIVE.conditions[:-1],
        example={k: v for k, v in ROUNDED_LOGISTIC_OBJECTIVE.example.items() if k != "step"},
    )
    with entered(kind, schemes={"m": MinimumOfDigits()}), pytest.raises(TermError, match="does not live on a grid"):
        sampler_obligations("m")
    with (
        entered(replace(ROUNDED_LOGISTIC_OBJECTIVE, stem="m"), schemes={"m": SCHEMES["discrete_laplace"]}),
        pytest.raises(TermError, match=r"does not draw from|must not read"),
    ):
        sampler_obligations("m")


@pytest.mark.parametrize("slope", ["1 / (1 + power)", "-power / (1 + power) ** 2", "-margin"])
def test_slopes_that_fall_are_not_drawn_from(slope):
    wrong = replace(ROUNDED_LOGISTIC_OBJECTIVE, stem="wrong", slope=written("slope", "margin power", slope))
    assert verdict(wrong, "sampler.slope_does_not_fall", MinimumOfDigits()) == "disproved"


def test_rounded_logistic_objective_needs_its_step_above_0():
    with pytest.raises(TermError, match="must have the condition"):
        replace(ROUNDED_LOGISTIC_OBJECTIVE, stem="m", conditions=ROUNDED_LOGISTIC_OBJECTIVE.conditions[:-1])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((0, 1, 1, 1, 1), "norm must be > 0"),
        ((1, 0, 1, 1, 1), "regularisation must be > 0"),
        ((1, 1, 0, 1, 1), "rate must be > 0"),
        ((1, 1, 1, 0, 1), "dimension must be >= 1"),
        ((1, 1, 1, "3/2", 1), "dimension must be a whole number"),
        ((1, 1, 1, 1, 0), "step must be > 0"),
        ((1, 1, 1, 1, 1, 0), "granularity must be > 0"),
        ((1, 1, 1, 1, 0.5), "step must be"),
        ((1, 1, 1, 1, 1, 1, "rows"), "neighbours must be one of"),
        ((1, f"1/{2**300}", 1, 1, 1), "must have at most 256 binary digits"),
        ((1, 1, 1, 1, f"1/{2**300}"), "step of rounded_logistic_objective must have at most 256"),
        ((1, "1/100000000000", 1, 1, 1), "regularisation of rounded_logistic_objective must be at least"),
        ((1, 1, 1, 101, 1), "dimension of rounded_logistic_objective must be at most 100, got 101"),
    ],
)
def test_rounded_logistic_objective_refuses_other_parameters(arguments, said):
    with pytest.raises(ValueError, match=said):
        refdp.rounded_logistic_objective(*arguments)


def test_rounded_logistic_objective_refuses_other_tables():
    m = refdp.rounded_logistic_objective(1, 1, 1, 2, 1)
    for x in (1, ((1,),), ((1, 2, 3),), ("a", "b"), None):
        with pytest.raises(PipelineError):
            m(x)
    with pytest.raises(KernelError):
        refdp.theorem(m, -1)
    hostile = read(f"rounded_logistic_objective(1, 1, 1, {2**40}, 1, 1)")
    with pytest.raises(TermError, match="dimension of rounded_logistic_objective must be at most 100"):
        rounded_minimum(
            ROUNDED_LOGISTIC_OBJECTIVE,
            {k: v.rational for k, v in zip(ROUNDED_LOGISTIC_OBJECTIVE.parameters, hostile.arguments, strict=True)},
            (),
            flips(0),
        )
    assert lookup("logistic_minimiser", Minimiser).slope.term == ROUNDED_LOGISTIC_OBJECTIVE.slope.term
