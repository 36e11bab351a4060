"""The account of one release: less noise at the same epsilon and delta than a conversion from rho needs.

It is right for a release whose parameters are all fixed before its first draw.  Over several releases, each chosen in
view of the answers before, no account is run: a budget adds up what each of them was charged.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from refdp.accounting.evidence import evidence_for, greatest_mu_squared
from refdp.kernel import rules
from refdp.kernel.judgements import Private
from refdp.kernel.rules.accounts import part
from refdp.kernel.theorem import Theorem
from refdp.releases.spending import Spending

SHARES = (Fraction(999, 1000), Fraction(49, 50), Fraction(3, 4), Fraction(1, 2))
"""What is tried of the rho that noise on the reals could have: grids, and selections, cost a little more."""
DIGITS = 10**12
SECONDS = 10.0
"""Work of each engine, as it is counted, after which the next one is asked."""


def accounted_totals(spending: Spending) -> Iterator[Fraction]:
    """Amounts of rho to share out, the greatest first, each more than a conversion allows; none under other measures."""
    if spending.measure != "approximate" or not spending.delta:
        return
    most = greatest_mu_squared(spending.amount, spending.delta) / 2
    for share in SHARES:
        whole = Fraction(int(most * share * DIGITS), DIGITS)
        if whole > spending.divided:
            yield whole


def accounted(theorems: Sequence[Theorem], spending: Spending) -> Theorem | None:
    """|- all of it is within epsilon and delta, by the rule `account`; None where no engine shows it."""
    premises, noises = zip(*map(_known, theorems), strict=True)
    blank, once = [""] * len(premises), ["1"] * len(premises)
    pairs = [part(t.claim, noise, "", "1")[1] for t, noise in zip(premises, noises, strict=True)]
    found = evidence_for(pairs, spending.amount, spending.delta or Fraction(0), SECONDS)
    if found is None:
        return None
    return rules.account(
        *premises, noises=noises, rates=blank, counts=once, epsilon=spending.amount, delta=spending.delta,
        engine=found.engine, evidence=found.numbers,
    )  # fmt: skip


def _known(found: Theorem) -> tuple[Theorem, str]:
    """The theorem of the query before the noise, with the noise; of a selection its own theorem, and no noise."""
    claim = found.claim
    if not isinstance(claim, Private):
        raise TypeError("a release is about private claims")
    return (found, "") if claim.measure == "pure" else (found.premises[0], str(claim.subject.arguments[1]))
