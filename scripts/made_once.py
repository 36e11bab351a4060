"""What is made of the sources, made once: `python made_once.py certificates pages`.

    certificates: proofs/certificates, every claim of the ledger proved or refuted by `refdp verify`
    pages: docs/claims, docs/docket, docs/sources and the pictures of docs, of certificates and code

A stamp in build/made holds a digest of what was read, solvers' versions included, and one of each file that was made.
While both are as they were, nothing is made again.  Files are made in a folder of their own and then put in place one
by one, each whole; whoever asks meanwhile waits, so that two targets of make, or the workers of pytest, share one run.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

try:
    import fcntl
except ImportError:  # where there is none, nobody waits
    fcntl = None  # type: ignore[assignment]

ROOT = Path(__file__).resolve().parents[1]
STAMPS = Path("build", "made")
CERTIFICATES = "proofs/certificates"
LONG_ENOUGH = "120"
"""Seconds for one obligation: on a busy machine nothing shall stay open for want of time."""
FACES = (
    "accounting",
    "attacks",
    "auditing",
    "cli",
    "docket",
    "learning",
    "releases",
    "report",
    "rocq",
    "second_judge",
    "sensitivities",
    "test_vectors",
    "testing",
)
"""Folders of refdp/ that proving the ledger does not load; a test follows the imports."""
MODULES = ("__init__.py", "claims.py", "general.py", "isolation.py", "pipeline.py", "verdicts.py", "work.py")
"""What it loads of refdp/ itself."""
COMMANDS = ("__init__.py", "discharge.py", "files.py", "judgements.py", "library.py", "verify.py")
"""What it loads of refdp/commands."""
VERDICTS = "certificates.verdicts"
"""The file beside the stamp of the certificates with all that `refdp verify --json` says."""
EXAMPLES = tuple(
    f"docs/claims/{name}{ending}"
    for name, endings in {
        "clamped_sum/add_remove": (".md", ".tree.svg"),
        "composition/sequential_pure": (".md", ".tree.svg"),
        "discrete_laplace/pure": (".md", ".svg", ".tree.svg"),
        "k_ary_randomised_response/truth_of_the_binary": (".md", ".svg", ".tree.svg"),
        "traps/naive_laplace_on_doubles": (".md", ".svg", ".tree.svg"),
    }.items()
    for ending in endings
)
"""The pages that git tracks, with their drawings: examples, with which tests compare what is made."""


class NotMade(RuntimeError):
    """What was asked for could not be made."""


@dataclass(frozen=True)
class Product:
    """Something that is made: where it is put, from what, and by which command."""

    folder: str
    """The folder that its files are named from, and that the command fills."""
    read: Callable[[Path], Iterator[Path]]
    """The files that it is made of."""
    versions: tuple[str, ...]
    """The installed packages whose versions matter."""
    command: tuple[str, ...]
    """Arguments of Python, to which the folder that is to be filled is added."""
    beside: str = ""
    """The file of the stamps' folder that the command writes too, if it writes one."""
    after: tuple[str, ...] = ()
    """What must be made before."""


def proving(root: Path) -> Iterator[Path]:
    """What proofs of the ledger rest on: the believed sources, proofs, searches, the ledger and the library."""
    yield from (root / "refdp" / name for name in MODULES)
    for folder in root.glob("refdp/*/"):
        if folder.name not in (*FACES, "commands", "proofs"):
            yield from (path for path in folder.rglob("*") if path.suffix in (".py", ".toml"))
    yield from (root / "refdp" / "commands" / name for name in COMMANDS)
    yield from root.glob("proofs/*.py")


def showing(root: Path) -> Iterator[Path]:
    """What pages and pictures show: all code, for they name its lines, and what they are drawn of."""
    for folder in ("refdp", "examples/accounting"):
        yield from (path for path in (root / folder).rglob("*.*") if path.suffix in (".csv", ".json", ".py", ".toml"))
    yield from root.glob("proofs/*.py")
    yield from (root / "docs" / name for name in ("soundness.md", "pictures/tables.json"))
    yield root / "proofs" / "rocq" / "rules.lock"
    yield from sorted((root / "proofs" / "rocq").glob("*.v"))


PRODUCTS: Mapping[str, Product] = {
    "certificates": Product(
        CERTIFICATES,
        proving,
        ("cvc5", "mpmath", "python-flint", "sympy", "z3-solver"),
        ("-m", "scripts.prove_ledger", "--timeout", LONG_ENOUGH),
        beside=VERDICTS,
    ),
    "pages": Product("docs", showing, ("matplotlib",), ("-m", "refdp.report.every_page"), after=("certificates",)),
}


def make(name: str, root: Path = ROOT, anew: bool = False, examples: bool = False) -> list[Path]:
    """The files of the product, made if they are not there as the sources want them; NotMade if that fails.

    A file beside them, such as the verdicts, is the last.  `anew`: made in any case, and what the command prints is
    shown.  `examples`: those that git tracks are written too.
    """
    product = PRODUCTS[name]
    for before in product.after:
        make(before, root)
    if not anew and (found := is_made(name, root)):
        return found
    (root / STAMPS).mkdir(parents=True, exist_ok=True)
    with alone(root / STAMPS / f"{name}.lock"):
        if not anew and (found := is_made(name, root)):  # by whom this one waited for
            return found
        wanted = key(name, root)
        put(name, root, filled(name, root, anew), wanted, examples)
    if found := is_made(name, root):
        return found
    raise NotMade(f"{name} were made of sources that changed meanwhile; run it again")


def is_made(name: str, root: Path = ROOT) -> list[Path]:
    """The files of the product; none unless all are there as they were made, of the sources as they are."""
    stamp = stamped(name, root)
    files = {root / path: digest for path, digest in stamp.get("files", {}).items()}
    if stamp.get("key") != key(name, root):
        return []
    return list(files) if all(path.is_file() and digest_of(path) == digest for path, digest in files.items()) else []


def stamped(name: str, root: Path) -> dict[str, dict[str, str]]:
    """What was written when the product was made; nothing if it was not."""
    path = root / STAMPS / f"{name}.json"
    found: dict[str, dict[str, str]] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return found


def key(name: str, root: Path) -> str:
    """A digest of what the product is made of."""
    product, found = PRODUCTS[name], sha256()
    for path in sorted(product.read(root)):
        found.update(f"{path.relative_to(root).as_posix()} {digest_of(path)}\n".encode())
    for package in product.versions:
        found.update(f"{package} {installed(package)}\n".encode())
    for before in product.after:
        found.update(key(before, root).encode())
    if name == "pages":  # they name the tests of each claim
        found.update("\n".join(sorted(path.name for path in (root / "tests").rglob("*.py"))).encode())
    return found.hexdigest()


def digest_of(path: Path) -> str:
    """The SHA-256 of a file."""
    return sha256(path.read_bytes()).hexdigest()


def installed(package: str) -> str:
    """The version of a package, if it is installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "none"


def filled(name: str, root: Path, shown: bool) -> Path:
    """A new folder that the command of the product filled; NotMade if it failed."""
    new = root / STAMPS / f"{name}.new"
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(parents=True)
    if not shown:
        print(f"making {name}: they are not there, or of other sources", file=sys.stderr, flush=True)
    paths = os.pathsep.join(filter(None, [str(root), os.environ.get("PYTHONPATH")]))
    beside = [str(root / STAMPS / PRODUCTS[name].beside)] if PRODUCTS[name].beside else []
    command = [sys.executable, *PRODUCTS[name].command, str(new), *beside]
    said = None if shown else subprocess.PIPE
    done = subprocess.run(command, cwd=root, env=os.environ | {"PYTHONPATH": paths}, stdout=said, text=True)
    if done.returncode != 0:
        print(done.stdout or "", end="", file=sys.stderr)
        raise NotMade(f"{name} could not be made: {PRODUCTS[name].command[1]} ended with {done.returncode}")
    return new


def put(name: str, root: Path, new: Path, wanted: str, examples: bool) -> None:
    """Move what was made into its place, remove what was made before and is no more, and write the stamp."""
    folder, stamp = root / PRODUCTS[name].folder, root / STAMPS / f"{name}.json"
    earlier = stamped(name, root).get("files", {})
    stamp.unlink(missing_ok=True)
    made = {}
    for path in sorted(path for path in new.rglob("*") if path.is_file()):
        place = folder / path.relative_to(new)
        named = place.relative_to(root).as_posix()
        if named not in EXAMPLES:
            made[named] = digest_of(path)
        if named not in EXAMPLES or examples:
            place.parent.mkdir(parents=True, exist_ok=True)
            path.replace(place)
    if PRODUCTS[name].beside:
        beside = STAMPS / PRODUCTS[name].beside
        made[beside.as_posix()] = digest_of(root / beside)
    for gone in earlier.keys() - made.keys():
        (root / gone).unlink(missing_ok=True)
    written = stamp.with_suffix(".part")
    written.write_text(json.dumps({"key": wanted, "files": made}, indent=1), encoding="utf-8")
    written.replace(stamp)
    shutil.rmtree(new)


def remove(name: str, root: Path = ROOT) -> None:
    """Remove what was made."""
    for path in stamped(name, root).get("files", {}):
        (root / path).unlink(missing_ok=True)
    (root / STAMPS / f"{name}.json").unlink(missing_ok=True)


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Inside, nobody else is; the system lets go of the lock of a process that ended."""
    with path.open("w") as lock:
        if fcntl is not None:
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def main() -> str | None:
    """Make, or remove, what the command line names; the sentence that says what went wrong, if something did."""
    parser = ArgumentParser(description="Make what is made of the sources, unless it is there.", allow_abbrev=False)
    parser.add_argument("products", nargs="+", choices=PRODUCTS)
    parser.add_argument("--anew", action="store_true", help="in any case, and show what the command prints")
    parser.add_argument("--examples", action="store_true", help="also write the example pages, which git tracks")
    parser.add_argument("--remove", action="store_true", help="remove it instead")
    given = parser.parse_args()
    try:
        for name in given.products:
            remove(name) if given.remove else make(name, anew=given.anew, examples=given.examples)
    except NotMade as error:
        return str(error)
    return None


if __name__ == "__main__":
    sys.exit(main())
