"""The learning curve of a run: how well the private model does after each step, beside its twin without noise."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from refdp.commands.files import write_whole
from refdp.commands.train import train
from refdp.report.pictures.colours import FIRST, QUIET
from refdp.report.pictures.files import WIDTH, picture_file, rendered
from refdp.report.pictures.labels import headed

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def plot_train(data: str | Path | None = None, *, out: str | Path, **asked: Any) -> dict[str, Any]:
    """Train as `refdp.train` does, and draw the learning curve into a file that ends in .svg, .png or .pdf.

    The object of `refdp.train` is given back, with the picture's path and caption besides.  Raises ValueError for
    bad input, and what `refdp.train` raises.
    """
    path = picture_file(out)
    found = train(data, **asked)
    title, said = f"{found['model']}: {found['measure']} by step", caption(found)
    write_whole(path, rendered(lambda figure: draw(found, title, figure), title, said, path.suffix))
    return found | {"picture": {"path": str(path), "caption": said}}


def caption(found: Mapping[str, Any]) -> str:
    """What the picture shows."""
    return (
        f"DP-SGD, {found['parameters']['steps']} steps: epsilon at most {found['epsilon']['upper']} at delta "
        f"{found['delta']} under {found['neighbours']}. The curves are measured on the table itself: not private; "
        f"the other model has the same lots and clips, and no noise."
    )


def draw(found: Mapping[str, Any], title: str, figure: Figure) -> None:
    """Both curves."""
    figure.set_size_inches(WIDTH, 3.4)
    axes, steps = figure.subplots(), [one["step"] for one in found["curve"]]
    for key, colour, style, width, name in (
        ("plain", QUIET, "--", 1.4, "without noise"),
        ("private", FIRST, "-", 2.2, f"epsilon {float(found['epsilon']['upper']):.4g}, delta {found['delta']}"),
    ):
        values = [float(one[key]) for one in found["curve"]]
        axes.plot(steps, values, color=colour, linestyle=style, linewidth=width, label=name)
    axes.set_xlim(0, steps[-1])
    axes.set_xlabel("step")
    axes.set_ylabel(found["measure"])
    figure.legend(loc="outside lower center", frameon=False, ncols=2)
    headed(figure, title)
