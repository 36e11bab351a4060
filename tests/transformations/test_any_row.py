"""any_row: 1 where there are rows, else 0; a step that is skipped on an empty lot tells just that."""

from fractions import Fraction as F

import pytest

from refdp.kernel import rules
from refdp.kernel.judgements import KernelError
from refdp.spec.semantics import law, value
from refdp.terms.reading import read
from tests.claimed import any_row
from tests.transformations.checks import tables

SKIPPED = "chain(any_row(grid(1)), listed(tuple_of(tuple_of(1, 0), tuple_of(0, 1))))"


def test_any_row_is_its_definition_and_moves_by_1():
    subject, inputs = read("any_row(grid(1))"), tables([F(0), F(5)], 3)
    assert all(value(subject, t) == (1 if t else 0) for t in inputs)
    assert str(any_row.add_remove().claim.d_out[0]) == "d_in * 1"


@pytest.mark.parametrize("rows", [0, 1, 2, 5])
def test_skipped_step_tells_that_the_lot_was_not_empty(rows):
    """A step is made with probability 1 - (1 - rate)^rows, which is 0 where there is no row."""
    made = law(read(f"poisson_sampled(1/100, {SKIPPED})"), (F(0),) * rows)
    assert made.get(F(1), F(0)) == 1 - F(99, 100) ** rows


@pytest.mark.parametrize("epsilon", [0, 10, 1000])
def test_skipped_step_is_refuted_below_the_rate_and_not_at_it(epsilon):
    def broken(delta):
        claim = (
            f"private(poisson_sampled(1/100, {SKIPPED}), table(grid(1)), symmetric(1), approximate({epsilon}, {delta}))"
        )
        return rules.unlikely_elsewhere(claim=claim, a="tuple_of(0)", b="tuple_of()", event="tuple_of(1)")

    assert broken("99/10000").claim is not None
    with pytest.raises(KernelError, match="does not break"):
        broken("1/100")
