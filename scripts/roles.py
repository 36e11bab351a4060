"""Lines, files and syntax-tree nodes of refdp/ and proofs/ by role: `python scripts/roles.py WHICH`.

Every file is in one role: that of the longest of the places below that its path begins with.  TOML, JSON and templates
count as lines and files, and have no nodes.
"""

import argparse
import ast
import io
import subprocess
import sys
import tarfile
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ROLES: Mapping[str, tuple[str, ...]] = {
    "Python read and run": (
        "refdp/programs/language", "refdp/programs/running", "refdp/programs/execution.py", "refdp/programs/steps.py",
        "refdp/programs/syntax.py", "refdp/sensitivities/language", "refdp/sensitivities/fusion.py",
        "refdp/sensitivities/sums.py", "refdp/sensitivities/machine/user", "refdp/sensitivities/machine/library.py",
        "refdp/sensitivities/machine/numpy_library.py", "refdp/sensitivities/machine/recognising.py",
        "refdp/logic/file_tops.py", "refdp/logic/names_in_order.py", "refdp/logic/python_text.py",
    ),
    "claims, checkers, certificates": (
        "refdp/programs", "refdp/sensitivities", "refdp/checking.py", "refdp/isolation.py",
    ),
    "searches": (
        "refdp/programs/proving", "refdp/programs/refuting", "refdp/sensitivities/search",
        "refdp/sensitivities/refutation", "refdp/sensitivities/smooth", "refdp/sensitivities/nearby",
        "refdp/sensitivities/scor", "refdp/sensitivities/local.py", "refdp/programs/deadline.py",
        "refdp/programs/bracketing.py", "refdp/work.py",
    ),
    "exact probabilities": ("refdp/programs/probabilities",),
    "machine arithmetic, rest": ("refdp/sensitivities/machine",),
    "terms, texts, SMT": ("refdp/terms", "refdp/logic", "refdp/spec/terms.py", "refdp/spec/folding.py",
                          "refdp/spec/printing.py", "refdp/spec/evaluation.py"),
    "laws": (
        "refdp/laws.py", "refdp/accounting/lattice/laws.py", "refdp/accounting/lattice/loss_distributions.py",
        "refdp/accounting/stated/laws.py", "refdp/accounting/stated/noise.py", "refdp/auditing/evidence/finite_laws.py",
        "refdp/auditing/evidence/lattice_laws.py", "refdp/auditing/evidence/line_laws.py",
        "refdp/auditing/evidence/real_laws.py", "refdp/auditing/evidence/normal_sums.py", "refdp/testing/law.py",
    ),
    "faces: report, commands, cli": ("refdp/report", "refdp/commands", "refdp/cli"),
    "accountants judged": ("refdp/accounting/judging", "refdp/auditing/judges/accountant",
                           "refdp/auditing/judges/noise_scale"),
    "accounting, rest": ("refdp/accounting",),
    "auditing, rest": ("refdp/auditing",),
    "kernel, spec, numerics, provers": ("refdp/kernel", "refdp/spec", "refdp/numerics", "refdp/provers"),
    "proofs": ("proofs",),
    "mechanisms, transformations, statements": ("refdp/mechanisms", "refdp/transformations", "refdp/statements"),
    "sampling, rest": ("refdp/sampling",),
    "vectors, plugin, releases, top level, library": ("refdp/test_vectors", "refdp/testing", "refdp/releases", "refdp"),
    "added: the ledger as data": ("refdp/ledger",),
    "added: a second judge": ("refdp/second_judge",),
    "added: docket, attacks, learning, models": ("refdp/docket", "refdp/attacks", "refdp/learning", "refdp/models"),
    "added: for Rocq": ("refdp/rocq",),
}  # fmt: skip
"""Role -> the places of its files; those that begin with "added" came after the plan."""
COUNTED = (".py", ".toml", ".json", ".html", ".md", ".css", ".js")


def role_of(path: str) -> str:
    """The role of a file: that of the longest place that its path begins with."""
    _, role = max((len(place), role) for role, places in ROLES.items() for place in places if path.startswith(place))
    return role


def files_of(which: str) -> Iterator[tuple[str, str]]:
    """The path and the text of each file that git tracks, in the working tree or at a commit."""
    if which == "now":
        listed = subprocess.run(
            ["git", "ls-files", "refdp", "proofs"], cwd=ROOT, capture_output=True, check=True, text=True
        )
        for path in listed.stdout.splitlines():
            if path.endswith(COUNTED) and (ROOT / path).is_file():
                yield path, (ROOT / path).read_text(encoding="utf-8")
        return
    packed = subprocess.run(["git", "archive", which, "refdp", "proofs"], cwd=ROOT, capture_output=True, check=True)
    with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as archive:
        for member in archive:
            content = archive.extractfile(member) if member.isfile() and member.name.endswith(COUNTED) else None
            if content is not None:
                yield member.name, content.read().decode()


def counted(which: str) -> dict[str, list[int]]:
    """Role -> lines, files and nodes."""
    found = {role: [0, 0, 0] for role in ROLES}
    for path, text in files_of(which):
        if not path.startswith("proofs/certificates"):
            nodes = sum(1 for _ in ast.walk(ast.parse(text))) if path.endswith(".py") else 0
            row = found[role_of(path)]
            row[:] = [row[0] + text.count("\n"), row[1] + 1, row[2] + nodes]
    return found


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="roles.py", description=__doc__.partition("\n")[0])
    parser.add_argument("which", help="a commit of git, or the word now for the working tree")
    try:
        found = counted(parser.parse_args().which)
    except subprocess.CalledProcessError as error:
        sys.exit(f"roles: git says {error.stderr if isinstance(error.stderr, str) else error.stderr.decode().strip()}")
    print(f"{'role':48}{'lines':>9}{'files':>7}{'nodes':>10}")
    for role, row in found.items():
        print(f"{role:48}{row[0]:>9,}{row[1]:>7,}{row[2]:>10,}")
    planned = [row for role, row in found.items() if not role.startswith("added")]
    for name, rows in (("sum of what the plan speaks of", planned), ("sum of all", found.values())):
        lines, files, nodes = (sum(column) for column in zip(*rows, strict=True))
        print(f"{name:48}{lines:>9,}{files:>7,}{nodes:>10,}")


if __name__ == "__main__":
    main()
