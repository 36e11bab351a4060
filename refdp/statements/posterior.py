"""What an answer tells about a person, by Bayes' rule: from the prior probability of a 1 to that after the answer.

p and q are the probabilities of the answer under 1 and under 0, t = e^epsilon >= 1.
Source: 004_ca35d8fbbac5cff0.txt.
"""

from __future__ import annotations

from refdp.spec.named_statements import NamedStatements
from refdp.spec.registry import register
from refdp.spec.statements import Statement, equal
from refdp.spec.terms import Term, name

p, q, t, prior = map(name, ("p", "q", "t", "prior"))
GIVEN = (0 < prior, prior < 1, 0 < p, 0 < q, 1 <= t, p <= t * q, q <= t * p)


def posterior() -> Term:
    """The probability of a 1 after the answer."""
    return prior * p / (prior * p + (1 - prior) * q)


POSTERIOR = register(
    NamedStatements(
        "posterior",
        {
            "odds_move_by_the_factor": Statement(GIVEN, posterior() * (1 - prior) <= t * prior * (1 - posterior())),
            "nothing_new": Statement(GIVEN, equal(posterior(), prior)),
        },
    )
)
