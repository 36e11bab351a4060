"""Certificates that are changed in one part mostly hold the same text: it is read once, as that takes the longest."""

from functools import cache

from refdp.programs import theorems as programs
from refdp.sensitivities import theorems as queries


def read_once(monkeypatch):
    """What is read of a text is kept; what cannot be read is refused anew each time."""
    read_query, kept = queries.program_of, {}

    def program_of(claim):
        key = claim.text, claim.function, str(claim.rows), repr(claim.arguments), claim.size
        if key not in kept:
            kept[key] = read_query(claim)
        return kept[key]

    monkeypatch.setattr(queries, "program_of", program_of)
    monkeypatch.setattr(programs, "program_in", cache(programs.program_in))
