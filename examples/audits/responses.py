"""Answers to a yes-or-no question, made with coin flips from outside; both claim epsilon = ln 3."""


def careful(x, n, bits):
    """The truth three times in four."""
    return [x if bits(2) else 1 - x for _ in range(n)]


def careless(x, n, bits):
    """The truth seven times in eight, which costs ln 7."""
    return [x if bits(3) else 1 - x for _ in range(n)]
