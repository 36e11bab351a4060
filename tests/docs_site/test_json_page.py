"""docs/reference/json.md names the keys of the objects that commands print, no more and no fewer."""

import re

import pytest

import refdp
from tests import answers
from tests.cli.small_files import BIT
from tests.meta.repository import ROOT

pytestmark = pytest.mark.once

PAGE = (ROOT / "docs" / "reference" / "json.md").read_text(encoding="utf-8")
EVERYWHERE = {"internal_error", "expected"}
"""Keys that the page tells of once."""
NAMED = re.compile(r"(\(?)`(\w+)`")


def keys(command: str) -> tuple[set[str], set[str]]:
    """The keys that the page says an object always has, and those that it may have."""
    section = PAGE.split(f"\n## {command}\n")[1].split("\n## ")[0]
    rows = [line.split("|")[1] for line in section.splitlines() if line.startswith(("| `", "| (`"))]
    found = [named for row in rows for named in NAMED.findall(row)]
    return {name for bracket, name in found if not bracket}, {name for bracket, name in found if bracket}


def written(path, text):
    """The path of a file with that text."""
    path.write_text(text, encoding="utf-8")
    return path


def objects(folder):
    """A small object of each command, as seldom as it can be without what is there at times."""
    proofs, examples = ROOT / "proofs" / "certificates", ROOT / "examples"
    return {
        "verify": lambda: refdp.verify("histogram.add_remove_l1", folder),
        "check": lambda: refdp.check(proofs / "laplace.pure.json"),
        "explain": lambda: refdp.explain("laplace.pure"),
        "export": lambda: refdp.export("laplace.pure"),
        "account": lambda: refdp.account(examples / "accounting" / "training.toml", delta="1e-6"),
        "account, with --calibrate": lambda: refdp.account(
            examples / "accounting" / "training.toml", delta="1e-6", epsilon=1, calibrate="sigma"
        ),
        "account, with --plot": lambda: refdp.plot_account(
            examples / "accounting" / "training.toml", folder / "account.svg", delta="1e-6"
        ),
        "sample": lambda: refdp.sample("discrete_laplace", 3, scale=2),
        "prove": lambda: refdp.prove(
            ROOT / "refdp" / "programs" / "library" / "sparse_vector.py:sparse_vector", certificates=folder
        ),
        "sensitivity": lambda: refdp.sensitivity(
            f"{examples / 'sensitivity' / 'queries.py'}:plain_sum", "add_remove", bounds=(0, 1), claim=1,
            certificates=folder,
        ),
        "release": lambda: refdp.release(
            written(folder / "t.csv", "age\n30\n"), ["count"], 1, "add_remove", certificates=folder
        ),
        "audit": lambda: refdp.audit([written(folder / "bit.toml", BIT)], workers=1),
        "attack": lambda: refdp.attack("averaging", answers=2, epsilon=1, runs=20),
        "attack, with --out": lambda: refdp.plot_attack(
            "averaging", folder / "attack.svg", answers=2, epsilon=1, runs=20
        ),
        "vectors write": lambda: refdp.vectors.write(folder, type=["StabilityMap"]),
        "vectors check": lambda: refdp.vectors.check(ROOT / "vectors" / "stability_map_test.json"),
        "vectors import-google": lambda: refdp.vectors.import_google(
            written(folder / "none.textproto", "").parent, out=folder
        ),
        "plot": lambda: refdp.plot("laplace.pure", folder / "laplace.svg"),
    }  # fmt: skip


@pytest.mark.long  # of make test-docs
@pytest.mark.parametrize("command", objects(None))
def test_json_page_names_every_key_of_the_object(command, tmp_path):
    always, at_times = keys(command.partition(", ")[0])
    found = set(objects(tmp_path)[command]())
    assert always - found == set()
    assert found - always - at_times == set()


@pytest.mark.parametrize("section", re.findall(r"^## (.+)$", PAGE, re.MULTILINE))
def test_json_page_and_schema_have_the_same_keys(section):
    always, at_times = keys(section)
    assert (always | at_times) ^ answers.keys(re.sub(r"[ -]", "_", section)) <= EVERYWHERE


def test_json_page_has_a_section_for_every_command():
    commands = {name for name, home in refdp.HOME.items() if home == f"refdp.commands.{name}"}
    assert commands <= {section.split()[0] for section in re.findall(r"^## (.+)$", PAGE, re.MULTILINE)}
