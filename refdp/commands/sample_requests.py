"""What is asked of `refdp sample`: a mechanism by its stem and parameters, and its input."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import refdp.mechanisms
from refdp.numerics.exact import NotExact, exact
from refdp.pipeline import Measurement, exact_data
from refdp.spec import registry
from refdp.spec.bound_noise import BoundNoise
from refdp.spec.domains import contains
from refdp.spec.rates import BitOfRate
from refdp.spec.registry import kind_of
from refdp.spec.samplers import SCHEMES, BySameLaw
from refdp.spec.semantics import ReportLaw
from refdp.terms.term import number, substitute


def constructors() -> Mapping[str, Callable[..., Measurement]]:
    """The mechanisms of numbers that have a sampler and are made of parameters, by stem: reports are no numbers, and
    no pairs of a number and a bound."""
    own = (stem for stem in SCHEMES if stem in refdp.mechanisms.__all__)
    others = ReportLaw | BitOfRate | BoundNoise
    return {s: getattr(refdp.mechanisms, s) for s in own if not isinstance(kind_of(s), others)}


def mechanism_of(name: object, parameters: Mapping[str, Any], epsilon: Any) -> Measurement:
    """The mechanism; ValueError, naming what is missing or unknown, if it has other parameters."""
    known = constructors()
    if isinstance(name, str) and isinstance(scheme := SCHEMES.get(name), BySameLaw):
        raise ValueError(f"name must be {scheme.of}, which has the same law at the same parameters, got {name}")
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
    _require_all(name, known[name], given)
    return known[name](**given)


def _require_all(name: str, constructor: Callable[..., Measurement], given: Mapping[str, Any]) -> None:
    """ValueError unless every parameter is given that must be."""
    for p, q in inspect.signature(constructor).parameters.items():
        if q.default is inspect.Parameter.empty and p not in given:
            hint = {"scale": "; epsilon may stand in its place", "sigma": "; scale is sigma here"}.get(p, "")
            raise ValueError(f"{p} must be given for {name}, got nothing{hint}")


def _of_epsilon(name: str, constructor: Callable[..., Measurement], given: dict[str, Any], epsilon: Any) -> Measurement:
    """The mechanism with the scale at which its privacy loss at distance 1 is epsilon."""
    loss = exact(epsilon, "epsilon")
    if "scale" in given:
        raise ValueError(f"epsilon must stand in the place of a scale, got {epsilon} besides scale = {given['scale']}")
    if "scale" not in inspect.signature(constructor).parameters:
        raise ValueError(f"epsilon must be for a mechanism whose loss a scale sets, got {epsilon} for {name}")
    if loss <= 0:
        raise ValueError(f"epsilon must be > 0, got {epsilon}")
    _require_all(name, constructor, {"scale": 1, **given})
    one = constructor(scale=1, **given)
    mechanism = constructor(scale=one.map(1) / loss, **given)
    if mechanism.map(1) != loss:
        raise ValueError(f"epsilon must be the loss at some scale of {name}, got {epsilon}")
    return mechanism


def parameters_of(mechanism: Measurement) -> dict[str, str]:
    """The parameters as text, by name."""
    names = registry.kind_of(mechanism.subject.operator).parameters
    return {p: str(t) for p, t in zip(names, mechanism.subject.arguments, strict=True)}


def input_of(mechanism: Measurement, given: Any) -> Any:
    """The input, exact and a member of the domain: 0 where none is given and it is one."""
    domain = mechanism.input_domain
    if given is None:
        zero = Fraction(0)
        if domain.operator == "vector" or not contains(domain, zero):
            such = "; for three candidates such as 3,1,2" if domain.operator == "vector" else ""
            raise ValueError(f"input must be given, a member of {domain}, got nothing{such}")
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
            return exact(given, "input")
        except NotExact:
            raise ValueError(f"input must be exact numbers such as 3 or 1/2, got {given!r}") from None
    return [_read(one) for one in given] if isinstance(given, list | tuple) else given
