"""delta(epsilon) of pairs with finitely many losses: split between cells.  docs/accounting_proofs.md section 3."""
