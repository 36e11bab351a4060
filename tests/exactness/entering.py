"""Things that only a test knows: entered in the registry and left it again; and theorems that a test takes as given."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Any

import pytest

from refdp.kernel.judgements import Judgement
from refdp.kernel.theorem import _SEAL, Theorem
from refdp.spec import registry
from refdp.spec.finite import FiniteLaw
from refdp.spec.formulas import Formula
from refdp.spec.rows import RowFunction
from refdp.spec.samplers import SCHEMES, Scheme
from refdp.spec.semantics import PostFunction
from refdp.terms.evaluation import Arithmetic
from refdp.terms.reading import read
from refdp.terms.term import Term
from tests.kinds import registered


@contextmanager
def entered(*kinds: registry.Kind, schemes: dict[str, Scheme] | None = None) -> Iterator[None]:
    """Inside, the kinds are registered as any other, and stems have these sampling schemes; after, as before."""
    before = dict(SCHEMES)
    try:
        with registered(*kinds):
            SCHEMES.update(schemes or {})
            yield
    finally:
        SCHEMES.clear()
        SCHEMES.update(before)


def given(claim: Judgement) -> Theorem:
    """The claim as a theorem that a test takes as given, having computed that it is true: premises of any shape."""
    return Theorem(_SEAL, claim=claim, rule="given", premises=(), data=MappingProxyType({}), trusts=frozenset())


def written(name: str, parameters: str, body: Term | str) -> Formula:
    """The formula of that body."""
    return Formula(name, tuple(parameters.split()), read(body) if isinstance(body, str) else body, "a test", "")


ONE = written("one", "", "1")


@dataclass(frozen=True, slots=True)
class Lookup(FiniteLaw):
    """A mechanism whose law is looked up, whatever its inputs are: `laws` maps the `state` of an input to a law."""

    laws: Any = None
    state: Any = None
    inputs: str = ""

    @property
    def domain(self) -> Term:
        """The set that inputs range over."""
        return read(self.inputs)

    def law(self, subject: Term, x: Any, arithmetic: Arithmetic) -> dict[Any, Any]:
        """Outcome -> probability of M(x)."""
        return {y: arithmetic.number(p) for y, p in self.laws[self.state(x)].items()}


@pytest.fixture
def nameless() -> Iterator[None]:
    """Mechanisms m, m_0, ... and maps s, t that claims may be about; what they do is entered where it matters."""
    stems = ("m", *(f"m_{i}" for i in range(12)))
    maps = (row_map(stem, "finite(3)", "finite(3)", {}) for stem in ("s", "t"))
    with entered(*(lookup(stem, "finite(3)", {}) for stem in stems), *maps):
        yield


def lookup(stem: str, inputs: str, laws: Any, state: Any = lambda x: x) -> Lookup:
    """A mechanism of arbitrary laws on the domain `inputs`."""
    return Lookup(stem, (), (), {}, ONE, ONE, ONE, ONE, laws=laws, state=state, inputs=inputs)


def row_map(stem: str, inputs: str, outputs: str, images: dict[Any, Any]) -> RowFunction:
    """An arbitrary function of rows, a filter where some image is None."""
    keeps = None not in images.values()
    run = _looked_up({row: image if image is None else exactly(image) for row, image in images.items()})
    return RowFunction(stem, (), (), {}, read(inputs), read(outputs), run=run, keeps_rows=keeps)


def post_map(stem: str, images: dict[Any, Any]) -> PostFunction:
    """An arbitrary function of outputs."""
    return PostFunction(stem, (), (), {}, run=_looked_up(images))


def _looked_up(images: dict[Any, Any]) -> Any:
    """The function of a table of images; its second argument, the parameters, is empty."""

    def run(x: Any, arguments: Any) -> Any:
        return images[x]

    return run


def exactly(x: Any) -> Any:
    """An int, or a table of ints, as the exact data that mechanisms read: enumeration is quicker on ints."""
    return tuple(map(exactly, x)) if isinstance(x, tuple) else Fraction(x)
