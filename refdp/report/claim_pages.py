"""A page of Markdown for each stem of the ledger: its claims, verdicts, proofs and formulas, printed from the code.

    python -m refdp.report.claim_pages docs/claims

What a claim trusts, and the witness of a false one, is read off its certificate; versions are left out, so that a page
changes only where a claim does.
"""

from __future__ import annotations

import inspect
import json
import re
import sys
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import refdp.mechanisms
import refdp.statements
import refdp.transformations  # noqa: F401  (importing them registers what the claims are about)
from refdp.claims import Claim, ledger
from refdp.spec import registry
from refdp.spec.formulas import Formula
from refdp.spec.samplers import SCHEMES, scheme_formulas
from refdp.spec.terms import TermError, read, subterms

ROOT = Path(__file__).resolve().parents[2]
UP = "../../"
"""From a page to the root of the checkout."""
GENERATED = "<!-- Made by `python -m refdp.report.claim_pages docs/claims`; changes belong in the code. -->"
WIDTH = 116
VERSION = re.compile(r" \d[\w.+-]*")


def pages() -> dict[str, str]:
    """File name -> text, one page for each stem of the ledger."""
    stems = dict.fromkeys(claim.stem for claim in ledger())
    return {f"{stem}.md": "\n".join(page(stem)) + "\n" for stem in stems}


def page(stem: str) -> Iterator[str]:
    """The lines of the page of one stem."""
    claims = [claim for claim in ledger() if claim.stem == stem]
    yield from (GENERATED, "", f"# {stem}", "", heading(stem), "")
    for claim in claims:
        yield from entry(claim)
    found = {f.where: f for claim in claims for f in formulas(claim.formal)}
    if found:
        yield from ("## Formulas", "", *map(line_of, found.values()))


def heading(stem: str) -> str:
    """What the stem is, in the first line of its definition or else of its proofs, and where both stand."""
    proofs = import_module(f"refdp.proofs.{stem}")
    said = [f"proved in {link(f'proofs/{stem}.py')}"]
    for package in ("mechanisms", "transformations"):
        if (ROOT / "refdp" / package / f"{stem}.py").exists():
            said.insert(0, f"defined in {link(f'refdp/{package}/{stem}.py')}")
            proofs = import_module(f"refdp.{package}.{stem}")
    where = ", ".join(said)
    return f"{(inspect.getdoc(proofs) or stem).splitlines()[0]}\n\n{where[0].upper()}{where[1:]}."


def entry(claim: Claim) -> Iterator[str]:
    """The lines of one claim."""
    yield from (f"## {claim.identifier}: {claim.expected}", "", claim.sentence, "")
    yield from (f"    {line}" for line in textwrap.wrap(claim.formal, WIDTH, break_long_words=False))
    yield ""
    if claim.source:
        yield f"- source: {claim.source}"
    yield f"- proof: {link(proof_of(claim))}"
    yield f"- certificate: {link(f'proofs/certificates/{claim.identifier}.json')}"
    found = certificate(claim)
    yield from (f"- witness: {w}" for w in witness(found["steps"]))
    yield f"- trusts: {', '.join(VERSION.sub('', name) for name in found['trusts']) or 'nothing'}"
    yield ""


def proof_of(claim: Claim) -> str:
    """File and line of the claim's proof."""
    function = getattr(import_module(f"refdp.proofs.{claim.stem}"), claim.notion)
    return f"proofs/{claim.stem}.py:{inspect.getsourcelines(function)[1]}"


def certificate(claim: Claim) -> dict[str, Any]:
    """The claim's certificate; ValueError if there is none."""
    path = ROOT / "proofs" / "certificates" / f"{claim.identifier}.json"
    if not path.exists():
        raise ValueError(f"{claim.identifier} must have a certificate, got none in {path.parent}; run refdp verify")
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def witness(steps: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """The two inputs, the event and the values of names in the steps of a refutation; nothing for a proof."""
    data = {step["rule"]: step["data"] for step in steps}
    broken = data.get("unlikely_elsewhere") or data.get("unstable_pair") or data.get("denser_elsewhere")
    where = ", ".join(f"{k} = {v}" for k, v in data.get("false_instance", {}).get("values", {}).items())
    if "renyi_exceeded" in data:
        yield f"the exact Renyi divergence where {where}"
    if broken:
        event = "".join(f", {what} `{broken[what]}`" for what in ("event", "output") if what in broken)
        yield f"inputs `{broken['a']}` and `{broken['b']}`{event}{f', where {where}' if where else ''}"


def formulas(formal: str) -> Iterator[Formula]:
    """The formulas of everything that a formal claim speaks of, and of its sampling schemes."""
    try:
        operators = dict.fromkeys(t.operator for t in subterms(read(formal)))
    except TermError:  # a statement `for all ...` speaks of masses only
        return
    for stem in operators:
        if stem in registry.stems():
            yield from (f for f, _ in registry.kind_of(stem).readings)
        if stem in SCHEMES:
            yield from scheme_formulas(stem).values()


def line_of(f: Formula) -> str:
    """A formula with its place."""
    path, _, line = f.where.rpartition(":")
    return f"- `{f}` ({link(f'{Path(path).resolve().relative_to(ROOT)}:{line}')})"


def link(place: str) -> str:
    """A link from a page to a file of the checkout, or to a line of it."""
    path, _, line = place.partition(":")
    return f"[{place}]({UP}{path}{f'#L{line}' if line else ''})"


def write(folder: Path) -> None:
    """Write every page, and remove pages of stems that the ledger no longer has."""
    folder.mkdir(parents=True, exist_ok=True)
    found = pages()
    for old in folder.glob("*.md"):
        if old.name not in found and old.read_text(encoding="utf-8").startswith(GENERATED):
            old.unlink()
    for name, text in found.items():
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m refdp.report.claim_pages FOLDER")
    write(Path(sys.argv[1]))
