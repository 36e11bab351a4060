"""Every page and picture that is made of code and certificates: `python -m refdp.report.every_page docs`.

python -m refdp.report.every_page docs
"""

from __future__ import annotations

from pathlib import Path

from refdp.claims import ledger
from refdp.report import claim_pages, sources
from refdp.report.arguments import arguments
from refdp.report.certificates import theorem_of
from refdp.report.paths import FOLDER, picture_path
from refdp.report.pictures import gallery, writing
from refdp.report.pictures.plans import plan_of


def write(docs: Path) -> None:
    """Write them all into the folder of the documents."""
    claim_pages.write(docs / "claims")
    writing.write(docs / "claims")
    gallery.write(docs)
    sources.write(docs / "sources")


def names() -> set[str]:
    """What would be written, as paths from the root of the checkout."""
    claims = {f"{FOLDER}/{name}" for name in claim_pages.pages()}
    drawn = {picture_path(c.identifier) for c in ledger() if plan_of(c, theorem_of(c)) is not None}
    return {
        *claims,
        *drawn,
        *(f"docs/{name}" for name in gallery.GALLERY),
        *(f"docs/sources/{n}" for n in sources.pages()),
    }


if __name__ == "__main__":
    (folder,) = arguments("every_page", __doc__, "FOLDER")
    write(Path(folder))
