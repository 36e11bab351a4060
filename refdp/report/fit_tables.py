"""What `refdp fit` prints: the model, its noise, what is proved, and how good it is where that was asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rich.table import Table
from rich.text import Text

from refdp.report.tables import console, facts, grid, verdict


def print_fit(found: Mapping[str, Any]) -> None:
    """The model in full."""
    out = console()
    out.print(Text(found["model"]), soft_wrap=True)
    out.print()
    for table in tables(found["model"], found["fitted"]):
        out.print(table)
        out.print()
    out.print(facts(dict(facts_of(found))))
    if found["compared"] is not None:
        out.print()
        out.print(compared(found["compared"]))
        out.print(Text(found["compared"]["remark"]), soft_wrap=True)
    out.print()
    out.print(verdict(found["verdict"]) + Text(f": {found['claim']}"), soft_wrap=True)


def tables(model: str, fitted: Mapping[str, Any]) -> Iterator[Table]:
    """The numbers of the model."""
    match model:
        case "k_means":
            yield of_rows(fitted["centres"], "cluster", noisy_size=fitted["noisy_sizes_before_the_last_move"])
        case "principal_components":
            yield of_rows(fitted["components"], "direction", noisy_variance=fitted["noisy_variances"])
        case "linear_regression":
            yield of_pairs({"(intercept)": fitted["intercept"], **fitted["coefficients"]}, "column", "coefficient")
        case "logistic_regression":
            odds = f"log odds of {fitted['label']}"
            yield of_pairs({"(intercept)": fitted["intercept"], **fitted["coefficients"]}, "column", odds)
        case _:
            yield of_pairs(fitted["classes"], "class", "share")
            for column, of_class in fitted["features"].items():
                yield of_rows(list(of_class.values()), column, names=list(of_class))


def of_rows(rows: list[Mapping[str, str]], first: str, names: list[str] | None = None, **more: list[str]) -> Table:
    """A row of numbers for each of several things, by the names of the numbers."""
    table = grid(first, *rows[0], *(key.replace("_", " ") for key in more))
    for place, row in enumerate(rows):
        heading = str(place + 1) if names is None else names[place]
        table.add_row(*map(Text, (heading, *row.values(), *(column[place] for column in more.values()))))
    return table


def of_pairs(numbers: Mapping[str, str], first: str, second: str) -> Table:
    """One number for each name."""
    table = grid(first, second)
    for name, number in numbers.items():
        table.add_row(Text(name), Text(number))
    return table


def facts_of(found: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What was released at which loss, and where it is written down."""
    noise = found["noise"]
    delta = f", delta {found['delta']}" if "delta" in found else ""
    what = released_by(found["model"])
    yield "released", f"{noise['numbers']} {what} with {told_noise(noise)}"
    yield "loss", f"epsilon {found['epsilon']}{delta}"
    yield "neighbours", found["neighbours"]
    yield "trusts", ", ".join(found["trusts"]) or "nothing"
    if found["certificates"]:
        yield "certificates", ", ".join(found["certificates"])
    if "picture" in found:
        yield "picture", found["picture"]["path"]


def told_noise(noise: Mapping[str, Any]) -> str:
    """The noise and its scale in words."""
    if noise["mechanism"] == "rounded_logistic_objective":
        return f"a random linear term of scale {noise['scale']} in what is minimised"
    return f"{noise['mechanism'].replace('_', ' ')} noise of {noise['scale']}"


def released_by(model: str) -> str:
    """What the noise was added to."""
    return "coefficients" if model == "logistic_regression" else "sums"


def compared(said: Mapping[str, str]) -> Table:
    """How good the model is, beside the fit without noise."""
    table = grid("on the table", "private", "without noise")
    table.add_row(*map(Text, (said["what"], said["private"], said["without_noise"])))
    return table
