"""Probabilities of outputs of programs whose values are known."""

from fractions import Fraction
from pathlib import Path as File

import pytest

import refdp.programs
from refdp.programs.execution import Execution, Path
from refdp.programs.language.reading import programs_in
from refdp.programs.probabilities import (
    Number,
    decimal,
    enclosure,
    exponential,
    likely,
    number,
    probability,
    sign,
    text,
)
from refdp.programs.syntax import Program
from refdp.terms.leaves import integer, rational, truth
from refdp.terms.operations import divide
from refdp.terms.term import Term
from tests.programs.hand_made import EPSILON, noisy_max, sparse_vector


def paths(program: Program, data: tuple[Fraction | int, ...], epsilon: Fraction | int = 1) -> list[Path]:
    """Every path on those data with N = 1 and T = 0."""
    known = {"n": integer(len(data)), "epsilon": rational(epsilon), "N": integer(1), "T": rational(0)}
    execution = Execution(lambda place, path: rational(data[int(place.value)]))  # type: ignore[arg-type]
    return [path for path, _ in execution.block(program.body, Path(known))]


def chance(
    program: Program, data: tuple[Fraction | int, ...], output: tuple[object, ...], epsilon: Fraction | int = 1
) -> Number:
    """The probability of that output."""
    found = number(0)
    for path in paths(program, data, epsilon):
        if tuple(one.value for items in path.emitted for one in items if isinstance(one, Term)) == output:
            exactly = probability(path.condition, path.drawn)
            assert abs(likely(path.condition, path.drawn) - float(enclosure(exactly).lower)) < 1e-9
            found = found + exactly
    return found


LEE_CLIFTON = sparse_vector(divide(integer(4), EPSILON), divide(rational(Fraction(4, 3)), EPSILON))


def test_lee_and_clifton_has_the_closed_forms_that_were_published() -> None:
    epsilon = Fraction(27, 50)
    first = chance(LEE_CLIFTON, (-1, 0), (False, True), epsilon)
    second = chance(LEE_CLIFTON, (0, -1), (False, True), epsilon)
    assert text(first) == "(56 - 63*e^(-27/200) + 26*e^(-81/200) - 9*e^(-27/50))/112"
    assert text(second) == "(19*e^(-81/200) - 9*e^(-27/50))/112"
    assert sign(first - exponential(number(epsilon)) * second) == 1
    assert decimal(first, 6) == "0.116540..."


def test_the_violation_of_lee_and_clifton_depends_on_epsilon() -> None:
    for epsilon, expected in ((1, 1), (4, -1)):
        first = chance(LEE_CLIFTON, (-1, 0), (False, True), epsilon)
        second = chance(LEE_CLIFTON, (0, -1), (False, True), epsilon)
        assert sign(first - exponential(number(epsilon)) * second) == expected


def test_the_outputs_of_noisy_max_have_probability_1_together() -> None:
    total = sum((chance(noisy_max(), (0, 0, 1, 3), (Fraction(k),)) for k in range(4)), number(0))
    assert total == number(1)


def test_the_outputs_of_the_sparse_vector_have_probability_1_together() -> None:
    outputs = [(False,) * k + (True,) for k in range(4)] + [(False,) * 4]
    total = sum((chance(sparse_vector(), (1, 0, -2, Fraction(1, 2)), output) for output in outputs), number(0))
    assert total == number(1)


LIBRARY = sorted((File(refdp.programs.__file__).parent / "library").glob("*.py"))
VALUES = {"N": integer(2), "M": integer(2), "T": rational(0)}
"""Public parameters that are not 1 unless a claim is for other ones."""


def start(program: Program, length: int) -> Path:
    """The path before the first statement, for parameters of which claims are made."""
    given = {name: value for claim in program.claims for name, value in claim.given.items()}
    known = {
        name: given.get(name, VALUES.get(name, integer(1) if sort == "Int" else rational(1)))
        for name, sort in program.parameters.items()
        if name != program.length
    }
    return Path({**known, "n": integer(length)})


EXACT = [file for file in LIBRARY if file.stem != "gaussian"]
"""Probabilities with normal draws are enclosed: no sum of them is known to be 1."""


@pytest.mark.parametrize("file", EXACT, ids=lambda file: file.stem)
def test_all_paths_of_a_program_have_probability_1_together(file: File) -> None:
    for program in programs_in(file.read_text(encoding="utf-8"), str(file)):
        data = [Fraction(1), Fraction(0), Fraction(2)] if program.data.is_list else [Fraction(1)]
        execution = Execution(lambda place, path, p=program, d=data: element(p, d, place))
        ways = execution.block(program.body, start(program, len(data)))
        total = sum((probability(path.condition, path.drawn) for path, _ in ways), number(0))
        assert sign(total - number(1)) == 0, program.name


def element(program: Program, data: list[Fraction], place: Term) -> Term:
    """The element at a place, of the sort of the data."""
    value = data[int(str(place.value))]
    if program.data.sort == "Bool":
        return truth(value > 0)
    return integer(int(value)) if program.data.sort == "Int" else rational(value)
