"""Replayed bits are those that docs/how_to/audit.md defines, and each chunk and each input has its own."""

import hashlib

import pytest

from refdp.auditing.campaigns import bits
from refdp.auditing.targets import Session, function
from refdp.auditing.targets.workers.function import Bits

SEED = "00112233445566778899aabbccddeeff"


def framed(part):
    return len(part).to_bytes(8, "big") + part


def test_the_seed_of_a_chunk_is_the_one_that_the_page_defines():
    parts = (bytes.fromhex(SEED), b"name", b"7")
    assert bits.of_chunk(SEED, "name", 7) == hashlib.shake_256(b"".join(map(framed, parts))).hexdigest(32)
    seeds = {bits.of_chunk(SEED, name, n) for name in ("a", "b", "a1") for n in (1, 2, 11)}
    assert len(seeds) == 9


def test_the_stream_of_an_input_is_the_one_that_the_page_defines():
    prefix = bytes.fromhex(SEED) + hashlib.sha256(b"[0, 1]").digest()
    blocks = [hashlib.shake_256(prefix + i.to_bytes(8, "big")).digest(4096) for i in range(2)]
    expected = int.from_bytes(b"".join(blocks), "big")
    stream, found, read = Bits(bytes.fromhex(SEED), "[0, 1]"), 0, 0
    for count in (1, 0, 7, 30_000, 13, 2760, 1, 4096 * 16 - 32_782):
        found, read = (found << count) | stream(count), read + count
    assert (found, read) == (expected, 4096 * 16)


@pytest.mark.once
def test_inputs_have_streams_of_their_own_that_go_on_from_call_to_call(tmp_path):
    (tmp_path / "flips.py").write_text(
        "def f(x, n, bits):\n    return [bits(64) for _ in range(n)]\n", encoding="utf-8"
    )
    target = function("flips:f", search=(str(tmp_path),), batched=True, bits=SEED)
    with Session(target) as session:
        first, other, more = (session.draw(x, 2).value for x in (0, 1, 0))
    with Session(target) as session:
        assert session.draw(0, 4).value == first + more
    assert len({*first, *other, *more}) == 6
