"""One Gaussian pair: delta in terms of the normal distribution function."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING

from refdp.accounting.balls import ball
from refdp.accounting.losses import Normal
from refdp.numerics.enclosures import normal_tail

if TYPE_CHECKING:
    from flint import arb


def normal_delta(loss: Normal, log_x: arb, x: arb) -> arb:
    """Phi(mu/2 - log_x/mu) - x Phi(-mu/2 - log_x/mu) with x = e^log_x (Lemma 2.2).  Source: BW18 Thm 8."""
    mu = ball(loss.mu_squared).sqrt()
    return normal_tail(log_x / mu - mu / 2) - x * normal_tail(log_x / mu + mu / 2)


def normal_formula(loss: Normal) -> Callable[[Fraction, int], arb]:
    """delta(epsilon) of the pair (N(mu, 1), N(0, 1))."""
    return lambda epsilon, bits: normal_delta(loss, ball(epsilon), ball(epsilon).exp())
