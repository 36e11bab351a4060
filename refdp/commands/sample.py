"""`refdp sample`: exact draws of a mechanism, many at a time, into a file or one number a line."""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable, Mapping
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any, TextIO

import refdp.mechanisms
from refdp.claims import claim, verdict
from refdp.commands.sample_files import Counted, Sink, digits_of, draws_into, number_text
from refdp.commands.sample_summary import law_moments, sample_moments
from refdp.numerics.exact import exact
from refdp.pipeline import Measurement, exact_data
from refdp.sampling.chunks import Moments, Run, run_of
from refdp.sampling.tree import OutOfBits
from refdp.sampling.words import Source, is_system
from refdp.spec import registry
from refdp.spec.domains import contains
from refdp.spec.samplers import SCHEMES
from refdp.spec.terms import number, substitute

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
    whole, mechanism = _count(n, out), _mechanism(name, parameters, epsilon)
    proved = import_module(f"refdp.proofs.{name}").sampler_law()
    with digits_of(bits) as source, draws_into(out) as sink:
        x = _input(mechanism, input)
        counted = Counted(source)
        run = run_of(mechanism.subject, x, whole, counted)
        run.prepare()
        sink.begin(run)
        found, nanoseconds = _drawn(run, sink, _deadline(timeout), step)
        random = is_system(source)
    identifier = f"{name}.sampler_law"
    return {
        "stem": name,
        "parameters": _parameters(mechanism),
        "input": [number_text(s) for s in x] if isinstance(x, tuple) else number_text(x),
        "n": whole,
        "file": None if out is None or hasattr(out, "write") else str(out),
        "claim": identifier,
        "verdict": verdict(proved.claim, claim(identifier).formal) or "UNKNOWN",
        "trusts": sorted(proved.trusts),
        "entropy": "the operating system" if random else f"digits supplied: {bits}",
        "random": random,
        "sampler": run.sampler,
        "path": run.path,
        "digits": counted.used,
        "nanoseconds_per_draw": f"{nanoseconds / whole:.1f}",
        "seconds": f"{time.process_time() - began:.2f}",
        "sample": sample_moments(run, found),
        "law": law_moments(run),
    } | ({"draws": sink.draws} if out is None else {})


def _count(n: object, out: object) -> int:
    """n, if so many draws can be made."""
    if type(n) is not int or n < 1:
        raise ValueError(f"n must be a whole number >= 1, got {n}")
    if out is None and n > MOST_LISTED:
        raise ValueError(f"out must be given where n is more than {MOST_LISTED}, got n = {n}")
    return n


def _deadline(timeout: float | None) -> float | None:
    """When to stop."""
    if timeout is None:
        return None
    if not 0 < timeout < float("inf"):
        raise ValueError(f"timeout must be > 0 and finite, got {timeout}")
    return time.monotonic() + timeout


def _drawn(run: Run, sink: Sink, deadline: float | None, step: Step) -> tuple[Moments, float]:
    """Draw all; the moments, and the nanoseconds that drawing took."""
    found, spent, chunks = None, 0, run.chunks()
    while found is None or found.count < run.n:
        began = time.process_time_ns()
        try:
            chunk = next(chunks)
        except OutOfBits as error:
            raise ValueError(f"bits must hold digits enough for n = {run.n} draws, got too few: {error}") from None
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


def constructors() -> Mapping[str, Callable[..., Measurement]]:
    """The mechanisms that have a sampler, by stem."""
    return {stem: getattr(refdp.mechanisms, stem) for stem in SCHEMES if hasattr(refdp.mechanisms, stem)}


def _mechanism(name: object, parameters: Mapping[str, Any], epsilon: Any) -> Measurement:
    """The mechanism; ValueError, naming what is missing or unknown, if it has other parameters."""
    known = constructors()
    if not isinstance(name, str) or name not in known:
        raise ValueError(f"name must be a mechanism with a sampler: {', '.join(sorted(known))}; got {name}")
    wanted = {p: q for p, q in inspect.signature(known[name]).parameters.items() if p != "dimension"}
    given = {p: v for p, v in parameters.items() if v is not None}
    if "sigma" in wanted and "scale" in given:
        if "sigma" in given:
            raise ValueError(f"scale is sigma here and must not be given besides, got {given['scale']}")
        given["sigma"] = given.pop("scale")
    for p in given:
        if p not in wanted:
            raise ValueError(f"a parameter of {name} must be one of {', '.join(wanted)}, got {p}")
    if epsilon is not None:
        return _of_epsilon(name, known[name], given, epsilon)
    for p, q in wanted.items():
        if q.default is inspect.Parameter.empty and p not in given:
            raise ValueError(f"{p} must be given for {name}, got nothing")
    return known[name](**given)


def _of_epsilon(name: str, constructor: Callable[..., Measurement], given: dict[str, Any], epsilon: Any) -> Measurement:
    """The mechanism with the scale at which its privacy loss at distance 1 is epsilon."""
    loss = exact(epsilon, "epsilon")
    if "scale" not in inspect.signature(constructor).parameters or "scale" in given:
        raise ValueError(f"epsilon must stand in the place of a scale, which {name} here has not, got {epsilon}")
    if loss <= 0:
        raise ValueError(f"epsilon must be > 0, got {epsilon}")
    one = constructor(scale=1, **given)
    mechanism = constructor(scale=one.map(1) / loss, **given)
    if mechanism.map(1) != loss:
        raise ValueError(f"epsilon must be the loss at some scale of {name}, got {epsilon}")
    return mechanism


def _parameters(mechanism: Measurement) -> dict[str, str]:
    """The parameters as text, by name."""
    names = registry.kind_of(mechanism.subject.operator).parameters
    return {p: str(t) for p, t in zip(names, mechanism.subject.arguments, strict=True)}


def _input(mechanism: Measurement, given: Any) -> Any:
    """The input, exact and a member of the domain: 0 where none is given and it is one."""
    domain = mechanism.input_domain
    if given is None:
        zero = Fraction(0)
        if domain.operator == "vector" or not contains(domain, zero):
            raise ValueError(f"input must be given, a member of {domain}, got nothing")
        return zero
    found = exact_data(_read(given))
    if isinstance(found, tuple):
        domain = substitute(domain, {"candidates": number(len(found))})
    if isinstance(found, tuple) and not found or not contains(domain, found):
        raise ValueError(f"input must be a member of {domain}, got {given}")
    return found


def _read(given: Any) -> Any:
    """Text as exact numbers: one, or several with commas; within lists too."""
    if isinstance(given, str) and "," in given:
        return [_read(part) for part in given.split(",") if part.strip()]
    if isinstance(given, str):
        try:
            return Fraction(given.strip())
        except (ValueError, ZeroDivisionError):
            raise ValueError(f"input must be exact numbers such as 3 or 1/2, got {given!r}") from None
    return [_read(one) for one in given] if isinstance(given, list | tuple) else given


__all__ = ["constructors", "sample"]
