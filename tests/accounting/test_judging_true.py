"""True accountants are never called unsound: exact, tight to the last digit of a float, and loose ones."""

import math
from fractions import Fraction

import pytest
from mpmath import mp

from refdp.accounting.accountant import Accountant
from refdp.accounting.accounts import Limits
from refdp.accounting.events import Event, Gaussian, Laplace, Poisson, RepeatAndSelect, TruncatedPoisson
from refdp.accounting.judging.audit import audit_accountant
from refdp.accounting.judging.readings import INFINITE
from tests.accounting.home_made import Gaussians, exactly, fraction, gaussian_delta, gaussian_epsilon

COMPOSITIONS = [
    [Event(Gaussian("50"), 1000)],
    [Event(Gaussian("1/2"))],
    [Event(Gaussian("3", "1/7"), 4), Event(Gaussian("10"), 9)],
    [(Event(Gaussian("7")), 12), Event(Gaussian("100"), 50)],
]
DELTAS = (0.5, 1e-3, 1e-6, 1e-12, 1e-20, 1e-300)


def verdicts(audit):
    return [finding.verdict for finding in audit.findings]


@pytest.mark.parametrize("events", COMPOSITIONS)
@pytest.mark.parametrize("neighbours", ["add_remove", "change_one"])
def test_judging_calls_the_exact_accountant_tight(events, neighbours):
    assert set(verdicts(audit_accountant(Gaussians, events, DELTAS, neighbours=neighbours))) == {"TIGHT"}


class Shifted(Gaussians):
    """The truth, moved by a share of it, or rounded."""

    def __init__(self, move):
        super().__init__()
        self.move = move

    def get_epsilon(self, delta):
        return self.move(self.true_epsilon(delta))


def rounded_up(x: Fraction) -> float:
    return math.nextafter(float(x), math.inf)


@pytest.mark.parametrize("events", COMPOSITIONS)
@pytest.mark.parametrize(
    "move",
    [
        rounded_up,
        float,  # to nearest: below the truth for about half of the questions
        lambda x: math.nextafter(float(x), -math.inf),
        lambda x: Fraction(math.ceil(x * 10**12), 10**12),
        lambda x: x * (1 - Fraction(1, 2**41)),
        lambda x: x * (1 + Fraction(1, 2**41)),
    ],
)
def test_judging_calls_what_is_right_to_the_last_digits_of_a_float_tight(events, move):
    audit = audit_accountant(lambda: Shifted(move), events, (1e-3, 1e-6, 1e-20), neighbours="add_remove")
    assert set(verdicts(audit)) == {"TIGHT"}
    assert all(finding.by[0] <= finding.truth[1] / 2**40 for finding in audit.findings)


def test_judging_without_rounding_tells_the_floats_below_the_truth_from_those_above():
    events = COMPOSITIONS[0]
    for steps, verdict in ((-1, "UNSOUND"), (1, "TIGHT")):
        away = steps * math.inf
        audit = audit_accountant(
            lambda away=away: Shifted(lambda x: math.nextafter(float(x), away)),
            events, DELTAS[1:], neighbours="add_remove", rounding=0, width=Fraction(1, 10**25),
        )  # fmt: skip
        assert set(verdicts(audit)) == {verdict}


def test_judging_finds_refdp_itself_tight():
    """Its upper bound rounded up is above its lower bound, and an interval of another width does not change that."""
    events = [*COMPOSITIONS[2], Event(Gaussian("1"), 1, Poisson("1/2"))][:2]
    for width in (Fraction(1, 10**3), Fraction(1, 10**9), Fraction(1, 10**20)):
        audit = audit_accountant(
            lambda width=width: Accountant("add_remove", Limits(width)), events, (1e-3, 1e-9), neighbours="add_remove"
        )
        assert set(verdicts(audit)) <= {"TIGHT", "SOUND"}, width


@pytest.mark.parametrize("event", [Event(Laplace("20"), 100), Event(Gaussian("1"), 1, Poisson("1/100"))])
def test_judging_finds_its_own_upper_bound_tight(event):
    account = Accountant("add_remove").compose(event)
    audit = audit_accountant(
        lambda events, delta: account.get_epsilon(delta), [event], (1e-4, 1e-6), neighbours="add_remove"
    )
    assert set(verdicts(audit)) == {"TIGHT"}


def test_judging_says_by_how_much_an_answer_is_loose():
    audit = audit_accountant(
        lambda: Shifted(lambda x: x * Fraction(11, 10)), COMPOSITIONS[0], (1e-6, 1e-12), neighbours="add_remove"
    )
    for finding in audit.findings:
        with mp.workdps(60):
            tenth = fraction(gaussian_epsilon(mp.sqrt(exactly(Fraction(2, 5))), finding.at)) / 10
        assert finding.verdict == "LOOSE"
        assert finding.by[0] <= tenth <= finding.by[1]
        assert Fraction(99, 1000) < finding.relative <= Fraction(1, 10)


def test_judging_calls_zcdp_loose():
    def zcdp(events, delta):
        rho = sum(Fraction(e.count) / (2 * e.mechanism.sigma**2) for e in events)
        return float(rho) + 2 * math.sqrt(float(rho) * math.log(1 / delta))

    assert set(verdicts(audit_accountant(zcdp, COMPOSITIONS[0], DELTAS[1:], neighbours="add_remove"))) == {"LOOSE"}


def test_judging_puts_both_sides_of_an_interval_beside_the_truth():
    def triple(share):
        accountant = Gaussians().compose(COMPOSITIONS[0][0])

        def answer(events, delta):
            truth = accountant.true_epsilon(delta)
            return truth * (1 - share), truth, truth * (1 + share)

        return answer

    for share, verdict in ((Fraction(1, 100), "LOOSE"), (Fraction(1, 10**4), "TIGHT"), (Fraction(1, 2**50), "TIGHT")):
        audit = audit_accountant(triple(share), COMPOSITIONS[0], (1e-6, 1e-12), neighbours="add_remove")
        assert [f.side for f in audit.findings] == ["upper", "lower"] * 2
        assert set(verdicts(audit)) == {verdict}


def test_judging_reads_delta_of_epsilon():
    epsilons = (0.0, 0.5, 3.0, 10.0)
    assert set(verdicts(audit_accountant(Gaussians, COMPOSITIONS[0], epsilons=epsilons, neighbours="none"))) == {
        "TIGHT"
    }

    def twice(events, epsilon):
        with mp.workdps(60):
            return 2 * fraction(gaussian_delta(mp.sqrt(exactly(Fraction(2, 5))), exactly(epsilon)))

    audit = audit_accountant(twice, COMPOSITIONS[0], epsilons=epsilons, neighbours="add_remove")
    assert set(verdicts(audit)) == {"LOOSE"}
    assert all(Fraction(999, 1000) < f.relative <= 1 for f in audit.findings)


def test_judging_accepts_zero_where_delta_is_large_enough():
    """delta(0) = 2 Phi(mu / 2) - 1 is below 0.5 for mu = 1."""
    audit = audit_accountant(lambda events, delta: 0, [Event(Gaussian(1))], (0.5,), neighbours="add_remove")
    assert verdicts(audit) == ["TIGHT"]


def test_judging_accepts_infinity_where_the_truth_is_infinite():
    from refdp.accounting.events import Approximate

    events = [Event(Approximate("1", "1e-3"), 4)]
    audit = audit_accountant(lambda events, delta: INFINITE, events, (1e-4,), neighbours="add_remove")
    assert verdicts(audit) == ["TIGHT"]


def test_judging_decides_nothing_without_time():
    """Whatever is said, no bounds are better than 0 and infinity: nothing is called unsound, or loose."""
    for answer, verdict in ((1e-9, "UNKNOWN"), (3.0, "UNKNOWN"), (1e300, "UNKNOWN"), (INFINITE, "UNKNOWN")):
        audit = audit_accountant(
            lambda events, delta, answer=answer: answer, COMPOSITIONS[0], (1e-6,), neighbours="none", timeout=1e-9
        )
        assert verdicts(audit) == [verdict], audit.findings[0].sentence


@pytest.mark.parametrize("width", [Fraction(1), Fraction(1, 100), Fraction(1, 10**30)])
def test_judging_does_not_depend_on_the_width_that_it_begins_with(width):
    for share, verdict in ((1 + Fraction(1, 10**6), "TIGHT"), (1 - Fraction(1, 10**6), "UNSOUND")):
        audit = audit_accountant(
            lambda share=share: Shifted(lambda x: x * share), COMPOSITIONS[0], (1e-6,), neighbours="none", width=width
        )
        assert verdicts(audit) == [verdict]
        assert verdict == "TIGHT" or audit.findings[0].by[0] > 0


@pytest.mark.parametrize(
    ("event", "said", "verdict"),
    [
        (Event(Laplace(2), 3), 1.5, "TIGHT"),
        (Event(Laplace(2), 3), 1.49, "UNSOUND"),
        (Event(Laplace(2), 3), 0.0, "UNSOUND"),
        (Event(Laplace(2), 3), 2.0, "LOOSE"),
        (Event(Laplace(2), 3), math.inf, "ERROR"),
        (Event(Laplace(1), 2, Poisson("1/2")), 2 * math.log(1 + (math.e - 1) / 2), "TIGHT"),
        (Event(Laplace(1), 2, Poisson("1/2")), 1.2, "UNSOUND"),
        (Event(Gaussian(1)), math.inf, "TIGHT"),
        (Event(Gaussian(1)), 1e300, "UNSOUND"),
        (Event(RepeatAndSelect((Event(Laplace(2)),), 1, "1/10")), 1.5, "UNKNOWN"),
        (Event(RepeatAndSelect((Event(Laplace(2)),), 1, "1/10")), 1.0, "UNKNOWN"),
        (Event(RepeatAndSelect((Event(Gaussian(2)),), 1, "1/10")), 7.0, "UNKNOWN"),
        (Event(Gaussian(1), 1, TruncatedPoisson("1/2", 2, 9)), 7.0, "UNKNOWN"),
    ],
)
def test_at_delta_0_the_greatest_loss_judges(event, said, verdict):
    """Where a pair is only a bound nothing is known from below, and nobody is called unsound."""
    audit = audit_accountant(lambda events, delta: said, [event], [0], neighbours="add_remove")
    if verdict == "UNKNOWN":
        assert not {"UNSOUND", "ERROR"} & set(verdicts(audit))
    else:
        assert verdicts(audit) == [verdict]
