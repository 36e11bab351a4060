"""Statements about numbers, one file for each subject.  Importing this package registers them all."""

from refdp.statements.classical import CLASSICAL
from refdp.statements.composition import COMPOSITION

__all__ = ["CLASSICAL", "COMPOSITION"]
