"""What the oracles and the lemmas say of a kind with other formulas, while it is in the registry."""

from __future__ import annotations

from refdp.provers.lemmas import OPINIONS, NotProved, lemma, oracle_for
from refdp.spec.obligations import obligations
from refdp.spec.registry import Kind
from refdp.spec.samplers import Scheme
from refdp.spec.statements import Statement
from refdp.terms.term import TermError
from tests.exactness.entering import entered


def verdict(kind: Kind, key: str, scheme: Scheme | None = None) -> str:
    """What the oracle says of an obligation of a variant, "refused" where its formulas have the wrong shape for it.

    AssertionError unless lemmas agree with it.
    """
    with entered(kind, schemes={} if scheme is None else {kind.stem: scheme}):
        try:
            statement = obligations(kind.stem)[key]
        except TermError:
            return "refused"
        try:
            lemma(f"{kind.stem}.{key}")
        except NotProved:
            said = said_of(statement)
            if said == "proved":
                raise
        else:
            said = said_of(statement)
            if said != "proved":
                raise AssertionError(f"{kind.stem}.{key} became a lemma, and the oracle says {said}")
    return said


def said_of(statement: Statement) -> str:
    """The verdict of the oracle on a statement that was to become a lemma: it is asked before anything else."""
    return OPINIONS[statement.digest][oracle_for(statement)].verdict


def verdicts(kind: Kind, scheme: Scheme | None = None) -> dict[str, str]:
    """What the oracle says of each obligation of a variant."""
    with entered(kind, schemes={} if scheme is None else {kind.stem: scheme}):
        keys = list(obligations(kind.stem))
    return {key: verdict(kind, key, scheme) for key in keys}
