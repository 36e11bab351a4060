"""Rules of thumb that are false, as statements about numbers.

Source: 000_049da8266149c954.txt; 003_4dd27ecb4894f6c7.txt; 004_ca35d8fbbac5cff0.txt; NRS07 (local sensitivity).
"""

from __future__ import annotations

from refdp.spec.named_statements import NamedStatements
from refdp.spec.registry import register
from refdp.spec.statements import Statement
from refdp.terms.term import name

a, b, c, d, added = map(name, ("a", "b", "c", "d", "added"))
_smaller_half, _larger_half = abs((a + b) - (added + a)), abs((c + d) - (b + c + d))

TRAPS = register(
    NamedStatements(
        "traps",
        {
            "halves_by_rank": Statement(
                (0 <= added, added <= a, a <= b, b <= c, c <= d, d <= 1), _smaller_half + _larger_half <= 1
            ),
        },
    )
)
