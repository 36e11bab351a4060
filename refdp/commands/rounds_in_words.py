"""What a theorem of the rule `account_rounds` says, in words: for `refdp account` and `refdp check`."""

from __future__ import annotations

from fractions import Fraction

from refdp.kernel.judgements import Judgement, Private
from refdp.spec.distances import METRICS
from refdp.spec.terms import Term, names

SHORT, DIGITS = 8, 18
"""Numbers of so many characters are written as they stand, and those of more digits as well."""
LEAST = Fraction(1, 1000)
"""Numbers that are no greater are written with a power of ten."""


def in_words(claim: Judgement) -> str | None:
    """The claim in words where it is about rounds within known numbers, under approximate DP; else None."""
    if not isinstance(claim, Private) or claim.subject.operator != "rounds" or claim.measure != "approximate":
        return None
    if names(claim.subject) or claim.given:
        return None
    bound, near = ", ".join(map(decimal_text, claim.d_out)), METRICS[claim.metric].sentence
    parts = "; ".join(map(round_in_words, claim.subject.arguments))
    near = near.replace("d_in", number_text(claim.d_in))
    return (
        f"all outcomes together are ({bound})-DP between two members of {claim.domain} ({near}), however each "
        f"round is chosen in view of the outcomes before it: {parts}"
    )


def round_in_words(said: Term) -> str:
    """What is known of a round, or of so many."""
    times = "1 round"
    if said.operator == "repeated":
        said, count = said.arguments
        times = f"{count} rounds"
    where = ""
    if said.operator == "poisson_sampled":
        rate, said = said.arguments
        where = f", each on a Poisson sample of rate {number_text(rate)} (this of samples with a row more or less)"
    if said.operator == "fixed_size_sampled":
        size, said = said.arguments
        where = f", each on {size} of the rows, drawn by chance (this of {size} rows, one of them replaced)"
    return f"{times} of {mechanism_in_words(said)}{where}"


def mechanism_in_words(said: Term) -> str:
    """Noise on an answer, or a loss."""
    if said.operator != "chain":
        return f"anything within {said}"
    (norm, noise) = said.arguments
    far = number_text(norm.arguments[0])
    return f"noise {noise} on each number of an answer that moves by at most {far} in {norm.operator.upper()}"


def number_text(t: Term) -> str:
    """A number as it stands where that is short, else as `decimal_text`.

    >>> from refdp.spec.terms import read
    >>> number_text(read("21245/10000")), number_text(read("1/1000000")), number_text(read("1/100"))
    ('2.1245', '1e-6', '1/100')
    """
    return str(t) if len(str(t)) <= SHORT else decimal_text(t)


def decimal_text(t: Term) -> str:
    """A number >= 0 as a decimal where it is one of few digits, else as it stands."""
    from refdp.accounting.numbers import decimal_above, scientific_above

    if t.operator != "number" or t.rational < 0:
        return str(t)
    text = (decimal_above if t.rational > LEAST else scientific_above)(t.rational, DIGITS)
    return text if Fraction(text) == t.rational else str(t)
