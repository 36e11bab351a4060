"""The sites: one change of one file each, drawn by a published seed from all that the operators find in five areas.

A change that compiles to the same bytecode is no site.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from types import CodeType

from tests.mutation.operators import Change, changes

ROOT = Path(__file__).resolve().parents[2]
SEED = "refdp mutants 1"


@dataclass(frozen=True)
class Area:
    """Files of the package, how many sites are drawn from them, and the tests that must notice."""

    files: tuple[str, ...]
    count: int
    tests: tuple[str, ...]
    without: tuple[str, ...] = ()


EMPTIED = "tests/trust/test_emptied_certificates.py"
PROGRAMS = ("tests/programs/checking", "tests/programs/language", EMPTIED)
QUERIES = (
    "tests/sensitivities/test_certificate.py",
    "tests/sensitivities/test_clauses_on_traces.py",
    "tests/sensitivities/test_clipping.py",
    "tests/sensitivities/test_neighbours.py",
    "tests/sensitivities/test_pairs.py",
    "tests/sensitivities/test_plain.py",
    "tests/sensitivities/test_quotients.py",
    "tests/sensitivities/test_random_invariants.py",
    "tests/sensitivities/test_verifying.py",
    "tests/sensitivities/test_wellformed.py",
    EMPTIED,
)
SAMPLED = ("discrete_laplace", "truncated_geometric", "discrete_gaussian", "k_ary_randomised_response", "exponential",
           "stability_keys", "rounded_scaled_laplace", "rounded_scaled_cauchy", "rounded_scaled_student",
           "rounded_logistic_objective")  # fmt: skip
SAMPLERS = (
    "tests/sampling",
    "tests/exactness/test_beyond.py",
    "tests/exactness/test_propose_test_release.py",
    "tests/test_estimates.py",
    "tests/test_measurements_on_arrays.py",
    "tests/commands/test_sample.py",
    "refdp/sampling",
    *(f"tests/mechanisms/test_{stem}.py" for stem in (*SAMPLED, "permute_and_flip")),
)
NUMBERS = (
    "tests/numerics",
    "refdp/numerics",
    "tests/mechanisms/test_staircase.py",
    "tests/test_accuracies.py",
    "tests/sampling/test_plans.py",
    *(
        f"tests/mechanisms/test_{stem}.py"
        for stem in ("discrete_laplace", "truncated_geometric", "randomised_response")
    ),
)

AREAS = {
    "programs": Area(("refdp/programs/checking/*.py",), 350, PROGRAMS),
    "language": Area(("refdp/programs/language/emissions.py", "refdp/programs/language/parameters.py"), 100, PROGRAMS),
    "sensitivities": Area(("refdp/sensitivities/checking/*.py",), 250, QUERIES),
    "sampling": Area(("refdp/sampling/**/*.py",), 450, SAMPLERS, ("refdp/sampling/slots/build.py",)),
    "numerics": Area(("refdp/numerics/*.py",), 350, NUMBERS),
}
"""1,500 sites in all.  The search for certificates of samplers is left out: `check` alone is believed."""


@dataclass(frozen=True)
class Site:
    """One change of one file."""

    area: str
    file: str
    change: Change
    number: int
    """Among those of the file that read alike."""

    @property
    def key(self) -> tuple[str, str, str, str, str, int]:
        """What names it though lines move: file, function, operator, the text before and after, its number."""
        one = self.change
        return self.file, one.function, one.operator, one.before, one.after, self.number

    def __str__(self) -> str:
        one = self.change
        function = f" {one.function}" if one.function else ""
        return f"{self.file}:{one.line}{function} [{one.operator}] {one.before} -> {one.after}"


@cache
def tree(file: str) -> ast.Module:
    """The syntax tree of a file."""
    return ast.parse((ROOT / file).read_text(encoding="utf-8"))


def compiled(file: str) -> CodeType:
    """The code of a file's tree as it stands."""
    return compile(tree(file), str(ROOT / file), "exec", dont_inherit=True)


def mutated(site: Site) -> CodeType:
    """The code of the file with the change."""
    old = site.change.put()
    try:
        return compiled(site.file)
    finally:
        site.change.place_back(old)


def essence(code: CodeType) -> tuple[object, ...]:
    """What a code object does, wherever it stands."""
    constants = tuple(essence(c) if isinstance(c, CodeType) else (type(c), repr(c)) for c in code.co_consts)
    return code.co_code, constants, code.co_names, code.co_varnames, code.co_freevars, code.co_flags, code.co_name


@cache
def essence_of(file: str) -> tuple[object, ...]:
    """What the file does without any change."""
    return essence(compiled(file))


def differs(site: Site) -> bool:
    """Whether the change compiles to something else."""
    try:
        return essence(mutated(site)) != essence_of(site.file)
    except SyntaxError:
        return False


def candidates(area: str) -> Iterator[Site]:
    """Every change that the operators find in the files of an area."""
    for file in files_of(area):
        yield from numbered(area, file, changes(tree(file)))


def numbered(area: str, file: str, found: Iterable[Change]) -> Iterator[Site]:
    """The changes of a file as sites."""
    alike: Counter[tuple[str, str, str, str]] = Counter()
    for one in found:
        said = one.function, one.operator, one.before, one.after
        yield Site(area, file, one, alike[said])
        alike[said] += 1


def drawn(area: str, seed: str = SEED) -> Iterator[Site]:
    """The candidates of an area in the order of the seed, those left out that change nothing."""
    return filter(differs, sorted(candidates(area), key=lambda site: rank(site, seed)))


def rank(site: Site, seed: str) -> tuple[bytes, int]:
    """Where a site stands in the order of the seed: that hangs on its own text alone, not on what else is a site."""
    return sha256(f"{seed} {site.key[:-1]}".encode()).digest(), site.number


def files_of(area: str) -> list[str]:
    """The files of an area."""
    found = {path.relative_to(ROOT).as_posix() for name in AREAS[area].files for path in ROOT.glob(name)}
    return sorted(found - set(AREAS[area].without))
