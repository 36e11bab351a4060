"""The docket: what organisations have published about the differential privacy they run, each with refdp's verdict.

One file in docket/entries for each deployment.  Its fields are those of the Differential Privacy Deployments Registry,
as far as they are known, and a block `claim`, with what that schema cannot say: the period, the bound of a
contribution, the parts of the number, the claims of the ledger that state it, what it assumes and what nobody claims.

No verdict and no sum is written down: `verdict` works it out from theorems, `Entry.sum` and `Check.holds` exactly.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from refdp.claims import Claim, claim
from refdp.numerics.exact import decide, exact
from refdp.terms.reading import read
from refdp.terms.term import Term, ln, number, sqrt

ENTRIES = Path(__file__).parent / "entries"
VERDICTS: Mapping[str, str] = {
    "PROVED": "a theorem says it at the published numbers; where the noise is an irrational number, the theorem is of"
    " noise rounded up, slightly more than published, and the entry says what is rounded to what",
    "PROVED_IF": "as PROVED, under a condition, which is named; without it the published number is refuted",
    "PROVED_AT_OTHER_NUMBERS": "a theorem says it of the same mechanism at other sizes or numbers, which are named",
    "REFUTED": "a theorem refutes the claim as the record has it",
    "AMBIGUOUS": "the published numbers do not determine the claim; what is missing is named",
    "NOT_STATABLE": "refdp has no words for the claim; which, is named",
}
"""Verdict -> what it means."""
CERTAINTIES: Mapping[str, str] = {
    "s": "seen on the named page or in the named code",
    "r": "stands in the Differential Privacy Deployments Registry (commit 3e9c812 of 15 July 2026)",
    "m": "written from knowledge of the paper and derived anew, not compared with its page",
    "u": "unconfirmed",
}
"""How sure a published fact is."""
PERIODS = ("report", "value", "user-day", "user-month", "round", "release", "event", "query", "unknown")
"""What one payment of the published number covers."""
LOSSES: Mapping[str, str] = {"pure": "epsilon", "concentrated": "rho"}
"""Measure -> the only parameter that its claims have."""
BLOCKS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "basic": (
        ("name", "data_curators", "description"),
        ("publication_date", "data_product_type", "data_product_region", "data_product_sector", "intended_use"),
    ),
    "dp_variant": (("variant_name",), ("data_domain", "unprotected_quantities")),
    "privacy_loss": (("privacy_unit", "privacy_parameters"), ("privacy_unit_details", "privacy_parameters_details")),
    "deployment_model": (("model_name",), ("actors", "release_type", "data_source_type", "access_type")),
    "accounting": ((), ("post_processing", "composition")),
    "implementation": (("mechanisms",), ("preprocessing_and_hyperparameter_tuning", "justification")),
    "administrative": (("sources",), ("notes", "unconfirmed")),
    "claim": (
        ("period", "per", "certainty", "not_claimed"),
        ("bound", "parts", "formal", "beside", "conditions", "other_numbers", "missing", "no_words", "checks",
         "assumes"),
    ),
}  # fmt: skip
"""Block -> the keys that it must have, and those that it may have."""
TABLES = ("bound", "privacy_parameters")
"""The keys whose values are tables of texts."""
LISTS = ("data_curators", "not_claimed", "unconfirmed", "formal", "beside", "missing", "assumes")
"""The keys whose values are lists of texts."""
OF_TABLES = ("sources", "parts", "checks", "conditions")
"""The keys whose values are lists of tables."""
NUMBERS = ("epsilon", "delta", "rho")
"""The parameters that a published number may have."""
DECIMAL = re.compile(r"\b\d+\.\d+\b")


class DocketError(ValueError):
    """An entry of the docket is not well formed; the message names the entry, what must be and what it has."""


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a published number: its loss, in the parameter of the total, and how often it is paid."""

    name: str
    mechanism: str
    loss: Fraction
    multiplicity: int
    certainty: str


@dataclass(frozen=True, slots=True)
class Check:
    """A statement about printed numbers, that a record makes or needs, and what is remarkable about it."""

    says: str
    statement: str

    @property
    def holds(self) -> bool:
        """Whether it is so, decided exactly."""
        return decide(_read(self.statement))


@dataclass(frozen=True, slots=True)
class Entry:
    """One deployment: the blocks as the file has them, and what is worked out of its claim."""

    slug: str
    blocks: Mapping[str, Mapping[str, Any]]
    parts: tuple[Part, ...]
    checks: tuple[Check, ...]

    @property
    def name(self) -> str:
        """What the deployment is called."""
        return str(self.blocks["basic"]["name"])

    @property
    def said(self) -> Mapping[str, Any]:
        """The block of the claim."""
        return self.blocks["claim"]

    @property
    def parameters(self) -> dict[str, str]:
        """The published numbers, as they are printed."""
        return dict(self.blocks["privacy_loss"]["privacy_parameters"])

    @property
    def formal(self) -> tuple[Claim, ...]:
        """The claims of the ledger whose formal texts state what was published."""
        return tuple(map(claim, self.said.get("formal", ())))

    @property
    def summed(self) -> str:
        """The parameter that the parts add up to: the first published one."""
        return next(iter(self.parameters), "")

    @property
    def total(self) -> Fraction | None:
        """The published number that the parts must add up to, if there is one."""
        return exact(self.parameters[self.summed], self.summed) if self.parameters else None

    @property
    def sum(self) -> Fraction | None:
        """What the parts add up to, if there are any."""
        return sum((part.loss * part.multiplicity for part in self.parts), Fraction(0)) if self.parts else None

    @property
    def sum_checked(self) -> bool | None:
        """Whether the parts add up to the total; None where parts or total are not published."""
        return None if self.sum is None or self.total is None else self.sum == self.total

    def failures(self) -> Iterator[str]:
        """What does not add up in the record, a sentence each."""
        if self.sum_checked is False:
            yield f"The parts add up to {decimal(self.sum)}, and the published {self.summed} is {decimal(self.total)}."
        yield from (check.says for check in self.checks if not check.holds)


@cache
def entries() -> tuple[Entry, ...]:
    """Every entry of the docket, by the names of the files.  DocketError where one is not well formed."""
    return tuple(
        entry(path.stem, tomllib.loads(path.read_text(encoding="utf-8"))) for path in sorted(ENTRIES.glob("*.toml"))
    )


def entry(slug: str, given: Mapping[str, Any]) -> Entry:
    """The entry that a file describes; DocketError where a key is unknown or lacks, or two contradict."""
    _require_keys(slug, "the entry", given, tuple(BLOCKS), ())
    for block, (needed, allowed) in BLOCKS.items():
        _require_keys(slug, block, given[block], needed, allowed)
        _require_types(slug, block, given[block])
    said, numbers = given["claim"], given["privacy_loss"]["privacy_parameters"]
    _require_keys(slug, "a published number", numbers, (), NUMBERS)
    for key, value in numbers.items():
        exact(value, key)
    _one_of(slug, "claim.period", said["period"], PERIODS)
    _one_of(slug, "claim.certainty", said["certainty"], CERTAINTIES)
    for source in given["administrative"]["sources"]:
        _require_keys(slug, "a source", source, ("title", "section", "certainty"), ())
        _one_of(slug, "the certainty of a source", source["certainty"], CERTAINTIES)
    for one in said.get("checks", ()):
        _require_keys(slug, "a check", one, ("says", "statement"), ())
    for one in said.get("conditions", ()):
        _require_keys(slug, "a condition", one, ("says", "refuted"), ())
    _require_keys(slug, "claim.bound", said.get("bound", {}), (), ("k", "norm"))
    checks = tuple(Check(one["says"], one["statement"]) for one in said.get("checks", ()))
    paid = [one.get("multiplicity", 1) for one in said.get("parts", ())]
    _require(slug, paid != [1], "claim.parts must be more than the published number once more, got one part, paid once")
    found = Entry(slug, given, tuple(_part(slug, one) for one in said.get("parts", ())), checks)
    _require_one_way(found)
    return found


def _part(slug: str, given: Mapping[str, Any]) -> Part:
    """One part of the number."""
    _require_keys(slug, "a part", given, ("name", "mechanism", "loss", "certainty"), ("multiplicity",))
    _one_of(slug, "the certainty of a part", given["certainty"], CERTAINTIES)
    loss, times = exact(given["loss"], "loss"), given.get("multiplicity", 1)
    _require(slug, isinstance(times, int) and times >= 1, f"multiplicity must be a whole number >= 1, got {times}")
    _require(slug, loss >= 0, f"loss must be >= 0, got {loss}")
    return Part(given["name"], given["mechanism"], loss, times, given["certainty"])


def _require_one_way(found: Entry) -> None:
    """Theorems state the claim, or something is missing, or refdp has no words for it: one of the three."""
    said, slug = found.said, found.slug
    ways = [key for key in ("formal", "missing", "no_words") if said.get(key)]
    _require(slug, len(ways) == 1, f"claim must have one of formal, missing, no_words, got {', '.join(ways) or 'none'}")
    for key in ("conditions", "other_numbers"):
        _require(slug, not said.get(key) or ways == ["formal"], f"{key} must stand beside formal claims")
    for identifier in (
        *said.get("formal", ()),
        *said.get("beside", ()),
        *(c["refuted"] for c in said.get("conditions", ())),
    ):
        claim(identifier)


def _require_keys(slug: str, where: str, given: object, needed: tuple[str, ...], allowed: tuple[str, ...]) -> None:
    """The table has every key that it must have, and no other than it may have."""
    _require(slug, isinstance(given, Mapping), f"{where} must be a table, got {given!r}")
    keys = given if isinstance(given, Mapping) else {}
    for key in needed:
        _require(slug, key in keys, f"{where} must have {key}, got {', '.join(keys) or 'nothing'}")
    for key in keys:
        known = ", ".join((*needed, *allowed))
        _require(slug, key in needed or key in allowed, f"{where} must have keys among {known}, got {key}")


def _require_types(slug: str, block: str, given: Mapping[str, Any]) -> None:
    """Each value is what its key stands for: a text, a list of texts that are not empty, or tables."""
    for key, value in given.items():
        where = f"{block}.{key}"
        if key in OF_TABLES:
            whole = isinstance(value, list) and all(isinstance(one, Mapping) for one in value)
            _require(slug, whole, f"{where} must be a list of tables, got {value!r}")
        elif key in TABLES:
            whole = isinstance(value, Mapping) and all(isinstance(one, str) for one in value.values())
            _require(slug, whole, f"{where} must be a table of texts, got {value!r}")
        elif key in LISTS:
            whole = isinstance(value, list) and all(isinstance(one, str) and one for one in value)
            _require(slug, whole, f"{where} must be a list of texts, got {value!r}")
        else:
            _require(slug, isinstance(value, str) and value != "", f"{where} must be a text, got {value!r}")
    if block == "claim":
        _require(slug, given["not_claimed"] != [], "claim.not_claimed must name something, got nothing")


def _one_of(slug: str, what: str, value: object, known: tuple[str, ...] | Mapping[str, str]) -> None:
    """The value is one of those that are known."""
    _require(slug, isinstance(value, str) and value in known, f"{what} must be one of {', '.join(known)}, got {value}")


def _require(slug: str, holds: bool, says: str) -> None:
    """DocketError unless it holds."""
    if not holds:
        raise DocketError(f"{slug}: {says}")


def verdict(one: Entry, of: Callable[[Claim], str]) -> str:
    """refdp's verdict; `of` tells what a theorem says of a claim: PROVED, REFUTED or UNKNOWN.

    Raises DocketError where a formal claim is neither proved nor refuted, where a theorem bounds the loss by more than
    was published or refutes less, and where what is called refuted without a condition is not, at the published number.
    """
    if one.said.get("no_words"):
        return "NOT_STATABLE"
    if one.said.get("missing"):
        return "AMBIGUOUS"
    found = {c.identifier: of(c) for c in one.formal}
    for identifier, said in found.items():
        _require(one.slug, said in ("PROVED", "REFUTED"), f"{identifier} must be proved or refuted, got {said}")
    conditions = one.said.get("conditions", ())
    for condition in conditions:
        said = of(claim(condition["refuted"]))
        _require(one.slug, said == "REFUTED", f"{condition['refuted']} must be refuted, got {said}")
    if refuted := [c for c in one.formal if found[c.identifier] == "REFUTED"]:
        for c in refuted:
            at_published = not one.said.get("other_numbers") and within(c, one.parameters, refuted=True)
            _require(one.slug, at_published, f"{c.identifier} must refute {one.parameters} at the published numbers")
        return "REFUTED"
    if one.said.get("other_numbers"):
        return "PROVED_AT_OTHER_NUMBERS"
    for c in one.formal:
        _require(one.slug, within(c, one.parameters), f"{c.identifier} must bound the loss by {one.parameters}")
    for condition in conditions:
        refuted_at_it = exceeds(claim(condition["refuted"]), one.parameters)
        _require(one.slug, refuted_at_it, f"{condition['refuted']} must refute {one.parameters} without the condition")
    return "PROVED_IF" if conditions else "PROVED"


def within(about: Claim, parameters: Mapping[str, str], refuted: bool = False) -> bool:
    """Whether the claim is one of privacy whose loss is closed and at most what was published; `refuted`: at least."""
    whole = read(about.formal)
    if whole.operator != "private":
        return False
    bound = whole.arguments[3]
    losses = dict(zip(_parameters_of(bound.operator), bound.arguments, strict=False))
    published = {key: number(exact(value, key)) for key, value in parameters.items()}
    if not losses or not losses.keys() <= published.keys():
        return False
    pairs = [(published[key], loss) if refuted else (loss, published[key]) for key, loss in losses.items()]
    return all(decide(smaller <= larger) for smaller, larger in pairs)


def exceeds(about: Claim, parameters: Mapping[str, str]) -> bool:
    """Whether who refutes the claim refutes what was published: its loss is at least that, or what follows from it.

    Of rho follows every (rho + 2 sqrt(rho ln(1 / delta)), delta).  Source: BS16 Prop. 1.3.
    """
    if within(about, parameters, refuted=True):
        return True
    whole = read(about.formal)
    if whole.operator != "private" or whole.arguments[3].operator != "approximate" or "rho" not in parameters:
        return False
    rho, (epsilon, delta) = number(exact(parameters["rho"], "rho")), whole.arguments[3].arguments
    return decide(0 < delta) and decide(rho + 2 * sqrt(rho * ln(1 / delta)) <= epsilon)


def _parameters_of(measure: str) -> tuple[str, ...]:
    """The parameters that claims under the measure have; none where the docket has no such numbers."""
    return ("epsilon", "delta") if measure == "approximate" else tuple(filter(None, [LOSSES.get(measure)]))


def decimal(value: Fraction | None) -> str:
    """The number as a decimal where it has one, else as a fraction."""
    if value is None:
        return "none"
    for places in range(30):
        if (value * 10**places).denominator == 1:
            digits = str(abs(value.numerator) * 10**places // value.denominator).rjust(places + 1, "0")
            sign, cut = "-" if value < 0 else "", len(digits) - places
            return f"{sign}{digits[:cut]}{'.' if places else ''}{digits[cut:]}"
    return str(value)


def _read(statement: str) -> Term:
    """A closed statement, in which decimals stand for the exact fractions that they print."""
    return read(DECIMAL.sub(lambda found: f"({Fraction(found[0])})", statement))
