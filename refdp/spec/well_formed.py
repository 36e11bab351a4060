"""What a claim may speak of: every operator of its subjects and domains is known, with its arguments, each of its sort.

A rule can only be right about a subject that says something: what has an argument too many, a mechanism where a
function belongs, or a table of -3 rows is refused, whichever rule concludes it.
"""

from __future__ import annotations

from fractions import Fraction

from refdp.spec import registry
from refdp.spec.above_threshold import AboveThreshold
from refdp.spec.bound_noise import BoundNoise
from refdp.spec.densities import StatedDensity
from refdp.spec.distances import MEASURES
from refdp.spec.domains import (
    FINITE,
    HALF_LINES,
    HOLDING,
    MACHINES,
    SPECIAL,
    fields,
    has_arity,
    is_domain,
    is_of_machine,
)
from refdp.spec.level_noise import LevelNoise
from refdp.spec.linear import LinearMap, is_matrix, matrix_of
from refdp.spec.machine_numbers import SUM, is_format
from refdp.spec.noise import AdditiveNoise
from refdp.spec.noisy_max import NoisyMax
from refdp.spec.perturbed_objectives import PerturbedObjective
from refdp.spec.primitives import Primitive
from refdp.spec.programs import require_parameters
from refdp.spec.queries import DIGEST, MACHINE_QUERY, QUERY, arguments_of
from refdp.spec.rows import RowFunction
from refdp.spec.selection import FlipSelection, WeightedSelection
from refdp.spec.semantics import DataMap, FiniteMechanism, PostFunction
from refdp.terms.evaluation import evaluate
from refdp.terms.term import Term, TermError, names, number

SIZED = ("vector", "sized_table")
"""The domains whose members have so many parts."""
LISTS = ("tuple_of", "list_of")
"""The operators of lists of labels or numbers."""
QUERIES = (QUERY.stem, MACHINE_QUERY.stem)
"""The functions of users, whose values of parameters may be anything."""


CONDITIONS = {"<=": 2, "<": 2, "==": 2, "!=": 2, "integer": 1, "multiple": 2, "has_length": 2}
"""What may be assumed of parameters, and of how many terms each speaks."""


def require_mechanism(t: Term) -> None:
    """Return if the term is a mechanism whose parts are what they must be; TermError otherwise."""
    match t.operator, t.arguments:
        case "chain", (first, second):
            _require_link(first)
            require_mechanism(second)
        case "compose", parts if parts:
            for one in parts:
                require_mechanism(one)
        case "parallel", (partition, *parts) if parts:
            _require_kind(partition, RowFunction)
            for one in parts:
                require_mechanism(one)
        case "post_process", (function, one):
            _require_function(function)
            require_mechanism(one)
            if function.operator == "decode_output":  # alone of them it reads a vector of a given length
                _require_decodable(function, one)
        case "adaptive", (first, second):
            require_mechanism(first)
            require_mechanism(second)
        case (("peeled" | "one_shot") as how, (one, count)):
            _require_kind(one, NoisyMax if how == "one_shot" else WeightedSelection | FlipSelection | NoisyMax)
            _require_size(t, count, 1)
        case "tested", (one, scale, threshold):
            require_mechanism(one)
            require_number(scale)
            _require_size(t, threshold, 1)
        case (("repeated" | "mapped_rounds" | "coordinatewise" | "estimate" | "public_coordinate"), (one, count)):
            require_mechanism(one)
            _require_size(t, count, 1)
        case "reports_of_one", (first, second, count):
            require_mechanism(first)
            require_mechanism(second)
            _require_size(t, count, 1)
        case "poisson_sampled", (rate, one):
            _require_between(t, rate, 0, 1)
            require_mechanism(one)
        case "fixed_size_sampled", (size, one):
            _require_size(t, size, 1)
            require_mechanism(one)
        case "listed", (Term("tuple_of", (_, *_) as rows),):
            for row in rows:
                _require_masses(t, row)
        case "rounds", said if said:
            for one in said:
                require_round(one)
        case "filtered", (limit,):
            require_loss(limit)
        case "program", (function, digest, parameters):
            _require_text(function, digest)
            require_parameters(parameters)
        case "with_its_value", (one,):
            _require_kind(one, NoisyMax | AboveThreshold)
        case _:
            continuous = AdditiveNoise | BoundNoise | StatedDensity | LevelNoise | PerturbedObjective
            _require_kind(t, continuous | FiniteMechanism | Primitive)


SEQUENTIAL = ("pure", "approximate", "concentrated", "renyi")
"""The measures under which the losses of rounds that are chosen one after another add up."""


def require_loss(t: Term) -> None:
    """Return if the term is an amount of loss under a measure of SEQUENTIAL, with its numbers; TermError otherwise."""
    if t.operator not in SEQUENTIAL or len(t.arguments) != len(MEASURES[t.operator].parameters):
        raise TermError(f"{t} is not an amount of privacy loss")
    for one in t.arguments:
        require_number(one)


def require_round(t: Term) -> None:
    """Return if the term says what is known of the mechanism of a round, with its numbers; TermError otherwise."""
    match t.operator, t.arguments:
        case "repeated", (one, count):
            _require_size(t, count, 1)
            _require_run(one)
        case _:
            _require_run(t)


def _require_run(t: Term) -> None:
    """Return if it says it of one run, on a sample or not."""
    match t.operator, t.arguments:
        case "poisson_sampled", (rate, one):
            _require_between(t, rate, 0, 1)
            _require_known(one)
        case "cyclic_poisson_sampled", (rate, batches, steps, one):
            _require_between(t, rate, 0, 1)
            _require_size(t, batches, 1)
            _require_size(t, steps, 1)
            _require_known(one)
        case "fixed_size_sampled", (size, one):
            _require_size(t, size, 1)
            _require_known(one)
        case _:
            _require_known(t)


def _require_known(t: Term) -> None:
    """Return if it is a loss, or several, noise or a selection on what moves so far at most, or shuffled answers."""
    match t.operator, t.arguments:
        case "chain", (Term("l1" | "l2", (far,)), noise):
            require_number(far)
            _require_kind(noise, AdditiveNoise)
        case "chain", (Term("linf" | "monotone", (far,)), selection):
            require_number(far)
            _require_kind(selection, WeightedSelection | FlipSelection | NoisyMax)
        case (("gaussian" | "bounded_range"), (amount,)):
            require_number(amount)
        case (("shuffled_response" | "shuffled"), (users, amount)):
            _require_size(t, users, 1)
            require_number(amount)
        case (("dominated_by" | "dominated_in_order"), (first, second)):
            _require_masses(t, first)
            _require_masses(t, second)
        case "all_of", (_, *_) as losses:
            for one in losses:
                require_loss(one)
        case _:
            require_loss(t)


def require_transformation(t: Term) -> None:
    """Return if the term is a map of data whose parts are what they must be; TermError otherwise."""
    if t.operator == "chain" and len(t.arguments) == 2:
        for one in t.arguments:
            _require_link(one)
    else:
        _require_kind(t, DataMap)
        if t.operator in QUERIES:
            _require_query(t)


def _require_link(t: Term) -> None:
    """Return if it is a transformation that may stand in a chain: what a machine computes stands in none."""
    if t.operator == MACHINE_QUERY.stem:
        raise TermError(f"{t} is run by a machine, and chained with nothing")
    require_transformation(t)


def require_numbers_apart(subject: Term, inputs: Term, outputs: Term | None = None) -> None:
    """Return if numbers of a machine are spoken of just where a machine runs a function; TermError otherwise.

    Then the tables have its rows, and tables and outputs the numbers of its format.
    """
    if subject.operator == MACHINE_QUERY.stem:
        _, _, rows, _, arithmetic, _ = subject.arguments
        answers = outputs.arguments[0] if outputs is not None and outputs.operator == "vector" else outputs
        of_its_own = answers == Term("machine", (arithmetic,)) and inputs.operator == "machine_table"
        if not of_its_own or inputs.arguments[:2] != (rows, arithmetic):
            raise TermError(f"{subject} leads from its machine's tables to its numbers, not from {inputs} to {outputs}")
    elif spoken := [d for d in (inputs, outputs) if d is not None and is_of_machine(d)]:
        raise TermError(f"only a function that a machine runs has to do with {spoken[0]}, not {subject}")


def _require_query(t: Term) -> None:
    """Return if it names a function and a digest, its rows are a closed domain and its parameters have values.

    Of one that a machine runs, the format and the sum must be known, too.
    """
    function, digest, rows, arguments, *machine = t.arguments
    _require_text(function, digest)
    if names(rows):
        raise TermError(f"the rows of a query must be a closed domain, got {rows}")
    arguments_of(arguments)
    if is_of_machine(rows):
        raise TermError(f"the rows of a query are of numbers, got {rows}")
    if machine:
        arithmetic, total = machine
        _require_format(arithmetic)
        if total.operator != "text" or not SUM.fullmatch(str(total.value)):
            raise TermError(f"{total} is not a sum that is the same on every machine")


def _require_text(function: Term, digest: Term) -> None:
    """Return if these are the name of a function and a digest; TermError otherwise."""
    if function.operator != "text" or not str(function.value).isidentifier():
        raise TermError(f"{function} is not the name of a function")
    if digest.operator != "text" or not DIGEST.fullmatch(str(digest.value)):
        raise TermError(f"{digest} is not a digest")


def require_subject(t: Term) -> None:
    """Return if the term is a mechanism or a transformation; TermError otherwise."""
    end = t
    while end.operator == "chain" and len(end.arguments) == 2:
        end = end.arguments[1]
    kind = registry.kind_of(end.operator) if end.operator in registry.stems() else None
    if isinstance(kind, DataMap):
        require_transformation(t)
    else:
        require_mechanism(t)


def require_domain(d: Term) -> None:
    """Return if the term is a set that has members, as far as its numbers are known; TermError otherwise.

    The domain of the rows of a table may be a name.
    """
    if not has_arity(d):
        raise TermError(f"{d} is not a domain")
    if d.operator in ("labels", "record"):
        _require_listed(d)
        return
    if d.operator in MACHINES:
        _require_machine(d)
        return
    numbers = d.arguments
    if d.operator in HOLDING:
        rows, *numbers_left = d.arguments
        numbers = tuple(numbers_left)
        if rows.operator != "name":
            require_domain(rows)
    for one in numbers:
        require_number(one)
    if d.operator in HALF_LINES:
        if d.arguments[0].operator not in ("reals", "grid"):
            raise TermError(f"{d} must be a part of reals() or of a grid")
        return
    if d.operator in SIZED:
        _require_size(d, numbers[0], 0)
    elif d.operator in ("finite", "category"):
        size = _known(numbers[0])
        if size is not None and (size < 0 or size == 0 and d.operator == "finite"):
            raise TermError(f"{d} must have members")
    elif d.operator == "interval":
        _require_in_order(d, *map(_known, numbers))
    elif numbers:
        step, *bounds = map(_known, numbers)
        if step is not None and step <= 0:
            raise TermError(f"the step of {d} must be > 0")
        if bounds:
            _require_in_order(d, *bounds)


def _require_machine(d: Term) -> None:
    """Return if it names a known format, with closed rows and limits in order where it is one of tables."""
    if d.operator == "machine":
        _require_format(d.arguments[0])
        return
    rows, arithmetic, least, most, numbers = d.arguments
    _require_format(arithmetic)
    require_domain(rows)
    if names(d) or is_of_machine(rows):
        raise TermError(f"{d} must be closed, and its rows of numbers")
    _require_size(d, least, 0)
    _require_size(d, most, 0)
    _require_in_order(d, _known(least), _known(most))
    if numbers.operator != "text" or numbers.value not in (FINITE, SPECIAL):
        raise TermError(f"the numbers of {d} must be {FINITE} or {SPECIAL}")


def _require_format(t: Term) -> None:
    """Return if the term is the name of a format of machine numbers; TermError otherwise."""
    if t.operator != "text" or not is_format(str(t.value)):
        raise TermError(f"{t} is not a format of machine numbers")


def _require_listed(d: Term) -> None:
    """Return if the labels are different, or the fields are domains under different keys; TermError otherwise."""
    if not is_domain(d):
        raise TermError(f"{d} must list different labels, or domains under different keys")
    if d.operator == "record":
        for _, inner in fields(d):
            require_domain(inner)


def _require_in_order(d: Term, lower: Fraction | None, upper: Fraction | None) -> None:
    """Return unless both bounds are known, and the lower one is greater."""
    if lower is not None and upper is not None and lower > upper:
        raise TermError(f"the bounds of {d} must be in order")


def require_number(t: Term) -> None:
    """Return if the term is arithmetic in numbers and names; TermError otherwise."""
    if not (registry.is_numeric(t) or t.operator == "name") or t.operator in registry.stems():
        raise TermError(f"{t} is not a number")
    for one in t.arguments:
        require_number(one)


def require_condition(t: Term) -> None:
    """Return if the term is a comparison of numbers, integer(a), multiple(a, b), or has_length(LIST, n)."""
    if t.operator not in CONDITIONS or len(t.arguments) != CONDITIONS[t.operator]:
        raise TermError(f"{t} is not a condition")
    if t.operator == "has_length":
        _require_list(t, t.arguments[0])
    for one in t.arguments[t.operator == "has_length" :]:
        require_number(one)


def _require_list(where: Term, t: Term) -> None:
    """Return if the term is a name, or lists texts, numbers and lists of these."""
    if t.operator != "name" and t.operator not in LISTS:
        raise TermError(f"{t} is not a list, in {where}")
    for one in t.arguments:
        if one.operator in LISTS:
            _require_list(where, one)
        elif one.operator != "text":
            require_number(one)


def _require_kind(t: Term, kinds: object) -> None:
    """Return if the term is a registered thing of these kinds with as many arguments as it has parameters."""
    kind = registry.kind_of(t.operator)
    if not isinstance(kind, kinds):  # type: ignore[arg-type]
        raise TermError(f"{t} is not what belongs there")
    for parameter, one in registry.bound(kind, t).items():
        _require_alike(t, one, kind.example[str(parameter)])


def _require_alike(where: Term, t: Term, example: Term) -> None:
    """Return if the argument is a name, or of the sort of the example that the registry has of it."""
    if t.operator == "name":
        return
    if registry.is_numeric(example):
        require_number(t)
    elif has_arity(example):
        require_domain(t)
    elif t.operator != example.operator:
        raise TermError(f"{t} is not an argument of {where}")
    elif is_matrix(example):
        matrix_of(t)
    elif t.operator in LISTS and where.operator not in QUERIES:
        is_row = isinstance(registry.kind_of(where.operator), LinearMap)
        if is_row and not t.arguments:
            raise TermError(f"{where} has no row")
        for one in t.arguments:
            if is_row or one.operator != "text":
                require_number(one)


def _require_masses(where: Term, row: Term) -> None:
    """Return if it is a list of numbers and, where they are known, of probabilities that sum to 1."""
    if row.operator != "tuple_of":
        raise TermError(f"{row} is not a row of {where}")
    for one in row.arguments:
        require_number(one)
    masses = [_known(one) for one in row.arguments]
    known = [mass for mass in masses if mass is not None]
    if len(known) == len(masses) and (sum(known) != 1 or min(known) < 0):
        raise TermError(f"{row} must be probabilities that sum to 1, in {where}")


def _require_function(t: Term) -> None:
    """Return if the term is a function of an output: a registered one, or one of the user's with its name alone."""
    if t.operator == "user_function":
        if len(t.arguments) != 1 or t.arguments[0].operator != "text":
            raise TermError(f"{t} must have one name")
    else:
        _require_kind(t, PostFunction)


def _require_decodable(function: Term, inner: Term) -> None:
    """Return if the mechanism releases a vector of as many numbers as the matrix of the function has columns."""
    (written,) = function.arguments
    length, columns = _length_of_output(inner), len(matrix_of(written)[0])
    if length is None or _known(length) != columns:
        raise TermError(f"{function} is of vectors of {columns} numbers, which {inner} does not release")


def _length_of_output(t: Term) -> Term | None:
    """How many numbers the mechanism releases as a vector; None where it is not known to release one."""
    match t.operator, t.arguments:
        case "coordinatewise", (_, count):
            return count
        case "post_process", (Term(operator="decode_output", arguments=(written,)), _):
            return number(len(matrix_of(written)))
        case "post_process", (Term(operator="clamp_output" | "multiply_output"), one):
            return _length_of_output(one)
        case (("chain" | "poisson_sampled" | "fixed_size_sampled"), (_, one)):
            return _length_of_output(one)
    return None


def _require_size(where: Term, t: Term, least: int) -> None:
    """Return if it is a number and, where it is known, whole and at least so great."""
    require_number(t)
    found = _known(t)
    if found is not None and (found.denominator != 1 or found < least):
        raise TermError(f"{t} must be a whole number >= {least}, in {where}")


def _require_between(where: Term, t: Term, lower: int, upper: int) -> None:
    """Return if it is a number and, where it is known, between these."""
    require_number(t)
    found = _known(t)
    if found is not None and not lower <= found <= upper:
        raise TermError(f"{t} must be from {lower} to {upper}, in {where}")


def _known(t: Term) -> Fraction | None:
    """The rational that a closed term is; None where it has names, or is no rational."""
    if names(t):
        return None
    try:
        return Fraction(evaluate(t, {}))
    except (TermError, TypeError, ValueError, ArithmeticError):
        return None
