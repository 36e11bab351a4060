"""The normal form of a program: no variable that is constant, repeats another or is not needed; few passes.

Each rule holds by induction over the rows.  What does not change when its start is put for it never changes.
Variables with the same start and, once they are taken for equal, the same step are equal.  A variable that uses no
final value of a pass may run in that pass.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import partial

from refdp.sensitivities.language.objects import Variable
from refdp.terms.leaves import variables
from refdp.terms.operations import substitute
from refdp.terms.term import Term

Passes = list[list[Variable]]
MOST_ROUNDS = 100


def normal_form(passes: Sequence[Sequence[Variable]], results: tuple[Term, ...]) -> tuple[Passes, tuple[Term, ...]]:
    """The passes and the results, which mean the same as before."""
    found: Passes = [list(one) for one in passes]
    for _ in range(MOST_ROUNDS):
        before = [len(one) for one in found]
        for place in range(len(found)):
            found, results = _replaced(found, results, _constant(found[place]))
            found, results = _replaced(found, results, _repeated(found[place]))
        found = _needed(found, results)
        found = _levels(found)
        if [len(one) for one in found] == before:
            break
    return found, results


def _replaced(passes: Passes, results: tuple[Term, ...], by: Mapping[Term, Term]) -> tuple[Passes, tuple[Term, ...]]:
    """Everything with some variables replaced, which are gone."""
    if not by:
        return passes, results
    found = [
        [Variable(v.name, substitute(v.start, by), substitute(v.step, by)) for v in one if v.name not in by]
        for one in passes
    ]
    return found, tuple(substitute(one, by) for one in results)


def _constant(one: Sequence[Variable]) -> dict[Term, Term]:
    """Variables that keep their start: found by assuming it of all, and giving up those of which it does not follow."""
    assumed = {v.name: v.start for v in one}
    steps = {v.name: v.step for v in one}
    while assumed:
        failing = [name for name, start in assumed.items() if substitute(steps[name], assumed) is not start]
        if not failing:
            return assumed
        for name in failing:
            del assumed[name]
    return {}


def _repeated(one: Sequence[Variable]) -> dict[Term, Term]:
    """Variables that equal an earlier one: classes of the same start, split until their steps agree."""
    classes: list[list[Variable]] = _split(one, lambda v: (v.name.sort, v.start))
    while True:
        leader = {v.name: group[0].name for group in classes for v in group}
        finer = [part for group in classes for part in _split(group, partial(_step, by=leader))]
        if len(finer) == len(classes):
            return {name: first for name, first in leader.items() if name is not first}
        classes = finer


def _step(one: Variable, by: Mapping[Term, Term]) -> Hashable:
    """The step with equal variables as one."""
    return substitute(one.step, by)


def _split(group: Iterable[Variable], key: Callable[[Variable], Hashable]) -> list[list[Variable]]:
    """The group by a key."""
    found: dict[Hashable, list[Variable]] = {}
    for one in group:
        found.setdefault(key(one), []).append(one)
    return list(found.values())


def _needed(passes: Passes, results: tuple[Term, ...]) -> Passes:
    """The variables from which the results can be found."""
    known = {v.name: v for one in passes for v in one}
    wanted: set[Term] = set()
    waiting = list(variables(*results))
    while waiting:
        one = waiting.pop()
        if one in known and one not in wanted:
            wanted.add(one)
            waiting += variables(known[one].start, known[one].step)
    return [[v for v in one if v.name in wanted] for one in passes]


def _levels(passes: Passes) -> Passes:
    """Each group of variables that read each other in the earliest pass in which it can run."""
    level: dict[Term, int] = {}
    found: Passes = []
    for one in passes:
        own = {v.name for v in one}
        for group in _groups(one):
            used = {u for v in group for u in variables(v.start, v.step)} - own
            place = max((level[u] + 1 for u in used if u in level), default=0)
            while len(found) <= place:
                found.append([])
            found[place] += group
            level |= {v.name: place for v in group}
    return [one for one in found if one]


def _groups(one: Sequence[Variable]) -> list[list[Variable]]:
    """The variables of a pass in groups that share no variable."""
    own = {v.name: v for v in one}
    group: dict[Term, int] = {v.name: number for number, v in enumerate(one)}
    for v in one:
        for other in variables(v.step):
            if other in own and group[other] != group[v.name]:
                old, new = group[other], group[v.name]
                group = {name: new if number == old else number for name, number in group.items()}
    return [[v for v in one if group[v.name] == number] for number in dict.fromkeys(group.values())]
