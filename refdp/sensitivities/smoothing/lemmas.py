"""Why the windows give a smooth bound at every table of every size: statements that z3 and cvc5 each decide.

Written proof, with what each lemma is for: docs/sensitivity.md (smooth sensitivity).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from refdp.logic.asking import valid
from refdp.sensitivities.smoothing.windows import Family
from refdp.terms.leaves import ZERO, integer, rational, variable
from refdp.terms.operations import (
    add,
    at_most,
    choice,
    conjunction,
    disjunction,
    equal,
    implication,
    less,
    multiply,
    subtract,
)
from refdp.terms.term import Term

Edit = Literal["raised", "lowered", "added", "removed"]
EDITS: dict[str, tuple[Edit, ...]] = {"change_one": ("raised", "lowered"), "add_remove": ("added", "removed")}
"""What happens to the one row in which neighbouring tables x and y differ, from x to y."""
UPWARD: tuple[Edit, ...] = ("raised", "removed")
"""Then x_i <= y_i <= x_(i+1) at every rank; else y_i <= x_i <= y_(i+1)."""
GROWTH: dict[Edit, int] = {"raised": 0, "lowered": 0, "added": 1, "removed": -1}
"""Rows of y less rows of x."""
ONE = integer(1)
N, K, T, FIRST, COUNT, RANK = (variable(name, "Int") for name in ("n", "k", "t", "first", "count", "i"))
LOWER, UPPER = variable("lower", "Real"), variable("upper", "Real")


@dataclass(frozen=True, slots=True)
class Lemma:
    """If all hypotheses hold then so does the goal, for all values of the variables."""

    name: str
    hypotheses: tuple[Term, ...]
    goal: Term


def undecided(lemmas: tuple[Lemma, ...], solver: str, seconds: float) -> tuple[str, ...]:
    """The names of the lemmas that the solver does not prove, with `seconds` for each."""
    return tuple(a.name for a in lemmas if valid(solver, a.hypotheses, a.goal, seconds).verdict != "unsat")


def lemmas(family: Family) -> tuple[Lemma, ...]:
    """All that the smoothness of a family rests on."""
    return (*counting(), *ranks(), *nearness(family), *closure(family), *growing(family), *discount())


def counting() -> Iterator[Lemma]:
    """Where a row is added, or is raised, at most one row more, or less, is <= v: by induction over the rows."""
    v, row, other = (variable(name, "Real") for name in ("v", "row", "other"))
    few, many = variable("few", "Int"), variable("many", "Int")
    near = conjunction(at_most(few, many), at_most(many, add(few, ONE)))

    def counted(rows: Term, one: Term) -> Term:
        return add(rows, choice(at_most(one, v), ONE, ZERO))

    yield Lemma("a row in both tables keeps the counts near", (near,), _near(counted(few, row), counted(many, row)))
    yield Lemma("a row in both tables keeps equal counts equal", (equal(few, many),),
                equal(counted(few, row), counted(many, row)))  # fmt: skip
    yield Lemma("an added row brings the counts near", (equal(few, many),), _near(few, counted(many, row)))
    yield Lemma("a raised row brings the counts near", (equal(few, many), at_most(row, other)),
                _near(counted(few, other), counted(many, row)))  # fmt: skip


def ranks() -> Iterator[Lemma]:
    """x_i <= y_i <= x_(i+1) where a row of x is raised, y_i <= x_i <= y_(i+1) where one is added; the rest by symmetry.

    x has n rows.  A row of rank i is what at least i rows are at most: x_i <= v where at least i rows of x are <= v.
    """
    for name, more in (("raised", ZERO), ("added", ONE)):
        few, many = ("y", "x") if name == "raised" else ("x", "y")
        sizes = {"x": N, "y": add(N, more)}
        for low, high, step in ((many, few, ZERO), (few, many, ONE)):
            a, b = variable("a", "Real"), variable("b", "Real")
            at_b = {side: variable(f"count.{side}", "Int") for side in ("x", "y")}
            facts = (
                at_most(ZERO, N), at_most(LOWER, UPPER),
                *_row(a, RANK, sizes[low], b, at_b[low]), *_row(b, add(RANK, step), sizes[high], b, at_b[high]),
                _near(at_b[few], at_b[many]),
            )  # fmt: skip
            text = f"{low}_i <= {high}_(i+1)" if step is ONE else f"{low}_i <= {high}_i"
            yield Lemma(f"{text} where a row of x is {name}", facts, at_most(a, b))


def nearness(family: Family) -> Iterator[Lemma]:
    """The statistic of a neighbour is at most A_0 away: its local sensitivity is at most A_0."""
    here, legal = family.first.term({"n": N, "k": ZERO, "first": FIRST, "count": COUNT}, ZERO), _legal(family)
    for edit in EDITS[family.neighbours]:
        size = add(N, integer(GROWTH[edit]))
        there = family.first.term({"n": size, "k": ZERO, "first": FIRST, "count": COUNT}, ZERO)
        up = edit in UPWARD
        # The statistic of y is one of ranks here - 1 to here + 1 of y, and lies between two rows of x next to each
        # other: rank r of y is in [x_r, x_(r+1)] if up, else in [x_(r-1), x_r].
        ends = (there, add(there, ONE)) if up else (subtract(there, ONE), there)
        known = (*legal, at_most(ZERO, size))
        beside = disjunction(equal(ends[0], here), equal(ends[1], here))
        yield Lemma(f"the statistic stays beside its rank where a row is {edit}", known, beside)
        width = COUNT if family.neighbours == "change_one" else ONE
        low = ends[0]
        yield Lemma(f"the step is a window at distance 0 where a row is {edit}", known,
                    _covered(family, N, ZERO, low, add(low, width)))  # fmt: skip
    if family.neighbours == "change_one":
        yield from telescope()


def telescope() -> Iterator[Lemma]:
    """The sum over j < count of the moves, each at most x_(i+1) - x_i, is at most x_(first+count) - x_first."""
    moved, start, here, there, after = (variable(v, "Real") for v in ("moved", "start", "here", "next", "after"))
    known = (at_most(rational(0), moved), at_most(moved, subtract(here, start)),
             at_most(here, after), at_most(after, there))  # fmt: skip
    sums = add(moved, subtract(after, here))
    yield Lemma("moves upward add up to one window", known,
                conjunction(at_most(rational(0), sums), at_most(sums, subtract(there, start))))  # fmt: skip


def closure(family: Family) -> Iterator[Lemma]:
    """A window of x at distance k lies within one of its neighbour y at distance k + 1, so A_k(x) <= A_(k+1)(y)."""
    low, high = _window(family, N, K, T)
    for edit in EDITS[family.neighbours]:
        up = edit in UPWARD
        # x_a >= y_(a-1) and x_b <= y_b if up; else x_a >= y_a and x_b <= y_(b+1)
        size = add(N, integer(GROWTH[edit]))
        a, b = (subtract(low, ONE), high) if up else (low, add(high, ONE))
        known = (*_legal(family), at_most(ZERO, size), at_most(ZERO, K), *_places(family, N, K, T))
        yield Lemma(f"windows grow into windows where a row is {edit}", known,
                    _covered(family, size, add(K, ONE), a, b))  # fmt: skip
        if family.neighbours == "add_remove":
            yield Lemma(f"the empty table comes nearer by at most 1 where a row is {edit}",
                        (at_most(N, add(K, ONE)),), at_most(size, add(K, integer(2))))  # fmt: skip


def growing(family: Family) -> Iterator[Lemma]:
    """A_k <= A_(k+1) at one table."""
    known = (*_legal(family), at_most(ZERO, K), *_places(family, N, K, T))
    yield Lemma("A_k does not fall in k", known, _covered(family, N, add(K, ONE), *_window(family, N, K, T)))


def discount() -> Iterator[Lemma]:
    """With e = e^(-beta k): e A_k(x) <= e^beta S(y), as S(y) >= (e / e^beta) A_(k+1)(y)."""
    e, base, near, far, smooth = (variable(v, "Real") for v in ("e", "base", "near", "far", "smooth"))
    known = (less(rational(0), e), less(rational(0), base), at_most(rational(0), near), at_most(near, far))
    later = variable("later", "Real")
    step = (equal(multiply(base, later), e), at_most(multiply(later, far), smooth))
    yield Lemma("a discounted reach is at most e^beta times the neighbour's bound", (*known, *step),
                at_most(multiply(e, near), multiply(base, smooth)))  # fmt: skip


def _near(few: Term, many: Term) -> Term:
    """few <= many <= few + 1."""
    return conjunction(at_most(few, many), at_most(many, add(few, ONE)))


def _row(value: Term, rank: Term, size: Term, at: Term, count: Term) -> tuple[Term, ...]:
    """`value` has that rank in a table of that size, of which `count` rows are <= at, a number between the bounds."""
    inside = conjunction(at_most(ONE, rank), at_most(rank, size))
    return (
        at_most(LOWER, value), at_most(value, UPPER),
        implication(less(rank, ONE), equal(value, LOWER)), implication(less(size, rank), equal(value, UPPER)),
        implication(inside, equal(at_most(value, at), at_most(rank, count))),
    )  # fmt: skip


def _legal(family: Family) -> tuple[Term, ...]:
    """The table has the ranks of the statistic; under add_remove it may be empty."""
    if family.neighbours == "add_remove":
        return (at_most(ZERO, N),)
    return (at_most(ONE, FIRST), at_most(ONE, COUNT), at_most(subtract(add(FIRST, COUNT), ONE), N))


def _quantities(size: Term, distance: Term) -> dict[str, Term]:
    return {"n": size, "k": distance, "first": FIRST, "count": COUNT}


def _window(family: Family, size: Term, distance: Term, place: Term) -> tuple[Term, Term]:
    """The two ranks of a window."""
    low, high = (end.term(_quantities(size, distance), place) for end in (family.low, family.high))
    return low, high


def _places(family: Family, size: Term, distance: Term, place: Term) -> tuple[Term, Term]:
    """The place is one of the family's."""
    return at_most(ZERO, place), at_most(place, family.last.term(_quantities(size, distance), ZERO))


def _covered(family: Family, size: Term, distance: Term, low: Term, high: Term) -> Term:
    """Ranks low and high of a table lie within one of the family's windows at places near t, or at its first two.

    Ranks below 1 all mean the lower bound, and those above the size the upper one.
    """
    found = []
    for place in (subtract(T, ONE), T, add(T, ONE), ZERO, ONE):
        a, b = _window(family, size, distance, place)
        found.append(conjunction(
            *_places(family, size, distance, place),
            disjunction(at_most(a, low), at_most(a, ZERO)),
            disjunction(at_most(high, b), less(size, b)),
        ))  # fmt: skip
    return disjunction(*found)
