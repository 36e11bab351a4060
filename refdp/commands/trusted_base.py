"""What is believed, and for what: every file of the package, in groups, with its length.

Lines are counted twice: all of them, and those with code on them (no docstrings, comments or blank lines).
"""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CORE = "the core of the kernel"
IDENTITIES = "identities: the rule `algebra`, and the cases that it and the encoder read a statement in"
JUDGEMENTS = "what a theorem can say"
BASE = (CORE, JUDGEMENTS, IDENTITIES, "the other rules of the kernel", "the specification", "exact numbers")
"""The groups that every theorem rests on."""
LARGEST_CORE = 500
"""Most lines of the core."""
GOAL = 1_500
"""Lines that the trusted base was meant to have at most."""

GROUPS: dict[str, tuple[str, ...]] = {
    CORE: ("kernel/theorem.py", "kernel/certificate.py", "kernel/rules/logic.py"),
    JUDGEMENTS: ("kernel/judgements.py", "kernel/reading.py"),
    IDENTITIES: (
        "kernel/rules/algebra.py", "numerics/polynomials.py", "spec/goals.py", "spec/cases.py", "spec/quotients.py",
    ),
    "the other rules of the kernel": ("kernel/*.py", "kernel/rules/*.py"),
    "the specification": (
        "spec/*.py", "terms/__init__.py", "terms/term.py", "terms/reading.py", "terms/printing.py", "terms/folding.py",
        "terms/evaluation.py",
    ),
    "exact numbers": ("numerics/__init__.py", "numerics/exact.py", "numerics/cancellation.py", "numerics/elementary.py",
                      "numerics/intervals.py", "numerics/arithmetic.py",
                      "numerics/normal.py", "numerics/slopes.py", "numerics/boxes.py", "numerics/lattice.py"),
    "the encoder, where `refdp SMT-LIB encoder` is named": ("provers/smt/*.py",),
    "the translator, where `refdp sympy translator` is named": ("provers/symbolic/*.py",),
    "the interpreter, where `refdp's interpreter of Python` is named": (
        "sensitivities/language/interpreter.py", "sensitivities/language/concrete/*.py",
        "sensitivities/language/source.py",
    ),
    "the reading, where `refdp's reading of Python` is named": (
        "sensitivities/language/*.py", "sensitivities/fusion.py", "sensitivities/sums.py",
    ),
    "the reading of programs, where `refdp's reading of Python` is named": ("programs/language/*.py",),
    "the checker of alignments": (
        "programs/checking/*.py", "programs/adjacency.py", "programs/execution.py", "programs/nulls.py",
        "programs/steps.py", "programs/syntax.py", "programs/theorems.py",
    ),
    "exact probabilities, where `refdp's exact probabilities` is named": (
        "programs/counterexample.py", "programs/events.py", "programs/closed_terms.py", "programs/question.py",
        "programs/certificates/__init__.py", "programs/certificates/alignments.py", "programs/certificates/events.py",
        "programs/certificates/replaying.py", "programs/probabilities/*.py", "programs/described.py",
    ),
    "terms, their text, and questions about them to solvers": ("terms/*.py", "logic/*.py", "work.py"),
    "the checker of sensitivities": (
        "sensitivities/checking/*.py", "sensitivities/declaration.py", "sensitivities/declaring.py",
        "sensitivities/described.py",
        "sensitivities/limits.py", "sensitivities/pair.py", "sensitivities/program.py", "sensitivities/question.py",
        "sensitivities/records.py", "sensitivities/__init__.py", "sensitivities/row_domains.py",
        "sensitivities/tables.py",
        "sensitivities/theorems.py",
    ),
    "bounds for machine arithmetic, where `IEEE 754` is named": (
        "sensitivities/machine/__init__.py", "sensitivities/machine/formats.py", "sensitivities/machine/narrow.py",
        "sensitivities/machine/wholes.py", "sensitivities/machine/summands.py", "sensitivities/machine/heights.py",
        "sensitivities/machine/error_bounds.py", "sensitivities/machine/adjusted.py",
        "sensitivities/machine/integers.py", "sensitivities/machine/lemmas.py", "sensitivities/machine/sum_lemmas.py",
        "sensitivities/machine/ranges.py", "sensitivities/machine/recognising.py",
        "sensitivities/machine/declared_ranges.py",
        "sensitivities/machine/read_queries.py", "sensitivities/machine/certificates.py",
        "sensitivities/machine/arithmetic.py", "sensitivities/machine/library.py",
        "sensitivities/machine/numpy_library.py", "sensitivities/machine/numbers.py", "sensitivities/machine/pair.py",
        "sensitivities/machine/runs.py", "sensitivities/machine/sums.py", "sensitivities/machine/statistics.py",
        "sensitivities/machine/theorems.py", "sensitivities/machine/function_certificates.py",
        "sensitivities/machine/neighbours.py", "sensitivities/machine/user_runs.py",
        "sensitivities/machine/loop_paths.py",
    ),
    "smooth bounds: the theorem, its lemmas and its certificates": (
        "sensitivities/smooth.py", "sensitivities/smoothing/*.py", "sensitivities/local.py",
        "sensitivities/nearby/*.py", "sensitivities/scores.py", "sensitivities/scoring/*.py",
    ),
    "asking again: `refdp check`": (
        "isolation.py", "checking.py", "general.py", "verdicts.py",
        "commands/check.py", "commands/earlier_certificates.py", "commands/texts_in_words.py",
        "commands/rounds_in_words.py", "claims.py",
        "programs/certificates/content.py", "programs/certificates/writing.py",
        "sensitivities/writing.py", "sensitivities/machine/writing.py",
        "provers/__init__.py",
        "provers/oracles.py", "provers/answers.py", "provers/processes.py", "provers/memory.py", "provers/serving.py",
    ),
    "draws, where `code: refdp.sampling` is named": (
        "sampling/__init__.py", "sampling/entropy.py", "sampling/pages.py", "sampling/coins.py", "sampling/schemes.py",
        "sampling/reports.py", "sampling/far_and_wide.py", "sampling/perturbed_minimum.py",
    ),
    "training: that the code of a run does what its two theorems are about, and what audits of loops say": (
        "learning/*.py", "commands/train.py", "sampling/rounded_normal.py",
    ),
    "models: that what is released is what their theorems are about": ("models/*.py", "commands/fit.py"),
    "rows and outputs, where `code: refdp.transformations` or an assumption is named": (
        "transformations/columns.py", "transformations/declared.py", "transformations/missing.py",
        "transformations/outputs.py", "transformations/user_rows.py",
    ),
    "releases: that what is drawn is what the theorem is about, and is charged": (
        "pipeline.py", "combining.py", "selections.py", "sketches.py", "derivations.py", "commands/release.py",
        "releases/*.py",
    ),
    "certified accounting, where `Arb` is named": (
        "accounting/*.py", "accounting/*/*.py", "commands/account.py", "commands/account_noise.py",
        "commands/account_certificates.py",
    ),
    "verdicts of audits: that their error and their bounds are as stated": (
        "auditing/evidence/__init__.py", "auditing/evidence/e_values.py", "auditing/evidence/ledger.py",
        "auditing/evidence/partitions.py", "laws.py",
        "auditing/evidence/cells.py", "auditing/evidence/finite_laws.py", "auditing/evidence/tallies.py",
        "auditing/evidence/power.py", "auditing/evidence/plants.py",
        "auditing/evidence/sampler_tests.py", "auditing/evidence/law_tests.py",
        "auditing/evidence/pairs.py", "auditing/evidence/pair_bounds.py", "auditing/evidence/pair_tests.py",
        "auditing/evidence/binomial.py", "auditing/evidence/sequences.py", "auditing/evidence/enumerable.py",
        "auditing/evidence/reachability.py",
    ),
    "attacks: that a bound is one of every attack, and that what is measured is as stated": (
        "attacks/*.py", "commands/attack.py",
    ),
    "verdicts of the docket: that a theorem is compared with what was published": ("docket/*.py",),
    "accuracies and enclosures that are printed beside a theorem": (
        "numerics/enclosures.py", "numerics/masses.py", "numerics/calibration.py", "accuracies.py", "estimates.py",
    ),
}  # fmt: skip
"""Group -> patterns of files in refdp/; a file belongs to the first group that names it."""

OTHERS: dict[str, tuple[str, ...]] = {
    "what claims are about: formulas to read, as the obligations read them": (
        "mechanisms/*.py", "statements/*.py", "transformations/*.py",
    ),
    "search for sensitivities: what it finds is checked": (
        "sensitivities/judging.py", "sensitivities/judgement.py", "sensitivities/request.py",
        "sensitivities/campaign.py", "sensitivities/search/*.py", "sensitivities/refutation/*.py",
        "sensitivities/machine/*.py",
    ),
    "search for alignments and counterexamples: what it finds is checked": (
        "programs/judging.py", "programs/judgement.py", "programs/reasons.py", "programs/deadline.py",
        "programs/bracketing.py", "programs/proving/*.py", "programs/refuting/*.py",
    ),
    "the second judge: it can only take a verdict back": ("second_judge/*.py", "commands/second_judging.py"),
    "programs of the literature, and how programs run": (
        "programs/library/*.py", "programs/running/*.py", "programs/__init__.py",
    ),
    "search: what it finds is checked by a rule": (
        "provers/lemmas.py", "provers/opinions.py", "provers/balls.py", "provers/algebra/*.py", "provers/witnesses.py",
        "provers/counterexamples.py", "commands/verify.py", "commands/discharge.py",
    ),
    "for another prover, which accepts what is written or does not": ("rocq/*.py", "commands/export.py"),
    "faces: they print": ("cli/*.py", "report/*.py", "report/*/*.py", "report/*/*/*.py",
                          "commands/__init__.py", "commands/certificates.py",
                          "commands/replay_cost.py", "commands/trusted_base.py", "commands/answers.py",
                          "commands/explain.py", "commands/witness.py", "commands/delta_witness.py",
                          "commands/tail_witness.py", "commands/statement_witness.py", "commands/sensitivity.py",
                          "commands/machine_attacks.py", "commands/local_sensitivity.py",
                          "commands/machine_sensitivity.py",
                          "commands/score_sensitivity.py", "commands/sensitivity_modes.py",
                          "commands/prove.py", "commands/library.py", "commands/own_query.py",
                          "commands/own_program.py",
                          "programs/textbook.py", "programs/prose.py", "programs/certificates/words.py",
                          "commands/judgements.py", "commands/values.py", "commands/rows.py",
                          "commands/files.py",
                          "__init__.py", "__main__.py"),
    "fast draws, of `M(x)` and `refdp sample`: no release draws from them": (
        "sampling/lazy.py", "sampling/words.py", "sampling/potentials.py", "sampling/lookup.py", "sampling/grids.py",
        "sampling/exponential.py", "sampling/selection.py", "sampling/slots/*.py", "sampling/bulk/*.py",
        "sampling/plans.py", "sampling/tables.py", "sampling/drawing.py", "sampling/single.py", "sampling/chunks.py",
        "commands/sample.py", "commands/sample_digits.py", "commands/sample_files.py", "commands/sample_requests.py",
    ),
    "judging other people's code: a witness is run again, from its report alone": (
        "auditing/*.py", "auditing/targets/*.py", "auditing/targets/workers/*.py", "auditing/neighbours/*.py",
        "auditing/judges/*.py", "auditing/judges/*/*.py", "auditing/campaigns/*.py", "commands/audit*.py",
        "testing/*.py",
    ),
    "test vectors: what other parts work out, written for other languages": (
        "test_vectors/*.py", "test_vectors/*/*.py", "commands/vectors.py",
    ),
    "sums of floats, for searches": ("numerics/floats.py",),
    "moments that are printed beside draws": (
        "sampling/moments.py", "sampling/variances.py", "commands/sample_summary.py",
    ),
    "for tests: the laws of programs, by their flips": ("sampling/tree.py",),
    "what audits look for: any alternative and any event is valid": (
        "auditing/evidence/arms.py", "auditing/evidence/learning.py", "auditing/evidence/scores.py",
        "auditing/evidence/event_families.py", "auditing/evidence/bit_patterns.py",
    ),
}  # fmt: skip
"""The files of refdp/ that no theorem rests on, and why."""
Row = tuple[str, str, int, int]
"""Group, file, lines, lines of code."""


def groups(package: Path) -> dict[str, list[Path]]:
    """Group -> its files, each file once, those that need not be believed last."""
    seen: set[Path] = set()
    found: dict[str, list[Path]] = {}
    for group, patterns in (GROUPS | OTHERS).items():
        paths = dict.fromkeys(path for pattern in patterns for path in sorted(package.glob(pattern)))
        found[group] = [path for path in paths if path not in seen]
        seen.update(paths)
    return found


def all_lines(source: str) -> int:
    """Every line of the source."""
    return len(source.splitlines())


@cache
def code_lines(source: str) -> int:
    """The lines with code on them: no blank lines, comments, docstrings or other texts that stand alone."""
    silent = {line for node in ast.walk(ast.parse(source)) if is_text(node) for line in lines_of(node)}
    skipped = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    spoken = {n for t in tokens if t.type not in skipped for n in range(t.start[0], t.end[0] + 1)}
    return len(spoken - silent)


def is_text(node: ast.AST) -> bool:
    """Whether the node is a text that stands alone, such as a docstring."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def lines_of(node: ast.AST) -> range:
    """The lines that a statement stands on."""
    return range(getattr(node, "lineno", 0), getattr(node, "end_lineno", 0) + 1)


def rows(package: Path) -> Iterator[Row]:
    """Group, file, lines and lines of code of every file that is believed."""
    for group, paths in groups(package).items():
        if group not in GROUPS:
            return
        for path in paths:
            source = path.read_text(encoding="utf-8")
            yield group, path.relative_to(package.parent).as_posix(), all_lines(source), code_lines(source)
