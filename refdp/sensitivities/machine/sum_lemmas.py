"""One step of each induction about rounded sums: what one more addition adds to the error.

w is the largest relative error of one addition, M the largest size of a summed number, |.| is written out in names:
e, f are errors of two partial sums, d that of their addition.  docs/machine_arithmetic.md has the proofs around them.
"""

from __future__ import annotations

from collections.abc import Mapping

from refdp.sensitivities.machine.lemmas import Lemma

ANY_ORDER = Lemma(
    "any_order",
    (
        "1 <= m", "1 <= n", "0 <= w", "0 <= c", "0 <= M",
        "e <= c * (m * (m + 1) / 2 - 1)", "f <= c * (n * (n + 1) / 2 - 1)",
        "d <= w * ((m + n) * M + e + f)", "w * M + c * w * (m + n) / 2 <= c",
    ),
    ("e + f + d <= c * ((m + n) * (m + n + 1) / 2 - 1)",),
    ((0, 1), (2, 5), (2, 6), (0, 8), (1, 8)),
)  # fmt: skip
"""m and n numbers, summed in any order, and their sums added: c (m (m + 1) / 2 - 1) is no smaller than the error."""
ANY_ORDER_START = Lemma("any_order_start", ("0 <= c",), ("0 <= c * (1 * (1 + 1) / 2 - 1)",))
"""One number is its own sum."""
LOST_SIDE = Lemma(
    "lost_side",
    ("0 <= p", "0 <= q", "0 <= A", "0 <= B", "e <= p * A", "f <= q * B", "d <= B + f", "B <= u * A", "B <= A"),
    ("e + f + d <= (p + q + u) * (A + B)",),
    ((0, 3), (1, 8), (2, 7), (3, 7)),
)
"""Sums off by p = (m - 1) u and q = (n - 1) u of their sizes: an addition loses no more than its smaller side does."""
BOTH_SIDES = Lemma(
    "both_sides",
    (
        "0 <= p", "0 <= q", "0 <= u", "0 <= A", "0 <= B", "e <= p * A", "f <= q * B", "d <= u * (A + B + e + f)",
        "u * A <= B", "u * B <= A",
    ),
    ("e + f + d <= (p + q + u) * (A + B)",),
    ((0, 8), (1, 9), (2, 5), (2, 6)),
)  # fmt: skip
"""Where neither size is below u of the other, the addition rounds by at most u of the sum."""
BY_HEIGHT = Lemma(
    "by_height",
    ("0 <= w", "0 <= k", "0 <= A", "0 <= B", "e <= k * A", "f <= k * B", "d <= w * (A + B + e + f)",
     "k + w * (1 + k) <= l"),
    ("e + f + d <= l * (A + B)",),
    ((0, 4), (0, 5), (2, 7), (3, 7)),
)  # fmt: skip
"""Two sums of height h, each off by k of its sizes, are together off by l = k + w (1 + k)."""
KAHAN_IDENTITY = Lemma(
    "kahan_identity",
    ("y == x - c + a", "t == s + y + b", "l == t - s + g", "r == l - y + d"),
    ("t - r == (s - c) + x + a - g - d", "r == b + g + d"),
)
"""One step of Kahan's sum with its four roundings a, b, g, d: sum less loss grows by x + a - g - d."""
KAHAN_SIZE = Lemma(
    "kahan_size",
    ("0 <= w", "c <= C", "a <= w * (M + c)", "y <= M + c + a", "(1 + w) * (M + C) <= Y"),
    ("y <= Y", "a <= w * (M + C)"),
    ((0, 1),),
)
"""The corrected number y is at most Y."""
KAHAN_LARGE = Lemma(
    "kahan_large",
    (
        "0 <= w", "0 <= s", "0 <= Y", "a <= w * (M + C)", "y <= Y", "b <= w * (s + y)", "t <= s + y + b", "s + Y <= G",
        "v == w * G", "v <= C", "w * (M + C) + w * Y + w * v <= I", "s <= P", "2 * Y <= P", "e <= f + a", "r <= b",
        "b <= v", "0 <= v",
    ),
    ("e + w * t <= f + w * P + I", "e + w * 2 * Y <= f + w * P + I", "r <= C"),
    ((0, 2), (0, 4), (0, 6), (0, 11), (0, 12), (0, 15), (0, 16)),
)  # fmt: skip
"""Where the sum s is no smaller than y, the loss is exact: error e and w t grow together by at most I."""
KAHAN_LOSS = Lemma(
    "kahan_loss",
    ("0 <= w", "0 <= s", "0 <= Y", "y <= Y", "s + Y <= G", "b <= w * (s + y)", "v == w * G"),
    ("b <= v", "0 <= v"),
    ((0, 1), (0, 2), (0, 3), (0, 4)),
)
"""The loss b of an addition is at most v = w G."""
KAHAN_ROUNDINGS = Lemma(
    "kahan_roundings",
    (
        "0 <= w", "w <= 1 / 8", "0 <= s", "s <= y", "y <= Y", "z == w * Y", "b <= w * (s + y)", "g <= w * (y + b)",
        "d <= w * (b + g)",
    ),
    ("b <= 2 * z", "g <= z + 2 * w * z", "d <= 13 / 4 * w * z"),
    ((0, 3), (0, 4), (1, 6), (0, 4), (0, 2)),
)  # fmt: skip
KAHAN_SMALL = Lemma(
    "kahan_small",
    (
        "0 <= w", "w <= 1 / 8", "0 <= z", "8 * z <= v", "v <= C", "a <= w * (M + C)", "b <= 2 * z",
        "g <= z + 2 * w * z", "d <= 13 / 4 * w * z", "s <= y", "y <= Y", "z == w * Y", "2 * Y <= P", "t <= s + y + b",
        "w * (M + C) + z + w * v <= I", "e <= f + a + g + d", "r <= b + g + d",
    ),
    ("e + w * t <= f + w * P + I", "e + w * 2 * Y <= f + w * P + I", "r <= C"),
    ((0, 2), (0, 3), (0, 6), (0, 9), (0, 10), (0, 12), (0, 13), (1, 2)),
)  # fmt: skip
"""Where s is smaller than y, both are below Y, and so are their roundings below w Y."""
KAHAN_END = Lemma(
    "kahan_end",
    ("w <= u", "t <= S", "e + w * t <= H", "b <= u * t", "r <= b + k"),
    ("e + r <= H + (u - w) * S + k",),
    ((0, 1),),
)
"""The sum differs from the exact one by its error e and the last loss r."""
COMPENSATED_END = Lemma(
    "compensated_end",
    ("0 <= w", "s <= S", "d <= w * (s + e)", "e <= E"),
    ("e + d <= E + w * (S + E)",),
    ((0, 1), (0, 3)),
)
"""The exact sum s, off by e before the last addition, which rounds once more."""
KAHAN = (KAHAN_IDENTITY, KAHAN_SIZE, KAHAN_LOSS, KAHAN_LARGE, KAHAN_ROUNDINGS, KAHAN_SMALL, KAHAN_END)
IN_ANY_ORDER = (ANY_ORDER_START, ANY_ORDER)
BY_SIZES = (LOST_SIDE, BOTH_SIDES)
LEMMAS: Mapping[str, Lemma] = {
    lemma.name: lemma for lemma in (*IN_ANY_ORDER, *BY_SIZES, BY_HEIGHT, *KAHAN, COMPENSATED_END)
}
"""Every lemma by its name."""
