"""A program without what nothing reads, and with a variable less where one only hands a value on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from refdp.programs.language.numbering import Numbering
from refdp.programs.language.peeling import peeled
from refdp.programs.language.reads import reads
from refdp.programs.language.sinking import sunk
from refdp.programs.syntax import Append, Assign, Branch, Choose, Data, Draw, Look, Loop, Statement, Stop
from refdp.terms.term import Term


def tidy(body: tuple[Statement, ...], data: Data) -> tuple[Statement, ...]:
    """The program without assignments and draws that nothing reads, and without a Stop at its end."""
    while True:
        read = set(reads(body))
        kept = _used(body, read)
        if kept == body:
            break
        body = kept
    body = peeled(body, data)
    body = _handed_on(body, Counter(reads(body)))
    body = sunk(body)
    return Numbering().block(body[:-1] if body and isinstance(body[-1], Stop) else body)


def _used(body: Iterable[Statement], read: set[str]) -> tuple[Statement, ...]:
    """The statements whose variables are read, or that do something else."""
    found: list[Statement] = []
    for one in body:
        match one:
            case Assign(target) | Draw(target) | Choose(target) | Look(target) if target not in read:
                continue
            case Branch(_, yes, no):
                changed = replace(one, yes=_used(yes, read), no=_used(no, read))
                found += [changed] if changed.yes or changed.no else []
            case Loop(element=element):
                element = element if element in read else None
                found.append(replace(one, element=element, body=_used(one.body, read)))
            case _:
                found.append(one)
    return tuple(found)


def _handed_on(body: tuple[Statement, ...], reads: Counter[str]) -> tuple[Statement, ...]:
    """Draws and elements go straight to the variable that alone is assigned from them."""
    found: list[Statement] = []
    for one in body:
        if isinstance(one, Branch):
            one = replace(one, yes=_handed_on(one.yes, reads), no=_handed_on(one.no, reads))
        elif isinstance(one, Loop):
            one = _looping(replace(one, body=_handed_on(one.body, reads)))
        last = found[-1] if found else None
        if isinstance(one, Assign) and isinstance(last, Draw | Choose | Look) and _hands(one, last.target, reads):
            found[-1] = replace(last, target=one.target)
        elif (
            isinstance(one, Append)
            and isinstance(last, Assign)
            and _is(one.value, last.target)
            and reads[last.target] == 1
        ):
            found[-1] = replace(one, value=last.value)
        else:
            found.append(one)
    return tuple(found)


def _looping(loop: Loop) -> Loop:
    """The loop whose element goes straight to the user's variable."""
    first = loop.body[0] if loop.body else None
    within = Counter(reads(loop.body))
    if loop.element is not None and isinstance(first, Assign) and _hands(first, loop.element, within):
        return replace(loop, element=first.target, body=loop.body[1:])
    return loop


def _hands(one: Assign, name: str, reads: Counter[str]) -> bool:
    """Whether an assignment is all that reads a variable."""
    return _is(one.value, name) and reads[name] == 1


def _is(term: Term, name: str) -> bool:
    """Whether a term is the variable of that name."""
    return term.operator == "name" and term.value == name
