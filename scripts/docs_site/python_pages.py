"""The pages of the Python reference, from the sources alone: griffe reads them, and nothing is imported but names."""

from collections.abc import Iterable
from functools import cache

import griffe
from griffe import Alias, Object

import refdp
from refdp import testing
from scripts.docs_site.docstrings import markdown
from scripts.docs_site.entries import entries, entry, found, place_of, public
from scripts.docs_site.places import ROOT

GROUPS = {
    "Commands": ("refdp.commands",),
    "Mechanisms": ("refdp.mechanisms", "refdp.selections", "refdp.sketches"),
    "Transformations": ("refdp.transformations",),
    "Pipelines": ("refdp.pipeline", "refdp.combining"),
    "Theorems and accuracies": ("refdp.derivations", "refdp.accuracies", "refdp.estimates"),
    "Accounts": ("refdp.accounting",),
    "Exact numbers": ("refdp.numerics", "refdp.sampling.grids"),
    "Pictures": ("refdp.report",),
}
"""The public names of refdp, by the package in which they are defined."""
SPEC = ("distances", "domains", "obligations", "formulas", "noise", "selection", "finite", "statements")
ACCOUNTING = ("accountant", "accounts", "calibrating", "sgd", "events", "curves")


@cache
def package() -> Object | Alias:
    """refdp as it is written."""
    return griffe.load("refdp", search_paths=[str(ROOT)], allow_inspection=False)


def names() -> str:
    """The names that `import refdp` gives, group by group."""
    parts = ["# The names of refdp", "Each is there after `import refdp`, and loaded when it is first used."]
    for title, homes in GROUPS.items():
        group = [name for name, home in refdp.HOME.items() if home.startswith(homes)]
        parts.append(f"## {title}\n\n" + entries(homed(refdp.HOME, group)))
    return "\n\n".join(parts)


def homed(home: dict[str, str], some: Iterable[str]) -> list[tuple[str, Object]]:
    """The names, each with what it names."""
    return [(name, found(package(), f"{home[name].removeprefix('refdp.')}.{name}")) for name in some]


def testing_names() -> str:
    """The names of refdp.testing, and the laws that tests compare with."""
    module = found(package(), "testing")
    listed = [name for name in testing.__all__ if name in testing.HOME]
    law = found(package(), "testing.law")
    return "\n\n".join([
        "# Tests of your own code", said(module), "## Statements and inputs", entries(homed(testing.HOME, listed)),
        "## Laws", said(law), entries((f"law.{each.name}", each) for each in public(law)),
    ])  # fmt: skip


def said(module: Object) -> str:
    """The docstring of a module."""
    return markdown(module.docstring.value) if module.docstring else ""


def rules() -> str:
    """Every rule of the kernel, with its inference line and its written proof."""
    module = package()["kernel.rules"]
    written = [(name, rule) for name, each in sorted(module.members.items()) if (rule := rule_named(name, each))]
    return "\n\n".join(["# Rules of the kernel", said(module), *(proved(name, rule) for name, rule in written)])


def proved(name: str, rule: Object) -> str:
    """A rule, and where its proof is."""
    return f"{entry(name, rule)}\n\n[Why it is sound](../soundness.md#{name})."


def rule_named(name: str, each: Object | Alias) -> Object | None:
    """The rule of that name, which refdp.kernel.rules takes from its modules; one may be called as its module is."""
    if isinstance(each, Alias):
        return each.final_target if each.is_function else None
    inside = each.members.get(name) if each.is_module else None
    return inside if isinstance(inside, Object) and inside.is_function else None


def modules(title: str, home: str, some: Iterable[str]) -> str:
    """The public names of some modules of a package."""
    parts = [f"# {title}", said(found(package(), home))]
    for name in some:
        module = found(package(), f"{home}.{name}")
        parts += [f"## refdp.{home}.{name}", said(module), place_of(module), entries(defined(module))]
    return "\n\n".join(parts)


def defined(module: Object) -> list[tuple[str, Object]]:
    """What a module defines in public, by name."""
    return [(each.name, each) for each in public(module)]


def pages() -> dict[str, str]:
    """The pages, by where they go."""
    return {
        "reference/python.md": names(),
        "reference/testing.md": testing_names(),
        "reference/rules.md": rules(),
        "reference/spec.md": modules("What the words mean", "spec", SPEC),
        "reference/accounting.md": modules("Accounting", "accounting", ACCOUNTING),
    }
