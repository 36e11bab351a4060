"""What the options of a run say; read when pytest starts, with nothing loaded but the standard library."""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

PULL_REQUEST, NIGHTLY = "pr", "nightly"
PROFILES = (PULL_REQUEST, NIGHTLY)
BUDGET = "1e-9"
LEAST = Fraction(1, 10**200)
"""The least budget: shares of it must be floats, which choose when one looks."""
WRITTEN = re.compile(r"[-+.0-9/]+([eE][-+]?[0-9]{1,3})?", re.ASCII)
"""What is read as a budget: no exponent may fill the memory."""
SEED = 20260101
"""The seed of pull requests: the same draws each time."""
SEED_BITS = 128
SUFFIXES = (".json", ".html")


@dataclass(frozen=True, slots=True)
class Amounts:
    """How much a profile draws, unless the statement or --refdp-samples says otherwise.

    What a statement says is for pull requests; a night draws as many times more as it does where nothing is said.
    """

    draws: int
    """Of a sampler; PASS may come before."""
    pairs: int
    """Pairs of runs on two neighbours."""
    neighbours: int
    """Neighbouring inputs of a function whose outputs are compared."""


AMOUNTS = {PULL_REQUEST: Amounts(200_000, 10_000, 2_000), NIGHTLY: Amounts(1_000_000, 200_000, 20_000)}


class OptionError(ValueError):
    """An option that cannot be used; the sentence names it."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The options of a run: the same on the controller and on every worker of pytest-xdist."""

    budget: Fraction
    profile: str
    seed: int
    samples: int | None
    strict: bool
    wealth: Path | None
    restart: str | None
    reports: tuple[Path, ...]

    @property
    def nightly(self) -> bool:
        """Whether draws are fresh, and go on after PASS."""
        return self.profile == NIGHTLY

    def amounts(self, own: int | None = None) -> Amounts:
        """How much is drawn for a statement that says `own` samples; --refdp-samples stands before all."""
        n, tonight, usual = self.samples, AMOUNTS[self.profile], AMOUNTS[PULL_REQUEST]
        if n is not None:
            return Amounts(n, n, n)
        if own is None:
            return tonight
        return Amounts(
            own * tonight.draws // usual.draws,
            own * tonight.pairs // usual.pairs,
            own * tonight.neighbours // usual.neighbours,
        )

    @property
    def options(self) -> str:
        """The options that draw the same again."""
        samples = "" if self.samples is None else f" --refdp-samples={self.samples}"
        budget = "" if self.budget == Fraction(BUDGET) else f" --refdp-budget={self.budget}"
        return f"--refdp-profile={self.profile} --refdp-seed={self.seed}{budget}{samples}"


def read(option: Any, folder: Path, seed: int | None = None) -> Settings:
    """The settings of pytest's options; `seed` is the controller's.  Raises OptionError for options that are none."""
    wealth, given = option("--refdp-wealth"), option("--refdp-seed")
    nightly = option("--refdp-profile") == NIGHTLY
    if wealth and not nightly:
        raise OptionError("--refdp-wealth needs --refdp-profile=nightly: the same draws must not count twice")
    if wealth and given is not None:
        raise OptionError("--refdp-wealth needs fresh draws: leave --refdp-seed out")
    if option("--refdp-restart") and not wealth:
        raise OptionError("--refdp-restart needs --refdp-wealth")
    fixed = _whole("--refdp-seed", given, 0) if given is not None else None
    if fixed is None:
        fixed = secrets.randbits(SEED_BITS) if nightly else SEED
    return Settings(
        budget(option("--refdp-budget")),
        option("--refdp-profile"),
        fixed if seed is None else seed,
        None if option("--refdp-samples") is None else _whole("--refdp-samples", option("--refdp-samples"), 1),
        bool(option("--refdp-strict")),
        folder / wealth if wealth else None,
        option("--refdp-restart"),
        tuple(folder / name for name in _reports(option("--refdp-report"), folder)),
    )


def budget(text: str) -> Fraction:
    """The error of a run, at least LEAST and below 1; OptionError otherwise."""
    try:
        found = Fraction(text) if WRITTEN.fullmatch(text) else Fraction(0)
    except (ValueError, ZeroDivisionError):
        found = Fraction(0)
    if not LEAST <= found < 1:
        raise OptionError(f"--refdp-budget must be >= 1e-200 and < 1, such as 1e-9, got {text[:80]}")
    return found


def _whole(name: str, text: str, least: int) -> int:
    """A whole number; OptionError otherwise."""
    digits = text.replace("_", "")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 60 and int(digits) >= least):
        raise OptionError(f"{name} must be a whole number >= {least}, got {text}")
    return int(digits)


def _reports(text: str | None, folder: Path) -> list[str]:
    """The files of a list with commas; OptionError unless they can be written."""
    names = [name.strip() for name in (text or "").split(",") if name.strip()]
    for name in names:
        if not name.endswith(SUFFIXES):
            raise OptionError(f"--refdp-report must name files {' and '.join(SUFFIXES)}, got {name}")
        if not (folder / name).parent.is_dir():
            raise OptionError(f"--refdp-report must name files in a folder that there is, got {name}")
    return names
