"""Queries for Rocq: what is written of a proof about a function, which needs no prover."""

import json
import re
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner

import refdp
from refdp.cli.app import app
from refdp.kernel import rules
from refdp.kernel.certificate import DERIVED, certificate, text_of
from refdp.rocq import records
from refdp.rocq.claims import NOTHING, PREMISES, WHOLE, engine_proves, file_of
from refdp.rocq.conditions import follows_by_equations, is_plain
from refdp.rocq.formulas import shared, written
from refdp.rocq.relations import fields_for, query_is_stable
from refdp.rocq.terms import NotInRocq
from refdp.rocq.writing import Export
from refdp.sensitivities.judging import judge
from refdp.sensitivities.records import Category, Fields, Missing, Number
from refdp.sensitivities.request import Request
from refdp.terms.leaves import TRUE, integer, rational, variable
from refdp.terms.operations import add, at_most, choice, conjunction, equal, less, multiply, real
from scripts import rocq, rocq_questions

SOURCE = """
def total(rows, low=0, high=10):
    found = 0
    for x in rows:
        found += min(max(x, low), high)
    return found

def product(rows):
    found = 0
    for a, b in rows:
        found += a * b
    return found

def mean(rows):
    found, count = 0, 0
    for x in rows:
        found += x
        count += 1
    return found / count

def counts(rows):
    found = {"forall": 0, "exists": 0, "*)": 0, "count!": 0}
    for row in rows:
        found[row] += 1
    return found

def root(rows):
    found = 0
    for x in rows:
        found += x ** 0.5
    return found
"""
TOTAL = {"function": "total", "record": "numbers", "neighbours": "add_remove", "claim": "10"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("queries")
    (path / "queries.py").write_text(SOURCE, encoding="utf-8")
    return path


def proved(folder, function, **asked):
    found = judge(Request(target=f"{folder / 'queries.py'}:{function}", **asked), 30)
    assert found.verdict == "PROVED", found.reason
    return json.loads(found.certificate)


def written_file(given):
    theorem = rocq.theorem_of(given)
    return file_of(theorem, "a_query", "a sentence", str(theorem.claim.term))


def test_a_sum_is_whole_and_says_what_the_kernel_says(folder):
    found = written_file(proved(folder, **TOTAL))
    assert (found["status"], found["theorem"], found["premises"]) == (WHOLE, "query__is_stable", [])
    assert (
        "forall (d_in : R), 0 <= d_in -> stable (Tables.restricted (Tables.table_of (@StabilityClaims.any R)) "
        "(Tables.symmetric d_in)) (query) (Tables.absolute (d_in * 10)).\n"
    ) in found["text"]
    assert "Hypothesis" not in found["text"]


def test_what_solvers_proved_is_a_premise_with_what_they_were_asked(folder):
    asked = {"record": ["0..2", "0..10"], "neighbours": "add_remove", "claim": "20"}
    found = written_file(proved(folder, "product", **asked))
    assert found["status"] == PREMISES
    names = [one["name"] for one in found["premises"]]
    assert "out" in names
    assert re.findall(r"^Hypothesis (\w+) :$", found["text"], re.MULTILINE) == names
    assert all("(check-sat)" in one["smt"] and "(set-logic" in one["smt"] for one in found["premises"])
    assert all(any("z3" in name for name in one["solvers"]) for one in found["premises"])
    assert f"is the claim, from {len(names)} premise{'s' * (len(names) > 1)} that" in " ".join(found["text"].split())
    assert found["text"].rstrip().endswith("End question.")


def test_no_premise_ends_its_comment(folder):
    asked = {"record": ["0..2", "0..10"], "neighbours": "add_remove", "claim": "20"}
    body = "\n".join(written_file(proved(folder, "product", **asked))["body"])
    assert "( * " in body
    depth = 0
    for mark in re.findall(r"\(\*|\*\)", body):
        depth += 1 if mark == "(*" else -1
        assert depth in (0, 1)
    assert depth == 0


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"neighbours": "change_one"}, "(Tables.change_one d_in)"),
        ({"tables": "lists"}, "(Tables.insert_delete d_in)"),
        ({"tables": "lists", "neighbours": "change_one"}, "(Tables.hamming d_in)"),
        (
            {"neighbours": "change_one", "assume": "n == 7"},
            "(Tables.sized_table_of (@StabilityClaims.any R) (Z.to_nat 7))",
        ),
        ({"record": "integers 0..12"}, "(Tables.table_of (NoiseClaims.bounded 1 0 12))"),
        ({"record": "0..12 or missing", "function": "known"}, "(Relations.optional (NoiseClaims.interval"),
    ],
)
def test_domains_and_distances_are_those_of_the_claim(folder, changed, said, tmp_path):
    (tmp_path / "queries.py").write_text(
        SOURCE + "\ndef known(rows):\n    return sum(min(x, 10) for x in rows if x is not None)\n", encoding="utf-8"
    )
    found = written_file(proved(tmp_path, **(TOTAL | changed)))
    assert found["status"] in (WHOLE, PREMISES)
    assert said in found["text"][found["text"].rindex("\nTheorem ") :]


def test_symbols_stand_for_every_number_that_satisfies_the_assumption(folder):
    asked = {"record": "low..high", "neighbours": "change_one", "claim": "high - low", "symbols": ("low", "high")}
    found = written_file(proved(folder, "total", **asked, assume="low <= high"))
    assert found["status"] in (WHOLE, PREMISES)
    assert found["theorem"] == "question__is_answered"
    assert "Variable low : R." in found["text"]
    assert "Definition assumed (n : Z) : bool := (at_most low high)." in found["text"]
    statement = found["text"][found["text"].rindex("\nTheorem ") :]
    assert "Tables.one_replacement u v -> Relations.smaller u v = n -> holds (assumed n) ->" in statement


def test_a_replacement_in_a_list_needs_no_distance(folder):
    asked = {"record": "low..high", "neighbours": "change_one", "claim": "high - low", "symbols": ("low", "high")}
    found = written_file(proved(folder, "total", **asked, assume="low <= high", tables="lists"))
    assert "Relations.list_replacement u v" in found["text"]
    assert re.search(r"apply \(Relations\.query_list_replacement .* n\)\.", found["text"])


def test_several_edits_move_so_many_bounds(folder):
    asked = TOTAL | {"claim": "30", "edits": 3, "assume": "n >= 0", "neighbours": "change_one"}
    found = written_file(proved(folder, **asked))
    assert found["status"] in (WHOLE, PREMISES)
    assert "(Tables.change_one 3)) query (Tables.absolute 30)" in found["text"]


def test_several_edits_of_a_bound_in_symbols_are_refused(folder):
    asked = {"record": "low..high", "neighbours": "change_one", "claim": "2 * (high - low)", "edits": 2}
    found = written_file(proved(folder, "total", **asked, symbols=("low", "high"), assume="low <= high"))
    assert found["status"] == NOTHING
    assert "symbols" in found["missing"]["engine_proves"]
    assert "Nothing of it is proved here:" in found["text"]
    assert "Section" not in found["text"]


def test_a_query_that_never_raises_has_outcomes_that_are_answers(folder):
    asked = {"record": "0..5", "neighbours": "change_one", "claim": "1", "assume": "n == 5"}
    found = written_file(proved(folder, "mean", **asked))
    assert found["status"] == PREMISES
    assert "query (Relations.answered (Tables.absolute (d_in * 1)))" in found["text"]
    assert "alone_raises_nothing" in [one["name"] for one in found["premises"]]


def test_answers_on_a_grid_are_said_to_lie_there(folder):
    given = proved(folder, **(TOTAL | {"record": "integers 0..12"}))
    step = given["steps"][0]["data"] | {"step": "1/2"}
    found = written_file(certificate(rules.runs_stay_related(**step), DERIVED))
    assert found["status"] in (WHOLE, PREMISES)
    assert "(Tables.restricted (Tables.on_grid (1 / 2)) (Tables.absolute (d_in * 10)))" in found["text"]


def test_names_of_users_are_names_of_rocq(folder):
    labels = 'forall | exists | "*)" | count!'
    found = written_file(proved(folder, "counts", record=labels, neighbours="add_remove", claim="1"))
    assert found["status"] in (WHOLE, PREMISES)
    fields = re.search(r"^Record state := State \{(.*)\}\.$", found["text"], re.MULTILINE)[1]
    names = [one.split(":")[0].strip() for one in fields.split(";")]
    assert len(set(names)) == len(names) == 4
    assert all(re.fullmatch(r"[A-Za-z]\w*", one) for one in names)
    assert "forall" not in names
    assert "exists" not in names


@pytest.mark.parametrize(
    "hostile", ["p1.forall", "p2.State", "p3.pass_0", "p4.a.b", "p5.a_b", "p6._", "p7.n", "p8.é", "p9.known_1"]
)
def test_no_state_is_called_like_something_else(hostile):
    states = [variable(one, "Int") for one in (hostile, "p0.a.b", "p0.total")]
    names = list(fields_for(states, ["total"]).values())
    assert len(set(names)) == 3
    assert not {"forall", "State", "pass_0", "n", "total", "known_1"} & set(names)
    assert all(re.fullmatch(r"[A-Za-z]\w*", one, re.ASCII) for one in names)


X, Y, K = variable("x", "Real"), variable("y", "Real"), variable("k", "Int")


@pytest.mark.parametrize(
    ("stated", "plain"),
    [
        (at_most(X, add(X, rational(1))), True),
        (at_most(add(K, integer(1)), add(K, integer(2))), True),
        (at_most(multiply(X, Y), rational(1)), False),
        (conjunction(at_most(X, Y), at_most(K, integer(3))), True),
        (at_most(X, real(K)), False),
        (less(rational(0), choice(less(X, Y), X, Y)), True),
    ],
)
def test_only_linear_arithmetic_in_which_no_whole_number_becomes_real_is_plain(stated, plain):
    assert is_plain((), stated) is plain


Z = variable("z", "Real")


@pytest.mark.parametrize(
    ("hypotheses", "conclusion", "follows"),
    [
        ((equal(X, Y),), equal(add(X, Z), add(Y, Z)), True),
        ((equal(X, add(Y, multiply(Z, Z))),), equal(add(Z, X), add(add(Z, Y), multiply(Z, Z))), True),
        ((equal(X, Y), equal(Y, Z)), equal(multiply(rational(3), X), multiply(rational(3), Z)), True),
        ((at_most(X, Y),), conjunction(at_most(X, Y), equal(Y, Y)), True),
        ((equal(X, Y),), equal(X, add(Y, rational(1))), False),
        ((equal(X, Y),), equal(multiply(X, Z), multiply(Y, Z)), False),
        ((at_most(X, Y), at_most(Y, X)), equal(X, Y), False),
        ((equal(X, Y),), at_most(X, Y), False),
        ((), less(X, add(X, rational(1))), False),
    ],
)
def test_what_follows_by_equations(hypotheses, conclusion, follows):
    assert follows_by_equations(hypotheses, conclusion) is follows


def test_what_branches_often_is_a_premise():
    chosen = X
    for i in range(9):
        chosen = choice(less(chosen, rational(i)), Y, chosen)
    assert not is_plain((TRUE,), at_most(chosen, Y))


def test_what_stands_in_several_places_is_written_once():
    called = {X: "x", Y: "y"}
    long = add(multiply(rational(3), choice(less(X, Y), X, Y)), multiply(rational(7), choice(less(Y, X), X, Y)))
    for _ in range(20):
        long = add(long, choice(less(long, X), long, Y))
    with pytest.raises(ValueError, match="too long"):
        written(long, called)
    assert len(shared(long, called)) < 10_000


def test_columns_are_read_in_their_order():
    kind = Fields((("a", Number()), ("b", Missing(Number(is_integer=True))), ("c", Category(("u", "v")))))
    assert records.row_type(kind) == "(R * (option R) * Z)%type"
    assert list(records.read(kind, "x")) == [
        "(fst (fst x))",
        "(Relations.missing (snd (fst x)))",
        "(floored (Relations.present 0%R (snd (fst x))))",
        "(snd x)",
    ]
    assert len(list(records.read(kind, "x"))) == len(kind.slots("row"))
    assert records.inside(kind, {}).count("Relations.both") == 2


def test_what_a_step_wrote_is_taken_away_where_it_fails():
    export = Export()
    export.says("one", "True", ["exact I."])
    size = export.size()
    export.opens("question")
    export.premise("p", "True", ["z3"], ["(check-sat)"])
    export.back_to(size)
    assert (export.premises, export.sections) == ([], [])
    assert "Section question." not in export.lines


def test_a_certificate_is_exported_by_its_file(folder, tmp_path):
    path = tmp_path / "total.json"
    path.write_text(text_of(proved(folder, **TOTAL)), encoding="utf-8")
    found = refdp.export(path)
    assert (found["claim"], found["verdict"], found["status"]) == ("total.json", "PROVED", "whole")
    done = CliRunner().invoke(app, ["export", str(path), "--json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["text"] == found["text"]


def test_a_certificate_that_does_not_replay_is_not_exported(folder, tmp_path):
    given = proved(folder, **TOTAL)
    given["steps"][0]["data"]["bound"] = "9"
    path = tmp_path / "total.json"
    path.write_text(text_of(given), encoding="utf-8")
    done = CliRunner().invoke(app, ["export", str(path)])
    assert done.exit_code == 2
    assert "must be a certificate that replays" in done.output.replace("\n", " ")


def test_a_kind_of_question_that_is_not_written_is_refused():
    step = SimpleNamespace(data={"kind": "machine_sum"})
    with pytest.raises(NotInRocq, match="machine_sum"):
        engine_proves(Export(), step, [])


def test_a_pipeline_ends_in_the_privacy_of_its_answer(folder):
    query = refdp.query(f"{folder / 'queries.py'}:total", "add_remove", records="integers 0..12", run=False)
    theorem = refdp.theorem(query >> refdp.discrete_laplace(20), 1)
    found = file_of(theorem, "a_pipeline", "a sentence", str(theorem.claim.term))
    assert (found["status"], found["missing"]) == (WHOLE, {})
    statement = found["text"][found["text"].rindex("\nTheorem ") :]
    assert "(Tables.table_of (NoiseClaims.bounded 1 0 12)) (Tables.symmetric 1)) (fun the_input =>" in statement
    assert "((query) the_input)) (pure (1 / 2))" in statement
    assert found["text"].endswith("End question.\n")


def test_a_second_query_in_one_file_is_refused(folder):
    theorem = rocq.theorem_of(proved(folder, **TOTAL))
    export = Export()
    query_is_stable(export, theorem, [])
    with pytest.raises(NotInRocq, match="a second query"):
        query_is_stable(export, theorem, [])


def test_questions_are_drawn_alike_by_the_same_seed():
    first, again, other = (rocq_questions.drawn(seed) for seed in (60, 60, 61))
    names = [name for name, _ in first]
    assert names == [name for name, _ in again] != [name for name, _ in other]
    assert len(set(names)) == len(names) > 100


def test_near_misses_say_too_much(folder):
    whole = written_file(proved(folder, **TOTAL))
    asked = {"record": ["0..2", "0..10"], "neighbours": "add_remove", "claim": "20"}
    premises = written_file(proved(folder, "product", **asked))
    assert "(999 / 1000 * d_in * 10)" in next(rocq_questions.smaller_bounds([whole]))
    assert re.search(r"relation_0 .* bool := true\.", next(rocq_questions.weaker_relations([whole, premises])))
    assert f"Hypothesis {premises['premises'][0]['name']} :" not in next(rocq_questions.missing_premises([premises]))
