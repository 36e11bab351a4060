"""Loops that look like DP-SGD: which of them keep the claim of its account, each with the pair that decides it.

The claim of each is what the account says of the right loop at the same numbers: (epsilon, delta), epsilon rounded up.
A loop is REFUTED where two tables next to each other, and a model, give outcomes that are further apart: certified, by
the lower end of an account that is attained on this pair, by an event that is as likely as is said, or by both.  It is
PROVED where its own account meets the claim, else UNKNOWN.  The noise is normal and real here; v is a gradient of norm
C, the same at all weights.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from refdp.accounting.accounts import Account
from refdp.accounting.events import Event, FixedSize, Gaussian, Poisson
from refdp.accounting.numbers import decimal_above, decimal_below, scientific_above, scientific_below
from refdp.accounting.questions import Limits
from refdp.learning.training import Plan
from refdp.numerics.elementary import exp_bounds
from refdp.numerics.enclosures import Balls, interval, precision
from refdp.numerics.intervals import Interval

BITS = 192
PLACES = 6
"""Digits of epsilon of a claim behind the point, rounded up."""
DIGITS = 4
"""Digits of a delta that is told."""
NEGLIGIBLE = Fraction(1, 1000)
"""The share of delta that tables are chosen to lose at most, where a lot may be empty."""
MOST_BESIDE = 10**7
"""Most rows of a table of a witness."""
TRIED = 400
"""Thresholds that are tried for the event of shuffled lots: any of them will do."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What the right loop satisfies, and is claimed of another one."""

    neighbours: str
    epsilon: Fraction
    delta: Fraction

    @property
    def text(self) -> str:
        """In words."""
        return f"({decimal_above(self.epsilon, PLACES)}, {scientific_above(self.delta, DIGITS)})-DP, {self.neighbours}"


@dataclass(frozen=True, slots=True)
class Judged:
    """One loop, and what was found of it."""

    name: str
    sentence: str
    claim: Claim
    expected: str
    ledger: tuple[str, ...] = ()
    """Claims of the ledger about the same, proved or refuted in the kernel."""
    verdict: str = "UNKNOWN"
    witness: str = ""
    account: Account | None = None
    """The loop's own, where its upper end is the reason why the claim is kept."""


@dataclass(frozen=True, slots=True)
class Setting:
    """The numbers of a run, the claim of its account, and what an account may take."""

    plan: Plan
    delta: Fraction
    limits: Limits

    def event(self, sigma: Fraction, far: Fraction, scheme: Poisson | FixedSize | None = None) -> Event:
        """All steps with that noise, in which a row of the lot moves what is released so far."""
        return Event(Gaussian(sigma, far), self.plan.steps, scheme or Poisson(self.plan.rate))

    def claim(self, event: Event | None = None, neighbours: str = "add_remove") -> Claim:
        """That of the right loop, or of another event."""
        right = event or self.event(self.plan.deviation, self.plan.norm)
        upper = Account(neighbours, (right,)).epsilon_bounds(self.delta, self.limits).bounds.upper
        if upper is None:
            raise ValueError("epsilon of the right loop must be finite")
        return Claim(neighbours, Fraction(decimal_above(upper, PLACES)), self.delta)

    def delta_at_least(self, claim: Claim, event: Event) -> Fraction:
        """What the least delta of an event is at least, at the epsilon of the claim."""
        return Account(claim.neighbours, (event,)).delta_bounds(claim.epsilon, self.limits).bounds.lower or Fraction(0)


def judged(setting: Setting) -> Iterator[Judged]:
    """Every loop at these numbers, wrong ones and twins of theirs that are right."""
    for judge in JUDGES:
        found = judge(setting)
        if found is not None:
            yield found


def by_pair(asked: Judged, least: Fraction, pair: str) -> Judged:
    """REFUTED, and the witness, where delta is greater on a pair than is claimed; else UNKNOWN."""
    claim = asked.claim
    told = f"{pair}: delta at least {scientific_below(least, DIGITS)}, claimed {scientific_above(claim.delta, DIGITS)}"
    return replace(asked, verdict="REFUTED" if least > claim.delta else "UNKNOWN", witness=told)


def by_event(setting: Setting, asked: Judged, sigma: Fraction) -> Judged:
    """No row against one of gradient v, of which a lot has v with the rate: the event that a step is at least c C.

    With noise sigma C it has the probabilities 1 - (q P[N <= (c - 1) / sigma] + (1 - q) P[N <= c / sigma])^T, and the
    same with q = 0.  Where that decides nothing, the lower end of the account is taken, which this pair attains.
    """
    rate, steps, claim = setting.plan.rate, setting.plan.steps, asked.claim
    growth = exp_bounds(claim.epsilon, BITS)[1]
    pair, c = "no row, and one of gradient v", Fraction(1, 2)
    one, none = (some_step(c, sigma, steps, share) for share in (rate, Fraction(0)))
    least = one.lower - growth * none.upper
    if least > claim.delta:
        return by_pair(asked, least, f"{pair}; the event that some step is at least C / 2")
    event = setting.event(sigma * setting.plan.norm, setting.plan.norm)
    return by_pair(asked, setting.delta_at_least(claim, event), pair)


def some_step(c: Fraction, sigma: Fraction, steps: int, share: Fraction) -> Interval:
    """An enclosure of 1 - (share P[N <= (c - 1) / sigma] + (1 - share) P[N <= c / sigma])^steps."""
    balls = Balls(BITS)
    with precision(BITS):
        far, near = (balls.function("normal_tail", balls.number((a - c) / sigma)) for a in (1, 0))
        missed = interval(balls.number(share) * far + balls.number(1 - share) * near, BITS)
    never = Interval(max(missed.lower, Fraction(0)), min(missed.upper, Fraction(1)), BITS) ** steps
    return Interval(1 - never.upper, 1 - never.lower, BITS)


def by_account(setting: Setting, claim: Claim, event: Event, asked: Judged) -> Judged:
    """PROVED where the loop's own account meets the claim, else UNKNOWN."""
    own = Account(claim.neighbours, (event,))
    upper = own.epsilon_bounds(claim.delta, setting.limits).bounds.upper
    if upper is None or upper > claim.epsilon:
        return replace(asked, witness="its own account does not meet the claim")
    told = f"its own account: epsilon at most {decimal_above(upper, PLACES)}"
    return replace(asked, verdict="PROVED", witness=told, account=own)


def noise_of_the_mean_on_the_sum(setting: Setting) -> Judged:
    """Noise sigma C / L on the sum of a lot."""
    plan, claim = setting.plan, setting.claim()
    asked = Judged(
        "noise_of_the_mean_on_the_sum", f"Noise of deviation sigma C / {plan.lot} on the sum of a lot.", claim,
        "REFUTED" if plan.lot > 1 else "PROVED", ("clipped_vector_mean.bound_of_the_mean_for_the_sum",),
    )  # fmt: skip
    if plan.lot > 1:
        return by_event(setting, asked, plan.noise_multiplier / plan.lot)
    return by_account(setting, claim, setting.event(plan.deviation / plan.lot, plan.norm), asked)


def noise_of_the_sum_on_the_mean(setting: Setting) -> Judged | None:
    """Noise sigma C on the mean: much more than is needed."""
    plan, claim = setting.plan, setting.claim()
    if plan.lot < 1:
        return None
    found = by_account(setting, claim, setting.event(plan.deviation, plan.norm / plan.lot), Judged(
        "noise_of_the_sum_on_the_mean", f"Noise of deviation sigma C on the sum over {plan.lot}.", claim, "PROVED",
        ("clipped_vector_mean.noise_for_the_sum",),
    ))  # fmt: skip
    loose = f"{found.witness}; private, and loose: {plan.lot} times the noise that is needed"
    return replace(found, witness=loose)


def divided_by_the_actual_size(setting: Setting) -> Judged:
    """The sum over the number of rows that are in the lot, with noise for that over L.

    On the table of one row the mean is v where that row is in the lot, so that it is far as v is, with noise for v / L.
    """
    plan, claim = setting.plan, setting.claim()
    asked = Judged(
        "divided_by_the_actual_size",
        f"The sum of a lot over the number of its rows, or 1 if it is empty, with noise sigma C / {plan.lot}.",
        claim, "REFUTED" if plan.lot > 1 else "UNKNOWN", ("clipped_vector_mean.by_count_as_by_lot",),
    )  # fmt: skip
    if plan.lot <= 1:
        return replace(asked, witness="no pair is known where L is at most 1")
    return by_event(setting, asked, plan.noise_multiplier / plan.lot)


def divided_by_the_size_of_fixed_lots(setting: Setting) -> Judged | None:
    """The same where all lots have one size and a row is replaced: what is divided by is public."""
    plan, rows = setting.plan, setting.plan.lot / setting.plan.rate
    if plan.lot.denominator != 1 or rows.denominator != 1:
        return None
    scheme, size = FixedSize(int(rows), int(plan.lot)), plan.lot
    claim = setting.claim(setting.event(plan.deviation, 2 * plan.norm, scheme), "change_one")
    event = setting.event(plan.deviation / size, 2 * plan.norm / size, scheme)
    return by_account(setting, claim, event, Judged(
        "divided_by_the_size_of_fixed_lots",
        f"The sum of a lot of exactly {size} of {rows} rows over {size}, with noise of deviation sigma C / {size}.",
        claim, "PROVED", ("clipped_vector_mean.sized_change_one",),
    ))  # fmt: skip


def clipped_after_averaging(setting: Setting) -> Judged:
    """The mean of a lot is clipped, not the rows, with noise for C.

    n rows have gradient v, and one more has -(2 n + 1) v: a lot with that row has a mean of at least C the other way
    round, is clipped to -v, and any other to v, unless it is empty, which is so with e = (1 - q)^n.  Without empty lots
    the steps are (1 - q) N(v) + q N(-v) against N(v), as of an answer that moves by 2 C; with them each law is within
    T e of these in total variation, so that delta is less by T e (1 + e^epsilon) at most.
    """
    plan, claim = setting.plan, setting.claim()
    event = setting.event(plan.deviation, 2 * plan.norm)
    growth = 1 + exp_bounds(claim.epsilon, 64)[1]
    rows, empty = 1, 1 - plan.rate
    while plan.steps * empty * growth > NEGLIGIBLE * claim.delta and rows < MOST_BESIDE:
        rows, empty = 2 * rows, rounded_up(empty**2)
    least = setting.delta_at_least(claim, event) - plan.steps * empty * growth
    pair = f"{rows} rows of gradient v, and besides one of -{2 * rows + 1} v"
    asked = Judged(
        "clipped_after_averaging", "The mean of a lot is clipped to C, not the rows, with noise of deviation sigma C.",
        claim, "REFUTED", ("clipping_idioms.total_by_the_norm",),
    )  # fmt: skip
    return by_pair(asked, least, pair)


def rounded_up(x: Fraction) -> Fraction:
    """A number of few digits that is at least x, 0 <= x <= 1."""
    return Fraction(-(-x.numerator * 2**512 // x.denominator), 2**512)


def clipped_after_averaging_with_twice_the_noise(setting: Setting) -> Judged:
    """The same with noise for 2 C: two vectors of norm C at most are never further apart."""
    plan, claim = setting.plan, setting.claim()
    return by_account(setting, claim, setting.event(2 * plan.deviation, 2 * plan.norm), Judged(
        "clipped_after_averaging_with_twice_the_noise", "The mean of a lot is clipped to C, with noise for 2 C.", claim,
        "PROVED", ("clipping_idioms.total",),
    ))  # fmt: skip


def skipped_empty_lots(setting: Setting) -> Judged:
    """No step where a lot is empty: whether there ever is one tells no row from one row."""
    plan, claim = setting.plan, setting.claim()
    seen = 1 - (1 - plan.rate) ** plan.steps if plan.steps <= 10**4 else plan.rate
    asked = Judged(
        "skipped_empty_lots", "A lot without rows is passed over: no noise, no step.", claim,
        "REFUTED" if seen > claim.delta else "UNKNOWN", ("any_row.skipped_step",),
    )  # fmt: skip
    return by_pair(asked, seen, "no row, and any one row; the event that a step is made, else of probability 0")


def shuffled(setting: Setting) -> Judged | None:
    """The table is shuffled and cut into lots, which is accounted for as if lots were drawn by coins."""
    plan = setting.plan
    lots = 1 / plan.rate
    if lots.denominator != 1 or plan.steps < lots:
        return None
    return shuffled_at(
        replace(setting.claim(), neighbours="zero_out"), plan.noise_multiplier, int(lots), plan.steps, "UNKNOWN"
    )


def shuffled_as_published(setting: Setting) -> Judged:
    """The same at numbers at which an event is known: sigma = 2/5, an epoch of 10^4 lots, epsilon = 4."""
    sigma, lots = Fraction(2, 5), 10**4
    account = Account("add_remove", (Event(Gaussian(sigma), lots, Poisson(Fraction(1, lots))),))
    upper = account.delta_bounds(Fraction(4), setting.limits).bounds.upper
    delta = Fraction(1) if upper is None else Fraction(scientific_above(upper, DIGITS))
    return shuffled_at(Claim("zero_out", Fraction(4), delta), sigma, lots, lots, "REFUTED")


def shuffled_at(claim: Claim, sigma: Fraction, lots: int, steps: int, expected: str) -> Judged:
    """One epoch: the event that some step is at least c, all other rows having the gradient -v.

    The row in question has v, or adds nothing: in the lot in which it is, the sum is 2 C, or C, more than in others.
    With noise sigma C and all sums shifted so that other lots have 0, and F(a) = 1 - P[N <= (c - a) / sigma]
    P[N <= c / sigma]^(lots - 1), delta is at least F(2) - e^epsilon F(1).  Source: CGK24
    """
    least, c = shuffled_delta(sigma, lots, claim.epsilon)
    asked = Judged(
        "shuffled" if expected == "UNKNOWN" else "shuffled_as_published",
        f"The table is shuffled and cut into {lots} lots an epoch, {steps} steps in all; sigma = {sigma}.", claim,
        expected,
    )  # fmt: skip
    pair = "a row of gradient v, and that row adding nothing, other rows of gradient -v"
    found = by_pair(asked, least, f"{pair}; the event that some step is at least {decimal_below(c, 2)} C above theirs")
    if found.verdict == "REFUTED":  # an event is a proof wherever it is found, also where none was looked forward to
        return replace(found, expected="REFUTED")
    return replace(asked, witness="no event that was tried refutes it")


def shuffled_delta(sigma: Fraction, lots: int, epsilon: Fraction) -> tuple[Fraction, Fraction]:
    """The greatest lower end of delta among the thresholds that are tried, and the threshold; certified."""
    from math import erfc, exp, sqrt

    s, growth = float(sigma), exp(min(float(epsilon), 700.0))

    def rough(c: float) -> float:
        rest = (lots - 1) * -erfc(c / s / sqrt(2)) / 2
        one, two = (1 - (1 - erfc((c - a) / s / sqrt(2)) / 2) * exp(rest) for a in (1, 2))
        return two - growth * one

    thresholds = [Fraction(i, 100) for i in range(1, 2 * TRIED + 1)]
    c = max(thresholds, key=lambda one: rough(float(one)))
    two, one = (some_step_at_least(c, sigma, lots, a) for a in (2, 1))
    return max(Fraction(0), two.lower - exp_bounds(epsilon, BITS)[1] * one.upper), c


def some_step_at_least(c: Fraction, sigma: Fraction, lots: int, sum_: int) -> Interval:
    """An enclosure of F(a): that the greatest of `lots` normal variables is at least c, one of which has mean a."""
    balls = Balls(BITS)
    with precision(BITS):
        below, others = (1 - balls.function("normal_tail", balls.number((c - a) / sigma)) for a in (sum_, 0))
        return interval(1 - below * others ** (lots - 1), BITS)


JUDGES: tuple[Callable[[Setting], Judged | None], ...] = (
    noise_of_the_mean_on_the_sum,
    noise_of_the_sum_on_the_mean,
    divided_by_the_actual_size,
    divided_by_the_size_of_fixed_lots,
    clipped_after_averaging,
    clipped_after_averaging_with_twice_the_noise,
    skipped_empty_lots,
    shuffled,
    shuffled_as_published,
)
"""Wrong loops, each beside a twin that is right."""
