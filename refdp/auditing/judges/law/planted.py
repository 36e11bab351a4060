"""Wrong laws that are planted: whether the test of a law sees a sampler that is wrong by as much as it speaks of.

The cells of a stated alternative are drawn; each draw becomes a value of its cell, which is read, placed, tallied,
written, read again and judged by the code that does so with the target's.  The other views get draws of the law itself.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from fractions import Fraction
from functools import lru_cache
from random import Random

from refdp.auditing.evidence.plants import is_seen, multinomial, stream
from refdp.auditing.evidence.power import Alternative
from refdp.auditing.evidence.sampler_tests import Outcome, SamplerTest
from refdp.auditing.evidence.tallies import Tally
from refdp.auditing.judges.law.histories import tally_json, tally_of
from refdp.auditing.judges.law.reading import JudgedLaw
from refdp.laws import Law, Reference

SPREADS, STEPS = 40, 64
"""Values on a line are sought so many spreads around the location, so many in each."""
WRONGER = (1, 2, 4, 8)
"""So many times as wrong as is stated."""
LOST = 1 / 1000
"""So much of the mass may be in cells of which no value is found."""


def seen(law: JudgedLaw, resolution: Fraction, draws: int) -> tuple[str, ...]:
    """The wrong laws that were planted and all seen in so many draws: the stated ones, or the least that are wronger.

    Empty where not even those that are WRONGER[-1] times as wrong were.
    """
    for times in WRONGER:
        if resolution * times >= 1 or (times > 1 and law.at is None):
            break
        wrong = law.test.alternatives if times == 1 or law.at is None else law.at(resolution * times).alternatives
        if wrong and _all_seen(law.test, wrong, values_of(law.reference), draws):
            return tuple(one.name for one in wrong)
    return ()


@lru_cache(maxsize=128)
def _all_seen(test: SamplerTest, wrong: tuple[Alternative, ...], values: tuple[Hashable, ...], draws: int) -> bool:
    """Whether each of the wrong laws was, where it was planted."""
    places = cells(test, values)
    for one in wrong:
        random = stream(test.law, test.alpha, one.name, draws)
        if not is_seen(lambda one=one, random=random: refuted(test, one, places, draws, random)):  # type: ignore[misc]
            return False
    return True


def values_of(law: Reference) -> tuple[Hashable, ...]:
    """Values of the law, of nearly all of its cells."""
    return law.outcomes or (() if law.line is None else ON_LINE(law.line, law.location, law.granularity))


def _on_line(line: Law, location: Fraction, granularity: Fraction) -> tuple[Hashable, ...]:
    """Multiples of the granularity, or floats, near the location and farther and farther from it."""
    found: list[Hashable] = []
    for k in range(-SPREADS * STEPS, SPREADS * STEPS + 1):
        z = line.spread * Fraction(k, STEPS)
        if line.lattice:
            y = location + granularity * round(z)
            found.append(int(y) if y.denominator == 1 else y)
        else:
            found.append(float(location + z))
    return tuple(found)


ON_LINE: Callable[..., tuple[Hashable, ...]] = lru_cache(maxsize=128)(_on_line)
"""The values, kept: they are the same for each part by which a law is off."""


@lru_cache(maxsize=128)
def cells(test: SamplerTest, values: tuple[Hashable, ...]) -> Mapping[int, Tally]:
    """For each cell of the first view the tally of a value in it, as the test reads and places it."""
    found: dict[int, Tally] = {}
    for value in dict.fromkeys(values):
        one = tally_of(tally_json(test.tally([value])))
        if sum(one.counts[0]) == 1:
            found.setdefault(one.counts[0].index(1), one)
    return found


def refuted(test: SamplerTest, wrong: Alternative, places: Mapping[int, Tally], draws: int, random: Random) -> bool:
    """Whether so many draws of the wrong law are."""
    masses = [float(p) for p in wrong.masses]
    if sum(p for c, p in enumerate(masses) if c not in places) > LOST * sum(masses):
        return False
    # The tally of a cell's value is one draw in that cell and nothing else: `cells` keeps no other.
    main = [n if c in places else 0 for c, n in enumerate(multinomial(draws, masses, random))]
    others = [multinomial(draws, [float(p) for p in view.process.partition.most], random) for view in test.views[1:]]
    counted = Tally((tuple(main), *map(tuple, others)))
    return test.is_over(counted) and test.judge(counted).outcome is Outcome.FAIL
