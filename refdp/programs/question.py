"""Which claim about which program is asked about: everything that a certificate must hold to be judged again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from refdp.logic.strict_json import Json, entries, insist, text_of, whole
from refdp.programs.adjacency import LENGTH, NAMED
from refdp.programs.language.reading import program_in
from refdp.programs.syntax import Claim, Program
from refdp.terms.expressions import read_number
from refdp.terms.leaves import is_number, variable
from refdp.terms.operations import real
from refdp.terms.term import Term


@dataclass(frozen=True, slots=True)
class Question:
    """One claim of a function, or a variant of it: another adjacency, values of parameters, another epsilon."""

    source: str
    """The text of the file."""
    function: str
    number: int
    """Which claim of the function, from 0."""
    adjacency: str | None = None
    given: Mapping[str, str] = field(default_factory=dict)
    epsilon: str | None = None
    file: str = "program.py"
    """What messages call the file."""

    def read(self) -> tuple[Program, Claim]:
        """The program and the claim that is asked about.  ValueError where there is none."""
        return self.about(program_in(self.source, self.file, self.function))

    def about(self, program: Program) -> tuple[Program, Claim]:
        """The program, and the claim as it is asked about."""
        if not 0 <= self.number < len(program.claims):
            raise ValueError(f"{self.function} has {len(program.claims)} claims, got number {self.number}")
        claim = program.claims[self.number]
        if self.adjacency is not None:
            if self.adjacency not in NAMED:
                raise ValueError(f"adjacency must be one of {', '.join(NAMED)}, got {self.adjacency}")
            claim = replace(claim, adjacency=NAMED[self.adjacency], expected=None)
        if self.given:
            values = {name: value_of(program, name, text) for name, text in self.given.items()}
            claim = replace(claim, given={**claim.given, **values}, expected=None)
        if self.epsilon is not None:
            epsilon = read_number(self.epsilon, names_of(program), "epsilon")
            text = f"epsilon={self.epsilon}{''.join(claim.text.partition(' where ')[1:])}"
            claim = replace(claim, epsilon=epsilon, delta=None, rho=None, expected=None, text=text)
        return program, claim


def names_of(program: Program) -> dict[str, Term]:
    """The public names that a claim may use."""
    return {"n": LENGTH} | {name: variable(name, sort) for name, sort in program.parameters.items()}


def value_of(program: Program, name: str, text: str) -> Term:
    """The value of a public parameter.  ValueError where there is no such parameter, or it has no such value."""
    if name not in program.parameters:
        raise ValueError(f"set must name public parameters ({', '.join(program.parameters)}), got {name}")
    found = read_number(text, {}, name)
    if program.parameters[name] == "Real":
        return real(found)
    if not is_number(found) or found.rational.denominator != 1 or found.sort != "Int":
        raise ValueError(f"{name} must be an integer, got {text}")
    return found


def claim_text(claim: Claim) -> str:
    """The claim for a reader: what is claimed, and for which parameters."""
    given = ", ".join(f"{name} = {value}" for name, value in claim.given.items())
    return f"{claim.text} at {given}" if given else claim.text


def question_json(asked: Question) -> Json:
    """A question as JSON, but for the text and the name of the function."""
    return {
        "claim": str(asked.number),
        "adjacency": asked.adjacency,
        "given": dict(asked.given),
        "epsilon": asked.epsilon,
    }


def question_of(source: str, function: str, found: Json) -> Question:
    """The question about a function in that text that JSON stands for."""
    claim, adjacency, given, epsilon = entries(found, "claim", "adjacency", "given", "epsilon")
    insist(isinstance(given, dict), "given must be an object")
    chosen, said = (None if one is None else text_of(one) for one in (adjacency, epsilon))
    values = {name: text_of(value) for name, value in given.items()}
    return Question(source, function, whole(claim), chosen, values, said)
