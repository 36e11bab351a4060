"""What checkers say where there is nothing: no data, no rows, no events, no charges, no shifts, no symbols."""

import json

import pytest

from refdp.commands.check import certificate_files, named, oracle, replayed_file, summary
from refdp.commands.sensitivity import sensitivity
from refdp.kernel.certificate import parsed
from refdp.kernel.judgements import KernelError
from refdp.logic.strict_json import loaded, require_shallow
from refdp.sensitivities.checking.verifying import judged as verified
from refdp.spec.statements import Statement
from refdp.terms.reading import read as read_term
from tests.forging.programs import HEAD
from tests.forging.seeds import MACHINE, QUERY, QUESTION, QUESTIONS, STORED, of_queries
from tests.programs.earlier import earlier


@pytest.fixture
def judged(tmp_path):
    def judge(content):
        (tmp_path / "nothing.json").write_text(json.dumps(content))
        return replayed_file(tmp_path / "nothing.json", "z3", None, 10.0)

    return judge


def stored(name):
    """A certificate about a program, in the format of before."""
    return earlier(QUESTIONS[name], (STORED / "programs" / f"{name}.json").read_text(encoding="utf-8"))


EVENTS = ([], [[]])


@pytest.mark.parametrize("events", EVENTS)
@pytest.mark.parametrize(
    "name",
    ["bad_gap_sparse_vector.all", "bad_smart_sum.one", "noisy_histogram_scale_epsilon.l1_below_one", "chen.all",
     "noisy_max_exponential.concentrated"],
)  # fmt: skip
def test_no_data_and_no_events_refute_nothing(judged, name, events):
    """Two empty tables are neighbours under every adjacency; both runs of them have one law."""
    content = stored(name)
    less = {**content["counterexample"], "old": [], "new": [], "events": events}
    assert judged(content)["verdict"] == "REFUTED"
    assert judged(content | {"counterexample": less})["verdict"] == "REJECTED"
    assert judged(content | {"counterexample": {**content["counterexample"], "events": []}})["verdict"] == "REJECTED"


NOTHING = {"shifts": [], "groups": [], "charges": {}, "lists": {}, "shown": [], "item": None, "others": None,
           "invariants": {}}  # fmt: skip


def about(body, epsilon, data="x: float", proofs=(NOTHING,), adjacency="ALL"):
    text = f'{HEAD}\n\n@claim(epsilon="{epsilon}", adjacency={adjacency})\ndef program({data}):\n    {body}\n'
    asked = {"source": text, "function": "program", "claim": "0", "adjacency": None, "given": {}, "epsilon": None}
    return {"format": "refdp-alignment/1", "question": asked, "alignments": list(proofs)}


def test_what_releases_a_constant_needs_no_charge_and_no_parameter(judged):
    assert judged(about("return True", "0"))["verdict"] == "PROVED"


@pytest.mark.parametrize("epsilon", ["0", "epsilon", "1000000"])
@pytest.mark.parametrize("body", ["return x", "return x + laplace(1/1000000)", "return x > 0"])
def test_without_shifts_and_charges_what_reads_the_data_is_not_proved(judged, body, epsilon):
    data = "x: float, epsilon" if "epsilon" in epsilon else "x: float"
    for proofs in ([], [NOTHING], [NOTHING, NOTHING]):
        assert judged(about(body, epsilon, data, proofs))["verdict"] in ("UNKNOWN", "REJECTED")


@pytest.mark.parametrize("body", ["return bit", "return bit != bernoulli(0)", "return bit != bernoulli(1)"])
def test_without_alignments_a_bit_that_is_released_is_not_proved(judged, body):
    for epsilon in ("0", "10"):
        assert judged(about(body, epsilon, "bit: bool", []))["verdict"] in ("UNKNOWN", "REJECTED")


@pytest.mark.parametrize("body", ["return [x for x in q]", "return q", "return sum(q)"])
def test_a_list_that_is_released_is_not_proved_for_the_sake_of_the_empty_one(judged, body):
    for proofs in ([], [NOTHING], [{**NOTHING, "invariants": {"1": "true"}}]):
        assert judged(about(body, "0", "q", proofs))["verdict"] in ("UNKNOWN", "REJECTED")


@pytest.mark.parametrize("proofs", [[], [NOTHING]])
def test_without_alignments_a_number_with_neighbours_of_its_own_is_not_proved(judged, proofs):
    """The kernel has no metric for a relation of the file, so the certificate is about a question."""
    content = about("return x", "0", "x: float", proofs)
    text = content["question"]["source"].replace("adjacency=ALL", "adjacency=close")
    relation = "def close(old, new):\n    return abs(old - new) <= 1/2\n\n\n@claim"
    content["question"]["source"] = text.replace("@claim", relation, 1)
    found = judged(content)
    assert found["verdict"] in ("UNKNOWN", "REJECTED")


def test_lists_without_rows_refute_no_query(judged, tmp_path):
    """Claims about rows that are true or false are questions of the engine's."""
    (tmp_path / "q.py").write_text("def total(rows):\n    return sum(rows)\n", encoding="utf-8")
    asked = sensitivity(f"{tmp_path / 'q.py'}:total", "change_one", records="true | false", claim="1/4", tables="lists",
                        certificates=tmp_path / "c", run=False)  # fmt: skip
    content = json.loads((tmp_path / asked["certificate"]).read_text(encoding="utf-8"))
    assert judged(content)["verdict"] == "REFUTED"
    assert content["steps"][0]["rule"] == "engine_refutes"
    assert judged(within(content, first=[], second=[]))["verdict"] == "REJECTED"


def within(content, **evidence):
    """The kernel's certificate with other evidence."""
    [step] = content["steps"]
    brought = json.dumps({**json.loads(step["data"]["evidence"]), **evidence})
    return content | {"steps": [{**step, "data": {**step["data"], "evidence": brought}}]}


def test_tables_without_rows_refute_no_query(judged, tmp_path):
    for one in of_queries(tmp_path, {"false counts", "false count in int64", "forgot the floor"}.__contains__):
        assert judged(one.content)["verdict"] == "REFUTED"
        if one.form in (QUERY, MACHINE, QUESTION):
            assert judged(within(one.content, first=[], second=[]))["verdict"] == "REJECTED", one.name
            continue
        nothing = {**one.content["evidence"], "first": [], "second": []}
        found = judged(one.content | {"evidence": nothing})
        assert found["verdict"] == "REJECTED", one.name


def test_queries_without_invariants_and_fields_are_not_proved(judged, tmp_path):
    for one in of_queries(tmp_path, {"total", "mean"}.__contains__):
        assert judged(one.content)["verdict"] == "PROVED"
        empty = {"relations": [], "singles": [], "splits": [], "hints": []}
        if one.form == QUERY:
            less = within(one.content, invariants=empty, order=None, total=[])
            assert judged(less)["verdict"] in ("UNKNOWN", "REJECTED")
            continue
        if one.form == QUESTION:
            assert judged(within(one.content, invariants=empty, order=None))["verdict"] in ("UNKNOWN", "REJECTED")
            continue
        less = {**one.content["evidence"], "invariants": empty, "order": None}
        assert judged(one.content | {"evidence": less})["verdict"] in ("UNKNOWN", "REJECTED")
        for record in ({"fields": []}, {"category": []}):
            changed = {**one.content["claim"], "record": record}
            assert judged(one.content | {"claim": changed})["verdict"] in ("UNKNOWN", "REJECTED"), record


def test_a_program_without_claims_and_without_statements_is_rejected(judged):
    content = about("pass", "0")
    assert judged(content)["verdict"] != "REFUTED"
    content["question"] = {**content["question"], "source": ""}
    assert judged(content)["verdict"] == "REJECTED"


def test_no_conditions_prove_no_query():
    assert verified([]).verdict == "UNKNOWN"


def test_no_certificates_are_no_replay():
    with pytest.raises(ValueError, match="paths must name certificates, got none"):
        certificate_files([])
    assert {key: found for key, found in summary([]).items() if key != "seconds"} == {
        "certificates": [], "replayed": 0, "rejected": 0, "unknown": 0,
    }  # fmt: skip


def test_an_empty_file_is_no_certificate():
    require_shallow("", 0, "a file", ValueError)
    for read in (parsed, loaded):
        with pytest.raises(ValueError if read is loaded else KernelError):
            read("")


def test_of_nobody_the_solver_is_asked_and_named():
    ask = oracle(None, 20.0, alone := [])
    (name,) = [one for one in ask(Statement((), read_term("x <= x + 1")), ()) if "z3" in one]
    assert named(()) == "z3" == name.split()[0]
    with pytest.raises(KernelError, match="it is false at"):
        ask(Statement((), read_term("x + 1 <= x")), ())
    assert alone == []
