"""TRUSTED: from a question and proposed invariants to plain conditions, which z3 and cvc5 discharge.  No search."""
