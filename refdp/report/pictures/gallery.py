"""The pictures of the documents: `python -m refdp.report.pictures.gallery docs`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from refdp.report.arguments import arguments
from refdp.report.pictures.plotting import plot

ROOT = Path(__file__).resolve().parents[3]
GALLERY: Mapping[str, tuple[str, str | None]] = {
    "frontier.svg": ("frontier", None),
    "wrong_program.svg": ("chen.all", None),
    "pictures/laws.svg": ("laplace.pure", None),
    "pictures/alignment.svg": ("sparse_vector.all", None),
    "pictures/tables.svg": ("docs/pictures/tables.json", None),
    "pictures/profile.svg": ("examples/accounting/training.toml", None),
    "pictures/losses.svg": ("examples/accounting/training.toml", "losses"),
    "pictures/trade_off.svg": ("examples/accounting/survey.json", "trade_off"),
    "pictures/divergences.svg": ("discrete_gaussian.concentrated", None),
    "pictures/derivation.svg": ("composition.sequential_pure", "derivation"),
}
"""File, from the folder of the documents -> what is drawn, and its kind where that is not the first."""


def write(folder: Path) -> None:
    """Draw every picture; files are named from the root of the checkout."""
    for name, (what, kind) in GALLERY.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        plot(what_of(what), folder / name, kind=kind)


def what_of(what: str) -> str:
    """The thing itself, a file by its path."""
    return str(ROOT / what) if "/" in what else what


if __name__ == "__main__":
    (folder,) = arguments("pictures.gallery", __doc__, "FOLDER")
    write(Path(folder))
