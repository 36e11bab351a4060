"""`refdp.program`: a randomised program of one's own as a mechanism, proved, to be chained with a query."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from inspect import getsourcefile
from pathlib import Path
from typing import Any

from refdp.commands.prove import questions
from refdp.commands.second_judging import programs_again
from refdp.commands.values import by_name
from refdp.derivations import keep_program
from refdp.kernel import rules
from refdp.kernel.judgements import Private
from refdp.kernel.sources import bring
from refdp.logic.internal_errors import KEY
from refdp.pipeline import Measurement, PipelineError
from refdp.programs.judgement import Judgement
from refdp.programs.judging import judge
from refdp.programs.language.reading import Unread
from refdp.programs.running.sources import drawing_from, run
from refdp.programs.theorems import proof_evidence, step_data
from refdp.sampling.entropy import Bits
from refdp.spec.programs import load_draw
from refdp.terms.term import names


def program(
    target: str | Path | Callable[..., Any],
    *,
    number: int = 0,
    adjacency: str | None = None,
    set: Mapping[str, object] | None = None,  # noqa: A002
    timeout: float = 60.0,
    run: bool = True,
) -> Measurement:
    """FILE.py:FUNCTION, or the function itself, as a mechanism: what its decorator claims is proved.

    `number` says which of its claims, from 0; `adjacency` ALL, ONE, L1, L2, MONO or ADD_REMOVE replaces the
    decorator's; `set` gives public parameters values, all of them where it is to be run.  Its map is stated at
    d_in = 1, one step of the adjacency.  The text is read; a function that is given itself is run by Python, with exact
    draws, and so is the second judge's look in a limited process, which `run=False` leaves out.

    Raises PipelineError where the claim is refuted or not proved, or its adjacency is none that the kernel knows;
    ValueError for other bad input, Unsupported for Python that is not read.
    """
    place = target if not callable(target) else f"{getsourcefile(target)}:{target.__name__}"
    given = by_name(set, "set")
    asked = [(q, p) for q, p in questions(place) if q.number == number]
    if not asked:
        raise PipelineError(f"number must be that of a claim of {place}, got {number}")
    question, read = asked[0]
    if isinstance(read, Unread):
        raise PipelineError(f"{question.function} is not read: {read}")
    question = replace(question, adjacency=adjacency, given=given)
    _, claim = question.about(read)
    found = proved(judge(question, read, claim, timeout), run)
    data = step_data(read, claim, bring(question.source), proof_evidence(found.proof))
    theorem = rules.program_is_private(**data, by=sorted(found.trusts))
    keep_program(theorem)
    said = theorem.claim
    if not isinstance(said, Private):
        raise TypeError("a program is about a private claim")
    if callable(target) and not names(said.subject):
        load_draw(said.subject, drawing(target, given))
    return Measurement(said.subject, said.domain, said.metric, said.measure, said.d_out, at_one=True)


def proved(found: Judgement, run: bool) -> Judgement:
    """The judgement, if it is a proof that the second judge does not contradict; PipelineError otherwise."""
    function = found.program.name
    if found.verdict != "PROVED":
        reason = found.reason or "its claim is refuted"
        raise PipelineError(f"nothing is proved of {function}: {reason}")
    again = programs_again({0: found}, run).get(0, {})
    if again.get("verdict", "PROVED") != "PROVED":
        raise PipelineError(f"nothing is proved of {function}: {again.get(KEY) or again.get('reason')}")
    return found


def drawing(function: Callable[..., Any], given: Mapping[str, str]) -> Callable[[Any, Bits | None], Any]:
    """One run of the function, with draws made of these flips, or the operating system's."""

    def draw(data: Any, bits: Bits | None) -> Any:
        inputs = list(data) if isinstance(data, tuple) else data
        if bits is None:
            return run(function, inputs, **given)
        with drawing_from(bits):
            return run(function, inputs, **given)

    return draw
