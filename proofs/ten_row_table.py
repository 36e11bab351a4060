"""ten_row_table: what a document reads off a table of ten rows, and what its three releases cost."""

from collections.abc import Iterable
from fractions import Fraction

from refdp.kernel import rules
from refdp.kernel.theorem import Theorem
from refdp.proofs.lines import proved
from refdp.provers.witnesses import refuted_by_output
from refdp.statements.ten_row_table import NEIGHBOUR, TABLE


def _noise(d_in: str) -> Theorem:
    """Discrete Laplace noise on whole numbers at most d_in apart."""
    return rules.instantiate(proved("discrete_laplace.pure"), values={"granularity": "1", "d_in": d_in})


def _threshold(y: int) -> Theorem:
    """A noisy threshold count, one row replaced."""
    values = {"threshold": str(y), "granularity": "1", "d_in": "1"}
    return rules.chain(rules.instantiate(proved("threshold_count.change_one"), values=values), _noise("1"))


def eight_thresholds() -> Theorem:
    """Eight counts, each moved by 1."""
    return rules.compose(*map(_threshold, range(8)))


def seven_thresholds() -> Theorem:
    """Seven counts, each moved by 1, and the number of rows, which a replaced row does not move."""
    rows = rules.instantiate(proved("count.change_one"), values={"rows": "grid(1)", "d_in": "1"})
    return rules.compose(*map(_threshold, range(7)), rules.chain(rows, _noise("0")))


def six_thresholds(claim: str) -> Theorem:
    """False: a row 0 that becomes 7 moves seven counts."""
    return refuted_by_output(claim, {"scale": "1"}, map(_rows, ((0,), (7,))), [_rows((0,) * 7)])


def three_attributes() -> Theorem:
    """Three means over ten rows move by at most 3/10 together."""
    values = {"dimension": "3", "size": "10", "d_in": "1"}
    means = rules.instantiate(proved("attribute_means.change_one_l1"), values=values)
    grid = {"granularity": "1/10", "dimension": "3", "d_in": "3/10"}
    return rules.chain(means, rules.instantiate(proved("discrete_laplace.pure_vector"), values=grid))


def eight_points_at_half_the_cost(claim: str) -> Theorem:
    """False: the document's own neighbouring tables differ in two of the counts."""
    counts = [Fraction(TABLE.count(y)) for y in range(8)]
    return refuted_by_output(claim, {"scale": "1"}, map(_rows, (TABLE, NEIGHBOUR)), [tuple(counts)])


def _rows(numbers: Iterable[int]) -> tuple[Fraction, ...]:
    """Rows as exact numbers."""
    return tuple(map(Fraction, numbers))
