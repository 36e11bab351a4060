"""The options of `refdp sensitivity`, in the sections of its help."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from refdp.cli import completing
from refdp.cli.options import certificates_option, set_option, timeout_option

MORE, TABLE, SCORE, MACHINE = "More of the question", "At one table", "Scores", "On a machine"


def option(metavar: str, help: str, panel: str | None = None, *names: str, **more: Any) -> Any:  # noqa: A002
    """An option in a section of the help."""
    return typer.Option(*names, metavar=metavar, help=help, rich_help_panel=panel, **more)


def flag(name: str, help: str, panel: str) -> Any:  # noqa: A002
    """A flag in a section of the help."""
    return typer.Option(name, help=help, rich_help_panel=panel)


Target = Annotated[str, typer.Argument(help="FILE.py:FUNCTION, or a campaign FILE.toml.")]
Bounds = Annotated[tuple[str, str] | None, option("L U", "Bounds of a table of numbers; also L,U.")]
Column = Annotated[
    list[str] | None, option("NAME=KIND", "Kind of a column, such as 0..9; of tuples 0=KIND. May be repeated.")
]
Claim = Annotated[str | None, option("D", "The bound that is claimed; without it the least is found.")]
Certificates = Annotated[Path, certificates_option("the certificate")]
Timeout = Annotated[str, timeout_option("one question")]

Records = Annotated[str | None, option("KIND", "Kind of the records: numbers, 'integers 0..9', 'A | B'.", MORE)]
Edits = Annotated[str, option("K", "How many rows are added, removed or changed.", MORE, "-k", "--edits")]
Norm = Annotated[
    str, option("NORM", "L1, L2 or Linf, for answers of several numbers.", MORE, autocompletion=completing.norms)
]
Tables = Annotated[
    str | None,
    option("KIND", "lists or multisets: whether rows keep their order.", MORE, autocompletion=completing.tables),
]
Set = Annotated[list[str] | None, set_option("A public parameter", MORE)]
Symbol = Annotated[
    list[str] | None, option("NAME", "A parameter of any value, NAME or NAME:integer; may be repeated.", MORE)
]
Assume = Annotated[str | None, option("STATEMENT", "About symbols and n, the number of rows.", MORE)]

At = Annotated[str | None, option("TABLE", "FILE.csv or FILE.csv:COLUMN: at this table alone.", TABLE)]
Smooth = Annotated[
    str | None, option("BETA", "A smooth bound: of --statistic, or whether --smooth-bound is one.", TABLE)
]
Statistic = Annotated[
    str | None,
    option("NAME", "median, 'quantile 1/4', 'rank 3', minimum, maximum.", TABLE, autocompletion=completing.statistics),
]
Empty = Annotated[str | None, option("X", "What the statistic is of no rows, for add_remove.", TABLE)]
SmoothBound = Annotated[str | None, option("TARGET", "FILE.py:FUNCTION that claims to be a smooth bound.", TABLE)]

Score = Annotated[str | None, option("NAME", "The parameter of a score function that is the candidate.", SCORE)]
Candidates = Annotated[str | None, option("LIST", "[a, b, c]; else the candidate is a --symbol.", SCORE)]

Arithmetic = Annotated[
    str,
    option(
        "NAME", "exact, float64, float32, float16, bfloat16, int64, ...", MACHINE, autocompletion=completing.arithmetics
    ),
]
Sum = Annotated[
    str,
    option(
        "NAME", "What sum computes: python, naive, pairwise, kahan, neumaier, numpy, fsum.", MACHINE, "--sum",
        autocompletion=completing.sums,
    ),
]  # fmt: skip
RowsAtMost = Annotated[str | None, option("N", "Most rows of a table.", MACHINE)]
RowsAtLeast = Annotated[str, option("N", "Fewest rows of a table.", MACHINE)]
Specials = Annotated[bool, flag("--specials", "Floats may be NaN, inf and -0.0, too.", MACHINE)]
Attacks = Annotated[bool, flag("--attacks", "Show how machines break sensitivities.", MACHINE)]
