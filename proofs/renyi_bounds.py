"""renyi_bounds: Renyi divergences from pure DP, at smaller orders, of two edits and of the parts of a partition."""

from refdp.kernel import rules
from refdp.kernel.theorem import Theorem
from refdp.proofs.lines import proved


def _counted() -> Theorem:
    """A count with discrete Gaussian noise, sigma = 2, at order 8: 1."""
    counted = rules.instantiate(proved("count.add_remove"), values={"rows": "records()", "d_in": "1"})
    values = {"granularity": "1", "d_in": "1", "sigma": "2"}
    noise = rules.instantiate(proved("discrete_gaussian.concentrated"), values=values)
    return rules.concentrated_to_renyi(rules.chain(counted, noise), order="8")


def at_a_smaller_order() -> Theorem:
    """The bound at order 8 is one at order 4."""
    return rules.renyi_at_smaller_order(_counted(), order="4")


def two_rows() -> Theorem:
    """Two rows: 15/7 times the bound, at half the order."""
    return rules.group_renyi(_counted())


def parallel() -> Theorem:
    """An added row falls into one part."""
    partition = "category_of('island', list_of('A', 'B'), 2)"
    return rules.parallel(_counted(), _counted(), partition=partition, neighbours="add_remove")
