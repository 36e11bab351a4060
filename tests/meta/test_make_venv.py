"""The environment gets pip from whatever there is: ensurepip, another pip, an index; else one sentence says why not."""

import os
import shutil
import subprocess
import sys
import zipfile
from hashlib import sha256
from importlib.metadata import distribution
from pathlib import Path

import pytest

from tests.meta.repository import ROOT

pytestmark = pytest.mark.once

PYTHON = os.path.realpath(sys.executable)
"""The interpreter that this environment was made with."""


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    """A package index with one project on it: the pip of this environment, packed as a wheel again."""
    pip = distribution("pip")
    page = tmp_path_factory.mktemp("index") / "pip"
    page.mkdir()
    wheel = page / f"pip-{pip.version}-py3-none-any.whl"
    files = [str(f) for f in pip.files if f.parts[0].startswith("pip") and f.suffix != ".pyc" and f.name != "RECORD"]
    record = f"pip-{pip.version}.dist-info/RECORD"
    with zipfile.ZipFile(wheel, "w") as archive:
        for name in files:
            archive.write(pip.locate_file(name), name)
        archive.writestr(record, "".join(f"{name},,\n" for name in [*files, record]))
    listed(page, wheel, sha256(wheel.read_bytes()).hexdigest())
    return page.parent


def listed(page: Path, wheel: Path, digest: str) -> None:
    (page / "index.html").write_text(
        f'<a href="pip-1.0-py3-none-any.whl">old</a> <a href="{wheel.name}#sha256={digest}">new</a>'
    )


def make(folder: Path, *absent: str, path: Path | None = None, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run the script where the modules `absent` cannot be imported and `path` holds all programs."""
    shadows = folder / "shadows"
    shadows.mkdir()
    for module in absent:
        (shadows / f"{module}.py").write_text("raise ImportError('not here')\n")
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("PIP_", "PYTHON"))}
    environment |= {"PATH": str(path or shadows), "PYTHONPATH": str(shadows), "PIP_CONFIG_FILE": os.devnull}
    command = [PYTHON, str(ROOT / "scripts" / "make_venv.py"), str(folder / "venv")]
    return subprocess.run(command, env=environment | settings, capture_output=True, text=True)


def has_pip(folder: Path) -> bool:
    command = [str(folder / "venv" / "bin" / "python"), "-I", "-m", "pip", "--version"]
    return str(folder / "venv") in subprocess.run(command, capture_output=True, text=True).stdout


def test_make_venv_without_ensurepip_uses_any_pip(tmp_path, index):
    programs = tmp_path / "programs"
    programs.mkdir()
    # This environment's pip, as a program that another interpreter might have brought.
    (programs / "pip3").write_text(f'#!/bin/sh\nPYTHONPATH= exec "{sys.executable}" -m pip "$@"\n')
    (programs / "pip3").chmod(0o755)
    done = make(tmp_path, "ensurepip", "pip", path=programs, PIP_NO_INDEX="1", PIP_FIND_LINKS=str(index / "pip"))
    assert (done.returncode, done.stderr, has_pip(tmp_path)) == (0, "", True)


def test_make_venv_without_any_pip_uses_the_index_of_the_settings(tmp_path, index):
    settings = tmp_path / "pip.conf"
    settings.write_text(f"[global]\nextra-index-url =\n    {(tmp_path / 'none').as_uri()}\n    {index.as_uri()}/\n")
    done = make(tmp_path, "ensurepip", "pip", PIP_CONFIG_FILE=str(settings))
    assert (done.returncode, has_pip(tmp_path)) == (0, True)
    assert done.stderr.count("passed over") == 1


def test_make_venv_refuses_a_wheel_with_another_digest(tmp_path, index):
    page = tmp_path / "forged" / "pip"
    shutil.copytree(index / "pip", page)
    listed(page, next(page.glob("*.whl")), "0" * 64)
    done = make(tmp_path, "ensurepip", "pip", PIP_INDEX_URL=page.parent.as_uri(), HOME=str(tmp_path))
    assert done.returncode == 1
    assert "does not have the SHA-256" in done.stderr


def test_make_venv_says_what_is_missing(tmp_path):
    done = make(tmp_path, "ensurepip", "pip")
    assert done.returncode == 1
    assert done.stderr.startswith("pip is missing: ")
    assert done.stderr.count("\n") == 1
