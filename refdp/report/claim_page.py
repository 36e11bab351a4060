"""The page of one claim: what it says, its witness if it is false, the walk, its obligations, its derivation."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from refdp.claims import Claim
from refdp.commands.explain import walk, where
from refdp.commands.witness import steps
from refdp.kernel import rules
from refdp.kernel.theorem import Theorem
from refdp.report.certificates import ROOT, certificate_path
from refdp.report.generality import SOUNDNESS
from refdp.report.latex.claims import aligned, claim_latex, formula_lines
from refdp.report.paths import INDEX, link_from, page_path, picture_path, stem_path, tree_path
from refdp.report.pictures.plans import plan_of
from refdp.report.steps import VERSION
from refdp.report.witnesses import worked

GENERATED = "<!-- Made by `python -m refdp.report.claim_pages docs/claims`; changes belong in the code. -->"
WIDTH = 96
SAYS = {"PROVED": "Proved.", "REFUTED": "**False**, and refuted below."}


def claim_page(claim: Claim, theorem: Theorem) -> str:
    """The text of the page."""
    return "\n".join(lines(claim, theorem)).rstrip("\n") + "\n"


def lines(claim: Claim, theorem: Theorem) -> Iterator[str]:
    """The lines of the page, section by section."""
    found = walk(claim, theorem)
    yield from (GENERATED, "", f"# {claim.identifier}: {claim.expected}", "", claim.sentence, "")
    yield from (f"{SAYS[claim.expected]} Trusted: {trusted(found['trusts'])}.{source(claim)}", "")
    if claim.rule:
        proof = f"[written proof]({here(claim, SOUNDNESS)}#{claim.rule})"
        yield from (f"An instance of the rule `{claim.rule}`, which a {proof} shows in general.", "")
    yield from statement(claim)
    if claim.expected == "REFUTED":
        yield from ("## The witness, by hand", "", *worked(theorem))
    plan = plan_of(claim, theorem)
    if plan is not None:
        yield from ("## Picture", "", f"![{plan.caption}]({here(claim, picture_path(claim.identifier))})", "")
        yield from (*textwrap.wrap(plan.caption, WIDTH), "")
    yield from the_walk(claim, found)
    yield from obligations(claim, found)
    yield from derivation(claim, theorem)
    yield f"All claims of [{claim.stem}]({here(claim, stem_path(claim.stem))}); [every claim]({here(claim, INDEX)})."


def statement(claim: Claim) -> Iterator[str]:
    """The formal claim, as text and as mathematics."""
    yield from ("## The claim", "", *code(claim.formal), "", *mathematics(claim_latex(claim.formal)), "")


def the_walk(claim: Claim, found: Mapping[str, Any]) -> Iterator[str]:
    """From the definitions to the tests, each with its place."""
    yield from ("## The walk", "")
    yield from (f"- *definition*: {d['word']}: {d['means']} ({link(claim, d['where'])})" for d in found["definitions"])
    yield from (f"- *formula*: `{f['formula']}` ({link(claim, f['where'])})" for f in found["formulas"])
    yield from (f"- *obligation*: [`{o['name']}`](#{o['name'].replace('.', '')})" for o in found["obligations"])
    yield f"- *proof*: {link(claim, found['proof']['where'])}"
    yield from (f"- *rule*: {rule_link(claim, name)}" for name in rules_of(found["derivation"]))
    yield f"- *certificate*: {link(claim, certificate_path(claim))}"
    yield from (f"- *test*: {link(claim, path)}" for path in found["tests"])
    yield ""
    if found["formulas"]:
        printed = [line for f in found["formulas"] for line in formula_lines(f["formula"])]
        yield from ("The formulas, as every prover reads them and every sampler runs them:", "")
        yield from (*mathematics(aligned(printed)), "")
    source_lines = textwrap.dedent(found["proof"]["source"]).rstrip().splitlines()
    fence = "```text" if claim.proof else "```python"
    yield from ("The proof, which only says which lemmas and which rule:", "", fence, *source_lines, "```", "")


def obligations(claim: Claim, found: Mapping[str, Any]) -> Iterator[str]:
    """Each obligation, as text and as mathematics, and who discharged it."""
    if found["obligations"]:
        yield from ("## Obligations", "", "What must hold of the formulas, rebuilt from the code at every check.", "")
    for o in found["obligations"]:
        yield from (f"### {o['name']}", "", *code(o["statement"]), "", *mathematics(claim_latex(o["statement"])), "")
        smt_lib = f"proofs/certificates/smt_lib/{o['name']}.smt2"
        text = f"; [as SMT-LIB text]({here(claim, smt_lib)})" if (ROOT / smt_lib).exists() else ""
        yield from (f"Discharged by the rule `{o['rule']}`, trusting {trusted(o['trusts'])}{text}.", "")


def derivation(claim: Claim, theorem: Theorem) -> Iterator[str]:
    """The derivation, drawn, and the inference line of each rule in it."""
    yield from ("## Derivation", "", "Premises above, conclusion below.", "")
    yield from (f"![Derivation of {claim.identifier}]({here(claim, tree_path(claim.identifier))})", "")
    for name in dict.fromkeys(s.rule for s in steps(theorem)):
        inference = inspect.cleandoc(getattr(rules, name).__doc__ or "").split("\n\n")[0]
        yield from (f"{rule_link(claim, name)}:", "", "```text", *inference.splitlines(), "```", "")
    check = f"refdp check {certificate_path(claim)}"
    yield from (f"Replay it: `{check}`. Print all this: `refdp explain {claim.identifier}`.", "")


def code(text: str) -> Iterator[str]:
    """Text as it stands in the code, in lines that fit."""
    yield from ("```text", *textwrap.wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False), "```")


def mathematics(body: str) -> Iterator[str]:
    """Mathematics on lines of its own: in a fence, because nothing in it is then read as Markdown."""
    yield from ("```math", *body.splitlines(), "```")


def source(claim: Claim) -> str:
    """Where the claim comes from, if that is said."""
    return f" Source: {claim.source}." if claim.source else ""


def trusted(names: list[str]) -> str:
    """Whom one must trust, without version numbers: the same on every machine."""
    return ", ".join(dict.fromkeys(VERSION.sub("", n) for n in names)) or "nothing beyond the kernel"


def rules_of(node: Mapping[str, Any]) -> list[str]:
    """The names of the rules in a derivation, each once, from the conclusion up."""
    found = [node["rule"], *(name for premise in node["premises"] for name in rules_of(premise))]
    return list(dict.fromkeys(found))


def rule_link(claim: Claim, name: str) -> str:
    """A rule with its place, and its proof where there is a section about it."""
    place = where(inspect.unwrap(getattr(rules, name)))
    has_proof = f"\n## {name}\n" in _soundness()
    sound = f", [why it is sound]({here(claim, SOUNDNESS)}#{name})" if has_proof else ""
    return f"`{name}` ({link(claim, place)}{sound})"


@cache
def _soundness() -> str:
    """The written proofs of the rules."""
    return (ROOT / SOUNDNESS).read_text(encoding="utf-8")


def here(claim: Claim, path: str) -> str:
    """The relative link from the claim's page to a file of the checkout."""
    return link_from(page_path(claim.identifier), path)


def link(claim: Claim, place: str) -> str:
    """A link from the claim's page to a file of the checkout, or to a line of it."""
    path, _, line = place.partition(":")
    return f"[{place}]({here(claim, path)}{f'#L{line}' if line else ''})"
