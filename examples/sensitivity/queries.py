"""Queries as analysts write them: functions of a table, some right, some with the mistakes that people make.

queries.toml says what each is claimed to move by, and whether the claim holds.
"""

import math
from collections import Counter, defaultdict
from statistics import median

SPECIES = ["Adelie", "Chinstrap", "Gentoo"]
PLACES = {"Adelie": 0, "Chinstrap": 1, "Gentoo": 2}


def clamped_sum(amounts, lower, upper):
    """The sum of the amounts, each brought within the bounds."""
    total = 0
    for amount in amounts:
        if amount < lower:
            amount = lower
        elif amount > upper:
            amount = upper
        total += amount
    return total


def clamped_sum_short(amounts, lower, upper):
    """The same in one line."""
    return sum(max(lower, min(amount, upper)) for amount in amounts)


def plain_sum(amounts):
    """The sum of the amounts as they are."""
    return sum(amounts)


def sum_with_ceiling(amounts, upper=100):
    """The sum of the amounts, none counted above the ceiling; nothing is said of a floor."""
    return sum(min(amount, upper) for amount in amounts)


def capped_total(amounts, cap=1000):
    """The sum, clamped once it is made."""
    return max(0, min(sum(amounts), cap))


def row_count(rows):
    """How many rows there are."""
    return len(rows)


def count_adults(ages):
    """How many are of age."""
    return sum(1 for age in ages if age >= 18)


def count_working_age(people):
    """How many employed people are between 25 and 64."""
    count = 0
    for person in people:
        if not person["employed"]:
            continue
        if 25 <= person["age"] < 65:
            count += 1
    return count


def count_up_to_ten(rows):
    """How many rows there are, but no more than ten."""
    count = 0
    for _ in rows:
        if count < 10:
            count += 1
    return count


def any_above(amounts, limit=90):
    """Whether any amount exceeds the limit."""
    return any(amount > limit for amount in amounts)


def mean_of_fifty(amounts):
    """The mean of a survey with exactly fifty answers."""
    return sum(amounts) / 50


def mean_income(incomes):
    """The mean."""
    return sum(incomes) / len(incomes)


def mean_or_zero(incomes):
    """The mean, 0 where there is nobody."""
    if len(incomes) == 0:
        return 0
    return sum(incomes) / len(incomes)


def mean_or_middle(incomes):
    """The mean, the middle of the range where there is nobody."""
    total, count = 0, 0
    for income in incomes:
        total += income
        count += 1
    return total / count if count else 50


def mean_of_employed(people):
    """The mean income of those who work, 0 if none does."""
    incomes = [person["income"] for person in people if person["employed"]]
    if not incomes:
        return 0
    return sum(incomes) / len(incomes)


def weighted_sum(people):
    """The sum of incomes by survey weights."""
    return sum(person["weight"] * person["income"] for person in people)


def total_cost(people):
    """Rent and food of everybody."""
    total = 0
    for person in people:
        total += person["rent"]
        total += person["food"]
    return total


def dot_product(points):
    """The sum of products of the two columns."""
    return sum(x * y for x, y in points)


def second_moment(deviations):
    """The sum of squares."""
    return sum(d**2 for d in deviations)


def squared_deviations(values):
    """The sum of squared deviations from the mean, 0 for an empty table."""
    if not values:
        return 0
    mean = sum(values) / len(values)
    return sum((value - mean) ** 2 for value in values)


def variance(values):
    """The population variance."""
    mean = sum(values) / len(values)
    return sum((value - mean) ** 2 for value in values) / len(values)


def covariance(points):
    """The population covariance, from sums of products."""
    n = len(points)
    sum_x = sum(x for x, _ in points)
    sum_y = sum(y for _, y in points)
    sum_xy = sum(x * y for x, y in points)
    return sum_xy / n - (sum_x / n) * (sum_y / n)


def fraction_above(incomes, threshold=50):
    """The share of incomes above a threshold."""
    return sum(1 for income in incomes if income > threshold) / len(incomes)


def age_histogram(ages):
    """How many are aged 0 to 24, 25 to 49, 50 to 74, 75 to 99, 100 and more."""
    bins = [0, 0, 0, 0, 0]
    for age in ages:
        bins[min(age // 25, 4)] += 1
    return bins


def age_histogram_short(ages):
    """The same with one bin too few."""
    bins = [0] * 4
    for age in ages:
        bins[age // 25] += 1
    return bins


def species_histogram(penguins):
    """How many penguins there are of each species."""
    counts = {"Adelie": 0, "Chinstrap": 0, "Gentoo": 0}
    for penguin in penguins:
        counts[penguin["species"]] += 1
    return counts


def species_counter(penguins):
    """The same with a Counter and the list of species."""
    counts = Counter(penguin["species"] for penguin in penguins)
    return [counts[species] for species in SPECIES]


def sums_by_species(penguins):
    """The total body mass in kilograms of each species."""
    totals = defaultdict(int)
    for penguin in penguins:
        totals[penguin["species"]] += min(max(penguin["mass"], 0), 7)
    return {species: totals[species] for species in SPECIES}


def capped_sums_by_species(penguins):
    """The total body mass of each species, clamped after summing."""
    totals = {"Adelie": 0, "Chinstrap": 0, "Gentoo": 0}
    for penguin in penguins:
        totals[penguin["species"]] += penguin["mass"]
    return {species: min(total, 100) for species, total in totals.items()}


def neighbours_by_species(penguins):
    """How many penguins there are of each species, each counted with the species listed next, too."""
    counts = [0, 0, 0, 0]
    for penguin in penguins:
        place = PLACES[penguin["species"]]
        counts[place] += 1
        counts[place + 1] += 1
    return counts


def marginal(people):
    """How many people there are by sex and employment."""
    counts = {(sex, employed): 0 for sex in ("female", "male") for employed in (True, False)}
    for person in people:
        counts[person["sex"], person["employed"]] += 1
    return counts


def all_marginals(rows):
    """All two-way marginals of three binary columns."""
    ab, bc, ac = [0] * 4, [0] * 4, [0] * 4
    for a, b, c in rows:
        ab[2 * a + b] += 1
        bc[2 * b + c] += 1
        ac[2 * a + c] += 1
    return ab + bc + ac


def tree_counts(values):
    """The counts of a binary tree over the leaves 0, 1, 2 and 3, from the root down."""
    nodes = [0] * 7
    for value in values:
        node = 3 + value
        nodes[node] += 1
        nodes[(node - 1) // 2] += 1
        nodes[0] += 1
    return nodes


def cumulative_counts(ages):
    """How many are at most 20, 40, 60, 80 and 100 years old."""
    return [sum(1 for age in ages if age <= limit) for limit in (20, 40, 60, 80, 100)]


def prefix_sums(values):
    """Running totals of the counts of the values 0, 1 and 2."""
    counts = [0, 0, 0]
    for value in values:
        counts[value] += 1
    first = counts[0]
    second = first + counts[1]
    return first, second, second + counts[2]


def clipped_gradient(gradients, bound=1):
    """The sum of gradients, each scaled down to the bound in L2."""
    total = [0, 0, 0, 0]
    for gradient in gradients:
        norm = math.sqrt(sum(g * g for g in gradient))
        scale = 1 if norm <= bound else bound / norm
        for i in range(4):
            total[i] += scale * gradient[i]
    return total


def clipped_gradient_l1(gradients, bound=1):
    """The sum of gradients, each scaled down to the bound in L1."""
    total = [0, 0, 0]
    for gradient in gradients:
        size = abs(gradient[0]) + abs(gradient[1]) + abs(gradient[2])
        scale = bound / max(size, bound)
        for i, value in enumerate(gradient):
            total[i] += scale * value
    return total


def largest(incomes):
    """The maximum."""
    return max(incomes)


def largest_or_zero(incomes):
    """The maximum, 0 where there is none."""
    return max(incomes, default=0)


def spread(incomes):
    """The range, 0 where there are no incomes."""
    if not incomes:
        return 0
    return max(incomes) - min(incomes)


def running_maximum(incomes):
    """The maximum, one income after the other."""
    best = 0
    for income in incomes:
        if income > best:
            best = income
    return best


def largest_gap(times):
    """The largest difference of two readings in a row, from 0 on."""
    previous, gap = 0, 0
    for time in times:
        gap = max(gap, abs(time - previous))
        previous = time
    return gap


def moving_average(readings):
    """The exponential moving average with weight one half."""
    level = 0
    for reading in readings:
        level = (level + reading) / 2
    return level


def run_count(flags):
    """How many runs of equal flags there are."""
    runs, previous = 0, None
    for flag in flags:
        if flag != previous:
            runs += 1
        previous = flag
    return runs


def greedy_budget(costs, budget=10):
    """How much of the budget is spent if each cost is paid in turn as long as it fits."""
    spent = 0
    for cost in costs:
        if spent + cost <= budget:
            spent += cost
    return spent


def first_three(incomes):
    """The sum of the first three incomes."""
    return sum(incomes[:3])


def last_reading(readings):
    """The last reading, 0 before the first."""
    last = 0
    for reading in readings:
        last = reading
    return last


def distinct_species(penguins):
    """How many species occur."""
    return len({penguin["species"] for penguin in penguins})


def count_distinct(penguins):
    """The same with a set of those that were seen."""
    seen = set()
    for penguin in penguins:
        seen.add(penguin["species"])
    return len(seen)


def known_total(incomes):
    """The sum of the incomes that are known."""
    return sum(income for income in incomes if income is not None)


def filled_total(incomes, default=50):
    """The sum of the incomes, with a default for those that are missing."""
    return sum(default if income is None else income for income in incomes)


def mean_of_known(incomes):
    """The mean of the incomes that are known, 0 if none is."""
    known = [income for income in incomes if income is not None]
    return sum(known) / len(known) if known else 0


def quantile_scores(incomes, alpha=0.25):
    """Scores of the candidates 0, 10, ..., 50 for a quantile: the best has a share alpha of the incomes below it."""
    scores = []
    for candidate in range(0, 60, 10):
        below = sum(1 for income in incomes if income < candidate)
        above = sum(1 for income in incomes if income > candidate)
        scores.append(-abs((1 - alpha) * below - alpha * above))
    return scores


def mode_scores(votes):
    """How often each of the values 0 to 3 occurs."""
    return [sum(vote == value for vote in votes) for value in range(4)]


def most_votes(votes):
    """The value that occurs most often."""
    counts = [0, 0, 0]
    for vote in votes:
        counts[vote] += 1
    best = 0
    for value in range(3):
        if counts[value] > counts[best]:
            best = value
    return best


def middle_income(incomes):
    """The median, 50 for an empty table."""
    return median(incomes) if incomes else 50


def trimmed_mean(incomes):
    """The mean without the smallest and the largest income, 0 where nothing is left."""
    kept = sorted(incomes)[1:-1]
    return sum(kept) / len(kept) if kept else 0


def pairs_in_order(values):
    """How many pairs of rows are in ascending order."""
    count = 0
    for i in range(len(values)):
        for j in range(i):
            if values[j] < values[i]:
                count += 1
    return count
