"""Statements about numbers, one file for each subject.  Importing this package registers them all."""

from refdp.statements.accuracy import ACCURACY
from refdp.statements.classical import CLASSICAL
from refdp.statements.clipping import CLIPPING
from refdp.statements.composition import COMPOSITION
from refdp.statements.definitions import DEFINITIONS
from refdp.statements.docket import DOCKET
from refdp.statements.naive_laplace import NAIVE_LAPLACE
from refdp.statements.normal_law import NORMAL_LAW
from refdp.statements.notebook_numbers import NOTEBOOK_NUMBERS
from refdp.statements.posterior import POSTERIOR
from refdp.statements.printed_proofs import PRINTED_PROOFS
from refdp.statements.profiles import PROFILES
from refdp.statements.sampled_rows import SAMPLED_ROWS
from refdp.statements.sensitivity_examples import SENSITIVITY_EXAMPLES
from refdp.statements.ten_row_table import TEN_ROW_TABLE
from refdp.statements.traps import TRAPS

__all__ = [
    "ACCURACY",
    "CLASSICAL",
    "CLIPPING",
    "COMPOSITION",
    "DEFINITIONS",
    "DOCKET",
    "NAIVE_LAPLACE",
    "NORMAL_LAW",
    "NOTEBOOK_NUMBERS",
    "POSTERIOR",
    "PRINTED_PROOFS",
    "PROFILES",
    "SAMPLED_ROWS",
    "SENSITIVITY_EXAMPLES",
    "TEN_ROW_TABLE",
    "TRAPS",
]
