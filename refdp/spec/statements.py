"""Statements to be proved: universally quantified implications between comparisons of terms."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256

from refdp.terms.term import Term, TermError, both, denominators, equal, name, names, term


@dataclass(frozen=True, slots=True)
class Statement:
    """For all values of its names: if every `given` holds, then `show` holds and no denominator is zero.

    Names in `integers` range over Z, the others over R.  What is `given` contains no division by a name.
    """

    given: tuple[Term, ...]
    show: Term
    integers: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        for condition in self.given:
            if denominators(condition):
                raise TermError(f"a hypothesis must not divide by a name, got {condition}")

    @property
    def variables(self) -> tuple[str, ...]:
        """Its names, sorted."""
        return tuple(sorted(frozenset().union(names(self.show), *map(names, self.given))))

    @property
    def conclusion(self) -> Term:
        """`show`, and that every denominator in it is not zero."""
        return both(self.show, *(term_is_not_zero(d) for d in denominators(self.show)))

    def __str__(self) -> str:
        reals = [v for v in self.variables if v not in self.integers]
        integers = [v for v in self.variables if v in self.integers]
        kinds = [f"{kind} {', '.join(v)}" for kind, v in (("real", reals), ("integer", integers)) if v]
        head = f"for all {' and '.join(kinds)}: " if kinds else ""
        given = f"if {' and '.join(map(str, self.given))} then " if self.given else ""
        conclusion = self.conclusion
        shown = conclusion.arguments if conclusion.operator == "all_of" else (conclusion,)
        return f"{head}{given}{' and '.join(map(str, shown))}"

    @property
    def digest(self) -> str:
        """SHA-256 of the canonical text: the same after reformatting and on every Python version."""
        return sha256(str(self).encode()).hexdigest()


def term_is_not_zero(t: Term) -> Term:
    """The comparison t != 0."""
    return Term("!=", (t, term(0)))


__all__ = ["Statement", "equal", "name", "term_is_not_zero"]
