"""Certificates: a theorem's derivation as one JSON object, and back by replay.

    {"format": "refdp-certificate/2", "claim": ID, "conclusion": TEXT, "trusts": [NAMES],
     "sources": {DIGEST: TEXT, ...}, "steps": [{"rule": NAME, "premises": [INDICES], "data": {...}}, ...]}

The last step is the conclusion.  A certificate brings no obligation, no solver text and no code of refdp's: rules
rebuild every statement from this package and compare digests.  The files of users that it is about it brings as data,
under the digests that its steps name.  Unknown keys, large files and deep nesting are refused.  A certificate of format
1, which had no sources, is read as well.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from refdp.kernel import rules as _rules  # (it makes and seals the rules)
from refdp.kernel.judgements import KernelError
from refdp.kernel.rules.engines import Query
from refdp.kernel.rules.logic import obligation
from refdp.kernel.rules.machines import MachineClaim
from refdp.kernel.rules.programs import ProgramClaim
from refdp.kernel.rules.questions import OF_NO_TEXT, EngineQuestion
from refdp.kernel.sources import LARGEST_SOURCE, bring, source_of
from refdp.kernel.theorem import RULES, Theorem
from refdp.spec.domains import FINITE
from refdp.spec.statements import Statement

FORMAT = "refdp-certificate/2"
KEYS = ("format", "claim", "conclusion", "trusts", "sources", "steps")
DERIVED = ""
"""The claim name of a certificate that is not about a claim of the ledger."""
EARLIER = "refdp-certificate/1"
"""The format without sources."""
STEP_KEYS = ("rule", "premises", "data")
LARGEST_FILE = 1_000_000
"""Longest certificate that is read, in bytes."""
MOST_STEPS = 2_000

Question = Statement | Query | ProgramClaim | MachineClaim | EngineQuestion
Oracle = Callable[[Question, tuple[str, ...]], frozenset[str]]
"""Asks again: (what is to be proved, who vouched for it then) -> who vouches for it now; KernelError if nobody does."""
ASKED: Mapping[str, Callable[[Mapping[str, Any]], Question]] = {
    "oracle": lambda data: obligation(data["obligation"]),
    "runs_stay_related": Query.of,
    "program_is_private": ProgramClaim.of,
    "machine_stays_near": lambda data: MachineClaim.of({**data, "numbers": FINITE}),
    "engine_proves": EngineQuestion.of,
}
"""Rule on somebody's word -> what a step of it is to have proved."""


@dataclass(frozen=True, slots=True)
class Replayed:
    """The ledger claim that a certificate is for, and the theorem rebuilt from it; it trusts who was believed now."""

    claim: str
    theorem: Theorem

    @property
    def trusts(self) -> frozenset[str]:
        """Who was believed in this replay."""
        return self.theorem.trusts


def certificate(theorem: Theorem, claim: str) -> dict[str, Any]:
    """The derivation of `theorem` as a JSON object, for the ledger claim `claim`."""
    order: dict[int, int] = {}
    steps: list[dict[str, Any]] = []

    def visit(t: Theorem) -> int:
        if id(t) not in order:
            premises = [visit(p) for p in t.premises]
            steps.append({"rule": t.rule, "premises": premises, "data": dict(t.data)})
            order[id(t)] = len(steps) - 1
        return order[id(t)]

    visit(theorem)
    conclusion, trusts = str(theorem.claim.term), sorted(theorem.trusts)
    sources = {digest: source_of(digest) for digest in sorted(named_sources(steps))}
    return dict(zip(KEYS, (FORMAT, claim, conclusion, trusts, sources, steps), strict=True))


def answer_certificate(asked: EngineQuestion, by: Iterable[str] | None) -> str | None:
    """The certificate of the answer to a question: yes, for which these vouch; no, where `by` is None.

    None where the text that it is about, or the certificate, is too long.  KernelError where the kernel does not take
    what is brought.
    """
    data: dict[str, Any] = {key: getattr(asked, key) for key in ("kind", "function", "question", "evidence")}
    if len(asked.evidence.encode()) > LARGEST_FILE:
        return None
    if asked.kind not in OF_NO_TEXT:
        if len(asked.text.encode()) > LARGEST_SOURCE:
            return None
        data["source"] = bring(asked.text)
    made = _rules.engine_refutes(**data) if by is None else _rules.engine_proves(**data, by=sorted(by))
    found = text_of(certificate(made, DERIVED))
    return found if len(found) <= LARGEST_FILE else None


def named_sources(steps: Iterable[Mapping[str, Any]]) -> set[str]:
    """The digests of the texts that steps are about."""
    return {step["data"]["source"] for step in steps if "source" in step["data"]}


def text_of(found: Mapping[str, Any]) -> str:
    """The certificate as JSON text, the same every time."""
    return json.dumps(found, indent=1, ensure_ascii=True) + "\n"


def parsed(text: str) -> dict[str, Any]:
    """The JSON object in `text`, its shape checked; KernelError with the reason otherwise."""
    if len(text.encode()) > LARGEST_FILE:
        raise KernelError(f"a certificate must have at most {LARGEST_FILE} bytes")
    try:
        found = json.loads(text, object_pairs_hook=_object, parse_float=_refuse, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise KernelError(f"not a certificate: {type(error).__name__}: {str(error)[:100]}") from None
    if isinstance(found, dict) and found.get("format") == EARLIER and "sources" not in found:
        found = with_sources(found)
    if not isinstance(found, dict) or tuple(found) != KEYS or found["format"] != FORMAT:
        raise KernelError(f"a certificate must be an object with the keys {', '.join(KEYS)} and format {FORMAT}")
    sources = found["sources"]
    if not isinstance(sources, dict) or not _is_strings(list(sources.values())):
        raise KernelError("sources must be an object of texts by their digests")
    strings = all(isinstance(found[key], str) for key in KEYS[:3])
    if not strings or not _is_strings(found["trusts"]) or not isinstance(found["steps"], list):
        raise KernelError("claim and conclusion must be texts, trusts a list of texts, steps a list")
    if not 1 <= len(found["steps"]) <= MOST_STEPS:
        raise KernelError(f"a certificate must have 1 to {MOST_STEPS} steps, got {len(found['steps'])}")
    return found


def with_sources(found: Mapping[str, Any]) -> dict[str, Any]:
    """A certificate of format 1 as one of format 2: it was about no text of a user."""
    renewed = {"format": FORMAT, "sources": dict[str, str]()}
    return {key: renewed.get(key, found.get(key)) for key in KEYS} if set(found) == {*KEYS} - {"sources"} else {}


def replay(found: Mapping[str, Any], ask: Oracle) -> Replayed:
    """Rebuild the theorem by the rules alone, asking every oracle again.

    KernelError unless every step follows, every step but the last is used, every source is named by its digest, and
    conclusion and trusts are as stated.
    """
    for digest, source in found["sources"].items():
        if bring(source) != digest:
            raise KernelError(f"a source does not have its digest, {digest[:80]}")
    theorems: list[Theorem] = []
    stated: set[str] = set()
    used: set[int] = set()
    for index, step in enumerate(found["steps"]):
        name, premises, data = _step(step, index)
        if "source" in data and data["source"] not in found["sources"]:
            raise KernelError(f"step {index}: the certificate must bring the source that it names")
        used.update(premises)
        below = [theorems[p] for p in premises]
        made = RULES[name](*below, **data)
        stated |= made.trusts.difference(*(t.trusts for t in below))
        if name in ASKED:  # what follows rests on who vouches now: a name in the file can neither pass nor hide
            made = RULES[name](**{**data, "by": sorted(ask(ASKED[name](data), tuple(data["by"])))})
        theorems.append(made)
    last = theorems[-1]
    if set(found["sources"]) != named_sources(found["steps"]):
        raise KernelError("a source is named by no step")
    if used != set(range(len(theorems) - 1)):
        raise KernelError("a step is not used by any later one")
    if str(last.claim.term) != found["conclusion"]:
        raise KernelError(f"replay concludes {last.claim.term}, not {found['conclusion'][:200]}")
    if sorted(stated) != found["trusts"]:
        raise KernelError(f"replay trusts {sorted(stated)}, not {str(found['trusts'])[:200]}")
    return Replayed(found["claim"], last)


def _step(step: Any, index: int) -> tuple[str, list[int], dict[str, Any]]:
    """The parts of a step, their shapes checked."""
    if not isinstance(step, dict) or tuple(step) != STEP_KEYS:
        raise KernelError(f"step {index} must be an object with the keys {', '.join(STEP_KEYS)}")
    name, premises, data = (step[key] for key in STEP_KEYS)
    if not isinstance(name, str) or name not in RULES:
        raise KernelError(f"step {index}: {str(name)[:80]!r} is not a rule of this kernel")
    if not isinstance(premises, list) or not all(type(p) is int and 0 <= p < index for p in premises):
        raise KernelError(f"step {index}: premises must be indices of earlier steps, got {str(premises)[:80]}")
    if not isinstance(data, dict) or not all(_is_plain(value) for value in data.values()):
        raise KernelError(f"step {index}: data must be texts, lists of texts or mappings of texts")
    if not isinstance(data.get("source", ""), str):
        raise KernelError(f"step {index}: source must be a text, the digest of one of the sources")
    return name, premises, data


def _is_plain(value: Any) -> bool:
    """Whether a datum is a text, a list of texts or a mapping of texts."""
    return isinstance(value, str) or _is_strings(list(value.values()) if isinstance(value, dict) else value)


def _is_strings(value: Any) -> bool:
    """Whether it is a list of texts."""
    return isinstance(value, list) and all(isinstance(v, str) for v in value)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object whose keys are all different."""
    if len(dict(pairs)) != len(pairs):
        raise ValueError("a key stands twice in one object")
    return dict(pairs)


def _refuse(literal: str) -> None:
    """No JSON number carries a claim."""
    raise ValueError(f"the number {literal} is no text")
