"""Reports of local randomisers by the million: each is drawn as its scheme draws it, many at a time.

A report is what its mechanism says on one input, and is made of coin flips of its own: the scheme of the mechanism, run
on the flips of one report in their order, gives that report (tests/sampling/test_reports.py).  So their law is that of
the schemes, which the claims STEM.sampler_law are about.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refdp.numerics.exact import exact
from refdp.sampling.bulk.drawing import checked
from refdp.sampling.bulk.lanes import Integers, Lanes, Mask
from refdp.sampling.words import Source
from refdp.spec import registry
from refdp.spec.bitwise import BitwiseLaw
from refdp.spec.finite import FiniteLaw
from refdp.spec.formulas import Formula
from refdp.spec.rates import BitOfRate
from refdp.spec.samplers import SCHEMES, BitByBit, CoinOfRate, SupportFirst, TruthOrOther
from refdp.spec.supported import SupportedLaw, order_of
from refdp.terms.evaluation import evaluate
from refdp.terms.term import Term

Octets = NDArray[np.uint8]
LANES = 1 << 20
"""About how many lanes are at work at once.  The order in which digits are read depends on it."""
ROWS = 1 << 16
"""The most reports that are drawn at once."""
SCHEMES_OF_REPORTS = (BitByBit, SupportFirst, CoinOfRate, TruthOrOther)


@dataclass(frozen=True, slots=True)
class Reports:
    """What a local randomiser said of each input, in order: `self[i]` is report i, as M(x) gives it.

    which: of a public choice, which function of the value is told; None where there is no choice.
    places: the numbers that a report names, a row each: values of a subset, positions whose bits are sent, a row of a
    matrix, a value; None where it names none.  octets: the bits of a report, a row each, bit j in octet j // 8 at
    2^(j mod 8), 0 beyond the last of `width` bits; no columns where it has none.
    """

    subject: Term
    count: int
    which: Integers | None
    places: NDArray[Any] | None
    octets: Octets
    width: int

    def __len__(self) -> int:
        """How many reports there are."""
        return self.count

    def __iter__(self) -> Iterator[Any]:
        """Every report."""
        return (self[i] for i in range(self.count))

    def __getitem__(self, i: int) -> Any:
        """Report i, as `M(x)` gives it."""
        if not -self.count <= i < self.count:
            raise IndexError(f"there are {self.count} reports, got {i}")
        report = self._inner(i)
        return report if self.which is None else (int(self.which[i]), report)

    def _inner(self, i: int) -> Any:
        """The same, but for the public choice."""
        bits = tuple(np.unpackbits(self.octets[i], count=self.width, bitorder="little").tolist())
        places = () if self.places is None else tuple(self.places[i].tolist())
        match SCHEMES[_drawn_by(self.subject).operator], _kind(self.subject):
            case BitByBit(), BitwiseLaw(sent=sent):
                return bits if sent is None else (places, bits)
            case CoinOfRate(), _:
                return bits[0]
            case SupportFirst(), SupportedLaw(support="subset"):
                return places
        return (places[0], *bits) if bits else places[0]

    def bits(self, start: int = 0, stop: int | None = None) -> Octets:
        """The bits of the reports from `start` to before `stop`, an array of 0 and 1 with a row each."""
        return np.unpackbits(self.octets[start:stop], axis=1, count=self.width, bitorder="little")

    def parts(self) -> Iterator[Reports]:
        """The reports some thousand at a time, so that what is made of them needs little memory."""
        step = max(1, LANES * 4 // max(1, self.width))
        for start in range(0, self.count, step):
            stop = min(self.count, start + step)
            which = None if self.which is None else self.which[start:stop]
            places = None if self.places is None else self.places[start:stop]
            yield Reports(self.subject, stop - start, which, places, self.octets[start:stop], self.width)


@dataclass(frozen=True, slots=True)
class Drawn:
    """Some reports: the numbers that they name, if any, and the bits of all, one report after another."""

    places: NDArray[Any] | None
    octets: Octets


def drawn(subject: Term, inputs: Any, hashes: Any, source: Source) -> Reports:
    """A report for each input; ValueError where the mechanism has no reports, or an input is none of its inputs.

    Of a public choice among functions, the inputs are values and row v of `hashes` has the functions of the value v.
    """
    inner, lanes = _drawn_by(subject), Lanes(source)
    if not isinstance(SCHEMES.get(inner.operator), SCHEMES_OF_REPORTS):
        raise ValueError(f"reports in bulk are of local randomisers, got {subject}")
    kind, values = _kind(subject), registry.values(_kind(subject), inner)
    if (hashes is None) != (inner is subject):
        raise ValueError(f"hashes must be given for a choice of functions, and for nothing else, got {subject}")
    if hashes is not None and (isinstance(kind, BitOfRate) or getattr(kind, "relation", "value") != "value"):
        raise ValueError(f"the functions of reports in bulk must have values as results, got {subject}")
    table = None if hashes is None else _table(hashes, kind, values, int(subject.arguments[1].rational))
    members = _members(inputs, kind, values) if table is None else _rows_of(inputs, table)
    width, step = _width(kind, values), max(1, min(ROWS, LANES // _lanes(kind, values)))
    which = np.empty(len(members), np.int64)
    found = Reports(
        subject,
        len(members),
        None if table is None else which,
        _room(kind, values, len(members)),
        np.zeros((len(members), -(-width // 8)), np.uint8),
        width,
    )
    for start in range(0, len(members), step):
        part = slice(start, start + step)
        data = members[part]
        if table is not None:
            which[part] = chosen = lanes.uniform(len(data), table.shape[1])
            data = table[data, chosen].astype(np.int64, copy=False)
        made = _part(kind, inner.operator, data, values, lanes)
        found.octets[part] = made.octets
        if found.places is not None:
            found.places[part] = made.places
    return found


def _drawn_by(subject: Term) -> Term:
    """The registered mechanism that reports, of one function of the value or of the value itself."""
    return subject.arguments[0] if subject.operator == "public_coordinate" else subject


def _kind(subject: Term) -> Any:
    """What is registered of it."""
    return registry.kind_of(_drawn_by(subject).operator)


def _at(f: Formula, values: Any) -> Fraction:
    """The formula at the values that it names."""
    return Fraction(evaluate(f.term, values))


def _width(kind: Any, values: Any) -> int:
    """How many bits a report has."""
    match kind:
        case BitwiseLaw(sent=None):
            return int(_at(kind.dimension, values))
        case BitwiseLaw(sent=Formula() as sent):
            return int(_at(sent, values))
        case BitOfRate():
            return 1
        case SupportedLaw():
            return int(kind.support in ("hadamard_entry", "one_bit"))
    return 0


def _names(kind: Any, values: Any) -> tuple[int, int]:
    """How many numbers a report names, and what they are below."""
    match kind:
        case BitwiseLaw(sent=None) | BitOfRate():
            return 0, 1
        case BitwiseLaw(sent=Formula() as sent):
            return int(_at(sent, values)), int(_at(kind.dimension, values))
        case SupportedLaw():
            size, chosen = kind.counts(values)
            return max(1, chosen), order_of(size) if kind.support == "hadamard" else size
    return 1, int(_at(kind.size, values))


def _room(kind: Any, values: Any, n: int) -> NDArray[Any] | None:
    """Where the numbers of n reports are written."""
    count, below = _names(kind, values)
    return np.empty((n, count), np.min_scalar_type(below)) if count else None


def _lanes(kind: Any, values: Any) -> int:
    """About how many numbers a report takes while it is made."""
    if isinstance(kind, BitwiseLaw):
        return int(_at(kind.dimension, values))
    return kind.counts(values)[0] if isinstance(kind, SupportedLaw) and kind.support == "subset" else 1


def _members(inputs: Any, kind: Any, values: Any) -> Any:
    """The inputs as an array, of filters with a row each, of a rate as exact numbers; ValueError for others."""
    if isinstance(kind, BitOfRate):
        lower, upper = _at(kind.lower, values), _at(kind.upper, values)
        is_array = isinstance(inputs, np.ndarray)
        numbers = _vector(inputs) if is_array else [exact(x, "input") for x in inputs]
        if len(numbers) and not lower <= min(numbers) <= max(numbers) <= upper:
            raise ValueError(f"every input must be in [{lower}, {upper}]")
        return numbers
    if isinstance(kind, BitwiseLaw) and kind.relation != "value":
        return _filters(inputs, int(_at(kind.dimension, values)))
    array, (least, size) = _vector(inputs), _range(kind, values)
    if array.size and not least <= array.min() <= array.max() < size:
        raise ValueError(f"every input must be from {least} to {size - 1}")
    return array


def _filters(inputs: Any, dimension: int) -> Any:
    """Filters, a row each; ValueError for others."""
    array = _whole(inputs)
    if array.ndim != 2 or array.shape[1] != dimension:
        raise ValueError(f"inputs must be an array with a row of {dimension} bits each, got the shape {array.shape}")
    if array.size and not 0 <= array.min() <= array.max() <= 1:
        raise ValueError("every bit of a filter must be 0 or 1")
    return array


def _vector(inputs: Any) -> Integers:
    """Whole numbers in an array of one dimension; ValueError for others."""
    array = _whole(inputs)
    if array.ndim != 1:
        raise ValueError(f"inputs must be an array of one dimension, got the shape {array.shape}")
    found: Integers = array.astype(np.int64, copy=False)
    return found


def _range(kind: Any, values: Any) -> tuple[int, int]:
    """The least value, -1 where none is a value, and the number of the others."""
    if isinstance(kind, BitwiseLaw):
        return -1, int(_at(kind.dimension, values))
    return 0, kind.counts(values)[0] if isinstance(kind, SupportedLaw) else int(_at(kind.size, values))


def _whole(inputs: Any) -> Any:
    """Whole numbers, or truth values, as an array of numbers; ValueError for others."""
    if not isinstance(inputs, np.ndarray):
        if not isinstance(inputs, list | tuple):
            raise ValueError(f"inputs must be a list, a tuple or an array, got {inputs!r:.60}")
        try:
            inputs = np.array(inputs) if len(inputs) else np.empty(0, np.int64)
        except ValueError:
            raise ValueError("inputs must be rows of the same length") from None
    return inputs.view(np.uint8) if inputs.dtype == np.bool_ else inputs if is_octets(inputs) else checked(inputs)


def is_octets(array: Any) -> bool:
    """Whether it is an array of octets, which need not be widened: filters may be many."""
    return array.dtype == np.uint8 and not isinstance(array, np.ma.MaskedArray)


def _table(hashes: Any, kind: Any, values: Any, functions: int) -> Integers:
    """The functions of each value, a row each; ValueError unless each is an input of the mechanism."""
    table: Integers = _whole(hashes)
    if table.ndim != 2 or table.shape[1] != functions or not table.shape[0]:
        raise ValueError(f"hashes must be an array with a row of {functions} for each value, got {table.shape}")
    least, size = _range(kind, values)
    if not least <= table.min() <= table.max() < size:
        raise ValueError(f"every hash must be from {least} to {size - 1}")
    return table


def _rows_of(inputs: Any, table: Integers) -> Integers:
    """Values, each with a row of the table; ValueError for others."""
    array = _vector(inputs)
    if array.size and not 0 <= array.min() <= array.max() < table.shape[0]:
        raise ValueError(f"every input must be a value from 0 to {table.shape[0] - 1}, which hashes has a row of")
    return array


def _part(kind: Any, stem: str, data: Any, values: Any, lanes: Lanes) -> Drawn:
    """Reports of some inputs."""
    match kind:
        case BitwiseLaw():
            return bit_by_bit(kind, data, values, lanes)
        case SupportedLaw():
            return support_first(kind, data, values, lanes)
        case BitOfRate():
            return coin_of_rate(kind, data, values, lanes)
        case FiniteLaw():
            scheme = SCHEMES[stem]
            if isinstance(scheme, TruthOrOther):
                return truth_or_other(kind, _at(scheme.truth, values), data, values, lanes)
    raise ValueError(f"{stem} has no reports")


def bit_by_bit(m: BitwiseLaw, data: Any, values: Any, lanes: Lanes) -> Drawn:
    """The bits, a lane each, or the positions that are sent and their bits; rows of bits begin words."""
    dimension, kept, raised = int(_at(m.dimension, values)), _at(m.kept, values), _at(m.raised, values)
    places = None
    if m.sent is not None:
        sent = int(_at(m.sent, values))
        places = np.sort(lanes.first(len(data), dimension, sent, np.zeros(len(data), np.bool_))[:, :sent], axis=1)
        is_set = places == data[:, None]
    elif m.relation == "value":
        is_set = np.zeros((len(data), dimension), np.bool_)
        rows = np.flatnonzero(data >= 0)
        is_set[rows, data[rows]] = True
    else:
        is_set = data == 1
    width = is_set.shape[1]
    where = np.zeros((len(data), -(-width // 64) * 8), np.uint8)
    where[:, : -(-width // 8)] = np.packbits(is_set, axis=1, bitorder="little")
    found = lanes.bits(where.reshape(-1).view("<u8"), kept, raised).view(np.uint8).reshape(where.shape)
    octets = found[:, : -(-width // 8)]
    if width % 8:
        octets[:, -1] &= (1 << width % 8) - 1
    return Drawn(places, octets)


def support_first(m: SupportedLaw, data: Integers, values: Any, lanes: Lanes) -> Drawn:
    """Reports that support the value, if a coin says so, each as likely; else that do not."""
    told, (size, chosen), n = lanes.bernoulli(len(data), _at(m.told, values)), m.counts(values), len(data)
    match m.support:
        case "subset":
            return Drawn(_subsets(data, size, chosen, told, lanes), _no_bits(n))
        case "hadamard":
            rows, z = data + 1, lanes.uniform(n, order_of(size))
            return Drawn(np.where(is_odd(rows & z) != told, z, z ^ (rows & -rows))[:, None], _no_bits(n))
        case "hadamard_entry":
            rows = lanes.uniform(n, size)
            return Drawn(rows[:, None], (is_odd(rows & data) == told).view(np.uint8)[:, None])
        case "one_bit":
            buckets = lanes.uniform(n, size)
            return Drawn(buckets[:, None], ((buckets == data) == told).view(np.uint8)[:, None])
    raise ValueError(f"{m.stem} has no sampler for the support {m.support}")


def _subsets(data: Integers, size: int, chosen: int, told: Mask, lanes: Lanes) -> NDArray[Any]:
    """So many values, x among them or not: x, and the first of the others in random order; sorted."""
    first = lanes.first(len(data), size - 1, chosen - 1, ~told).astype(np.min_scalar_type(size))
    first += first >= data[:, None].astype(first.dtype)
    first[told, -1] = data[told]
    first.sort(axis=1)
    return first


def truth_or_other(m: FiniteLaw, truth: Fraction, data: Any, values: Any, lanes: Lanes) -> Drawn:
    """The value, or another below size, each as likely."""
    told, found = lanes.bernoulli(len(data), truth), data.astype(np.int64)
    lying = np.flatnonzero(~told)
    if lying.size:
        other = lanes.uniform(lying.size, int(_at(m.size, values)) - 1)
        found[lying] = other + (other >= found[lying])
    return Drawn(found[:, None], _no_bits(len(data)))


def coin_of_rate(m: BitOfRate, data: Any, values: Any, lanes: Lanes) -> Drawn:
    """1 with the probability of the input's rate, else 0."""
    distinct, which = _distinct(data)
    rates = [_at(m.rate, {**values, "input": x}) for x in distinct]
    return Drawn(None, lanes.bernoulli_each(which, rates).view(np.uint8)[:, None])


def _distinct(data: Any) -> tuple[Sequence[Fraction], Integers]:
    """The numbers that occur, in order, and for each input which of them it is."""
    if isinstance(data, np.ndarray):
        distinct, which = np.unique(data, return_inverse=True)
        return [Fraction(x) for x in distinct.tolist()], which.reshape(-1)
    places = {x: i for i, x in enumerate(sorted(set(data)))}
    return [Fraction(x) for x in places], np.array([places[x] for x in data], np.int64)


def is_odd(numbers: Integers) -> Mask:
    """Whether each number has an odd number of ones."""
    folded = numbers.copy()
    for shift in (32, 16, 8, 4, 2, 1):
        folded ^= folded >> shift
    found: Mask = (folded & 1) == 1
    return found


def _no_bits(n: int) -> Octets:
    """The bits of n reports without bits."""
    return np.zeros((n, 0), np.uint8)
