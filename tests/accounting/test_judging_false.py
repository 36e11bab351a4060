"""False accountants are caught, and by how much they are wrong is certified."""

import math
from fractions import Fraction

import pytest
from mpmath import mp

from refdp.accounting.events import Approximate, Event, Finite, Gaussian, Poisson
from refdp.accounting.judging.audit import audit_accountant
from refdp.accounting.judging.readings import INFINITE
from tests.accounting.home_made import Gaussians, exactly, fraction, gaussian_delta, gaussian_epsilon

GAUSSIANS = [Event(Gaussian("50"), 1000)]
DELTAS = (1e-3, 1e-6, 1e-12, 1e-20)


def verdicts(audit):
    return [finding.verdict for finding in audit.findings]


class CountIgnored(Gaussians):
    def times(self, event, count):
        return count


class ComposeCountIgnored(Gaussians):
    def times(self, event, count):
        return event.count


class HalfSensitivity(Gaussians):
    """What adds or removes a row is taken for what replaces one."""

    def cost(self, event):
        return super().cost(event) / 4


class NoisyConvolution(Gaussians):
    """delta(epsilon) comes with an absolute error, as from a fast Fourier transform in floats."""

    noise = Fraction(1, 10**13)

    def get_epsilon(self, delta):
        with mp.workdps(60):
            return float(gaussian_epsilon(mp.sqrt(exactly(self.mu_squared)), Fraction(delta) + self.noise))


class WrongConversion(Gaussians):
    """rho + sqrt(rho ln(1 / delta)): the factor 2 is missing."""

    def get_epsilon(self, delta):
        rho = float(self.mu_squared) / 2
        return rho + math.sqrt(rho * math.log(1 / delta))


class OneEventForgotten(Gaussians):
    def compose(self, event, count=1):
        return super().compose(event, count) if not self.ledger else self


@pytest.mark.parametrize("wrong", [CountIgnored, HalfSensitivity, WrongConversion])
@pytest.mark.parametrize("neighbours", ["add_remove", "change_one"])
def test_judging_catches_a_wrong_formula_at_every_delta(wrong, neighbours):
    audit = audit_accountant(wrong, GAUSSIANS, DELTAS, neighbours=neighbours)
    assert set(verdicts(audit)) == {"UNSOUND"}


def test_judging_catches_counts_and_events_that_are_forgotten():
    two = [(Event(Gaussian("5")), 3), Event(Gaussian("4"))]
    assert audit_accountant(ComposeCountIgnored, two, DELTAS, neighbours="add_remove").verdict == "UNSOUND"
    assert audit_accountant(OneEventForgotten, two, DELTAS, neighbours="add_remove").verdict == "UNSOUND"
    assert audit_accountant(Gaussians, two, DELTAS, neighbours="add_remove").verdict == "TIGHT"


@pytest.mark.parametrize("wrong", [CountIgnored, HalfSensitivity, WrongConversion, NoisyConvolution])
def test_judging_encloses_how_far_an_unsound_answer_is_below_the_truth(wrong):
    for finding in audit_accountant(wrong, GAUSSIANS, DELTAS, neighbours="add_remove").findings:
        truth = Gaussians().compose(GAUSSIANS[0]).true_epsilon(finding.at)
        below = truth - Fraction(wrong().compose(GAUSSIANS[0]).get_epsilon(float(finding.at)))
        assert finding.verdict == "UNSOUND"
        assert 0 < finding.by[0] <= below <= finding.by[1] <= finding.by[0] + Fraction(1, 10**11)


def test_judging_measures_noise_of_convolution_wherever_it_shows():
    """1e-13 in delta is a share of 1e-7 of delta = 1e-6, and ten million times delta = 1e-20."""
    found = audit_accountant(NoisyConvolution, GAUSSIANS, DELTAS, neighbours="add_remove").findings
    sizes = [finding.by[0] for finding in found]
    assert sizes == sorted(sizes)
    assert sizes[1] < Fraction(1, 10**7)
    assert sizes[3] > 1


def test_judging_sees_a_gap_just_beyond_what_floats_are_allowed():
    """The allowance is 2^-40 of the answer: an answer that lacks a little more of the truth is unsound."""
    for lacking, verdict in ((Fraction(2, 2**40), "UNSOUND"), (Fraction(1, 2 * 2**40), "TIGHT")):

        def answer(events, delta, lacking=lacking):
            return Gaussians().compose(events[0]).true_epsilon(delta) * (1 - lacking)

        audit = audit_accountant(answer, GAUSSIANS, (1e-6,), neighbours="add_remove")
        assert verdicts(audit) == [verdict]


def hockey_stick(outcomes, epsilon):
    return sum(max(Fraction(0), p - fraction(mp.exp(exactly(epsilon))) * q) for p, q in outcomes)


def test_judging_catches_one_direction_of_two():
    """P = (1/2, 1/2), Q = (1/10, 9/10): of (P, Q) the loss is ln 5 at most, of (Q, P) ln 9/5."""
    outcomes = ((Fraction(1, 2), Fraction(1, 10)), (Fraction(1, 2), Fraction(9, 10)))
    events = [Event(Finite(outcomes))]

    def one_way(events, epsilon):
        with mp.workdps(50):
            return hockey_stick([(q, p) for p, q in outcomes], epsilon)

    def both(events, epsilon):
        with mp.workdps(50):
            return max(hockey_stick(outcomes, epsilon), one_way(events, epsilon))

    audit = audit_accountant(one_way, events, epsilons=(0.3, 1.0), neighbours="add_remove")
    assert set(verdicts(audit)) == {"UNSOUND"}
    audit = audit_accountant(both, events, epsilons=(0.1, 0.3, 1.0), neighbours="add_remove")
    assert set(verdicts(audit)) == {"TIGHT"}


def test_judging_catches_removal_taken_for_replacement():
    """Sampling of one Gaussian: (q P + (1 - q) Q, Q) covers removal, and less than replacement costs."""
    q, events = Fraction(1, 100), [Event(Gaussian("1"), 1, Poisson("1/100"))]

    def removal(events, epsilon):
        with mp.workdps(50):
            inner = 1 + (mp.exp(exactly(epsilon)) - 1) / exactly(q)
            return fraction(exactly(q) * gaussian_delta(exactly(1), mp.log(inner)))

    for neighbours, verdict in (("add_remove", "TIGHT"), ("change_one", "UNSOUND")):
        audit = audit_accountant(removal, events, epsilons=(0.05, 0.3, 1.0), neighbours=neighbours)
        assert set(verdicts(audit)) == {verdict}


def test_judging_catches_either_side_of_an_interval():
    truth = Gaussians().compose(GAUSSIANS[0]).true_epsilon(1e-6)
    for pair, upper, lower in (
        ((truth + 1, truth + 2), "LOOSE", "UNSOUND"),
        ((truth - 2, truth - 1), "UNSOUND", "LOOSE"),
        ((truth * (1 + Fraction(1, 10**9)), truth * (1 + Fraction(2, 10**9))), "TIGHT", "UNSOUND"),
    ):
        audit = audit_accountant(lambda events, delta, pair=pair: pair, GAUSSIANS, (1e-6,), neighbours="add_remove")
        assert [(f.side, f.verdict) for f in audit.findings] == [("upper", upper), ("lower", lower)]


def test_judging_catches_half_the_delta():
    class Half(Gaussians):
        def get_delta(self, epsilon):
            return super().get_delta(epsilon) / 2

    found = audit_accountant(Half, GAUSSIANS, epsilons=(0.0, 1.0, 5.0), neighbours="add_remove").findings
    assert {finding.verdict for finding in found} == {"UNSOUND"}
    assert all(abs(finding.relative - Fraction(1, 2)) < Fraction(1, 10**9) for finding in found)


def test_judging_catches_a_negative_epsilon():
    """It is unsound where the truth is positive, and no epsilon where the truth is 0."""
    for delta, verdict in ((1e-6, "UNSOUND"), (0.999, "ERROR")):
        audit = audit_accountant(lambda events, delta: -0.0048, GAUSSIANS, (delta,), neighbours="add_remove")
        assert verdicts(audit) == [verdict]
    assert "negative" in audit.findings[0].sentence


def test_judging_catches_a_finite_answer_where_the_truth_is_infinite():
    events = [Event(Approximate("1", "1e-3"), 4)]
    audit = audit_accountant(lambda events, delta: 1e9, events, (1e-3,), neighbours="add_remove")
    assert verdicts(audit) == ["UNSOUND"]
    assert audit.findings[0].by == (INFINITE, INFINITE)


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (math.inf, "infinite, where epsilon is at most"),
        (math.nan, "the answer is NaN"),
        (-math.inf, "the answer is minus infinity"),
        (None, "the answer is no number: None"),
        ("2.5", "the answer is no number: '2.5'"),
        (True, "the answer is no number: True"),
        ((1.0, 2.0, 3.0, 4.0), "the answer has 4 numbers"),
        (2 + 1j, "the answer is no number: (2+1j)"),
    ],
)
def test_judging_calls_what_is_no_bound_an_error(answer, sentence):
    audit = audit_accountant(lambda events, delta: answer, GAUSSIANS, (1e-6,), neighbours="add_remove")
    assert audit.verdict == "ERROR"
    assert audit.findings[0].sentence.startswith(sentence)


def test_judging_gives_the_worst_verdict():
    """epsilon is 2.92 at 1e-6 and 4.42 at 1e-12."""
    audit = audit_accountant(lambda events, delta: 3.0, GAUSSIANS, (1e-6, 1e-12), neighbours="add_remove")
    assert verdicts(audit) == ["LOOSE", "UNSOUND"]
    assert audit.verdict == "UNSOUND"
    assert audit.target()["verdict"] == "UNSOUND"


class WideTruth:
    """Bounds of epsilon that say little, and exact ones of delta."""

    trusts = frozenset()

    def bounds(self, kind, at):
        if kind == "epsilon":
            return Fraction(0), INFINITE
        delta = Gaussians().compose(GAUSSIANS[0]).get_delta(at)
        return delta, delta

    def sharper(self):
        return None


def test_judging_looks_at_delta_where_the_bounds_of_epsilon_do_not_decide():
    truth = Gaussians().compose(GAUSSIANS[0]).true_epsilon(1e-6)
    for answer, verdict in ((truth - Fraction(1, 10**6), "UNSOUND"), (truth + Fraction(1, 10**6), "SOUND")):
        audit = audit_accountant(lambda events, delta, answer=answer: answer, GAUSSIANS, (1e-6,), truth=WideTruth())
        assert verdicts(audit) == [verdict]
