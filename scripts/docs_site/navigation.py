"""The navigation: groups of pages by name, and folders whose pages come by themselves."""

from collections.abc import Iterable

Entry = str | dict[str, "str | list[Entry]"]

EXPLANATION = {
    "Trust and soundness": ("why_believe_it", "trust", "soundness", "how_to_read_a_certificate", "accuracy"),
    "Mechanisms and sampling": ("sampler_laws", "bulk_sampling", "floating_point"),
    "Accounting": ("accounting_proofs", "unsound_accountants"),
    "Programs": ("program_proofs", "wrong_programs"),
    "Sensitivity": ("sensitivity", "machine_arithmetic"),
    "Auditing": ("audit_statistics", "deployments", "project/audits"),
}
LAST = ("limits",)
REFERENCE = (
    "reference/index", "command_line", "reference/commands", "reference/json", "reference/python",
    "reference/testing", "reference/rules", "reference/spec", "reference/accounting", "reference/house",
    "project/vectors",
)  # fmt: skip
PROJECT = tuple(f"project/{name}" for name in ("readme", "changelog", "contributing", "security", "licence"))


def navigation(pages: Iterable[str]) -> list[Entry]:
    """The entries for pages, given as paths on the site; a name without a page is passed over."""
    there = sorted(pages)
    return [
        {"Home": "index.md"},
        *group("Tutorials", inside("tutorials", there)),
        *group("How to", inside("how_to", there)),
        *group("Explanation", explanation(there)),
        *group("Claims", ["claims/index.md", *stems(there)]),
        *group("Docket", inside("docket", there)),
        *group("Sources", inside("sources", there)),
        *group("Reference", named(REFERENCE, there)),
        *({"Benchmarks": page} for page in named(("project/benchmarks",), there)),
        *group("Decisions", inside("decisions", there)),
        *group("Project", named(PROJECT, there)),
    ]


def named(names: Iterable[str], there: list[str]) -> list[Entry]:
    """The pages of these names, as far as they are there, in this order."""
    return [f"{name}.md" for name in names if f"{name}.md" in there]


def group(title: str, entries: list[Entry]) -> list[Entry]:
    """A group under its title, or nothing where it has no entry."""
    return [{title: entries}] if entries else []


def inside(folder: str, there: list[str]) -> list[Entry]:
    """The pages that stand in a folder, its index first."""
    found = [page for page in there if page.rpartition("/")[0] == folder]
    return sorted(found, key=lambda page: (not page.endswith("/index.md"), page))


def stems(there: list[str]) -> list[Entry]:
    """A page for each stem of claims; their claims are reached from there."""
    return [page for page in inside("claims", there) if page != "claims/index.md"]


def explanation(there: list[str]) -> list[Entry]:
    """The groups, then whatever stands in docs/ itself and in no group, then what is not done."""
    grouped = {f"{name}.md" for names in (*EXPLANATION.values(), REFERENCE, LAST, ("index",)) for name in names}
    groups = [each for title, names in EXPLANATION.items() for each in group(title, named(names, there))]
    others = [page for page in inside("", there) if page not in grouped]
    return [*groups, *others, *named(LAST, there)]
