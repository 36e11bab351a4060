"""The certificate of a theorem of one's own: what `refdp check` replays."""

from __future__ import annotations

from pathlib import Path

from refdp.commands.files import writable, write_whole
from refdp.kernel.certificate import DERIVED, certificate, text_of
from refdp.kernel.theorem import Theorem


def write_certificate(theorem: Theorem, path: str | Path) -> None:
    """Write the derivation of a theorem to a file, which `refdp check` replays; it needs no claim of the ledger.

    Raises OSError where the file cannot be written, and TypeError for what is no theorem.
    """
    if not isinstance(theorem, Theorem):
        raise TypeError(f"theorem must be a Theorem, such as refdp.theorem makes, got {type(theorem).__name__}")
    writable(path)
    write_whole(path, text_of(certificate(theorem, DERIVED)))
