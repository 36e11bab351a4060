"""Statements of rational arithmetic, decided by z3 and cvc5 in worker processes."""
