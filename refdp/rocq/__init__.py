"""Claims and obligations as text for Rocq: statements in full, and proofs made of certificates."""
