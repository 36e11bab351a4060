"""delta(epsilon) of products of few pairs, by listing all sums of losses.  docs/accounting_proofs.md section 8."""
