"""Certificates: what is true replays in either solver alone, and what is forged is refused."""

import json
from dataclasses import replace
from fractions import Fraction

import pytest

from refdp.logic.operations import add, at_most, divide, multiply
from refdp.logic.strict_json import Forged
from refdp.logic.terms import FALSE, TRUE, ZERO, integer, rational
from refdp.provers import work
from refdp.sensitivities.checking.certificate import Claim, claim_json, claim_of, parsed, proof_text, refutation_text
from refdp.sensitivities.checking.encoding import DEEPEST, kind_json, kind_of, value_json, value_of
from refdp.sensitivities.checking.invariants import Invariants
from refdp.sensitivities.checking.replaying import parameters, proved_of, replay
from refdp.sensitivities.declaration import Declaration
from refdp.sensitivities.fusion import fused
from refdp.sensitivities.language.reading import read_program
from refdp.sensitivities.language.source import parse_source
from refdp.sensitivities.pair import Pair
from refdp.sensitivities.program import Outcome
from refdp.sensitivities.question import SIZE, Question
from refdp.sensitivities.records import Category, Fields, Missing, Number
from refdp.sensitivities.search.proving import prove
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


@pytest.fixture(scope="module")
def proof():
    found = prove(Question(f.clamp_sum(), "add_remove", "L1", f.SIZE_OF), 20)
    return proof_text(SUM, found.invariants, found.order)


@pytest.fixture
def pair():
    return refutation_text(SMALL_MEAN, Pair((Fraction(0),), (Fraction(1),), {}, NOTHING, None))


def changed(text, *path, to):
    """The certificate with one part replaced."""
    found = json.loads(text)
    inner = found
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = to
    return json.dumps(found)


def judged(text, solvers=("z3",)):
    claim, verdict, evidence = parsed(text)
    assert verdict == "PROVED"
    return proved_of(f.clamp_sum(), claim, evidence, solvers, 20)


@pytest.mark.parametrize("solvers", [("z3",), ("cvc5",), ("z3", "cvc5")])
def test_certificate_of_a_proof_replays_in_each_solver(proof, solvers):
    replayed = judged(proof, solvers)
    assert replayed.verdict == "PROVED"
    assert replayed.claim == SUM
    assert all(any(name in trusted for trusted in replayed.trusts) for name in solvers)


@pytest.mark.parametrize(
    ("path", "to"),
    [
        (("claim", "claim"), "(* 0.999999 (ite (< (ite (< L 0.0) (- L) L) U) U L))"),
        (("claim", "neighbours"), "change_one"),
        (("claim", "edits"), "2"),
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
        (("format",), "refdp-sensitivity/2"),
        (("verdict",), "TRUE"),
        (("extra",), "1"),
        (("claim", "extra"), "1"),
        (("claim", "edits"), 1),
        (("claim", "edits"), "1/2"),
        (("claim", "edits"), 1.5),
        (("claim", "norm"), "L3"),
        (("claim", "neighbours"), "all"),
        (("claim", "symbols"), {"L": "Text"}),
        (("claim", "symbols"), {"n": "Real"}),
        (("claim", "claim"), "(* x x)"),
        (("claim", "claim"), "NaN"),
        (("claim", "claim"), "((" * 100_000),
        (("claim", "claim"), "(not " * 1_000 + "true" + ")" * 1_000),
        (("claim", "claim"), f"1{'0' * 600_000}"),
        (("claim", "record"), {"number": {"lower": None, "upper": None}}),
        (("claim", "record"), {"text": "any"}),
        (("claim", "values"), {"x": {"number": "nan"}}),
        (("claim", "values"), {"x": {"number": "1/0"}}),
        (("claim", "values"), {"x": 1}),
        (("claim", "source"), "x" * 6_000_000),
    ],
)
def test_certificate_of_the_wrong_form_is_refused(proof, path, to):
    with pytest.raises(ValueError, match=r"must|needed|may not|no text|deep"):
        parsed(changed(proof, *path, to=to))


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", "[" * 100_000, '{"format": "refdp-sensitivity/1", "format": ""}', "NaN"]
)
def test_certificate_that_is_no_object_is_refused(text):
    with pytest.raises(ValueError, match=r".+"):
        parsed(text)


def test_certificate_of_a_refutation_is_replayed_by_running_the_function(pair):
    replayed = replay(pair)
    assert replayed.verdict == "REFUTED"
    assert replayed.claim == SMALL_MEAN


@pytest.mark.parametrize(
    ("path", "to"),
    [
        (("claim", "claim"), "(/ 1.0 (to_real n))"),
        (("claim", "neighbours"), "add_remove"),
        (("claim", "source"), MEAN.replace("sum(rows)", "len(rows)")),
        (("claim", "source"), MEAN.replace("mean", "median")),
        (("claim", "assumption"), "(<= 2 n)"),
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
    with pytest.raises(ValueError, match=r".+"):
        replay(changed(pair, *path, to=to))


@pytest.mark.parametrize("rows", [999, 1_000])
def test_certificate_of_a_refutation_a_table_has_so_many_rows_and_no_more(rows):
    """A row more is another count: that is refuted by tables of up to a thousand rows, of more it is not replayed."""
    claim = Claim("def size(rows):\n    return len(rows)\n", "size", UNIT, "add_remove", "L1", ZERO)
    text = refutation_text(claim, Pair((Fraction(0),) * rows, (Fraction(0),) * (rows + 1), {}, NOTHING, None))
    if rows < 1_000:
        assert replay(text).verdict == "REFUTED"
    else:
        with pytest.raises(ValueError, match="at most 1000 rows"):
            replay(text)


def test_certificate_of_a_proof_brings_the_relation_for_another_order_where_there_is_one():
    relations, order = Invariants((TRUE,)), Invariants((FALSE,))
    _, _, evidence = parsed(proof_text(SUM, relations, order))
    assert (evidence["invariants"]["relations"], evidence["order"]["relations"]) == (["true"], ["false"])
    _, _, evidence = parsed(proof_text(SUM, relations))
    assert evidence["order"] is None


def test_certificate_of_a_refutation_an_exception_on_one_table_only_is_too_far():
    claim = Claim(MEAN, "mean", UNIT, "add_remove", "L1", integer(1_000))
    assert replay(refutation_text(claim, Pair((), (Fraction(1),), {}, NOTHING, None))).verdict == "REFUTED"


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
    claim = Claim("def f(r):\n    return 0\n", "f", given, "change_one", "L2", multiply(f.U, SIZE), 3, "lists")
    text = refutation_text(claim, Pair((), (), {}, NOTHING, None))
    assert parsed(text)[0] == claim


def test_certificate_of_a_proof_about_fused_passes_replays():
    program = f.sum_twice()
    claim = Claim("", "f", Declaration(f.UNIT), "add_remove", "L1", integer(2))
    found = prove(Question(fused(program), "add_remove", "L1", integer(2)), 20)
    text = proof_text(claim, found.invariants, found.order, fused=True)
    for to, expected in ((True, "PROVED"), (False, "UNKNOWN")):
        _, _, evidence = parsed(changed(text, "evidence", "fused", to=to))
        assert proved_of(program, claim, evidence, ("z3",), 20).verdict == expected
    assert len(fused(program).passes) == 1


def test_certificate_with_very_many_cases_is_left_when_the_time_is_over(proof):
    values = [f"{k}.0" for k in range(5_000)]
    long = changed(proof, "evidence", "invariants", "splits", to=[["ghost", values], ["L", values], ["U", values]])
    claim, _, evidence = parsed(long)
    started = work.spent()
    assert proved_of(f.clamp_sum(), claim, evidence, ("z3",), 0.5).verdict == "UNKNOWN"
    assert work.spent() - started < 5  # five thousand cases cubed would not end


FOUND = Question(read_program(parse_source(CLAMPED, "total"), SYMBOLS), "add_remove", "L1", f.SIZE_OF)


def test_certificate_of_a_proof_is_replayed_from_its_source_alone():
    found = prove(FOUND, 20)
    text = proof_text(SUM, found.invariants, found.order, found.fused)
    assert replay(text, "z3").verdict == replay(text, "cvc5").verdict == "PROVED"
    wrong = (
        CLAMPED.replace("min(max(x, L), U)", "min(x, U)"),
        CLAMPED.replace("+=", "-= 2 *"),
        CLAMPED.replace("found = 0", "found = len(rows) * U"),
        CLAMPED.replace("return found", "return found / len(rows)"),
    )
    for source in wrong:
        assert not accepted(changed(text, "claim", "source", to=source))


def accepted(text):
    """Whether the certificate shows what it claims."""
    try:
        return replay(text, "z3").verdict != "UNKNOWN"
    except ValueError:
        return False


@pytest.mark.parametrize(
    "source", ["", "import os\n", "def total(rows, L, U):\n    while True:\n        pass\n", "def ("]
)
def test_certificate_whose_source_is_not_read_is_refused(proof, source):
    with pytest.raises(ValueError, match=r".+"):
        replay(changed(proof, "claim", "source", to=source))


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
    text = refutation_text(SUM, Pair((), (), {str(name): value for name, value in parameters.items()}, NOTHING, None))
    assert parsed(text)[2]["parameters"] == {str(f.L): "-1/3", str(f.U): "7"}


def test_certificates_are_plain_ascii():
    claim = replace(SUM, source="# R\u00e9nyi\n" + SUM.source)
    text = refutation_text(claim, Pair((), (), {}, NOTHING, None))
    assert text.isascii()
    assert parsed(text)[0] == claim


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
        ("assumption", "3", "what is assumed must be a statement"),
        ("claim", "true", "the claim a number"),
    ],
)
def test_claims_that_are_none_are_refused(name, to, said):
    with pytest.raises(Forged, match=said):
        claim_of({**claim_json(SUM), name: to})


@pytest.mark.parametrize("assumption", [FALSE, at_most(SIZE, integer(-1))])
def test_what_is_impossible_is_not_judged(assumption):
    """Nothing is as declared: such a claim would be proved by any relation, and refuted by no pair."""
    claim = replace(SMALL_MEAN, declaration=Declaration(UNIT.record, {}, {}, assumption))
    text = refutation_text(claim, Pair((Fraction(0),), (Fraction(1),), {}, NOTHING, None))
    with pytest.raises(ValueError, match="must be possible together, got a contradiction"):
        replay(text)


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
