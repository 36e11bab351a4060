"""A replay loads kernel, spec, numbers and what the certificate names: no proof, and no search."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import refdp
from refdp.commands.earlier_certificates import renewed
from refdp.kernel.certificate import text_of
from tests.meta.repository import ROOT
from tests.sensitivities.earlier import earlier

CHECK = """
import json, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from refdp.commands.check import replayed_file
found = replayed_file(Path(sys.argv[2]), "z3", None, 60.0)
print(json.dumps([found["verdict"], sorted(name for name in sys.modules if name.split(".")[0] == "refdp")]))
"""
SEARCHING = (
    "refdp.accounting", "refdp.auditing", "refdp.derivations", "refdp.proofs", "refdp.programs.library",
    "refdp.programs.proving", "refdp.programs.refuting", "refdp.provers.algebra",
    "refdp.provers.lemmas", "refdp.provers.witnesses", "refdp.releases", "refdp.report", "refdp.second_judge",
    "refdp.sensitivities.judging", "refdp.sensitivities.refutation", "refdp.sensitivities.search", "refdp.testing",
    "refdp.test_vectors",
)  # fmt: skip
"""What no certificate names."""
STORED = ROOT / "proofs" / "certificates"


def loaded(path):
    """What a certificate shows in a process of its own, and the modules of refdp that it loaded."""
    command = [sys.executable, "-I", "-c", CHECK, str(ROOT), str(path)]
    verdict, modules = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return verdict, modules


@pytest.mark.once
@pytest.mark.parametrize(
    ("path", "verdict", "others"),
    [
        (STORED / "laplace.pure.json", "PROVED", ("refdp.programs", "refdp.sensitivities")),
        (STORED / "definitions.loss_tail_post_processed.json", "REFUTED", ("refdp.programs", "refdp.sensitivities")),
        (STORED / "programs" / "laplace_mechanism.all.json", "PROVED", ("refdp.mechanisms", "refdp.sensitivities")),
        (STORED / "programs" / "chen.all.json", "REFUTED", ("refdp.mechanisms", "refdp.sensitivities")),
    ],
    ids=lambda one: getattr(one, "stem", ""),
)
def test_replay_loads_what_the_certificate_names_and_no_search(path, verdict, others):
    found, modules = loaded(path)
    assert found == verdict
    assert [name for name in modules if name.startswith((*SEARCHING, *others))] == []
    assert {"refdp.kernel.certificate", "refdp.terms.term", "refdp.numerics.exact"} <= set(modules)


@pytest.mark.once
def test_replay_of_a_query_loads_its_checker_and_no_search(tmp_path):
    (tmp_path / "q.py").write_text("def f(rows):\n    return sum(rows)\n", encoding="utf-8")
    asked = refdp.sensitivity(f"{tmp_path / 'q.py'}:f", "add_remove", bounds=(0, 1), claim=1, certificates=tmp_path)
    found, modules = loaded(asked["certificate"])
    assert found == "PROVED"
    assert "refdp.sensitivities.checking.replaying" in modules
    assert [name for name in modules if name.startswith((*SEARCHING, "refdp.mechanisms", "refdp.programs"))] == []


@pytest.mark.once
@pytest.mark.parametrize("claim", ["1", "1/2"])
def test_replay_of_a_certificate_of_before_loads_what_a_new_one_does(claim, tmp_path):
    (tmp_path / "q.py").write_text("def f(rows):\n    return sum(rows)\n", encoding="utf-8")
    words = {"bounds": (0, 1), "claim": claim, "certificates": tmp_path, "run": False}
    asked = refdp.sensitivity(f"{tmp_path / 'q.py'}:f", "add_remove", **words)
    (tmp_path / "before.json").write_text(
        json.dumps(earlier(Path(asked["certificate"]).read_text(encoding="utf-8")), indent=1), encoding="utf-8"
    )
    found, modules = loaded(tmp_path / "before.json")
    assert found == asked["verdict"]
    assert [name for name in modules if name.startswith((*SEARCHING, "refdp.mechanisms", "refdp.programs"))] == []


MACHINES, SMOOTH = "refdp.sensitivities.machine", "refdp.sensitivities.smoothing"


@pytest.mark.once
@pytest.mark.parametrize(
    ("name", "others"),
    [
        ("sensitivity_proved", ("refdp.programs", MACHINES, SMOOTH)),
        ("machine_function_proved", ("refdp.programs", SMOOTH)),
        ("machine_sum", ("refdp.programs", SMOOTH)),
        ("smooth_change_one", ("refdp.programs", MACHINES)),
        ("alignment_of_a_relation", ("refdp.sensitivities",)),
        ("counterexample_in_one_direction", ("refdp.sensitivities",)),
    ],
)
def test_replay_of_a_question_loads_its_engine_alone(name, others, tmp_path):
    stored = (ROOT / "tests" / "earlier_formats" / f"{name}.json").read_text(encoding="utf-8")
    (tmp_path / "question.json").write_text(text_of(renewed(stored)), encoding="utf-8")
    found, modules = loaded(tmp_path / "question.json")
    assert found in ("PROVED", "REFUTED")
    assert [one for one in modules if one.startswith((*SEARCHING, "refdp.mechanisms", *others))] == []
