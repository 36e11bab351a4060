"""The same question for what a machine computes: integers that wrap, floating-point sums in their order."""
