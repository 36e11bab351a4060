"""A loop over all data but the first, which is looked at before it, becomes one loop over all data.

first = q[0]; BEFORE(first); for i in range(1, len(q)): BODY(q[i])    is, where there are data,
for i in range(len(q)): if i == 0: BEFORE(q[i]) else: BODY(q[i])
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from refdp.programs.adjacency import LENGTH
from refdp.programs.execution import SORTS
from refdp.programs.language.context import targets
from refdp.programs.language.flow import same
from refdp.programs.language.rewriting import Rewriting
from refdp.programs.syntax import Assign, Branch, Data, Draw, Emit, Look, Loop, Require, Statement
from refdp.terms.leaves import TRUE, ZERO, integer, is_number, parts, variable, variables
from refdp.terms.operations import add, equal, less, substitute, subtract
from refdp.terms.term import Term

ONE = integer(1)
ALL_BUT_ONE = subtract(LENGTH, ONE)


def peeled(body: tuple[Statement, ...], data: Data) -> tuple[Statement, ...]:
    """The program with one loop over all data where there was one over all but the first."""
    for place, one in enumerate(body):
        if isinstance(one, Loop) and _skips_first(one):
            start = place
            while start and _is_moved(body[start - 1]):
                start -= 1
            start = next((k for k in range(start, place) if isinstance(body[k], Look)), place)
            if start < place:
                element = variable(f"{data.name}.element", data.sort)
                return (*body[:start], _whole(one, body[start:place], element), *peeled(body[place + 1 :], data))
    return body


def _skips_first(loop: Loop) -> bool:
    """Whether a loop looks at the element after its counter, and at no other."""
    wanted = add(variable(loop.counter, "Int"), ONE)
    looks = [one for one in loop.body if isinstance(one, Look)]
    plain = loop.element is None and loop.condition is TRUE and loop.limit is not None and same(ALL_BUT_ONE, loop.limit)
    return plain and bool(looks) and all(same(wanted, one.index) for one in looks) and not _looks_deeper(loop.body)


def _looks_deeper(body: Iterable[Statement]) -> bool:
    """Whether data are looked at within a branch or a loop."""
    for one in body:
        inner = (*one.yes, *one.no) if isinstance(one, Branch) else one.body if isinstance(one, Loop) else ()
        if any(isinstance(s, Look) for s in inner) or (isinstance(one, Loop) and one.element) or _looks_deeper(inner):
            return True
    return False


def _is_moved(one: Statement) -> bool:
    """Whether a statement may stand in the first round."""
    return isinstance(one, Assign | Draw | Emit) or (isinstance(one, Look) and one.index is ZERO)


def _whole(loop: Loop, before: tuple[Statement, ...], element: Term) -> Loop:
    """The loop over all data; its counter is one more than it was."""
    counter = variable(loop.counter, "Int")
    looks = {variable(s.target, element.sort): element for s in (*before, *loop.body) if isinstance(s, Look)}
    first = _Placed(looks).block(s for s in before if not isinstance(s, Look))
    moved = _Placed(looks, counter).block(s for s in loop.body if not isinstance(s, Look))
    others = tuple(s for s in moved if not (isinstance(s, Require) and s.condition is less(counter, LENGTH)))
    drawn, first, others = _shared(first, others)
    split = Branch(equal(counter, ZERO), first, others, 0, loop.line)
    return replace(loop, limit=LENGTH, element=str(element.value), body=(*drawn, split))


@dataclass(slots=True)
class _Placed(Rewriting):
    """Statements in which variables stand for others, and the counter is one more than it was."""

    others: Mapping[Term, Term]
    counter: Term | None = None

    def term(self, one: Term) -> Term:
        """A term, i for i + 1 and i == 1 for i == 0."""
        return substitute(one, {**self.others, **({} if self.counter is None else _raised(one, self.counter))})


def _raised(term: Term, counter: Term) -> Mapping[Term, Term]:
    """What the parts of a term become where the counter is one more than it was."""
    found = {counter: subtract(counter, ONE), add(counter, ONE): counter, add(ONE, counter): counter}
    for part in parts(term):
        if part.operator == "==" and part.arguments[0] is counter and is_number(part.arguments[1]):
            found[part] = equal(counter, add(part.arguments[1], ONE))
    return found


def _shared(
    first: tuple[Statement, ...], others: tuple[Statement, ...]
) -> tuple[tuple[Statement, ...], tuple[Statement, ...], tuple[Statement, ...]]:
    """The draw that the first round and the others make alike, and what is left of them."""
    one = next((s for s in first if isinstance(s, Draw)), None)
    other = next((s for s in others if isinstance(s, Draw)), None)
    if one is None or other is None or (one.family, one.parameters) != (other.family, other.parameters):
        return (), first, others
    assigned = list(targets((*first, *others)))
    used = {str(v.value) for v in variables(*one.parameters)}
    if used & {*assigned} or 1 != assigned.count(one.target) or 1 != assigned.count(other.target):
        return (), first, others
    sort = SORTS.get(one.family, "Real")
    renamed = _Placed({variable(other.target, sort): variable(one.target, sort)})
    rest = renamed.block(s for s in others if s is not other)
    return (one,), tuple(s for s in first if s is not one), rest
