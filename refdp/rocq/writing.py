"""What is written of one claim so far, for Rocq, and what a step's writer gets."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from refdp.kernel.judgements import require
from refdp.kernel.theorem import RULES, Theorem
from refdp.rocq.terms import NotInRocq
from refdp.terms.term import Term

Writer = Callable[["Export", Theorem, Sequence[str]], str]
"""Writes one step, given the names of the theorems that its premises have become; what the step's is called.

NotInRocq where the library has no word for it.
"""
CALLED = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
"""What a theorem may be called."""
MARKS = re.compile(r"\(\*|\*\)|\"")
"""What begins or ends a comment or a string of Rocq."""
ENDS = re.compile(r"\.(?=\s|$)")
"""What ends a sentence of Rocq."""
COMMANDS = re.compile(
    r"\b(Qed|Defined|Admitted|Abort|Axioms?|Parameters?|Conjecture|Theorem|Lemma|Definition|admit|give_up)\b"
)
"""What a proof does not hold: with it, what stands after a theorem's name would be another theorem, or assumed."""


@dataclass(slots=True)
class Export:
    """The lines of a file, the modules of the library that they use, and the obligations that they prove."""

    lines: list[str] = field(default_factory=list)
    modules: set[str] = field(default_factory=set)
    obligations: list[dict[str, Any]] = field(default_factory=list)
    premises: list[dict[str, Any]] = field(default_factory=list)
    """What solvers proved, and the file takes from them: name, who proved it, and what each was asked."""
    sections: list[str] = field(default_factory=list)
    """The sections that are open, in which premises stand."""
    notes: list[str] = field(default_factory=list)
    """What the comment that opens the file says besides."""
    subjects: dict[Term, str] = field(default_factory=dict)
    """What the file calls subjects that it defines."""

    def uses(self, *modules: str) -> None:
        """These modules of the library are needed, by their qualified names."""
        self.modules |= set(modules)

    def opens(self, section: str) -> None:
        """Begin a section, which ends with the file."""
        self.sections.append(section)
        self.lines += ["", f"Section {section}."]

    def premise(self, name: str, statement: str, solvers: Sequence[str], scripts: Sequence[str]) -> None:
        """Add a hypothesis that these solvers proved: it holds if none of the scripts has a model."""
        self.premises.append({"name": name, "solvers": list(solvers), "smt": "\n".join(scripts)})
        asked = [line for text in scripts for line in harmless(text).splitlines()]
        self.lines += [
            f"(* A premise, which {harmless(' or '.join(solvers))} proved: each of these has no model.",
            *(f"   {line}" for line in asked),
            "*)",
            f"Hypothesis {name} :",
            f"  {statement}.",
        ]

    @property
    def parts(self) -> tuple[list[Any], ...]:
        """All that steps add to."""
        return self.lines, self.obligations, self.premises, self.sections, self.notes

    def size(self) -> tuple[int, ...]:
        """How much is written."""
        return tuple(map(len, self.parts))

    def back_to(self, size: tuple[int, ...]) -> None:
        """Take away what was written since then."""
        for kept, some in zip(size, self.parts, strict=True):
            del some[kept:]

    def says(self, name: str, statement: str, proof: Iterable[str], about: str = "") -> str:
        """Add a theorem with its proof, under a comment; its name.

        NotInRocq where a text would end before its place does.
        """
        lines = list(proof)
        if not CALLED.fullmatch(name):
            raise NotInRocq(f"{name[:80]!r} is no name of a theorem")
        if ENDS.search(statement) or MARKS.search(statement):
            raise NotInRocq(f"the statement of {name} would end before its place does")
        if any(COMMANDS.search(line) or MARKS.search(line) for line in lines):
            raise NotInRocq(f"the proof of {name} would end before its place does")
        head = ["", f"(* {harmless(about)} *)"] if about else [""]
        self.lines += [*head, f"Theorem {name} :", f"  {statement}.", "Proof.", *lines, "Qed."]
        return name


def require_told(step: Theorem) -> None:
    """Return if a step about a text, which is written from its data, concludes what its rule makes of these."""
    told = RULES[step.rule](*step.premises, **step.data).claim
    require(told == step.claim, f"{step.rule}: its data are about {told.term}, and not about {step.claim.term}")


def harmless(text: str) -> str:
    """A text that neither ends a comment nor opens one, or a string, in it."""
    return text.replace("(*", "( *").replace("*)", "* )").replace('"', "'")


Writers = Mapping[str, Writer]
"""Rule -> what writes a step of it."""
