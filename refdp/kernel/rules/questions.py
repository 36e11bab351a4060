"""Rules about what only an engine has words for: the claim is a question of the engine's, answered yes or no.

Neighbours by a relation of a user's own, symbols with assumptions, bounds in the number of rows, smooth bounds at one
table: no domain, metric or measure says these.  The question stands in the conclusion as a whole, and nothing follows
from it: no rule takes such a claim as a premise.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any

from refdp.kernel.judgements import EngineClaim, Refuted, require
from refdp.kernel.sources import digest_of, source_of
from refdp.kernel.theorem import Assuming, rule
from refdp.terms.reading import read
from refdp.terms.term import TermError

KINDS: Mapping[str, str] = {
    "sensitivity": "refdp.sensitivities.checking.replaying",
    "smooth_sensitivity": "refdp.sensitivities.smoothing.certificates",
    "program": "refdp.programs.certificates.replaying",
    "machine_function": "refdp.sensitivities.machine.function_certificates",
    "machine_sum": "refdp.sensitivities.machine.certificates",
}
"""Kind of question -> the module of its engine, which has `restated`, `believed`, `asked`, `refuted` and `sentence`."""
OF_NO_TEXT = ("machine_sum",)
"""The kinds of questions that are about no text of a user's."""


@dataclass(frozen=True, slots=True)
class EngineQuestion:
    """A question of an engine's, and what is brought to show its answer."""

    kind: str
    text: str
    """What it is about: the file of a function, the rows of a table; empty where it is about neither."""
    function: str
    """What is asked about in that text: a function in a file, a statistic of a table."""
    question: str
    """All else that it is made of, as JSON."""
    evidence: str

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> EngineQuestion:
        """What the data of a step write down; KernelError unless the engine writes the question just so."""
        kind, source = data["kind"], data.get("source")
        require(kind in KINDS, f"kind must be one of {', '.join(KINDS)}")
        require((source is None) == (kind in OF_NO_TEXT), f"{kind} must name the text that it is about, if it has one")
        text = "" if source is None else source_of(source)
        found = cls(kind, text, data["function"], data["question"], data["evidence"])
        written = engine(kind).restated(found)
        require(written == found.question, f"the question must be written as {str(written)[:200]}")
        return found

    def claim(self, source: str | None) -> EngineClaim:
        """That the answer is yes; a question that is too long or too deep for a term is named by its digest."""
        whole = EngineClaim(self.kind, self.function, source or "", self.question)
        try:
            read(str(whole.term))
        except TermError:
            return replace(whole, question=digest_of(self.question))
        return whole


def engine(kind: str) -> Any:
    """The engine that answers questions of the kind."""
    return import_module(KINDS[kind])


@rule
def engine_proves(
    *, kind: str, source: str | None = None, function: str, question: str, evidence: str, by: list[str]
) -> Assuming:
    """
      all that the engine of this kind makes of text, question and `evidence` is proved
    -----------------------------------------------------------------------------------  [by]
      |- engine_claim(kind, function, source, question)

    Replay reads text and question again, makes every condition again and asks the solvers again.
    """
    asked = EngineQuestion.of({key: value for key, value in locals().items() if key != "by"})
    needed, is_asked = engine(kind).believed(asked)
    require(len(needed) > 0, "somebody must be believed")
    require(needed <= set(by) and by == sorted(set(by)), f"{' and '.join(sorted(needed))} must be named, in order")
    require(bool(set(by) - needed) == is_asked, "a solver must be named where one is asked, and nobody where none is")
    return Assuming(asked.claim(source), frozenset(by))


@rule
def engine_refutes(*, kind: str, source: str | None = None, function: str, question: str, evidence: str) -> Assuming:
    """
      what the engine of this kind works out from text, question and `evidence` is an instance that fails
    -----------------------------------------------------------------------------------------------------  [engine]
      |- engine_claim(kind, function, source, question) is false
    """
    asked = EngineQuestion.of(locals())
    trusts = engine(kind).refuted(asked)
    require(len(trusts) > 0, "who works it out must be named")
    return Assuming(Refuted(asked.claim(source)), frozenset(trusts))
