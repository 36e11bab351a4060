"""Proofs that are too long for a line of the ledger: one function per claim, `STEM.NOTION` in STEM.py; see `lines`.

A function for a true claim takes nothing and returns its theorem; one for a false claim takes the claim's text and
returns its refutation.  `refdp verify` puts certificates into `certificates/`, which git does not track.
"""
