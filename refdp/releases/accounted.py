"""The account of one release: less noise at the same epsilon and delta than a conversion from rho needs.

It is right for a release whose parameters are all fixed before its first draw.  Over several releases, each chosen in
view of the answers before, no account is run: a budget adds up what each of them was charged.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from refdp.accounting.evidence import greatest_mu_squared
from refdp.derivations import account_theorem
from refdp.kernel.judgements import KernelError
from refdp.kernel.theorem import Theorem
from refdp.pipeline import Measurement
from refdp.releases.spending import Spending

SHARES = (Fraction(999, 1000), Fraction(49, 50), Fraction(3, 4), Fraction(1, 2))
"""What is tried of the rho that noise on the reals could have: grids, and selections, cost a little more."""
DIGITS = 10**12


def accounted_totals(spending: Spending) -> Iterator[Fraction]:
    """Amounts of rho to share out, the greatest first, each more than a conversion allows; else none."""
    if spending.measure != "approximate" or not spending.delta:
        return
    most = greatest_mu_squared(spending.amount, spending.delta) / 2
    for share in SHARES:
        whole = Fraction(int(most * share * DIGITS), DIGITS)
        if whole > spending.divided:
            yield whole


def accounted(measurements: Sequence[Measurement], spending: Spending) -> Theorem | None:
    """|- all of it is within epsilon and delta, by the rule `account`; None where no engine shows it."""
    try:
        return account_theorem(measurements, 1, spending.amount, spending.delta or 0)
    except KernelError:
        return None
