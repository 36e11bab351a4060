"""What a proved claim reaches, read off its formal text: all values of its names, a rule's instance, or numbers.

A theorem of the kernel is about what its formal text names.  A rule, such as that epsilons add up, is about every
mechanism: no theorem of the kernel says it, so a claim shows an instance of it, and the rule has a written proof; what
the rule says is a claim about all mechanisms (`refdp.general`), which Rocq proves.
"""

from __future__ import annotations

from functools import cache

import refdp.mechanisms
import refdp.transformations  # noqa: F401  (importing them registers what the claims are about)
from refdp.claims import Claim
from refdp.spec.registry import kind_of, stems
from refdp.terms.reading import read
from refdp.terms.term import Term, TermError, names, number, subterms

GENERAL, OF_A_RULE, OF_OUTCOMES, NUMBERS = "general", "of a rule", "of outcomes", "numbers"
ABOUT_OUTCOMES = ("composition", "definitions")
"""The books whose statements about numbers are inequalities of a few outcomes, which written proofs add up."""
JUDGEMENTS = (
    "private", "stable", "normalised", "sampler_law", "tail", "finite_sensitivity", "unbounded_loss",
    "renyi_divergence", "same_law", "squared_error", "never_private", "frequency_estimate", "balanced_estimate",
    "number_estimate",
)  # fmt: skip
ARITHMETIC = ("number", "+", "-", "*", "/", "**", "negate", "exp", "ln", "sqrt", "tuple_of")
"""What a number is written with; not a text, a list of texts or a set of rows."""
SOUNDNESS = "docs/soundness.md"


@cache
def reach(claim: Claim) -> str:
    """`OF_A_RULE` where the ledger says of which; else `GENERAL` if every parameter in the formal text has a name.

    An inequality of a few outcomes is no theorem about a mechanism: `OF_OUTCOMES`.
    """
    if claim.rule:
        return OF_A_RULE
    found = subject(claim)
    if found is None:
        of_names = OF_OUTCOMES if claim.book in ABOUT_OUTCOMES else GENERAL
        return of_names if claim.formal.startswith("for all ") else NUMBERS
    return NUMBERS if numbers_of(found) else GENERAL


@cache
def subject(claim: Claim) -> Term | None:
    """The mechanism or transformation that the claim is a judgement about; None for a statement about numbers."""
    try:
        found = read(claim.formal)
    except TermError:
        return None
    return found.arguments[0] if found.operator in JUDGEMENTS else None


def numbers_of(subject: Term) -> list[tuple[str, str, Term]]:
    """What in the subject is said in numbers, but for a unit grid: stem, parameter and argument."""
    found: list[tuple[str, str, Term]] = []
    for t in (t for t in subterms(subject) if t.operator not in ARITHMETIC):
        for parameter, argument in zip(parameters(t.operator, len(t.arguments)), t.arguments, strict=True):
            unit = parameter == "granularity" and argument == number(1)
            if not unit and not names(argument) and all(s.operator in ARITHMETIC for s in subterms(argument)):
                found.append((t.operator, parameter, argument))
    return found


def parameters(operator: str, count: int) -> tuple[str, ...]:
    """What the arguments of a term in a subject are called."""
    return kind_of(operator).parameters if operator in stems() else tuple(map(str, range(count)))


def things(subject: Term) -> tuple[str, ...]:
    """The stems of the registered mechanisms and transformations in it, each once."""
    return tuple(dict.fromkeys(t.operator for t in subterms(subject) if t.operator in stems()))
