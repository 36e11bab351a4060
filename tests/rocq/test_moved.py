"""Queries that move too far, for Rocq: what is written of two tables, which needs no prover."""

import json
import re
from fractions import Fraction
from types import SimpleNamespace

import pytest

from refdp.kernel import rules
from refdp.kernel.certificate import text_of
from refdp.kernel.judgements import KernelError
from refdp.kernel.sources import bring
from refdp.rocq import moved, records
from refdp.rocq.claims import NOTHING, WHOLE, engine_refutes, file_of, formal_text
from refdp.rocq.relations import fields_for
from refdp.rocq.terms import NotInRocq
from refdp.rocq.writing import Export
from refdp.sensitivities.judging import judge
from refdp.sensitivities.records import Category, Fields, Missing, Number
from refdp.sensitivities.request import Request
from refdp.terms.leaves import rational, variable
from refdp.terms.operations import add, at_most, choice, conjunction, divide, equal, less
from scripts import rocq

SOURCE = """
import math

def total(rows, low=0, high=10):
    found = 0
    for x in rows:
        found += min(max(x, low), high)
    return found

def other(rows, low=0, high=10):
    return 0

def both(rows):
    a, b = 0, 0
    for x, y in rows:
        a += x
        b += y
    return a, b

def mean(rows):
    return sum(rows) / len(rows)

def inverses(rows):
    found = 0
    for x in rows:
        found += 1 / x
    return found

def middle(rows):
    return sorted(rows)[len(rows) // 2] if len(rows) > 0 else 0

def length(rows):
    found = 0
    for x in rows:
        found += x * x
    return math.sqrt(found)

def known(rows):
    return sum(min(x, 10) for x in rows if x is not None)

def turns(rows):
    first_table, second_answer = 0, 0
    for x in rows:
        if x != second_answer:
            first_table += 1
        second_answer = x
    return first_table
"""
TOTAL = {"function": "total", "record": "numbers", "neighbours": "add_remove", "claim": "9"}
BOTH = {"function": "both", "record": ["0..2", "-1..1"], "neighbours": "add_remove"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("queries")
    (path / "queries.py").write_text(SOURCE, encoding="utf-8")
    return path


def judged(folder, verdict, function, **asked):
    found = judge(Request(target=f"{folder / 'queries.py'}:{function}", **asked), 30)
    assert found.verdict == verdict, found.reason
    return json.loads(found.certificate)


def written_file(given):
    theorem = rocq.theorem_of(given)
    return file_of(theorem, "a_query", "a sentence", formal_text(theorem))


def refuted(folder, **asked):
    given = judged(folder, "REFUTED", **asked)
    assert [step["rule"] for step in given["steps"]] == ["query_moves_too_far"]
    return given


def step_of(given, **changed):
    """The step of a certificate with other data, as the kernel takes it."""
    for text in given["sources"].values():
        bring(text)
    return rules.query_moves_too_far(**(given["steps"][0]["data"] | changed))


def pair(first, second):
    numbers = [[{"number": one} for one in rows] for rows in (first, second)]
    return json.dumps(dict(zip(("first", "second"), numbers, strict=True)))


def statement(found):
    return found["text"][found["text"].rindex("\nTheorem ") : found["text"].rindex("\nProof.")]


def test_a_sum_that_moves_further_is_whole_and_its_claim_is_false(folder):
    found = written_file(refuted(folder, **TOTAL))
    assert (found["status"], found["theorem"]) == (WHOLE, "query__is_stable__is_false")
    assert (found["premises"], found["missing"]) == ([], {})
    assert statement(found).split(":\n  ")[1] == (
        "~ (stable (Tables.restricted (Tables.table_of (@StabilityClaims.any R)) (Tables.symmetric 1)) (query) "
        "(Tables.absolute 9))."
    )
    assert "Hypothesis" not in found["text"]
    assert "Admitted" not in found["text"]


@pytest.mark.parametrize("asked", [{}, {"tables": "lists"}, {"neighbours": "change_one", "assume": "n == 3"}])
def test_what_is_false_is_what_a_proof_says_of_one_edit_and_another_bound(folder, asked):
    proof = written_file(judged(folder, "PROVED", **(TOTAL | {"claim": "10"} | asked)))
    found = written_file(refuted(folder, **(TOTAL | asked)))
    said = re.search(r"forall \(d_in : R\), 0 <= d_in -> (.*)\.$", statement(proof))[1]
    assert statement(found).endswith(f"~ ({said.replace('d_in * 10', '9').replace('d_in', '1').replace('(9)', '9')}).")
    query = [
        one["text"][one["text"].index("(* A row") : one["text"].index("Definition query")] for one in (proof, found)
    ]
    without = re.sub(r"\nDefinition constraint.*?(?=\n\(\* What)", "", query[0], flags=re.DOTALL)
    assert "Relations.Pass" in query[1]
    assert without == query[1]


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"neighbours": "change_one"}, "(Tables.change_one 1)"),
        ({"tables": "lists"}, "(Tables.insert_delete 1)"),
        ({"tables": "lists", "neighbours": "change_one"}, "(Tables.hamming 1)"),
        ({"edits": 3, "claim": "29"}, "(Tables.symmetric 3)"),
        (
            {"neighbours": "change_one", "assume": "n == 7"},
            "(Tables.sized_table_of (@StabilityClaims.any R) (Z.to_nat 7))",
        ),
        ({"record": "integers 0..12"}, "(Tables.table_of (NoiseClaims.bounded 1 0 12))"),
        ({"record": "-1/2..12"}, "(Tables.table_of (NoiseClaims.interval (- 1 / 2) 12))"),
        (
            {"record": "0..12 or missing", "function": "known"},
            "(Relations.optional (NoiseClaims.interval (IZR 0%Z) (IZR 12%Z)))",
        ),
        (BOTH | {"claim": "2"}, "(Relations.both (NoiseClaims.interval (IZR 0%Z) (IZR 2%Z)) (NoiseClaims.interval "),
        (BOTH | {"claim": "2"}, "(Tables.l1 (Z.to_nat 2) 2)"),
        (BOTH | {"claim": "sqrt(4.5)", "norm": "L2"}, "(Tables.l2 (Z.to_nat 2) (sqrt (9 / 2)))"),
        (BOTH | {"claim": "3/2", "norm": "Linf"}, "(Tables.linf (Z.to_nat 2) (3 / 2))"),
        ({"claim": "sqrt(80)", "norm": "L2"}, "(Tables.absolute (sqrt 80))"),
    ],
)
def test_domains_and_distances_are_those_of_the_claim(folder, changed, said):
    found = written_file(refuted(folder, **(TOTAL | changed)))
    assert found["status"] == WHOLE
    assert said in statement(found)


def test_tables_states_and_answers_stand_in_the_file(folder):
    given = refuted(folder, **(TOTAL | {"edits": 2}))
    theorem = step_of(given, evidence=pair(["1/2", "3"], ["3", "-4", "1/2", "20"]))
    found = file_of(theorem, "a_query", "a sentence", formal_text(theorem))
    text = found["text"]
    assert found["status"] == WHOLE
    assert "Definition first_table : Tables.table row := [(1 / 2); 3]." in text
    assert "Definition second_table : Tables.table row := [3; (- 4); (1 / 2); 20]." in text
    assert "Lemma first_answer : query first_table = (7 / 2)." in text
    assert "Lemma second_answer : query second_table = (27 / 2)." in text
    assert text.count("apply (Moved.a_row ") == 6
    assert "exists [], [(- 4); 20]; split; [exists [(1 / 2); 3]; split; Moved.same_rows | Moved.so_few]." in text


def test_the_order_of_rows_counts_in_lists_alone(folder):
    rows = pair(["5", "1"], ["1", "5", "20"])
    bag = step_of(refuted(folder, **TOTAL), evidence=rows)
    text = file_of(bag, "a_query", "a sentence", formal_text(bag))["text"]
    assert "exists [], [20]; split; [exists [5; 1]; split; Moved.same_rows | Moved.so_few]." in text
    with pytest.raises(KernelError, match="at most 1 edits apart, got 3"):
        step_of(refuted(folder, **TOTAL, tables="lists"), evidence=rows)


def test_a_function_that_raises_has_no_answer(folder):
    found = written_file(refuted(folder, function="mean", record="0..5", neighbours="add_remove", claim="4"))
    assert found["status"] == WHOLE
    assert statement(found).endswith("query (Relations.answered (Tables.absolute 4))).")
    assert "Lemma first_answer : query first_table = Relations.Raises 1%Z." in found["text"]
    assert "(* ZeroDivisionError *)" in found["text"]


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({"function": "middle", "record": "0..9", "claim": "5"}, "not read as passes over the rows: .*sorted"),
        ({"function": "length", "record": "0..9", "claim": "5"}, "must answer in exact numbers"),
        ({"function": "inverses", "record": "-1..4", "claim": "3"}, "has no value somewhere: division by zero"),
    ],
)
def test_what_is_no_passes_of_exact_numbers_is_refused(folder, asked, why):
    found = written_file(refuted(folder, neighbours="add_remove", **asked))
    assert (found["status"], found["theorem"]) == (NOTHING, None)
    assert re.search(why, found["missing"]["query_moves_too_far"])
    assert "Section" not in found["text"]


@pytest.mark.parametrize(
    ("limit", "most", "why"),
    [("MOST_STEPS", 0, "more than 0 steps"), ("LONGEST", 1, "a number on the way has more than 1 digits")],
)
def test_large_tables_and_long_numbers_are_refused(folder, monkeypatch, limit, most, why):
    given = refuted(folder, **TOTAL)
    monkeypatch.setattr(moved, limit, most)
    found = written_file(given)
    assert found["status"] == NOTHING
    assert why in found["missing"]["query_moves_too_far"]


@pytest.mark.parametrize(
    ("asked", "changed", "why"),
    [
        ({}, {"bound": "10"}, "further apart than claimed"),
        ({}, {"evidence": pair([], ["9"])}, "further apart than claimed"),
        ({}, {"evidence": pair([], ["5", "6"])}, "at most 1 edits apart, got 2"),
        ({"record": "0..20"}, {"evidence": pair([], ["21"])}, "within its bounds"),
        ({"record": "integers 0..20"}, {"evidence": pair([], ["19/2"])}, "a row must be as declared"),
        ({"neighbours": "change_one", "assume": "n == 1"}, {"evidence": pair(["0", "0"], ["0", "10"])}, "must have 1"),
    ],
)
def test_near_misses_are_no_steps_of_the_kernel(folder, asked, changed, why):
    given = refuted(folder, **(TOTAL | asked))
    with pytest.raises(KernelError, match=why):
        step_of(given, **changed)


def test_data_of_another_claim_are_not_written(folder):
    given = refuted(folder, **TOTAL)
    theorem = rocq.theorem_of(given)
    for changed in ({"bound": "8"}, {"neighbours": "change_one", "evidence": pair(["0"], ["10"])}):
        other = step_of(given, **changed)
        forged = type("Forged", (), {"claim": theorem.claim, "data": other.data, "rule": other.rule, "premises": ()})()
        with pytest.raises(KernelError, match="its data are about"):
            moved.query_moves_too_far(Export(), forged, [])


@pytest.mark.parametrize(("function", "why"), [("other", "do not answer further apart"), ("both", "are not those of")])
def test_passes_that_answer_otherwise_than_the_function_are_not_written(folder, monkeypatch, function, why):
    """What the interpreter says is not believed: Rocq works out what the passes answer."""
    given = refuted(folder, **TOTAL)
    read = moved.program_of
    record = Fields(((0, Number()), (1, Number())))

    def misread(claim):
        found = read(type(claim)(**{f: getattr(claim, f) for f in claim.__slots__} | {"function": "other"}))
        return found if function == "other" else type(found)(found.name, record, (), (), found.output * 2)

    monkeypatch.setattr(moved, "program_of", misread)
    found = written_file(given)
    assert found["status"] == NOTHING
    assert why in found["missing"]["query_moves_too_far"]


def test_names_of_the_function_are_not_those_of_the_file(folder):
    found = written_file(
        refuted(folder, function="turns", record="0..3", neighbours="change_one", claim="1", tables="lists")
    )
    assert found["status"] == WHOLE
    assert found["text"].count("Definition first_table ") == 1
    names = fields_for([variable(f"p{i}.{one}", "Int") for i, one in enumerate(("first_table", "second_ends"))], [])
    assert not {"first_table", "second_ends"} & set(names.values())


X, Y = variable("x", "Real"), variable("y", "Real")
NONE = divide(X, Y)


@pytest.mark.parametrize(
    ("term", "value"),
    [
        (choice(equal(Y, rational(0)), X, NONE), Fraction(3)),
        (conjunction(less(X, rational(2)), less(NONE, X)), False),
        (choice(at_most(X, rational(2)), NONE, Y), Fraction(0)),
        (NONE, None),
        (conjunction(less(NONE, X), less(X, rational(2))), None),
        (add(choice(equal(Y, rational(0)), X, NONE), NONE), None),
    ],
)
def test_only_what_is_looked_at_needs_a_value(term, value):
    at = {X: Fraction(3), Y: Fraction(0)}
    if value is None:
        with pytest.raises(NotInRocq, match="no value somewhere"):
            moved.value_looked_at(term, at)
    else:
        assert moved.value_looked_at(term, at) == value


SYMBOLS = {"record": "low..high", "symbols": ("low", "high"), "assume": "low < high"}
ASKED = {"function": "total", "neighbours": "change_one", "claim": "(high - low) / 2"} | SYMBOLS


def refuted_question(folder, **asked):
    given = judged(folder, "REFUTED", **asked)
    assert [step["rule"] for step in given["steps"]] == ["engine_refutes"]
    return given


def test_what_is_asked_with_symbols_is_false_for_some_values_of_them(folder):
    found = written_file(refuted_question(folder, **ASKED))
    assert (found["status"], found["theorem"]) == (WHOLE, "question__is_answered__is_false")
    assert (found["premises"], found["missing"]) == ([], {})
    assert statement(found).endswith(" :\n  ~ (forall (low : R) (high : R), claimed low high).")
    assert re.search(r"Lemma first_answer : \(query \S+ \S+\) first_table = ", found["text"])
    assert "Variable" not in found["text"][found["text"].index("\nEnd question.") :]


@pytest.mark.parametrize("neighbours", ["add_remove", "change_one"])
@pytest.mark.parametrize("tables", ["lists", "multisets"])
def test_what_is_false_of_symbols_is_what_a_proof_says(folder, neighbours, tables):
    """For one edit, in the words of a proof: all but the bound is the same."""
    asked = ASKED | {"neighbours": neighbours, "tables": tables}
    proof = written_file(judged(folder, "PROVED", **(asked | {"claim": "max(abs(low), abs(high), high - low)"})))
    found = written_file(refuted_question(folder, **asked))
    said = re.search(r"Definition claimed : Prop := (.*?)\.\nEnd", found["text"], re.DOTALL)[1]
    proved = statement(proof).split(" :\n  ", 1)[1].removesuffix(".")
    assert said.splitlines()[:-1] == proved.splitlines()[:-1]
    assert re.fullmatch(r"  Tables\.absolute \(.*\) \(query u\) \(query v\)", said.splitlines()[-1])
    assert "((1 / 2) * (high + ((- (1)) * low)))" in said
    assert "(1 / 2)" not in proved


def test_several_edits_of_symbols_are_a_distance(folder):
    found = written_file(refuted_question(folder, **ASKED, edits=3, tables="multisets"))
    assert found["status"] == WHOLE
    assert "(Tables.change_one 3)) query (Tables.absolute ((1 / 2) * (high" in found["text"]


def test_bounds_that_speak_of_n_are_about_the_smaller_table(folder):
    asked = {"function": "mean", "record": "0..5", "neighbours": "change_one", "claim": "4 / n", "assume": "n >= 2"}
    found = written_file(refuted_question(folder, **asked))
    assert found["status"] == WHOLE
    assert statement(found).endswith("  ~ claimed.")
    assert "(Relations.outcomes Tables.absolute) (4 / (IZR n)) (query u) (query v)." in found["text"]
    assert re.search(r"apply \(claim first_table second_table \d+%Z\);", found["text"])


def test_a_bound_with_a_root_in_it_is_refused(folder):
    asked = ASKED | {"claim": "(high - low) / sqrt(2)"}
    found = written_file(refuted_question(folder, **asked))
    assert found["status"] == NOTHING
    assert "needs sqrt" in found["missing"]["engine_refutes"]
    assert "Section" not in found["text"]


def test_edits_of_tables_of_several_sizes_are_refused_where_n_is_spoken_of(folder):
    asked = ASKED | {"neighbours": "add_remove", "edits": 2, "assume": "low < high and n >= 0", "claim": "0"}
    found = written_file(refuted_question(folder, **asked))
    assert found["status"] == NOTHING
    assert "speak of n" in found["missing"]["engine_refutes"]


def test_what_other_engines_refute_is_refused():
    step = SimpleNamespace(data={"kind": "machine_sum"})
    with pytest.raises(NotInRocq, match="the engine of machine_sum refutes"):
        engine_refutes(Export(), step, [])


def test_what_a_definition_speaks_of_is_read_with_what_it_uses():
    export = Export()
    export.lines += [
        "Definition pass_0 : row :=\n  Relations.start (fun s => low + 0%Z).",
        "Definition passes := [pass_0].",
        "Definition query (u : row) := passes u.",
        "Definition assumed (n : Z) : bool := at_most low high.",
    ]
    names = {variable(one, "Real"): one for one in ("high", "start", "low", "Z")}
    found = moved.Pair(SimpleNamespace(export=export, names=names), {}, [], [], X)
    spoken = {one: [str(v.value) for v in found.spoken_of(one)] for one in ("passes", "query", "assumed", "nothing")}
    assert spoken == {"passes": ["low"], "query": ["low"], "assumed": ["high", "low", "Z"], "nothing": []}


@pytest.mark.parametrize(
    ("how", "first", "second", "said"),
    [
        (("multisets", "add_remove"), ["1", "2"], ["2", "3", "1"], "exists 3; left; Moved.same_rows."),
        (("multisets", "add_remove"), ["1", "2"], ["2"], "exists 1; right; Moved.same_rows."),
        (("multisets", "change_one"), ["1", "2"], ["3", "1"], "exists 2, 3, [1]; split; Moved.same_rows."),
        (("multisets", "change_one"), ["1", "2"], ["2", "1"], "exists 1, 1, [2]; split; Moved.same_rows."),
        (("lists", "add_remove"), ["1", "2"], ["1", "3", "2"], "exists [1], 3, [2]; left; split; reflexivity."),
        (("lists", "add_remove"), ["1", "2"], ["2"], "exists [], 1, [2]; right; split; reflexivity."),
        (("lists", "change_one"), ["1", "2"], ["1", "3"], "exists [1], 2, 3, []; split; reflexivity."),
        (("lists", "change_one"), ["1", "2"], ["1", "2"], "exists [], 1, 1, [2]; split; reflexivity."),
    ],
)
def test_how_tables_are_one_edit_apart(how, first, second, said):
    assert moved.ONE_EDIT[how](first, second) == said


def test_rows_are_written_in_the_words_of_their_kind():
    kind = Fields((("a", Number()), ("b", Missing(Number(is_integer=True))), ("c", Category(("u", "v")))))
    slots = (Fraction(-1, 2), False, Fraction(-3), Fraction(1))
    assert records.member(kind, iter(slots)) == "((- 1 / 2), (Some (- 3)), 1%Z)"
    slots = (Fraction(4), True, Fraction(0), Fraction(0))
    assert records.member(kind, iter(slots)) == "(4, None, 0%Z)"


@pytest.mark.parametrize(
    ("metric", "first", "second", "said"),
    [
        ("symmetric", ["1", "2"], ["2", "1", "2"], "exists [], [2]; split; [exists [1; 2];"),
        ("change_one", ["1", "2", "2"], ["2", "3", "1"], "exists [2], [3]; split; [exists [1; 2];"),
        ("insert_delete", ["1", "2", "3"], ["2", "3", "1"], "exists [2; 3]; split;"),
        ("hamming", ["1", "2", "3"], ["2", "2", "4"], "exists 2%nat; split;"),
    ],
)
def test_how_tables_are_near(metric, first, second, said):
    assert moved.WITHIN[metric](first, second).startswith(said)


def test_a_refutation_is_exported_by_its_file(folder, tmp_path):
    import refdp

    path = tmp_path / "total.json"
    path.write_text(text_of(refuted(folder, **TOTAL)), encoding="utf-8")
    found = refdp.export(path)
    assert (found["claim"], found["verdict"], found["status"]) == ("total.json", "REFUTED", "whole")
