"""Certificates about programs in the formats that came before the kernel's, as refdp wrote them."""

import json
from typing import Any

from refdp.programs.certificates.content import content_of
from refdp.programs.question import Question, question_json

FORMATS = {"alignments": "refdp-alignment/1", "counterexample": "refdp-counterexample/1"}


def earlier(asked: Question, certificate: str) -> dict[str, Any]:
    """The certificate of the answer to that question, in the format of then."""
    evidence = dict(content_of(certificate).evidence)
    (kind,) = evidence
    question = {"source": asked.source, "function": asked.function, **question_json(asked)}
    return {"format": FORMATS[kind], "question": json.loads(json.dumps(question)), **evidence}
