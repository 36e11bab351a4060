"""Rows that are scaled to a length: their sums are bounded in L2, and near misses are not."""

from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random

import pytest

from refdp.kernel.certificate import answer_certificate
from refdp.kernel.rules.questions import EngineQuestion
from refdp.logic.strict_json import LARGEST_FILE
from refdp.sensitivities.checking.clauses import Condition, conditions
from refdp.sensitivities.checking.encoding import invariants_json, invariants_of
from refdp.sensitivities.checking.invariants import Hint, Invariants
from refdp.sensitivities.checking.replaying import vocabulary
from refdp.sensitivities.checking.verifying import generalised, hinted, verify
from refdp.sensitivities.declaration import Declaration
from refdp.sensitivities.judging import judge
from refdp.sensitivities.language.reading import read_program
from refdp.sensitivities.language.source import parse_source
from refdp.sensitivities.question import Question
from refdp.sensitivities.records import Fields, Number
from refdp.sensitivities.request import Request
from refdp.sensitivities.search.clipping import ways
from refdp.sensitivities.search.proposals import proposals
from refdp.sensitivities.search.shapes import gains
from refdp.sensitivities.writing import KIND
from refdp.terms.exact_values import NotRational, evaluate
from refdp.terms.leaves import TRUE, ZERO, integer, rational, variable, variables
from refdp.terms.operations import add, at_most, choice, conjunction, divide, equal, less, multiply, negation, real
from refdp.terms.scripts import symbol
from tests.sensitivities.brute_force import NotExact, distance, exact_function, outcome
from tests.sensitivities.thinning import mostly_long

FILE = Path(__file__).parent / "clippings.py"
TRUE_CLAIMS = [
    ("least_of_one_and_ratio", 3, "add_remove", "1"),
    ("branch_if_longer", 3, "add_remove", "1"),
    ("ratio_to_the_greater", 2, "add_remove", "1"),
    ("eight_coordinates", 8, "add_remove", "1"),
    ("squares_compared", 2, "add_remove", "1"),
    ("guarded", 2, "add_remove", "1"),
    ("scaled_up_too", 2, "add_remove", "1"),
    ("gradient", 3, "add_remove", "1"),
    ("layers", 4, "add_remove", "sqrt(2)"),
    ("sum_and_count", 2, "add_remove", "sqrt(2)"),
    ("sums_by_sign", 3, "add_remove", "1"),
    ("longer_norm", 3, "add_remove", "1"),
    ("by_a_public_lot", 2, "add_remove", "1/10"),
    ("second_moments", 2, "add_remove", "1"),
    ("ratio_to_the_greater", 2, "change_one", "2"),
    ("least_of_one_and_ratio", 3, "change_one", "2"),
    ("eight_coordinates", 8, "change_one", "2"),
    ("sums_by_sign", 3, "change_one", "2"),
]
FALSE_CLAIMS = [
    ("norm_of_others", 3, "add_remove", "1"),
    ("norm_of_one_less", 3, "add_remove", "1"),
    ("greatest_coordinate", 2, "add_remove", "1"),
    ("greater_of_one_and_ratio", 2, "add_remove", "1"),
    ("guard_of_the_wrong_sign", 2, "add_remove", "1"),
    ("divided_by_a_norm_of_zero", 2, "add_remove", "1"),
    ("branches_exchanged", 2, "add_remove", "1"),
    ("one_left_as_it_is", 2, "add_remove", "1"),
    ("one_counted_twice", 2, "add_remove", "1"),
    ("scaled_to_a_little_more", 2, "add_remove", "1"),
    ("least_of_one_and_ratio", 3, "add_remove", "999/1000"),
    ("ratio_to_the_greater", 2, "change_one", "199/100"),
    ("second_moments", 2, "add_remove", "99/100"),
    ("sum_and_count", 2, "add_remove", "1"),
    ("layers", 4, "add_remove", "1"),
    ("by_a_public_lot", 2, "add_remove", "99/1000"),
]
VECTORS = [(0, 0, 0, 0), (1, 0, 0, 0), (0, -1, 0, 0), (3, 4, 0, 0), (0, 5, 12, 0), (-1, 2, 2, 0), (1, 1, 1, 1),
           (Fraction(3, 10), Fraction(2, 5), 0, 0), (2, 4, 4, 0), (0, 0, -7, 0)]  # fmt: skip
"""Rows most of whose lengths are rational."""


def title(one):
    return "-".join(map(str, one))


def asked(name, size, neighbours, claim):
    return Request(f"{FILE}:{name}", ["numbers"] * size, neighbours, claim, "L2")


def question_of(text, name, size, neighbours="add_remove", claim=1):
    declaration = Declaration(Fields(tuple((k, Number(None, None)) for k in range(size))))
    program = read_program(parse_source(text, name), declaration)
    return Question(program, neighbours, "L2", rational(Fraction(claim)), 1, "lists")


@pytest.mark.parametrize("claim", mostly_long(TRUE_CLAIMS, 3), ids=title)
def test_clipping_true_claims_are_proved(claim):
    assert judge(asked(*claim), 60).verdict == "PROVED"


@pytest.mark.parametrize("claim", mostly_long(FALSE_CLAIMS, 3), ids=title)
def test_clipping_near_misses_are_refuted(claim):
    assert judge(asked(*claim), 20).verdict == "REFUTED"


@pytest.mark.parametrize("claim", FALSE_CLAIMS, ids=title)
def test_clipping_near_misses_have_no_help_that_proves_them(claim):
    name, size, neighbours, bound = claim
    question = question_of(FILE.read_text(), name, size, neighbours, bound)
    first = next(iter(proposals(question)), None)
    assert first is None or verify(question, first, ("z3",), 3).verdict != "PROVED"


def test_clipping_of_the_total_may_turn_it_round():
    """(-9, -12) added to (3, 4) moves the clipped total by 10, which is more than the 5 that it is clipped to."""
    function = exact_function(FILE.read_text(), "clipped_total")
    first, second = ((3, 4),), ((3, 4), (-9, -12))
    apart = distance(outcome(function, first, {}), outcome(function, second, {}), "L2")
    assert apart == 100
    assert judge(asked("clipped_total", 2, "add_remove", "5"), 20).verdict == "REFUTED"


FORMS = {
    "least": "min(1, clip / norm) if norm > 0 else 1",
    "greater": "clip / max(norm, clip)",
    "ratio": "clip / norm if norm > 0 else 1",
    "most": "max(1, clip / norm) if norm > 0 else 1",
    "half": "min(1, clip / norm) if 2 * norm > clip else 1",
    "late": "min(1, clip / norm) if norm > 2 * clip else 1",
    "doubled": "2 * clip / max(norm, 2 * clip)",
}
LENGTHS = {
    "root": "math.sqrt({})", "hypot": "math.hypot({})", "of two": "math.hypot(row[0], row[1])",
    "of the last": "math.hypot(row[1], row[2])", "of all and 1": "math.sqrt({} + 1)",
}  # fmt: skip


def random_clipping(random):
    """The text of a function that scales rows of three numbers somehow, and a claim."""
    form, length = random.choice(sorted(FORMS)), random.choice(sorted(LENGTHS))
    factors = [random.choice((1, 1, 1, 2, "row[1]", -1)) for _ in range(3)]
    own = [f"{factor} * row[{k}]" for k, factor in enumerate(factors)]
    squares = " + ".join(f"u{k} * u{k}" for k in range(3))
    inner = squares if "sqrt" in LENGTHS[length] else "u0, u1, u2"
    lines = ["import math", "", "", "def f(rows, clip=1):", "    total = [0, 0, 0]", "    for row in rows:"]
    lines += [f"        u{k} = {text}" for k, text in enumerate(own)]
    lines += [f"        norm = {LENGTHS[length].format(inner)}", f"        scale = {FORMS[form]}"]
    lines += [f"        total[{k}] += scale * u{k}" for k in range(3)]
    return "\n".join([*lines, "    return total", ""]), random.choice(("1", "2", "1/2", "99/100"))


def exceeds(text, claim):
    """Whether some row moves the answer by more than is claimed, by the function itself."""
    function, bound = exact_function(text, "f"), Fraction(claim)
    for row in VECTORS:
        try:
            found = outcome(function, (tuple(map(Fraction, row[:3])),), {})
        except NotExact:
            continue
        if distance(outcome(function, (), {}), found, "L2") > bound * bound:
            return True
    return False


@pytest.mark.parametrize("seed", mostly_long(range(60), 10))
def test_clipping_random_scales_are_judged_as_rows_show(tmp_path, seed):
    text, claim = random_clipping(Random(seed))
    (tmp_path / "query.py").write_text(text)
    found = judge(Request(f"{tmp_path / 'query.py'}:f", ["numbers"] * 3, "add_remove", claim, "L2"), 15)
    assert found.verdict != "PROVED" or not exceeds(text, claim)
    assert found.verdict != "REFUTED" or found.pair is not None


@pytest.mark.parametrize("seed", mostly_long(range(400), 40))
def test_clipping_random_scales_that_a_row_breaks_have_no_help(seed):
    """Whatever the search takes for a clipped vector, its hints do not prove what a row refutes."""
    text, claim = random_clipping(Random(1000 + seed))
    question = question_of(text, "f", 3, claim=claim)
    first = next(iter(proposals(question)), None)
    if exceeds(text, claim) and first is not None:
        assert verify(question, first, ("z3",), 2).verdict != "PROVED"


def conditions_with_hints(question):
    first = next(iter(proposals(question)))
    *_, out = conditions(question, question.neighbours, first)
    return list(hinted(out, first))[:-1]


@pytest.mark.parametrize(("name", "size"), [("ratio_to_the_greater", 2), ("gradient", 3), ("second_moments", 2)])
def test_clipping_hints_hold_at_random_values(name, size):
    """What the solvers are asked is true of 1,000 random assignments, wherever it has an exact value there."""
    random, tried = Random(7), 0
    wanted = conditions_with_hints(question_of(FILE.read_text(), name, size))
    assert len(wanted) > 10
    while tried < 1_000:
        one = random.choice(wanted)
        names = variables(*one.hypotheses, one.conclusion)
        values = {
            v: random.random() < 0.5 if v.sort == "Bool" else Fraction(random.randint(-6, 6), random.randint(1, 4))
            for v in names
        }
        try:
            assert not all(evaluate(h, values) for h in one.hypotheses) or evaluate(one.conclusion, values)
        except (NotRational, ZeroDivisionError):
            continue
        tried += 1


def test_clipping_ways_are_all_that_choices_about_lengths_leave():
    question = question_of(FILE.read_text(), "least_of_one_and_ratio", 3)
    gained = gains(question.program)
    found = ways(gained, frozenset(question.program.record.slots("row")))
    for values in product((Fraction(0), Fraction(3), Fraction(-4)), repeat=3):
        row = dict(zip(question.program.record.slots("row"), values, strict=True))
        try:
            open_ways = [way for way in found if evaluate(way.path, row)]
        except NotRational:
            continue
        assert len(open_ways) == 1
        assert [evaluate(one, row) for one in open_ways[0].leaf] == [evaluate(one, row) for one in gained]


@pytest.mark.parametrize(("name", "size"), [("norm_of_others", 3), ("norm_of_one_less", 3), ("one_left_as_it_is", 2)])
def test_clipping_a_vector_with_another_length_is_none(name, size):
    question = question_of(FILE.read_text(), name, size)
    assert ways(gains(question.program), frozenset(question.program.record.slots("row"))) is None


X, Y, P = variable("x", "Real"), variable("y", "Real"), variable("p", "Bool")


def random_number(random, depth=0):
    kind = random.randint(0, 6 if depth < 3 else 2)
    if kind < 2:
        return (X, Y)[kind]
    if kind == 2:
        return rational(Fraction(random.randint(-3, 3), random.randint(1, 2)))
    if kind == 6:
        return choice(random_statement(random, depth + 1), random_number(random, depth + 1), X)
    return (add, multiply, divide)[kind - 3](random_number(random, depth + 1), random_number(random, depth + 1))


def random_statement(random, depth=0):
    kind = random.randint(0, 4 if depth < 2 else 3)
    if kind == 0:
        return P
    if kind == 4:
        return negation(conjunction(random_statement(random, depth + 1), random_statement(random, depth + 1)))
    return (less, at_most, equal)[kind - 1](random_number(random, depth + 1), random_number(random, depth + 1))


def inner_parts(term):
    yield term
    for one in term.arguments:
        yield from inner_parts(one)


def test_generalised_a_condition_is_one_of_those_that_stand_for_it():
    """With the values of the terms for their variables it says what it said, on 1,000 random instances."""
    random, tried = Random(11), 0
    while tried < 1_000:
        one = Condition("out", (random_statement(random),), random_statement(random))
        every = [p for t in (*one.hypotheses, one.conclusion) for p in inner_parts(t)]
        whatever = tuple(random.sample(every, min(len(every), 3)))
        wide = generalised(one, whatever)
        values = {X: Fraction(random.randint(-3, 3)), Y: Fraction(random.randint(-3, 3), 2), P: random.random() < 0.5}
        new = [v for v in variables(*wide.hypotheses, wide.conclusion) if v not in values]
        names = {f"whatever!{k}": term for k, term in enumerate(dict.fromkeys(whatever))}
        try:
            known = values | {v: evaluate(names[v.value], values) for v in new}
            assert all(v.sort == names[v.value].sort for v in new)
            for narrow, other in zip(
                (*one.hypotheses, one.conclusion), (*wide.hypotheses, wide.conclusion), strict=True
            ):
                assert evaluate(narrow, values) == evaluate(other, known)
        except ZeroDivisionError:
            continue
        tried += 1


def test_generalised_names_are_new():
    taken = variable("whatever!0", "Real")
    one = generalised(Condition("out", (at_most(ZERO, taken),), at_most(ZERO, multiply(X, X))), (multiply(X, X),))
    assert taken in variables(*one.hypotheses)
    assert {symbol(v) for v in variables(one.conclusion)}.isdisjoint({symbol(taken)})


def test_generalised_nothing_is_the_condition_itself():
    one = Condition("out", (at_most(ZERO, X),), less(X, Y))
    assert generalised(one, ()) == one


def test_hints_are_not_proved_for_values_that_break_them():
    """A square is not negative; a number, which it becomes, may be."""
    question = question_of("def f(rows):\n    return sum(row[0] for row in rows)\n", "f", 1)
    (slot,) = question.program.record.slots("ghost")
    square = at_most(ZERO, multiply(slot, slot))
    own = Invariants((TRUE,), hints=(Hint("out", square, ()),))
    wide = Invariants((TRUE,), hints=(Hint("out", square, (), (multiply(slot, slot),)),))
    assert "hint" not in verify(question, own, ("z3",), 5).reason
    assert "hint" in verify(question, wide, ("z3",), 5).reason


def test_hints_may_not_hide_what_they_may_not_speak_of():
    question = question_of("def f(rows):\n    return sum(row[0] for row in rows)\n", "f", 1)
    strange = Invariants((TRUE,), hints=(Hint("out", TRUE, (), (real(variable("stranger", "Int")),)),))
    assert "a hint may not speak of" in verify(question, strange, ("z3",), 5).reason


def test_hints_come_back_from_json_with_what_they_hide():
    question = question_of(FILE.read_text(), "ratio_to_the_greater", 2)
    found = next(iter(proposals(question)))
    assert any(hint.whatever for hint in found.hints)
    assert any(not hint.whatever for hint in found.hints)
    assert invariants_of(invariants_json(found), vocabulary(question.program)) == found


def test_integers_are_hidden_as_integers():
    whole = variable("k", "Int")
    one = generalised(Condition("out", (), equal(add(whole, integer(1)), whole)), (add(whole, integer(1)),))
    assert {v.sort for v in variables(one.conclusion)} == {"Int"}


def test_a_proof_that_is_too_long_for_a_certificate_has_none():
    asked_of = EngineQuestion(KIND, "def f(rows):\n    return 0\n", "f", "{}", " " * (LARGEST_FILE + 1))
    assert answer_certificate(asked_of, ["z3"]) is None
