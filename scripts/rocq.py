"""The library for Rocq and what is exported to it: `python rocq.py check`, or `python rocq.py lock`.

    check  compiles proofs/rocq and every claim that is exported whole, or whose obligations are; prints what they
           rest on, and compares all of it with proofs/rocq/rules.lock
    lock   does the same, and writes that file and the table of docs/rocq.md

The lock has a line for each rule of the kernel, with a digest of its Python and of its theorems' statements, one for
each file of the library, with a digest of its definitions and statements, and one for each claim, with a digest of its
file and the set of axioms that it may rest on; those about all mechanisms are PROVED by their lines
(`refdp.rocq.lock`).  Where no prover is at hand, tests compare these; nothing is re-checked then.
"""

from __future__ import annotations

import ast
import copy
import fcntl
import inspect
import json
import re
import shutil
import subprocess
import sys
import time
import tomllib
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from pathlib import Path
from random import Random
from threading import BoundedSemaphore
from typing import Any, TypeVar

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # a script's own folder stands first, and not that of the package

import refdp.mechanisms  # noqa: E402
import refdp.statements  # noqa: E402
import refdp.transformations  # noqa: E402, F401  (importing them registers what the claims are about)
from refdp.claims import PROGRAMS, general, ledger, programs  # noqa: E402
from refdp.general import read_general  # noqa: E402
from refdp.kernel.sources import bring  # noqa: E402
from refdp.kernel.theorem import RULES, Theorem  # noqa: E402
from refdp.rocq.claims import NOTHING, PREMISES, WHOLE, file_of, formal_text, prelude  # noqa: E402
from refdp.rocq.general import general_file, general_line  # noqa: E402
from refdp.rocq.library import module_lines, sentences, with_places  # noqa: E402
from scripts import rocq_rows, rocq_twins  # noqa: E402

LIBRARY = ROOT / "proofs" / "rocq"
TABLE = LIBRARY / "rules.toml"
LOCK = LIBRARY / "rules.lock"
PAGE = ROOT / "docs" / "rocq.md"
CERTIFICATES = ROOT / "proofs" / "certificates"
BUILD = ROOT / "build" / "rocq"
TITLE = "# What Rocq has checked; `make rocq` compares, `make rocq-lock` writes: scripts/rocq.py"
MISSING = """Rocq is not here, so nothing is re-checked.  It needs coqc 8.16 or newer with Coquelicot and Interval:
  apt-get install coq libcoq-coquelicot libcoq-interval
  or: opam install coq coq-coquelicot coq-interval"""
TOGETHER, MOST_LINES = 20, 6_000
"""How many claims are compiled as one file."""
AT_ONCE = 2
"""How many files are compiled at once."""
COMPILED_NOW = BoundedSemaphore(AT_ONCE)
"""What is held while a file is compiled."""
LONGEST = 1_200.0
"""Seconds after which a file is given up."""
TOO_LONG = "took more than"
"""What is said then."""
NO_AXIOMS = "Closed under the global context"
TOGETHER_IN_ROCQ = "Inductive together : Type := Nothing | Also (T : Type) (it : T) (others : together)."
"""Of what one term is made that holds many theorems."""
Axioms = frozenset[str]
Placed = tuple[str, int, Mapping[str, Any]]
"""A claim that is compiled with others: the file that it is in, and where."""
T = TypeVar("T")
Definition = tuple[str, list[str], list[tuple[str, str]]]
Module = tuple[dict[str, Definition], dict[str, tuple[str, str]]]
"""What a module defines, and the names that it imports, with where they are from."""
PARTS = "refdp.kernel"
"""Where functions are part of what a rule says.  What it asks of formulas stands in the files of claims."""
ALLOWED = re.compile(
    r"ClassicalDedekindReals\.sig_(forall_dec|not_dec)|FunctionalExtensionality\.functional_extensionality_dep"
    r"|Classical_Prop\.classic|(PrimInt63|PrimFloat|Uint63|FloatAxioms|Int63)\.\w+"
)
"""What theorems may rest on: the real numbers, extensionality, excluded middle, and the machine's own arithmetic."""
VERNACULAR = (
    "From", "Require", "Import", "Open Scope", "Section", "End", "Variable", "Variables", "Hypothesis", "Hypotheses",
    "Context", "Let", "Definition", "Fixpoint", "Inductive", "Record", "Class", "Theorem", "Lemma", "Corollary",
    "Example", "Arguments", "Ltac", "Implicit Types", "Notation", "Local Notation", "#[global] Instance",
    "Local Open Scope",
)  # fmt: skip
"""How a sentence of the library that stands in no proof may begin; assumptions stand in sections alone."""
ASSUMING = ("Variable", "Variables", "Hypothesis", "Hypotheses", "Context")
DECLARED = re.compile(r"(Theorem|Lemma|Corollary|Example|Definition|Fixpoint|Inductive|Record)\s+(\w+)")
CONTEXT = re.compile(r"(Variables?|Hypothes[ie]s|Context|Let)\b")


def statements(module: str, folder: Path = LIBRARY) -> dict[str, str]:
    """What is stated or defined in a module of the library: name -> statement, with what its sections assume."""
    found: dict[str, str] = {}
    open_sections: list[list[str]] = []
    for sentence in sentences((folder / f"{module}.v").read_text(encoding="utf-8")):
        if sentence.startswith("Section "):
            open_sections.append([])
        elif sentence.startswith("End ") and open_sections:
            open_sections.pop()
        elif open_sections and CONTEXT.match(sentence):
            open_sections[-1].append(sentence)
        elif stated := DECLARED.match(sentence):
            found[stated.group(2)] = ". ".join((*(s for section in open_sections for s in section), sentence))
    return found


def table() -> dict[str, dict[str, Any]]:
    """Rule -> its theorems in the library, or the reason why it has none."""
    found: dict[str, dict[str, Any]] = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    return found


def rule_digest(name: str) -> str:
    """SHA-256 of a rule as Python reads it, with all of the kernel's that it calls."""
    found = inspect.unwrap(RULES[name])
    return digest_of(found.__module__, found.__name__, module_of)


@cache
def module_of(module: str) -> Module:
    """A module whose functions are part of what a rule says; one without any for others."""
    path = ROOT.joinpath(*module.split("."))
    path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return read_module(path.read_text(encoding="utf-8") if module.startswith(PARTS) and path.is_file() else "")


def digest_of(module: str, name: str, read: Callable[[str], Module]) -> str:
    """SHA-256 of a definition of a module and of all that it names, in modules that are read; layout apart."""
    reached: dict[tuple[str, str], str] = {}
    waiting = [(module, name)]
    while waiting:
        one = waiting.pop()
        definitions, imported = read(one[0])
        if one[1] in imported:
            waiting.append(imported[one[1]])
        elif one[1] in definitions and one not in reached:
            reached[one], names, attributes = definitions[one[1]]
            waiting += [(one[0], other) for other in names]
            waiting += [(".".join(imported[of]), other) for of, other in attributes if of in imported]
    return sha256("\n".join(reached[one] for one in sorted(reached)).encode()).hexdigest()[:16]


def read_module(source: str) -> Module:
    """What a module defines at its top, each with its text and the names in it; and what it imports from where."""
    definitions: dict[str, Definition] = {}
    imported: dict[str, tuple[str, str]] = {}
    for node in ast.parse(source).body:
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                definitions[name] = definition(node)
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                definitions[name] = definition(node)
            case ast.ImportFrom(module=str(origin), names=names):
                imported |= {alias.asname or alias.name: (origin, alias.name) for alias in names}
    return definitions, imported


def definition(node: ast.stmt) -> Definition:
    """The text of a definition, layout apart, the names in it, and the attributes of names."""
    parts = list(ast.walk(node))
    attributes = {
        (part.value.id, part.attr)
        for part in parts
        if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name)
    }
    names = {part.id for part in parts if isinstance(part, ast.Name)}
    return ast.dump(without_docstrings(node)), sorted(names), sorted(attributes)


def without_docstrings(node: ast.stmt) -> ast.stmt:
    """A definition without the sentences that say what it does; a rule's own is part of what it says."""
    found = copy.deepcopy(node)
    for part in ast.walk(found):
        is_rule = isinstance(part, ast.FunctionDef) and any(
            isinstance(d, ast.Name) and d.id == "rule" for d in part.decorator_list
        )
        body = getattr(part, "body", None)
        if isinstance(part, ast.FunctionDef | ast.ClassDef) and not is_rule and isinstance(body, list):
            first = body[0]
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and len(body) > 1:
                del body[0]
    return found


def rule_lines() -> Iterator[str]:
    """The lines of the lock about rules: the rule's digest, and each theorem with that of its statement."""
    known: dict[str, dict[str, str]] = {}
    for name, told in sorted(table().items()):
        theorems = []
        for qualified in told.get("theorems", ()):
            module, _, theorem = qualified.partition(".")
            stated = known.setdefault(module, statements(module))
            if theorem not in stated:
                raise LookupError(f"{qualified}, named for the rule {name}, is not in proofs/rocq")
            theorems.append(f"{qualified} {sha256(stated[theorem].encode()).hexdigest()[:16]}")
        yield " ".join(("rule", name, rule_digest(name), *theorems))


def forbidden(text: str) -> list[str]:
    """The sentences of a file of the library that assume something, or that no file of it may have."""
    found, depth = [], 0
    for sentence, inside in with_places(text):
        if inside:
            bad = re.search(r"\b(admit|give_up|Admitted|Abort|bypass_check)\b", sentence) is not None
        else:
            depth += sentence.startswith("Section ") - (sentence.startswith("End ") and depth > 0)
            begins = next((word for word in VERNACULAR if sentence == word or sentence.startswith(f"{word} ")), None)
            bad = begins is None or begins in ASSUMING and not depth
        if bad:
            found.append(sentence)
    return found


def page_with(text: str) -> str:
    """The page of the library with its table of rules made anew."""
    start, end = "<!-- rules: made from proofs/rocq/rules.toml by scripts/rocq.py -->\n", "<!-- end of rules -->"
    before, _, rest = text.partition(start)
    _, _, after = rest.partition(end)
    return "".join((before, start, "\n", *(f"{line}\n" for line in rule_table()), "\n", end, after))


def rule_table() -> Iterator[str]:
    """The table of rules of the page: theorems, what is lacking, or what a rule rests on."""
    yield "| rule | theorems | lacking, or what it rests on |"
    yield "|---|---|---|"
    for name, told in sorted(table().items()):
        theorems = ", ".join(f"`{theorem}`" for theorem in told.get("theorems", ())) or "none"
        said = next((told[key] for key in ("lacks", "evidence", "instances", "missing") if key in told), "")
        yield f"| `{name}` | {theorems} | {said} |"


def theorem_of(certificate: Mapping[str, Any]) -> Theorem:
    """The theorem of a certificate, by its rules; no oracle is asked, as nothing is believed of what is exported."""
    made: list[Theorem] = []
    for text in certificate.get("sources", {}).values():
        bring(text)
    for step in certificate["steps"]:
        made.append(RULES[step["rule"]](*(made[p] for p in step["premises"]), **step["data"]))
    return made[-1]


def exported(names: Iterable[str] | None = None) -> Iterator[dict[str, Any]]:
    """The file of each claim of the ledger that has a certificate."""
    chosen = None if names is None else set(names)
    for claim in (*ledger(), *programs()):
        folder = CERTIFICATES / "programs" if claim.book == PROGRAMS else CERTIFICATES
        path = folder / f"{claim.identifier}.json"
        if path.is_file() and (chosen is None or claim.identifier in chosen):
            theorem = theorem_of(json.loads(path.read_text(encoding="utf-8")))
            # A claim of a program is written by its decorator.
            formal = formal_text(theorem) if claim.book == PROGRAMS else claim.formal
            yield file_of(theorem, claim.identifier, claim.sentence, formal)


def claim_line(found: Mapping[str, Any]) -> str:
    """The line of the lock about a claim."""
    digest = sha256("\n".join(found["body"]).encode()).hexdigest()[:16]
    return f"claim {found['claim']} {found['status']} {digest}"


def exported_general() -> Iterator[dict[str, Any]]:
    """The file of each claim about all mechanisms."""
    for claim in general():
        yield general_file(read_general(claim.formal), claim.proof, claim.identifier, claim.sentence)


def general_lines(files: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """The lines of the lock about claims about all mechanisms, of files that the prover has accepted."""
    return map(general_line, files)


def required(text: str) -> set[str]:
    """The modules of the library that a file needs."""
    found = (s.split()[2:] for s in sentences(text) if s.startswith("From Refdp Require"))
    return {word for words in found for word in words if word not in ("Require", "Import", "Export")}


def in_order() -> list[list[str]]:
    """The modules of the library, those that need none before those that need them, in groups that need not wait."""
    needs = {path.stem: required(path.read_text(encoding="utf-8")) for path in LIBRARY.glob("*.v")}
    groups: list[list[str]] = []
    while needs:
        ready = sorted(name for name, needed in needs.items() if not needed & needs.keys())
        if not ready:
            raise RuntimeError(f"modules of proofs/rocq need each other: {', '.join(sorted(needs))}")
        groups.append(ready)
        for name in ready:
            del needs[name]
    return groups


def compiled(path: Path, longest: float = LONGEST) -> subprocess.CompletedProcess[str]:
    """What the prover says of a file, once fewer than so many others are compiled."""
    words = ["coqc", "-w", "none", "-Q", str(BUILD / "library"), "Refdp", str(path)]
    with COMPILED_NOW:
        try:
            return subprocess.run(words, capture_output=True, text=True, check=False, timeout=longest, cwd=BUILD)
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess(words, 1, "", f"{path.name} {TOO_LONG} {longest:.0f} seconds")


def compile_library() -> list[str]:
    """Compile the library in a folder of its own, each module once those that it needs are; what went wrong."""
    folder = BUILD / "library"
    shutil.rmtree(BUILD, ignore_errors=True)
    folder.mkdir(parents=True)
    names = [name for group in in_order() for name in group]
    made: dict[str, Future[subprocess.CompletedProcess[str]]] = {}

    def compile_one(path: Path, needed: Sequence[str]) -> subprocess.CompletedProcess[str]:
        wait([made[name] for name in needed])
        return compiled(path)

    with ThreadPoolExecutor(len(names)) as pool:
        for name in names:
            path = Path(shutil.copy(LIBRARY / f"{name}.v", folder))
            needed = sorted(required(path.read_text(encoding="utf-8")))
            made[name] = pool.submit(compile_one, path, needed)
    return [f"{name}.v: {made[name].result().stderr.strip()}" for name in names if made[name].result().returncode]


def compile_library_once() -> list[str]:
    """Compile the library, unless its files are compiled as they are; what went wrong."""
    folder = BUILD / "library"
    for path in LIBRARY.glob("*.v"):
        copied, made = folder / path.name, folder / f"{path.stem}.vo"
        if not (made.is_file() and copied.is_file() and copied.read_bytes() == path.read_bytes()):
            return compile_library()
    return []


def rule_axioms() -> Axioms:
    """The axioms that the theorems of rules rest on."""
    names = sorted({theorem for told in table().values() for theorem in told.get("theorems", ())})
    modules = sorted({name.partition(".")[0] for name in names})
    return printed_axioms("axioms_of_rules", [f"From Refdp Require {' '.join(modules)}."], names)[0]


def applied_theorems() -> set[str]:
    """The theorems of rules that examples rest on which assume nothing; RuntimeError where the prover is silent."""
    examples = sorted(closed_examples())
    modules = sorted({name.partition(".")[0] for name in examples})
    together = f"Definition all_of_them := {all_of(examples)}."
    path = BUILD / "applied.v"
    lines = (f"From Refdp Require {' '.join(modules)}.", TOGETHER_IN_ROCQ, together, "Set Printing Depth 5.")
    path.write_text("\n".join((*lines, "Print Opaque Dependencies all_of_them.")) + "\n", encoding="utf-8")
    done = compiled(path)
    if done.returncode:
        raise RuntimeError(f"{path.name}: {done.stderr.strip()[:2000]}")
    said = {line.split()[0] for line in done.stdout.splitlines() if line and not line.startswith(" ")}
    return {name for told in table().values() for name in told.get("theorems", ()) if name in said}


def closed_examples(folder: Path = LIBRARY) -> Iterator[str]:
    """The examples of the library that have neither premises nor anything else to be given, by their qualified names.

    One that says that something is false for some of the values it speaks of has premises inside only.
    """
    for path in folder.glob("*.v"):
        for name, statement in statements(path.stem, folder).items():
            begins = re.match(r"Example \w+ :(?!=)", statement)
            says = without_brackets(statement[begins.end() :]).strip() if begins else ""
            if says.startswith("~ forall ") or re.search(r"\w", says) and not re.search(r"->|\bforall\b", says):
                yield f"{path.stem}.{name}"


def without_brackets(text: str) -> str:
    """A text without what stands in round brackets."""
    while (less := re.sub(r"\([^()]*\)", "", text)) != text:
        text = less
    return text


def applied() -> str:
    """The line of the lock with the number of examples that apply all theorems of rules; Refused where one is left."""
    theorems = {name for told in table().values() for name in told.get("theorems", ())}
    if found := sorted(theorems - applied_theorems()):
        raise Refused(f"no example applies {', '.join(found)}")
    return f"applied {sum(1 for _ in closed_examples())}"


def all_of(theorems: Sequence[str]) -> str:
    """Theorems as one term for the prover; a tuple would say the last statement as often as there are others."""
    found = "Nothing"
    for theorem in reversed(theorems):
        found = f"Also _ (@{theorem}) ({found})"
    return found


def printed_axioms(name: str, text: Sequence[str], *groups: Sequence[str], longest: float = LONGEST) -> list[Axioms]:
    """Compile a file that ends by printing what each group of theorems rests on; RuntimeError where that is refused."""
    path = BUILD / f"{name}.v"
    lines = [*text, TOGETHER_IN_ROCQ]
    for index, theorems in enumerate(groups):
        lines += [f"Definition all_of_{index} := {all_of(theorems)}.", f"Print Assumptions all_of_{index}."]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    done = compiled(path, longest)
    if done.returncode:
        raise RuntimeError(f"{path.name}: {done.stderr.strip()[:2000]}")
    found = axioms_in(done.stdout)
    if len(found) != len(groups):
        asked = f"asked {len(groups)} times what theorems rest on"
        raise RuntimeError(f"{path.name}: {asked}, the prover answered {len(found)} times")
    return found


def axioms_in(said: str) -> list[Axioms]:
    """The axioms in each answer to `Print Assumptions`: what stands at the beginning of a line, its type after it."""
    found: list[set[str]] = []
    for line in said.splitlines():
        if line in (NO_AXIOMS, "Axioms:"):
            found.append(set())
            is_open = line != NO_AXIOMS
        elif not found or not is_open:
            raise RuntimeError(f"the prover did not say what theorems rest on: {said[:200]}")
        elif not line.startswith(" "):
            found[-1].add(line.split()[0])
    return [frozenset(one) for one in found]


def checked_claims(
    files: Sequence[Mapping[str, Any]], known: Mapping[str, Axioms]
) -> tuple[dict[str, Axioms], list[str]]:
    """The axioms that the theorems of each claim may rest on; and the claims whose files the prover refuses.

    The prover takes seconds to say what theorems rest on, and is asked of many claims together: where their axioms are
    known, of those with the same ones, which must rest on no others; else of claims that are alike, each of which may
    rest on theirs.
    """
    rest: dict[str, Axioms] = {}
    refused: list[str] = []
    alike: dict[object, list[Mapping[str, Any]]] = {}
    accepted: dict[object, list[Placed]] = {}
    for one in files:
        kind = tuple(one["modules"]), any("interval" in line for line in one["body"])
        alike.setdefault(known.get(one["claim"], kind), []).append(one)

    def compile_part(kind: object, name: str, some: Sequence[Mapping[str, Any]]) -> None:
        path = BUILD / f"{name}.v"
        path.write_text("\n".join(together(some)) + "\n", encoding="utf-8")
        done = compiled(path, LONGEST)
        if not done.returncode:
            accepted.setdefault(kind, []).extend((name, index, one) for index, one in enumerate(some))
        elif len(some) == 1:
            refused.append(f"{some[0]['claim']}: {path.name}: {done.stderr.strip()[:2000]}")
        else:
            for letter, half in zip("ab", halves(some), strict=True):
                compile_part(kind, f"{name}{letter}", half)

    def ask(name: str, some: Sequence[Placed]) -> None:
        needed = sorted({module for module, _, _ in some})
        theorems = [f"{module}.claim_{index}.{called}" for module, index, one in some for called in one["names"]]
        may = known.get(some[0][2]["claim"])
        try:
            (found,) = printed_axioms(name, [f"Require {' '.join(needed)}."], theorems)
        except RuntimeError as error:
            if len(some) == 1:
                refused.append(f"{some[0][2]['claim']}: {error}")
                return
            found = None
        if found is not None and (may is None or found <= may or len(some) == 1):
            rest.update((one["claim"], may if may is not None and found <= may else found) for _, _, one in some)
        else:
            for letter, half in zip("ab", halves(some), strict=True):
                ask(f"{name}{letter}", half)

    with ThreadPoolExecutor(AT_ONCE) as pool:
        parts = [(kind, part) for kind, some in alike.items() for part in in_parts(some)]
        names = [f"claims_{index}_" for index in range(len(parts))]
        list(pool.map(compile_part, [kind for kind, _ in parts], names, [part for _, part in parts]))
        asked = list(accepted.values())
        list(pool.map(ask, [f"axioms_of_claims_{index}_" for index in range(len(asked))], asked))
    return rest, sorted(refused)


def halves(some: Sequence[T]) -> tuple[Sequence[T], Sequence[T]]:
    """A first and a second half."""
    return some[: len(some) // 2], some[len(some) // 2 :]


def in_parts(files: Iterable[Mapping[str, Any]]) -> Iterator[list[Mapping[str, Any]]]:
    """The files in parts of not too many claims, and not too many lines, each of which is compiled as one."""
    part: list[Mapping[str, Any]] = []
    lines = 0
    for one in files:
        if part and (len(part) == TOGETHER or lines + len(one["body"]) > MOST_LINES):
            yield part
            part, lines = [], 0
        part.append(one)
        lines += len(one["body"])
    if part:
        yield part


def together(files: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Files of several claims as one, each in a module of its own."""
    yield from prelude({module for one in files for module in one["modules"]})
    for index, one in enumerate(files):
        yield f"Module claim_{index}."
        yield from one["body"]
        yield f"End claim_{index}."


def changed_sums(files: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Files of claims in each of which one weight of one sum is another: the prover must refuse them."""
    for one in files:
        text = one["text"]
        at = text.rfind(" + 1 * (")
        if one["status"] == WHOLE and at >= 0 and "vanishes" in text[text.rfind("\n", 0, at) : at]:
            yield text[:at] + " + 2 * (" + text[at + len(" + 1 * (") :]


def near_misses(files: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Files whose last theorem says a little more than is true: the prover must refuse them.

    LookupError where a claim is not proved, or does not say what is to be changed.
    """
    texts = {one["claim"]: one["text"] for one in files if one["status"] in (WHOLE, PREMISES)}
    for claim, said, instead in NEAR_MISSES:
        if claim not in texts:
            raise LookupError(f"the near miss of {claim} must be one of a claim that is proved")
        begins = texts[claim].rindex("\nTheorem ")
        ends = texts[claim].index("\nProof.", begins)
        before, statement, after = texts[claim][:begins], texts[claim][begins:ends], texts[claim][ends:]
        if statement.count(said) != 1:
            raise LookupError(f"the theorem of {claim} must say {said} once")
        yield before + statement.replace(said, instead) + after


def less_noise(files: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Files about programs, in each of which the first draw has a little less noise than was proved."""
    texts = {one["claim"]: one["text"] for one in files}
    for claim in LESS_NOISE:
        changed = with_less_noise(texts[claim])
        if changed is not None:
            yield changed


def with_less_noise(text: str) -> str | None:
    """A file about a program whose first draw has a little less noise; None where it draws none."""
    changed, count = DRAW.subn(rf"\g<1>({LESS}\g<2>)\g<3>", text, count=1)
    return changed if count else None


def without_a_premise(files: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Files without the last of their premises, short ones first: what comes before is proved each time."""
    for one in sorted(files, key=lambda one: len(one["text"])):
        if one["premises"]:
            begins = one["text"].index(f"\nHypothesis {one['premises'][-1]['name']} :")
            yield one["text"][:begins] + one["text"][one["text"].index(".\n", begins) + 1 :]


DRAW = re.compile(r"(draw \((?:discrete_)?(?:laplace|exponential)(?: noise)? )(\(.*\))(\) \(fun draw_)")
"""A draw of a program, and its scale."""
LESS = "999 / 1000 * "
NEAR_MISSES = (
    *((claim, "(pure (d_in / scale))", f"(pure ({LESS}(d_in / scale)))") for claim in (
        "discrete_laplace.pure", "discrete_laplace.pure_vector", "laplace.pure", "truncated_geometric.pure",
    )),
    ("gaussian.concentrated", "(Renyi.concentrated (", f"(Renyi.concentrated ({LESS}"),
    ("exponential.pure", "(pure (2 * d_in / scale))", f"(pure ({LESS}(2 * d_in / scale)))"),
    ("exponential.monotone", "(Tables.monotone ", "(Tables.linf "),
    ("randomised_response.pure", "(pure (ln", f"(pure ({LESS}ln"),
    ("one_bit_mean.pure", "(pure (ln", f"(pure ({LESS}ln"),
    ("optimised_unary_encoding.pure", "(pure (ln", f"(pure ({LESS}ln"),
    ("composition.sequential_pure", "(pure (d_in / scale + d_in / other_scale))", "(pure (d_in / scale))"),
    ("clamped_sum.add_remove", "(Tables.absolute (d_in *", f"(Tables.absolute ({LESS}d_in *"),
    ("clamped_sum.change_one", "(Tables.absolute (d_in *", f"(Tables.absolute ({LESS}d_in *"),
    ("histogram.change_one_l2", "(d_in * sqrt 2)", "(d_in * 1)"),
    ("columns.column_add_remove", "(Tables.on_grid granularity)", "(Tables.on_grid (2 * granularity))"),
    ("missing.fill_add_remove", "(StabilityClaims.is_cell replacement) -> ", ""),
    ("tree_sums.pure", "(pure (d_in * IZR levels / scale))", f"(pure ({LESS}(d_in * IZR levels / scale)))"),
    ("class_counts.noisy", "(pure (d_in * IZR dimension / scale))", f"(pure ({LESS}(d_in * IZR dimension / scale)))"),
    ("missing.drop_change_one", "(Tables.symmetric (2 * d_in))", "(Tables.symmetric d_in)"),
    ("columns.category_of_add_remove", "(StabilityClaims.category dimension)",
     "(StabilityClaims.category (dimension - 1))"),
    ("prefix_sums.l1", "(d_in * IZR entries)", "(d_in * (IZR entries - 1))"),
    *((f"{stem}.ratio_999_thousandths", "(999 / 1000)", "(1000 / 1000)") for stem in (
        "one_bit_mean", "optimised_unary_encoding", "symmetric_unary_encoding", "permanent_response", "rappor",
    )),
    *((claim, "(pure epsilon)", f"(pure ({LESS}epsilon))") for claim in (
        "laplace_mechanism.all", "sparse_vector.all", "noisy_max.all", "partial_sum.one",
    )),
    *((f"every_mechanism.{notion}", said, instead) for notion, said, instead in (
        ("post_processed_pure", "(M the_input)) (pure e)", f"(M the_input)) (pure ({LESS}e))"),
        ("post_processed_approximate", "(M the_input)) (approximate e d)", "(M the_input)) (approximate e 0)"),
        ("sequential_pure", "J (pure (a + b))", "J (pure (Rmax a b))"),
        ("sequential_pure", "d_in)) J", "(2 * d_in))) J"),
        ("sequential_approximate", "(approximate (a + b) (c + d))", "(approximate (a + b) c)"),
        ("sequential_concentrated", "(Renyi.concentrated (a + b))", "(Renyi.concentrated (Rmax a b))"),
        ("sequential_renyi", "(Renyi.renyi order (a + b))", "(Renyi.renyi order (Rmax a b))"),
        ("repeated_pure", "(IZR k * e)", "((IZR k - 1) * e)"),
        ("parallel_pure", "(Rmax a b)", "(Rmin a b)"),
        ("parallel_pure", " 1 the_input", " 0 the_input"),
        ("parallel_replaced", "(Rmax a b + Rmax a b)", "(Rmax a b)"),
        ("group_pure", "(IZR k * e)", "e"),
        ("group_approximate", "(d * ((exp (IZR k * e) - 1) / (exp e - 1)))", "(IZR k * d)"),
        ("group_approximate", "0 < e ->", "0 <= e ->"),
        ("group_concentrated", "(IZR k * IZR k * rho)", "(IZR k * rho)"),
        ("pure_to_approximate", "(approximate e 0)", f"(approximate ({LESS}e) 0)"),
        ("pure_to_concentrated", "(e ^ 2 / 2)", "(e ^ 2 / 4)"),
        ("concentrated_to_approximate", "2 * sqrt", "sqrt"),
        ("renyi_to_approximate", "/ (order - 1)", "/ order"),
        ("poisson_sampled_pure", "rate * (exp e - 1)", "rate * e"),
        ("poisson_sampled_pure", "unordered (Tables.table_of rows)", "unordered (fun _ => False)"),
        ("fixed_size_sampled_pure", "IZR sample / IZR size", "IZR sample / (IZR size + 1)"),
        ("replaced_rows", "(Tables.symmetric 2)", "(Tables.symmetric 1)"),
    )),
)  # fmt: skip
"""Claim, what its theorem says, and what is a little too much: of a refutation, that it refutes a tight true claim."""
CHANGED = 12
"""How many sums are changed."""
LESS_NOISE = ("laplace_mechanism.all", "sparse_vector.all", "noisy_max_exponential.all", "discrete_histogram.l1")
"""Programs that are given less noise."""


PROGRAM_SEED, DRAWN_PROGRAMS = 40, 40
"""The published seed that draws programs, and how many."""


class Refused(RuntimeError):
    """Something was not accepted, or was accepted that must not be."""


def all_refused(kind: str, texts: Iterable[str], count: int) -> str:
    """Compile so many texts, none of which may be accepted; a line that says so."""
    paths = []
    for index, text in zip(range(count), texts):  # noqa: B905  (of sums there are more)
        paths.append(BUILD / f"{kind.replace(' ', '_')}_{index}.v")
        paths[-1].write_text(text, encoding="utf-8")
    if len(paths) < count:
        raise Refused(f"there must be {count} files with a {kind}, got {len(paths)}")
    with ThreadPoolExecutor(AT_ONCE) as pool:
        done = list(pool.map(compiled, paths))
    accepted = [path.name for path, one in zip(paths, done, strict=True) if "Error" not in one.stderr]
    if accepted:
        raise Refused(f"accepted, though each has a {kind}: {', '.join(accepted)}")
    return f"{kind}: {count} of {count} refused"


def lock_text(version: str, of_rules: Axioms, examples: str, claims: Iterable[str], rest: Mapping[str, Axioms]) -> str:
    """The lock: prover, sets of axioms, files, rules with their theorems, examples that apply these, claims."""
    sets = sorted({of_rules, *rest.values()}, key=lambda axioms: (len(axioms), sorted(axioms)))
    names = {axioms: f"set_{index}" for index, axioms in enumerate(sets, start=1)}
    head = [TITLE, f"prover {version}", *(" ".join(("axioms", names[one], *sorted(one))) for one in sets)]
    ends = {claim: f" {names[axioms]}" for claim, axioms in rest.items()}
    told = (f"{line}{ends.get(line.split()[1], '')}" for line in claims)
    rules = (*rule_lines(), f"rules {names[of_rules]}", examples)
    return "\n".join((*head, *module_lines(), *rules, *told)) + "\n"


def known_axioms(lock: str, lines: Iterable[str]) -> dict[str, Axioms]:
    """The axioms that a lock says that each claim may rest on, of claims whose lines have not changed."""
    told = [line.split() for line in lock.splitlines()]
    sets = {words[1]: frozenset(words[2:]) for words in told if words[0] == "axioms"}
    said = {tuple(words[:-1]): sets.get(words[-1]) for words in told if words[0] in ("claim", "general")}
    found = {words[1]: said.get(words) for words in map(tuple, map(str.split, lines))}
    return {claim: axioms for claim, axioms in found.items() if axioms is not None}


def checked() -> str:
    """What the lock says of all that is checked, which is printed as it goes; Refused where something is not right."""
    start = time.perf_counter()
    version = subprocess.run(["coqc", "--print-version"], capture_output=True, text=True, check=True).stdout.split()[0]
    with ThreadPoolExecutor(1) as pool:
        writing = pool.submit(lambda: (list(exported()), list(exported_general())))
        wrong = compile_library()
        files, of_all = writing.result()
    if wrong:
        raise Refused("\n".join(wrong))
    say(f"library: {sum(map(len, in_order()))} files, {elapsed(start)}")
    counts = Counter(one["status"] for one in files)
    if not counts[WHOLE]:
        raise Refused("no claim is whole: nothing would be checked")
    lines = [*map(claim_line, files), *general_lines(of_all)]
    known = known_axioms(LOCK.read_text(encoding="utf-8") if LOCK.is_file() else "", lines)
    refusals: tuple[tuple[str, Iterable[str], int], ...] = (
        ("changed definition", rocq_twins.changed(), len(rocq_twins.CHANGED)),
        ("changed answer", rocq_rows.changed(CHANGED), CHANGED),
        ("changed weight", changed_sums(files), CHANGED),
        ("near miss", near_misses([*files, *of_all]), len(NEAR_MISSES)),
        ("program with less noise", less_noise(files), len(LESS_NOISE)),
        ("missing premise", without_a_premise(files), CHANGED),
    )
    with ThreadPoolExecutor() as pool:
        resting, applying = pool.submit(rule_axioms), pool.submit(applied)
        alike = [pool.submit(decided_alike), pool.submit(answered_alike)]
        refusing = [pool.submit(all_refused, *one) for one in refusals]
        checking = pool.submit(checked_claims, [one for one in (*files, *of_all) if one["status"] != NOTHING], known)
        of_rules, examples = resting.result(), applying.result()
        say(f"examples: {examples.split()[1]}, which apply every theorem of a rule")
        for one in (*alike, *refusing):
            say(one.result())
        rest, refused = checking.result()
    if refused:
        raise Refused("\n".join(("refused:", *refused)))
    axioms = of_rules.union(*rest.values())
    if beyond := sorted(axiom for axiom in axioms if not ALLOWED.fullmatch(axiom)):
        raise Refused(f"theorems rest on more than the real numbers: {', '.join(beyond)}")
    rules = table()
    say(f"rules: {sum('theorems' in told for told in rules.values())} of {len(rules)} have theorems")
    say(f"claims: {counts[WHOLE]} whole, {counts[PREMISES]} from premises that solvers proved,")
    say(f"  {counts['obligations']} by their obligations alone, {counts[NOTHING]} not")
    say(f"programs: {drawn_programs(files)}")
    say(f"claims about all mechanisms: {sum(one['status'] == WHOLE for one in of_all)} of {len(of_all)} whole")
    say(f"axioms: {', '.join(sorted(axiom for axiom in axioms if axiom.count('Prim') + axiom.count('Uint') == 0))}")
    say(f"and {sum('Prim' in axiom or 'Uint' in axiom for axiom in axioms)} of the prover's machine arithmetic")
    say(f"all of it: {elapsed(start)}")
    return lock_text(version, of_rules, examples, lines, rest)


def decided_alike() -> str:
    """Compile random instances that refdp and the library decide; a line that says that they decide them alike."""
    twins = rocq_twins.twins()
    require_accepted("twins", rocq_twins.text(twins), "refdp and the library decide an instance differently")
    return f"twins: {len(twins)} random instances of {len(rocq_twins.TWINS)} definitions, decided alike"


def answered_alike() -> str:
    """Compile random tables that functions of rows are applied to; a line that says that all are answered alike."""
    rows = rocq_rows.instances()
    require_accepted("rows", rocq_rows.file_text(rows), "refdp and the library make different rows of a table")
    return f"rows: functions of rows on {len(rows)} random tables, answered alike"


def require_accepted(name: str, text: str, otherwise: str) -> None:
    """Compile a text; Refused, with what it means, where the prover refuses it."""
    path = BUILD / f"{name}.v"
    path.write_text(text, encoding="utf-8")
    if (done := compiled(path)).returncode:
        raise Refused(f"{otherwise}: {done.stderr.strip()}")


def drawn_programs(files: Iterable[Mapping[str, Any]]) -> str:
    """What is proved of proofs about programs of the library, drawn by a seed."""
    expected = {claim.identifier for claim in programs() if claim.expected == "PROVED"}
    found = sorted((one["claim"], one["status"]) for one in files if one["claim"] in expected)
    drawn = Random(PROGRAM_SEED).sample(found, min(DRAWN_PROGRAMS, len(found)))
    counts = Counter(status for _, status in drawn)
    said = (
        f"of {len(drawn)} drawn by seed {PROGRAM_SEED} from {len(found)} that are proved, {counts[WHOLE]} are whole, "
    )
    return f"{said}{counts[PREMISES]} have premises of solvers alone, {counts[NOTHING]} are not"


def say(line: str) -> None:
    """Print a line at once."""
    print(line, flush=True)


def main() -> int:
    """0 where all is accepted, and as the lock says; 1 where not; 2 where there is no prover."""
    parser = ArgumentParser(prog="rocq.py", description=__doc__.partition("\n")[0])
    parser.add_argument("do", choices=("check", "lock"), help="check all of it; or also write proofs/rocq/rules.lock")
    asked = parser.parse_args()
    if shutil.which("coqc") is None:
        print(MISSING)
        return 2
    try:
        with alone():
            text = checked()
    except (Refused, RuntimeError, LookupError) as error:
        print(error)
        return 1
    if asked.do == "lock":
        LOCK.write_text(text, encoding="utf-8")
        PAGE.write_text(page_with(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    elif without_prover(text) != without_prover(LOCK.read_text(encoding="utf-8")):
        print("proofs/rocq/rules.lock says otherwise; `make rocq-lock` writes what is so now")
        return 1
    return 0


def drawn_by_a_seed(called: str, about: str | None, seed: int, count: int, check: Callable[[int, int], int]) -> int:
    """What a script that draws so many by a seed and checks them ends with: 2 where there is no prover."""
    parser = ArgumentParser(prog=called, description=(about or "").partition("\n")[0])
    parser.add_argument("do", choices=("check",), help="prove, export and compile them")
    parser.add_argument("--seed", type=int, default=seed, help="what draws them")
    parser.add_argument("--count", type=int, default=count, help="how many are drawn, or proved")
    asked = parser.parse_args()
    if shutil.which("coqc") is None:
        print(MISSING)
        return 2
    try:
        with alone():
            return check(asked.seed, asked.count)
    except (Refused, subprocess.SubprocessError) as error:
        print(error)
        return 1


@contextmanager
def alone() -> Iterator[None]:
    """No other run writes to the build folder meanwhile; Refused where one does."""
    BUILD.mkdir(parents=True, exist_ok=True)
    with (BUILD.parent / "rocq.busy").open("w") as busy:
        try:
            fcntl.flock(busy, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise Refused("another run is checking this folder") from None
        yield


def without_prover(text: str) -> list[str]:
    """The lines of a lock but for the version of the prover."""
    return [line for line in text.splitlines() if not line.startswith("prover ")]


def elapsed(start: float) -> str:
    """Seconds since then."""
    return f"{time.perf_counter() - start:.0f} s"


if __name__ == "__main__":
    raise SystemExit(main())
