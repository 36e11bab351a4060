"""What the certificates say, one block for each claim: `python certificates_lock.py proofs/certificates.lock`.

    CLAIM
      concludes  its conclusion
      trusts     whoever vouched, without versions, or nobody
      statement  SHA-256 of what it is about: obligations, formulas, or the text of a program

Without --write the certificates in proofs/certificates are compared with the file.  Certificates are no part of the
repository, so this file is where a review sees which proofs a change reaches: a changed formula changes the line
`statement` of every claim that it is in.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # a script's own folder stands first, and not that of the package

import refdp.mechanisms  # noqa: E402
import refdp.statements  # noqa: E402
import refdp.transformations  # noqa: E402, F401  (importing them registers what the claims are about)
from refdp.claims import PROGRAMS, ledger, programs  # noqa: E402
from refdp.commands.explain import formulas_of  # noqa: E402
from refdp.spec import registry  # noqa: E402
from refdp.spec.samplers import SCHEMES, scheme_formulas  # noqa: E402
from refdp.terms.reading import read  # noqa: E402
from refdp.terms.term import subterms  # noqa: E402
from scripts.made_once import STAMPS, VERDICTS  # noqa: E402

CERTIFICATES = ROOT / "proofs" / "certificates"
VERSION = re.compile(r"\b(z3|cvc5|sympy) \d[\w.+-]*")
HEAD = "# What the certificates say; `make verify` compares, `make lock` writes: scripts/certificates_lock.py"
Block = dict[str, str]
"""What stands below a claim: key -> text."""


def blocks(folder: Path = CERTIFICATES, pattern: str = "*") -> dict[str, Block]:
    """The block of each claim that matches the pattern and has a certificate in the folder."""
    found = {}
    for claim in (c for c in ledger() if fnmatchcase(c.identifier, pattern)):
        path = folder / f"{claim.identifier}.json"
        if path.is_file():
            certificate = json.loads(path.read_text(encoding="utf-8"))
            found[claim.identifier] = block(certificate["conclusion"], certificate["trusts"], statement(certificate))
    for claim in (c for c in programs() if fnmatchcase(c.identifier, pattern)):
        path = folder / PROGRAMS / f"{claim.identifier}.json"
        if path.is_file():
            certificate = json.loads(path.read_text(encoding="utf-8"))
            judged = verdicts()[claim.identifier]
            concludes = f"{judged['verdict']}: {claim.formal}"
            found[claim.identifier] = block(concludes, judged["trusts"], of_program(certificate))
    return found


def block(concludes: str, trusts: Iterable[str], about: Mapping[str, Any]) -> Block:
    """What a certificate says."""
    return {
        "concludes": concludes,
        "trusts": ", ".join(sorted({VERSION.sub(r"\1", name) for name in trusts})) or "nobody",
        "statement": sha256(json.dumps(about, sort_keys=True).encode()).hexdigest(),
    }


def of_program(certificate: Mapping[str, Any]) -> dict[str, Any]:
    """What a certificate says of a program of the library, with what the text says besides its other claims."""
    (step,), (source,) = certificate["steps"], certificate["sources"].values()
    said = {key: value for key, value in step["data"].items() if key not in ("evidence", "by")}
    return said | {"source": apart(source, said["function"])}


@cache
def verdicts() -> dict[str, Any]:
    """Claim -> what `refdp verify --json` said of it when all were made."""
    found = json.loads((ROOT / STAMPS / VERDICTS).read_text(encoding="utf-8"))
    return {one["id"]: one for one in found["claims"]}


def apart(source: str, function: str) -> str:
    """The text of a file without the claimed functions other than this one: a change of theirs changes nothing here."""
    lines = source.splitlines()
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef) and node.decorator_list and node.name != function:
            first = node.decorator_list[0].lineno
            lines[first - 1 : node.end_lineno] = [""] * ((node.end_lineno or first) - first + 1)
    return "\n".join(line for line in lines if line)


def statement(certificate: Mapping[str, Any]) -> dict[str, Any]:
    """What the conclusion is about: the digests of obligations, and the formulas of what it speaks of."""
    data = [step["data"] for step in certificate["steps"]]
    stems = sorted({t.operator for t in subterms(read(certificate["conclusion"]))} & set(registry.stems()))
    formulas = {stem: [str(f) for f in formulas_of(registry.kind_of(stem))] for stem in stems}
    schemes = {stem: [str(f) for f in scheme_formulas(stem).values()] for stem in stems if stem in SCHEMES}
    obligations = {d["obligation"]: d["digest"] for d in data if "obligation" in d}
    sources = sorted({d["source"] for d in data if "source" in d})
    return {"obligations": obligations, "formulas": formulas, "schemes": schemes, "sources": sources}


def text_of(found: Mapping[str, Block]) -> str:
    """The blocks as they stand in the file."""
    told = ("\n".join([name, *(f"  {key:9}  {text}" for key, text in one.items())]) for name, one in found.items())
    return "\n\n".join([HEAD, *told]) + "\n"


def read_lock(path: Path) -> dict[str, Block]:
    """The blocks of a file; none where there is none."""
    found: dict[str, Block] = {}
    name = ""
    for line in path.read_text(encoding="utf-8").splitlines() if path.is_file() else ():
        if line.startswith("  "):
            key, _, text = line.strip().partition(" ")
            found[name][key] = text.strip()
        elif line and not line.startswith("#"):
            name = line
            found[name] = {}
    return found


def differences(made: Mapping[str, Block], locked: Mapping[str, Block]) -> Iterator[str]:
    """Each line in which the certificates are not as they are locked, with the claim's name."""
    for name in sorted(made.keys() | locked.keys()):
        if name not in made:
            yield f"{name}: locked, and there is no certificate of it"
        elif name not in locked:
            yield f"{name}: not locked; it concludes {made[name]['concludes']}"
        else:
            for key, text in made[name].items():
                if text != (before := locked[name].get(key, "nothing")):
                    yield f"{name}: {key} {text}, locked is {before}"


def main() -> str | None:
    """Compare or write; the sentences that say what is different, if anything is."""
    parser = ArgumentParser(description="Compare certificates with what is locked.", allow_abbrev=False)
    parser.add_argument("lock", type=Path, metavar="LOCK")
    parser.add_argument("pattern", nargs="?", default="*", metavar="PATTERN")
    parser.add_argument("--write", action="store_true", help="write it instead: the claims that match, as they are")
    given = parser.parse_args()
    made, locked = blocks(pattern=given.pattern), read_lock(given.lock)
    if given.write:
        order = [c.identifier for c in (*ledger(), *programs())]
        kept = {name: one for name, one in locked.items() if not fnmatchcase(name, given.pattern)} | made
        found = {name: kept[name] for name in order if name in kept}
        given.lock.write_text(text_of(found), encoding="utf-8")
        return None
    locked = {name: one for name, one in locked.items() if fnmatchcase(name, given.pattern)}
    found = list(differences(made, locked))
    if found:
        return "\n".join([*found, f"{given.lock} must say what the certificates do; if they are right: make lock"])
    print(f"{len(made)} certificates say what {given.lock} does")
    return None


if __name__ == "__main__":
    sys.exit(main())
