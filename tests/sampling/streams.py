"""Digits from a fixed seed, endless: the tests that use them are deterministic."""

import random


class Stream:
    """A source whose octets are those of a fixed record; `used` counts them."""

    step = 64

    def __init__(self, seed: int) -> None:
        self.source, self.record, self.used = random.Random(seed), b"", 0

    def octets(self, size: int) -> bytes:
        while len(self.record) < self.used + size:
            self.record += self.source.randbytes(1 << 20)
        self.used += size
        return self.record[self.used - size : self.used]

    def digits(self, count: int) -> int:
        return int.from_bytes(self.octets((count + 7) // 8)) >> -count % 8
