"""sampled_rows: a mechanism on a sample of a fixed size, under replacement."""

from refdp.kernel import rules
from refdp.kernel.theorem import Theorem
from refdp.proofs import count, discrete_laplace
from refdp.proofs.lemmas import false_at
from refdp.provers.lemmas import lemma


def pointwise_one_row_replaced() -> Theorem:
    """The excess of one outcome."""
    return lemma("sampled_rows.one_row_replaced")


def pointwise_from_one_pair(claim: str) -> Theorem:
    """False: an outcome that both rows hide and a fresh one shows."""
    return false_at("sampled_rows.from_one_pair", p="2", q="1", r="0", rate="1/2", t="2")


def fixed_size_pure() -> Theorem:
    """A count with discrete Laplace noise of scale 2: ln(1 + sample / size (e - 1))."""
    return rules.fixed_size_sampled(_replaced())


def fixed_size_approximate() -> Theorem:
    """10 rows out of 100: (1, 1/1000) becomes (ln(1 + (e - 1)/10), 1/10000), rounded up."""
    loose = rules.weaken(rules.pure_to_approximate(_replaced()), d_out=["1", "1/1000"])
    return rules.fixed_size_sampled(loose, sample="10", size="100", d_out=["0.15857", "1/10000"])


def _replaced() -> Theorem:
    """A noisy count of which a replaced row costs 1."""
    counted = rules.instantiate(count.add_remove(), values={"rows": "records()", "d_in": "1"})
    noise = rules.instantiate(discrete_laplace.pure(), values={"scale": "2", "granularity": "1", "d_in": "1"})
    return rules.replaced_rows(rules.group(rules.chain(counted, noise), k="2"))
