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

from refdp.cli.errors import ending, said, sentences
from refdp.cli.sensitivity import pairs

OPTIONS = ("name", "n", "input", "out", "epsilon", "bits", "timeout", "step")
"""What --set may not name: these are no parameters of a mechanism."""


def names(incomplete: str) -> list[str]:
    """The mechanisms with a sampler that begin so: for shells that complete."""
    from refdp.commands.sample_requests import constructors

    return [stem for stem in constructors() if stem.startswith(incomplete)]


def sample(
    name: Annotated[
        str, typer.Argument(help="A mechanism with a sampler, such as discrete_laplace.", autocompletion=names)
    ],
    scale: Annotated[str | None, typer.Option(help="Scale, exact: 10, 22/7, 0.5; sigma for Gaussians.")] = None,
    epsilon: Annotated[str | None, typer.Option(help="In place of --scale: the privacy loss at distance 1.")] = None,
    granularity: Annotated[str | None, typer.Option(help="Inputs and outputs are multiples of it; else 1.")] = None,
    truth: Annotated[str | None, typer.Option(help="Probability of the truth, of randomised response.")] = None,
    set_: Annotated[list[str] | None, typer.Option("--set", help="NAME=VALUE of any other parameter.")] = None,
    input_: Annotated[str | None, typer.Option("--input", help="The x of M(x); scores such as 3,1,2; else 0.")] = None,
    n: Annotated[int, typer.Option("-n", help="How many draws.")] = 1,
    out: Annotated[Path | None, typer.Option(help="A file .npy, .csv or .txt; else printed, one a line.")] = None,
    bits: Annotated[Path | None, typer.Option(help="A file of octets to replay: NOT random draws.")] = None,
    timeout: Annotated[float | None, typer.Option(help="Give up after so many seconds: no file.", min=0.1)] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object on standard output.")] = False,
) -> None:
    """Draw from a mechanism, exactly: independent draws of M(x), a million in some hundredths of a second.

    Example: refdp sample discrete_gaussian --scale 10 -n 1000000 --out x.npy
    """
    with sentences(), warnings_said(), pipes():
        from refdp.cli.progress import progress
        from refdp.commands.sample import sample as run
        from refdp.report.sample_tables import print_sample
        from refdp.report.tables import print_json

        chosen = parameters(set_, scale=scale, granularity=granularity, truth=truth)
        if bits is not None:
            said(f"NOT RANDOM: the digits are read from {bits}")
        where = sys.stdout if out is None and not json else out
        try:
            with progress("drawing") as step:
                found = run(
                    name,
                    n,
                    input=input_,
                    out=where,
                    epsilon=epsilon,
                    bits=bits,
                    timeout=timeout,
                    step=step,
                    **chosen,
                )
        except TimeoutError as error:
            said(str(error))
            ending(refuted=False, unknown=True)
        if json:
            print_json(found)
        elif out is not None:
            print_sample(found)


def parameters(others: list[str] | None, **options: str | None) -> dict[str, Any]:
    """The parameters of the mechanism, by options of their own and by --set; ValueError if one is given twice."""
    chosen: dict[str, Any] = dict(options)
    for key, value in pairs("set", others).items():
        if key in OPTIONS:
            raise ValueError(f"{key} must be an option of its own, got --set {key}={value}")
        if chosen.get(key) is not None:
            raise ValueError(f"{key} must be given once, got {chosen[key]} and {value}")
        chosen[key] = value
    return chosen


@contextmanager
def warnings_said() -> Iterator[None]:
    """Warnings of refdp as one sentence each on standard error."""
    from refdp.sampling.tables import Slower

    with warnings.catch_warnings():
        warnings.simplefilter("always", Slower)
        warnings.showwarning = lambda message, *_, **__: said(str(message))
        yield


@contextmanager
def pipes() -> Iterator[None]:
    """Ends quietly where nobody reads on, as with `refdp sample ... | head`."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(0) from None
