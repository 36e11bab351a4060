"""Every mutant, and what is found about it."""

from collections.abc import Sequence
from dataclasses import dataclass

from refdp.programs.judging import judge
from refdp.programs.question import Question
from tests.programs.mutants.editing import Variant
from tests.programs.mutants.responses import RESPONSES
from tests.programs.mutants.selection import SELECTION
from tests.programs.mutants.sparse_vector import SPARSE_VECTOR
from tests.programs.mutants.sums import SUMS

MUTANTS: Sequence[Variant] = (*SELECTION, *SPARSE_VECTOR, *SUMS, *RESPONSES)


@dataclass(frozen=True)
class Found:
    """What was found about a question."""

    verdict: str
    n: str | None
    reason: str


def found(question: Question, seconds: float) -> Found:
    """The judgement of `refdp prove`."""
    judgement = judge(question, *question.read(), seconds)
    return Found(judgement.verdict, judgement.n, judgement.reason)
