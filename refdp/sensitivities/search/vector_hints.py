"""Help for answers of many coordinates, each of which one row moves by a term of its own (untrusted).

Each coordinate moves by g(row^), or by g(row^') - g(row^), whose size is at most |g(row^)| + |g(row^')|
(squares: a^2 + b^2 where g keeps its sign, else twice that).  Coordinates that exclude each other are bounded together
by their largest.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from refdp.logic.operations import absolute, at_most, conjunction, multiply, real, subtract, total
from refdp.logic.substitution import substitute
from refdp.logic.terms import ZERO, Term, integer, rational, variables
from refdp.sensitivities.checking.clauses import Condition, conditions
from refdp.sensitivities.checking.invariants import GHOST, OTHER, Hint, Invariants, first, second
from refdp.sensitivities.question import Norm, Question
from refdp.sensitivities.search.additive import records
from refdp.sensitivities.search.chunks import CHUNK
from refdp.sensitivities.search.clipping import Clipped, clipped
from refdp.sensitivities.search.ranges import Ranges
from refdp.sensitivities.search.samples import exclusive_groups, is_constant
from refdp.sensitivities.search.shapes import gains, size, square

PLAIN = 4
"""Answers of no more coordinates need no help, except in L2."""


def with_vector_hints(question: Question, found: Invariants) -> Invariants:
    """The invariants with hints for the last condition, if the answer has many coordinates or its norm is L2."""
    gained = gains(question.program)
    if gained is None or (len(gained) <= PLAIN and question.norm != "L2") or len(gained) < 2:
        return found
    *_, out = conditions(question, question.neighbours, found)
    return replace(found, hints=(*found.hints, *_Vector(question, out, gained).hints()))


@dataclass(frozen=True, slots=True)
class _Vector:
    """The last condition of a question whose answer is a vector of sums."""

    question: Question
    out: Condition
    gained: tuple[Term, ...]

    def hints(self) -> Iterator[Hint]:
        """Hints for each coordinate, then for groups of them, then for all."""
        known: list[Term] = []
        if self.question.norm == "Linf":
            limits = [at_most(moved, self.question.claim) for moved in self.moves("Linf")]
            yield from self.chunked(limits, True, known)
        elif self.question.norm == "L2" and (scaled := clipped(self.gained)) is not None:
            yield from self.of_clipped(scaled, known)
        else:
            for group in self.groups():
                yield from self.of_group(group, known)
        yield Hint("out", self.out.conclusion, tuple(dict.fromkeys((*known, *self.public()))))

    def of_clipped(self, scaled: Clipped, known: list[Term]) -> Iterator[Hint]:
        """Hints for vectors that are scaled to a length: the parallelogram of two of them, and how long each is."""
        moves, ghosts = self.moves("L2"), self.ghosts()
        claim = self.question.claim if len(ghosts) == 1 else multiply(rational(Fraction(1, 2)), self.question.claim)
        parts = [[self.part(k, record) for record in ghosts] for k in range(len(moves))]
        for move, part in zip(moves, parts, strict=True):
            yield from self.chunked([at_most(move, total(part))], False, known)
        if len(ghosts) == 1:  # the roots of two records are more than z3 can keep apart
            yield from self.summed_up(moves, parts, known)
        for record in ghosts:
            squares = total(square(substitute(gain, record)) for gain in self.gained)
            steps = scaled.steps(record, claim, squares)
            for statement, given in steps:
                public = self.public() if not given else []
                yield Hint("out", statement, tuple(dict.fromkeys((*(steps[g][0] for g in given), *public))))
            known.append(steps[-1][0])

    def summed_up(self, moves: list[Term], parts: list[list[Term]], known: list[Term]) -> Iterator[Hint]:
        """Hints for the first two coordinates together, the first three, and so on; the last one replaces all."""
        before = known[0]
        for k in range(1, len(moves)):
            ahead = at_most(total(moves[: k + 1]), total(total(part) for part in parts[: k + 1]))
            yield Hint("out", ahead, (before, known[k]))
            before = ahead
        known[:] = [before]

    def of_group(self, group: list[int], known: list[Term]) -> Iterator[Hint]:
        """Hints for coordinates that exclude each other, or for one alone."""
        moves = self.moves(self.question.norm)
        if self.question.neighbours == "change_one" and len(group) == 1:
            yield from self.chunked([at_most(moves[group[0]], self.alone(group[0]))], True, known)
            return
        parts = {k: [self.part(k, record) for record in self.ghosts()] for k in group}
        yield from self.chunked([at_most(moves[k], total(parts[k])) for k in group], False, known)
        most = self.together(group)
        for place in range(len(self.ghosts())):
            limit = at_most(total(parts[k][place] for k in group), most)
            yield self._learnt(Hint("out", limit, tuple(self.public())), known)

    def chunked(self, statements: list[Term], needs_public: bool, known: list[Term]) -> Iterator[Hint]:
        """Some statements at a time, from what the relation says of their variables."""
        for place in range(0, len(statements), CHUNK):
            statement = conjunction(*statements[place : place + CHUNK])
            own = set(variables(statement))
            given = [h for h in self.out.hypotheses if h.operator == "=" and own & set(variables(h)) - self.rigid()]
            given += self.public() if needs_public else []
            yield self._learnt(Hint("out", statement, tuple(dict.fromkeys(given))), known)

    def _learnt(self, hint: Hint, known: list[Term]) -> Hint:
        known.append(hint.statement)
        return hint

    def groups(self) -> list[list[int]]:
        """Coordinates in groups of which a row adds to one only."""
        return exclusive_groups(self.question.program.record, self.gained)

    def moves(self, norm: Norm) -> list[Term]:
        """How far each coordinate moves, squared under L2: as the conclusion says it."""
        runs = [{s: run(s) for s in self.question.program.passes[0].state} for run in (first, second)]
        outputs = [[substitute(t, run) for t in self.question.program.output] for run in runs]
        apart = [subtract(a, b) for a, b in zip(*outputs, strict=True)]
        if norm == "L2":
            return [multiply(d, d) for d in map(real, apart)]
        return [absolute(d) for d in apart]

    def part(self, index: int, record: dict[Term, Term]) -> Term:
        """What one edited record contributes at most to how far a coordinate moves."""
        gain = substitute(self.gained[index], record)
        if self.question.norm == "L1":
            return size(gain)
        low, high = self.bounds().of(self.gained[index])
        keeps = low is not None and self.bounds().knows(at_most(ZERO, low))
        keeps = keeps or (high is not None and self.bounds().knows(at_most(high, ZERO)))
        is_double = self.question.neighbours == "change_one" and not keeps
        return multiply(integer(2), square(gain)) if is_double else square(gain)

    def together(self, group: list[int]) -> Term:
        """The largest contribution of a record to a group."""
        bounds = self.bounds()
        tops = [bounds.of(self.part(k, {}))[1] for k in group]
        known = [top for top in tops if top is not None]
        return bounds.most(known) if len(known) == len(tops) else self.share()

    def share(self) -> Term:
        """What the claim leaves for one edited record."""
        claim = self.question.claim
        return multiply(claim, claim) if self.question.norm == "L2" else claim

    def alone(self, index: int) -> Term:
        """How far a coordinate moves at most when a record changes: from its least to its largest."""
        low, high = self.bounds().of(self.gained[index])
        if is_constant(self.question.program.record, self.gained[index]):
            return ZERO
        if low is None or high is None:
            return self.share()
        width = subtract(high, low)
        return square(width) if self.question.norm == "L2" else width

    def bounds(self) -> Ranges:
        """Ranges of terms in the row."""
        return Ranges(self.question.program)

    def ghosts(self) -> list[dict[Term, Term]]:
        """The edited records."""
        names = (GHOST,) if self.question.neighbours == "add_remove" else (GHOST, OTHER)
        return [records(self.question.program, name) for name in names]

    def rigid(self) -> set[Term]:
        """The variables that are no states."""
        ghosts = {slot for ghost in self.ghosts() for slot in ghost.values()}
        return {*self.question.program.parameters, *ghosts}

    def public(self) -> list[Term]:
        """What is known of the edited records and the parameters alone."""
        return [h for h in self.out.hypotheses if set(variables(h)) <= self.rigid()]
