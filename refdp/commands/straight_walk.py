"""The straight walk of a claim: what one reads from what it says to why it holds, as lines of files.

Counted, each definition as a whole and once:

- the metric, the measure or the error in the tables of `spec`, with the distance that the entry names;
- what the claim speaks of: the formulas of a mechanism or transformation as they are registered, with the class of
  their kind, which says what each formula stands for; or the statement;
- what `spec` makes of these formulas: the functions that write the obligations which the derivation rests on;
- the claim's proof, a line of the ledger or a function in `proofs/`, with what it calls there;
- the rules of the kernel by which the derivation goes from the obligations to the claim;

each with what it names in its own file, and so on.  Where the proof cites another claim of the ledger, that claim and
what it speaks of are on a walk of their own.  Not counted is what all walks have in common, which is read once: terms,
formulas, the registry, the list of obligations and the signatures (`spec`), theorems and certificates, the rules by
which a lemma enters a derivation and by which a claim is instantiated, weakened or chained (`docs/trust.md` lists
them), and the search of `provers/`, in which nothing need be believed.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator, Sequence, Set
from functools import cache

from refdp.claims import Claim, formal_of, ledger, place
from refdp.commands.source_spans import PROOFS, Source, Span, files, of_module, read_with, source
from refdp.kernel import rules
from refdp.kernel.judgements import Holds, Judgement, Private, Refuted, Stable, Tail
from refdp.kernel.theorem import Theorem
from refdp.proofs.lines import called
from refdp.spec import registry
from refdp.spec.contributions import parsed, within
from refdp.spec.named_statements import NamedStatements
from refdp.spec.terms import subterms

SUBJECTS = ("refdp/mechanisms/", "refdp/transformations/", "refdp/statements/", "refdp/spec/classical.py")
"""Where what claims speak of is defined; primitives stand in `spec`, with their kind."""
READ_ONCE = tuple(f"refdp/kernel/rules/{name}.py" for name in ("logic", "instances"))
"""Rules that all derivations have in common."""
DISTANCES, ERRORS, CONTRIBUTIONS = (f"refdp/spec/{name}.py" for name in ("distances", "errors", "contributions"))


def length(spans: Set[Span]) -> dict[str, int]:
    """How many files the lines are of, and how many lines they are."""
    lines = {(s.file, n) for s in spans for n in range(s.first, s.last + 1)}
    return {"files": len({file for file, _ in lines}), "lines": len(lines)}


def straight_walk(listed: Claim, theorem: Theorem) -> frozenset[Span]:
    """The lines that one reads."""
    claim = theorem.claim.claim if isinstance(theorem.claim, Refuted) else theorem.claim
    own, cited = steps(theorem)
    known = {stem for one in cited for stem in stems_of(one.claim)}
    walked = {*words(claim), *subjects(claim, known), *obligations(own), *proof(listed), *concluded(own)}
    return frozenset(walked)


def words(claim: Judgement) -> Iterator[Span]:
    """The entries of the claim's words in the tables of `spec`."""
    found: list[tuple[str, str]] = []
    match claim:
        case Private():
            found = [(DISTANCES, claim.metric), (DISTANCES, claim.measure)]
        case Stable():
            found = [(DISTANCES, claim.metric), (DISTANCES, claim.output_metric)]
        case Tail():
            found = [(ERRORS, claim.error)]
    for file, word in found:
        if parsed(word) is not None:  # its name holds numbers: what it says is code of its own
            nodes = ast.walk(source(CONTRIBUTIONS).tree)
            means = next(n for n in nodes if isinstance(n, ast.FunctionDef) and n.name == within.__name__)
            yield from read_with(source(CONTRIBUTIONS), means)
            continue
        calls = (n for n in ast.walk(source(file).tree) if isinstance(n, ast.Call) and n.args)
        yield from read_with(source(file), next(n for n in calls if getattr(n.args[0], "value", None) == word))


def subjects(claim: Judgement, known: Set[str]) -> Iterator[Span]:
    """The formulas of what the claim speaks of as they are registered, or the statement."""
    if isinstance(claim, Holds) and isinstance(registry.kind_of(claim.stem), NamedStatements):
        yield from statement(claim)
    else:
        yield from (span for stem in stems_of(claim) if stem not in known for span in registered(stem))


def stems_of(claim: Judgement) -> list[str]:
    """The registered things that a claim speaks of."""
    found = [claim.stem] if isinstance(claim, Holds) else [t.operator for t in subterms(claim.term)]
    return list(dict.fromkeys(stem for stem in found if stem in registry.stems()))


@cache
def registered(stem: str) -> frozenset[Span]:
    """The statements that enter a stem in the registry, with the formulas that they name."""
    everywhere = [one for folder in (*SUBJECTS[:3], "refdp/spec/") for one in files(folder)]
    found = [(here, node) for here in everywhere for node in here.tree.body if _enters(node, stem)]
    return kind_of(stem) | {span for here, node in found for span in read_with(here, node, SUBJECTS)}


def kind_of(stem: str) -> frozenset[Span]:
    """The class of the kind of a stem: what is said of its formulas; of named statements nothing is."""
    kind = type(registry.kind_of(stem))
    found = [] if kind is NamedStatements else of_module(kind.__module__)
    return frozenset(span for here in found for span in read_with(here, here.defined[kind.__name__]))


def _enters(node: ast.stmt, stem: str) -> bool:
    """Whether it is `register(KIND(stem, ...))`, or `draws(stem, ...)`, which says how its sampler draws."""
    match node:
        case ast.Assign(value=ast.Call(ast.Name("register"), [ast.Call(_, arguments, keywords)])):
            given = [*(k.value for k in keywords if k.arg == "stem"), *arguments]
            return getattr(given[0], "value", None) == stem
        case ast.Expr(ast.Call(ast.Name("draws"), [ast.Constant(value), *_])):
            return bool(value == stem)
    return False


def statement(claim: Holds) -> set[Span]:
    """One of the named statements, else all of them."""
    here = source(f"refdp/statements/{claim.stem}.py")
    for node in ast.walk(here.tree):
        if isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if getattr(key, "value", None) == claim.name:
                    return read_with(here, value, SUBJECTS)
    return set(registered(claim.stem))


def obligations(own: Sequence[Theorem]) -> Iterator[Span]:
    """What writes the obligations that the steps rest on; of named statements, these."""
    for claim in (step.claim for step in own[1:]):
        if isinstance(claim, Holds):
            kind = registry.kind_of(claim.stem)
            named = isinstance(kind, NamedStatements)
            yield from statement(claim) if named else written(type(kind).__module__, type(kind).__name__, claim.name)


@cache
def written(module: str, kind: str, name: str) -> frozenset[Span]:
    """The functions that give an obligation its name: those in the file of the kind, else those that take the kind."""
    base = name.removeprefix("sampler.").split(".")[0]
    makers = [(here, node) for here in of_module(module) for node in _naming(here, base, "")]
    makers = makers or [(here, node) for here in files("refdp/spec/") for node in _naming(here, base, kind)]
    return frozenset(span for here, node in makers for span in read_with(here, node))


def _naming(here: Source, text: str, kind: str) -> Iterator[ast.FunctionDef]:
    """The functions of a file in which the text stands, of those that take the kind."""
    for node in here.tree.body:
        if isinstance(node, ast.FunctionDef):
            values = (n.value for n in ast.walk(node) if isinstance(n, ast.Constant) and isinstance(n.value, str))
            takes = not kind or any(isinstance(n, ast.Name) and n.id == kind for n in ast.walk(node.args))
            if takes and any(value.split(".")[0] == text for value in values):
                yield node


def proof(listed: Claim) -> set[Span]:
    """The line or function that proves the claim, with what it calls in `proofs/` but for proofs of other claims."""
    others = frozenset({"lines.proved", *(c.identifier for c in ledger())})  # by `proved` others are cited
    if not listed.proof:
        here = source(f"{PROOFS}{listed.stem}.py")
        return read_with(here, here.defined[listed.notion], (PROOFS,), others)
    shared, found = source(f"{PROOFS}lemmas.py"), {Span(*place(listed))}
    for name in called(listed):
        if name in shared.defined:
            found |= read_with(shared, shared.defined[name], (PROOFS,), others)
    return found


def steps(theorem: Theorem) -> tuple[list[Theorem], list[Theorem]]:
    """The steps of a derivation, the last first, down to claims of the ledger that it cites; and these claims."""
    formals = {c.formal for c in ledger()}
    own, cited, waiting = [theorem], list[Theorem](), list(theorem.premises)
    while waiting:
        step = waiting.pop()
        if isinstance(step.claim, Refuted) or formal_of(step.claim) not in formals:
            own.append(step)
            waiting += step.premises
        else:
            cited.append(step)
    return own, cited


def concluded(own: Sequence[Theorem]) -> Iterator[Span]:
    """The rules of the steps, but for those by which a lemma enters."""
    for rule in dict.fromkeys(s.rule for s in own if s is own[0] or not isinstance(s.claim, Holds)):
        defined = inspect.unwrap(getattr(rules, rule))
        for here in of_module(defined.__module__):
            if here.file not in READ_ONCE:
                yield from read_with(here, here.defined[defined.__name__])
