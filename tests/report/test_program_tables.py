"""The tables of programs: what holds in a loop is read a statement at a time where it is long."""

from refdp.report.program_tables import LONGEST, invariant_lines


def test_invariant_of_few_words_stands_in_one_line():
    assert invariant_lines([{"line": "3", "statements": ["a <= 1", "b == c"]}]) == ["at line 3 always a <= 1, b == c"]


def test_invariant_of_many_words_has_a_line_for_each_statement():
    statements = ["x' <= x + 1 and " + "y " * (LONGEST // 4), "z <= " + "1 + " * (LONGEST // 8) + "1"]
    assert invariant_lines([{"line": "3", "statements": statements}]) == [
        "at line 3 always",
        *(f"  {one}" for one in statements),
    ]
