"""The command `refdp sample` and its options."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from refdp.cli import completing
from refdp.cli.errors import said, sentences
from refdp.cli.options import Json, keywords, set_option
from refdp.cli.showing import show, unread

THREADS = "OPENBLAS_NUM_THREADS"
"""The variable that OpenBLAS reads as numpy is loaded."""
OPTIONS = ("name", "n", "input", "out", "epsilon", "bits", "timeout", "step")
"""What --set may not name: these are no parameters of a mechanism."""
Name = typer.Argument(
    help="A mechanism with a sampler, such as discrete_laplace.", autocompletion=completing.mechanisms
)
Scale = Annotated[str | None, typer.Option(metavar="S", help="Scale, exact: 10, 22/7, 0.5; sigma for Gaussians.")]
Epsilon = Annotated[str | None, typer.Option(metavar="E", help="In place of --scale: the privacy loss at distance 1.")]
Granularity = Annotated[str | None, typer.Option(metavar="G", help="Inputs and outputs are multiples of it; else 1.")]
Truth = Annotated[str | None, typer.Option(metavar="P", help="Probability of the truth, of randomised response.")]
Input = Annotated[str | None, typer.Option("--input", metavar="X", help="The x of M(x); scores such as 3,1,2; else 0.")]
Count = Annotated[str, typer.Option("-n", metavar="N", help="How many draws.")]
Out = Annotated[Path | None, typer.Option(metavar="FILE", help="A file .npy, .csv or .txt; else printed, one a line.")]
Bits = Annotated[Path | None, typer.Option(metavar="FILE", help="A file of octets to replay: NOT random draws.")]
Timeout = Annotated[
    str | None, typer.Option(metavar="SECONDS", help="Seconds for the whole run; then nothing is written.")
]


def sample(
    name: Annotated[str, Name],
    scale: Scale = None,
    epsilon: Epsilon = None,
    granularity: Granularity = None,
    truth: Truth = None,
    set_: Annotated[list[str] | None, set_option("Any other parameter of the mechanism")] = None,
    input_: Input = None,
    n: Count = "1",
    out: Out = None,
    bits: Bits = None,
    timeout: Timeout = None,
    json: Json = False,
) -> None:
    """Draw from a mechanism, exactly: independent draws of M(x), a million in some hundredths of a second.

    Prints a draw a line; with --out a summary of the draws beside their law.

    Exits 0 with all draws, 2 for bad input, 3 if the time was over.

    Example: refdp sample discrete_gaussian --scale 10 -n 1000000 --out x.npy
    """
    with sentences(), warnings_said(), one_thread():
        asked = together(keywords(locals()))
        if bits is not None and bits.exists() and not bits.is_dir():
            said(f"NOT RANDOM: the digits are read from {bits}")
        drawn(asked, json)


@contextmanager
def one_thread() -> Iterator[None]:
    """Loads numpy, if it is loaded within, without the threads of its linear algebra.

    Nothing here uses them, and to start them takes the processor about half as long as all else of numpy.
    """
    before = os.environ.get(THREADS)
    os.environ.setdefault(THREADS, "1")
    try:
        yield
    finally:
        if before is None:
            os.environ.pop(THREADS, None)


def drawn(asked: dict[str, Any], json: bool) -> None:
    """Draw, and show the draws, or with --out or --json what is said of them."""
    from refdp.cli.progress import progress
    from refdp.commands import sample as run

    try:
        with progress("drawing") as step:
            if "out" not in asked and not json:
                run.print_draws(**asked, to=sys.stdout, step=step)
                sys.stdout.flush()
                return
            found = run.sample(**asked, step=step)
    except BrokenPipeError:
        unread()
        return
    from refdp.report.sample_tables import print_sample

    show(found, json, print_sample)


def together(asked: dict[str, Any]) -> dict[str, Any]:
    """The parameters of the mechanism, by options of their own and by --set; ValueError if one is given twice."""
    others: dict[str, Any] = asked.pop("set", {})
    for key, value in others.items():
        if key in OPTIONS:
            raise ValueError(f"{key} must be an option of its own, got --set {key}={value}")
        if key in asked:
            raise ValueError(f"{key} must be given once, got {asked[key]} and {value}")
    return asked | others


@contextmanager
def warnings_said() -> Iterator[None]:
    """Warnings of refdp as one sentence each on standard error."""
    from refdp.sampling.tables import Slower

    with warnings.catch_warnings():
        warnings.simplefilter("always", Slower)
        warnings.showwarning = lambda message, *_, **__: said(str(message))
        yield
