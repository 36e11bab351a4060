"""The tests that there are: of integers and floats around a location, and of finite laws."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction

from refdp.auditing.evidence import arms, cells, finite_laws
from refdp.auditing.evidence.cells import Line, LowDigits
from refdp.auditing.evidence.e_values import error
from refdp.auditing.evidence.partitions import Dirichlet, Mixture, Partition, SimpleAlternative
from refdp.auditing.evidence.power import Alternative
from refdp.auditing.evidence.sampler_tests import SamplerTest, View
from refdp.auditing.evidence.tallies import integers, members, real
from refdp.laws import Law
from refdp.numerics.exact import Exactly, exact, positive

ALPHA = Fraction(1, 10**9)
RESOLUTION = Fraction(1, 20)
"""PASS speaks of a scale that is wrong by this part, and of an outcome of a finite law that is off by this much."""
ROUNDING = Fraction(1, 2**50)
"""How far, relatively, a float may be from the real number that has the continuous law."""


def lattice_test(
    law: Law,
    alpha: Exactly = ALPHA,
    location: Exactly = 0,
    granularity: Exactly = 1,
    resolution: Exactly = RESOLUTION,
) -> SamplerTest:
    """Whether values are location + granularity K, K independent draws of a law of integers."""
    if not law.lattice:
        raise ValueError(f"the law must be one of integers, got {law}")
    line, digits = cells.line(law), LowDigits(law)
    low = digits.partition()
    views = [_line_view(line, Fraction(15, 16), resolution)]
    views.append(View("low digits", Fraction(1, 16), Mixture(low, _equal_dirichlets(low)), digits.place()))
    reader = integers(exact(location, "location"), positive(granularity, "granularity"))
    return SamplerTest(str(law), error(alpha), reader, tuple(views), _scales(line, views[0], resolution))


def float_test(
    law: Law,
    alpha: Exactly = ALPHA,
    location: Exactly = 0,
    rounding: Exactly = ROUNDING,
    absolute: Exactly = 0,
    resolution: Exactly = RESOLUTION,
) -> SamplerTest:
    """Whether floats x are within absolute + rounding |x| of location + Y, Y independent draws of a continuous law.

    Nothing is said of their low bits, on which a continuous law has no say.
    """
    if law.lattice:
        raise ValueError(f"the law must be continuous, got {law}")
    slack, relative = exact(absolute, "absolute"), exact(rounding, "rounding")
    if slack < 0 or not 0 <= relative < 1:
        raise ValueError(f"absolute must be >= 0 and rounding in [0, 1), got {slack} and {relative}")
    line = cells.line(law, slack, relative, exact(location, "location"))
    view = _line_view(line, Fraction(1), resolution)
    return SamplerTest(str(law), error(alpha), real, (view,), _scales(line, view, resolution))


def finite_test(
    masses: finite_laws.Masses, alpha: Exactly = ALPHA, name: str = "the law", resolution: Exactly = RESOLUTION
) -> SamplerTest:
    """Whether values are independent draws of a finite law, given exactly or by enclosures."""
    partition = finite_laws.partition(masses)
    places: dict[Hashable, int] = {y: i for i, y in enumerate(finite_laws.possible(masses))}
    stated = _moved(partition, float(positive(resolution, "resolution")))
    weight = Fraction(1, 8 * max(1, len(stated)))
    process = Mixture(
        partition, [(w * Fraction(7, 8), a) for w, a in finite_laws.arms(partition)] + [(weight, a) for a in stated]
    )
    view = View("outcomes", Fraction(1), process, lambda place: int(place))
    alternatives = [Alternative(a.name, normal(a), a.masses, partition.most, weight) for a in stated]
    return SamplerTest(name, error(alpha), members(places), (view,), tuple(alternatives))


def _line_view(line: Line, weight: Fraction, resolution: Exactly) -> View:
    """The cells of the line; a quarter of the weight is on the scales that PASS speaks of, those that are declared."""
    partition, off = line.partition(), _factors(resolution)
    declared = [(w * Fraction(7, 8), a) for w, a in arms.arms(line, partition)]
    stated = [(Fraction(1, 16), arms.scale_arm(line, partition, factor)) for factor in off]
    return View("line", weight, Mixture(partition, [*stated, *declared]), line.place())


def _factors(resolution: Exactly) -> tuple[Fraction, Fraction]:
    """1 -+ resolution; ValueError unless 0 < resolution < 1."""
    part = exact(resolution, "resolution")
    if not 0 < part < 1:
        raise ValueError(f"resolution must be > 0 and < 1, got {part}")
    return 1 - part, 1 + part


def _scales(line: Line, view: View, resolution: Exactly) -> tuple[Alternative, ...]:
    """The law with its scale off by the resolution, with certified masses of the cells."""
    found, most = [], view.process.partition.most
    for i, factor in enumerate(_factors(resolution)):
        bets, weight = view.process.arms[i], view.weight * view.process.weights[i]
        if isinstance(bets, SimpleAlternative):
            masses = line.under(line.law.rescaled(factor))
            found.append(Alternative(f"scale times {factor}", masses, bets.masses, most, weight))
    return tuple(found)


def _equal_dirichlets(low: Partition) -> list[tuple[Fraction, Dirichlet]]:
    """Mixtures on the last one, two, ... digits."""
    found = []
    for digits in range(1, cells.LOW_DIGITS + 1):
        group = tuple(k % 2**digits for k in range(len(low.cells)))
        for strength in arms.STRENGTHS:
            counts = (strength,) * 2**digits
            found.append(Dirichlet(f"the last {digits} digits, prior {strength}", group, counts))
    return [(Fraction(1, len(found)), arm) for arm in found]


def normal(alternative: SimpleAlternative) -> tuple[Fraction, ...]:
    """Its masses, divided by their sum."""
    return tuple(q / sum(alternative.masses) for q in alternative.masses)


def _moved(partition: Partition, by: float) -> list[SimpleAlternative]:
    """Each outcome of a short law, or block of outcomes of a long one, off by so much, either way."""
    found = [finite_laws.moved(partition, b, s * by) for b in finite_laws.blocks(partition) for s in (1, -1)]
    return [a for a in found if a is not None]
