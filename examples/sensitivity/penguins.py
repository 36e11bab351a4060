"""An analyst's first look at the penguins of the Palmer archipelago: a script as one finds it, mistakes included.

    python penguins.py [penguins.csv]

prints the answers.  penguins.toml asks how far each of them may move when one penguin is added, removed or replaced.
"""

import csv
import sys
from pathlib import Path

TABLE = Path(__file__).resolve().parents[2] / "refdp" / "releases" / "examples" / "penguins.csv"
SPECIES = ("Adelie", "Chinstrap", "Gentoo")
ISLANDS = ("Biscoe", "Dream", "Torgersen")
NUMBERS = ("bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g", "year")


def read_penguins(path):
    """The rows of the table, NA as None."""
    with Path(path).open(newline="", encoding="utf-8") as file:
        return [{key: value_of(key, text) for key, text in row.items()} for row in csv.DictReader(file)]


def value_of(column, text):
    """A cell of the table."""
    if text == "NA":
        return None
    return float(text) if column in NUMBERS else text


def mean_mass_by_species(penguins):
    """The mean body mass of each species in grams, of those that were weighed; 0 where none was."""
    totals = {"Adelie": 0, "Chinstrap": 0, "Gentoo": 0}
    counts = {"Adelie": 0, "Chinstrap": 0, "Gentoo": 0}
    for penguin in penguins:
        if penguin["body_mass_g"] is not None:
            totals[penguin["species"]] += penguin["body_mass_g"]
            counts[penguin["species"]] += 1
    return {s: totals[s] / counts[s] if counts[s] else 0 for s in SPECIES}


def total_mass_by_species(penguins):
    """The total body mass of each species in kilograms, each penguin counted between 2 and 7."""
    totals = {"Adelie": 0, "Chinstrap": 0, "Gentoo": 0}
    for penguin in penguins:
        mass = penguin["body_mass_g"]
        if mass is None:
            continue
        totals[penguin["species"]] += min(max(mass / 1000, 2), 7)
    return totals


def count_by_island_and_sex(penguins):
    """How many penguins were seen on each island by sex."""
    counts = {(island, sex): 0 for island in ISLANDS for sex in ("female", "male")}
    for penguin in penguins:
        if penguin["sex"] is not None:
            counts[penguin["island"], penguin["sex"]] += 1
    return counts


def count_by_sex(penguins):
    """How many penguins there are of each sex; KeyError on this very table, where a sex is missing."""
    counts = {"female": 0, "male": 0}
    for penguin in penguins:
        counts[penguin["sex"]] += 1
    return counts


def fraction_heavier(penguins, limit=4000):
    """The share of penguins that weigh more than a limit, among those that were weighed."""
    weighed = [p["body_mass_g"] for p in penguins if p["body_mass_g"] is not None]
    if not weighed:
        return 0
    return sum(1 for mass in weighed if mass > limit) / len(weighed)


def total_bill_length(penguins):
    """The total bill length in mm, each bill counted between 30 and 60."""
    bills = [penguin["bill_length_mm"] for penguin in penguins]
    return sum(max(30, min(bill, 60)) for bill in bills if bill is not None)


def total_bill_length_as_found(penguins):
    """The same without bounds: the longest bill in the table is 59.6 mm."""
    return sum(p["bill_length_mm"] or 0 for p in penguins)


def flipper_histogram(penguins):
    """How many flippers are shorter than 180, 190, ..., 230 mm, and longer."""
    bins = [0] * 7
    for penguin in penguins:
        length = penguin["flipper_length_mm"]
        if length is None:
            continue
        place = int((length - 170) // 10)
        bins[min(max(place, 0), 6)] += 1
    return bins


def flipper_histogram_as_found(penguins):
    """The same for the lengths that occur in the table: 170 to 231 mm."""
    bins = [0] * 7
    for penguin in penguins:
        if penguin["flipper_length_mm"] is not None:
            bins[int((penguin["flipper_length_mm"] - 170) // 10)] += 1
    return bins


def mass_variance(penguins):
    """The variance of the body mass in kilograms, of those that were weighed."""
    masses = [p["body_mass_g"] / 1000 for p in penguins if p["body_mass_g"] is not None]
    mean = sum(masses) / len(masses)
    return sum((mass - mean) ** 2 for mass in masses) / len(masses)


def bill_deviations(penguins):
    """The sum of squared deviations of the bill length in cm, 3 to 6 and 4.5 where it is missing."""
    bills = [4.5 if p["bill_length_mm"] is None else min(max(p["bill_length_mm"] / 10, 3), 6) for p in penguins]
    if not bills:
        return 0
    mean = sum(bills) / len(bills)
    return sum((bill - mean) ** 2 for bill in bills)


def seen_each_year(penguins):
    """How many penguins were seen up to each of the three years."""
    return [sum(1 for p in penguins if p["year"] <= year) for year in (2007, 2008, 2009)]


QUERIES = (mean_mass_by_species, total_mass_by_species, count_by_island_and_sex, fraction_heavier, total_bill_length,
           total_bill_length_as_found, flipper_histogram, flipper_histogram_as_found, mass_variance, bill_deviations,
           seen_each_year)  # fmt: skip

if __name__ == "__main__":
    table = read_penguins(sys.argv[1] if len(sys.argv) > 1 else TABLE)
    for query in QUERIES:
        print(f"{query.__name__}: {query(table)}")
