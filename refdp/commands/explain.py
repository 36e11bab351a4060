"""`refdp explain`: the walk of one claim, from definition to certificate, with file and line."""

from __future__ import annotations

import inspect
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from refdp.claims import CERTIFICATES, Claim, place, verdict
from refdp.claims import claim as claim_of
from refdp.commands.check import written_rules
from refdp.commands.judgements import seconds_since
from refdp.commands.replay_cost import replay_cost
from refdp.commands.witness import by_hand, steps
from refdp.kernel import rules
from refdp.kernel.judgements import LAWS, Holds, Law, Private, Refuted, Stable, Tail
from refdp.kernel.rules.logic import obligation
from refdp.kernel.theorem import Theorem
from refdp.proofs.lines import function_of, prove
from refdp.provers.lemmas import TIMEOUT
from refdp.provers.processes import processor_seconds
from refdp.spec import distances, errors, primitives, registry
from refdp.spec.distances import measure, metric
from refdp.spec.errors import error
from refdp.spec.formulas import Formula
from refdp.spec.primitives import Primitive
from refdp.spec.samplers import SCHEMES, scheme_formulas
from refdp.terms.term import Term, subterms

ROOT = Path(__file__).resolve().parents[2]
TESTS_OF_PRIMITIVES = ("tests/sampling/test_coins.py", "tests/sampling/test_layers.py", "tests/spec/test_loops.py")
"""Where the primitives of all samplers are held against their laws together."""


def explain(claim: str, timeout: float = 20.0, cost: bool = False) -> dict[str, Any]:
    """The walk of a claim of the ledger, as the object of `refdp explain --json`.  Raises UnknownClaim.

    With `cost` its certificate is replayed, and the lines of believed code that ran are counted.
    """
    listed = claim_of(claim)
    token, start = TIMEOUT.set(timeout), processor_seconds()
    try:
        theorem = prove(listed)
        counted = replay_cost(theorem, timeout) if cost else None
        return walk(listed, theorem) | {"cost": counted, "seconds": seconds_since(start)}
    finally:
        TIMEOUT.reset(token)


def walk(listed: Claim, theorem: Theorem) -> dict[str, Any]:
    """The walk of a claim and its theorem."""
    return {
        "claim": listed.identifier,
        "sentence": listed.sentence,
        "formal": listed.formal,
        "source": listed.source,
        "verdict": verdict(theorem.claim, listed.formal) or "UNKNOWN",
        "definitions": definitions(theorem),
        "formulas": formulas(theorem),
        "proof": proof_of(listed),
        "obligations": obligations(theorem),
        "derivation": derivation(theorem),
        "witness": by_hand(theorem),
        "trusts": sorted(theorem.trusts),
        "rules": written_rules(theorem),
        "certificate": relative(CERTIFICATES / f"{listed.identifier}.json"),
        "tests": tests_of(listed.stem),
    }


def proof_of(listed: Claim) -> dict[str, str]:
    """Where the claim's proof stands, and its text: a line of the ledger, or a function."""
    if not listed.proof:
        function = function_of(listed)
        return {"where": where(function), "source": inspect.getsource(function)}
    file, first, _ = place(listed)
    source = f"{listed.proof}\n"
    return {"where": f"{file}:{first}", "source": f"# {listed.why}\n{source}" if listed.why else source}


def definitions(theorem: Theorem) -> list[dict[str, str]]:
    """What the words of the claim mean: metric and measure, each with its sentence and place."""
    claim = theorem.claim.claim if isinstance(theorem.claim, Refuted) else theorem.claim
    found: list[tuple[str, str, str]] = []
    if isinstance(claim, Private | Stable):
        found.append((claim.metric, metric(claim.metric).sentence, mention(distances, f'Metric("{claim.metric}"')))
    if isinstance(claim, Stable):
        far = claim.output_metric
        found.append((far, metric(far).sentence, mention(distances, f'Metric("{far}"')))
    if isinstance(claim, Private):
        found.append((claim.measure, measure(claim.measure).sentence, mention(distances, f'Measure("{claim.measure}"')))
    if isinstance(claim, Tail):
        found.append((claim.error, error(claim.error).sentence, mention(errors, f'Error("{claim.error}"')))
    if isinstance(claim, Law):
        found.append((claim.kind, LAWS[claim.kind], where(Law)))
        found.extend(primitives_in(theorem))
    return [{"word": w, "means": s, "where": place} for w, s, place in dict.fromkeys(found)]


def primitives_in(theorem: Theorem) -> list[tuple[str, str, str]]:
    """What each primitive draws whose law is claimed or used, and where that is said."""
    laws = [step.claim.subject for step in steps(theorem) if isinstance(step.claim, Law)]
    kinds = {t: registry.kind_of(t.operator) for t in laws if t.operator in registry.stems()}
    return [
        (str(t), kind.draws, mention(primitives, f'"{kind.stem}"'))
        for t, kind in kinds.items()
        if isinstance(kind, Primitive)
    ]


@cache
def mention(module: ModuleType, text: str) -> str:
    """File and line of the first line of the module that has the text."""
    lines = inspect.getsource(module).splitlines()
    line = next((i for i, found in enumerate(lines, 1) if text in found), 1)
    return relative(f"{module.__file__}:{line}")


def formulas(theorem: Theorem) -> list[dict[str, str]]:
    """The formulas of everything the claim speaks of, read by every prover and run by every sampler."""
    found: list[Formula] = []
    for stem in dict.fromkeys(t.operator for t in subterms(theorem.claim.term)):
        if stem in registry.stems():
            found.extend(formulas_of(registry.kind_of(stem)))
            found.extend(scheme_formulas(stem).values() if stem in SCHEMES else ())
    unique = {f.where: f for f in found}
    return [{"where": relative(f.where), "formula": str(f), "source": f.source} for f in unique.values()]


def formulas_of(kind: registry.Kind) -> list[Formula]:
    """The formulas that a registered thing consists of."""
    values = [getattr(kind, field) for field in getattr(kind, "__dataclass_fields__", {})]
    nested = [v for value in values for v in (value.values() if isinstance(value, dict) else [value])]
    parts = [p for v in nested for p in ([v] if isinstance(v, Formula) else _fields(v))]
    return [p for p in parts if isinstance(p, Formula)]


def _fields(value: object) -> list[object]:
    """The fields of a dataclass inside a kind, such as the edits of a sum."""
    return (
        [getattr(value, f) for f in getattr(value, "__dataclass_fields__", {})] if not isinstance(value, Term) else []
    )


def obligations(theorem: Theorem) -> list[dict[str, Any]]:
    """What the derivation rests on, each obligation once, in order: its statement, by which rule, for trust in whom."""
    found: dict[str, dict[str, Any]] = {}
    for step in steps(theorem):
        if isinstance(step.claim, Holds):
            name = f"{step.claim.stem}.{step.claim.name}"
            said = {"name": name, "statement": str(obligation(name)), "rule": step.rule, "trusts": sorted(step.trusts)}
            found.setdefault(name, said)
    return list(found.values())


def derivation(theorem: Theorem) -> dict[str, Any]:
    """The derivation tree: rule with its place, conclusion, the statement of a lemma, premises."""
    data: dict[str, Any] = {key: theorem.data[key] for key in theorem.data if key != "digest"}
    if isinstance(theorem.claim, Holds):
        data["statement"] = str(obligation(f"{theorem.claim.stem}.{theorem.claim.name}"))
    line = inspect.cleandoc(getattr(rules, theorem.rule).__doc__ or "")
    return {
        "rule": theorem.rule,
        "where": where(inspect.unwrap(getattr(rules, theorem.rule))),
        "inference": line,
        "concludes": str(theorem.claim.term),
        "data": data,
        "premises": [derivation(p) for p in theorem.premises],
    }


def tests_of(stem: str) -> list[str]:
    """The test files of that stem, in a checkout."""
    files = list(_test_files(stem))
    if stem in registry.stems() and isinstance(registry.kind_of(stem), Primitive):
        files += [path for path in map(ROOT.joinpath, TESTS_OF_PRIMITIVES) if path.exists()]
    return [relative(p) for p in files]


@cache
def _test_files(stem: str) -> tuple[Path, ...]:
    """The test files that bear the name of the stem."""
    return tuple(sorted((ROOT / "tests").rglob(f"test_{stem}.py")))


@cache
def where(found: object) -> str:
    """File and line of a definition, or the file of a module."""
    if inspect.ismodule(found):
        return relative(str(found.__file__))
    if not (inspect.isfunction(found) or inspect.isclass(found)):
        return ""
    return relative(f"{inspect.getsourcefile(found)}:{inspect.getsourcelines(found)[1]}")


def relative(path: str | Path) -> str:
    """The path as seen from the checkout."""
    name, colon, line = str(path).partition(":")
    resolved = Path(name).resolve()
    inside = resolved.relative_to(ROOT) if resolved.is_relative_to(ROOT) else resolved
    return f"{inside}{colon}{line}"
