"""The library for Rocq and what is exported to it: `python rocq.py check`, or `python rocq.py lock`.

    check  compiles proofs/rocq and every claim that is exported whole, or whose obligations are; prints what they
           rest on, and compares all of it with proofs/rocq/rules.lock
    lock   does the same, and writes that file and the table of docs/rocq.md

The lock has a line for each rule of the kernel, with a digest of its Python and of its theorems' statements, and one
for each claim, with a digest of its file.  Where no prover is at hand, tests compare these; nothing is re-checked then.
"""

from __future__ import annotations

import ast
import inspect
import json
import random
import re
import shutil
import subprocess
import sys
import time
import tomllib
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # a script's own folder stands first, and not that of the package

import refdp.mechanisms  # noqa: E402
import refdp.statements  # noqa: E402
import refdp.transformations  # noqa: E402, F401  (importing them registers what the claims are about)
from refdp.claims import ledger  # noqa: E402
from refdp.kernel.theorem import RULES, Theorem  # noqa: E402
from refdp.rocq.claims import HEAD, NOTHING, WHOLE, file_of  # noqa: E402
from refdp.spec.distances import hockey_stick  # noqa: E402

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
TOGETHER = 10
"""How many claims are compiled as one file."""
AT_ONCE = 2
"""How many files are compiled at once."""
LONGEST = 300
"""Seconds after which a file is given up."""
DECLARED = re.compile(r"(Theorem|Lemma|Corollary|Example|Definition|Fixpoint|Inductive|Record)\s+(\w+)")
CONTEXT = re.compile(r"(Variables?|Hypothes[ie]s|Context|Let)\b")


def sentences(text: str) -> Iterator[str]:
    """The sentences of a file of Rocq, without comments, white space as one blank."""
    depth, kept = 0, []
    for part in re.split(r"(\(\*|\*\))", text):
        depth += (part == "(*") - (part == "*)")
        if depth == 0 and part != "*)":
            kept.append(part)
    for sentence in re.split(r"\.(?=\s|$)", "".join(kept)):
        if sentence.strip():
            yield " ".join(sentence.split())


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
    """SHA-256 of a rule as Python reads it."""
    return digest_of(Path(inspect.getfile(inspect.unwrap(RULES[name]))).read_text(encoding="utf-8"), name)


def digest_of(source: str, name: str) -> str:
    """SHA-256 of a function of a file, and of those of the file that it calls, layout apart."""
    tree = ast.parse(source)
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    reached, waiting = set[str](), [name]
    while waiting:
        if (one := waiting.pop()) in functions and one not in reached:
            reached.add(one)
            waiting += [node.id for node in ast.walk(functions[one]) if isinstance(node, ast.Name)]
    text = "\n".join(ast.dump(functions[one]) for one in sorted(reached))
    return sha256(text.encode()).hexdigest()[:16]


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
    for step in certificate["steps"]:
        made.append(RULES[step["rule"]](*(made[p] for p in step["premises"]), **step["data"]))
    return made[-1]


def exported(names: Iterable[str] | None = None) -> Iterator[dict[str, Any]]:
    """The file of each claim of the ledger that has a certificate."""
    chosen = None if names is None else set(names)
    for claim in ledger():
        path = CERTIFICATES / f"{claim.identifier}.json"
        if path.is_file() and (chosen is None or claim.identifier in chosen):
            theorem = theorem_of(json.loads(path.read_text(encoding="utf-8")))
            yield file_of(theorem, claim.identifier, claim.sentence, claim.formal)


def claim_line(found: Mapping[str, Any]) -> str:
    """The line of the lock about a claim."""
    digest = sha256("\n".join(found["body"]).encode()).hexdigest()[:16]
    return f"claim {found['claim']} {found['status']} {digest}"


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


def compiled(path: Path) -> subprocess.CompletedProcess[str]:
    """What the prover says of a file."""
    words = ["coqc", "-w", "none", "-Q", str(BUILD / "library"), "Refdp", str(path)]
    try:
        return subprocess.run(words, capture_output=True, text=True, check=False, timeout=LONGEST, cwd=BUILD)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(words, 1, "", f"{path.name} took more than {LONGEST} seconds")


def compile_library() -> list[str]:
    """Compile the library in a folder of its own; what went wrong."""
    folder, wrong = BUILD / "library", []
    shutil.rmtree(BUILD, ignore_errors=True)
    folder.mkdir(parents=True)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for group in in_order():
            paths = [Path(shutil.copy(LIBRARY / f"{name}.v", folder)) for name in group]
            for path, done in zip(paths, pool.map(compiled, paths), strict=True):
                if done.returncode:
                    wrong.append(f"{path.name}: {done.stderr.strip()}")
    return wrong


def rule_axioms() -> set[str]:
    """The axioms that the theorems of rules rest on."""
    names = sorted({theorem for told in table().values() for theorem in told.get("theorems", ())})
    modules = sorted({name.partition(".")[0] for name in names})
    return printed_axioms("axioms_of_rules", [f"From Refdp Require {' '.join(modules)}."], names)


def printed_axioms(name: str, text: Sequence[str], theorems: Sequence[str]) -> set[str]:
    """Compile a file that ends by printing what these theorems rest on; RuntimeError where the prover refuses it."""
    path = BUILD / f"{name}.v"
    together = f"Definition all_of_them := ({', '.join(f'@{theorem}' for theorem in theorems)}, tt)."
    path.write_text("\n".join((*text, together, "Print Assumptions all_of_them.")) + "\n", encoding="utf-8")
    done = compiled(path)
    if done.returncode:
        raise RuntimeError(f"{path.name}: {done.stderr.strip()[:2000]}")
    return axioms_in(done.stdout)


def axioms_in(said: str) -> set[str]:
    """The axioms in what `Print Assumptions` says."""
    named = (line.split()[0] for line in said.splitlines() if re.match(r"[A-Za-z][\w.']* ?:", line))
    return set(named) - {"Axioms:"}


def checked_claims(files: Sequence[Mapping[str, Any]]) -> tuple[set[str], list[str]]:
    """The axioms that what is proved of claims rests on; and the claims whose files the prover refuses."""
    axioms: set[str] = set()
    refused: list[str] = []

    def run(name: str, some: Sequence[Mapping[str, Any]]) -> None:
        try:
            theorems = [f"claim_{i}.{called}" for i, one in enumerate(some) for called in one["names"]]
            axioms.update(printed_axioms(name, list(together(some)), theorems))
        except RuntimeError as error:
            if len(some) == 1:
                refused.append(f"{some[0]['claim']}: {error}")
                return
            middle = len(some) // 2
            run(f"{name}a", some[:middle])
            run(f"{name}b", some[middle:])

    with ThreadPoolExecutor(AT_ONCE) as pool:
        parts = [files[i : i + TOGETHER] for i in range(0, len(files), TOGETHER)]
        list(pool.map(run, [f"claims_{i}_" for i in range(len(parts))], parts))
    return axioms, sorted(refused)


def together(files: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Files of several claims as one, each in a module of its own."""
    yield from HEAD
    modules = sorted({module for one in files for module in one["modules"]})
    if modules:
        yield f"From Refdp Require {' '.join(modules)}."
    yield "Import ListNotations.\nOpen Scope R_scope."
    for index, one in enumerate(files):
        yield f"Module claim_{index}."
        yield from one["body"]
        yield f"End claim_{index}."


def twins(count: int = 1_000, seed: int = 1) -> str:
    """A file that decides random pairs of finite laws, each as refdp does: that laws are within the numbers, or not."""
    draw = random.Random(seed)
    lines = ["From Coq Require Import QArith List.", "From Refdp Require Import Finite.", "Import ListNotations.", ""]
    for index in range(count):
        laws = []
        for _ in range(2):
            weights = [draw.randrange(0, 7) for _ in range(draw.randrange(1, 6))] + [1]
            laws.append({i: Fraction(w, sum(weights)) for i, w in enumerate(weights)})
        p, q = ({i: law.get(i, Fraction(0)) for i in range(max(map(len, laws)))} for law in laws)
        t = Fraction(draw.randrange(1, 12), draw.randrange(1, 5))
        delta = hockey_stick(p, q, t) + draw.choice((Fraction(0), Fraction(1, 97), Fraction(-1, 97)))
        verdict = "true" if hockey_stick(p, q, t) <= delta else "false"
        texts = ("; ".join(f"{v.numerator} # {v.denominator}" for v in law.values()) for law in laws)
        lines.append(
            f"Example pair_{index} : within_dec ({t.numerator} # {t.denominator}) "
            f"({delta.numerator} # {delta.denominator}) [{next(texts)}] [{next(texts)}] = {verdict}. "
            "Proof. vm_compute. reflexivity. Qed."
        )
    return "\n".join(lines) + "\n"


def changed_sums(files: Sequence[Mapping[str, Any]], most: int = 12) -> Iterator[str]:
    """Files of claims in each of which one weight of one sum is another: the prover must refuse them."""
    for one in files:
        if one["status"] == WHOLE and most > 0:
            text = one["text"]
            at = text.rfind(" + 1 * (")
            if at >= 0 and "vanishes" in text[text.rfind("\n", 0, at) : at]:
                most -= 1
                yield text[:at] + " + 2 * (" + text[at + len(" + 1 * (") :]


def lock_text(version: str, axioms: Iterable[str], lines: Iterable[str]) -> str:
    """The lock: prover, axioms, rules with their theorems, claims."""
    told = [TITLE, f"prover {version}", *(f"axiom {axiom}" for axiom in sorted(axioms)), *rule_lines(), *lines]
    return "\n".join(told) + "\n"


def main() -> int:
    """0 where all is accepted, and as the lock says; 1 where not; 2 where there is no prover."""
    parser = ArgumentParser(prog="rocq.py", description=__doc__.partition("\n")[0])
    parser.add_argument("do", choices=("check", "lock"), help="check all of it; or also write proofs/rocq/rules.lock")
    asked = parser.parse_args()
    if shutil.which("coqc") is None:
        print(MISSING)
        return 2
    start = time.perf_counter()
    version = subprocess.run(["coqc", "--print-version"], capture_output=True, text=True, check=True).stdout.split()[0]
    wrong = compile_library()
    if wrong:
        print("\n".join(wrong))
        return 1
    rests = rule_axioms()
    print(f"library: {sum(map(len, in_order()))} files, {elapsed(start)}", flush=True)
    (BUILD / "twins.v").write_text(twins(), encoding="utf-8")
    if (done := compiled(BUILD / "twins.v")).returncode:
        print(f"refdp and the library decide a pair of finite laws differently: {done.stderr.strip()}")
        return 1
    print("twins: 1000 random pairs of finite laws, decided alike", flush=True)
    files = list(exported())
    some = [one for one in files if one["status"] != NOTHING]
    claims, refused = checked_claims(some)
    accepted = 0
    for index, text in enumerate(changed_sums(files)):
        path = BUILD / f"changed_{index}.v"
        path.write_text(text, encoding="utf-8")
        accepted += compiled(path).returncode == 0
    print("\n".join(summary(files, rests | claims)))
    if accepted:
        print(f"{accepted} proofs with a changed weight are accepted")
        return 1
    print(f"all of it: {elapsed(start)}")
    text = lock_text(version, rests | claims, map(claim_line, files))
    if refused:
        print("\n".join(("refused:", *refused)))
        return 1
    if asked.do == "lock":
        LOCK.write_text(text, encoding="utf-8")
        PAGE.write_text(page_with(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    elif without_prover(text) != without_prover(LOCK.read_text(encoding="utf-8")):
        print("proofs/rocq/rules.lock says otherwise; `make rocq-lock` writes what is so now")
        return 1
    return 0


def without_prover(text: str) -> list[str]:
    """The lines of a lock but for the version of the prover."""
    return [line for line in text.splitlines() if not line.startswith("prover ")]


def summary(files: Sequence[Mapping[str, Any]], axioms: Iterable[str]) -> Iterator[str]:
    """Rules and claims, counted."""
    rules = table()
    proved = sum(bool(told.get("theorems")) for told in rules.values())
    yield f"rules: {proved} of {len(rules)} have theorems"
    counts = Counter(one["status"] for one in files)
    yield f"claims: {counts[WHOLE]} whole, {counts['obligations']} by their obligations alone, {counts[NOTHING]} not"
    yield f"axioms: {', '.join(sorted(axioms))}"


def elapsed(start: float) -> str:
    """Seconds since then."""
    return f"{time.perf_counter() - start:.0f} s"


if __name__ == "__main__":
    raise SystemExit(main())
