"""One package in three layouts: a checkout, an editable install and a wheel hold the same files and import alike."""

import json
import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.meta.repository import ROOT, names

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


def packed_name(name: str) -> str:
    """Where a wheel holds the file that a checkout has under `name`."""
    return f"refdp/{name}" if name.startswith("proofs/") else name


def build(hook: str, source: Path, folder: Path) -> Path:
    """What a hook of the build backend makes of `source`: no network, no isolation."""
    code = f"import hatchling.build, sys; print(hatchling.build.{hook}(sys.argv[1]))"
    done = subprocess.run([sys.executable, "-c", code, str(folder)], cwd=source, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder / done.stdout.split()[-1]


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
    return {packed_name(n): (ROOT / n).read_bytes() for n in names() if n.startswith(("refdp/", "proofs/"))}


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


def test_packaging_builds_the_same_wheel_from_the_source_distribution(wheel, tmp_path):
    source = build("build_sdist", ROOT, tmp_path)
    with tarfile.open(source) as archive:
        for member in filter(tarfile.TarInfo.isfile, archive.getmembers()):
            (tmp_path / member.name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / member.name).write_bytes(archive.extractfile(member).read())
    again = build("build_wheel", source.with_name(source.name.removesuffix(".tar.gz")), tmp_path)
    assert again.read_bytes() == wheel.read_bytes()


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
