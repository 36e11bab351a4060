"""The pictures of the documents: `python -m refdp.report.pictures.gallery docs`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from refdp.report.arguments import arguments
from refdp.report.pictures.attacks import plot_attack
from refdp.report.pictures.models import plot_fit
from refdp.report.pictures.plotting import plot
from refdp.report.pictures.training import plot_train

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
    "pictures/local.svg": ("docket.instantaneous_bits_that_all_rise", None),
    "pictures/shuffled.svg": ("examples/accounting/shuffled.json", None),
    "pictures/stream.svg": ("tree_sums.pure", "derivation"),
}
"""File, from the folder of the documents -> what is drawn, and its kind where that is not the first."""


def training(out: Path) -> dict[str, Any]:
    """Draw a training; its certificates are not kept."""
    with TemporaryDirectory() as folder:
        return plot_train(out=out, certificates=folder)


PENGUINS = ROOT / "refdp/releases/examples/penguins.csv"
BILLS = ("bill_length_mm=30..60", "bill_depth_mm=13..22")
RUNS: Mapping[str, Callable[..., dict[str, Any]]] = {
    "pictures/attack.svg": partial(plot_attack, "averaging"),
    "pictures/fit.svg": partial(plot_fit, "k_means", PENGUINS, feature=BILLS, epsilon=2, compare=True),
    "pictures/training.svg": training,
}
"""File -> what draws a run: its noise is fresh each time, and so is the picture."""


def write(folder: Path) -> None:
    """Draw every picture; files are named from the root of the checkout."""
    for name, (what, kind) in GALLERY.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        plot(what_of(what), folder / name, kind=kind)
    for name, run in RUNS.items():
        run(out=folder / name)


def what_of(what: str) -> str:
    """The thing itself, a file by its path."""
    return str(ROOT / what) if "/" in what else what


if __name__ == "__main__":
    (folder,) = arguments("pictures.gallery", __doc__, "FOLDER")
    write(Path(folder))
