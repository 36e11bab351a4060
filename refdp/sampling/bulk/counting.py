"""How many reports say yes of each value, and how many were asked: of millions of reports, in arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from refdp.sampling.bulk.drawing import checked
from refdp.sampling.bulk.lanes import Integers
from refdp.sampling.bulk.reports import Reports
from refdp.spec import registry
from refdp.spec.bitwise import BitwiseLaw
from refdp.spec.finite import FiniteLaw
from refdp.spec.rates import BitOfRate
from refdp.spec.supported import SupportedLaw, order_of


def said_yes(reports: Reports, size: int) -> tuple[list[int], list[int]]:
    """For each value below `size` how many reports say yes of it, and how many were asked."""
    kind, every = registry.kind_of(reports.subject.operator), [len(reports)] * size
    match kind:
        case BitOfRate():
            return [int(reports.octets.sum(dtype=np.int64))], [len(reports)]
        case BitwiseLaw(sent=None):
            yes = sum((part.bits().sum(axis=0, dtype=np.int64) for part in reports.parts()), np.zeros(size, np.int64))
            return yes.tolist(), every
        case BitwiseLaw():
            yes, asked = np.zeros(size, np.int64), np.zeros(size, np.int64)
            for part in reports.parts():
                named = np.asarray(part.places)
                asked += np.bincount(named.ravel(), minlength=size)
                yes += np.bincount(named[part.bits() == 1], minlength=size)
            return yes.tolist(), asked.tolist()
        case SupportedLaw():
            return _supported(kind, reports, size)
        case FiniteLaw():
            return _named(reports, size).tolist(), every
    raise ValueError(f"reports of {reports.subject} say nothing of values")


def _named(reports: Reports, size: int) -> Integers:
    """How many reports name each number below `size`."""
    found: Integers = np.bincount(np.asarray(reports.places).ravel(), minlength=size)
    return found


def _supported(kind: SupportedLaw, reports: Reports, size: int) -> tuple[list[int], list[int]]:
    """The same of reports that support values."""
    n = len(reports)
    match kind.support:
        case "subset":
            return _named(reports, size).tolist(), [n] * size
        case "hadamard":
            agreeing = _transformed(_named(reports, order_of(size)))
            return [(n + int(s)) // 2 for s in agreeing[1 : size + 1]], [n] * size
        case "hadamard_entry":
            rows, bits = np.asarray(reports.places)[:, 0], reports.octets[:, 0]
            signs = np.bincount(rows[bits == 0], minlength=size) - np.bincount(rows[bits == 1], minlength=size)
            return [(n + int(s)) // 2 for s in _transformed(signs)], [n] * size
    buckets, bits = np.asarray(reports.places)[:, 0], reports.octets[:, 0]
    return np.bincount(buckets[bits == 1], minlength=size).tolist(), np.bincount(buckets, minlength=size).tolist()


def _transformed(counts: Integers) -> Integers:
    """For each row of the Hadamard matrix the sum of counts where it has +1, less that where it has -1.

    The length must be a power of 2.
    """
    found, half = counts.astype(np.int64), 1
    while half < found.size:
        pairs = found.reshape(-1, 2, half)
        found = np.stack([pairs[:, 0] + pairs[:, 1], pairs[:, 0] - pairs[:, 1]], axis=1).reshape(-1)
        half *= 2
    return found


def said_yes_of_hashes(reports: Reports, table: Integers, size: int) -> list[int]:
    """For each row of the table how many reports say yes of its hash by the function that they tell."""
    kind = registry.kind_of(reports.subject.arguments[0].operator)
    functions = table.shape[1]
    if isinstance(kind, SupportedLaw):
        return _signed(reports, table, size)
    counts, which = np.zeros((functions, size), np.int64), np.asarray(reports.which)
    if isinstance(kind, BitwiseLaw):
        for j, own in enumerate(_by_function(which, functions)):
            counts[j] = np.unpackbits(reports.octets[own], axis=1, count=size, bitorder="little").sum(
                axis=0, dtype=np.int64
            )
    else:
        told = which * size + np.asarray(reports.places)[:, 0]
        counts += np.bincount(told, minlength=counts.size).reshape(counts.shape)
    return [int(counts[np.arange(functions), row].sum()) for row in table]


def _by_function(which: Integers, functions: int) -> list[Integers]:
    """The places of the reports that tell each function."""
    order = np.argsort(which, kind="stable")
    return np.split(order, np.searchsorted(which[order], np.arange(1, functions)))


def _signed(reports: Reports, table: Integers, size: int) -> list[int]:
    """The same of rows and signs: each function's signs, transformed, are what it says of each hash."""
    rows, bits, yes = np.asarray(reports.places)[:, 0], reports.octets[:, 0], np.zeros(len(table), np.int64)
    for j, own in enumerate(_by_function(np.asarray(reports.which), table.shape[1])):
        plus, minus = rows[own[bits[own] == 0]], rows[own[bits[own] == 1]]
        signs = np.bincount(plus, minlength=size) - np.bincount(minus, minlength=size)
        yes += (own.size + _transformed(signs)[table[:, j]]) // 2
    return [int(count) for count in yes]


def greatest_excess(table: Integers, size: int) -> tuple[int, int]:
    """Of two different rows, the most and the fewest functions with which they have the same hash."""
    most, fewest = 0, table.shape[1]
    rows = np.ascontiguousarray(table.astype(np.min_scalar_type(size)))
    for i in range(len(rows) - 1):
        same = (rows[i + 1 :] == rows[i]).sum(axis=1)
        most, fewest = max(most, int(same.max())), min(fewest, int(same.min()))
    return most, fewest


def table_of(hashes: Any) -> Integers:
    """The hashes of each value, a row each, as whole numbers."""
    return np.atleast_1d(checked(np.asarray(hashes)))
