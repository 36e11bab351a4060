"""The claims about one thing by their names: after `from tests.claimed import laplace`, laplace.pure() is a theorem."""

from refdp.claims import ledger
from refdp.proofs.lines import proved

CLAIMS = frozenset(c.identifier for c in ledger())
STEMS = frozenset(c.stem for c in ledger())


class Stem:
    """The theorems, and the refutations, of the claims about a stem, made by their proofs."""

    def __init__(self, stem):
        self.STEM = self.__name__ = stem

    def __getattr__(self, notion):
        identifier = f"{self.STEM}.{notion}"
        if identifier not in CLAIMS:
            raise AttributeError(f"the ledger has no claim {identifier}")
        return lambda: proved(identifier)

    def __repr__(self):
        return self.STEM


def __getattr__(stem):
    if stem not in STEMS:
        raise AttributeError(f"the ledger has no claim about {stem}")
    return Stem(stem)
