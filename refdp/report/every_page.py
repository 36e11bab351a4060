"""Every page and picture that is made of code and certificates: `python -m refdp.report.every_page docs`."""

from __future__ import annotations

from pathlib import Path

from refdp.report import claim_pages, docket_pages, sources
from refdp.report.arguments import arguments
from refdp.report.pictures import gallery, writing


def write(docs: Path) -> None:
    """Write them all into the folder of the documents."""
    claim_pages.write(docs / "claims")
    writing.write(docs / "claims")
    gallery.write(docs)
    sources.write(docs / "sources")
    docket_pages.write(docs / "docket")


if __name__ == "__main__":
    (folder,) = arguments("every_page", __doc__, "FOLDER")
    write(Path(folder))
