"""What the kernel's rules about programs ask of this engine: to read a function, and what must be proved of it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from refdp.kernel.rules.programs import ProgramClaim, Shape
from refdp.programs.adjacency import NAMED
from refdp.programs.certificates.alignments import alignment_json
from refdp.programs.certificates.events import counterexample_json
from refdp.programs.certificates.replaying import Answer, answer, broken
from refdp.programs.checking.alignment import Alignment
from refdp.programs.counterexample import Counterexample
from refdp.programs.language.reading import program_in
from refdp.programs.syntax import Claim, Program
from refdp.terms.leaves import TRUE, variables
from refdp.terms.operations import conjunction, real, substitute
from refdp.terms.sorts import with_sorts, without_sorts
from refdp.terms.term import Sort, Term, TermError, apply, names
from refdp.terms.term import Term as SpecTerm
from refdp.terms.term import substitute as put

NAMES: Mapping[str, tuple[str, ...]] = {
    "pure": ("epsilon",), "approximate": ("epsilon", "delta"), "concentrated": ("rho",),
}  # fmt: skip
"""Measure -> what a claim of a program calls its numbers."""


def shape(asked: ProgramClaim) -> Shape:
    """The data and the parameters of the program.  TermError unless the claim's conditions hold what is assumed."""
    program, claim = read(asked)
    said = {one for condition in (claim.where,) for one in conjuncts(condition)}
    for one in conjuncts(program.assumption):
        if one not in said and not speaks_of_fixed(one, claim):
            raise TermError(f"the conditions must hold {without_sorts(one)}, which {program.name} assumes")
    named = tuple(key for key in program.parameters if key != program.length)
    if any(program.parameters[key] == "Bool" for key in named):
        raise TermError(f"the parameters of {program.name} must be numbers, got one that is True or False")
    whole = tuple(key for key in named if program.parameters[key] == "Int")
    return Shape(program.data.is_list, program.data.sort, whole, named)


def read(asked: ProgramClaim) -> tuple[Program, Claim]:
    """The program, and the claim that is made of it."""
    program = program_in(asked.text, "<text>", asked.function)
    named_so = [key for key in program.parameters if key != program.length]
    if list(asked.parameters) != named_so:
        raise TermError(f"the parameters must be {', '.join(named_so)}, got {', '.join(asked.parameters)}")
    sorts: dict[str, Sort] = {"n": "Int", **program.parameters}
    named = dict(zip(NAMES[asked.loss.operator], asked.loss.arguments, strict=True))
    losses = {key: with_sorts(one, sorts) for key, one in named.items()}
    given = {key: sorted_value(value, sorts[key]) for key, value in asked.parameters.items() if not names(value)}
    where = conjunction(*(with_sorts(one, sorts) for one in asked.conditions))
    return program, Claim(
        NAMED[asked.adjacency], losses.get("epsilon"), losses.get("delta"), losses.get("rho"), where, given,
        text=", ".join(f"{key}={one}" for key, one in named.items()),
    )  # fmt: skip


def sorted_value(value: SpecTerm, sort: Sort) -> Term:
    """A number as a constant of a sort."""
    found = with_sorts(value, {})
    if sort == "Int" and found.sort != "Int":
        raise TermError(f"a whole number is needed, got {value}")
    return real(found) if sort == "Real" else found


def conjuncts(condition: Term) -> tuple[Term, ...]:
    """The statements that a condition is made of."""
    if condition is TRUE:
        return ()
    return condition.arguments if condition.operator == "all_of" else (condition,)


def speaks_of_fixed(condition: Term, claim: Claim) -> bool:
    """Whether it is a fact about parameters that have values, which is decided."""
    spoken = {str(one.value): one for one in variables(condition)}
    if not spoken or not set(spoken) <= set(claim.given):
        return False
    return substitute(condition, {one: claim.given[key] for key, one in spoken.items()}) is TRUE


def asked(claim: ProgramClaim, solver: str | None, seconds: float) -> Answer:
    """What the solvers say of every condition of the alignments."""
    return answer(*read(claim), claim.evidence, solver, seconds)


def require_broken(claim: ProgramClaim) -> frozenset[str]:
    """Whom one has to believe that the events break the claim; KernelError where they do not."""
    return broken(*read(claim), claim.evidence)


def step_data(program: Program, claim: Claim, digest: str, evidence: Any) -> dict[str, Any]:
    """What a step of the kernel is given for a claim; TermError where the kernel cannot say it."""
    if NAMED.get(claim.adjacency.name) != claim.adjacency:
        raise TermError(f"the kernel has no metric for the adjacency {claim.adjacency.name}")
    numbers = [one for one in (claim.epsilon, claim.delta, claim.rho) if one is not None]
    said = tuple(key for key in ("epsilon", "delta", "rho") if getattr(claim, key) is not None)
    measure = next(key for key, parts in NAMES.items() if parts == said)
    fixed = {key: without_sorts(value) for key, value in claim.given.items()}
    said_of = (*conjuncts(program.assumption), *conjuncts(claim.where))
    wanted = [one for one in said_of if not speaks_of_fixed(one, claim)]
    conditions = [str(put(without_sorts(one), fixed)) for one in dict.fromkeys(wanted)]
    loss = put(apply(measure, *map(without_sorts, numbers)), fixed)
    named = [key for key in program.parameters if key != program.length]
    return {
        "source": digest, "function": program.name, "adjacency": claim.adjacency.name, "loss": str(loss),
        "parameters": {key: str(fixed.get(key, key)) for key in named}, "conditions": conditions,
        "evidence": json.dumps(evidence),
    }  # fmt: skip


def proof_evidence(alignments: Sequence[Alignment]) -> dict[str, Any]:
    """Alignments as the evidence of a step."""
    return {"alignments": list(map(alignment_json, alignments))}


def refutation_evidence(found: Counterexample) -> dict[str, Any]:
    """A counterexample as the evidence of a step."""
    return {"counterexample": counterexample_json(found)}
