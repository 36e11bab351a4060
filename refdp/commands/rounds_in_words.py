"""What a theorem of the rule `account_rounds` says, in words: for `refdp account` and `refdp check`."""

from __future__ import annotations

from fractions import Fraction

from refdp.kernel.judgements import Judgement, Private
from refdp.spec.distances import metric
from refdp.terms.term import Term, names

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
    bound, near = ", ".join(map(decimal_text, claim.d_out)), metric(claim.metric).sentence
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
        where = f", each on a Poisson sample of rate {number_text(rate)} ({ONE_MORE})"
    if said.operator == "cyclic_poisson_sampled":
        rate, parts, steps, said = said.arguments
        where = (
            f", each in {steps} steps, in turn on Poisson samples of rate {number_text(rate)} of {parts} parts of the "
            f"rows, in which one depends on no other row ({ONE_MORE})"
        )
    if said.operator == "fixed_size_sampled":
        size, said = said.arguments
        where = f", each on {size} of the rows, drawn by chance (this of {size} rows, one of them replaced)"
    return f"{times} of {mechanism_in_words(said)}{where}"


ONE_MORE = "this of samples with a row more or less"
"""Of which tables it is known."""


def mechanism_in_words(said: Term) -> str:
    """Noise on an answer, a selection, or what is known of anything else."""
    match said.operator, said.arguments:
        case "chain", (Term("linf" | "monotone" as norm, (far,)), selection):
            together = ", none up where another goes down" if norm == "monotone" else ""
            return f"selection {selection} by scores each of which moves by at most {number_text(far)}{together}"
        case "chain", (norm, noise):
            moved = number_text(norm.arguments[0])
            return f"noise {noise} on each number of an answer that moves by at most {moved} in {norm.operator.upper()}"
        case "shuffled_response", (users, truth):
            each = f"each told rightly with probability {number_text(truth)}"
            return f"the number of ones among the bits of {users} users, {each}; one of them holds another bit"
        case "shuffled", (users, epsilon):
            each = f"all by one mechanism that is {number_text(epsilon)}-DP between any two values"
            return f"the answers of {users} users in random order, {each}; one of them holds another value"
        case "bounded_range", (length,):
            return f"anything whose losses lie in an interval of length {number_text(length)}, in either order"
        case (("dominated_by" | "dominated_in_order"), (first, second)):
            where = "a row more, or the input 0, standing first" if said.operator != "dominated_by" else "in any order"
            return f"anything whose laws are no farther apart than {masses(first)} and {masses(second)}, {where}"
        case "all_of", losses:
            return f"anything within {' and '.join(map(str, losses))}"
    return f"anything within {said}"


def masses(law: Term) -> str:
    """The masses of a law."""
    return f"({', '.join(map(number_text, law.arguments))})"


def number_text(t: Term) -> str:
    """A number as it stands where that is short, else as `decimal_text`.

    >>> from refdp.terms.reading import read
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
