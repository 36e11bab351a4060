"""What tests need that is made of the sources: made once, however many of them, and of their workers, ask."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from refdp.claims import claim
from refdp.kernel.certificate import certificate, text_of
from scripts.made_once import CERTIFICATES, ROOT, is_made, make

FOLDER = ROOT / CERTIFICATES
"""Where the certificates of the ledger are, once they are made."""


@cache
def certificates() -> list[Path]:
    """The certificates and statements that are made; what lies beside them in the folder is none of them."""
    return [path for path in make("certificates") if path.is_relative_to(FOLDER)]


@cache
def pages() -> list[Path]:
    """The pages and pictures that are made; git does not track them."""
    return make("pages")


@cache
def certificate_text(identifier: str) -> str:
    """The certificate of a claim of the kernel; where not all are made, this one alone is proved."""
    from refdp.proofs.lines import prove

    if are_made():
        return (FOLDER / f"{identifier}.json").read_text(encoding="utf-8")
    return text_of(certificate(prove(claim(identifier)), identifier))


@cache
def are_made() -> bool:
    """Whether all certificates are there, of the sources as they are."""
    return bool(is_made("certificates"))


def certificate_of(identifier: str) -> dict[str, Any]:
    """The certificate as JSON, freshly read."""
    found: dict[str, Any] = json.loads(certificate_text(identifier))
    return found
