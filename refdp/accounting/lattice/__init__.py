"""delta(epsilon) where all losses lie on one lattice: integer polynomials.  docs/accounting_proofs.md section 3."""
