"""Statements about numbers, one file for each subject.  Importing this package registers them all."""

from refdp.statements.accuracy import ACCURACY
from refdp.statements.composition import COMPOSITION

__all__ = ["ACCURACY", "COMPOSITION"]
