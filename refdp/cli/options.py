"""Options that several commands have: one name, one sentence and one way to write a value for the same thing.

Every option is a keyword of the function of the command's name in `refdp`; `keywords` reads the values of options.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

import typer

from refdp.cli import completing
from refdp.terms.decimals import written_decimal

LEAST, MOST = Fraction(1, 10), 10**6
"""Fewest and most seconds of a --timeout."""
FACE = ("json", "latex", "plot", "html", "sarif")
"""What says how an answer is shown: options alone, no keywords."""
CERTIFICATES = Path("refdp-certificates")
"""The folder of certificates, unless said."""


def timeout_option(what: str) -> Any:
    """The option --timeout of a command that gives so many seconds to each `what`."""
    return typer.Option(metavar="SECONDS", help=f"Seconds for {what}; what is not decided by then is UNKNOWN.")


def certificates_option(whose: str = "the certificates") -> Any:
    """The option --certificates."""
    return typer.Option(metavar="FOLDER", help=f"Folder for {whose}.")


def set_option(what: str, section: str | None = None) -> Any:
    """The option --set."""
    return typer.Option("--set", metavar="NAME=VALUE", help=f"{what}; may be repeated.", rich_help_panel=section)


Json = Annotated[bool, typer.Option("--json", help="Print one JSON object on standard output.")]
Run = Annotated[
    bool,
    typer.Option("--run/--no-run", help="Run the file on random data, in a process of its own, to judge each proof."),
]
Neighbours = Annotated[
    str | None,
    typer.Option(metavar="RELATION", help="add_remove or change_one.", autocompletion=completing.neighbours),
]


def seconds(text: str, name: str) -> float:
    """A number of seconds.

    >>> seconds("1/2", "timeout")
    0.5
    """
    try:
        found = written_decimal(text)
    except (ValueError, ZeroDivisionError):
        found = Fraction(0)
    if not LEAST <= found <= MOST:
        raise ValueError(f"{name} must be a number of seconds from 0.1 to {MOST}, got {text or 'nothing'}")
    return float(found)


def whole(least: int) -> Callable[[str, str], int]:
    """Reads a whole number >= least."""

    def read(text: str, name: str) -> int:
        if not (text.isascii() and text.removeprefix("-").isdigit() and len(text) <= 18 and int(text) >= least):
            raise ValueError(f"{name} must be a whole number >= {least}, got {text or 'nothing'}")
        return int(text)

    return read


def octets(text: str, name: str) -> int:
    """A number of bytes such as 2e9."""
    from refdp.accounting.numbers import whole as whole_number

    return whole_number(text, name, 10**15)


def pairs(entries: list[str], name: str) -> dict[str, str]:
    """NAME=VALUE entries.

    >>> pairs(["k=3", "truth=1/2"], "set")
    {'k': '3', 'truth': '1/2'}
    """
    found: dict[str, str] = {}
    for entry in entries:
        key, equals, value = entry.partition("=")
        if not equals or not key.strip() or key.strip() in found:
            raise ValueError(f"{name} must be NAME=VALUE, each name once, got {entry or 'nothing'}")
        found[key.strip()] = value
    return found


def listed(text: str, name: str) -> list[str]:
    """Names with commas between them."""
    found = [part.strip() for part in text.split(",")]
    if not all(found):
        raise ValueError(f"{name} must be names with commas between them, got {text or 'nothing'}")
    return found


READ: Mapping[str, Callable[[Any, str], Any]] = {
    "timeout": seconds, "memory": octets, "set": pairs, "column": pairs, "trust": listed, "edits": whole(1),
    "n": whole(1), "workers": whole(1), "digits": whole(1), "maximum_rows": whole(1), "rows_at_most": whole(0),
    "rows_at_least": whole(0), "runs": whole(1), "people": whole(1), "answers": whole(1), "seed": whole(0),
    "bins": whole(1), "clusters": whole(1), "rounds": whole(1), "components": whole(1),
}  # fmt: skip
"""How the value of an option is read, by its name, the same for every command; text stays as it is."""


def keywords(options: Mapping[str, Any], without: tuple[str, ...] = ()) -> dict[str, Any]:
    """The options that were given or have a value, by the keywords of the command's function, each value read.

    >>> keywords({"pattern": "*", "timeout": "20", "set_": None, "json": True})
    {'pattern': '*', 'timeout': 20.0}
    """
    given = {key.rstrip("_"): value for key, value in options.items() if value is not None}
    return {
        key: READ[key](value, key) if key in READ else value
        for key, value in given.items()
        if key not in (*FACE, *without)
    }
