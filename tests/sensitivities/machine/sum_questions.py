"""Questions whether bounds of sums of floats are right, as the kernel asks the engine, and their certificates."""

from refdp.kernel.certificate import answer_certificate
from refdp.kernel.rules.questions import EngineQuestion
from refdp.sensitivities.machine.adjusted import AdjustedBound
from refdp.sensitivities.machine.certificates import believed, evidence_text, question_text


def sum_question(found: AdjustedBound) -> EngineQuestion:
    """Whether the bound is one."""
    return EngineQuestion("machine_sum", "", "", question_text(found), evidence_text(found))


def sum_certificate(found: AdjustedBound) -> str:
    """The certificate that it is, on the word of z3."""
    asked = sum_question(found)
    needed, is_asked = believed(asked)
    return answer_certificate(asked, needed | ({"z3"} if is_asked else set())) or ""
