"""Pictures of fitted models: centres of clusters, directions, coefficients, and how values go with classes.

What follows from the noisy answer is drawn; points of the table, and the fit without noise, only where a comparison was
asked for, for they are not private.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from refdp.commands.files import write_whole
from refdp.commands.fit import NOT_PRIVATE, fitted
from refdp.models import Comparison
from refdp.report.fit_tables import released_by, told_noise
from refdp.report.pictures.colours import BAND, FIRST, GAIN, QUIET, SECOND
from refdp.report.pictures.files import WIDTH, picture_file, rendered
from refdp.report.pictures.labels import headed

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_POINTS = 2_000
"""Points of the table that are drawn at most, the first ones."""
MOST_FEATURES = 4
"""Features of naive Bayes that are drawn."""
COLOURS, SIGNS = (FIRST, SECOND, GAIN, QUIET), "osD^v"
"""Of the classes, in turn."""
PRIVATE, PLAIN = "private", "without noise"
Drawn = Mapping[str, Any]


def plot_fit(
    name: str,
    table: str | Path,
    out: str | Path,
    *,
    feature: Sequence[str],
    epsilon: Any,
    target: str | None = None,
    delta: Any = None,
    neighbours: str = "add_remove",
    compare: bool = False,
    certificates: str | Path | None = None,
    timeout: float = 600.0,
    **settings: Any,
) -> dict[str, Any]:
    """Fit a model and draw it into a file that ends in .svg, .png or .pdf.

    The words are those of `refdp.fit`, whose object is given back, with the picture's path and caption besides.
    Raises ValueError for bad input.
    """
    path = picture_file(out)
    found, model, beside = fitted(
        name, table, feature, target, epsilon, delta, neighbours, settings, compare, certificates, timeout
    )
    title, caption = titled(found), captioned(found, beside)
    plain = None if beside is None else beside.drawn

    def draw(figure: Figure) -> None:
        figure.set_size_inches(WIDTH, WIDTH)
        DRAWN[name](figure, model.drawn, plain)
        headed(figure, title)

    write_whole(path, rendered(draw, title, caption, path.suffix))
    return found | {"picture": {"path": str(path), "caption": caption}}


def titled(found: Mapping[str, Any]) -> str:
    """The model and its loss."""
    delta = f", delta {found['delta']}" if "delta" in found else ""
    return f"{found['model']}: epsilon {found['epsilon']}{delta}"


def captioned(found: Mapping[str, Any], beside: Comparison | None) -> str:
    """What the picture shows."""
    noise = found["noise"]
    said = (
        f"The model follows from {noise['numbers']} {released_by(found['model'])} with {told_noise(noise)}, under "
        f"{found['neighbours']}."
    )
    if beside is None:
        return said
    return f"{said} What is without noise, and the points of the table, are {NOT_PRIVATE}."


def draw_clusters(figure: Figure, drawn: Drawn, plain: Drawn | None) -> None:
    """The centres by the first two columns, from where they began; one column alone is drawn along a line."""
    axes, columns = figure.subplots(), drawn["columns"]

    def at(points: Sequence[Sequence[Any]]) -> tuple[list[float], list[float]]:
        xs = [moved(p[0], columns[0]) for p in points]
        return xs, [moved(p[1], columns[1]) if len(p) > 1 else 0.0 for p in points]

    if plain is not None:
        axes.plot(*at(plain["points"][:MOST_POINTS]), ".", color=BAND, markersize=4, zorder=1, label="rows")
        axes.plot(*at(plain["centres"]), "s", color=SECOND, fillstyle="none", markersize=9, zorder=3, label=PLAIN)
    axes.plot(*at(drawn["start"]), "x", color=QUIET, zorder=2, label="public start")
    axes.plot(*at(drawn["centres"]), "o", color=FIRST, markersize=8, zorder=4, label=PRIVATE)
    axes.set_xlim(float(columns[0].lower), float(columns[0].upper))
    axes.set_xlabel(columns[0].column)
    if len(columns) > 1:
        axes.set_ylim(float(columns[1].lower), float(columns[1].upper))
        axes.set_ylabel(columns[1].column)
    else:
        axes.set_yticks([])
    figure.legend(loc="outside lower center", ncols=2, frameon=False)


def moved(x: Any, column: Any) -> float:
    """A scaled coordinate in the unit of its column."""
    return float(column.lower + (x + 1) / 2 * (column.upper - column.lower))


def draw_components(figure: Figure, drawn: Drawn, plain: Drawn | None) -> None:
    """The entries of each direction."""
    rows = drawn["components"]
    several = figure.subplots(len(rows), 1, squeeze=False)[:, 0]
    for place, axes in enumerate(several):
        bars(axes, drawn["columns"], rows[place], None if plain is None else plain["components"][place])
        axes.set_title(f"direction {place + 1}", loc="left", fontsize="medium")
    legend(figure, several[0])


def draw_coefficients(figure: Figure, drawn: Drawn, plain: Drawn | None) -> None:
    """The coefficients of the scaled columns."""
    axes = figure.subplots()
    bars(axes, drawn["columns"], drawn["coefficients"], None if plain is None else plain["coefficients"])
    axes.set_xlabel("coefficient of the scaled column")
    legend(figure, axes)


def draw_classes(figure: Figure, drawn: Drawn, plain: Drawn | None) -> None:
    """For the first features, how likely each value is in each class."""
    listed = list(drawn["features"])[:MOST_FEATURES] or [None]
    figure.set_size_inches(WIDTH, 1.2 + 1.9 * len(listed))
    several = figure.subplots(len(listed), 1, squeeze=False)[:, 0]
    for feature, axes in zip(listed, several, strict=True):
        if feature is None:  # classes alone
            bars(axes, list(drawn["classes"]), list(drawn["classes"].values()), None)
            continue
        for place, (label, parts) in enumerate(drawn["features"][feature].items()):
            colour, sign = COLOURS[place % len(COLOURS)], SIGNS[place % len(SIGNS)]
            xs = range(len(parts))
            axes.plot(xs, list(parts.values()), marker=sign, markersize=4.5, color=colour, label=label)
            if plain is not None:
                beside, name = list(plain["features"][feature][label].values()), f"{label}, {PLAIN}"
                axes.plot(xs, beside, "--", marker=sign, markersize=3, color=colour, linewidth=1, label=name)
        names = list(next(iter(drawn["features"][feature].values())))
        axes.set_xticks([0, len(names) - 1], [names[0], names[-1]])
        axes.set_title(feature, loc="left", fontsize="medium")
    legend(figure, several[0])


def bars(axes: Axes, names: Sequence[str], private: Sequence[float], plain: Sequence[float] | None) -> None:
    """One bar for each name, and one beside it without noise."""
    places, beside = range(len(names)), 0.0 if plain is None else 0.2
    axes.barh([p - beside for p in places], private, height=0.36, color=FIRST, label=PRIVATE)
    if plain is not None:
        axes.barh([p + beside for p in places], plain, height=0.36, color=SECOND, label=PLAIN)
    axes.axvline(0, color=QUIET, linewidth=0.8)
    axes.set_yticks(list(places), list(names))
    axes.invert_yaxis()


def legend(figure: Figure, axes: Axes) -> None:
    """The legend of one of several axes, below them."""
    figure.legend(*axes.get_legend_handles_labels(), loc="outside lower center", ncols=2, frameon=False)


DRAWN: Mapping[str, Callable[[Any, Drawn, Drawn | None], None]] = {
    "k_means": draw_clusters,
    "linear_regression": draw_coefficients,
    "logistic_regression": draw_coefficients,
    "naive_bayes": draw_classes,
    "principal_components": draw_components,
}
