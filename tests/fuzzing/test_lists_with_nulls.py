"""The program that passes nulls over does what the program does on the list without them, on random programs."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from refdp.programs.adjacency import ADD_REMOVE, LENGTH
from refdp.programs.execution import Execution, Path, presence
from refdp.programs.language.errors import Unsupported
from refdp.programs.language.reading import programs_in
from refdp.programs.nulls import as_shared
from refdp.programs.steps import BeyondSteps
from refdp.programs.syntax import Claim, Program
from refdp.terms.exact_values import evaluate
from refdp.terms.leaves import integer, rational, truth, variable, variables
from refdp.terms.operations import substitute
from refdp.terms.term import Term
from tests.fuzzing.claims import claim as fuzzed_claim


def released(program: Program, size: int, known: dict[Term, Term]) -> list[Any]:
    """What is released, for values of elements, draws and parameters; each way that is taken."""
    start = Path(
        {"n": integer(size)} | {str(k.value): v for k, v in known.items() if str(k.value) in program.parameters}
    )
    sort = program.data.sort
    ways = Execution(lambda place, _: variable(f"data.{int(place.rational)}", sort)).block(program.body, start)
    found = []
    for path, _ in ways:
        if all(holds(one, known) for one in path.condition):
            items = [tuple(value(i, known) if isinstance(i, Term) else i for i in items) for items in path.emitted]
            found.append(items)
    return found


def holds(one: Term, known: dict[Term, Term]) -> bool:
    return bool(value(one, known))


def value(one: Term, known: dict[Term, Term]) -> Any:
    """The value; draws that were not thought of before are drawn now."""
    random = Random(0)
    for name in variables(one):
        if name not in known:
            random.seed(f"{name.value} {len(str(known.get(LENGTH)))}")
            whole = integer(random.randint(-3, 3))
            known[name] = truth(random.random() < 0.5) if name.sort == "Bool" else (
                whole if name.sort == "Int" else rational(Fraction(random.randint(-9, 9), 2)))  # fmt: skip
    return evaluate(substitute(one, known), {})


def element(sort: str, random: Random) -> Term:
    if sort == "Bool":
        return truth(random.random() < 0.5)
    return integer(random.randint(-1, 6)) if sort == "Int" else rational(Fraction(random.randint(-2, 12), 2))


def test_a_program_passes_nulls_over_as_if_they_were_not_there():
    compared, seed = 0, 80_000_000
    while compared < 150:
        seed += 1
        random = Random(seed)
        asked = fuzzed_claim(seed).asked
        try:
            (program,) = [one for one in programs_in(asked.text, "file.py") if one.name == asked.name]
            shared = as_shared(program, Claim(ADD_REMOVE, rational(1)))
        except (Unsupported, BeyondSteps, ValueError):
            continue
        size = random.randint(0, 4)
        there = [random.random() < 0.6 for _ in range(size)]
        elements = [element(program.data.sort, random) for _ in range(size)]
        public: dict[Term, Term] = {
            variable(name, sort): integer(random.randint(1, 3)) if sort == "Int" else rational(random.randint(1, 3))
            for name, sort in program.parameters.items() if sort != "Bool"
        }  # fmt: skip
        if len(public) < len(program.parameters):
            continue
        names = [variable(f"data.{k}", program.data.sort) for k in range(size)]
        whole = public | dict(zip(names, elements, strict=True))
        whole |= {presence(name): truth(one) for name, one in zip(names, there, strict=True)}
        kept = [one for one, is_there in zip(elements, there, strict=True) if is_there]
        alone = public | dict(zip(names[: len(kept)], kept, strict=True))
        try:
            with_nulls, without = released(shared, size, whole), released(program, len(kept), alone)
        except (KeyError, ArithmeticError, RuntimeError, ValueError):
            continue
        if ["an exception"] in [list(items) for one in without for items in one]:
            without = []  # the program with nulls has no way there
        assert with_nulls == without, f"{seed}: {asked.text}\n{there} {elements}"
        compared += 1
    assert compared == 150
