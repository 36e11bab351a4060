"""Digits from a fixed seed, endless: the tests that use them are deterministic."""

import random


class Stream:
    """A source whose octets are those of a fixed record, of which only what is ahead is kept; `used` counts them."""

    step = 64

    def __init__(self, seed: int) -> None:
        self.source, self.record, self.place, self.used = random.Random(seed), b"", 0, 0

    def octets(self, size: int) -> bytes:
        if self.place + size > len(self.record):
            pieces = [self.record[self.place :]]
            while sum(map(len, pieces)) < size:
                pieces.append(self.source.randbytes(1 << 20))
            self.record, self.place = b"".join(pieces), 0
        self.used, self.place = self.used + size, self.place + size
        return self.record[self.place - size : self.place]

    def digits(self, count: int) -> int:
        return int.from_bytes(self.octets((count + 7) // 8)) >> -count % 8
