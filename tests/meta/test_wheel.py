"""An environment that has the wheel and nothing else: every command works, or says in one sentence what to install."""

import json
import os
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from tests.meta.repository import ROOT

pytestmark = [pytest.mark.long, pytest.mark.once]

PIP = ("-m", "pip", "--disable-pip-version-check")
INSTALL = (*PIP, "install", "--quiet", "--constraint", str(ROOT / "constraints.txt"))
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
LARGEST_WHEEL = 5_000_000
"""Bytes."""

FILES = {
    "query.py": "def total(rows):\n    return sum(rows)\n",
    "spec.toml": 'neighbours = "add_remove"\nevents = [{mechanism = "gaussian", sigma = "1", sensitivity = "1"}]\n',
    "program.py": """
        from typing import Any

        import refdp

        noise: refdp.Measurement = refdp.discrete_laplace(scale=2)
        total: refdp.Measurement = refdp.clamped_sum(0, 12) >> noise
        found: dict[str, Any] = refdp.verify("histogram.*")
        half = refdp.exact("1/2").denominator
        print(refdp.theorem(total, d_in=1).trusts, half)
        """.replace("\n        ", "\n").lstrip(),
    "wrong.py": "import refdp\n\nrefdp.discrete_laplace(scale=2).nonsense\nrefdp.nonsense\n",
}  # fmt: skip

PENGUINS = "{refdp}/releases/examples/penguins.csv"
WORKS = [
    ["--version"],
    ["explain", "discrete_laplace.pure"],
    ["check", "{refdp}/proofs/certificates/discrete_laplace.pure.json", "--solver", "z3"],
    ["check", "{refdp}/proofs/certificates/programs/noisy_max.all.json"],
    ["sample", "discrete_laplace", "--scale", "2", "-n", "100", "--out", "x.csv"],
    ["sample", "discrete_laplace", "--scale", "2", "-n", "100", "--out", "x.npy"],
    ["release", PENGUINS, "--query", "histogram island", "--categories", "island=Biscoe,Dream,Torgersen",
     "--epsilon", "1", "--neighbours", "add_remove", "--budget", "budget.json"],
    ["prove", "{refdp}/programs/library/sparse_vector.py:sparse_vector"],
    ["sensitivity", "query.py:total", "--neighbours", "add_remove", "--bounds", "0", "1", "--claim", "1"],
    ["account", "spec.toml", "--delta", "1e-6"],
    ["audit", "audits"],
    ["vectors", "write", "vectors"],
]  # fmt: skip
WANTS = {
    "report": [
        ["plot", "laplace.pure", "--out", "x.svg"],
        ["account", "spec.toml", "--delta", "1e-6", "--plot", "--out", "x.svg"],
        ["audit", "audits", "--html", "x.html"],
    ],
    "audit": [["vectors", "check", str(ROOT / "vectors")]],
    "cluster": [["audit", "audits", "--scheduler", "tcp://127.0.0.1:1"]],
}
"""Extra -> what asks for it."""


def run(*command, cwd=None):
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")} | {"NO_COLOR": "1"}
    return subprocess.run([*map(str, command)], cwd=cwd, env=environment, capture_output=True, text=True)


def done(*command, cwd=None):
    """The standard output of a command that must succeed."""
    found = run(*command, cwd=cwd)
    assert found.returncode == 0, found.stdout + found.stderr
    return found.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dist")
    done(sys.executable, ROOT / "scripts" / "make_dist.py", folder)
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def python(wheel, tmp_path_factory):
    """The interpreter of an environment with the wheel in it."""
    folder = tmp_path_factory.mktemp("environment") / "venv"
    done(sys.executable, ROOT / "scripts" / "make_venv.py", folder)
    done(folder / "bin" / "python", *INSTALL, wheel)
    return folder / "bin" / "python"


@pytest.fixture
def refdp(python, tmp_path):
    """Runs `refdp` in a folder with a few files and nothing of the checkout."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    shutil.copytree(ROOT / "examples" / "audits", tmp_path / "audits")
    home = done(python, "-c", "import refdp; print(*refdp.__path__)", cwd=tmp_path).strip()
    assert Path(home).is_relative_to(python.parents[1])
    return lambda *words: run(python.parent / "refdp", *(w.format(refdp=home) for w in words), cwd=tmp_path)


def test_wheel_is_small_and_wants_nothing_that_is_missing(wheel, python):
    assert wheel.stat().st_size < LARGEST_WHEEL
    done(python, *PIP, "check")


def test_wheel_alone_verifies_every_claim_and_stays_as_it_was(wheel, python, refdp, tmp_path):
    found = refdp("verify", "--json")
    assert found.returncode == 0, found.stderr
    verdicts = json.loads(found.stdout)
    assert verdicts["surprises"] == 0
    assert all(claim["verdict"] == claim["expected"] for claim in verdicts["claims"])
    made = list((tmp_path / "refdp-certificates").rglob("*.json"))
    assert len(made) == len(verdicts["claims"])
    site = next(python.parents[1].glob("lib/*/site-packages"))
    with zipfile.ZipFile(wheel) as archive:
        packed = {name: archive.read(name) for name in archive.namelist() if ".dist-info/" not in name}
    assert {name: (site / name).read_bytes() for name in packed} == packed
    there = {p.relative_to(site).as_posix() for p in (site / "refdp").rglob("*") if p.is_file() and p.suffix != ".pyc"}
    assert there == set(packed)


@pytest.mark.parametrize("words", WORKS, ids=lambda words: " ".join(words[:2]))
def test_wheel_alone_is_enough_for(refdp, words):
    found = refdp(*words)
    assert (found.returncode, found.stderr) == (0, ""), found.stderr


@pytest.mark.parametrize(("extra", "words"), [(extra, words) for extra in WANTS for words in WANTS[extra]])
def test_wheel_alone_says_which_extra_to_install_for(refdp, extra, words, tmp_path):
    found = refdp(*words)
    assert (found.returncode, found.stdout) == (2, ""), found.stderr
    assert found.stderr.startswith("refdp: ")
    assert found.stderr.count("\n") == 1
    assert f"[{extra}]" in found.stderr or f"extra `{extra}`" in found.stderr
    assert not list(tmp_path.glob("x.*"))


def test_wheel_has_types_for_strict_checkers(python, refdp, tmp_path):
    """refdp's own types are all there: a right program has no error, and each wrong line one."""
    mypy = [sys.executable, "-m", "mypy", "--strict", "--python-executable", python]
    assert "Success" in done(*mypy, "program.py", cwd=tmp_path)
    wrong = run(*mypy, "wrong.py", cwd=tmp_path)
    assert wrong.stdout.count("[attr-defined]") == 2, wrong.stdout
    assert "Found 2 errors" in wrong.stdout


@pytest.mark.parametrize("extra", EXTRAS)
def test_wheel_resolves_with_every_extra(python, wheel, extra):
    """With the versions of constraints.txt, and built packages alone."""
    done(python, *INSTALL, "--dry-run", "--only-binary", ":all:", f"refdp[{extra}] @ {wheel.as_uri()}")
