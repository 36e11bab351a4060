"""Accounts: the greater direction, the narrower engine, honest reasons, limits."""

from dataclasses import dataclass
from fractions import Fraction

import pytest

from refdp import work
from refdp.accounting import engines, losses
from refdp.accounting.accounts import Account, Limits, Question
from refdp.accounting.curves import OutOfReach
from refdp.accounting.events import (
    NOT_PRIVATE,
    Approximate,
    Concentrated,
    DiscreteLaplace,
    Event,
    Finite,
    Gaussian,
    Laplace,
    Poisson,
    Profile,
)
from refdp.accounting.inversion import UNKNOWN, Bounds
from refdp.accounting.loose import ENGINE as LOOSE
from refdp.accounting.losses import LossError, Normal, Sampled, composition
from refdp.accounting.masses import one_mass
from refdp.accounting.searching import Search, _Found
from refdp.numerics.elementary import exp_bounds
from refdp.numerics.intervals import Interval
from tests.counting import counted

MILLIONTH = Fraction(1, 10**6)
SAMPLED = (Event(Gaussian(1), 10, Poisson("1/10")),)


@dataclass(frozen=True)
class Curve:
    """delta = e^(-rate epsilon) up to a factor."""

    rate: Fraction
    factor: Fraction = Fraction(1)
    engine: str = "a curve"
    trusts: frozenset[str] = frozenset({"a belief"})

    def delta(self, epsilon):
        lower, upper = exp_bounds(-self.rate * epsilon, 200)
        return Interval(lower / self.factor, min(Fraction(1), upper * self.factor))


class Engine:
    """Curves by direction; notes what it was asked for."""

    def __init__(self, curves, name="an engine", why=None, after=None):
        self.made, self.name, self.why, self.after, self.efforts = curves, name, why, after, []

    def why_not(self, composition):
        return self.why

    def curves(self, composition, effort):
        self.efforts.append(effort)
        ((loss, _),) = composition.parts
        yield from self.made(loss.direction if isinstance(loss, Sampled) else "remove")
        if self.after is not None:
            raise self.after


@pytest.fixture
def use(monkeypatch):
    def use(*found):
        monkeypatch.setattr(engines, "engines", lambda: iter(found))

    return use


def rates(remove, add, factor=1):
    return lambda side: [Curve(Fraction(remove if side == "remove" else add), Fraction(factor))]


def ln(x):
    from math import log

    return log(x)


@pytest.mark.parametrize(("remove", "add"), [(1, 2), (2, 1)])
def test_the_dearer_direction_counts(use, remove, add):
    use(Engine(rates(remove, add)))
    answer = Account("add_remove", SAMPLED).epsilon_bounds(MILLIONTH)
    assert float(answer.bounds.lower) == pytest.approx(ln(10**6), abs=1e-9)
    assert answer.bounds.within(Fraction(1, 10**9))
    assert answer.direction == ("remove" if remove < add else "add")
    assert answer.reason is None
    assert answer.trusts == {"a belief"}
    delta = Account("add_remove", SAMPLED).delta_bounds(Fraction(1))
    assert float(delta.bounds.lower) == pytest.approx(float(exp_bounds(Fraction(-1), 64)[0]))


def test_a_cheaper_direction_need_not_be_known_well(use):
    use(Engine(lambda side: [Curve(Fraction(1))] if side == "remove" else [Curve(Fraction(2), Fraction(3))]))
    answer = Account("add_remove", SAMPLED).epsilon_bounds(MILLIONTH)
    assert answer.bounds.within(Fraction(1, 10**9))
    assert answer.reason is None


def test_an_unknown_direction_leaves_the_upper_bound_open(use):
    use(Engine(lambda side: [Curve(Fraction(1))] if side == "remove" else []))
    answer = Account("add_remove", SAMPLED).epsilon_bounds(MILLIONTH)
    assert answer.bounds.upper is None
    assert float(answer.bounds.lower) == pytest.approx(ln(10**6), abs=1e-6)
    assert answer.direction == "add"
    assert answer.reason == "an engine: no narrower bounds are affordable"


def test_later_curves_and_engines_narrow_what_is_known(use):
    wide, narrow = Curve(Fraction(1), Fraction(4)), Curve(Fraction(1), Fraction(2))
    first, second = Engine(lambda side: [wide], "first"), Engine(lambda side: [narrow, wide], "second")
    use(first, Engine(lambda side: [], "third", why="cannot"), second)
    answer = Account("add_remove", (Event(Gaussian(1)),)).epsilon_bounds(MILLIONTH)
    assert float(answer.bounds.lower) == pytest.approx(ln(10**6) - ln(2), abs=1e-6)
    assert float(answer.bounds.upper) == pytest.approx(ln(10**6) + ln(2), abs=1e-6)
    assert answer.reason == "first: no narrower bounds are affordable; second: no narrower bounds are affordable"


def test_no_further_engine_is_asked_once_the_width_is_reached(use):
    spare = Engine(rates(1, 1))
    use(Engine(rates(1, 1)), spare)
    Account("add_remove", SAMPLED).epsilon_bounds(MILLIONTH)
    assert spare.efforts == []


@pytest.mark.parametrize("failure", [OutOfReach("too many events"), MemoryError()])
def test_an_engine_that_gives_up_says_why_and_the_next_is_asked(use, failure):
    use(Engine(lambda side: [], "first", after=failure), LOOSE)
    answer = Account("add_remove", (Event(Gaussian(1)),)).epsilon_bounds(MILLIONTH)
    assert answer.bounds.upper is not None
    assert answer.reason.startswith("first: too many events" if str(failure) else "first: the memory is used up")


def test_engines_are_told_the_limits(use):
    engine = Engine(rates(1, 1, 2))
    use(engine)
    limits = Limits(Fraction(1, 100), timeout=5, memory=1000)
    before = work.spent()
    Account("add_remove", (Event(Gaussian(1)),)).answers([Question(MILLIONTH), Question(MILLIONTH**2)], limits)
    (effort,) = engine.efforts
    assert (effort.width, effort.delta, effort.memory) == (Fraction(1, 100), MILLIONTH**2, 1000)
    assert before < effort.end < before + 5.1


def test_each_direction_has_its_share_of_the_time(use):
    engine = Engine(rates(1, 1, 2))
    use(engine)
    before = work.spent()
    Account("add_remove", SAMPLED).answers([Question(MILLIONTH)], Limits(timeout=10))
    first, second = (effort.end - before for effort in engine.efforts)
    assert 3 < first < 5 < second < 10


def test_an_interrupt_keeps_what_is_decided(use):
    use(Engine(lambda side: [Curve(Fraction(1), Fraction(2))], after=KeyboardInterrupt()))
    answer = Account("add_remove", (Event(Gaussian(1)),)).epsilon_bounds(MILLIONTH)
    assert float(answer.bounds.upper) == pytest.approx(ln(10**6) + ln(2), abs=1e-6)
    assert answer.reason == "interrupted"


def test_an_interrupt_is_passed_on_where_no_part_of_the_answers_is_wanted(use):
    """Else it would be lost: an accountant, a judge and a check of test vectors would go on with a wide answer."""
    use(Engine(lambda side: [Curve(Fraction(1), Fraction(2))], after=KeyboardInterrupt()))
    with pytest.raises(KeyboardInterrupt):
        Account("add_remove", (Event(Gaussian(1)),)).answers([Question(MILLIONTH)], partial=False)


def test_an_interrupt_before_the_second_direction_leaves_it_open(use):
    def curves(side):
        if side == "add":
            raise KeyboardInterrupt
        return [Curve(Fraction(1))]

    use(Engine(curves))
    answer = Account("add_remove", SAMPLED).epsilon_bounds(MILLIONTH)
    assert answer.bounds.upper is None
    assert float(answer.bounds.lower) == pytest.approx(ln(10**6), abs=1e-6)
    assert answer.reason == "interrupted"


def test_a_decision_ends_as_soon_as_it_is_made(use):
    spare = Engine(rates(1, 1))
    use(Engine(rates(1, 1, 2)), spare)
    account = Account("add_remove", (Event(Gaussian(1)),))
    for delta in (Fraction(1, 10), Fraction(9, 10)):
        (answer,) = account.answers([Question(delta, Fraction(1))])
        assert spare.efforts == []
        assert answer.bounds.upper <= delta or answer.bounds.lower > delta
        assert answer.reason is None
    account.answers([Question(Fraction(37, 100), Fraction(1))])
    assert spare.efforts != []


def test_the_mass_of_infinite_loss_is_respected():
    account = Account("add_remove", (Event(Approximate(1, "1/100"), 2),))
    mass = 1 - Fraction(99, 100) ** 2
    assert account.epsilon_bounds(mass - MILLIONTH).bounds == Bounds(None, None)
    assert account.epsilon_bounds(mass + MILLIONTH).bounds.upper is not None
    everything = Account("add_remove", (Event(NOT_PRIVATE),))
    assert everything.epsilon_bounds(Fraction(1, 2)).bounds == Bounds(None, None)
    assert everything.delta_bounds(Fraction(5)).bounds == Bounds(Fraction(1), Fraction(1))


def test_infinite_loss_in_one_direction_suffices():
    account = Account("add_remove", (Event(Finite((("1/2", 0), ("1/2", 1)))),))
    assert account.epsilon_bounds(Fraction(1, 4)).bounds == Bounds(None, None)


def test_the_mass_of_infinite_loss_is_that_of_the_first_law():
    outcomes = ((Fraction(1, 4), Fraction(0)), (Fraction(3, 4), Fraction(1, 2)), (Fraction(0), Fraction(1, 2)))
    finite, response = losses.Finite(outcomes), losses.response(1, Fraction(1, 8))
    assert one_mass(finite) == Fraction(1, 4)
    assert one_mass(Sampled(finite, Fraction(1, 3), "remove")) == Fraction(1, 12)
    assert one_mass(Sampled(finite, Fraction(1, 3), "add")) == 0
    assert one_mass(losses.FixedSize(response, Fraction(1, 2))) == Fraction(1, 16)
    assert one_mass(Normal(Fraction(1))) == 0


def test_a_width_of_delta_is_relative(use):
    """delta is about 1e-13: bounds a factor of 4 apart are no answer, though they differ by less than the width."""
    use(Engine(lambda side: [Curve(Fraction(30), Fraction(2))]))
    answer = Account("add_remove", (Event(Gaussian(1)),)).delta_bounds(Fraction(1))
    assert answer.bounds.width < Fraction(1, 10**9)
    assert answer.reason is not None


@pytest.mark.parametrize("count", [1, 3])
def test_delta_is_exactly_zero_where_losses_end(count):
    """At the largest loss no ball decides; a hair below, delta is positive."""
    events = (Event(DiscreteLaplace(1), count),)
    questions = [Question(epsilon=count), Question(epsilon=count - MILLIONTH)]
    with counted() as calls:
        there, below = Account("add_remove", events).answers(questions)
    assert there.bounds == Bounds(Fraction(0), Fraction(0))
    assert below.bounds.lower > 0
    assert calls.number < 5_000_000


def test_a_delta_below_every_float_is_enclosed():
    """The mass at losses above 2 takes a Gaussian of sigma 30 that goes 58 standard deviations out."""
    (answer,) = Account("add_remove", (Event(Gaussian(30)), Event(Laplace(20)))).answers([Question(epsilon=2)])
    assert 0 < answer.bounds.lower <= answer.bounds.upper < Fraction(1, 10**700)
    assert answer.bounds.upper <= answer.bounds.lower * (1 + Fraction(1, 10**8))


def test_an_empty_account_costs_nothing():
    account = Account("add_remove", ())
    assert account.epsilon_bounds(MILLIONTH).bounds == Bounds(Fraction(0), Fraction(0))
    assert account.delta_bounds(Fraction(0)).bounds == Bounds(Fraction(0), Fraction(0))


def test_where_nothing_is_known_nothing_is_claimed(use):
    use(Engine(lambda side: [], why="cannot"))
    answer = Account("add_remove", (Event(Profile("p", lambda e: Fraction(1))),)).epsilon_bounds(MILLIONTH)
    assert answer.bounds == Bounds(Fraction(0), None)
    assert answer.engine == "none"
    assert answer.reason == "no engine has bounds for these events"


def test_the_loose_engine_is_never_below_the_truth():
    """Against the closed form of one Gaussian, and for losses that are bounded."""
    loose, exact = LOOSE, engines
    for mu_squared in (Fraction(1, 100), Fraction(1), Fraction(9)):
        product = Account("add_remove", (Event(Gaussian(1 / mu_squared * 10, mu_squared * 10)),)).compositions["remove"]
        product = type(product)(((Normal(mu_squared), 1),))
        (curve,) = loose.curves(product, None)
        (truth,) = [next(iter(e.curves(product, _effort()))) for e in exact.engines() if e.name == "closed forms"]
        for epsilon in map(Fraction, (0, 1, 2, 5, 10)):
            assert curve.delta(epsilon).upper >= truth.delta(epsilon).lower
            assert curve.delta(epsilon).lower == 0
    twice = Account("add_remove", (Event(Approximate("1/2", "1/1000"), 2),)).compositions["remove"]
    (curve,) = loose.curves(twice, None)
    assert curve.delta(Fraction(1)).upper == Fraction(1, 500)
    assert curve.delta(Fraction(99, 100)).upper > Fraction(1, 500)
    zcdp = Account("add_remove", (Event(Concentrated("1/2"), 2),)).compositions["remove"]
    (curve,) = loose.curves(zcdp, None)
    low, high = exp_bounds(Fraction(-4), 64)
    assert low <= curve.delta(Fraction(5)).upper <= high * 2
    assert curve.delta(Fraction(1)).upper == 1


def _effort():
    from refdp.accounting.curves import Effort

    return Effort()


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ({"delta": Fraction(1)}, "delta must be at least 0 and below 1, got 1"),
        ({"delta": Fraction(-1)}, "delta must be at least 0 and below 1, got -1"),
        ({"epsilon": Fraction(-1)}, r"epsilon must be between 0 and 2\^20, got -1"),
        ({"epsilon": Fraction(2**21)}, r"epsilon must be between 0 and 2\^20"),
        ({}, "question must be about delta or epsilon, got neither"),
    ],
)
def test_bad_questions_get_one_clear_sentence(question, sentence):
    with pytest.raises(LossError, match=sentence):
        Question(**question)


@pytest.mark.parametrize(
    ("limits", "sentence"),
    [
        ({"width": Fraction(0)}, "width must be > 0"),
        ({"width": Fraction(2)}, "width must be > 0 and at most 1, got 2"),
        ({"timeout": 0.0}, "timeout must be > 0"),
        ({"timeout": float("nan")}, "timeout must be > 0"),
        ({"timeout": float("inf")}, "timeout must be > 0 and finite"),
        ({"memory": 0}, "memory must be > 0, got 0"),
    ],
)
def test_bad_limits_get_one_clear_sentence(limits, sentence):
    with pytest.raises(LossError, match=sentence):
        Limits(**limits)


def test_a_second_direction_is_settled_by_the_first_only_where_that_is_narrow():
    """Else what it costs itself must be known: the answer's lower end may be its own."""
    product = composition([(losses.Laplace(Fraction(1)), 1)])
    search = Search(
        {"remove": product, "add": product},
        [Question(delta=Fraction(1, 10))],
        Limits(Fraction(1, 100)),
        lambda *_: None,
    )
    one = Fraction(1)
    for lower, upper, enough in [(one, one + search.limits.width, Fraction(101, 100)), (one, 2 * one, None),
                                 (one, None, None), (None, None, None)]:  # fmt: skip
        search.found = {"remove": [_Found(Bounds(lower, upper))], "add": [_Found(UNKNOWN)]}
        assert search._enough("add", 0) == enough
        assert search._enough("remove", 0) is None
