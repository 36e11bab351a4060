"""No folder can answer for a replay: neither the working folder, nor PYTHONPATH, nor a folder that is gone."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import refdp
from refdp.kernel.certificate import text_of
from tests.kinds import vouched

PACKAGE = Path(refdp.__file__).resolve().parent
CERTIFICATE = PACKAGE / "proofs" / "certificates" / "discrete_laplace.pure.json"
PENGUINS = PACKAGE / "releases" / "examples" / "penguins.csv"
SAYING = json.dumps(
    {
        "certificates": [{"path": "x", "claim": "", "verdict": "PROVED", "trusts": [], "conclusion": "anything"}],
        "replayed": 1,
        "rejected": 0,
        "unknown": 0,
        "seconds": "0",
    }
)
LIBRARY = ("json", "numbers", "typing", "subprocess", "runpy", "tomllib", "fractions", "dataclasses", "z3", "rich")
"""Modules that a replay needs, as somebody's file may be called."""
STARTING = ("sitecustomize", "usercustomize")
ASK = "import json, refdp; print(json.dumps(refdp.check(*{paths!r})))"
COMMANDS = {
    "refdp.check()": ASK,
    "refdp check": "from refdp.cli import main\nmain()",
    "refdp-check": "from refdp.checking import main\nmain()",
}


def taken(folder):
    """The names of the hostile modules that ran."""
    return (folder.parent / "taken").read_text().split() if (folder.parent / "taken").exists() else []


def plant(folder, *names):
    """Modules that say that they ran, and a package that says PROVED to everything."""
    folder.mkdir(exist_ok=True)
    note = f"print(__name__, file=open({str(folder.parent / 'taken')!r}, 'a'))\n"
    for name in names:
        if name == "refdp":
            (folder / "refdp").mkdir()
            for part in ("__init__", "__main__", "checking", "isolation"):
                (folder / "refdp" / f"{part}.py").write_text(f"{note}print({SAYING!r})\n")
        else:
            (folder / f"{name}.py").write_text(note)
    return folder


@pytest.fixture
def hostile(tmp_path):
    return plant(tmp_path / "hostile", "refdp", *LIBRARY, *STARTING)


@pytest.fixture
def forged(tmp_path):
    """A certificate that says half of the loss that its steps prove."""
    content = json.loads(CERTIFICATE.read_text())
    content["conclusion"] = content["conclusion"].replace("pure(d_in / scale)", "pure(d_in / (2 * scale))")
    assert content["conclusion"] != json.loads(CERTIFICATE.read_text())["conclusion"]
    (tmp_path / "forged.json").write_text(json.dumps(content))
    return tmp_path / "forged.json"


def started(tmp_path, program, *words, cwd, flags=(), **environment):
    """The program in a file, as a console script is one: its own folder is searched, not the working folder."""
    (tmp_path / "programs").mkdir(exist_ok=True)
    (tmp_path / "programs" / "program.py").write_text(
        f"import sys\nsys.path.append({str(PACKAGE.parent)!r})\n{program}"
    )
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    command = [sys.executable, *flags, tmp_path / "programs" / "program.py", *words]
    return subprocess.run(command, cwd=cwd, env=inherited | environment, capture_output=True, text=True, check=False)


def judged(tmp_path, how, *paths, **more):
    """The verdicts of a command, whose process ended as they say."""
    words = {"refdp.check()": [], "refdp check": ["check", "--json"], "refdp-check": ["--json"]}[how]
    paths = [str(path) for path in paths]
    program = COMMANDS[how].format(paths=paths) if how == "refdp.check()" else COMMANDS[how]
    done = started(tmp_path, program, *words, *(paths if words else []), **more)
    assert done.stdout, done.stderr
    found = [one["verdict"] for one in json.loads(done.stdout)["certificates"]]
    if how != "refdp.check()":
        assert done.returncode == int("REJECTED" in found)
    return found


@pytest.mark.parametrize("flags", [(), ("-O",)], ids=["plain", "-O"])
@pytest.mark.parametrize("how", COMMANDS)
def test_a_working_folder_cannot_answer_for_a_replay(tmp_path, hostile, forged, how, flags):
    assert judged(tmp_path, how, CERTIFICATE, forged, cwd=hostile, flags=flags) == ["PROVED", "REJECTED"]
    assert taken(hostile) == []


def empty(tmp_path, hostile):
    (tmp_path / "empty").mkdir()
    return tmp_path / "empty", {}


def read_only(tmp_path, hostile):
    hostile.chmod(0o555)
    return hostile, {}


def linked(tmp_path, hostile):
    """Also the certificate that is named is reached through it."""
    (tmp_path / "link").symlink_to(hostile, target_is_directory=True)
    return tmp_path / "link", {}


def with_path_files(tmp_path, hostile):
    """Lines that `site` runs, in files where only a folder of packages may have them, and a file for a prompt."""
    (hostile / "evil.pth").write_text(f"import sys; print('evil.pth', file=open({str(tmp_path / 'taken')!r}, 'a'))\n")
    (hostile / "startup.py").write_text(f"print('startup', file=open({str(tmp_path / 'taken')!r}, 'a'))\n")
    return hostile, {"PYTHONSTARTUP": str(hostile / "startup.py"), "PYTHONHASHSEED": "7"}


@pytest.mark.once
@pytest.mark.parametrize("how", ["refdp.check()", "refdp-check"])
@pytest.mark.parametrize("folder", [empty, read_only, linked, with_path_files])
def test_a_replay_is_the_same_in_every_folder(tmp_path, hostile, forged, folder, how):
    cwd, environment = folder(tmp_path, hostile)
    try:
        assert judged(tmp_path, how, CERTIFICATE, forged, cwd=cwd, **environment) == ["PROVED", "REJECTED"]
    finally:
        hostile.chmod(0o755)
    assert taken(hostile) == []
    assert (tmp_path / "empty").exists() == (cwd.name == "empty")
    assert cwd.name != "empty" or list(cwd.iterdir()) == []


def test_a_certificate_is_replayed_through_a_link(tmp_path, hostile, forged):
    """What a link leads to is read, in a folder that would answer otherwise."""
    (hostile / "link.json").symlink_to(CERTIFICATE)
    (hostile / "forged.json").symlink_to(forged)
    found = judged(tmp_path, "refdp-check", hostile / "link.json", hostile / "forged.json", cwd=hostile)
    assert found == ["PROVED", "REJECTED"]
    assert taken(hostile) == []


@pytest.mark.parametrize("how", COMMANDS)
def test_a_replay_needs_no_working_folder(tmp_path, forged, how):
    gone = tmp_path / "gone"
    gone.mkdir()
    leaving = f"import os\nos.rmdir({str(gone)!r})\n"
    words = {"refdp.check()": [], "refdp check": ["check", "--json"], "refdp-check": ["--json"]}[how]
    paths = [str(CERTIFICATE), str(forged)]
    program = COMMANDS[how].format(paths=paths) if how == "refdp.check()" else COMMANDS[how]
    done = started(tmp_path, leaving + program, *words, *(paths if words else []), cwd=gone)
    assert [one["verdict"] for one in json.loads(done.stdout)["certificates"]] == ["PROVED", "REJECTED"], done.stderr


@pytest.mark.parametrize("how", ["refdp check", "refdp-check"])
def test_modules_in_pythonpath_cannot_answer_for_a_replay(tmp_path, forged, how):
    """But for those that run in every Python before any program does: against them one starts with -I oneself."""
    folder = plant(tmp_path / "hostile", *LIBRARY)
    found = judged(tmp_path, how, CERTIFICATE, forged, cwd=tmp_path, PYTHONPATH=str(folder))
    assert found == ["PROVED", "REJECTED"]
    assert taken(folder) == []


def test_nothing_at_all_answers_for_a_replay_that_is_started_isolated(tmp_path, hostile, forged):
    """Whatever PYTHONPATH holds."""
    code = (
        f"import runpy, sys; sys.path.append({str(PACKAGE.parent)!r}); "
        "runpy.run_module('refdp.checking', run_name='__main__', alter_sys=True)"
    )
    command = [sys.executable, "-I", "-c", code, "--json", str(CERTIFICATE), str(forged)]
    environment = os.environ | {"PYTHONPATH": str(hostile)}
    done = subprocess.run(command, cwd=hostile, env=environment, capture_output=True, text=True, check=False)
    assert [one["verdict"] for one in json.loads(done.stdout)["certificates"]] == ["PROVED", "REJECTED"], done.stderr
    assert done.returncode == 1
    assert taken(hostile) == []


def test_pythonpath_cannot_answer_for_the_process_that_check_starts(tmp_path, monkeypatch, hostile, forged):
    """This process runs the package already."""
    monkeypatch.setenv("PYTHONPATH", str(hostile))
    monkeypatch.chdir(hostile)
    assert [one["verdict"] for one in refdp.check(CERTIFICATE, forged)["certificates"]] == ["PROVED", "REJECTED"]
    assert taken(hostile) == []


def test_no_folder_can_answer_for_a_solver(tmp_path, monkeypatch, hostile):
    """Nor for the process that holds it: neither in a replay, nor where this process asks it."""
    (tmp_path / "solved.json").write_text(text_of(vouched("discrete_laplace.pure")))
    monkeypatch.setenv("PYTHONPATH", str(hostile))
    monkeypatch.chdir(hostile)
    [found] = refdp.check(tmp_path / "solved.json")["certificates"]
    assert found["verdict"] == "PROVED"
    assert any(name.startswith("z3 ") for name in found["trusts"])
    assert taken(hostile) == []
    from refdp.provers.processes import Worker

    worker = Worker("refdp.provers.smt.worker", "z3", "refdp")
    try:
        assert worker.start().startswith("z3 ")
    finally:
        worker.close()
    assert taken(hostile) == []


RELEASE = """
import sys
sys.argv[1:] = ["release", {data!r}, "--query", "count", "--epsilon", "1", "--neighbours", "add_remove"]
from refdp.cli import main
"""
UNPROVED = """
import refdp.commands.release as module
true = module.certificate
def forged(theorem, claim):
    return true(theorem, claim) | {"conclusion": "anything"}
module.certificate = forged
"""


def test_a_release_replays_its_theorem_whatever_the_working_folder_says(tmp_path, hostile):
    released = started(tmp_path, RELEASE.format(data=str(PENGUINS)) + "main()", cwd=hostile)
    assert (released.returncode, released.stderr) == (0, "")
    assert taken(hostile) == []
    assert (hostile / "refdp-certificates").is_dir()


def test_a_release_whose_theorem_does_not_replay_is_none_whatever_the_working_folder_says(tmp_path, hostile):
    refused = started(tmp_path, RELEASE.format(data=str(PENGUINS)) + UNPROVED + "main()", cwd=hostile)
    assert refused.returncode == 2
    assert "does not replay" in refused.stderr
    assert refused.stdout == ""
    assert taken(hostile) == []
    assert not (hostile / "refdp-certificates").exists()


def test_the_hostile_folder_would_answer_a_process_that_is_not_isolated(hostile):
    """The tests above can see: this is what refdp started once."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    command = [sys.executable, "-m", "refdp", "check", "--json", "forged.json"]
    done = subprocess.run(command, cwd=hostile, env=inherited, capture_output=True, text=True, check=True)
    assert '"PROVED"' in done.stdout
    assert "__main__" in taken(hostile)
