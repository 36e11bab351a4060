"""delta(epsilon) of products of one or two continuous pairs: integrals with certified errors.  Section 9 of
docs/accounting_proofs.md."""
