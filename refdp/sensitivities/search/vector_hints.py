"""Help for answers of many coordinates, each of which one row moves by a term of its own (untrusted).

Each coordinate moves by g(row^), or by g(row^') - g(row^), whose size is at most |g(row^)| + |g(row^')|
(squares: a^2 + b^2 where g keeps its sign, else twice that).  Coordinates that exclude each other are bounded together
by their largest.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from refdp.sensitivities.checking.clauses import Condition, conditions
from refdp.sensitivities.checking.invariants import GHOST, OTHER, Hint, Invariants, first, second
from refdp.sensitivities.program import ROW
from refdp.sensitivities.question import Norm, Question
from refdp.sensitivities.search.additive import records
from refdp.sensitivities.search.chunks import CHUNK
from refdp.sensitivities.search.clipping import Way, reach, roots, ways
from refdp.sensitivities.search.clipping import hints as clip_hints
from refdp.sensitivities.search.coordinate_hints import of_exceptions, without_roots
from refdp.sensitivities.search.ranges import Ranges
from refdp.sensitivities.search.samples import exclusive_groups, is_constant
from refdp.sensitivities.search.shapes import gains, size, square
from refdp.sensitivities.search.single_runs import adding
from refdp.terms.leaves import ZERO, integer, rational, variables
from refdp.terms.operations import absolute, at_most, conjunction, multiply, real, substitute, subtract, total
from refdp.terms.term import Term

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
class Block:
    """Coordinates that are scaled together, and the most that the squares of what one record adds add up to."""

    places: tuple[int, ...]
    ways: list[Way]
    most: Term


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
        else:
            blocks = self.blocks() if self.question.norm == "L2" else []
            clipped = {index for block in blocks for index in block.places}
            for block in blocks:
                yield from self.of_block(block, known)
            for group in self.groups([k for k in range(len(self.gained)) if k not in clipped]):
                yield from self.of_group(group, known)
            if blocks:
                given = (*known, *self.public(), *of_exceptions(self.question, self.out))
                others = [
                    self.part(k, record) for k in set(range(len(self.gained))) - clipped for record in self.ghosts()
                ]
                whatever = tuple(one for one in (*self.moves("L2"), *others) if one.arguments)
                yield Hint("out", self.out.conclusion, tuple(dict.fromkeys(given)), whatever)
                return
        yield Hint("out", self.out.conclusion, tuple(dict.fromkeys((*known, *self.public()))))

    def blocks(self) -> list[Block]:
        """Coordinates that are scaled together by their length; each block may move by a part of the claim."""
        together: list[tuple[set[Term], list[int]]] = []
        for index, gain in enumerate(self.gained):
            own, places = set(roots(gain)), [index]
            for other in [one for one in together if own & one[0]]:
                together.remove(other)
                own, places = own | other[0], sorted((*other[1], *places))
            together += [(own, places)] if own else []
        record = frozenset(self.question.program.record.slots(ROW))
        found = [(places, ways(tuple(self.gained[k] for k in places), record)) for _, places in together]
        whole = without_roots(self.question.claim)
        if len(found) == 1 and found[0][1] and len(found[0][0]) == len(self.gained):
            return [Block(tuple(found[0][0]), found[0][1], multiply(self.each(), whole))]
        reaches = [(places, one, reach(one)) for places, one in found if one]
        return [Block(tuple(places), one, square(most)) for places, one, most in reaches if most is not None]

    def each(self) -> Term:
        """Which part of the square of a claim the square of what each edited record adds may be."""
        return rational(Fraction(1, len(self.ghosts()) ** 2))

    def of_block(self, block: Block, known: list[Term]) -> Iterator[Hint]:
        """Hints for vectors that are scaled to a length: the parallelogram of two of them, and how long each is.

        Of two records the vectors may be half as long: |a - b|^2 <= 2 |a|^2 + 2 |b|^2.
        """
        ghosts = self.ghosts()
        count, every = integer(len(ghosts)), self.moves("L2")
        moves = [every[k] for k in block.places]
        gained = [tuple(substitute(self.gained[k], record) for k in block.places) for record in ghosts]
        more = [one.more for one in adding(self.question.program.passes[0])]
        added = tuple(dict.fromkeys(substitute(one, record) for one in more for record in ghosts))
        steps = list[Term]()
        for place, move in enumerate(moves):
            near = at_most(
                move, total(multiply(count, multiply(one, one)) for one in (vector[place] for vector in gained))
            )
            states = set(variables(move))
            given = tuple(h for h in self.out.hypotheses if h.operator == "==" and states & set(variables(h)))
            yield self._learnt(Hint("out", near, given, added), steps)
        for record, vector in zip(ghosts, gained, strict=True):
            *others, last = clip_hints([way.of(record) for way in block.ways], vector, block.most, tuple(self.public()))
            yield from others
            yield self._learnt(last, steps)
        squares = dict.fromkeys(multiply(one, one) for vector in gained for one in vector)
        limit = multiply(multiply(count, count), block.most)
        yield self._learnt(Hint("out", at_most(total(moves), limit), tuple(steps), (*moves, *squares)), known)

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
            given = [h for h in self.out.hypotheses if h.operator == "==" and own & set(variables(h)) - self.rigid()]
            given += self.public() if needs_public else []
            yield self._learnt(Hint("out", statement, tuple(dict.fromkeys(given))), known)

    def _learnt(self, hint: Hint, known: list[Term]) -> Hint:
        known.append(hint.statement)
        return hint

    def groups(self, places: list[int]) -> list[list[int]]:
        """Some of the coordinates in groups of which a row adds to one only."""
        found = exclusive_groups(self.question.program.record, tuple(self.gained[k] for k in places))
        return [[places[k] for k in group] for group in found]

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
