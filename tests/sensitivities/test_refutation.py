"""No true claim is refuted, every slightly smaller one is, and a pair holds what it says."""

from __future__ import annotations

import itertools
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from refdp import work
from refdp.sensitivities.checking.certificate import Claim
from refdp.sensitivities.declaration import Declaration
from refdp.sensitivities.language.interpreter import answer_of
from refdp.sensitivities.language.source import parse_source, read_source
from refdp.sensitivities.limits import upper_bound
from refdp.sensitivities.pair import Pair
from refdp.sensitivities.program import ROW, Pass, Program
from refdp.sensitivities.question import SIZE, Norm
from refdp.sensitivities.records import Concrete, Number
from refdp.sensitivities.refutation.furthest import largest_move
from refdp.sensitivities.refutation.search import Finding, search
from refdp.sensitivities.refutation.writing import runnable
from refdp.sensitivities.tables import edits_between
from refdp.terms.leaves import integer, rational, variable
from refdp.terms.operations import add, at_most, divide, multiply, root, subtract
from refdp.terms.term import Term
from tests.sensitivities import answers
from tests.sensitivities.claims_on_tables import CASES, TEN, Case
from tests.sensitivities.thinning import mostly_long

S, X = variable("s", "Real"), variable(ROW, "Real")
TOTAL = Program("f", TEN, (), (Pass((S,), (rational(0),), (add(S, X),)),), (S,))
NAMES = [f"{c.name}, {c.neighbours}, {c.norm}" for c in CASES]
SMALLER = rational(Fraction(999, 1000))
NEVER_SMALLER = {"constant", "exception of both"}


def judged(case: Case, claim: Term, seconds: float = 5) -> Finding:
    source = parse_source(case.body, "f")
    given = (source, case.declaration, case.neighbours, case.norm, claim, case.edits, case.tables, seconds)
    return search(*given, thorough=True)


def test_refutation_is_held_against_many_true_claims() -> None:
    assert len(CASES) >= 40
    assert {(c.neighbours, c.norm) for c in CASES} == set(
        itertools.product(("add_remove", "change_one"), ("L1", "L2", "Linf"))
    )


@pytest.mark.parametrize("case", CASES[::5], ids=NAMES[::5])
def test_refutation_leaves_a_true_claim_alone(case: Case) -> None:
    assert judged(case, case.claim, 0.1).pair is None


@pytest.mark.long
@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_refutation_leaves_a_true_claim_alone_given_time(case: Case) -> None:
    assert judged(case, case.claim, 20).pair is None


def test_same_exception_is_at_distance_zero() -> None:
    assert found("return 1 / 0", 0, seconds=0.3) is None
    pair = found("return 1 / 0", -1, seconds=0.3)
    assert pair is not None
    assert pair.distance == 0


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_refutation_finds_a_claim_that_is_smaller_by_a_thousandth(case: Case) -> None:
    smaller = subtract(rational(0), rational(1)) if case.name in NEVER_SMALLER else multiply(SMALLER, case.claim)
    pair = judged(case, smaller).pair
    assert pair is not None
    assert_is_violation(case, pair, smaller)
    claim = Claim(case.body, "f", case.declaration, case.neighbours, case.norm, smaller, case.edits, case.tables)
    assert answers.refuted(answers.refutation(claim, pair))


def assert_is_violation(case: Case, pair: Pair, claim: Term) -> None:
    """By the definition: neighbours, run again, distance by hand."""
    assert edits_between(pair.first, pair.second, case.neighbours, case.tables) in range(case.edits + 1)
    source = parse_source(case.body, "f")
    values: dict[str, Concrete] = {**case.declaration.values, **pair.parameters}
    a, b = (answer_of(source, table, values).outcome for table in (pair.first, pair.second))
    assert (a, b) == pair.outcomes
    symbols = {symbol: pair.parameters[str(symbol.value)] for symbol in case.declaration.parameters}
    limit = upper_bound(claim, {SIZE: Fraction(min(len(pair.first), len(pair.second))), **symbols})
    assert limit is not None
    moves = [abs(Fraction(x) - Fraction(y)) for x, y in zip(a.numbers, b.numbers, strict=True)]
    move = (
        sum(m * m for m in moves) if case.norm == "L2" else sum(moves) if case.norm == "L1" else max(moves, default=0)
    )
    assert move == pair.distance
    assert limit < 0 or move > (limit * limit if case.norm == "L2" else limit)


def found(body: str, claim: object, record: Number = TEN, **more: object) -> Pair | None:
    source = parse_source(f"def f(rows):\n    {body}", "f")
    arguments: dict[str, object] = {"neighbours": "add_remove", "norm": "L1", **more}
    bound = claim if isinstance(claim, Term) else rational(Fraction(str(claim)))
    return search(source, Declaration(record), claim=bound, **arguments).pair  # type: ignore[arg-type]


def test_smallest_pair_has_few_rows_and_simple_numbers() -> None:
    pair = found("return sum(x * x for x in rows if x > 3)", "12.5")
    assert pair is not None
    assert (pair.first, pair.second) == ((), (Fraction(4),))
    pair = found("return 100 if len(rows) > 4 else 0", 50)
    assert pair is not None
    assert (pair.first, pair.second) == ((0,) * 4, (0,) * 5)


def test_exception_on_one_table_alone_is_infinitely_far() -> None:
    pair = found("return sum(rows) / len(rows)", 10**9)
    assert pair is not None
    assert (pair.first, pair.second, pair.distance) == ((), (0,), None)
    assert [o.exception for o in pair.outcomes] == ["ZeroDivisionError", ""]


@pytest.mark.parametrize("body", ["return rows", "return {x: 1 for x in rows}", "return None if rows else 0"])
def test_answers_of_different_shape_are_infinitely_far(body: str) -> None:
    pair = found(body, 10**9)
    assert pair is not None
    assert pair.distance is None


def test_order_is_free_among_multisets_and_not_among_lists() -> None:
    body = "return sum(x * (i + 1) for i, x in enumerate(rows))"
    source, claim = parse_source(f"def f(rows):\n    {body}", "f"), multiply(integer(10), add(SIZE, integer(1)))
    arguments = (source, Declaration(TEN), "change_one", "L1", claim)
    assert search(*arguments, tables="lists", seconds=2).pair is None  # type: ignore[arg-type]
    pair = search(*arguments, tables="multisets", seconds=30).pair  # type: ignore[arg-type]
    assert pair is not None
    assert edits_between(pair.first, pair.second, "change_one", "lists") != 1


@pytest.mark.parametrize("edits", [4, 30])
def test_many_edits_are_made_at_once(edits: int) -> None:
    claim = Fraction(999, 1000) * 10 * edits
    for neighbours in ("add_remove", "change_one"):
        pair = found("return sum(rows)", claim, edits=edits, neighbours=neighbours)
        assert pair is not None
        assert pair.distance == 10 * edits
        assert found("return sum(rows)", 10 * edits, edits=edits, neighbours=neighbours, seconds=0.3) is None


def test_very_many_edits_do_not_take_long() -> None:
    start = work.spent()
    assert found("return sum(rows)", 10**7, edits=10**6, seconds=0.5, program=TOTAL) is None
    assert work.spent() - start < 5  # ten times what it was given: work for each edit would take far longer


def test_long_tables_are_about_as_long_as_the_source_says() -> None:
    pair = found("return sum(rows[:20]) if len(rows) > 17 else 0", 10, seconds=2)
    assert pair is not None
    assert len(pair.second) == 18


def test_assumption_on_the_number_of_rows_is_respected() -> None:
    source = parse_source("def f(rows): return sum(rows) / len(rows)", "f")
    declaration = Declaration(TEN, assumption=at_most(integer(2), SIZE))
    pair = search(source, declaration, "add_remove", "L1", rational(3)).pair
    assert pair is not None
    assert len(pair.first) == 2
    claim = divide(integer(10), add(SIZE, integer(1)))
    assert search(source, declaration, "add_remove", "L1", claim, seconds=1).pair is None


def test_records_outside_their_bounds_are_never_shown() -> None:
    body = "return sum(1000 for x in rows if x < 0 or x > 10 or x != int(x))"
    assert found(body, 1, Number(integer(0), integer(10), is_integer=True), seconds=1) is None
    assert found(body, 1, seconds=1) is not None


def test_irrational_claims_are_compared_exactly() -> None:
    body = "return [len(rows), len(rows)]"
    assert found(body, root(integer(2)), norm="L2", seconds=0.5) is None
    assert found(body, multiply(rational(Fraction(10**9 - 1, 10**9)), root(integer(2))), norm="L2") is not None
    assert (
        found("return len(rows)", add(root(integer(2)), rational(Fraction(-4142135623, 10**10))), seconds=0.5) is None
    )
    assert found("return len(rows)", add(root(integer(2)), rational(Fraction(-4142135624, 10**10)))) is not None


def test_function_without_exact_outcome_is_not_refuted() -> None:
    assert (
        found("return sum(rows) ** 0.5 if rows and rows[0] == 2 else 0", 0, Number(integer(2), integer(2), True))
        is None
    )


FIXED = [c for c in CASES if not c.declaration.symbolic and c.edits == 1]
CONSTANT = [c for c in FIXED if c.claim.operator in ("number", "sqrt")]


def test_furthest_pair_is_held_against_many_sensitivities() -> None:
    assert len(CONSTANT) >= 25


@pytest.mark.parametrize("case", mostly_long(CONSTANT[::3], 3), ids=[c.name for c in CONSTANT[::3]])
def test_furthest_pair_attains_the_sensitivity(case: Case) -> None:
    source = parse_source(case.body, "f")
    pair = largest_move(source, case.declaration, case.neighbours, case.norm, 1, case.tables, seconds=0.4)
    assert pair is not None
    assert pair.distance == upper_bound(multiply(case.claim, case.claim) if case.norm == "L2" else case.claim, {})


@pytest.mark.once
@pytest.mark.parametrize(
    ("text", "norm", "shown"),
    [
        ("def query(rows, k):\n    return sum(min(x, k) for x in rows) if rows else None", "L1", "distance: infinite"),
        ("def query(rows, k):\n    return {'a': [sum(x * k for x in rows)]}", "L2", "square of the distance: 100"),
        ("def query(rows, k):\n    return 1 / (len(rows) - 1), k", "Linf", "distance: infinite"),
    ],
)
def test_runnable_pair_shows_the_distance(tmp_path: Path, text: str, norm: Norm, shown: str) -> None:
    (tmp_path / "query.py").write_text(text)
    source = read_source(f"{tmp_path / 'query.py'}:query")
    declaration = Declaration(TEN, {"k": Fraction(1)})
    pair = largest_move(source, declaration, "add_remove", norm, seconds=1)
    assert pair is not None
    script = tmp_path / "pair.py"
    script.write_text(runnable(pair, source, declaration, norm))
    ran = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True, cwd="/")
    assert ran.stdout.splitlines()[-1] == shown


def test_edits_between_tables_agree_with_search_through_all_edits() -> None:
    letters = (Fraction(0), Fraction(1))
    tables = [t for n in range(4) for t in itertools.product(letters, repeat=n)]

    def one_edit(a: tuple[Concrete, ...]) -> set[tuple[Concrete, ...]]:
        removed = {a[:i] + a[i + 1 :] for i in range(len(a))}
        return removed | {(*a[:i], x, *a[i:]) for i in range(len(a) + 1) for x in letters}

    for a in tables:
        level, reached = {a}, {a: 0}
        for distance in range(1, 7):
            level = {b for one in level for b in one_edit(one)} - set(reached)
            reached |= dict.fromkeys((b for b in level if len(b) <= 4), distance)
        for b in tables:
            assert edits_between(a, b, "add_remove", "lists") == reached[b]
            assert edits_between(a, b, "change_one", "lists") == (
                sum(x != y for x, y in zip(a, b, strict=True)) if len(a) == len(b) else None
            )
            free = min(edits_between(a, tuple(c), "add_remove", "lists") or 0 for c in itertools.permutations(b))
            assert edits_between(a, b, "add_remove", "multisets") == free
