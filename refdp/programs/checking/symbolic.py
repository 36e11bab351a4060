"""Proofs by laws with symbols: where draws and data are finite, every law is a list of ratios of polynomials.

As `finite` does where all parameters have values; here what is left is a statement about public parameters, which the
solvers are asked: for every two neighbours a, b and every answer o, with c elements that may differ,

    P[o given a]^c <= e^epsilon P[o given b]^c,

or, for a delta and c = 1, that the positive differences P[o given a] - e^epsilon P[o given b] add up to delta at most.
Why this suffices is proved in section 8 of docs/program_proofs.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import chain, combinations, product

from refdp import work
from refdp.logic.asking import valid
from refdp.programs.adjacency import NEW, OLD, Relation
from refdp.programs.checking.conditions import Condition
from refdp.programs.checking.finite import (
    FINITE,
    Output,
    answers_alone,
    bounding,
    farthest,
    insist_on_one_length,
    is_constant,
    neighbours,
)
from refdp.programs.checking.public import Public, Refused, public
from refdp.programs.checking.ratios import Factor, Ratio, Ratios, plain, polynomial_of, term
from refdp.programs.events import Datum, element_of, start
from refdp.programs.execution import Drawn, Execution, Path
from refdp.programs.probabilities import probability, sign
from refdp.programs.syntax import Claim, Item, Program
from refdp.terms.leaves import FALSE, TRUE, ZERO, integer, is_number, rational, truth, variable, variables
from refdp.terms.operations import at_most, less, negation, real, substitute
from refdp.terms.polynomials import Polynomial
from refdp.terms.term import Term

MOST_LEAVES = 4_000
"""Most ways that one run may take."""
MOST_OPEN = 6
"""Most answers whose differences may be positive where they are added up."""
SHORT = 0.5
"""Longest time for a question that only says what is worth demanding, in seconds."""
NUMBERS = (variable("number.old", "Real"), variable("number.new", "Real"))
"""Any two related elements, where data are real numbers; no parameter has such a name."""
Law = Mapping[Output, Ratio]


@dataclass(frozen=True, slots=True)
class Chance:
    """The probability that a draw comes out so: its family and parameters, in public terms."""

    family: str
    parameters: tuple[Term, ...]
    outcome: int


@dataclass(frozen=True, slots=True)
class Leaf:
    """One way that a run may take: what comes of each draw, and what is released."""

    output: Output
    chances: tuple[Chance, ...]


@dataclass(slots=True)
class Laws:
    """The laws of a program on its data, and what must hold of the parameters so that they are its laws."""

    program: Program
    claim: Claim
    shared: Public
    end: float
    leaves: dict[Datum | Term, list[Leaf]] = field(default_factory=dict)
    decided: dict[Term, None] = field(default_factory=dict)
    """Conditions on public parameters alone that a way was taken, or left out, by."""
    needed: dict[Term, None] = field(default_factory=dict)
    """Conditions on data, which stand for any number, without which an exception is raised."""
    ratios: Ratios = field(init=False)

    def __post_init__(self) -> None:
        self.ratios = Ratios((*self.shared.parameters, *NUMBERS))

    def look(self, one: Datum | Term) -> None:
        """Go every way that a run may take on data that are, or whose only element is, `one`: a term is any number."""
        if one in self.leaves:
            return
        known = {name: value for name, value in self.claim.given.items() if name in self.program.parameters}
        element = any_number(one) if isinstance(one, Term) else element_of((one,), self.program.data.sort)
        execution = Execution(element, most_paths=MOST_LEAVES)
        found = list[Leaf]()
        for path, _ in execution.block(self.program.body, start(self.program, known, 1)):
            found += self.ways(path)
            if len(found) > MOST_LEAVES:
                raise Refused(f"a run must have at most {MOST_LEAVES} ways that it may take")
        self.leaves[one] = found
        self.ratios.learn((*self.needed, *(p for leaf in found for chance in leaf.chances for p in chance.parameters)))

    def ways(self, path: Path) -> Iterator[Leaf]:
        """Each way along a path.  Refused where draws or outputs are not finite."""
        if not FINITE.issuperset(d.family for d in path.drawn):
            raise Refused("every draw must be one of finitely many where laws are compared")
        for outcomes in product(*(map(range, sizes(path.drawn, self.shared)))):
            fixed: dict[Term, Term] = {}
            chances = list[Chance]()
            for draw, outcome in zip(path.drawn, outcomes, strict=True):
                own = tuple(substitute(substitute(p, fixed), self.shared.given) for p in draw.parameters)
                chances.append(Chance(draw.family, own, outcome))
                fixed[draw.variable] = outcome_of(draw, own, outcome)
            conditions = {c: substitute(substitute(c, fixed), self.shared.given) for c in path.condition}
            of_data = {c: one for c, one in conditions.items() if set(NUMBERS) & set(variables(one))}
            if not all(self.goes(one) for c, one in conditions.items() if c not in of_data):
                continue
            if not of_data.keys() <= {c for c, _ in path.required}:
                raise Refused(
                    "the course of a run must not hang on data that may be any number, where laws are compared"
                )
            self.needed |= dict.fromkeys(of_data.values())
            output = tuple(tuple(self.released(item, fixed) for item in items) for items in path.emitted)
            yield Leaf(output, tuple(chances))

    def released(self, item: Item, fixed: Mapping[Term, Term]) -> Item:
        """A part of the output.  Refused where it is not one of finitely many."""
        found = substitute(substitute(item, fixed), self.shared.given) if isinstance(item, Term) else item
        if not is_constant(found):
            raise Refused("every output must be one of finitely many where laws are compared")
        return found

    def goes(self, condition: Term) -> bool:
        """Whether the way is taken: where that hangs on public parameters, it must be the same for all of them."""
        if condition.operator == "truth":
            return condition is TRUE
        if not variables(condition):  # of numbers, such as exp(-1) <= 1: solvers know nothing of e
            return sign(probability((condition,), ())) > 0
        if not set(variables(condition)) <= set(self.shared.parameters):
            raise Refused("the course of a run must hang on draws of finitely many values, where laws are compared")
        for way in (condition, negation(condition)):
            if way in self.decided or self.follows(self.shared.exact(way), tuple(self.shared.known())):
                self.decided[way] = None
                return way is condition
        raise Refused("the course of a run must be the same for all public parameters, where laws are compared")

    def follows(self, statement: Term, known: tuple[Term, ...]) -> bool:
        """Whether z3 says so at once; whatever is built on it is demanded of every solver later on."""
        left = min(SHORT, self.end - work.spent())
        return left > 0 and valid("z3", known, statement, left).verdict == "unsat"

    def law(self, one: Datum | Term) -> Law:
        """The probability of every output.  Refused where they do not add up to 1: then an exception may be raised."""
        found: dict[Output, Ratio] = {}
        for leaf in self.leaves[one]:
            chance = plain(Fraction(1))
            for each in leaf.chances:
                chance = chance * self.chance(each)
            found[leaf.output] = found[leaf.output] + chance if leaf.output in found else chance
        everything = plain(Fraction(-1))
        for ratio in found.values():
            everything = everything + ratio
        if everything.above.coefficients:
            raise Refused("every run must end without an exception, where laws are compared")
        return found

    def chance(self, one: Chance) -> Ratio:
        """The probability of an outcome."""
        if one.family == "uniform":
            low, high = (int(p.rational) for p in one.parameters)
            return plain(Fraction(1, high - low + 1))
        if one.family == "bernoulli":
            heads = self.ratios(one.parameters[0])
            return heads if one.outcome else plain(Fraction(1)) - heads
        return self.ratios(one.parameters[one.outcome]) * self.all_weights(one).inverse()

    def all_weights(self, one: Chance) -> Ratio:
        """The sum of the weights of a choice."""
        found = plain(Fraction(0))
        for weight in one.parameters:
            found = found + self.ratios(weight)
        return found

    def sense(self) -> Iterator[Term]:
        """What must hold so that there are such draws: no division by 0, and no probability beyond 0 and 1."""
        for ratio, is_strict in self.not_negative():
            yield from (positive(factor) for factor in ratio.below)
            yield less(ZERO_REAL, term(ratio.above)) if is_strict else at_least_0(ratio.above)

    def not_negative(self) -> Iterator[tuple[Ratio, bool]]:
        """What must be at least 0 for such draws, and whether it must be more: of data, chances and weights."""
        yield from (difference(condition, self.ratios) for condition in self.needed)
        seen = {(c.family, c.parameters): c for found in self.leaves.values() for leaf in found for c in leaf.chances}
        for one in (c for c in seen.values() if c.family != "uniform"):
            yield from ((self.ratios(p), False) for p in one.parameters)
            if one.family == "bernoulli":
                yield plain(Fraction(1)) - self.ratios(one.parameters[0]), False
            else:
                yield self.all_weights(one), True


def difference(condition: Term, ratios: Ratios) -> tuple[Ratio, bool]:
    """What must be at least 0 so that a comparison holds, its right side less its left, and whether 0 will not do.

    Of comparisons of which one must hold it is their sum: where that is positive, one of them is.  Refused where it is
    none of these.
    """
    choices = condition.arguments if condition.operator == "any_of" else (condition,)
    if not choices or not {"<", "<="}.issuperset(one.operator for one in choices):
        raise Refused("what data must be is compared only where it is a comparison of numbers")
    found = plain(Fraction(0))
    for left, right in (one.arguments for one in choices):
        found = found + ratios(right) - ratios(left)
    return found, any(one.operator == "<" for one in choices)


ZERO_REAL = real(ZERO)


def any_number(one: Term) -> Callable[[Term, Path], Term]:
    """The term at index 0; where there is no element the path already says that Python raises an exception."""
    return lambda index, _: one if is_number(index) and index.rational == 0 else ZERO_REAL


def at_least_0(found: Polynomial) -> Term:
    """That a polynomial is not negative."""
    return at_most(ZERO_REAL, term(found))


def positive(factor: Factor) -> Term:
    """That a factor is > 0."""
    return less(ZERO_REAL, term(polynomial_of(factor)))


def sizes(drawn: Sequence[Drawn], shared: Public) -> list[int]:
    """How many outcomes each draw has.  Refused where that is not known."""
    found = []
    for one in drawn:
        if one.family == "bernoulli":
            found.append(2)
        elif one.family == "uniform":
            ends = [substitute(p, shared.given) for p in one.parameters]
            if not all(map(is_number, ends)) or ends[0].rational > ends[1].rational:
                raise Refused("the limits of uniform draws must be numbers, the first at most the second")
            found.append(int(ends[1].rational - ends[0].rational) + 1)
        elif one.parameters:
            found.append(len(one.parameters))
        else:
            raise Refused("choices from lists are not compared")
    return found


def outcome_of(draw: Drawn, parameters: Sequence[Term], outcome: int) -> Term:
    """The value of a draw."""
    if draw.family == "bernoulli":
        return truth(outcome == 1)
    return integer(outcome + (int(parameters[0].rational) if draw.family == "uniform" else 0))


def demanded_of_laws(program: Program, claim: Claim, solvers: Sequence[str], seconds: float) -> Iterator[Condition]:
    """Everything that is to be proved of public parameters so that the laws of all neighbours show the claim.

    Refused where the laws are not finite, or not made of what is compared.
    """
    if claim.epsilon is None:
        raise Refused("laws are compared only where epsilon is claimed")
    shared = public(program, claim, ())
    laws = Laws(program, claim, shared, work.spent() + seconds)
    parts = list(pairs_of_parts(program, claim, solvers))
    for one in dict.fromkeys(chain.from_iterable(pair for _, pairs in parts for pair in pairs)):
        laws.look(one)
    for exponent in exponents(substitute(claim.epsilon, shared.given)):
        laws.ratios.learn_exponent(exponent)
    delta = rational(0) if claim.delta is None else substitute(claim.delta, shared.given)
    laws.ratios.learn((substitute(claim.epsilon, shared.given), delta))
    factor, allowance = power(substitute(claim.epsilon, shared.given), laws.ratios), laws.ratios(delta)
    wanted = dict.fromkeys((less(ZERO_REAL, term(factor.above)), at_least_0(allowance.above)))
    wanted |= dict.fromkeys(positive(one) for each in (factor, allowance) for one in each.below)
    wanted |= dict.fromkeys(shared.exact(one) for one in laws.decided)
    known = (*shared.known(), *laws.ratios.facts())
    yield from (Condition("the laws", known, one) for one in wanted)
    for relation, pairs in parts:
        times = 1 if not program.data.is_list else answers_alone(program, relation)
        facts = (*known, *near(program, relation, shared))
        found = dict.fromkeys(laws.sense())
        for old, new in pairs:
            first, second = laws.law(old), laws.law(new)
            differences = [
                (first.get(one, plain(Fraction(0))) ** times) - factor * (second.get(one, plain(Fraction(0))) ** times)
                for one in {**first, **second}
            ]
            found |= dict.fromkeys(positive(one) for each in differences for one in each.below)
            found |= dict.fromkeys(bounded(differences, allowance, times, laws, facts))
        yield from (Condition("the laws", facts, one) for one in found)


def pairs_of_parts(
    program: Program, claim: Claim, solvers: Sequence[str]
) -> Iterator[tuple[Relation, Sequence[tuple[Datum | Term, Datum | Term]]]]:
    """The pairs of elements that are compared, for each part of the adjacency: all, or two that stand for any."""
    insist_on_one_length(claim)
    if program.data.sort == "Real":
        yield from ((relation, [NUMBERS]) for relation in claim.adjacency.parts)
        return
    able = bounding(program, claim, solvers)
    yield from ((relation, related(program, relation, able)) for relation in claim.adjacency.parts)


def near(program: Program, relation: Relation, shared: Public) -> Iterator[Term]:
    """What is known of the two numbers that stand for any: that they are related."""
    if program.data.sort == "Real":
        yield substitute(shared(relation.related), dict(zip((OLD, NEW), NUMBERS, strict=True)))


def bounded(
    differences: Sequence[Ratio], allowance: Ratio, times: int, laws: Laws, facts: tuple[Term, ...]
) -> Iterator[Term]:
    """That the positive ones of the differences add up to what is allowed at most.

    Each that may be positive is one of the `waiting`; of all others it is demanded that they are not.
    """
    signs = [at_most(term(one.above), ZERO_REAL) for one in differences]
    if not allowance.above.coefficients or times > 1:
        yield from signs
        return
    waiting = list[Ratio]()
    for one, is_none in zip(differences, signs, strict=True):
        if is_none is not TRUE and (is_none is FALSE or not laws.follows(is_none, facts)):
            waiting.append(one)
        else:
            yield is_none
    if len(waiting) > MOST_OPEN:
        raise Refused(f"at most {MOST_OPEN} answers may be likelier by more than the factor, where delta is shown")
    for count in range(1, len(waiting) + 1):
        for chosen in combinations(waiting, count):
            found = plain(Fraction(0)) - allowance
            for one in chosen:
                found = found + one
            yield at_most(term(found.above), ZERO_REAL)


def related(program: Program, relation: Relation, able: Sequence[str]) -> list[tuple[Datum, Datum]]:
    """Every two different elements that are related.  Refused where there are none, and so nothing is compared."""
    found = list(neighbours(relation, farthest(program, relation, able[0]) if able else None))
    if not found:
        raise Refused("some data must have neighbours")
    return found


def exponents(epsilon: Term) -> Iterator[Term]:
    """What e is raised to, of a claim that is a sum of logarithms and others."""
    match epsilon.operator, epsilon.arguments:
        case "real", (inner,):
            yield from exponents(inner)
        case "+", (first, second):
            yield from exponents(first)
            yield from exponents(second)
        case _ if logarithm(epsilon) is None:
            yield epsilon


def logarithm(epsilon: Term) -> tuple[int, Term] | None:
    """k and R of k ln(R), for a whole number k >= 1."""
    match epsilon.operator, epsilon.arguments:
        case "ln", (inner,):
            return 1, inner
        case "*", (first, second) if is_number(first) and second.operator == "ln":
            times = first.rational
            return (int(times), second.arguments[0]) if times.denominator == 1 and times >= 1 else None
    return None


def power(epsilon: Term, ratios: Ratios) -> Ratio:
    """e^epsilon, for a sum of logarithms and others; it is demanded to be positive, and so is what it is made of."""
    match epsilon.operator, epsilon.arguments:
        case "real", (inner,):
            return power(inner, ratios)
        case "+", (first, second):
            return power(first, ratios) * power(second, ratios)
    if (found := logarithm(epsilon)) is not None:
        return ratios(found[1]) ** found[0]
    return ratios.power(epsilon)
