"""Statements about numbers, one file for each subject.  Importing this package registers them all."""

from refdp.statements.composition import COMPOSITION
from refdp.statements.definitions import DEFINITIONS

__all__ = ["COMPOSITION", "DEFINITIONS"]
