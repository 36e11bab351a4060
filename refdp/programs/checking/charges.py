"""What each draw is charged: that a shift leads to a possible draw, and costs at most its weight times the rate.

family              second draw                   privacy loss                     what must hold
laplace             draw + shift                  |shift| / scale
discrete_laplace    draw + shift, an integer      |shift| / scale
exponential         draw + shift                  shift / scale                    draw + shift >= 0
bernoulli           not draw where flipped        ln of the odds, where flipped    p <= R (1 - p), 1 - p <= R p
uniform             draw + shift, an integer      none                             it is within the limits
choice, gaussian    draw                          none
choice from a list  draw                          rate (high - low)                the exponents, see `Product.weight`
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from refdp.programs.checking.alignment import Alignment, Group
from refdp.programs.checking.public import Public, Refused
from refdp.programs.execution import Drawn
from refdp.terms.leaves import FALSE, ZERO, integer, make, rational
from refdp.terms.operations import (
    absolute,
    add,
    at_most,
    choice,
    conjunction,
    equal,
    less,
    multiply,
    negation,
    real,
    subtract,
    total,
)
from refdp.terms.term import Term

SHIFTED = frozenset({"laplace", "discrete_laplace", "exponential", "uniform"})
"""Families to whose draws something may be added."""
RATED = frozenset({"laplace", "discrete_laplace", "exponential", "bernoulli"})
"""Families whose shifts are charged by site."""


def possible(draw: Drawn, value: Term, public: Public) -> Term:
    """The values that can be drawn."""
    if draw.family == "exponential":
        return at_most(ZERO, value)
    if draw.family == "uniform":
        low, high = map(public, draw.parameters)
        return conjunction(at_most(low, value), at_most(value, high))
    if draw.family == "choice":
        below = () if draw.weights else (less(value, integer(len(draw.parameters))),)
        return conjunction(at_most(ZERO, value), *below)
    return equal(ZERO, ZERO)


@dataclass(frozen=True, slots=True)
class Followed:
    """The draw of the second run that follows one of the first, together with what it costs."""

    second: Term
    charge: tuple[int, Term] | None
    """The group that is charged, and the weighted shift; None where nothing can be lost."""


def followed(draw: Drawn, shift: Term, alignment: Alignment) -> Followed:
    """The only way to a draw of the second run: whoever asks for it has had its charge looked up.

    Refused where the family has no such shift, and where what the shift costs is charged nowhere.
    """
    if draw.weights is not None:
        return Followed(_shifted(draw, shift), _spread(draw.weights, alignment))
    if is_nothing(shift):
        return Followed(draw.variable, None)
    second = _shifted(draw, shift)
    if draw.family == "uniform":
        return Followed(second, None)
    if draw.site not in alignment.charges:
        raise Refused(f"the {draw.family} draw of site {draw.site} must be charged where it is shifted")
    group, weight = alignment.charges[draw.site]
    insist_on_group(group, alignment)
    if draw.family == "bernoulli":
        return Followed(second, (group, choice(shift, rational(weight), rational(0))))
    size = shift if draw.family == "exponential" else absolute(shift)
    return Followed(second, (group, multiply(rational(weight), real(size))))


def is_nothing(shift: Term) -> bool:
    """Whether the second draw is the first one."""
    return shift is FALSE or (shift.operator == "number" and shift.value == 0)


def insist_on_group(group: int, alignment: Alignment) -> None:
    """Refused where there is no group of that number."""
    if not 0 <= group < len(alignment.groups):
        raise Refused(f"what is charged must be charged to one of the groups, got group {group}")


def _shifted(draw: Drawn, shift: Term) -> Term:
    """The draw of the second run.  Refused where the family has no such shift."""
    if is_nothing(shift):
        return draw.variable
    if draw.family == "bernoulli":
        if shift.sort != "Bool":
            raise Refused(f"a bernoulli draw must be flipped or not, got {shift}")
        return choice(shift, negation(draw.variable), draw.variable)
    integral = draw.family in ("discrete_laplace", "uniform")
    if draw.family not in SHIFTED or shift.sort != ("Int" if integral else "Real"):
        raise Refused(f"a {draw.family} draw cannot be shifted by {shift}")
    return add(draw.variable, shift)


def _spread(weights: str, alignment: Alignment) -> tuple[int, Term]:
    """What a choice from a list of weights is charged."""
    if weights not in alignment.lists:
        raise Refused(f"the list of weights {weights} must be charged where it is chosen from")
    spread = alignment.lists[weights]
    insist_on_group(spread.group, alignment)
    if spread.low > spread.high:
        raise Refused(f"weights must grow by {spread.low} at least and by no less at most, got {spread.high}")
    return spread.group, rational(spread.high - spread.low)


def drawable(draw: Drawn, public: Public) -> Iterator[Term]:
    """What must hold of public parameters so that there is such a draw."""
    if draw.weights is not None:
        return
    if draw.family == "uniform" and any(p.sort != "Int" for p in draw.parameters):
        raise Refused(f"a uniform draw must be between integers, got {', '.join(map(str, draw.parameters))}")
    numbers = [real(public.exact(p)) for p in draw.parameters]
    if draw.family == "bernoulli":
        yield conjunction(at_most(ZERO, numbers[0]), at_most(numbers[0], rational(1)))
    elif draw.family == "uniform":
        yield at_most(numbers[0], numbers[1])
    elif draw.family == "choice":
        yield conjunction(*(at_most(ZERO, weight) for weight in numbers), less(ZERO, total(numbers)))
    else:
        yield less(ZERO, numbers[0])


def rated(draw: Drawn, group: Group, weight: Fraction, public: Public) -> Iterator[Term]:
    """What must hold of public parameters so that the charge of a draw is what is lost."""
    if draw.family not in RATED:
        raise Refused(f"a {draw.family} draw cannot be charged")
    if weight <= 0 or (draw.family == "bernoulli" and weight != 1):
        raise Refused(f"a weight must be > 0, and 1 for a bernoulli draw, got {weight}")
    if draw.family != "bernoulli":
        scale = real(public.exact(draw.parameters[0]))
        yield equal(multiply(multiply(rational(weight), public.exact(group.rate)), scale), rational(1))
        return
    heads = real(public.exact(draw.parameters[0]))
    tails, odds = subtract(rational(1), heads), greatest_odds(group, public)
    yield conjunction(less(ZERO, heads), less(ZERO, tails))
    yield conjunction(at_most(heads, multiply(odds, tails)), at_most(tails, multiply(odds, heads)))


def greatest_odds(group: Group, public: Public) -> Term:
    """R where the rate is ln(R), else e to the rate."""
    if group.rate.operator == "ln":
        return real(public.exact(group.rate.arguments[0]))
    return public.exact(make("exp", "Real", real(group.rate)))
