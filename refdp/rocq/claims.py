"""A theorem of the kernel as a file for Rocq.

Each step of its derivation is a theorem of that file, proved from those of its premises by the library's theorem for
the rule.  Where the library has no word for a step, or for what one speaks of, the file ends there: the claim is whole
where its last step is in the file, and otherwise what is proved of numbers stands alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import Any

from refdp.kernel.theorem import Theorem
from refdp.rocq import alignments, conversions, finite, judgements, noise, stability, statements
from refdp.rocq.not_accepted import NOT_ACCEPTED
from refdp.rocq.terms import NotInRocq
from refdp.rocq.writing import Export, Writers

judgements.SUBJECTS.update({**noise.SUBJECTS, **stability.SUBJECTS, **finite.SUBJECTS, **conversions.SUBJECTS})
judgements.NEAR.update({**noise.NEAR, **stability.NEAR, **conversions.NEAR, **finite.NEAR})
judgements.OTHERS.extend((noise.said, conversions.said))
WRITERS: Writers = {
    **statements.WRITERS,
    **conversions.WRITERS,
    **noise.WRITERS,
    **finite.WRITERS,
    **stability.WRITERS,
    **alignments.WRITERS,
}
WIDTH = 110
"""Longest line of a comment."""
HEAD = ("From Coq Require Import Reals Lra ZArith List.", "From Refdp Require Import Laws Privacy Algebra.")
WHOLE, OBLIGATIONS, NOTHING = "whole", "obligations", "nothing"
"""What a file proves: the claim; what its certificate proves of numbers; nothing."""


def file_of(theorem: Theorem, name: str, sentence: str, formal: str) -> dict[str, Any]:
    """The file for a theorem, what in it is proved, and the reasons for what is not."""
    export, called, missing = _written(theorem, WRITERS)
    if name in NOT_ACCEPTED:
        missing[theorem.rule] = NOT_ACCEPTED[name]
    status = WHOLE if id(theorem) in called and not missing else ""
    if not status:
        export, called, _ = _written(theorem, statements.WRITERS)
        status = OBLIGATIONS if export.obligations else NOTHING
    lines = [*_opening(name, sentence, formal, status, missing), *HEAD]
    if export.modules:
        lines.append(f"From Refdp Require {' '.join(sorted(export.modules))}.")
    lines += ["Import ListNotations.", "Open Scope R_scope.", *export.lines]
    return {
        "claim": name,
        "status": status,
        "theorem": called[id(theorem)] if status == WHOLE else None,
        "obligations": export.obligations,
        "missing": missing,
        "names": list(called.values()),
        "modules": sorted(export.modules),
        "body": export.lines,
        "text": "\n".join(lines) + "\n",
    }


def _written(theorem: Theorem, writers: Writers) -> tuple[Export, dict[int, str], dict[str, str]]:
    """The steps that these writers write: the file, what each is called, and why others are not in it."""
    export, called, missing = Export(), dict[int, str](), dict[str, str]()
    for step in _steps(theorem):
        if any(id(p) not in called for p in step.premises):
            continue
        before = len(export.lines)
        try:
            if step.rule not in writers:
                raise NotInRocq("the library's theorem is not applied to claims yet")
            called[id(step)] = writers[step.rule](export, step, [called[id(p)] for p in step.premises])
        except NotInRocq as reason:
            del export.lines[before:]
            missing.setdefault(step.rule, str(reason))
    return export, called, missing


def _steps(theorem: Theorem) -> Iterator[Theorem]:
    """A theorem after its premises, each once."""
    seen: set[int] = set()

    def visit(t: Theorem) -> Iterator[Theorem]:
        if id(t) not in seen:
            seen.add(id(t))
            for p in t.premises:
                yield from visit(p)
            yield t

    yield from visit(theorem)


def _opening(name: str, sentence: str, formal: str, status: str, missing: dict[str, str]) -> Iterator[str]:
    """The comment that opens a file."""
    reasons = [f"{rule}: {reason}." for rule, reason in missing.items()]
    says = {
        WHOLE: "The last theorem of this file is the claim.",
        OBLIGATIONS: "Proved here is what the claim's certificate proves of numbers, and not the claim:",
        NOTHING: "Nothing of it is proved here:",
    }[status]
    yield from _comment((f"{name}: {sentence}", "", f"refdp's claim: {formal}", "", says, *reasons))


def _comment(paragraphs: Sequence[str]) -> Iterator[str]:
    """A comment, in lines that fit."""
    lines = [line for text in paragraphs for line in (wrap(_harmless(text), WIDTH) or [""])]
    yield f"(* {lines[0]}"
    yield from (f"   {line}".rstrip() for line in lines[1:-1])
    yield f"   {lines[-1]} *)"


def _harmless(text: str) -> str:
    """A text that neither ends a comment nor opens one, or a string, in it."""
    return text.replace("(*", "( *").replace("*)", "* )").replace('"', "'")
