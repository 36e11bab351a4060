"""check replays certificates in a fresh process that knows no proof, with either solver, for whom one trusts."""

import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from time import process_time

import pytest

import refdp
from refdp.cli.app import app
from refdp.commands import check as module
from refdp.commands.check import named, replayed_file
from refdp.kernel import rules
from refdp.kernel.certificate import answer_certificate, text_of
from refdp.provers.processes import WORKERS, SolverMissing, close_all
from refdp.sensitivities.machine.adjusted import MachineQuery, adjusted_bound
from refdp.sensitivities.machine.formats import FLOAT64
from refdp.sensitivities.smooth import smooth_sensitivity
from refdp.sensitivities.smoothing import believing
from refdp.spec.distances import metric
from tests.command_line import CliRunner
from tests.kinds import vouched
from tests.sensitivities.machine.sum_questions import sum_certificate

CERTIFICATES = Path(refdp.__file__).parent / "proofs" / "certificates"
PURE = CERTIFICATES / "discrete_laplace.pure.json"
HALF = CERTIFICATES / "discrete_laplace.half_noise.json"
GAUSSIAN = CERTIFICATES / "gaussian.normalised.json"
run = CliRunner().invoke


@pytest.fixture
def solved(tmp_path):
    """A certificate that rests on a solver: its identities replaced by the name of one."""
    path = tmp_path / "discrete_laplace.pure.json"
    path.write_text(text_of(vouched("discrete_laplace.pure")))
    return path


def test_check_replays_a_proof_and_a_refutation():
    found = refdp.check(PURE, HALF)
    assert [c["verdict"] for c in found["certificates"]] == ["PROVED", "REFUTED"]
    assert found["replayed"] == 2
    assert found["certificates"][1]["trusts"] == []


@pytest.mark.parametrize("near", ["one_coordinate", "window_2", "apart_2_3", "spaced_2_3", "l2", "linf"])
def test_check_tells_rounds_in_words_whatever_their_relation(near, tmp_path):
    """A relation of streams is no registered metric, and words cost no verdict."""
    known = {"domain": "vector(grid(1), 3)", "near": near, "d_in": "1"}
    both = {"engine": "greatest losses", "evidence": {"both bits": "64"}}
    accounted = rules.account_rounds(**known, rounds=["pure(1)"], epsilon="1", delta="0", **both)
    summed = rules.rounds(**known, losses=["approximate(1, 1/100)"])
    for number, theorem in enumerate((accounted, summed)):
        path = tmp_path / f"{number}.json"
        refdp.write_certificate(theorem, path)
        [found] = refdp.check(path)["certificates"]
        assert found["verdict"] == "PROVED"
        assert metric(near).sentence.replace("d_in", "1") in found["said"][0]


def test_check_imports_neither_proofs_nor_search():
    program = (
        "import sys; from pathlib import Path; from refdp.commands.check import replayed_file;"
        f"print(replayed_file(Path({str(PURE)!r}), 'z3', None, 20.0)['verdict']);"
        "print([m for m in sys.modules if m.startswith(('refdp.proofs', 'refdp.provers.lemmas',"
        " 'refdp.provers.witnesses', 'refdp.derivations', 'refdp.releases'))])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:2] == ["PROVED", "[]"]


def test_check_with_cvc5_trusts_cvc5(solved):
    judged = replayed_file(solved, "cvc5", None, 30.0)
    assert judged["verdict"] == "PROVED"
    assert any(t.startswith("cvc5 ") for t in judged["trusts"])
    assert not any(t.startswith("z3") for t in judged["trusts"])


def test_check_with_both_trusts_either(solved):
    judged = replayed_file(solved, "both", None, 30.0)
    assert judged["verdict"] == "PROVED"
    assert any(t.startswith("z3 ") and " and cvc5 " in t for t in judged["trusts"])


def test_check_asks_no_solver_about_identities(monkeypatch):
    """Whichever solver is chosen: nothing in such a certificate is a solver's word."""
    monkeypatch.setattr(module, "run", lambda *asked: pytest.fail("a solver was asked"))
    for solver in (None, "z3", "cvc5", "both"):
        judged = replayed_file(PURE, solver, [], 1e-6)
        assert (judged["verdict"], judged["trusts"]) == ("PROVED", [])


def test_check_asks_whom_a_certificate_names_unless_told_otherwise(tmp_path, solved):
    assert named(("refdp SMT-LIB encoder", "cvc5 1.4.2")) == "cvc5"
    assert named(("refdp SMT-LIB encoder", "z3 5.4.0 and cvc5 1.4.2")) == named(("somebody",)) == "z3"
    assert any(t.startswith("z3 ") for t in replayed_file(solved, None, None, 30.0)["trusts"])
    other = tmp_path / "other.json"
    other.write_text(text_of(vouched("discrete_laplace.pure", "cvc5 1.4.2", "refdp SMT-LIB encoder")))
    assert any(t.startswith("cvc5 ") for t in replayed_file(other, None, None, 30.0)["trusts"])
    assert any(t.startswith("z3 ") for t in replayed_file(other, "z3", None, 30.0)["trusts"])


def test_check_says_how_much_processor_time_it_took(solved):
    """That of the solvers' processes too: loading one takes time that this process does not spend."""
    for worker in WORKERS.values():
        worker.close()
    start = process_time()
    judged = replayed_file(solved, "z3", None, 30.0)
    assert float(judged["seconds"]) > process_time() - start


def test_check_says_which_obligations_have_no_smt_lib_text():
    judged = replayed_file(GAUSSIAN, "cvc5", None, 30.0)
    assert judged["verdict"] == "PROVED"
    assert len(judged["without_smt_lib"]) == 1
    assert "integral" in judged["without_smt_lib"][0]


def test_check_accepts_only_whom_one_trusts(solved):
    assert replayed_file(solved, "z3", ["z3", "refdp"], 20.0)["verdict"] == "PROVED"
    refused = replayed_file(solved, "z3", ["cvc5", "refdp"], 20.0)
    assert refused["verdict"] == "REJECTED"
    assert "which --trust does not name" in refused["reason"]
    assert replayed_file(HALF, "z3", [], 20.0)["verdict"] == "REFUTED"


@pytest.fixture
def sum_of_floats(tmp_path):
    def write(**more):
        asked = MachineQuery("sum", "any", FLOAT64, Fraction(0), Fraction(9), "add_remove", 50, **more)
        (tmp_path / "sum.json").write_text(sum_certificate(adjusted_bound(asked)))
        return tmp_path / "sum.json"

    return write


@pytest.mark.parametrize(("solver", "whom"), [("z3", "z3"), ("cvc5", "cvc5"), (None, "z3")])
def test_check_of_a_sum_of_floats_trusts_who_proves_its_lemmas(sum_of_floats, solver, whom):
    found = replayed_file(sum_of_floats(), solver, None, 20.0)
    assert found["verdict"] == "PROVED"
    assert any(one.startswith(f"{whom} ") for one in found["trusts"])
    refused = replayed_file(sum_of_floats(), solver, ["IEEE 754"], 20.0)
    assert refused["verdict"] == "REJECTED"
    assert "which --trust does not name" in refused["reason"]
    assert replayed_file(sum_of_floats(), solver, ["IEEE 754", whom], 20.0)["verdict"] == "PROVED"


def test_check_of_a_sum_of_floats_says_of_which_tables(sum_of_floats):
    [said] = replayed_file(sum_of_floats(quantum=Fraction(1, 4), edits=2), None, None, 20.0)["said"]
    assert said.endswith(
        "moves by at most 18 in float64 (2 x add_remove, rows in [0, 9], multiples of 1/4, 1 <= n <= 50)"
    )


def test_check_of_another_claims_theorem_is_rejected(tmp_path):
    """A true theorem under the name of another claim of the ledger."""
    found = json.loads(PURE.read_text())
    found["claim"] = "laplace.pure"
    (tmp_path / "c.json").write_text(json.dumps(found))
    judged = replayed_file(tmp_path / "c.json", "z3", None, 20.0)
    assert judged["verdict"] == "REJECTED"
    assert "is not the claim laplace.pure" in judged["reason"]


def test_check_without_an_answer_is_unknown_and_exits_3(solved):
    judged = replayed_file(solved, "z3", None, 1e-6)
    assert judged["verdict"] == "UNKNOWN"
    done = run(app, ["check", str(solved), "--timeout", "0.1", "--json"])
    assert done.exit_code in (0, 3)


@pytest.mark.parametrize("content", [b"{}", b"[]", b"\xff\xfe", b"", b"{" * 10_000, b'{"format": NaN}'])
def test_check_of_something_else_is_rejected_in_one_sentence(tmp_path, content):
    path = tmp_path / "c.json"
    path.write_bytes(content)
    done = run(app, ["check", str(path)])
    assert done.exit_code == 1
    assert "REJECTED" in done.stdout
    assert "1 certificate: 1 REJECTED" in done.stdout


def test_links_that_lead_nowhere_cost_no_other_certificate_of_the_folder_its_judgement(tmp_path):
    (tmp_path / "a.json").symlink_to(tmp_path / "nowhere")
    (tmp_path / "b.json").write_bytes(PURE.read_bytes())
    done = run(app, ["check", str(tmp_path)])
    assert done.exit_code == 1
    assert "2 certificates: 1 PROVED, 1 REJECTED" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["nowhere"], "paths must be files or folders that are there, got nowhere"),
        (["--solver", "yices", str(PURE)], "solver must be one of z3, cvc5, both, got yices"),
    ],
)
def test_check_with_bad_arguments_says_so(arguments, sentence):
    done = run(app, ["check", *arguments])
    assert done.exit_code == 2
    assert sentence in done.stderr


def test_check_of_an_empty_folder_is_refused(tmp_path):
    done = run(app, ["check", str(tmp_path)])
    assert (done.exit_code, done.stdout) == (2, "")
    assert "paths must name certificates" in done.stderr


@pytest.fixture(params=[("median", "change_one", None), ("median", "add_remove", 1)], ids=["change_one", "add_remove"])
def smooth(request, tmp_path):
    """A certificate of a smooth bound, and its data."""
    statistic, neighbours, empty = request.param
    found = smooth_sensitivity(statistic, [1, 2, 3], 0, 4, "1/2", neighbours, empty).certificate
    path = tmp_path / "smooth.json"
    path.write_text(answer_certificate(found.question(), [believing.WRITTEN, "z3"]))
    return path, found


def test_check_of_a_smooth_bound_names_the_solver_that_proves_its_lemmas(smooth):
    path, _ = smooth
    for solver, named_in in (("z3", ["z3"]), ("cvc5", ["cvc5"]), ("both", ["z3", "cvc5"]), (None, ["z3", "cvc5"])):
        judged = replayed_file(path, solver, None, 20.0)
        assert (judged["verdict"], len(judged["trusts"])) == ("PROVED", 2)
        assert believing.WRITTEN in judged["trusts"]
        [solvers] = set(judged["trusts"]) - {believing.WRITTEN}
        assert [s for s in ("z3", "cvc5") if s in solvers] == named_in


def test_check_of_a_smooth_bound_asks_about_every_lemma_anew(smooth, monkeypatch):
    asked = []
    monkeypatch.setattr(
        believing, "undecided", lambda lemmas, solver, seconds: asked.append((solver, len(lemmas))) or ()
    )
    replayed_file(smooth[0], "cvc5", None, 20.0)
    families = believing.families(smooth[1].statistic, smooth[1].neighbours)
    assert asked == [("cvc5", sum(len(believing.lemmas(one)) for one in families))]


def test_check_of_a_smooth_bound_accepts_only_whom_one_trusts(smooth):
    assert replayed_file(smooth[0], "z3", ["z3", "refdp"], 20.0)["verdict"] == "PROVED"
    for solver, trust in (("z3", ["cvc5", "refdp"]), ("cvc5", ["z3", "refdp"]), ("z3", ["z3"]), ("both", [])):
        refused = replayed_file(smooth[0], solver, trust, 20.0)
        assert refused["verdict"] == "REJECTED"
        assert "which --trust does not name" in refused["reason"]


def test_check_of_a_smooth_bound_whose_lemmas_a_solver_does_not_prove_is_unknown(smooth, monkeypatch):
    monkeypatch.setattr(believing, "undecided", lambda lemmas, solver, _: ("a lemma",) if solver == "cvc5" else ())
    assert replayed_file(smooth[0], "z3", None, 20.0)["verdict"] == "PROVED"
    for solver in ("cvc5", "both", None):
        judged = replayed_file(smooth[0], solver, None, 20.0)
        assert (judged["verdict"], judged["trusts"]) == ("UNKNOWN", [])
        assert judged["reason"] == "median: cvc5 does not prove a lemma"


def test_check_of_a_smooth_bound_without_the_solver_is_unknown(smooth, monkeypatch):
    def missing(*_):
        raise SolverMissing("cvc5 cannot be loaded; install it")

    monkeypatch.setattr(believing, "undecided", missing)
    judged = replayed_file(smooth[0], "cvc5", None, 20.0)
    assert (judged["verdict"], judged["reason"]) == ("UNKNOWN", "median: cvc5 cannot be loaded; install it")


def test_check_of_a_smooth_bound_in_too_little_time_is_unknown(smooth):
    close_all()  # solvers that have replied already may say it again at once
    judged = replayed_file(smooth[0], "both", None, 1e-6)
    assert (judged["verdict"], judged["trusts"]) == ("UNKNOWN", [])
    assert "does not prove" in judged["reason"]


def test_check_of_a_smooth_bound_that_is_too_small_is_rejected(smooth):
    path, found = smooth
    path.write_text(path.read_text().replace(str(found.bound), "1/1000"))
    judged = replayed_file(path, "z3", None, 20.0)
    assert judged["verdict"] == "REJECTED"
    assert "bound must be at least" in judged["reason"]
