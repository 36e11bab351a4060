"""Domains: what they contain, what they list and what lies within what agree with each other on samples."""

from fractions import Fraction
from itertools import product

import pytest

from refdp.spec.distances import METRICS
from refdp.spec.domains import (
    ARITY,
    LONGEST_LIST,
    contains,
    domain,
    has_neighbours,
    is_domain,
    is_geodesic,
    is_within,
    members,
    rows_of,
)
from refdp.terms.reading import read
from refdp.terms.term import TermError, apply, number

NUMBERS = [Fraction(n, d) for n in range(-8, 9) for d in (1, 2, 3, 4)]
DATA = [
    *NUMBERS, "A", None, 1, True, 0.5, {}, {"age": Fraction(3), "island": "A", "sex": None}, {"age": 0.5}, (),
    (Fraction(1),), (Fraction(1), Fraction(1)), (Fraction(1, 2), Fraction(0)), (Fraction(0), Fraction(1), Fraction(1)),
    ({"age": Fraction(1)}, {}), ((Fraction(1), Fraction(0)),), ((Fraction(1), Fraction(0)), (Fraction(0), Fraction(2))),
    (((Fraction(1),),),),
]  # fmt: skip
SCALARS = ["reals()", "grid(1)", "grid(1/2)", "grid(2)", "grid(2/3)", "bounded(1, 0, 2)", "bounded(1, -2, 2)",
           "bounded(1/2, 0, 1)", "bounded(2, -3, 5)", "bounded(1, 1/2, 5/2)", "bounded(1, 2, 1)", "finite(2)",
           "finite(3)", "finite(3/2)", "finite(0)", "finite(-1)", "category(2)", "category(5/2)",
           "category(0)", "above(reals(), 1/2)", "above(reals(), 0)", "below(reals(), 1/2)", "above(grid(1), 0)",
           "above(grid(1), 1)", "below(grid(1/2), 1)"]  # fmt: skip
DOMAINS = [
    *SCALARS, "records()", *(f"table({d})" for d in ("grid(1)", "bounded(1, 0, 2)", "records()", "category(2)")),
    *(f"sized_table({d}, {n})" for d in ("grid(1)", "bounded(1, 0, 2)") for n in (0, 1, 2)),
    *(f"vector({d}, {n})" for d in ("reals()", "grid(1)", "bounded(1, 0, 2)", "finite(2)") for n in (1, 2)),
    "table(vector(grid(1), 2))", "sized_table(vector(bounded(1, 0, 2), 2), 1)", "table(vector(bounded(1, 0, 2), 2))",
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "inside", "outside"),
    [
        ("reals()", [Fraction(1, 3), Fraction(-5)], ["1", 1, 0.5, (), None]),
        ("grid(1/2)", [Fraction(1, 2), Fraction(-3), Fraction(0)], [Fraction(1, 3), 1]),
        ("bounded(2, -3, 5)", [Fraction(-2), Fraction(0), Fraction(4)], [Fraction(-3), Fraction(5), Fraction(6)]),
        ("finite(3)", [Fraction(0), Fraction(2)], [Fraction(3), Fraction(-1), Fraction(1, 2)]),
        ("finite(3/2)", [Fraction(0), Fraction(1)], [Fraction(2)]),
        ("category(2)", [Fraction(-1), Fraction(1)], [Fraction(2), Fraction(-2)]),
        ("vector(grid(1), 2)", [(Fraction(1), Fraction(2))], [(Fraction(1),), Fraction(1), [Fraction(1), Fraction(1)]]),
        ("table(grid(1))", [(), (Fraction(1),) * 5], [(Fraction(1, 2),), Fraction(1), [Fraction(1)]]),
        ("sized_table(grid(1), 2)", [(Fraction(1),) * 2], [(), (Fraction(1),), (Fraction(1),) * 3]),
        ("records()", [{}, {"a": None, "b": "x", "c": Fraction(1)}], [(), "x", {"a": 1}, {"a": 0.5}]),
    ],
)
def test_domain_contains_what_it_says(text, inside, outside):
    assert all(contains(read(text), x) for x in inside)
    assert not any(contains(read(text), x) for x in outside)


@pytest.mark.parametrize("text", [d for d in SCALARS if d.startswith(("finite", "bounded"))])
def test_domain_lists_just_what_it_contains(text):
    d = read(text)
    assert list(members(d)) == sorted({x for x in NUMBERS if contains(d, x)})


@pytest.mark.parametrize("outer", DOMAINS)
def test_domain_within_another_has_only_members_of_it(outer):
    for inner in DOMAINS:
        if is_within(read(inner), read(outer)):
            assert all(contains(read(outer), x) for x in DATA if contains(read(inner), x)), inner


def test_domain_within_another_is_reflexive_and_transitive():
    terms = [read(d) for d in DOMAINS]
    within = {(a, b) for a, b in product(terms, repeat=2) if is_within(a, b)}
    assert {(a, a) for a in terms} <= within
    assert {(a, d) for (a, b), (c, d) in product(within, repeat=2) if b == c} <= within


@pytest.mark.parametrize(
    ("inner", "outer"),
    [
        ("sized_table(grid(1), 3)", "table(grid(1))"), ("sized_table(grid(1), n)", "table(reals())"),
        ("bounded(1, 0, 5)", "grid(1)"), ("bounded(g, 0, u)", "grid(g)"), ("finite(4)", "grid(1)"),
        ("category(4)", "grid(1)"), ("vector(bounded(1, 0, 1), n)", "vector(grid(1), n)"),
        ("table(vector(grid(1), 2))", "table(vector(reals(), 2))"),
    ],
)  # fmt: skip
def test_domain_lies_within_another(inner, outer):
    assert is_within(read(inner), read(outer))


@pytest.mark.parametrize(
    ("inner", "outer"),
    [
        ("table(grid(1))", "sized_table(grid(1), 3)"), ("grid(1)", "bounded(1, 0, 5)"), ("grid(1)", "grid(2)"),
        ("grid(2)", "grid(1)"), ("finite(2)", "grid(1/2)"), ("finite(2)", "grid(g)"), ("reals()", "grid(1)"),
        ("vector(grid(1), 2)", "vector(grid(1), 3)"), ("vector(grid(1), n)", "vector(grid(1), m)"),
        ("sized_table(grid(1), 2)", "sized_table(grid(1), 3)"), ("records()", "reals()"), ("table(grid(1))", "grid(1)"),
        ("bounded(1, 0, 5)", "grid(2)"), ("category(2)", "finite(2)"), ("vector(grid(1), 2)", "table(grid(1))"),
        ("table(table(grid(1)))", "table(grid(1))"),
    ],
)  # fmt: skip
def test_domain_does_not_lie_within_another(inner, outer):
    """Or is not known to, without arithmetic on grids."""
    assert not is_within(read(inner), read(outer))


@pytest.mark.parametrize("text", ["grid(0)", "grid(-1)", "bounded(0, 0, 1)", "bounded(-1/2, 0, 1)"])
def test_grid_without_a_positive_step_is_refused(text):
    with pytest.raises(TermError, match="must be > 0"):
        contains(read(text), Fraction(0))
    if text.startswith("bounded"):
        with pytest.raises(TermError, match="must be > 0"):
            list(members(read(text)))


@pytest.mark.parametrize("text", ["x", "set()", "3", "symmetric(1)", "list_of(1)"])
def test_membership_of_what_is_no_domain_is_refused(text):
    with pytest.raises(TermError, match="is not a domain"):
        contains(read(text), Fraction(0))


@pytest.mark.parametrize("text", ["grid(1)", "reals()", "category(3)", "table(finite(2))", "vector(finite(2), 2)", "x"])
def test_list_of_what_has_none_is_refused(text):
    with pytest.raises(TermError, match="has no finite list of members"):
        list(members(read(text)))


def test_list_of_more_than_can_be_listed_is_refused():
    assert sum(1 for _ in members(apply("finite", number(LONGEST_LIST)))) == LONGEST_LIST
    for text in (f"finite({LONGEST_LIST + 1})", "finite(10 ** 12)", "bounded(1 / 10 ** 9, 0, 1)"):
        with pytest.raises(TermError, match=f"has more than {LONGEST_LIST} members"):
            next(members(read(text)))


@pytest.mark.parametrize("operator", ARITY)
def test_domain_of_another_arity_is_refused(operator):
    arguments = [read("grid(1)")] * ARITY[operator]
    assert domain(operator, *arguments).operator == operator
    with pytest.raises(TermError, match="is not a domain of"):
        domain(operator, *arguments, number(1))


def test_domain_that_is_none_is_refused():
    with pytest.raises(TermError, match="set is not a domain of 0"):
        domain("set")


@pytest.mark.parametrize("text", DOMAINS)
def test_shape_of_a_domain_is_seen(text):
    assert is_domain(read(text))


@pytest.mark.parametrize("text", ["x", "5", "grid()", "table(5)", "vector(x, 2)", "sized_table(grid(1))", "records(1)"])
def test_shape_of_what_is_no_domain_is_seen(text):
    assert not is_domain(read(text))


def test_rows_of_what_is_no_table_are_refused():
    assert rows_of(read("sized_table(grid(1), 3)")) == read("grid(1)")
    with pytest.raises(TermError, match="is not a domain of tables"):
        rows_of(read("vector(grid(1), 3)"))


ROWS = [Fraction(0), Fraction(1)]
TABLES = [t for n in range(4) for t in product(ROWS, repeat=n)]


@pytest.mark.parametrize("text", ["table(finite(2))", "sized_table(finite(2), 2)", "sized_table(finite(2), 3)"])
@pytest.mark.parametrize("metric", ["symmetric", "change_one", "hamming"])
def test_geodesic_domain_has_a_path_of_single_edits_between_any_two_members(text, metric):
    """Against all tables of at most 3 bits; a path stays among them because a step outside is never needed."""
    inside = [t for t in TABLES if contains(read(text), t)]
    near = {t: [u for u in inside if METRICS[metric].within(t, u, Fraction(1))] for t in inside}
    same = {t: {u for u in inside if METRICS[metric].within(t, u, Fraction(0))} for t in inside}
    joined = all(
        steps(near, same[a], b) <= d
        for a, b in product(inside, repeat=2)
        for d in range(7)
        if METRICS[metric].within(a, b, Fraction(d))
    )
    if is_geodesic(read(text), metric):
        assert joined
    if not has_neighbours(read(text), metric):
        assert all(METRICS[metric].within(a, b, Fraction(0)) for a in inside for b in near[a])
        assert not is_geodesic(read(text), metric)


def steps(near, start, b):
    """The least number of steps between neighbours that leads from `start` to b; 99 if none does."""
    reached, frontier, n = start, start, 0
    while b not in reached:
        frontier = {u for t in frontier for u in near[t]} - reached
        if not frontier:
            return 99
        reached = reached | frontier
        n += 1
    return n


@pytest.mark.parametrize("text", ["grid(1)", "finite(2)", "vector(grid(1), 2)", "records()", "reals()"])
@pytest.mark.parametrize("metric", METRICS)
def test_domain_of_no_tables_is_not_called_geodesic(text, metric):
    assert not is_geodesic(read(text), metric)


@pytest.mark.parametrize("text", ["record()", "labels()"])
def test_record_or_labels_of_nothing_are_no_domain(text):
    empty = read(text)
    assert not is_domain(empty)
    with pytest.raises(TermError, match="is not a domain"):
        domain(empty.operator)
    for x in ({}, (), "", None, Fraction(0)):
        if text == "labels()":
            assert contains(empty, x) is False
        else:
            with pytest.raises(TermError, match="is not a domain"):
                contains(empty, x)


RECORD = "record(field('age', optional(bounded(1, 0, 9))), field('sex', labels('F', 'M')))"
THREE = Fraction(3)
PAIR = "record(field(0, interval(0, 1)), field(1, labels(1, 2)))"


@pytest.mark.parametrize(
    ("text", "members", "others"),
    [
        ("interval(0, 1/2)", [*map(Fraction, ("0", "1/3", "1/2"))], [Fraction(-1), Fraction(2, 3), "0", None, 0]),
        ("labels('F', '1')", ["F", "1"], ["f", Fraction(1), True, None, 1]),
        ("labels(1, 2)", [Fraction(1), Fraction(2)], [Fraction(3), "1", True, None]),
        ("optional(labels('F'))", ["F", None], ["M", Fraction(0)]),
        (RECORD, [{"age": THREE, "sex": "F"}, {"sex": "M", "age": None}],
         [{}, {"age": THREE}, {"age": 4 * THREE, "sex": "F"}, {"age": THREE, "sex": "F", "x": THREE}, (THREE, "F"),
          None]),
        (PAIR, [(Fraction(1), Fraction(2)), (Fraction(0), Fraction(1))],
         [(Fraction(1),), (Fraction(2), Fraction(1)), {0: Fraction(1), 1: Fraction(2)}, (Fraction(1),) * 3]),
    ],
)  # fmt: skip
def test_domains_of_rows_have_their_members_and_no_others(text, members, others):
    d = read(text)
    assert is_domain(d)
    assert str(d) == text
    for x in members:
        assert contains(d, x) is True
    for x in others:
        assert contains(d, x) is False


@pytest.mark.parametrize(
    "text",
    ["labels('a', 'a')", "labels(1/2)", "labels(x)", "record(field('a', reals()), field('a', reals()))",
     "record(field(1, reals()))", "record(field('a', reals()), field(1, reals()))", "record(reals())",
     "record(field('a'))", "record(field(1/2, reals()))", "record(field('a', number))", "optional(1)", "interval(1)"],
)  # fmt: skip
def test_domains_of_rows_that_list_no_different_things_are_none(text):
    assert not is_domain(read(text))


@pytest.mark.parametrize(
    ("half", "members_", "others"),
    [
        ("above(reals(), 1/2)", ["1/2", "7"], ["1/3", "-1"]),
        ("below(reals(), -1/2)", ["-1/2", "-7"], ["0", "1"]),
        ("above(grid(2), 1)", ["2", "8"], ["0", "1", "3"]),
        ("below(grid(1/2), 1)", ["1", "1/2", "-7/2"], ["3/2", "1/3"]),
    ],
)
def test_half_lines_hold_the_numbers_on_one_side_of_their_end(half, members_, others):
    d = read(half)
    assert all(contains(d, Fraction(x)) for x in members_)
    assert not any(contains(d, Fraction(x)) for x in others)
    assert not any(contains(d, x) for x in ("A", None, 1, True, 0.5, ()))
    assert is_within(d, d.arguments[0])
    assert is_within(d, read("reals()"))
    assert not is_within(d.arguments[0], d)
