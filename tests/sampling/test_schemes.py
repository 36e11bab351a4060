"""Which mechanism draws what, where several are run together; and what has no scheme."""

from dataclasses import replace
from fractions import Fraction as F

import pytest

import refdp.mechanisms
import refdp.transformations  # noqa: F401  (importing them registers what is run)
from refdp.sampling.coins import Coins
from refdp.sampling.schemes import draw, run
from refdp.sampling.tree import Tape
from refdp.spec.samplers import SCHEMES
from refdp.terms.reading import read
from refdp.terms.term import TermError


def test_parts_side_by_side_are_run_on_the_rows_that_the_partition_sends_them() -> None:
    """Every part on its own rows, whatever the others have; rows of no part are left out."""
    islands = "category_of('island', list_of('A', 'B', 'C'), 3)"
    parts = [f"chain(count(records()), discrete_laplace({scale}, 1))" for scale in (1, 2, 3)]
    subject = read(f"parallel({islands}, {', '.join(parts)})")
    table = tuple({"island": name} for name in "ABBCCCD")
    asked = []

    def draws(m, inputs):
        asked.append((str(m), inputs))
        return inputs

    assert run(subject, table, draws, Coins()) == (F(1), F(2), F(3))
    assert asked == [(f"discrete_laplace({scale}, 1)", (F(scale),)) for scale in (1, 2, 3)]


@pytest.mark.parametrize("subject", ["laplace(1)", "gaussian(2)"])
def test_a_mechanism_without_a_scheme_is_not_drawn(subject: str) -> None:
    with pytest.raises(TermError, match="has no sampler"):
        draw(read(subject), F(0), Coins(Tape([0] * 100)))


@pytest.mark.parametrize("scale", [F(0), F(-1, 3)])
def test_a_scale_that_is_none_is_not_proposed(scale: F, monkeypatch: pytest.MonkeyPatch) -> None:
    scheme = SCHEMES["discrete_gaussian"]
    monkeypatch.setitem(SCHEMES, "discrete_gaussian", replace(scheme, choose_scale=lambda values: scale))
    with pytest.raises(TermError, match="proposal_scale must be > 0, got"):
        draw(read("discrete_gaussian(3, 1)"), F(0), Coins(Tape([0] * 100)))


def test_rows_are_sampled_by_a_flip_of_their_rate_each() -> None:
    subject, asked = read("poisson_sampled(1/3, chain(count(grid(1)), discrete_laplace(3, 1)))"), []

    class Known(Coins):
        __slots__ = ()

        def bernoulli(self, probability: F) -> bool:
            assert probability == F(1, 3)
            asked.append(probability)
            return len(asked) % 2 == 1

    assert run(subject, (F(7), F(8), F(9)), lambda m, inputs: inputs, Known(Tape([]))) == 2
    assert len(asked) == 3
