"""Certificates about questions of engines, and the same in the formats that came before: as data, nothing is judged."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from refdp.kernel.sources import digest_of

FORMATS: Mapping[str, tuple[str, str]] = {
    "program": ("refdp-alignment/1", "refdp-counterexample/1"),
    "sensitivity": ("refdp-sensitivity/1",) * 2,
    "machine_function": ("refdp-machine-function/1",) * 2,
    "machine_sum": ("refdp-machine-sensitivity/1",) * 2,
    "smooth_sensitivity": ("refdp-smooth-sensitivity/1",) * 2,
}
"""Kind of question -> the format of before, of a proof and of a refutation."""
RULES = ("engine_proves", "engine_refutes")
MACHINE = ("arithmetic", "sum", "maximum_rows", "minimum_rows", "specials")
COUNTS = ("maximum_rows", "minimum_rows", "edits")
PYTHON = "before 3.12"
"""Which Python the sum of a question is of plays no part in it."""


def is_question(content: Any) -> bool:
    """Whether a certificate has one step, which is about a question."""
    match content:
        case {"steps": [{"rule": rule}]}:
            return rule in RULES
    return False


def as_before(content: Any) -> dict[str, Any]:
    """A certificate about a question in the format of before, as far as those who judge it read it."""
    [step] = content["steps"]
    data, is_proof = step["data"], step["rule"] == RULES[0]
    kind, asked, evidence = data["kind"], json.loads(data["question"]), json.loads(data["evidence"])
    form, verdict = FORMATS[kind][not is_proof], "PROVED" if is_proof else "REFUTED"
    text = content["sources"][data["source"]] if "source" in data else ""
    about = {"source": text, "function": data["function"]}
    match kind:
        case "program":
            return {"format": form, "question": about | asked, **evidence}
        case "sensitivity":
            return {"format": form, "claim": about | asked, "verdict": verdict, "evidence": evidence}
        case "machine_function":
            machine = {key: asked.pop(key) for key in MACHINE} | {"python": PYTHON}
            return {"format": form, "claim": about | asked, "machine": machine, "verdict": verdict,
                    "evidence": evidence}  # fmt: skip
        case "machine_sum":
            return {"format": form, **asked, **{key: int(asked[key]) for key in COUNTS}, **evidence}
    parts = [[[one if at == 2 else counted(one) for at, one in enumerate(s)] for s in part]
             for part in evidence["parts"]]  # fmt: skip
    return {"format": form, "statistic": data["function"], "rows": text.split(), **asked, "parts": parts}


def counted(text: Any) -> Any:
    """A whole number that was a text."""
    return int(text) if isinstance(text, str) else text


def of_before(before: Any) -> dict[str, Any]:
    """The certificate about a question that says what one of before says; its conclusion is not yet written."""
    kind = [kind for kind, forms in FORMATS.items() if before["format"] in forms][0]  # noqa: RUF015
    is_proof = before["format"] == FORMATS[kind][0]
    rest, text = {key: part for key, part in before.items() if key != "format"}, None
    if kind in ("program", "sensitivity", "machine_function"):
        asked = dict(rest.pop("question" if kind == "program" else "claim"))
        text, function = asked.pop("source"), asked.pop("function")
        evidence = rest if kind == "program" else rest["evidence"]
        is_proof = is_proof if kind == "program" else rest["verdict"] == "PROVED"
        if kind == "machine_function":
            asked |= {key: part for key, part in rest["machine"].items() if key != "python"}
    elif kind == "machine_sum":
        function, evidence = "", {"lemmas": rest.pop("lemmas")}
        asked = {key: str(part) if type(part) is int else part for key, part in rest.items()}
    else:
        text, function = " ".join(rest.pop("rows")), rest.pop("statistic")
        parts = rest.pop("parts")
        evidence = {"parts": [[[str(n) if type(n) is int else n for n in s] for s in part] for part in parts]}
        asked = rest
    data = {"kind": kind, "function": function, "question": json.dumps(asked), "evidence": json.dumps(evidence)}
    sources = {} if text is None else {digest_of(text): text}
    data |= {} if text is None else {"source": digest_of(text)}
    data |= {"by": []} if is_proof else {}
    step = {"rule": RULES[not is_proof], "premises": [], "data": data}
    return {"format": "refdp-certificate/2", "claim": "", "conclusion": "", "trusts": [], "sources": sources,
            "steps": [step]}  # fmt: skip
