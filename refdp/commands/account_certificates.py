"""The certificates of `refdp account`: a theorem of the kernel for the upper end of each answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import refdp.mechanisms  # noqa: F401  (importing them registers the noise that rounds are about)
from refdp import work
from refdp.accounting.accounts import Account, Answer, Limits, Question
from refdp.accounting.evidence import WIDTHS, evidence_for
from refdp.accounting.losses import LossError
from refdp.accounting.numbers import decimal_above, scientific_above
from refdp.accounting.rounds import Rounds
from refdp.commands.files import require_folder
from refdp.commands.judgements import INTERRUPTED, written_certificate
from refdp.commands.rounds_in_words import decimal_text, in_words
from refdp.kernel import rules
from refdp.kernel.certificate import DERIVED, certificate, text_of
from refdp.kernel.judgements import KernelError, Private
from refdp.kernel.theorem import Theorem
from refdp.terms.reading import MAXIMUM_LENGTH

NAME = "account"
"""How the files begin."""
PLACES = (8, 6, 4, 2)
"""Where no engine of the kernel shows the upper end itself, it is asked for numbers greater by 10^-places of it."""
SHARES = (12, 1)
"""Every number is tried with a twelfth of the work that is left, and then with all of it."""
LONGEST = MAXIMUM_LENGTH - 1000
"""Longest text of rounds, in characters: a claim has its domain, its distance and its numbers beside them."""
LEAST_DELTA = Fraction(1, 10**12)
"""Where an upper end is 0, and that cannot be shown, this is."""


def rounds_for(stated: Account, questions: Sequence[Question], folder: str | Path) -> Rounds:
    """The rounds of an account; before the work LossError, NoTheorem or OSError where there can be no certificate."""
    require_folder(folder)
    found = Rounds.of(stated.neighbours, stated.events)
    if (size := len(f"rounds({', '.join(map(str, found.said))})")) > LONGEST:
        raise LossError(f"rounds must be written in at most {LONGEST} characters for a certificate, got {size}")
    return found


def certified(
    about: Rounds, answer: Answer, told: dict[str, Any], limits: Limits, folder: str | Path
) -> dict[str, Any]:
    """Where the certificate of an answer is, and what it concludes; or why there is none."""
    try:
        found = theorem_of(about, answer, told, limits)
    except KeyboardInterrupt:
        return {"certificate": None, "without_certificate": INTERRUPTED}
    if isinstance(found, str):
        return {"certificate": None, "without_certificate": found}
    claim = found.claim
    if not isinstance(claim, Private):
        raise KernelError(f"{claim.term} is not private")
    return {
        "certificate": written_certificate(text_of(certificate(found, DERIVED)), NAME, folder),
        "concludes": dict(zip(("epsilon", "delta"), map(decimal_text, claim.d_out), strict=True)),
        "conclusion": str(claim.term),
        "said": in_words(claim),
    }


def theorem_of(about: Rounds, answer: Answer, told: dict[str, Any], limits: Limits) -> Theorem | str:
    """The theorem of the upper end, or of a number that is a little greater; else why there is none."""
    asked = answer.question
    upper = told["delta" if asked.delta is None else "epsilon"]["upper"]
    if upper == "inf" or (asked.delta is None and Fraction(upper) >= 1):
        return "nothing is proved: the upper end says nothing"
    with work.patient(limits.timeout):
        end = work.until(limits.timeout)
        for share, number_above in product(SHARES, numbers_above(Fraction(upper), asked.delta is None)):
            epsilon = number_above if asked.epsilon is None else asked.epsilon
            delta = number_above if asked.delta is None else asked.delta
            seconds = max(0.0, end - work.spent()) / share
            found = shown(about, epsilon, delta, answer.engine, limits, seconds) if delta < 1 else None
            if found is not None:
                return found
    return f"no engine that the kernel knows shows it within the work of {limits.timeout:g} seconds"


def shown(
    about: Rounds, epsilon: Fraction, delta: Fraction, engine: str, limits: Limits, seconds: float
) -> Theorem | None:
    """|- all rounds together are within epsilon and delta; None where no engine shows it."""
    found = evidence_for(about.pairs(), epsilon, delta, seconds, (*WIDTHS, limits.width / 100), engine)
    if found is None:
        return None
    return rules.account_rounds(
        domain=about.domain, near=about.near, d_in="1", rounds=about.said, epsilon=epsilon, delta=delta,
        engine=found.engine, evidence=found.numbers,
    )  # fmt: skip


def numbers_above(upper: Fraction, is_delta: bool) -> Iterator[Fraction]:
    """The upper end, and numbers that are a little greater, in few digits."""
    yield upper
    for places in PLACES:
        more = (upper or LEAST_DELTA) * (1 + Fraction(1, 10**places))
        yield Fraction(scientific_above(more, places + 1) if is_delta else decimal_above(more, places))
