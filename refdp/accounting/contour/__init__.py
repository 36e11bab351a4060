"""The contour engine: delta(epsilon) as an integral of the moments of the loss along a vertical line, in Arb.

Proofs of every bound: docs/accounting_proofs.md section 5.
"""

from refdp.accounting.contour.engine import Contours

__all__ = ["Contours"]
