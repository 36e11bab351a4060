"""delta(epsilon) by closed forms and finite sums, to any number of digits.  docs/accounting_proofs.md section 2."""
