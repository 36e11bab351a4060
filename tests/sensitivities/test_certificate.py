"""Certificates: what is true replays in either solver alone, and what is forged is refused."""

import json
from dataclasses import replace
from fractions import Fraction

import pytest

from refdp import work
from refdp.kernel.certificate import answer_certificate
from refdp.kernel.judgements import KernelError
from refdp.kernel.rules.questions import EngineQuestion
from refdp.logic.strict_json import Forged
from refdp.sensitivities.checking import replaying
from refdp.sensitivities.checking.certificate import Claim, claim_of, question_json, question_text
from refdp.sensitivities.checking.encoding import (
    DEEPEST,
    invariants_json,
    invariants_of,
    kind_json,
    kind_of,
    value_json,
    value_of,
)
from refdp.sensitivities.checking.invariants import Hint, Invariants
from refdp.sensitivities.checking.replaying import claim_in, parameters, proved_of
from refdp.sensitivities.declaration import Declaration
from refdp.sensitivities.fusion import fused
from refdp.sensitivities.language.reading import read_program
from refdp.sensitivities.language.source import parse_source
from refdp.sensitivities.pair import Pair
from refdp.sensitivities.program import Outcome
from refdp.sensitivities.question import SIZE, Question
from refdp.sensitivities.records import Category, Fields, Missing, Number
from refdp.sensitivities.search.proving import prove
from refdp.terms.leaves import FALSE, TRUE, ZERO, integer, rational
from refdp.terms.operations import add, at_most, divide, multiply
from tests.sensitivities import answers
from tests.sensitivities import hand_made as f

CLAMPED = """def total(rows, L, U):
    found = 0
    for x in rows:
        found += min(max(x, L), U)
    return found
"""
MEAN = "def mean(rows):\n    return sum(rows) / len(rows)\n"
SYMBOLS = Declaration(Number(), {}, {"L": "Real", "U": "Real"}, at_most(f.L, f.U))
SUM = Claim(CLAMPED, "total", SYMBOLS, "add_remove", "L1", f.SIZE_OF)
UNIT = Declaration(Number(integer(0), integer(1)), {}, {})
SMALL_MEAN = Claim(MEAN, "mean", UNIT, "change_one", "L1", divide(rational(Fraction(99, 100)), SIZE))
NOTHING = (Outcome(), Outcome())


def test_a_hint_is_written_with_the_terms_whose_values_do_not_matter_where_there_are_some():
    known, slot = {"L": f.L, "U": f.U}, add(f.L, f.U)
    for whatever, length in (((), 3), ((slot,), 4)):
        found = Invariants((TRUE,), hints=(Hint("out", at_most(f.L, f.U), (TRUE,), whatever),))
        written = invariants_json(found)
        assert [len(one) for one in written["hints"]] == [length]
        assert invariants_of(written, known) == found


@pytest.fixture(scope="module")
def proof():
    found = prove(Question(f.clamp_sum(), "add_remove", "L1", f.SIZE_OF), 20)
    return answers.proof(SUM, found.invariants, found.order)


@pytest.fixture
def pair():
    return answers.refutation(SMALL_MEAN, Pair((Fraction(0),), (Fraction(1),), {}, NOTHING, None))


def changed(asked, *path, to):
    """The question with one part replaced."""
    found = inner = json.loads(json.dumps(asked))
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = to
    return found


def read(found):
    """The claim that is made."""
    return claim_in(answers.asked(found))


def judged(found, solvers=("z3",)):
    return proved_of(f.clamp_sum(), read(found), found["evidence"], solvers, 20)


@pytest.mark.parametrize("solvers", [("z3",), ("cvc5",), ("z3", "cvc5")])
def test_certificate_of_a_proof_replays_in_each_solver(proof, solvers):
    replayed = judged(proof, solvers)
    assert replayed.verdict == "PROVED"
    assert read(proof) == SUM
    assert all(any(name in trusted for trusted in replayed.trusts) for name in solvers)


@pytest.mark.parametrize(
    ("path", "to"),
    [
        (("question", "claim"), "(* 0.999999 (ite (< (ite (< L 0.0) (- L) L) U) U L))"),
        (("question", "neighbours"), "change_one"),
        (("question", "edits"), "2"),
        (("evidence", "invariants", "relations"), ["true"]),
        (("evidence", "invariants", "relations"), ["false"]),
        (("evidence", "invariants", "relations"), []),
        (("evidence", "invariants", "relations"), ["(= |row| 0.0)"]),
        (("evidence", "invariants", "singles"), ["false"]),
        (("evidence", "invariants", "splits"), [["ghost", ["0.0", "1.0"]]]),
        (("evidence", "invariants", "splits"), [["ghost", []]]),
        (("evidence", "invariants", "hints"), [["out", "false", []]]),
        (("evidence", "invariants", "hints"), [["out", "true", ["false"]]]),
        (("evidence", "invariants", "hints"), [["nowhere", "true", []]]),
        (("evidence", "order"), {"relations": ["true"], "singles": [], "splits": [], "hints": []}),
        (("evidence", "order"), {"relations": ["false"], "singles": [], "splits": [], "hints": []}),
    ],
)
def test_certificate_of_a_proof_another_claim_or_other_invariants_are_not_proved(proof, path, to):
    assert judged(changed(proof, *path, to=to)).verdict == "UNKNOWN"


@pytest.mark.parametrize(
    ("path", "to"),
    [
        (("question", "extra"), "1"),
        (("question", "edits"), 1),
        (("question", "edits"), "1/2"),
        (("question", "edits"), 1.5),
        (("question", "norm"), "L3"),
        (("question", "neighbours"), "all"),
        (("question", "symbols"), {"L": "Text"}),
        (("question", "symbols"), {"n": "Real"}),
        (("question", "claim"), "(* x x)"),
        (("question", "claim"), "NaN"),
        (("question", "claim"), "((" * 100_000),
        (("question", "claim"), "(not " * 1_000 + "true" + ")" * 1_000),
        (("question", "claim"), f"1{'0' * 600_000}"),
        (("question", "record"), {"number": {"lower": None, "upper": None}}),
        (("question", "record"), {"text": "any"}),
        (("question", "values"), {"x": {"number": "nan"}}),
        (("question", "values"), {"x": {"number": "1/0"}}),
        (("question", "values"), {"x": 1}),
        (("question", "values"), {"L": {"number": "1"}}),
    ],
)
def test_question_of_the_wrong_form_is_refused(proof, path, to):
    with pytest.raises(ValueError, match=r"must|needed|may not|no text|deep|not both|no parameter"):
        read(changed(proof, *path, to=to))


@pytest.mark.parametrize(
    ("path", "to", "said"),
    [
        (("question", "edits"), "01", "must be written as"),
        (("question", "edits"), "0", "edits must be at least 1"),
        (("question", "claim"), " 1", "must be written as"),
        (("question", "values"), {"x": {"number": "1/2"}}, "no parameter"),
        (("question", "record"), {"number": {"upper": "1", "lower": "0", "is_integer": False}}, "must be written as"),
    ],
)
def test_question_that_is_written_otherwise_than_refdp_writes_it_is_refused(pair, path, to, said):
    with pytest.raises(KernelError, match=said):
        answers.refuted(changed(pair, *path, to=to))


def test_text_that_is_too_long_has_no_certificate(proof):
    assert answer_certificate(answers.asked({**proof, "source": "#" * 500_001}), ["z3"]) is None


@pytest.mark.parametrize("text", ["", "[]", "{}", "[" * 100_000, '{"record": {}, "record": {}}', "NaN"])
def test_question_that_is_no_object_is_refused(text):
    with pytest.raises(ValueError, match=r".+"):
        claim_in(EngineQuestion("sensitivity", MEAN, "mean", text, "{}"))


def test_certificate_of_a_refutation_is_replayed_by_running_the_function(pair):
    assert answers.refuted(pair) == {"refdp's interpreter of Python"}
    assert read(pair) == SMALL_MEAN


@pytest.mark.parametrize(
    ("path", "to"),
    [
        (("question", "claim"), "(/ 1.0 (to_real n))"),
        (("question", "neighbours"), "add_remove"),
        (("source",), MEAN.replace("sum(rows)", "len(rows)")),
        (("source",), MEAN.replace("mean", "median")),
        (("question", "assumption"), "(<= 2 n)"),
        (("evidence", "first"), [{"number": "1"}]),
        (("evidence", "first"), [{"number": "-1"}]),
        (("evidence", "first"), [{"number": "nan"}]),
        (("evidence", "first"), [{"text": "0"}]),
        (("evidence", "first"), [None]),
        (("evidence", "first"), [{"number": "0"}, {"number": "0"}]),
        (("evidence", "first"), []),
        (("evidence", "parameters"), {"x": "1"}),
        (("evidence", "first"), [{"number": "0"}] * 2_000),
    ],
)
def test_certificate_of_a_refutation_that_shows_nothing_is_refused(pair, path, to):
    with pytest.raises(KernelError, match=r".+"):
        answers.refuted(changed(pair, *path, to=to))


@pytest.mark.parametrize("rows", [999, 1_000])
def test_certificate_of_a_refutation_a_table_has_so_many_rows_and_no_more(rows):
    """A row more is another count: that is refuted by tables of up to a thousand rows, of more it is not replayed."""
    claim = Claim("def size(rows):\n    return len(rows)\n", "size", UNIT, "add_remove", "L1", ZERO)
    found = answers.refutation(claim, Pair((Fraction(0),) * rows, (Fraction(0),) * (rows + 1), {}, NOTHING, None))
    if rows < 1_000:
        assert answers.refuted(found)
    else:
        with pytest.raises(KernelError, match="at most 1000 rows"):
            answers.refuted(found)


def test_certificate_of_a_proof_brings_the_relation_for_another_order_where_there_is_one():
    relations, order = Invariants((TRUE,)), Invariants((FALSE,))
    evidence = answers.proof(SUM, relations, order)["evidence"]
    assert (evidence["invariants"]["relations"], evidence["order"]["relations"]) == (["true"], ["false"])
    assert answers.proof(SUM, relations)["evidence"]["order"] is None


def test_certificate_of_a_refutation_an_exception_on_one_table_only_is_too_far():
    claim = Claim(MEAN, "mean", UNIT, "add_remove", "L1", integer(1_000))
    assert answers.refuted(answers.refutation(claim, Pair((), (Fraction(1),), {}, NOTHING, None)))


def test_certificate_brings_back_every_kind_of_record():
    kind = Fields(
        (
            ("age", Number(f.L, add(f.L, integer(5)), True)),
            ("colour", Missing(Category(("red", 3, True)))),
            ("inner", Fields(((0, Number()), (1, Category((False, True)))))),
        )
    )
    values = {"a": (Fraction(1, 3), "x", None, True), "b": {"k": Fraction(2)}}
    given = Declaration(kind, values, {"L": "Int"}, at_most(integer(3), SIZE))
    given = Declaration(Fields((("x", kind),)), given.values, {"L": "Real", "U": "Real"}, given.assumption)
    claim = Claim(
        "def f(r, a=0, b=0):\n    return 0\n", "f", given, "change_one", "L2", multiply(f.U, SIZE), 3, "lists"
    )
    found = answers.refutation(claim, Pair((), (), {}, NOTHING, None))
    assert read(found) == claim
    assert question_text(read(found)) == json.dumps(found["question"])


def test_certificate_of_a_proof_about_fused_passes_replays():
    program = f.sum_twice()
    claim = Claim("", "f", Declaration(f.UNIT), "add_remove", "L1", integer(2))
    found = prove(Question(fused(program), "add_remove", "L1", integer(2)), 20)
    text = answers.proof(claim, found.invariants, found.order, fused=True)
    for to, expected in ((True, "PROVED"), (False, "UNKNOWN")):
        evidence = changed(text, "evidence", "fused", to=to)["evidence"]
        assert proved_of(program, claim, evidence, ("z3",), 20).verdict == expected
    assert len(fused(program).passes) == 1


def test_certificate_with_very_many_cases_is_left_when_the_time_is_over(proof):
    values = [f"{k}.0" for k in range(5_000)]
    long = changed(proof, "evidence", "invariants", "splits", to=[["ghost", values], ["L", values], ["U", values]])
    started = work.spent()
    assert proved_of(f.clamp_sum(), read(long), long["evidence"], ("z3",), 0.5).verdict == "UNKNOWN"
    assert work.spent() - started < 5  # five thousand cases cubed would not end


FOUND = Question(read_program(parse_source(CLAMPED, "total"), SYMBOLS), "add_remove", "L1", f.SIZE_OF)


def test_certificate_of_a_proof_is_replayed_from_its_source_alone():
    found = prove(FOUND, 20)
    text = answers.proof(SUM, found.invariants, found.order, found.fused)
    assert answers.proved(text, "z3").verdict == answers.proved(text, "cvc5").verdict == "PROVED"
    wrong = (
        CLAMPED.replace("min(max(x, L), U)", "min(x, U)"),
        CLAMPED.replace("+=", "-= 2 *"),
        CLAMPED.replace("found = 0", "found = len(rows) * U"),
        CLAMPED.replace("return found", "return found / len(rows)"),
    )
    for source in wrong:
        assert not accepted(changed(text, "source", to=source))


def accepted(text):
    """Whether the certificate shows what it claims."""
    try:
        return answers.proved(text, "z3").verdict != "UNKNOWN"
    except KernelError:
        return False


@pytest.mark.parametrize(
    "source", ["", "import os\n", "def total(rows, L, U):\n    while True:\n        pass\n", "def ("]
)
def test_certificate_whose_source_is_not_read_is_refused(proof, source):
    with pytest.raises(KernelError, match=r".+"):
        answers.proved(changed(proof, "source", to=source))


@pytest.mark.parametrize("key", [True, False])
def test_a_truth_value_is_no_name_of_a_field(key):
    """True is 1 to Python: two fields might be told apart by nothing."""
    kind = {"fields": [[key, {"category": ["a", "b"]}]]}
    with pytest.raises(Forged, match="a key must be a text or a whole number"):
        kind_of(kind, {})


@pytest.mark.parametrize("wrap", [lambda one: [one], lambda one: {"fields": {"x": one}}], ids=["tuples", "fields"])
def test_values_may_be_nested_so_deep_and_no_deeper(wrap):
    value = None
    for _ in range(DEEPEST):
        value = wrap(value)
    assert value_json(value_of(value)) == value
    with pytest.raises(Forged, match="a value is nested too deep"):
        value_of(wrap(value))


def test_certificate_of_a_refutation_brings_the_parameters():
    parameters = {f.L: Fraction(-1, 3), f.U: Fraction(7)}
    pair = Pair((), (), {str(name): value for name, value in parameters.items()}, NOTHING, None)
    assert answers.refutation(SUM, pair)["evidence"]["parameters"] == {str(f.L): "-1/3", str(f.U): "7"}


def test_certificates_are_plain_ascii():
    claim = replace(SMALL_MEAN, source="# R\u00e9nyi\n" + SMALL_MEAN.source)
    found = answers.refutation(claim, Pair((Fraction(0),), (Fraction(1),), {}, NOTHING, None))
    assert answer_certificate(answers.asked(found), None).isascii()
    assert read(found) == claim


A, B = {"text": "a"}, {"text": "b"}


def deep(depth):
    """A kind of record that is nested so deep."""
    kind = {"category": [A, B]}
    for _ in range(depth):
        kind = {"fields": [[{"text": "x"}, kind]]}
    return kind


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ({"category": [A, None]}, "a label must be a text, a whole number or a truth value"),
        ({"category": [A, {"number": "1/2"}]}, "."),
        ({"category": [A, [B]]}, "a label must be a text, a whole number or a truth value"),
        (deep(DEEPEST + 1), "a kind is nested too deep"),
        ({"number": {"lower": None, "upper": None, "is_integer": 1}}, "is_integer must be true or false"),
        ({"number": {"lower": None, "upper": None, "is_integer": None}}, "is_integer must be true or false"),
        ({"number": {"lower": "true", "upper": None, "is_integer": True}}, "a bound must be a number"),
        ({"number": {"lower": None, "upper": "false", "is_integer": True}}, "a bound must be a number"),
        ({"fields": [[A, {"category": [A, B]}], [B]]}, "a field must be a key and a kind"),
        ({"fields": [[A, {"category": [A]}, "more"]]}, "a field must be a key and a kind"),
    ],
)
def test_kinds_that_are_none_are_refused(kind, said):
    with pytest.raises(Forged, match=said):
        kind_of(kind, {})


def test_kinds_may_be_nested_so_deep():
    assert kind_json(kind_of(deep(DEEPEST), {})) == deep(DEEPEST)


@pytest.mark.parametrize(
    ("name", "to", "said"),
    [
        ("values", [], "values must be an object"),
        ("values", [["a", {"number": "1"}]], "values must be an object"),
        ("symbols", {"n": "Int"}, "a symbol may not be called n"),
        ("symbols", {"\u03b5": "Int"}, "a symbol must have a name of letters, digits and _"),
        ("symbols", {"a b": "Int"}, "a symbol must have a name of letters, digits and _"),
        ("symbols", {"while": "Int"}, "a symbol must have a name of letters, digits and _"),
        ("assumption", "3", "what is assumed must be a statement"),
        ("claim", "true", "the claim a number"),
        ("claim", "(/ 1.0 0.0)", "a question may not divide by 0"),
        ("assumption", "(<= (/ 1.0 0.0) 2.0)", "a question may not divide by 0"),
    ],
)
def test_claims_that_are_none_are_refused(name, to, said):
    with pytest.raises(Forged, match=said):
        claim_of(SUM.source, SUM.function, {**question_json(SUM), name: to})


@pytest.mark.parametrize("claim", ["(/ 1.0 2.0)", "(/ L 2.0)"])
def test_claims_that_divide_by_something_else_are_read(claim):
    assert claim_of(SUM.source, SUM.function, {**question_json(SUM), "claim": claim})


@pytest.mark.parametrize(("solver", "names"), [(None, "z3 cvc5"), ("both", "z3 cvc5"), ("z3", "z3"), ("cvc5", "cvc5")])
def test_solvers_that_are_named_are_asked_and_both_where_none_is(solver, names):
    found = prove(FOUND, 20)
    text = answers.proof(SUM, found.invariants, found.order, found.fused)
    replayed = replaying.asked(answers.asked(text), solver, 20)
    assert replayed.verdict == "PROVED"
    assert {name for name in ("z3", "cvc5") if any(name in one for one in replayed.trusts)} == set(names.split())


@pytest.mark.parametrize("assumption", [FALSE, at_most(SIZE, integer(-1))])
def test_what_is_impossible_is_not_judged(assumption):
    """Nothing is as declared: such a claim would be proved by any relation, and refuted by no pair."""
    claim = replace(SMALL_MEAN, declaration=Declaration(UNIT.record, {}, {}, assumption))
    with pytest.raises(KernelError, match="the assumption must hold of the pair"):
        answers.refuted(answers.refutation(claim, Pair((Fraction(0),), (Fraction(1),), {}, NOTHING, None)))
    with pytest.raises(KernelError, match="must be possible together, got a contradiction"):
        answers.proved(answers.proof(claim, Invariants((FALSE,))))


def test_a_pair_gives_each_symbol_a_value_of_its_sort():
    sorts = {"k": "Int", "b": "Bool", "x": "Real"}
    claim = replace(SUM, declaration=Declaration(Number(), {}, sorts))
    k, b, x = claim.declaration.parameters
    values = {"k": Fraction(3), "b": Fraction(1), "x": Fraction(1, 3)}
    assert parameters(claim, values) == {k: Fraction(3), b: True, x: Fraction(1, 3)}
    for wrong, said in (
        ({**values, "k": Fraction(1, 2)}, "must be whole"),
        ({"k": Fraction(3)}, "each symbol a value"),
        ({**values, "y": Fraction(0)}, "each symbol a value"),
        ({}, "each symbol a value"),
    ):
        with pytest.raises(ValueError, match=said):
            parameters(claim, wrong)
