"""Rules about randomised programs: an engine reads the text, and says what must be proved of it, or that it is false.

The engine says what the data and the parameters are; the claim is written here, from data of the step alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from refdp.kernel.judgements import Private, Refuted, require
from refdp.kernel.rules.engines import READING, require_named
from refdp.kernel.rules.settle import settled
from refdp.kernel.sources import source_of
from refdp.kernel.theorem import Assuming, rule
from refdp.spec.distances import MEASURES
from refdp.spec.domains import domain
from refdp.spec.programs import program_subject
from refdp.terms.reading import read
from refdp.terms.term import Term, apply, name, names, number

ENGINE = "refdp.programs.theorems"
"""The module of the engine, which has `shape`, `asked` and `require_broken`."""
NEIGHBOURS: Mapping[str, tuple[str, str]] = {
    "ALL": ("linf", "absolute"), "L1": ("l1", "absolute"), "L2": ("l2", "absolute"),
    "ONE": ("one_coordinate", "absolute"), "MONO": ("monotone", "absolute"), "ADD_REMOVE": ("insert_delete", ""),
}  # fmt: skip
"""Adjacency of programs -> the metric of which its neighbours are at distance at most 1: of lists, and of one number.

Neighbours have the same length, which is the dimension of the vector; but those of insert_delete are tables.
"""
SORTS: Mapping[str, Term] = {
    "Real": domain("reals"),
    "Int": domain("grid", number(1)),
    "Bool": domain("finite", number(2)),
}
"""What one element of the data is."""
CLAIMED = ("pure", "approximate", "concentrated")
LENGTH = name("n")


@dataclass(frozen=True, slots=True)
class Shape:
    """What the engine reads of a program."""

    is_list: bool
    sort: str
    """Int, Real or Bool."""
    whole: tuple[str, ...]
    """The public parameters that are whole numbers."""
    parameters: tuple[str, ...]
    """All public parameters but the number of data, which is n."""


@dataclass(frozen=True, slots=True)
class ProgramClaim:
    """A claim about a randomised program, and what is brought to prove it."""

    text: str
    function: str
    adjacency: str
    loss: Term
    """pure(e), approximate(e, d) or concentrated(rho), in names of public parameters."""
    parameters: Mapping[str, Term]
    """The value of each public parameter: a number, or its own name."""
    conditions: tuple[Term, ...]
    """Comparisons of public parameters, for which alone the claim is made."""
    evidence: str

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> ProgramClaim:
        """What the data of a step write down; KernelError where it is no such claim."""
        require(data["adjacency"] in NEIGHBOURS, f"adjacency must be one of {', '.join(NEIGHBOURS)}")
        loss = read(data["loss"])
        shape = MEASURES[loss.operator].parameters if loss.operator in CLAIMED else ()
        require(len(shape) == len(loss.arguments) > 0, f"the loss must be under {', '.join(CLAIMED)}, got {loss}")
        parameters = {key: read(value) for key, value in data["parameters"].items()}
        for key, value in parameters.items():
            known = value.operator == "number" or value == name(key)
            require(known and key != "n", f"{key} must be a number, or be left open")
        conditions = tuple(read(one) for one in data["conditions"])
        for one in conditions:
            require(one.operator in ("<", "<=", "==", "!="), f"{one} is not a comparison of parameters")
        open_names = {key for key, value in parameters.items() if names(value)} | {"n"}
        for one in (*loss.arguments, *conditions):
            require(names(one) <= open_names, f"{one} must speak of the parameters that are left open")
        return cls(source_of(data["source"]), data["function"], data["adjacency"], loss, parameters, conditions,
                   data["evidence"])  # fmt: skip

    def claim(self, source: str, shape: Shape) -> Private:
        """What it says of the program of that shape."""
        require(tuple(self.parameters) == shape.parameters, f"the parameters must be {', '.join(shape.parameters)}")
        element, metric = SORTS[shape.sort], NEIGHBOURS[self.adjacency][0 if shape.is_list else 1]
        require(metric != "", f"data that are one number have no neighbours under {self.adjacency}")
        inputs, sized = domain("vector", element, LENGTH), [apply("integer", LENGTH), 0 <= LENGTH]
        if not shape.is_list:
            inputs, sized = element, []
        elif metric == "insert_delete":
            said = (*self.loss.arguments, *self.conditions)
            open_names = frozenset[str]().union(*map(names, said))
            require("n" not in open_names, "n is no one number where elements are added or removed")
            inputs, sized = domain("table", element), []
        whole = tuple(apply("integer", self.parameters[key]) for key in shape.whole)
        subject = program_subject(self.function, source, self.parameters)
        given = (*sized, *whole, *self.conditions)
        return settled(Private(subject, inputs, metric, number(1), self.loss.operator, self.loss.arguments, given))


def engine() -> Any:
    """The engine that reads programs."""
    return import_module(ENGINE)


@rule
def program_is_private(
    *,
    source: str,
    function: str,
    adjacency: str,
    loss: str,
    parameters: dict[str, str],
    conditions: list[str],
    evidence: str,
    by: list[str],
) -> Assuming:
    """
      the alignments in `evidence` meet their conditions for data of every length, under `conditions` on parameters
    ------------------------------------------------------------------------------------------------------------  [by]
      |- program(function, source, parameters) on vector(D, n) : linf(1) |-> LOSS

    That is for the adjacency ALL; l1 is for L1, l2 for L2, one_coordinate for ONE, monotone for MONO.  For ADD_REMOVE
    it is on table(D) : insert_delete(1), and n is not public.

    Data that are one number are neighbours under absolute(1).  Replay reads the text again, makes every condition
    again and asks the solvers again.
    """
    claim = ProgramClaim.of({key: value for key, value in locals().items() if key != "by"})
    require_named(by)
    return Assuming(claim.claim(source, engine().shape(claim)), frozenset(by))


@rule
def program_exceeds(
    *,
    source: str,
    function: str,
    adjacency: str,
    loss: str,
    parameters: dict[str, str],
    conditions: list[str],
    evidence: str,
) -> Assuming:
    """
      two data within the adjacency, and events whose exact probabilities break the loss, under the conditions
    ----------------------------------------------------------------------------------------------------  [reading]
      |- program(function, source, parameters) on vector(D, n) : linf(1) |-> LOSS is false
    """
    claim = ProgramClaim.of(locals())
    found = claim.claim(source, engine().shape(claim))
    trusts = engine().require_broken(claim)
    require(READING in trusts, "who reads the program must be named")
    return Assuming(Refuted(found), frozenset(trusts))
