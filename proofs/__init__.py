"""Proofs: one short function per claim of the ledger, `STEM.NOTION` in STEM.py.

A function for a true claim takes nothing and returns its theorem; one for a false claim takes the claim's text and
returns its refutation.  `refdp verify` puts certificates into `certificates/`, which git does not track.
"""
