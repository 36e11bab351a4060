"""A theorem of the kernel as a file for Rocq.

Each step of its derivation is a theorem of that file, proved from those of its premises by the library's theorem for
the rule.  Where the library has no word for a step, or for what one speaks of, the file ends there: the claim is whole
where its last step is in the file, and otherwise what is proved of numbers stands alone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from textwrap import wrap
from typing import Any

from refdp.claims import claim, formal_of, verdict
from refdp.kernel.judgements import Judgement, KernelError, Refuted, require, require_well_formed
from refdp.kernel.theorem import FAILURES, Theorem
from refdp.rocq import (
    alignments,
    columns,
    conversions,
    finite,
    judgements,
    moved,
    noise,
    relations,
    selections,
    stability,
    statements,
)
from refdp.rocq.not_accepted import NOT_ACCEPTED
from refdp.rocq.terms import NotInRocq
from refdp.rocq.writing import Export, Writers, harmless
from refdp.terms.reading import read

judgements.SUBJECTS.update({**noise.SUBJECTS, **stability.SUBJECTS, **finite.SUBJECTS, **conversions.SUBJECTS})
judgements.SUBJECTS.update({**columns.SUBJECTS, **relations.SUBJECTS})
judgements.OF_VECTORS.update(selections.OF_VECTORS)
judgements.NEAR.update({**noise.NEAR, **stability.NEAR, **conversions.NEAR, **finite.NEAR})
judgements.OTHERS.extend((noise.said, conversions.said, columns.said))
QUESTIONS: Writers = {**relations.QUESTIONS}
"""Kind of question of an engine's -> what writes its answer."""
REFUTED_QUESTIONS: Writers = {**moved.QUESTIONS}
"""Kind of question of an engine's -> what writes that the claim is false."""


def engine_proves(export: Export, step: Theorem, lemmas: Sequence[str]) -> str:
    """The answer to a question of an engine's, where its kind can be written."""
    kind = step.data["kind"]
    if kind not in QUESTIONS:
        raise NotInRocq(f"what the engine of {kind} proves is not written for Rocq yet")
    return QUESTIONS[kind](export, step, lemmas)


def engine_refutes(export: Export, step: Theorem, lemmas: Sequence[str]) -> str:
    """That a question of an engine's is answered with no, where its kind can be written."""
    kind = step.data["kind"]
    if kind not in REFUTED_QUESTIONS:
        raise NotInRocq(f"what the engine of {kind} refutes is not written for Rocq yet")
    return REFUTED_QUESTIONS[kind](export, step, lemmas)


WRITERS: Writers = {
    **statements.WRITERS,
    **alignments.WRITERS,
    **relations.WRITERS,
    **moved.WRITERS,
    "engine_proves": engine_proves,
    "engine_refutes": engine_refutes,
    **conversions.WRITERS,
    **noise.WRITERS,
    **selections.WRITERS,
    **finite.WRITERS,
    **stability.WRITERS,
    **columns.WRITERS,
}
WIDTH = 110
"""Longest line of a comment."""
HEAD = ("From Coq Require Import Reals Lra ZArith List.", "From Refdp Require Import Laws Privacy Algebra.")
WHOLE, PREMISES, OBLIGATIONS, NOTHING = "whole", "premises", "obligations", "nothing"
"""What a file proves: the claim; the claim, from premises that solvers proved; what its certificate proves of numbers;
nothing."""
SAYS = {
    WHOLE: "The last theorem of this file is the claim.",
    PREMISES: "The last theorem of this file is the claim, from premises that solvers proved: each is a hypothesis "
    "here, under what the solvers were asked.",
    OBLIGATIONS: "Proved here is what the claim's certificate proves of numbers, and not the claim:",
    NOTHING: "Nothing of it is proved here:",
}
"""What the comment that opens a file says of that."""


def file_of(theorem: Theorem, name: str, sentence: str, formal: str) -> dict[str, Any]:
    """The file for a theorem, what in it is proved, and the reasons for what is not.

    KernelError where the theorem is not about the formal claim, or a step is none that a rule of the kernel makes.
    """
    _require_about(theorem, name, sentence, formal)
    export, called, missing = _written(theorem, WRITERS)
    if (why := _not_accepted(theorem)) is not None:
        missing[theorem.rule] = why
    status = ""
    if id(theorem) in called and not missing:
        status = PREMISES if export.premises else WHOLE
    if not status:
        export, called, _ = _written(theorem, statements.WRITERS)
        status = OBLIGATIONS if export.obligations else NOTHING
    last = called[id(theorem)] if status in (WHOLE, PREMISES) else None
    return as_file(export, (name, sentence, formal), status, missing, list(called.values()), last)


def as_file(
    export: Export,
    about: tuple[str, str, str],
    status: str,
    missing: Mapping[str, str],
    names: Sequence[str],
    last: str | None,
) -> dict[str, Any]:
    """The file with these lines, about a claim by name, in words and as refdp's text: what it proves is `names`."""
    lines = [*_opening(*about, status, missing, export), *prelude(export.modules), *export.lines]
    return {
        "claim": about[0],
        "status": status,
        "theorem": last,
        "obligations": export.obligations,
        "premises": export.premises,
        "missing": missing,
        "names": list(names),
        "modules": sorted(export.modules),
        "body": export.lines,
        "text": "\n".join(lines) + "\n",
    }


def prelude(modules: Collection[str]) -> list[str]:
    """How a file begins that needs these modules of the library: it decides what statements mean."""
    needed = [f"From Refdp Require {' '.join(sorted(modules))}."] if modules else []
    return [*HEAD, *needed, "Import ListNotations.", "Open Scope R_scope."]


def _written(theorem: Theorem, writers: Writers) -> tuple[Export, dict[int, str], dict[str, str]]:
    """The steps that these writers write: the file, what each is called, and why others are not in it."""
    export, called, missing = Export(), dict[int, str](), dict[str, str]()
    for step in _steps(theorem):
        if any(id(p) not in called for p in step.premises):
            continue
        before = export.size()
        try:
            _require_said(step.claim)
            if step.rule not in writers:
                raise NotInRocq("the library's theorem is not applied to claims yet")
            called[id(step)] = writers[step.rule](export, step, [called[id(p)] for p in step.premises])
        except NotInRocq as reason:
            export.back_to(before)
            missing.setdefault(step.rule, str(reason))
        except FAILURES as error:
            raise KernelError(f"{step.rule}: no such step is made by the kernel: {error!r}") from error
    export.lines += [f"End {section}." for section in reversed(export.sections)]
    return export, called, missing


def formal_text(theorem: Theorem) -> str:
    """What a theorem proves, or refutes, as a formal text."""
    found = theorem.claim
    return formal_of(found.claim if isinstance(found, Refuted) else found)


def _not_accepted(theorem: Theorem) -> str | None:
    """Why Rocq does not take the proof of a step, whatever the certificate is called; None where nothing is known."""
    reasons = (_refused_claims().get(formal_text(step)) for step in _steps(theorem))
    return next((why for why in reasons if why is not None), None)


@cache
def _refused_claims() -> dict[str, str]:
    """Formal text of each claim whose file is not taken -> the reason."""
    return {claim(name).formal: why for name, why in NOT_ACCEPTED.items()}


def _require_about(theorem: Theorem, name: str, sentence: str, formal: str) -> None:
    """Return if the theorem proves or refutes the formal claim, and the words on it are not those of a file."""
    try:
        require(verdict(theorem.claim, formal) is not None, f"{theorem.claim.term} is not about {formal}")
    except FAILURES as error:
        raise KernelError(f"the conclusion of {theorem.rule} says nothing: {error!r}") from error
    for one in SAYS.values():
        require(
            one not in " ".join(f"{name}: {sentence} {formal}".split()), f"a claim must not say {one!r} of its file"
        )


def _require_said(claim: Judgement) -> None:
    """Return if what the claim says is what is read where it is written down, as the kernel demands of each step."""
    require(read(str(claim.term)) == claim.term, f"{claim.term} is not read as it is written")
    require_well_formed(claim)


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


def _opening(
    name: str, sentence: str, formal: str, status: str, missing: Mapping[str, str], export: Export
) -> Iterator[str]:
    """The comment that opens a file."""
    reasons = [f"{rule}: {reason}." for rule, reason in missing.items()]
    premises = len(export.premises)
    says = SAYS[status].replace("premises", f"{premises} premise{'s' * (premises != 1)}", 1)
    yield from _comment((f"{name}: {sentence}", "", f"refdp's claim: {formal}", "", says, *export.notes, *reasons))


def _comment(paragraphs: Sequence[str]) -> Iterator[str]:
    """A comment, in lines that fit."""
    lines = [line for text in paragraphs for line in (wrap(harmless(text), WIDTH) or [""])]
    yield f"(* {lines[0]}"
    yield from (f"   {line}".rstrip() for line in lines[1:-1])
    yield f"   {lines[-1]} *)"
