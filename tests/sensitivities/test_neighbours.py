"""What is refuted is so of neighbours: tables that single edits lead to, as docs/sensitivity.md defines them."""

import itertools
from fractions import Fraction

import pytest

import refdp
from refdp.kernel.judgements import KernelError
from refdp.sensitivities.checking.certificate import Claim
from refdp.sensitivities.checking.pairs import are_within, edits_apart
from refdp.sensitivities.declaration import Declaration
from refdp.sensitivities.pair import Pair
from refdp.sensitivities.program import Outcome
from refdp.sensitivities.records import Number
from refdp.terms.leaves import integer, rational
from tests.sensitivities import answers

LETTERS, LONGEST = (0, 1), 4
TABLES = [table for size in range(LONGEST + 1) for table in itertools.product(LETTERS, repeat=size)]


def one_edit(table, neighbours):
    """Every list that one edit makes of a list."""
    for place in range(len(table) + 1):
        if neighbours == "add_remove":
            yield from ((*table[:place], new, *table[place:]) for new in LETTERS)
        if place < len(table):
            rest = table[place + 1 :]
            if neighbours == "add_remove":
                yield (*table[:place], *rest)
            else:
                yield from ((*table[:place], new, *rest) for new in LETTERS)


def reached(table, neighbours, tables, edits):
    """Every table to which one, two, ... edits lead, the order of both ends being free of multisets."""
    orders = set(itertools.permutations(table)) if tables == "multisets" else {table}
    found, last = set(), orders
    for _ in range(edits):
        last = {one for table in last for one in one_edit(table, neighbours)}
        if tables == "multisets":
            last = {order for one in last for order in itertools.permutations(one)}
        found |= last
    return found


@pytest.mark.parametrize("edits", [1, 2, 3])
@pytest.mark.parametrize("tables", ["lists", "multisets"])
@pytest.mark.parametrize("neighbours", ["add_remove", "change_one"])
def test_neighbours_are_those_that_single_edits_make(neighbours, tables, edits):
    for table in TABLES:
        near = reached(table, neighbours, tables, edits)
        for other in TABLES:
            if neighbours == "change_one" and len(table) != len(other):
                continue
            apart = edits_apart([(one,) for one in table], [(one,) for one in other], neighbours, tables)
            assert are_within(edits, apart, table, neighbours) == (other in near), (table, other)


SWITCH = "def f(rows):\n    if len(rows) != 2:\n        return 1\n    return 2 if rows[0] < rows[1] else 0\n"
ONE = "def f(rows):\n    return 1\n"
NOTHING = (Outcome(), Outcome())


def refuted(text, neighbours, claim, first, second, **more):
    """What the checker says of a refutation by these tables."""
    declaration = Declaration(Number(rational(Fraction(0)), rational(Fraction(3)), is_integer=True))
    asked = Claim(text, "f", declaration, neighbours, "L1", claim, **more)
    pair = Pair(*(tuple(map(Fraction, table)) for table in (first, second)), {}, NOTHING, None)
    return answers.refuted(answers.refutation(asked, pair))


def test_another_order_of_the_rows_is_no_row_more():
    """Every neighbour of a table of two rows has another number of rows, and answers 1."""
    with pytest.raises(KernelError, match="the tables must be neighbours"):
        refuted(SWITCH, "add_remove", integer(1), (1, 0), (0, 1))
    assert refuted(SWITCH, "add_remove", integer(1), (1, 0), (0, 1), edits=2)
    assert refuted(SWITCH, "change_one", integer(1), (1, 0), (0, 1))


@pytest.mark.parametrize("neighbours", ["add_remove", "change_one"])
def test_a_table_without_rows_is_not_its_own_neighbour(neighbours):
    with pytest.raises(KernelError, match="the tables must be neighbours"):
        refuted(ONE, neighbours, integer(-1), (), ())


@pytest.mark.parametrize(
    ("text", "asked", "verdicts"),
    [
        (
            SWITCH,
            {"neighbours": "add_remove", "records": "integers 0..3", "claim": 1, "tables": "multisets"},
            {"UNKNOWN"},
        ),
        (ONE, {"neighbours": "change_one", "records": "numbers", "claim": "n - 1"}, {"PROVED"}),
        (ONE, {"neighbours": "change_one", "records": "numbers", "claim": "n - 2"}, {"REFUTED"}),
        (ONE, {"neighbours": "add_remove", "records": "numbers", "claim": "n - 1"}, {"REFUTED"}),
        (ONE, {"neighbours": "change_one", "records": "numbers", "claim": "1 / (n - 1)"}, {"UNKNOWN"}),
        (
            "def f(rows, lo, hi):\n    return sum(r for r in rows)\n",
            {"neighbours": "change_one", "bounds": ("lo", "hi"), "symbol": ["lo", "hi"], "claim": "hi - lo"},
            {"PROVED"},
        ),
    ],
)  # fmt: skip
def test_claims_are_judged_at_neighbours_alone(text, asked, verdicts, tmp_path):
    (tmp_path / "q.py").write_text(text)
    found = refdp.sensitivity(f"{tmp_path / 'q.py'}:f", **asked, certificates=tmp_path, timeout=20)
    assert found["verdict"] in verdicts


@pytest.mark.parametrize("padding", [0, 600_000])
@pytest.mark.parametrize(
    ("arithmetic", "body"), [("int8", "sum(rows)"), ("uint8", "sum(rows)"), ("int8", "abs(sum(rows))")]
)
def test_a_machine_is_refuted_by_no_more_rows_than_are_said(arithmetic, body, padding, tmp_path):
    """A file too long for a certificate had no one left who looked."""
    text = f"def f(rows):\n    return {body}\n" + "# " + "x" * padding + "\n"
    (tmp_path / "q.py").write_text(text)
    asked = {"neighbours": "change_one", "records": "integers 0..100", "arithmetic": arithmetic, "sum": "numpy",
             "certificates": tmp_path, "timeout": 5}  # fmt: skip
    few = refdp.sensitivity(f"{tmp_path / 'q.py'}:f", rows_at_most=1, claim=100, **asked)
    assert few["verdict"] != "REFUTED"
    more = refdp.sensitivity(f"{tmp_path / 'q.py'}:f", rows_at_most=3, claim=100, **asked)
    assert (more["verdict"], max(len(more["pair"][side]) for side in ("first", "second")) <= 3) == ("REFUTED", True)
