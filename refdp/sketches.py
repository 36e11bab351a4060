"""Reports of one of several public hashes of a value: which hash, and a local randomiser's report of what it gives.

An input is the value as its hashes, one by each function, in order: a report speaks of one of them, chosen whatever the
value is.  So the maps hold for every family of hash functions; those that collide everywhere lose less.
"""

from __future__ import annotations

from refdp.combining import public_coordinate
from refdp.mechanisms import hadamard_entry_response, k_ary_randomised_response, symmetric_unary_encoding
from refdp.pipeline import Exactly, Measurement


def count_mean_sketch(hashes: Exactly, m: Exactly, truth: Exactly) -> Measurement:
    """The hashes of a value, each below m -> (which, m bits, each true with probability truth): Apple's CMS.

    truth = t / (t + 1) with t = e^(epsilon/2), and not e^epsilon: two bits differ.  Raises ValueError for others.

    >>> str(count_mean_sketch(65536, 1024, "2/3").map(1))
    'ln(4)'
    """
    return public_coordinate(symmetric_unary_encoding(m, truth), hashes)


def hadamard_count_mean_sketch(hashes: Exactly, m: Exactly, truth: Exactly) -> Measurement:
    """The hashes of a value, each below m -> (which, (row, sign)), the sign true with probability truth: Apple's HCMS.

    truth = e^epsilon / (e^epsilon + 1): one sign is sent.  Raises ValueError for others.

    >>> str(hadamard_count_mean_sketch(1024, 32768, "4/5").map(1))
    'ln(4)'
    """
    return public_coordinate(hadamard_entry_response(m, truth), hashes)


def local_hashing(hashes: Exactly, g: Exactly, truth: Exactly) -> Measurement:
    """The hashes of a value, each below g -> (which, a value below g), the hash itself with probability truth.

    truth = e^epsilon / (e^epsilon + g - 1); optimal for g near e^epsilon + 1.  Raises ValueError for others.

    >>> str(local_hashing(1000, 5, "1/2").map(1))
    'ln(4)'
    """
    return public_coordinate(k_ary_randomised_response(g, truth), hashes)
