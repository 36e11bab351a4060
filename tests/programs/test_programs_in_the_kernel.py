"""What is proved and refuted of the library's programs are theorems of the kernel, and replay as such."""

import json
from pathlib import Path

import pytest

import refdp
from refdp.commands.check import check, replayed_file
from refdp.kernel.certificate import FORMAT
from refdp.pipeline import PipelineError
from tests.meta.repository import ROOT
from tests.queries import textbook
from tests.queries.noisy_programs import greatest, too_little

F_HALF = refdp.exact("1/2")
BY_HAND = {
    "bounded_sum.one", "one_time_rappor.eight_bits", "one_time_rappor.eight_bits_at_95", "rappor.eight_bits",
    "truncated_geometric.near",
}  # fmt: skip
"""Claims whose neighbours are a relation of the file: no metric of the kernel."""
STORED = sorted((ROOT / "proofs/certificates/programs").glob("*.json"))


def test_every_verdict_about_the_library_with_a_metric_is_a_theorem_that_replays():
    written = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in STORED}
    assert {one["format"] for one in written.values()} == {FORMAT}
    beyond = {name for name, one in written.items() if one["steps"][0]["rule"].startswith("engine_")}
    assert beyond == BY_HAND
    judged = {Path(one["path"]).stem: one for one in check(*STORED)["certificates"]}
    said = [one for name, one in judged.items() if name not in BY_HAND]
    assert [one["conclusion"] for one in said] == [
        written[name]["conclusion"] for name in judged if name not in BY_HAND
    ]
    assert sum(one["verdict"] == "PROVED" and one["conclusion"].startswith("private(") for one in said) == 36
    assert sum(one["verdict"] == "REFUTED" and one["conclusion"].startswith("refuted(") for one in said) == 25
    assert {judged[name]["verdict"] for name in BY_HAND} == {"PROVED"}
    assert all(judged[name]["conclusion"] == written[name]["conclusion"] for name in BY_HAND)


def broken(path, change):
    """What a check says of the certificate with its evidence changed."""
    found = json.loads(STORED[0].with_name("noisy_max.all.json").read_text(encoding="utf-8"))
    data = found["steps"][0]["data"]
    evidence = json.loads(data["evidence"])
    change(data, evidence)
    data["evidence"] = json.dumps(evidence)
    path.write_text(json.dumps(found), encoding="utf-8")
    return replayed_file(path, None, None, 60.0)


@pytest.mark.parametrize(
    "change",
    [
        lambda data, evidence: evidence["alignments"][0].update(groups=[], charges={}),
        lambda data, evidence: evidence["alignments"][0].update(shifts=[]),
        lambda data, evidence: evidence["alignments"][0].update(charges={}),
        lambda data, evidence: evidence.update(alignments=[]),
        lambda data, evidence: data.update(adjacency="L2"),
        lambda data, evidence: data.update(loss="pure(epsilon / 2)"),
        lambda data, evidence: data.update(conditions=[]),
        lambda data, evidence: data.update(function="noisy_max_mistake"),
    ],
)
def test_certificate_of_a_program_with_a_part_removed_shows_nothing(change, tmp_path):
    assert broken(tmp_path / "one.json", change)["verdict"] in ("REJECTED", "UNKNOWN")


def test_program_is_a_mechanism_that_scores_of_a_query_go_into(tmp_path):
    mechanism = refdp.program(greatest, set={"epsilon": "1/2"}, run=False)
    assert (mechanism.map(1), mechanism.input_metric) == (F_HALF, "linf")
    assert mechanism([0, 100, 3]) == 1
    scores = refdp.query(f"{textbook.__file__}:halves", "add_remove", records="integers 0..100", norm="Linf", run=False)
    private = scores >> mechanism
    assert private([1, 99, 98]) in (0, 1)
    theorem = refdp.theorem(private, 1)
    assert str(theorem.claim.term).endswith("table(bounded(1, 0, 100)), symmetric(1), pure(1/2))")
    refdp.write_certificate(theorem, tmp_path / "one.json")
    [judged] = check(tmp_path / "one.json")["certificates"]
    assert (judged["verdict"], judged["conclusion"]) == ("PROVED", str(theorem.claim.term))


def test_program_whose_adjacency_is_not_that_of_the_scores_is_refused():
    mechanism = refdp.program(greatest, number=1, set={"epsilon": "1/2"}, run=False)
    assert mechanism.input_metric == "l1"
    target = f"{textbook.__file__}:halves"
    scores = refdp.query(target, "add_remove", records="integers 0..100", norm="Linf", run=False)
    with pytest.raises(PipelineError, match="the output metric linf is not the input metric l1"):
        scores >> mechanism
    far = refdp.query(target, "add_remove", records="integers 0..100", norm="Linf", claim=2, run=False)
    with pytest.raises(PipelineError, match=r"is stated at d_in = 1, but .* moves further"):
        far >> refdp.program(greatest, set={"epsilon": "1/2"}, run=False)
    table = refdp.query(f"{textbook.__file__}:count", "add_remove", records="integers 0..100", run=False)
    with pytest.raises(PipelineError, match=r"does not lie in the input domain|is not the input metric"):
        table >> mechanism


def test_program_that_is_not_private_or_not_closed_is_refused_or_does_not_run():
    with pytest.raises(PipelineError, match="nothing is proved of too_little"):
        refdp.program(too_little, set={"epsilon": 1}, run=False)
    with pytest.raises(PipelineError, match="number must be that of a claim"):
        refdp.program(greatest, number=2)
    left_open = refdp.program(greatest, run=False)
    assert str(refdp.theorem(left_open, 1).claim.d_out[0]) == "epsilon"
    with pytest.raises(ValueError, match="is not loaded"):
        left_open([1, 2])


HEAD = """from refdp.programs import ALL, claim, laplace


def close(old, new):
    return abs(old - new) <= 1/2

"""
FORMS = {
    "named": ('@claim(epsilon="epsilon", adjacency=ALL)', "x: float, epsilon", "x + laplace(1 / epsilon)", True),
    "false": ('@claim(epsilon="epsilon/2", adjacency=ALL)', "x: float, epsilon", "x + laplace(1 / epsilon)", True),
    "condition": ('@claim(epsilon="epsilon", adjacency=ALL, where="epsilon <= 1")', "x: float, epsilon",
                  "x + laplace(1 / epsilon)", True),
    "given": ('@claim(epsilon="1/2", adjacency=ALL, given={"epsilon": "1/2"})', "x: float, epsilon",
              "x + laplace(1 / epsilon)", True),
    "either": ('@claim(epsilon="epsilon", adjacency=ALL, where="epsilon <= 1 or epsilon == 2")', "x: float, epsilon",
               "x + laplace(1 / epsilon)", False),
    "truth": ('@claim(epsilon="epsilon", adjacency=ALL)', "x: float, epsilon, loud: bool", "x + laplace(1 / epsilon)",
              False),
    "own": ('@claim(epsilon="epsilon", adjacency=close)', "x: float, epsilon",
            "x + laplace(1 / (2 * epsilon))", False),
}  # fmt: skip
"""Decorator, parameters, answer, and whether the kernel says the claim."""


@pytest.mark.parametrize("name", FORMS)
def test_claim_that_the_kernel_does_not_say_is_a_question(name, tmp_path):
    decorator, parameters, answer, is_said = FORMS[name]
    path = tmp_path / "program.py"
    path.write_text(f"{HEAD}\n{decorator}\ndef program({parameters}):\n    return {answer}\n", encoding="utf-8")
    found = refdp.prove(path, certificates=tmp_path / "c", run=False)
    assert found["verdict"] == ("REFUTED" if name == "false" else "PROVED"), found
    content = json.loads(Path(found["certificate"]).read_text(encoding="utf-8"))
    [step] = content["steps"]
    wanted = ("program_is_private", "program_exceeds") if is_said else ("engine_proves", "engine_refutes")
    assert step["rule"] == wanted[found["verdict"] == "REFUTED"]
    judged = replayed_file(Path(found["certificate"]), None, None, 60.0)
    assert (judged["verdict"], judged["trusts"]) == (found["verdict"], found["trusts"])
