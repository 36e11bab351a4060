"""Proofs by exact probabilities: where draws and data are finite, every law is compared with every neighbour's.

For one number, or truth value, all pairs of neighbours are gone through.  For a list each of whose elements is answered
by itself, and at most c of which differ, it suffices that for every two elements a, b and every answer o

    P[o given a]^c <= e^epsilon P[o given b]^c.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product

from refdp.logic.asking import valid
from refdp.logic.operations import at_most, conjunction
from refdp.logic.substitution import substitute
from refdp.logic.terms import TRUE, Term, is_number, rational, variable, variables
from refdp.programs.adjacency import LENGTH, NEW, OLD, Relation
from refdp.programs.checking.public import Refused, public
from refdp.programs.closed_terms import closed
from refdp.programs.counterexample import is_related
from refdp.programs.events import Datum, element_of, start
from refdp.programs.execution import Execution, Path
from refdp.programs.probabilities import Number, exponential, number, probability, sign
from refdp.programs.steps import Step, stepwise
from refdp.programs.syntax import Claim, Item, Program
from refdp.provers import work

FINITE = frozenset({"bernoulli", "choice", "uniform"})
FARTHEST = (1, 2, 4, 8, 16, 32, 64, 128)
"""Limits of data that are numbers, in the order in which they are tried."""
SECONDS = 5.0
"""Longest time for one question to the solver."""
Law = Mapping[tuple[tuple[Item, ...], ...], Number]


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
    if claim.delta is not None and sign(closed(substitute(claim.delta, given))) < 0:
        raise Refused("delta must not be negative")
    factor = exponential(closed(substitute(claim.epsilon, given)))
    able = _bounding(program, claim, solvers)
    for relation in claim.adjacency.parts:
        power = 1 if not program.data.is_list else answers_alone(program, relation)
        laws: dict[Datum, Law] = {}
        for old, new in neighbours(relation, farthest(program, relation, able[0]) if able else None):
            for one in (old, new):
                if work.spent() > end:
                    raise Refused("the time is over")
                laws[one] = laws[one] if one in laws else law(program, claim, one)
            for output in laws[old].keys() | laws[new].keys():
                p, q = (laws[one].get(output, number(0)) ** power for one in (old, new))
                if sign(p - factor * q) > 0:
                    raise Refused(f"{output} is too likely for {old}, compared with {new}")
                count += 1
    return able, count


def _bounding(program: Program, claim: Claim, solvers: Sequence[str]) -> tuple[str, ...]:
    """The solvers that bound how far related data are apart; none is needed for truth values.  Refused if none does."""
    if program.data.sort == "Bool":
        return ()
    able = tuple(s for s in solvers if all(farthest(program, one, s) for one in claim.adjacency.parts))
    if not able:
        raise Refused(f"data must be truth values, or integers must be related only within {FARTHEST[-1]}")
    return able


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


def law(program: Program, claim: Claim, one: Datum) -> Law:
    """The probability of every output for data that are, or whose only element is, `one`.  Refused if not finite."""
    known = {name: value for name, value in claim.given.items() if name != program.length}
    found: dict[tuple[tuple[Item, ...], ...], Number] = {}
    for path, _ in Execution(element_of((one,), program.data.sort)).block(program.body, start(program, known, 1)):
        if not FINITE.issuperset(d.family for d in path.drawn) or not all(map(is_constant, flat(path))):
            raise Refused("every draw and every output must be one of finitely many")
        found[path.emitted] = found.get(path.emitted, number(0)) + probability(path.condition, path.drawn)
    if sign(sum(found.values(), number(-1))) != 0:
        raise Refused(f"an exception is raised for {one}")
    return found


def flat(path: Path) -> list[Item]:
    """Everything that a path releases."""
    return [item for items in path.emitted for item in items]


def is_constant(item: Item) -> bool:
    """Whether a part of the output never varies on a path."""
    return not isinstance(item, Term) or is_number(item) or item.operator == "truth"
