"""The source distribution and the wheel, byte for byte the same wherever they are made: `python make_dist.py FOLDER`.

They are made of what git tracks (or of what .gitignore lets through, where there is no git) and of the certificates,
so that nothing lying about gets in, and they bear one time: neither the clock nor SOURCE_DATE_EPOCH matters.  hatchling
sorts the entries and sets their modes.  What is left is the versions of hatchling and of the solvers, which
constraints.txt pins, and of zlib.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from argparse import ArgumentParser
from hashlib import sha256
from pathlib import Path

from made_once import CERTIFICATES, NotMade, make

ROOT = Path(__file__).resolve().parents[1]
TIME = "1580601600"
"""The time of every entry, in seconds: 2020-02-02, which hatchling takes where none is given."""


def main(folder: Path) -> str | None:
    """Put both into the folder and print their SHA-256; the sentence that says what went wrong, if something did."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        try:
            found = made(Path(temporary))
        except subprocess.CalledProcessError as error:
            return f"the build ended with status {error.returncode}: {error.stderr.strip()}"
        except (ValueError, NotMade) as error:
            return str(error)
        for path in found:
            shutil.move(path, folder / path.name)
            print(f"{sha256((folder / path.name).read_bytes()).hexdigest()}  {path.name}")
    return None


def made(temporary: Path) -> list[Path]:
    """The source distribution, and the wheel; ValueError unless the checkout and the former make the same wheel."""
    make("certificates")
    source = copy_of_checkout(temporary / "source") if (ROOT / ".git").exists() else ROOT
    distribution = built("build_sdist", source, temporary)
    with tarfile.open(distribution) as archive:
        archive.extraction_filter = lambda member, _: member  # made here, just now; from 3.14 on there must be a filter
        archive.extractall(temporary / "unpacked")
    (unpacked,) = (temporary / "unpacked").iterdir()
    wheel = built("build_wheel", source, temporary)
    (temporary / "again").mkdir()
    if built("build_wheel", unpacked, temporary / "again").read_bytes() != wheel.read_bytes():
        raise ValueError("the source distribution and the checkout make different wheels")
    return [distribution, wheel]


def built(hook: str, source: Path, folder: Path) -> Path:
    """What a hook of the build backend makes of `source`: no network, no isolation."""
    code = f"import hatchling.build, sys; print(hatchling.build.{hook}(sys.argv[1]))"
    environment = os.environ | {"SOURCE_DATE_EPOCH": TIME}
    command = [sys.executable, "-c", code, str(folder)]
    done = subprocess.run(command, cwd=source, env=environment, capture_output=True, text=True, check=True)
    return folder / done.stdout.split()[-1]


def copy_of_checkout(folder: Path) -> Path:
    """`folder`, filled with what git tracks, as it stands here, and with the certificates; links are left out."""
    if changed := git("status", "--porcelain", "--untracked-files=no"):
        print(f"with changes that are not committed:\n{changed}", end="", file=sys.stderr)
    certificates = [path.relative_to(ROOT).as_posix() for path in make("certificates")]
    tracked = git("ls-files", "-z").rstrip("\0").split("\0")
    for name in (*tracked, *(name for name in certificates if name.startswith(CERTIFICATES))):
        if (ROOT / name).is_file() and not (ROOT / name).is_symlink():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    return folder


def git(*arguments: str) -> str:
    """What a command of git says of this checkout."""
    command = ["git", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout


if __name__ == "__main__":
    parser = ArgumentParser(description="Make the source distribution and the wheel.")
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    sys.exit(main(parser.parse_args().folder))
