"""Proofs by exact probabilities: where draws and data are finite, every law is compared with every neighbour's.

For one number, or truth value, all pairs of neighbours are gone through.  For a list each of whose elements is answered
by itself, and at most c of which differ, it suffices that for every two elements a, b and every answer o

    P[o given a]^c <= e^epsilon P[o given b]^c,

or for c = 1 and a delta that the positive ones of P[o given a] - e^epsilon P[o given b] add up to delta at most.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import inf

from refdp import work
from refdp.logic.asking import valid
from refdp.programs.adjacency import LENGTH, NEW, OLD, Relation
from refdp.programs.checking.public import Refused, public
from refdp.programs.closed_terms import closed
from refdp.programs.counterexample import is_related
from refdp.programs.events import Datum, element_of, start
from refdp.programs.execution import Execution, Path
from refdp.programs.probabilities import Number, exponential, number, probability, sign
from refdp.programs.steps import Step, stepwise
from refdp.programs.syntax import Claim, Item, Program
from refdp.terms.leaves import FALSE, TRUE, integer, is_number, rational, variable, variables
from refdp.terms.operations import at_most, conjunction, equal, substitute
from refdp.terms.term import Term

FINITE = frozenset({"bernoulli", "choice", "uniform"})
FARTHEST = (1, 2, 4, 8, 16, 32, 64, 128)
"""Limits of data that are numbers, in the order in which they are tried."""
MOST_OUTCOMES = 1_000
"""Most values of one draw that an output is split by."""
SECONDS = 5.0
"""Longest time for one question to the solver."""
Output = tuple[tuple[Item, ...], ...]
Law = Mapping[Output, Number]


@dataclass(frozen=True, slots=True)
class Found:
    """Two elements and the outputs that are too likely for the first, compared with the second."""

    old: Datum
    new: Datum
    outputs: tuple[Output, ...]
    times: int
    """How many elements of a list differ so."""


class TooLikely(Refused):
    """The laws of two neighbours break the claim."""

    def __init__(self, found: Found) -> None:
        super().__init__("the exact laws of two neighbours are further apart than is claimed")
        self.found = found


def holds_exactly(
    program: Program, claim: Claim, solvers: Sequence[str], seconds: float
) -> tuple[tuple[str, ...], int]:
    """Whose word is taken for it that data are finite, and how many comparisons of probabilities show the claim.

    Refused where they do not, or do not suffice.
    """
    end, count = work.spent() + seconds, 0
    if claim.epsilon is None or not set(program.parameters) - {program.length} <= set(claim.given):
        raise Refused("all parameters must be given where laws are compared")
    given = public(program, claim, ()).given
    allowance = number(0) if claim.delta is None else closed(substitute(claim.delta, given))
    if sign(allowance) < 0:
        raise Refused("delta must not be negative")
    factor = exponential(closed(substitute(claim.epsilon, given)))
    able = bounding(program, claim, solvers)
    for relation in claim.adjacency.parts:
        power = 1 if not program.data.is_list else answers_alone(program, relation)
        laws, before = dict[Datum, Law](), count
        for old, new in neighbours(relation, farthest(program, relation, able[0]) if able else None):
            for one in (old, new):
                if work.spent() > end:
                    raise Refused("the time is over")
                laws[one] = laws[one] if one in laws else law(program, claim, one, end)
            count += compared(claim, laws, Found(old, new, (), power), factor, allowance)
        if count == before:
            raise Refused("some data must have neighbours")
    return able, count


def compared(claim: Claim, laws: Mapping[Datum, Law], pair: Found, factor: Number, allowance: Number) -> int:
    """How many outputs were compared of two laws that keep to the claim.  TooLikely where they do not.

    For one element that differs, the positive differences add up to delta at most; for more, none is positive.
    """
    first, second = laws[pair.old], laws[pair.new]
    outputs = list(dict.fromkeys((*first, *second)))
    excess, likely = number(0), list[Output]()
    for output in outputs:
        p, q = (law.get(output, number(0)) ** pair.times for law in (first, second))
        if sign(p - factor * q) > 0:
            excess = excess + (p - factor * q)
            likely.append(output)
    most = allowance if pair.times == 1 else number(0)
    if likely and sign(excess - most) > 0:
        worst = tuple(likely) if claim.delta is not None else tuple(likely[:1])
        raise TooLikely(replace(pair, outputs=worst))
    return len(outputs)


def bounding(program: Program, claim: Claim, solvers: Sequence[str]) -> tuple[str, ...]:
    """The solvers that bound how far related data are apart; none is needed for truth values.  Refused if none does."""
    insist_on_one_length(claim)
    if program.data.sort == "Bool":
        return ()
    able = tuple(s for s in solvers if all(farthest(program, one, s) for one in claim.adjacency.parts))
    if not able:
        raise Refused(f"data must be truth values, or integers must be related only within {FARTHEST[-1]}")
    return able


def insist_on_one_length(claim: Claim) -> None:
    """Refused where no data are neighbours, or some of different lengths: their laws are not compared."""
    if not claim.adjacency.parts:
        raise Refused("some data must have neighbours")
    if claim.adjacency.edits:
        raise Refused("laws are compared only for lists of one length")


def answers_alone(program: Program, relation: Relation) -> int:
    """How many elements may differ, of a program that answers each by itself.  Refused where it does not."""
    steps = stepwise(program)
    if relation.changed is None or len(steps.loops) != 1 or len(steps.states[1]) != 1:
        raise Refused("laws of lists are compared only where each element is answered by itself")
    loop = steps.loops[0]
    if loop.limit is not LENGTH or loop.element is None or loop.condition is not TRUE:
        raise Refused("laws of lists are compared only where every element is answered")
    shared = {LENGTH, variable(loop.counter, "Int")}
    keeps = any(s.path.appended for s in steps.steps)  # a list of weights tells later elements of earlier ones
    if keeps or not all(is_alone(s, shared) if s.is_round else does_nothing(s) for s in steps.steps):
        raise Refused("laws of lists are compared only where each element is answered by itself")
    return relation.changed


def does_nothing(step: Step) -> bool:
    """Whether a step neither reads data, nor draws, nor releases anything."""
    return not (step.path.looked or step.path.drawn or step.path.emitted)


def is_alone(step: Step, shared: set[Term]) -> bool:
    """Whether a round goes on, and depends on its element alone; its first condition is that there is one."""
    said = [*step.path.condition[1:], *(p for d in step.path.drawn for p in d.parameters)]
    said += [i for items in step.path.emitted for i in items if isinstance(i, Term)]
    return step.target == step.source and len(step.path.looked) == 1 and not shared & set(variables(*said))


def neighbours(relation: Relation, limit: int | None) -> Iterator[tuple[Datum, Datum]]:
    """Every two different elements that are related: integers within the limit, truth values where there is none."""
    values: list[Datum] = [False, True] if limit is None else [Fraction(k) for k in range(-limit, limit + 1)]
    for old, new in product(values, repeat=2):
        if old != new and is_related(relation, {}, [(Fraction(old), Fraction(new))]):
            yield old, new


def farthest(program: Program, relation: Relation, solver: str) -> int | None:
    """A limit such that the solver shows related integers to lie between it and its negative, None without one."""
    if program.data.sort != "Int":
        return None
    return next((limit for limit in FARTHEST if is_within(relation, limit, solver)), None)


def is_within(relation: Relation, limit: int, solver: str) -> bool:
    """Whether the solver shows that related elements lie between the limit and its negative."""
    low, high = rational(-limit), rational(limit)
    wanted = conjunction(*(conjunction(at_most(low, v), at_most(v, high)) for v in (OLD, NEW)))
    return valid(solver, (relation.related,), wanted, SECONDS).verdict == "unsat"


def law(program: Program, claim: Claim, one: Datum, end: float = inf) -> Law:
    """The probability of every output for data that are, or whose only element is, `one`.

    Refused if it is not finite, and once the work of this thread comes to `end`.
    """
    known = {name: value for name, value in claim.given.items() if name in program.parameters}
    found: dict[Output, Number] = {}
    for whole, _ in Execution(element_of((one,), program.data.sort)).block(program.body, start(program, known, 1)):
        for path in each_outcome(whole):
            if work.spent() > end:
                raise Refused("the time is over")
            if not FINITE.issuperset(d.family for d in path.drawn) or not all(map(is_constant, flat(path))):
                raise Refused("every draw and every output must be one of finitely many")
            if FALSE not in path.condition:
                chance = probability(path.condition, path.drawn)
                found[path.emitted] = found.get(path.emitted, number(0)) + chance
    if sign(sum(found.values(), number(-1))) != 0:
        raise Refused("an exception must be raised for no data where laws are compared")
    return found


def each_outcome(path: Path) -> list[Path]:
    """The path for each outcome of the draws from limits, or from weights, that its output hangs on."""
    released = variables(*(item for item in flat(path) if isinstance(item, Term)))
    for one in path.drawn:
        if one.variable not in released or one.family == "bernoulli":
            continue
        ends = one.parameters if one.family == "uniform" else (integer(0), integer(len(one.parameters) - 1))
        if not FINITE.issuperset({one.family}) or not all(map(is_number, ends)):
            break
        values = range(int(ends[0].rational), int(ends[1].rational) + 1)
        if len(values) > MOST_OUTCOMES:
            break
        return [each for k in values for each in each_outcome(having(path, one.variable, integer(k)))]
    return [path]


def having(path: Path, drawn: Term, outcome: Term) -> Path:
    """The path where this was drawn: what it decides and releases says so, draws after it hang on it."""
    known = {drawn: outcome}
    later = tuple(replace(d, parameters=tuple(substitute(p, known) for p in d.parameters)) for d in path.drawn)
    emitted = tuple(tuple(substitute(i, known) if isinstance(i, Term) else i for i in items) for items in path.emitted)
    return replace(path.given(equal(drawn, outcome)), emitted=emitted, drawn=later)


def flat(path: Path) -> list[Item]:
    """Everything that a path releases."""
    return [item for items in path.emitted for item in items]


def is_constant(item: Item) -> bool:
    """Whether a part of the output never varies on a path."""
    return not isinstance(item, Term) or is_number(item) or item.operator == "truth"
