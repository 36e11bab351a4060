"""What a theorem is, and the one way to make one: a rule of this kernel.

No solver is imported here.  A solver's verdict enters by the rule `oracle`, and its name stays on every theorem
derived from it (`Theorem.trusts`).  The seal stops mistakes; replay in a fresh process gives the guarantee.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import wraps
from types import MappingProxyType
from typing import Any, Final, NoReturn

from refdp.kernel.judgements import Judgement, KernelError, require, require_well_formed
from refdp.numerics.exact import ExactReal
from refdp.terms.reading import read
from refdp.terms.term import Term

Data = Mapping[str, Any]
"""What a rule is given besides its premises: text, or lists and mappings of text, as JSON has them."""

_SEAL: Final = object()
_RULES: dict[str, Callable[..., Theorem]] = {}
_SEALED: list[bool] = []
RULES: Mapping[str, Callable[..., Theorem]] = MappingProxyType(_RULES)
"""Name -> rule.  Sealed once `refdp.kernel.rules` is imported."""
SHAPES: Mapping[str, type] = {"str": str, "list[str]": list, "dict[str, str]": dict}
"""What a rule's data look like, by their annotation."""
FAILURES = (ValueError, ArithmeticError, LookupError, TypeError, AttributeError, RecursionError)
"""Whatever goes wrong inside a rule, it concludes nothing."""


@dataclass(frozen=True, slots=True)
class Assuming:
    """A conclusion that adds names to what must be trusted."""

    claim: Judgement
    trusts: frozenset[str]


class Theorem:
    """|- claim, by `rule` from `premises` and `data`, for who believes `trusts`."""

    __slots__ = ("claim", "data", "premises", "rule", "trusts")
    claim: Judgement
    rule: str
    premises: tuple[Theorem, ...]
    data: Data
    trusts: frozenset[str]

    def __init__(self, seal: object = None, **fields: Any) -> None:
        if seal is not _SEAL:
            raise KernelError("a Theorem is made by a kernel rule, never by its constructor")
        for name in self.__slots__:
            object.__setattr__(self, name, fields[name])

    def __setattr__(self, name: str, value: Any) -> NoReturn:
        raise KernelError("a Theorem is immutable")

    def __delattr__(self, name: str) -> NoReturn:
        raise KernelError("a Theorem is immutable")

    def __init_subclass__(cls) -> NoReturn:
        raise KernelError("a Theorem cannot be subclassed")

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        raise KernelError("a Theorem is not copied or pickled; store its certificate and replay it")

    def __repr__(self) -> str:
        return f"|- {self.claim.term}  [{self.rule}; trusts {', '.join(sorted(self.trusts)) or 'nothing'}]"


def rule(conclude: Callable[..., Judgement | Assuming]) -> Callable[..., Theorem]:
    """Make a rule of inference of `conclude`: claims by position, data (as text) by keyword."""
    name = conclude.__name__
    if _SEALED or name in RULES:
        raise KernelError(f"rule {name!r} cannot be added: declared twice, or the kernel is sealed")

    @wraps(conclude)
    def infer(*premises: Theorem, **data: Any) -> Theorem:
        for p in premises:
            if type(p) is not Theorem:
                raise KernelError(f"{name}: a premise must be a Theorem, got {p!r}")
        written = {key: as_text(value) for key, value in data.items()}
        for key, value in written.items():
            if type(value) is not SHAPES.get(conclude.__annotations__.get(key, "").removesuffix(" | None")):
                raise KernelError(f"{name}: it takes no such {key}: {str(value)[:80]}")
        try:
            found = conclude(*(p.claim for p in premises), **written)
            claim, more = (found.claim, found.trusts) if isinstance(found, Assuming) else (found, frozenset())
            require(read(str(claim.term)) == claim.term, f"{claim.term} is not read as it is written")
            require_well_formed(claim)
        except FAILURES as error:
            raise KernelError(f"{name}: {error}") from error
        trusts = more.union(*(p.trusts for p in premises))
        frozen = MappingProxyType(written)
        return Theorem(_SEAL, claim=claim, rule=name, premises=premises, data=frozen, trusts=trusts)

    _RULES[name] = infer
    return infer


def as_text(value: Any) -> Any:
    """Data as text: terms, numbers and lists or mappings of them; anything else is refused."""
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return {str(key): as_text(v) for key, v in value.items()}
    if isinstance(value, tuple | list):
        return [as_text(v) for v in value]
    if isinstance(value, Term | Fraction | ExactReal) or type(value) is int:
        return str(value)
    raise KernelError(f"data of a rule must be text, terms or exact numbers, got {value!r}")


def seal() -> None:
    """No rule can be added after this."""
    _SEALED.append(True)
