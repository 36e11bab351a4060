"""SamplerBitstream: tapes for every sampler, and what wrong samplers make of them."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from refdp.laws import discrete_gaussian, discrete_laplace
from refdp.sampling.potentials import Potential
from refdp.test_vectors.certificates import text_of
from refdp.test_vectors.lists.asked import Case, File, Group, case
from refdp.test_vectors.samplers import EXHAUSTED, drawn, sampler
from refdp.test_vectors.tape_mutants import TAPES, fits, mutated
from refdp.test_vectors.tapes import PATTERNS, made

FLAGS = {
    "bits_reversed": "BitOrder", "flips_negated": "BitOrder", "octets_repeated": "Entropy", "step_too_high": "OffByOne",
    "minus_zero_kept": "DoubleZero", "nothing_rejected": "NothingRejected",
}  # fmt: skip
Stated = list[tuple[dict[str, Any], Any]]
SCALAR: dict[str, Stated] = {
    "discrete_laplace": [
        ({"scale": "1"}, "0"), ({"scale": "22/7"}, "5"), ({"scale": "1/3"}, "-1"),
        ({"scale": "3", "granularity": "1/4"}, "1/2"),
        ({"scale": "1000000000000"}, "0"),
    ],
    "discrete_gaussian": [
        ({"sigma": "1"}, "0"), ({"sigma": "22/7"}, "5"), ({"sigma": "1/2", "granularity": "1/4"}, "0"),
        ({"sigma": "1000"}, "0"),
    ],
    "truncated_geometric": [
        ({"scale": "2", "lower": "0", "upper": "10"}, "3"), ({"scale": "9", "lower": "0", "upper": "4"}, "4"),
    ],
    "randomised_response": [({"truth": "3/4"}, "1"), ({"truth": "2/3"}, "0")],
    "k_ary_randomised_response": [({"k": "5", "truth": "1/2"}, "1"), ({"k": "10", "truth": "1/7"}, "9")],
    "exponential": [({"scale": "2"}, ["0", "1", "3"]), ({"scale": "1/2"}, ["-1", "0", "1/3", "1"])],
    "permute_and_flip": [({"scale": "2"}, ["0", "1", "3"]), ({"scale": "1/2"}, ["-1", "0", "1/3", "1"])],
    "bernoulli": [({"p": "1/3"}, None), ({"p": "5/8"}, None), ({"p": "1"}, None)],
    "bernoulli_exp": [({"gamma": "1/3"}, None), ({"gamma": "7/2"}, None), ({"gamma": "0"}, None)],
    "geometric_exp": [({"gamma": "1/10"}, None), ({"gamma": "22/7"}, None)],
    "uniform": [({"n": "7"}, None), ({"n": "1000000007"}, None), ({"n": "1"}, None)],
    "permutation": [({"n": "5"}, None), ({"n": "12"}, None)],
}  # fmt: skip
MASSES = {"masses": ["1/2", "1/3", "1/6"]}
EXPONENTS = {"exponents": ["0", "1/2", "3", "0", "7"]}
POTENTIALS: list[Potential] = [
    *(discrete_laplace(scale).potential for scale in (1, "1/3", "22/7")),
    *(discrete_gaussian(sigma).potential for sigma in (1, 3)),
    Potential((Fraction(1, 5),), two_sided=False), Potential((Fraction(1, 10), Fraction(1, 50))),
]  # fmt: skip
"""Laplace, Gauss, a geometric law, and one of both."""
TAPES_EACH, LONG, SHORT = 3, 192, 2
MOST_OCTETS = 1024


def files() -> list[File]:
    """One file for the scalar samplers, one for those that read words."""
    scalar = [Group(f"scalar.{name}", _cases(f"scalar.{name}", stated), {"unit": "flips"})
              for name, stated in SCALAR.items()]  # fmt: skip
    return [File("SamplerBitstream", "scalar", scalar), File("SamplerBitstream", "words", list(_words()))]


def _words() -> Iterator[Group]:
    """Slots of each potential, one and many at a time; look-ups; geometric numbers."""
    for potential in POTENTIALS:
        fields = {"unit": "octets", "certificate": text_of(potential)}
        yield Group("words.slots.one", _cases("words.slots.one", [({}, None)], fields), fields)
        yield Group("words.slots.many", _cases("words.slots.many", [({"count": "40"}, None)], fields), fields)
    fields = {"unit": "octets"}
    one: Stated = [(law, None) for law in (MASSES, EXPONENTS)]
    many: Stated = [({**law, "count": "12"}, None) for law in (MASSES, EXPONENTS)]
    yield Group("words.lookup.one", _cases("words.lookup.one", one), fields)
    yield Group("words.lookup.many", _cases("words.lookup.many", many), fields)
    rates: Stated = [({"rho": rho}, None) for rho in ("1/10", "22/7", "1/1000000")]
    yield Group("words.geometric", _cases("words.geometric", rates), fields)


def _cases(name: str, stated: Stated, group: Any = None) -> list[Case]:
    """Tapes of each set of parameters, cut to what is used; one that is too short; wrong samplers."""
    found: list[Case] = []
    for place, (params, x) in enumerate(stated):
        for i in range(TAPES_EACH):
            label = f"{name}/{place}/{i}"
            found.append(_case("Regular", "a tape of hashed octets", params, x, _cut(name, params, x, group, label)))
        for label in PATTERNS:
            if tape := _cut(name, params, x, group, label):
                found.append(_case("Extreme", f"a tape of {label}", params, x, tape))
        found.append(_case("ShortTape", "the tape is too short", params, x, _short(name, params, x, group)))
        found += _wrong(name, params, x, group, place)
    return [one for one in found if one["tape"] is not None]


def _case(flag: str, comment: str, params: Any, x: Any, tape: bytes | None, **more: Any) -> Case:
    """A case; the tape None where there is none such."""
    fields = {"params": params} | ({} if x is None else {"input": x})
    return case(flag, comment, **fields, tape=None if tape is None else tape.hex(), **more)


def _cut(name: str, params: Any, x: Any, group: Any, label: str) -> bytes | None:
    """The tape of that label, with two octets more than are used; None where it does not end or is not read."""
    content = made(label, MOST_OCTETS)
    draw = drawn(name, params, x, content, group or {})
    if draw.output == EXHAUSTED:
        return None
    octets = draw.used if sampler(name).unit == "octets" else -(-draw.used // 8)
    return content[: octets + 2]


def _short(name: str, params: Any, x: Any, group: Any) -> bytes | None:
    """A tape that ends an octet too early; None where none is read."""
    tape = _cut(name, params, x, group, f"{name}/short")
    return tape[:-3] if tape is not None and len(tape) > SHORT else None


def _wrong(name: str, params: Any, x: Any, group: Any, place: int) -> Iterator[Case]:
    """For each defect that the sampler can have, the first tape on which its output is another."""
    for mutant in TAPES:
        for i in range(LONG):
            if not fits(mutant, name):
                break
            content = made(f"{name}/{place}/wrong/{i}", 64)
            draw = drawn(name, params, x, content, group or {})
            wrong = mutated(mutant, name, params, x, content, group or {})
            if EXHAUSTED not in (draw.output, wrong) and wrong != draw.output:
                comment = f"what a wrong sampler makes of it: {mutant.replace('_', ' ')}"
                yield _case(FLAGS[mutant], comment, params, x, content, mutant=mutant)
                break
