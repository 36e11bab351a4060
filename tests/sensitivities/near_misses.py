"""Table functions that are almost right: near_misses.toml claims of each what its author believed, and it is false."""


def forgot_the_floor(rows):
    total = 0
    for x in rows:
        if x > 100:
            x = 100
        total += x
    return total


def clamped_another_name(rows):
    total = 0
    for x in rows:
        clamped = max(0, min(x, 100))
        total += x if clamped == x else 2 * clamped
    return total


def clamped_too_late(rows):
    total = 0
    for x in rows:
        total += x
        x = max(0, min(x, 100))
    return total


def clamped_after_the_sum(rows):
    return min(max(sum(rows), -500), 500)


def clamped_to_a_gap(rows):
    return sum(x if 0 <= x <= 100 else 101 for x in rows)


def counted_outside_the_filter(rows):
    count = 0
    for x in rows:
        if x > 50:
            count += 1
        count += 1
    return count


def boundary_counted_twice(ages):
    young = sum(1 for age in ages if age <= 20)
    old = sum(1 for age in ages if age >= 20)
    return [young, old]


def boundary_counted_twice_real(rows):
    return [sum(1 for x in rows if x <= 0.5), sum(1 for x in rows if x >= 0.5)]


def neighbouring_bin_too(groups):
    counts = [0, 0, 0]
    for g in groups:
        counts[g] += 1
        counts[g - 1] += 1
    return counts


def one_bin_too_few(groups):
    counts = [0] * 2
    for g in groups:
        counts[g] += 1
    return counts


def key_not_declared(penguins):
    counts = {"Adelie": 0, "Gentoo": 0}
    for p in penguins:
        counts[p["species"]] += 1
    return counts


def histogram(groups):
    counts = [0, 0, 0]
    for g in groups:
        counts[g] += 1
    return counts


def divided_by_one_less(rows):
    return sum(rows) / (len(rows) - 1)


def mean_of_kept(rows):
    kept = [x for x in rows if x > 10]
    return sum(kept) / len(kept) if kept else 10


def mean_unguarded(rows):
    return sum(rows) / len(rows)


def mean_with_far_default(rows):
    return sum(rows) / len(rows) if rows else 0


def rounded_up(rows):
    return sum(-(-x // 1) for x in rows)


def rounded_down(rows):
    return sum(x // 1 for x in rows)


def product_of_negatives(rows):
    return sum(x * y for x, y in rows)


def square_of_negatives(rows):
    return sum(x**2 for x in rows)


def cube_of_negatives(rows):
    return sum(x**3 for x in rows)


def inverse(rows):
    return sum(1 / x for x in rows)


def weights_forgotten(rows):
    return sum(w * x for w, x in rows)


def difference(rows):
    return sum(x - y for x, y in rows)


def maximum_with_far_default(rows):
    return max(rows, default=-100)


def minimum(rows):
    return min(rows)


def first_row(rows):
    return rows[0]


def running_total_of_counts(rows):
    count = total = 0
    for x in rows:
        count += 1 if x else 0
        total += count
    return total


def counter_that_jumps(flags):
    count = 0
    for _ in flags:
        count = 10 if count >= 5 else count + 1
    return count


def alarm_at_four(flags):
    raised = 0
    for flag in flags:
        if flag:
            raised += 1
    return 100 if raised == 4 else raised


def place_times_value(rows):
    return sum(i * x for i, x in enumerate(rows))


def alternating_sum(rows):
    total, sign = 0, 1
    for x in rows:
        total += sign * x
        sign = -sign
    return total


def parity(rows):
    return 10 * (len(rows) % 2)


def average_with_memory(rows):
    level = 0
    for x in rows:
        level = level / 4 + 3 * x / 4
    return level


def variance(rows):
    n = len(rows)
    mean = sum(rows) / n
    return sum((x - mean) ** 2 for x in rows) / n


def deviations(rows):
    if not rows:
        return 0
    mean = sum(rows) / len(rows)
    return sum((x - mean) ** 2 for x in rows)


def above_the_mean(rows):
    if not rows:
        return 0
    mean = sum(rows) / len(rows)
    return sum(1 for x in rows if x > mean)


def tree_without_its_root(leaves):
    nodes = [0] * 7
    for leaf in leaves:
        nodes[3 + leaf] += 1
        nodes[(2 + leaf) // 2] += 1
        nodes[0] += 2
    return nodes


def prefix_sums(groups):
    first = sum(1 for g in groups if g <= 0)
    second = sum(1 for g in groups if g <= 1)
    return first, second, len(groups)


def marginals(rows):
    counts = {}
    for i in range(2):
        for value in (0, 1):
            counts[i, value] = sum(1 for row in rows if row[i] == value)
    return counts


def missing_counts_as_largest(rows):
    return sum(101 if x is None else x for x in rows)


def missing_raises(rows):
    return sum(rows)


def two_runs(flags):
    runs, last = 0, None
    for flag in flags:
        if flag != last:
            runs += 1
        last = flag
    return runs


def ratio_of_counts(flags):
    yes = sum(1 for flag in flags if flag)
    no = sum(1 for flag in flags if not flag)
    return yes / (no + 1)


def share_of_smaller(rows):
    small = sum(x for x in rows if x < 1)
    return small / max(sum(rows), 1)


def longest_list(flags):
    kept = []
    for flag in flags:
        if flag:
            kept.append(1)
        else:
            kept = []
    return len(kept)
