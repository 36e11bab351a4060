"""`refdp sample`: exact draws of a mechanism, many at a time, into a file or one number a line."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TextIO

from refdp.commands.judgements import deadline
from refdp.commands.sample_digits import Counted, digits_of
from refdp.commands.sample_files import Sink, draws_into, number_text
from refdp.commands.sample_requests import input_of, mechanism_of, parameters_of
from refdp.commands.sample_summary import law_moments, sample_moments
from refdp.numerics.exact import integer_of
from refdp.pipeline import Measurement
from refdp.sampling.chunks import Run, run_of
from refdp.sampling.moments import Moments
from refdp.sampling.tree import OutOfBits
from refdp.sampling.words import Source, is_system

if TYPE_CHECKING:
    from refdp.kernel.theorem import Theorem

Step = Callable[[int, int, str], None]
MOST_LISTED = 100_000
"""Most draws that are given back in a list."""


def sample(
    name: str,
    n: int = 1,
    *,
    input: Any = None,  # noqa: A002
    out: str | Path | TextIO | None = None,
    epsilon: Any = None,
    bits: str | Path | Source | None = None,
    timeout: float | None = None,
    step: Step = lambda *_: None,
    **parameters: Any,
) -> dict[str, Any]:
    """n independent exact draws of M(input), the object of `refdp sample --json`.

    `name`: a mechanism with a sampler, and its `parameters` by the names of its constructor; `scale` is sigma where
    there is no other, and `epsilon` in its place is the privacy loss at distance 1.  `input`: 0, or the scores of a
    selection.  `out`: a file that ends in .npy (int64), .csv or .txt, or an open text file; without one the draws are
    given back as text.  `bits`: a record of octets in place of the operating system's entropy.  In bounded memory, and
    no partial file.  Raises ValueError for bad input, TimeoutError after `timeout` seconds.

    >>> sample("truncated_geometric", 3, input=4, scale="1/10000", lower=0, upper=9)["draws"]
    ['4', '4', '4']
    """
    began = time.process_time()
    whole, mechanism = _count(n, out), mechanism_of(name, parameters, epsilon)
    proved = _proved(name)
    with digits_of(bits) as source, draws_into(out) as sink:
        x, counted = input_of(mechanism, input), Counted(source)
        run = _begun(mechanism, x, whole, counted, sink)
        found, nanoseconds = _drawn(run, sink, _deadline(timeout), step)
        random = is_system(source)
    return {
        **_asked(name, mechanism, x, whole, out),
        **proved,
        "entropy": "the operating system" if random else f"digits supplied: {bits}",
        "random": random,
        **_spent(run, counted, nanoseconds, time.process_time() - began),
        "sample": sample_moments(run, found),
        "law": law_moments(run),
    } | ({"draws": sink.draws} if out is None else {})


def print_draws(
    name: str,
    n: int = 1,
    *,
    to: TextIO,
    input: Any = None,  # noqa: A002
    epsilon: Any = None,
    bits: str | Path | Source | None = None,
    timeout: float | None = None,
    step: Step = lambda *_: None,
    **parameters: Any,
) -> None:
    """The draws of `sample`, one a line of an open text file; what is proved of them is not asked, as nobody reads it.

    >>> import sys
    >>> print_draws("truncated_geometric", 2, to=sys.stdout, input=4, scale="1/10000", lower=0, upper=9)
    4
    4
    """
    whole, mechanism = _count(n, to), mechanism_of(name, parameters, epsilon)
    with digits_of(bits) as source, draws_into(to) as sink:
        run = _begun(mechanism, input_of(mechanism, input), whole, Counted(source), sink)
        _drawn(run, sink, _deadline(timeout), step)


def _begun(mechanism: Measurement, x: Any, n: int, counted: Counted, sink: Sink) -> Run:
    """The run, ready to draw."""
    run = run_of(mechanism.subject, x, n, counted)
    run.prepare()
    sink.begin(run)
    return run


def _proved(name: str) -> dict[str, Any]:
    """What is proved of the mechanism's sampler, and whom that trusts."""
    from refdp.claims import claim, verdict

    identifier = f"{name}.sampler_law"
    asked = claim(identifier)
    theorem = _replayed(identifier) or _proved_anew(identifier)
    said = verdict(theorem.claim, asked.formal) or "UNKNOWN"
    return {"claim": identifier, "verdict": said, "trusts": sorted(theorem.trusts)}


def _replayed(identifier: str) -> Theorem | None:
    """The theorem, rebuilt by the kernel from its certificate, where that needs nobody to be asked; else None."""
    from refdp.claims import CERTIFICATES
    from refdp.kernel.certificate import parsed, replay
    from refdp.kernel.judgements import KernelError

    def nobody(*_: object) -> NoReturn:
        raise KernelError("an oracle would have to be asked")

    try:
        text = (CERTIFICATES / f"{identifier}.json").read_text(encoding="utf-8")
        return replay(parsed(text), nobody).theorem
    except (OSError, KernelError):
        return None


def _proved_anew(identifier: str) -> Theorem:
    """The theorem by its line of the ledger; what reads that is loaded where there is no certificate alone."""
    from refdp.proofs.lines import proved

    return proved(identifier)


def _asked(name: str, mechanism: Measurement, x: Any, n: int, out: object) -> dict[str, Any]:
    """What was drawn, from what input, how often and into which file."""
    return {
        "stem": name,
        "parameters": parameters_of(mechanism),
        "input": [number_text(s) for s in x] if isinstance(x, tuple) else number_text(x),
        "n": n,
        "file": None if out is None or hasattr(out, "write") else str(out),
    }


def _spent(run: Run, counted: Counted, nanoseconds: float, seconds: float) -> dict[str, Any]:
    """How the draws were made, and what they took."""
    return {
        "sampler": run.sampler,
        "path": run.path,
        "digits": counted.used,
        "nanoseconds_per_draw": f"{nanoseconds / run.n:.1f}",
        "seconds": f"{seconds:.2f}",
    }


def _count(n: object, out: object) -> int:
    """n, if so many draws can be made."""
    found = integer_of(n)
    if found is None or found < 1:
        raise ValueError(f"n must be a whole number >= 1, got {n}")
    if out is None and found > MOST_LISTED:
        raise ValueError(f"out must be given where n is more than {MOST_LISTED}, got n = {n}")
    return found


def _deadline(timeout: float | None) -> float | None:
    """When to stop; never where there is no limit."""
    if timeout is None:
        return None
    return deadline(timeout)


def _drawn(run: Run, sink: Sink, deadline: float | None, step: Step) -> tuple[Moments, float]:
    """Draw all; the moments, and the nanoseconds that drawing took."""
    found, spent, chunks = None, 0, run.chunks()
    while found is None or found.count < run.n:
        began = time.process_time_ns()
        try:
            chunk = next(chunks)
        except OutOfBits as error:
            raise ValueError(f"bits must hold digits enough for n = {run.n} draws, got too few: {error}") from None
        except OverflowError:
            raise ValueError("draws must be within int64 in arrays, got a greater one; draw fewer or again") from None
        spent += time.process_time_ns() - began
        found = chunk.moments() if found is None else found | chunk.moments()
        try:
            sink.take(chunk)
        except OverflowError:
            raise ValueError(f"draws must be within int64 for {sink.name}, got a greater one; write .csv") from None
        step(found.count, run.n, run.subject.operator)
        if deadline is not None and time.monotonic() > deadline and found.count < run.n:
            raise TimeoutError(f"timeout: {found.count} of {run.n} draws were made in time, and nothing was written")
    return found, spent
