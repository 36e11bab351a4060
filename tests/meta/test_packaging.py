"""One package in three layouts: a checkout, an editable install and a wheel hold the same files and import alike.

The wheel and the source distribution are the same bytes wherever, whenever and by whomever they are made.
"""

import json
import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from email import message_from_bytes
from hashlib import sha256
from pathlib import Path

import pytest

from refdp import __version__ as VERSION
from tests.made import certificates
from tests.meta.repository import ROOT, copy_of_checkout, names

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

pytestmark = pytest.mark.once

# In a fresh process: where refdp and refdp.proofs are, the modules of refdp.proofs, and its certificates.
LOOK = """
import importlib, importlib.resources, json, pathlib, pkgutil, refdp, refdp.proofs
modules = sorted(m.name for m in pkgutil.iter_modules(refdp.proofs.__path__, "refdp.proofs."))
for module in modules:
    importlib.import_module(module)
folder = pathlib.Path(importlib.resources.files("refdp.proofs") / "certificates")
certificates = sorted(f.relative_to(folder).as_posix() for f in folder.rglob("*") if f.is_file())
home = str(pathlib.Path(refdp.__file__).parent)
print(json.dumps({"home": home, "modules": modules, "certificates": certificates}))
"""


def packed_certificates() -> list[str]:
    """The certificates, which git does not track, as paths from the root."""
    return [path.relative_to(ROOT).as_posix() for path in certificates()]


def packed_name(name: str) -> str:
    """Where a wheel holds the file that a checkout has under `name`."""
    return f"refdp/{name}" if name.startswith("proofs/") else name


def build(hook: str, source: Path, folder: Path) -> Path:
    """What a hook of the build backend makes of `source`: no network, no isolation."""
    code = f"import hatchling.build, sys; print(hatchling.build.{hook}(sys.argv[1]))"
    environment = {key: value for key, value in os.environ.items() if key != "SOURCE_DATE_EPOCH"}
    command = [sys.executable, "-c", code, str(folder)]
    done = subprocess.run(command, cwd=source, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder / done.stdout.split()[-1]


def unpacked(distribution: Path, folder: Path) -> Path:
    """The source in a distribution."""
    with tarfile.open(distribution) as archive:
        for member in archive.getmembers():
            (folder / member.name).parent.mkdir(parents=True, exist_ok=True)
            (folder / member.name).write_bytes(archive.extractfile(member).read())
    return folder / distribution.name.removesuffix(".tar.gz")


def look(code: str, *paths: Path) -> dict[str, object]:
    """What LOOK prints in an empty folder, with `code` run before it."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, paths))}
    done = subprocess.run(
        [sys.executable, "-c", code + LOOK], cwd=paths[0].parent, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    return build("build_wheel", ROOT, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def expected():
    """The files of the package as the checkout has them, by the name that a wheel gives them."""
    found = [n for n in (*names(), *packed_certificates()) if n.startswith(("refdp/", "proofs/"))]
    return {packed_name(n): (ROOT / n).read_bytes() for n in found}


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory):
    """What `make dist` makes: in another folder, another umask, zone, language and time, with things lying about."""
    folder = copy_of_checkout(tmp_path_factory.mktemp("another folder") / "refdp", proved=True)
    for command in (["init", "--quiet"], ["add", "--all"]):
        subprocess.run(["git", *command], cwd=folder, check=True)
    for name in ("notes.txt", "refdp/left_over.py", "proofs/certificates/left_over.json"):
        (folder / name).write_text("lying about")
    for path in folder.rglob("*"):
        if not path.is_symlink():
            path.chmod(0o700 if path.is_dir() or path.stat().st_mode & 0o100 else 0o600)
            os.utime(path, (10**9, 10**9))
    odd = {"TZ": "Pacific/Kiritimati", "LC_ALL": "C", "SOURCE_DATE_EPOCH": "1700000000", "PYTHONHASHSEED": "7"}
    command = [sys.executable, "scripts/make_dist.py", "dist"]
    done = subprocess.run(command, cwd=folder, env=os.environ | odd, capture_output=True, text=True, umask=0o077)
    assert done.returncode == 0, done.stderr
    found = sorted((folder / "dist").iterdir())
    assert {f"{sha256(path.read_bytes()).hexdigest()}  {path.name}" for path in found} == {*done.stdout.splitlines()}
    return {path.suffix: path for path in found}


def test_packaging_makes_the_same_bytes_elsewhere(wheel, elsewhere, tmp_path):
    assert elsewhere[".whl"].name == wheel.name
    assert elsewhere[".whl"].read_bytes() == wheel.read_bytes()
    assert elsewhere[".gz"].read_bytes() == build("build_sdist", ROOT, tmp_path).read_bytes()


def test_packaging_sets_modes_and_times(elsewhere):
    with tarfile.open(elsewhere[".gz"]) as archive:
        members = archive.getmembers()
    with zipfile.ZipFile(elsewhere[".whl"]) as archive:
        packed = archive.infolist()
    assert {(m.uid, m.gid, m.mtime, m.isfile()) for m in members} == {(0, 0, 1580601600, True)}
    assert [m.name.partition("/")[2] for m in members if m.mode != 0o644] == [".ci/run"]
    assert {(i.date_time, i.external_attr >> 16 & 0o777) for i in packed} == {((2020, 2, 2, 0, 0, 0), 0o644)}


def test_packaging_puts_the_whole_project_into_the_source_distribution(elsewhere):
    """Tests, documents and certificates too: whoever has the source can run `make verify` and `make test` in it."""
    with tarfile.open(elsewhere[".gz"]) as archive:
        packed = [name.partition("/")[2] for name in archive.getnames()]
    assert sorted(packed) == sorted({*names(), *packed_certificates(), "PKG-INFO"})


def test_packaging_makes_the_same_wheel_of_the_source_distribution(wheel, elsewhere, tmp_path):
    source = unpacked(elsewhere[".gz"], tmp_path)
    assert names(source) == sorted({*names(), "PKG-INFO"})
    assert build("build_wheel", source, tmp_path).read_bytes() == wheel.read_bytes()


def test_packaging_puts_every_file_into_the_wheel_once(wheel, expected):
    with zipfile.ZipFile(wheel) as archive:
        packed = [n for n in archive.namelist() if ".dist-info/" not in n]
        assert sorted(packed) == sorted(expected)
        assert {n: archive.read(n) for n in packed} == expected


def test_packaging_ships_the_licence_and_the_type_marker(wheel):
    with zipfile.ZipFile(wheel) as archive:
        assert "refdp/py.typed" in archive.namelist()
        licence = next(n for n in archive.namelist() if n.endswith("/LICENSE"))
        assert archive.read(licence) == (ROOT / "LICENSE").read_bytes()


def test_packaging_describes_itself_completely(wheel):
    """Without an address: nobody knows one yet."""
    with zipfile.ZipFile(wheel) as archive:
        said = message_from_bytes(archive.read(next(n for n in archive.namelist() if n.endswith("/METADATA"))))
    assert (said["Name"], said["Version"], said["Description-Content-Type"]) == ("refdp", VERSION, "text/markdown")
    assert (said["License-Expression"], said["License-File"]) == ("Apache-2.0", "LICENSE")
    assert said.get_payload(decode=True) == (ROOT / "README.md").read_bytes()
    assert (said["Project-URL"], said["Home-page"]) == (None, None)
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert said["Author"] == re.search(r'^authors:\n  - name: "(.*)"$', citation, re.MULTILINE)[1]
    assert (said["Summary"], said["Requires-Python"]) == (PROJECT["description"], ">=3.11")
    assert set(said.get_all("Provides-Extra")) == set(PROJECT["optional-dependencies"])


def test_packaging_declares_no_version_of_python_that_make_does_not_look_for():
    """Newer ones that are not declared, for want of a whole run, may be all that a machine has."""
    language = "Programming Language :: Python :: "
    declared = [c.removeprefix(language) for c in PROJECT["classifiers"] if c.startswith(f"{language}3.")]
    looked_for = re.search(r"for p in python3 (.*?);", (ROOT / "Makefile").read_text(encoding="utf-8"))[1].split()
    assert declared
    assert {f"python{version}" for version in declared} <= set(looked_for)
    assert f">={declared[0]}" == PROJECT["requires-python"]


def test_packaging_has_one_version():
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.findall(r"^version: (.*)$", citation, re.MULTILINE) == [VERSION]
    assert "version" not in PROJECT


def test_packaging_imports_alike_in_checkout_editable_install_and_wheel(wheel, expected, tmp_path):
    unpacked, editable = tmp_path / "unpacked", tmp_path / "editable"
    zipfile.ZipFile(wheel).extractall(unpacked)
    zipfile.ZipFile(build("build_editable", ROOT, tmp_path)).extractall(editable)
    from_wheel = look("", unpacked)
    from_checkout = look("", ROOT)
    # An editable install is a .pth file, which Python reads in site folders only.
    from_editable = look(f"import site; site.addsitedir({str(editable)!r})\n", editable)
    assert from_wheel.pop("home") == str(unpacked / "refdp")
    assert from_checkout.pop("home") == from_editable.pop("home") == str(ROOT / "refdp")
    assert from_wheel == from_checkout == from_editable
    prefix = "refdp/proofs/certificates/"
    assert from_wheel["certificates"] == sorted(n.removeprefix(prefix) for n in expected if n.startswith(prefix))
