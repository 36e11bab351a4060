"""Estimates agree with exact probabilities, so that what they rank first is worth a look."""

from random import Random

import pytest

from refdp.programs.events import chance
from refdp.programs.probabilities import approximately
from refdp.programs.refuting.outputs import OPEN, Cut, datum, outputs
from tests.examples import few
from tests.programs.refuting.programs import library, settings_of

NAMES = [
    "sparse_vector", "stoddard", "noisy_max", "noisy_max_value", "noisy_max_exponential_value", "roth", "prefix_sum",
    "discrete_noisy_max_value", "discrete_sparse_vector", "randomised_response", "exponential_mechanism",
]  # fmt: skip
CUTS: list[Cut] = [OPEN, (False, None, 0.5), (False, -1.0, None), (False, -1.0, 2.0), (True, None, 0.0)]


@pytest.mark.parametrize("name", NAMES)
def test_estimates_are_near_exact_probabilities(name: str) -> None:
    program, random = library()[name], Random(name)
    parameters = settings_of(program)
    for length in (1, 2, 3)[: 3 if program.data.is_list else 1]:
        for one in outputs(program, parameters, length, 600):
            for _ in range(few(2)):
                low = 0 if program.data.sort == "Bool" else -2
                data = tuple(float(random.randint(low, -low or 1)) for _ in range(length))
                cuts = tuple(random.choice(CUTS[: 4 + bool(k)]) for k in range(len(one.slots)))
                exact = chance(program, parameters, tuple(datum(program, x) for x in data), one.event(cuts))
                assert one.chance(data, cuts) == pytest.approx(approximately(exact), rel=1e-4, abs=1e-7)
