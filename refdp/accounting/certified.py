"""What the kernel's rule `account` asks of the engines: at least the delta of a product of pairs, without search.

An engine works out a curve by a method whose parameters (binary digits, the step of a grid, a contour, an order) decide
how narrow its enclosures are, and never whether they hold.  Here they come as evidence, one text for each number, under
`SIDE NAME`: the side is remove or add where rows are sampled, or replace, and both elsewhere.  `wide`, beside those of
any engine, is the variance from which discrete normal noise is taken for noise on the reals with a greater loss (Lemma
1.27).  `refdp.accounting.evidence` finds them.  Lemmas: docs/accounting_proofs.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, cast

from refdp import work
from refdp.accounting import losses
from refdp.accounting.curves import Effort, OutOfReach
from refdp.accounting.greatest import Greatest, Selected, greatest_loss
from refdp.accounting.losses import Composition, Direction, Loss, composition, require
from refdp.accounting.pairs import DIRECTIONS, NOTHING
from refdp.accounting.stated.bounds import stated_profile
from refdp.accounting.stated.shuffles import Shuffled, ShuffledRandomisedResponse
from refdp.kernel.rules.accounts import Pair
from refdp.numerics.enclosures import interval, precision
from refdp.numerics.exact import ExactReal, exact
from refdp.numerics.intervals import Interval

if TYPE_CHECKING:
    from refdp.accounting.contour.factors import Factor, Line

WORK = 600.0
"""Seconds of work after which an engine gives up."""
FEWEST_BITS, MOST_BITS = 32, 2048
"""Fewest and most binary digits that are worked with."""
MOST_POINTS = 1_000_000
"""Most points of a contour."""
LARGEST_CIRCLE = 10**12
"""Most points of a circle, of which few are asked about."""
LARGEST_VARIANCE = 10**40
"""Greatest variance from which on noise may be taken for noise on the reals."""
LARGEST_ORDER = 10**6
"""Greatest order of Renyi divergences."""
LARGEST_SIZE = 200
"""Numerators and denominators of the numbers of a contour or grid have at most so many binary digits."""
Numbers = Mapping[str, str]
"""The evidence of one side: names of parameters -> numbers as text."""


def greatest_delta(
    pairs: Sequence[Pair], epsilon: Fraction, engine: str, evidence: Mapping[str, str]
) -> tuple[Fraction, frozenset[str]]:
    """At least the delta at epsilon of the product of the pairs, in either order of the inputs; who is believed.

    ValueError or ArithmeticError where the engine is not known, its evidence is not that, or it gives up.
    """
    require(engine in ENCLOSURES, "engine", f"one of {', '.join(ENCLOSURES)}", engine)
    told: dict[str, dict[str, str]] = {side: {} for side in sides_of(pairs)}
    for key, value in evidence.items():
        side, _, name = key.partition(" ")
        require(side in told, "evidence", f"about {' or '.join(told)}", key)
        told[side][name] = value
    ends = [enclosure(pairs, side, epsilon, engine, numbers).upper for side, numbers in told.items()]
    return max(ends), frozenset({f"engine: {engine}"})


def enclosure(pairs: Sequence[Pair], side: str, epsilon: Fraction, engine: str, told: Numbers) -> Interval:
    """An interval that holds the delta on one side; its lower end is 0 where noise is taken for another."""
    wide = number(told, "wide", 1, LARGEST_VARIANCE) if "wide" in told else None
    product, more = on_side(pairs, side, wide)
    require(more <= epsilon, "epsilon", f"at least {float(more):.6g} where noise is taken for normal noise", epsilon)
    found = ENCLOSURES[engine](product, epsilon - more, {name: text for name, text in told.items() if name != "wide"})
    return found if wide is None else Interval(Fraction(0), found.upper)


def sides_of(pairs: Sequence[Pair]) -> tuple[str, ...]:
    """The orders of inputs that are told apart: a row removed or added on samples; else one for both."""
    found = {pair.scheme for pair in pairs if pair.rate is not None}
    if any(pair.name == "ordered" for pair in pairs):  # as of a row more and of a row less
        found.add("poisson")
    if not found:
        return ("both",)
    require(found <= {"poisson"} or "poisson" not in found, "rows", "added and removed, or replaced", "both")
    return DIRECTIONS["add_remove" if "poisson" in found else "change_one"]


def on_side(pairs: Sequence[Pair], side: str, wide: int | None = None) -> tuple[Composition, Fraction]:
    """The product of what is known, and how much greater than its loss that of the parts may be (Lemma 1.27)."""
    parts, more = list[tuple[Loss, int]](), Fraction(0)
    for pair in pairs:
        if wide is not None and pair.name == "discrete_gaussian" and pair.rate is None:
            variance, steps = map(exact, pair.numbers)
            if variance >= max(wide, 1):  # however many steps: a grid that holds them is not needed
                more += pair.count * steps / variance
                parts.append((losses.Normal(steps**2 / variance), pair.count))
                continue
        loss: Loss = known(pair)
        if pair.name == "ordered" and pair.rate is None and side == "add":
            loss = backwards(base(pair))
        if pair.rate is not None and loss != NOTHING:
            if pair.scheme == "fixed_size":
                loss = losses.FixedSize(base(pair), pair.rate)
            else:
                loss = losses.Sampled(base(pair), pair.rate, cast(Direction, side))
        parts.append((loss, pair.count))
    return composition(parts), more


def known(pair: Pair) -> Loss:
    """What is known of a run that is not on a sample: a pair of laws, or bounds."""
    first = pair.numbers[0]
    match pair.name:
        case "bounded_range":
            return losses.BoundedRange(first if isinstance(first, ExactReal) else ExactReal(first))
        case "concentrated":
            return losses.Concentrated(exact(first))
        case "renyi":
            return losses.Renyi(tuple(in_twos(pair)))
        case "points":
            return stated_profile(in_twos(pair)).loss()
        case "shuffled_response":
            return ShuffledRandomisedResponse(int(exact(first)), exact(pair.numbers[1])).loss()
        case "shuffled":
            epsilon = pair.numbers[1]
            return Shuffled(int(exact(first)), epsilon if isinstance(epsilon, ExactReal) else ExactReal(epsilon)).loss()
    return base(pair)


def backwards(pair: losses.Base) -> losses.Base:
    """Two finite laws in the other order."""
    if not isinstance(pair, losses.Finite):
        raise TypeError(f"{pair} are no finite laws")
    return losses.Finite(tuple((q, p) for p, q in pair.outcomes))


def in_twos(pair: Pair) -> list[tuple[Fraction, Fraction]]:
    """The numbers of a pair, two and two."""
    numbers = list(map(exact, pair.numbers))
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def base(pair: Pair) -> losses.Base:
    """The pair of laws without its sampling."""
    first, *rest = pair.numbers
    if pair.name in ("finite", "ordered"):
        return losses.Finite(tuple(in_twos(pair)))
    if pair.name == "response":
        return losses.Response(first if isinstance(first, ExactReal) else ExactReal(first), *map(exact, rest))
    numbers = list(map(exact, pair.numbers))
    match pair.name, numbers:
        case "normal", [mu_squared]:
            return losses.Normal(mu_squared)
        case "laplace", [epsilon]:
            return losses.Laplace(epsilon)
        case "discrete_laplace", [epsilon, steps]:
            return losses.DiscreteLaplace(epsilon, int(steps))
        case "discrete_gaussian", [variance, steps]:
            return losses.DiscreteGaussian(variance, int(steps))
    raise ValueError(f"no pair of laws is called {pair.name}")


def by_greatest_losses(product: Composition, epsilon: Fraction, told: Numbers) -> Interval:
    """0 where epsilon is at least the sum of the greatest losses, with logarithms of so many binary digits."""
    (bits,) = numbers(told, "bits")
    most = Fraction(0)
    for loss, count in product.parts:
        greatest = greatest_loss(loss)
        if not isinstance(greatest, Greatest):
            raise OutOfReach("no greatest loss is known" if isinstance(greatest, Selected) else greatest.why)
        most += count * greatest.ends(bits)[1]
    return Interval(Fraction(0), Fraction(0) if most <= epsilon else Fraction(1))


def by_renyi_divergences(product: Composition, epsilon: Fraction, told: Numbers) -> Interval:
    """What the moments of that order show, in balls of so many binary digits."""
    from refdp.accounting.theorems.renyi_engine import ENGINE, at_order

    only(told, "order", "bits")
    order, bits = rational(told, "order"), number(told, "bits", FEWEST_BITS, MOST_BITS)
    require(1 < order <= LARGEST_ORDER, "order", f"> 1 and at most {LARGEST_ORDER}", order)
    if reason := ENGINE.why_not(product):
        raise OutOfReach(reason)
    return Interval(Fraction(0), at_order(product, order, epsilon, bits, effort()))


def by_sums(product: Composition, epsilon: Fraction, told: Numbers) -> Interval:
    """Sums of rho, of greatest losses and of deltas: Lemma 1.12.  It takes no numbers."""
    from refdp.accounting.loose import ENGINE, total

    only(told)
    if reason := ENGINE.why_not(product):
        raise OutOfReach(reason)
    return total(product).delta(epsilon)


def by_closed_form(product: Composition, epsilon: Fraction, told: Numbers) -> Interval:
    """A formula in balls of so many binary digits."""
    from refdp.accounting.closed_forms.engine import closed_form
    from refdp.accounting.closed_forms.formula import probability

    (bits,) = numbers(told, "bits")
    value = closed_form(product)
    if value is None:
        raise OutOfReach("the composition has no closed form")
    with precision(bits):
        return probability(value(epsilon, bits), bits)


def by_lattice(product: Composition, epsilon: Fraction, told: Numbers) -> Interval:
    """Sums on a lattice, with masses of so many binary digits."""
    from refdp.accounting.lattice import engine

    (bits,) = numbers(told, "bits")
    if reason := engine.ENGINE.why_not(product):
        raise OutOfReach(reason)
    return engine.curve(engine.laws(product), bits, effort()).delta(epsilon)


def by_cells(product: Composition, epsilon: Fraction, told: Numbers) -> Interval:
    """Cells of a grid of that step, with masses of so many binary digits."""
    from refdp.accounting.cells import engine
    from refdp.accounting.cells.laws import atoms_of, lists
    from refdp.accounting.lattice.engine import GUARD

    only(told, "step", "bits")
    step, bits = rational(told, "step"), number(told, "bits", FEWEST_BITS, MOST_BITS)
    if reason := engine.ENGINE.why_not(product):
        raise OutOfReach(reason)
    allowed = effort()
    with precision(bits + 2 * GUARD):
        listed = lists(((atoms_of(loss, bits), count) for loss, count in product.parts), allowed)
    return engine.curve(product, listed, step, bits, allowed).delta(epsilon)


def by_quadrature(product: Composition, epsilon: Fraction, told: Numbers) -> Interval:
    """Integrals whose errors are about 2^-bits."""
    from refdp.accounting.quadrature import engine
    from refdp.accounting.quadrature.build import built

    bits, accuracy = numbers(told, "bits", "accuracy")
    parts = engine.parted(product)
    if isinstance(parts, str):
        raise OutOfReach(parts)
    with precision(bits + 64):
        curve = built(engine.NAME, product, parts.discrete, parts.integrated, parts.known, bits, accuracy)
    return curve.delta(epsilon)


def by_contour(product: Composition, epsilon: Fraction, told: Numbers) -> Interval:
    """The sum along a line at that order, with that period and so many points."""
    from refdp.accounting.contour.choice import factor
    from refdp.accounting.contour.engine import ENGINE
    from refdp.accounting.contour.factors import Line

    only(told, "order", "period", "count", "bits")
    if reason := ENGINE.why_not(product):
        raise OutOfReach(reason)
    line = Line(rational(told, "order"), rational(told, "period"), number(told, "count", 1, MOST_POINTS))
    return _along(line, [(factor(loss), number_of) for loss, number_of in product.parts], epsilon, told)


def by_periodic_contour(product: Composition, epsilon: Fraction, told: Numbers) -> Interval:
    """The sum over so many points, the first of `size` around a circle, at that order."""
    from refdp.accounting.contour.circle import Circle, lattice_of
    from refdp.accounting.contour.factors import Line
    from refdp.accounting.contour.lattice_noise import factor_on
    from refdp.accounting.lattice.groups import NO_LATTICE

    only(told, "order", "size", "count", "bits")
    lattice = lattice_of(product)
    if lattice is None:
        raise OutOfReach(NO_LATTICE)
    count, size = number(told, "count", 1, MOST_POINTS), number(told, "size", 3, LARGEST_CIRCLE)
    require(size % 2 == 1 and 2 * count + 1 <= size, "size", "odd, and more than twice the count", size)
    line = Line(rational(told, "order"), Circle(lattice, size), count)
    return _along(line, [(factor_on(loss, lattice), number_of) for loss, number_of in product.parts], epsilon, told)


def _along(line: Line, parts: list[tuple[Factor, int]], epsilon: Fraction, told: Numbers) -> Interval:
    """The sum along a line, with moments of so many binary digits."""
    from refdp.accounting.contour.integral import Contour
    from refdp.accounting.contour.ladder import infinite_mass
    from refdp.accounting.contour.plan import GUARD, MOST_DIGITS

    bits, digits = number(told, "bits", FEWEST_BITS, MOST_BITS), line.count.bit_length()
    accuracy = bits - GUARD - digits
    require(accuracy >= 1, "bits", f"more than {GUARD + digits}", bits)
    require(line.count * bits <= MOST_DIGITS, "count", f"at most {MOST_DIGITS // bits} with {bits} bits", line.count)
    with precision(bits):
        decays = [one.decay(line.order) for one, _ in parts]
        shares = [None if decay is None else decay.bound(line.reach) for decay in decays]
        accurate = [(one, number_of, accuracy) for one, number_of in parts]
        contour = Contour.of(accurate, line, [2 * line.order], bits, effort(), shares)
    with precision(bits):
        infinite, (low, high) = infinite_mass(parts), contour.delta(epsilon)
        least, most = interval(infinite + low, bits).lower, interval(infinite + high, bits).upper
    return Interval(max(least, Fraction(0)), min(most, Fraction(1)))


def by_chords(product: Composition, epsilon: Fraction, told: Numbers) -> Interval:
    """Chords on a grid of about that step, where 2^-relative and 2^-lost of masses may be lost."""
    from refdp.accounting.grids.budget import ROOM, Budget
    from refdp.accounting.grids.engine import ENGINE
    from refdp.accounting.grids.refinement import curve, prepared, shifted, split
    from refdp.accounting.grids.shifts import NOTHING as NO_SHIFT

    only(told, "step", "relative", "lost")
    step, relative, lost = (
        float(rational(told, "step")),
        number(told, "relative", 8, 80),
        number(told, "lost", 16, 1000),
    )
    require(step > 0, "step", "> 0 as a float", step)
    if reason := ENGINE.why_not(product):
        raise OutOfReach(reason)
    count = sum(number_of for _, number_of in product.parts)
    budget = Budget(2.0**-relative, 2.0**-lost, lost + count.bit_length() + ROOM)
    allowed = effort()
    with precision(budget.precision):
        shift, parts = split(prepared(product, budget, allowed), step, budget, allowed)
        if not parts:
            return shifted(shift, None, budget).delta(epsilon)
        found = curve(parts, step, allowed, budget)
    return (found if shift is NO_SHIFT else shifted(shift, found, budget)).delta(epsilon)


ENCLOSURES: Mapping[str, Callable[[Composition, Fraction, Numbers], Interval]] = {
    "greatest losses": by_greatest_losses,
    "closed forms": by_closed_form,
    "lattice": by_lattice,
    "quadrature": by_quadrature,
    "contour": by_contour,
    "periodic contour": by_periodic_contour,
    "cells": by_cells,
    "chords": by_chords,
    "Renyi divergences": by_renyi_divergences,
    "basic composition and zCDP": by_sums,
}
"""Engine -> an interval that holds the delta of a composition at epsilon, by the numbers of its evidence."""


def effort() -> Effort:
    """What a replay may cost: it ends with OutOfReach."""
    return Effort(end=work.spent() + WORK)


def only(told: Numbers, *names: str) -> None:
    """LossError unless just these numbers are there."""
    require(sorted(told) == sorted(names), "evidence", f"the numbers {', '.join(names)}", ", ".join(sorted(told)))


def numbers(told: Numbers, *names: str) -> list[int]:
    """Binary digits, of each of these names and no others."""
    only(told, *names)
    return [number(told, name, FEWEST_BITS, MOST_BITS) for name in names]


def number(told: Numbers, name: str, least: int, most: int) -> int:
    """A whole number from `least` to `most`."""
    found = exact(told[name], name)
    is_whole = found.denominator == 1 and least <= found <= most
    require(is_whole, name, f"a whole number from {least} to {most}", told[name][:80])
    return int(found)


def rational(told: Numbers, name: str) -> Fraction:
    """A number > 0 with few digits."""
    found = exact(told[name], name)
    short = max(found.numerator.bit_length(), found.denominator.bit_length()) <= LARGEST_SIZE
    require(found > 0 and short, name, f"> 0, with at most {LARGEST_SIZE} binary digits", told[name][:80])
    return found
