"""Scripts, and modules that write pages, say with --help what they take, and write nothing then."""

import os
import subprocess
import sys

import pytest

from tests.meta.repository import ROOT

GUARD = 'if __name__ == "__main__":'
FOLDERS = ("refdp/report", "refdp/report/pictures", "scripts")
RUN = sorted(p for f in FOLDERS for p in (ROOT / f).glob("*.py") if GUARD in p.read_text(encoding="utf-8"))


def command(path):
    name = path.relative_to(ROOT).with_suffix("").as_posix()
    module = ["-m", name.replace("/", ".").removesuffix(".__main__")]
    return [sys.executable, *(module if name.startswith("refdp/") else [str(path)])]


def run(folder, *words):
    paths = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    environment = os.environ | {"PYTHONPATH": paths}
    return subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True)


def test_there_are_scripts_and_modules_to_run():
    assert {"public_types.py", "frontier.py", "claim_pages.py"} < {path.name for path in RUN}


@pytest.mark.once
@pytest.mark.parametrize("path", RUN, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_help_says_the_usage_and_writes_nothing(path, tmp_path):
    helped, bare = run(tmp_path, *command(path), "--help"), run(tmp_path, *command(path))
    name = " ".join(command(path)[1:]).replace("-m ", "python -m ") if "-m" in command(path) else path.name
    assert (helped.returncode, helped.stderr) == (0, "")
    assert helped.stdout.startswith(f"usage: {name} [-h] ")
    assert bare.returncode == 2
    assert "the following arguments are required" in bare.stderr
    assert list(tmp_path.iterdir()) == []
