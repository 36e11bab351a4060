"""What an example looks like to a reader: data, neighbouring data, and what is released."""

from __future__ import annotations

from fractions import Fraction

from refdp.programs.checking.alignment import observation
from refdp.programs.proving.guessing import Example
from refdp.programs.proving.outcomes import Witness
from refdp.programs.proving.unrolling import Unrolled
from refdp.terms.exact_values import evaluate
from refdp.terms.leaves import variables
from refdp.terms.term import Value


def witness(one: Unrolled, example: Example) -> Witness:
    """Data, neighbouring data and what is released in an example."""

    def value(name: str) -> dict[str, Value]:
        found = {str(v.value): x for v, x in example.values.items() if str(v.value).startswith(name)}
        return {k.removeprefix(name): found[k] for k in sorted(found, key=position)}

    terms = dict(example.values) | {k: v.rational for k, v in example.coefficients.items()}
    released = list[tuple[str, ...]]()
    for when, step in one.taken:
        if evaluate(when, {v: terms.get(v, Fraction(0)) for v in variables(when)}):
            released += observation(step, frozenset()).released
    parameters = {str(k.value): v.rational for k, v in one.setting.items()}
    return Witness(parameters, tuple(value("data").values()), tuple(value("other").values()), tuple(released))


def position(name: str) -> list[int]:
    """The loop, the round and the number of an element."""
    _, _, rest = name.partition(".")
    number_, _, place = rest.partition("!")
    return [*map(int, place.split(".")), int(number_)]
